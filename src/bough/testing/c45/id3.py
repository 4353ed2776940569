"""Id3 as in Weka 3.6: nominal columns, largest gain, a branch for every level, no pruning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from bough.errors import DataError
from bough.testing.c45.node import Node
from bough.testing.c45.search import Split
from bough.testing.c45.table import Table, equal


def _log2(x: float) -> float:
    # The quotient of natural logarithms: near-ties of gains are decided by its rounding.
    return log(x) / log(2.0)


def entropy(counts: Sequence[float]) -> float:
    """Entropy of class counts in bits."""
    total = sum(counts)
    return -sum(count * _log2(count) for count in counts if count > 0) / total + _log2(total)


@dataclass
class Id3:
    """A tree grown as Weka's Id3 does it; weights are not looked at.

    Parameters
    ----------
    table : Table
        Nominal columns without missing values.
    tie : float, default=0.0
        A later column must gain more by so much. Weka compares exactly, so that rounding decides between equal gains.

    Examples
    --------
    >>> from bough.testing.c45 import Column, Id3, Table
    >>> wind = Column("wind", [0, 0, 1, 1], ["weak", "strong", "storm"])
    >>> print(Id3(Table([wind], [0, 0, 1, 1], ["yes", "no"])).text())
    Id3
    <BLANKLINE>
    <BLANKLINE>
    wind = weak: yes
    wind = strong: no
    wind = storm: null
    """

    table: Table
    tie: float = 0.0

    def __post_init__(self) -> None:
        for column in self.table.columns:
            if column.numeric:
                raise DataError(f"Id3 takes nominal columns only; {column.name!r} is numeric")
            if None in column.cells:
                raise DataError(
                    f"Id3 takes no missing values; {column.name!r} has one in row {column.cells.index(None)}"
                )
        self.root = self._node([row for row, _ in self.table.rows])
        stack = [self.root]
        while stack:
            node = stack.pop()
            node.split = self._best(node)
            if node.split is not None:
                rows = [row for row, _ in node.rows]
                node.children = [self._node(part) for part in self._parts(rows, node.split.column)]
                stack += node.children

    def _node(self, rows: Sequence[int]) -> Node:
        whole = [(row, 1.0) for row in rows]
        return Node(whole, self.table.counts(whole), empty=not rows)

    def _parts(self, rows: Sequence[int], column: int) -> list[list[int]]:
        levels = self.table.columns[column].levels or ()
        cells = self.table.columns[column].cells
        return [[row for row in rows if cells[row] == code] for code in range(len(levels))]

    def _best(self, node: Node) -> Split | None:
        """The column of the largest gain, the first of equal ones; None if nothing is gained."""
        gains = [self.gain(node, column) for column in range(len(self.table.columns))] if node.rows else [0.0]
        best = next(column for column, gained in enumerate(gains) if gained >= max(gains) - self.tie)
        if equal(gains[best], 0.0):
            return None
        return Split(best, len(self.table.columns[best].levels or ()))

    def gain(self, node: Node, column: int) -> float:
        """Information gain of a column at a node."""
        gained = entropy(node.counts)
        for part in self._parts([row for row, _ in node.rows], column):
            if part:
                counts = self.table.counts([(row, 1.0) for row in part])
                gained -= len(part) / len(node.rows) * entropy(counts)
        return gained

    def probabilities(self, case: Sequence[float | None]) -> list[float]:
        """The probability of each class; all 0 where no training row came."""
        node = self.root
        while node.split is not None:
            branch = node.split.branch(case[node.split.column])
            if branch is None:
                raise DataError("Id3 takes no missing values")
            node = node.children[branch]
        return [count / node.weight if node.rows else 0.0 for count in node.counts]

    def text(self) -> str:
        """The tree as Weka prints it."""
        return id3_text(self.table, self.root)


def id3_text(table: Table, root: Node) -> str:
    """One line for each branch; leaves that no row reaches are null."""
    lines: list[str] = []
    stack = [(root, "", -1)]
    while stack:
        node, prefix, depth = stack.pop()
        if prefix:
            lines.append("\n" + "|  " * depth + prefix)
        if node.split is None:
            lines.append(f": {'null' if node.empty else table.classes[node.counts.index(max(node.counts))]}")
            continue
        column = table.columns[node.split.column]
        names = [f"{column.name} = {level}" for level in column.levels or ()]
        pairs = zip(node.children, names, strict=True)
        stack += reversed([(child, name, depth + 1) for child, name in pairs])
    return f"Id3\n\n{''.join(lines)}"
