"""A split is a function from a value to a branch number: a threshold, or sets of levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bough.testing.problem import Problem


@dataclass(frozen=True)
class Threshold:
    """Low values go to the branch `low`, high ones to the other of 0 and 1.

    With side "le" a value equal to the threshold is low, with "lt" it is high.
    """

    column: int
    value: float
    low: int = 0
    side: str = "le"

    def branch(self, value: float | None) -> int | None:
        """The branch of a value; None if the value is missing."""
        if value is None:
            return None
        is_low = value <= self.value if self.side == "le" else value < self.value
        return self.low if is_low else 1 - self.low


@dataclass(frozen=True)
class Levels:
    """Each level that was present goes to its branch; any other is treated as missing.

    A set that a heuristic found says so with `exact` False: there may be a better one.
    """

    column: int
    branches: Mapping[int, int]
    exact: bool = field(default=True, compare=False)

    def branch(self, value: float | None) -> int | None:
        """The branch of a level; None if the value is missing or the level was absent."""
        return None if value is None else self.branches.get(int(value))


Split = Threshold | Levels


def place(problem: Problem, split: Split, row: int) -> int | None:
    """The branch to which a split by itself sends a row."""
    return split.branch(problem.value(split.column, row))


def send(problem: Problem, split: Split, rows: Sequence[int]) -> tuple[list[int], list[int]]:
    """The rows that a split by itself sends to branch 0 and to branch 1; those it cannot place are in neither."""
    branches = [place(problem, split, row) for row in rows]
    return (
        [row for row, branch in zip(rows, branches, strict=True) if branch == 0],
        [row for row, branch in zip(rows, branches, strict=True) if branch == 1],
    )


def mirrored(split: Split) -> Split:
    """The same split with its branches exchanged."""
    if isinstance(split, Threshold):
        return Threshold(split.column, split.value, 1 - split.low, split.side)
    return Levels(split.column, {level: 1 - branch for level, branch in split.branches.items()})
