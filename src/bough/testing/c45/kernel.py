"""Trees and rules of the kernel as the plain version has them: both are printed and compared by the same code."""

from __future__ import annotations

from typing import Any

import numpy as np

from bough.errors import DataError
from bough.testing.c45.node import Node
from bough.testing.c45.part import Literal, Rule
from bough.testing.c45.search import Split
from bough.testing.kernel import read_tree as read_arrays
from bough.testing.splits import Levels, Threshold


def read_tree(tree: Any, *, binary: bool = False) -> Node:
    """The tree with all that its arrays say of weights; which rows reach a node is not known.

    Parameters
    ----------
    tree : object
        With the arrays of the kernel's tree as attributes.
    binary : bool, default=False
        Whether nominal columns are tested by one level against the rest.
    """
    reading = read_arrays(tree)
    root = Node([], list(reading.counts or ()))
    stack = [(reading, root)]
    while stack:
        theirs, node = stack.pop()
        if theirs.split is None:
            continue
        for child in theirs.children:
            empty = child.weight == 0
            counts = [0.0 if empty else count for count in child.counts or ()]
            node.children.append(Node([], counts, empty=empty))
        node.branches = [list(child.counts) for child in node.children]
        node.split = _split(theirs.split, len(node.children), binary=binary)
        stack += zip(theirs.children, node.children, strict=True)
    return root


def read_rules(arrays: dict[str, Any], *, binary: bool = False) -> list[Rule]:
    """The rules that the kernel's PART gives as flat arrays.

    Parameters
    ----------
    arrays : dict
        As `bough._core.part` returns them.
    binary : bool, default=False
        Whether nominal columns are tested by one level against the rest.
    """
    literals = [_literal(arrays, number, binary=binary) for number in range(len(arrays["column"]))]
    begin = arrays["rule_begin"].tolist()
    return [
        Rule(tuple(literals[first:last]), tuple(counts))
        for first, last, counts in zip(begin, begin[1:], arrays["counts"].tolist(), strict=False)
    ]


def _literal(arrays: dict[str, Any], number: int, *, binary: bool) -> Literal:
    """Level, at most a threshold, above it, another level: 0 to 3."""
    column, kind, code, share = (arrays[name][number].item() for name in ("column", "kind", "code", "share"))
    if kind in (1, 2):
        value = arrays["value_bits"][number : number + 1].view((np.float64, np.int64)[arrays["value_type"][number]])[0]
        return Literal(Split(column, 2, threshold=float(value)), kind - 1, share)
    if binary:
        return Literal(Split(column, 2, level=code), 1 if kind else 0, share)
    return Literal(Split(column, code + 1), code, share)


def _split(split: Threshold | Levels, n_branches: int, *, binary: bool) -> Split:
    if isinstance(split, Threshold):
        return Split(split.column, 2, threshold=split.value)
    if not binary:
        if any(level != branch for level, branch in split.branches.items()):
            raise DataError(f"column {split.column}: expected a branch for every level, found {split.branches}")
        return Split(split.column, n_branches)
    (alone,) = (level for level, branch in split.branches.items() if branch == 0)
    return Split(split.column, 2, level=alone)
