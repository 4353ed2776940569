"""What J48 and Id3 learn from: columns with declared levels, classes, weights. And the tolerance of comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bough.errors import DataError

EPSILON = 1e-6

Row = tuple[int, float]
"""A row of the table and the part of its weight that is meant."""


def equal(a: float, b: float) -> bool:
    """Equal up to the tolerance."""
    return abs(a - b) < EPSILON


def greater(a: float, b: float) -> bool:
    """Greater by more than the tolerance."""
    return a - b > EPSILON


def at_least(a: float, b: float) -> bool:
    """Greater, or less by no more than the tolerance."""
    return a >= b or b - a < EPSILON


@dataclass(frozen=True)
class Column:
    """One input column.

    Parameters
    ----------
    name : str
    cells : list
        Numbers, or the codes of levels; None is a missing value.
    levels : list of str, optional
        The declared levels of a nominal column, also those that never occur; None for a numeric column.
    """

    name: str
    cells: Sequence[float | None]
    levels: Sequence[str] | None = None

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""
        return self.levels is None


@dataclass(frozen=True)
class Table:
    """Rows to learn from.

    Parameters
    ----------
    columns : list of Column
    y : list of int or None
        The class of each row by its code; rows without one take no part in growing.
    classes : list of str
        The declared classes.
    weights : list of float, optional
        1 for each row by default.
    """

    columns: Sequence[Column]
    y: Sequence[int | None]
    classes: Sequence[str]
    weights: Sequence[float] = field(default=())

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", [1.0] * len(self.y))
        lengths = {len(column.cells) for column in self.columns} | {len(self.weights)}
        if lengths != {len(self.y)}:
            raise DataError(f"every column and the weights need {len(self.y)} entries, as many as y; got {lengths}")
        if len(self.classes) < 2:
            raise DataError(f"a class column needs at least two declared classes; got {list(self.classes)}")

    @property
    def rows(self) -> list[Row]:
        """The rows that have a class, with their whole weight."""
        return [(row, self.weights[row]) for row, label in enumerate(self.y) if label is not None]

    def label(self, row: int) -> int:
        """The class of a row that has one."""
        label = self.y[row]
        assert label is not None  # noqa: S101 (rows without a class are dropped before anything asks)
        return label

    def counts(self, rows: Sequence[Row]) -> list[float]:
        """Weight of each class among rows."""
        counts = [0.0] * len(self.classes)
        for row, weight in rows:
            counts[self.label(row)] += weight
        return counts


def majority(counts: Sequence[float]) -> int:
    """The class of the largest weight, the first of equal ones."""
    best, most = 0, 0.0
    for label, count in enumerate(counts):
        if greater(count, most):
            best, most = label, count
    return best


def errors(counts: Sequence[float]) -> float:
    """The weight that a leaf with these counts gets wrong."""
    return sum(counts) - counts[majority(counts)]
