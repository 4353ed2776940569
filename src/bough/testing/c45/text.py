"""A tree as Weka prints it: one line for each branch, with the weight of a leaf and how much of it is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import floor

from bough.testing.c45.node import Node
from bough.testing.c45.search import Split
from bough.testing.c45.table import Table, greater, majority


def tree_text(table: Table, root: Node, title: str, *, binary: bool = False) -> str:
    """The whole print, with the two lines that count leaves and nodes."""
    lines: list[str] = []
    if root.is_leaf:
        lines.append(leaf_text(table, root.counts, root.counts))
    stack = [(root, branch, 0) for branch in reversed(range(len(root.children)))]
    while stack:
        node, branch, depth = stack.pop()
        child = node.children[branch]
        assert node.split is not None  # noqa: S101 (an inner node)
        line = "\n" + "|   " * depth + branch_text(table, node.split, branch, binary=binary)
        if child.is_leaf:
            line += leaf_text(table, node.branches[branch], node.counts)
        lines.append(line)
        stack += [(child, below, depth + 1) for below in reversed(range(len(child.children)))]
    leaves, size = len(root.leaves()), len(list(root.walk()))
    head = f"{title}\n{'-' * 18}\n"
    return f"{head}{''.join(lines)}\n\nNumber of Leaves  : \t{leaves}\n\nSize of the tree : \t{size}\n"


def branch_text(table: Table, split: Split, branch: int, *, binary: bool) -> str:
    """What a value must be to take a branch."""
    column = table.columns[split.column]
    if split.threshold is not None:
        number = java_double(split.threshold) if binary else six_decimals(split.threshold)
        return f"{column.name} {'<=' if branch == 0 else '>'} {number}"
    levels = column.levels or ()
    if split.level is not None:
        return f"{column.name} {'=' if branch == 0 else '!='} {levels[split.level]}"
    return f"{column.name} = {levels[branch]}"


def leaf_text(table: Table, counts: Sequence[float], parent: Sequence[float]) -> str:
    """Class, weight, and the weight of other classes; an empty leaf says what its parent would."""
    weight = sum(counts)
    label = majority(counts) if greater(weight, 0.0) else majority(parent)
    wrong = weight - counts[label]
    figures = two_decimals(weight) + (f"/{two_decimals(wrong)}" if greater(wrong, 0.0) else "")
    return f": {table.classes[label]} ({figures})"


def two_decimals(x: float) -> str:
    """Rounded half up, and written as a double of Java."""
    return java_double(floor(x * 100 + 0.5) / 100)


def six_decimals(x: float) -> str:
    """At most six decimals, without zeros at the end.

    Examples
    --------
    >>> six_decimals(10.0), six_decimals(0.0000123)
    ('10', '0.000012')
    """
    text = f"{x:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def java_double(x: float) -> str:
    """The shortest digits that give the number again, in Java's notation.

    Examples
    --------
    >>> java_double(10.0), java_double(0.000092), java_double(12345678.0)
    ('10.0', '9.2E-5', '1.2345678E7')
    """
    if x == 0 or 1e-3 <= abs(x) < 1e7:
        return repr(float(x))
    sign, digits, exponent = Decimal(repr(x)).normalize().as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 (finite numbers only)
    rest = "".join(map(str, digits[1:])) or "0"
    return f"{'-' if sign else ''}{digits[0]}.{rest}E{exponent + len(digits) - 1}"
