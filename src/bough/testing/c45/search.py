"""The best test of each column, and the choice among the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2

from bough.testing.c45.gain import gain, ratio
from bough.testing.c45.table import Row, Table, at_least, equal, greater

NEIGHBOURS = 1e-5
"""Values that are no further apart are not separated."""


@dataclass(frozen=True)
class Split:
    """A test on one column: a threshold, one level against the rest, or a branch for every level.

    Parameters
    ----------
    column : int
    n_branches : int
    threshold : float, optional
        Values up to it go to branch 0, larger ones to branch 1.
    level : int, optional
        This level goes to branch 0, all others to branch 1.
    """

    column: int
    n_branches: int
    threshold: float | None = None
    level: int | None = None

    def branch(self, value: float | None) -> int | None:
        """The branch of a value; None if it is missing."""
        if value is None:
            return None
        if self.threshold is not None:
            return 0 if value <= self.threshold else 1
        if self.level is not None:
            return 0 if value == self.level else 1
        return int(value)


@dataclass(frozen=True)
class Candidate:
    """A test with what it is worth."""

    split: Split
    gain: float
    ratio: float


@dataclass(frozen=True)
class Habits:
    """How tests are searched.

    Parameters
    ----------
    minimum : float
        The weight that at least two branches must have (`-M`).
    binary : bool
        Nominal columns are tested by one level against the rest (`-B`).
    penalty : bool
        The choice among q thresholds costs log2(q) / weight (not `-J`).
    data_value : bool
        A threshold is a value of the table (not `-doNotMakeSplitPointActualValue`).
    """

    minimum: float = 2.0
    binary: bool = False
    penalty: bool = True
    data_value: bool = True


def class_weights(table: Table, rows: Sequence[Row], split: Split) -> list[list[float]]:
    """Weight of each class in each branch, of the rows whose value is known."""
    branches = [[0.0] * len(table.classes) for _ in range(split.n_branches)]
    cells = table.columns[split.column].cells
    for row, weight in rows:
        branch = split.branch(cells[row])
        if branch is not None:
            branches[branch][table.label(row)] += weight
    return branches


def best_split(table: Table, rows: Sequence[Row], habits: Habits) -> Split | None:
    """The test of a node: the best ratio among the columns whose gain is at least average; None for a leaf."""
    candidates = [found for column in range(len(table.columns)) if (found := examine(table, rows, column, habits))]
    large = many_valued(table)
    ordinary = [candidate.gain for candidate in candidates if candidate.split.column not in large]
    if not ordinary:
        return None
    average = sum(ordinary) / len(ordinary)
    best, most = None, 0.0
    for candidate in candidates:
        if candidate.gain >= average - 0.001 and greater(candidate.ratio, most):
            best, most = candidate.split, candidate.ratio
    if best is None or equal(most, 0.0):
        return None
    return at_data_value(table, best) if habits.data_value else best


def many_valued(table: Table) -> set[int]:
    """Nominal columns with at least 0.3 levels a row of the whole table: they stay out of the average gain.

    If every column is such a one, none is.
    """
    most = 0.3 * len(table.y)
    large = {
        number
        for number, column in enumerate(table.columns)
        if column.levels is not None and not greater(most, len(column.levels))
    }
    return set() if len(large) == len(table.columns) else large


def examine(table: Table, rows: Sequence[Row], column: int, habits: Habits) -> Candidate | None:
    """The best test on one column; None if no test of it is admissible."""
    if table.columns[column].numeric:
        return best_threshold(table, rows, column, habits)
    if habits.binary:
        return best_level(table, rows, column, habits)
    return every_level(table, rows, column, habits)


def every_level(table: Table, rows: Sequence[Row], column: int, habits: Habits) -> Candidate | None:
    """A branch for every declared level; at least two must be large enough."""
    weight = sum(weight for _, weight in rows)
    split = Split(column, len(table.columns[column].levels or ()))
    branches = class_weights(table, rows, split)
    if sum(at_least(sum(branch), habits.minimum) for branch in branches) < 2:
        return None
    gained = gain(branches, weight)
    return Candidate(split, gained, ratio(gained, branches, weight))


def best_level(table: Table, rows: Sequence[Row], column: int, habits: Habits) -> Candidate | None:
    """One level against the rest: the level of the best ratio, the first of equal ones."""
    weight = sum(weight for _, weight in rows)
    best: Candidate | None = None
    qualified = False
    for level in range(len(table.columns[column].levels or ())):
        split = Split(column, 2, level=level)
        branches = class_weights(table, rows, split)
        if not all(at_least(sum(branch), habits.minimum) for branch in branches):
            continue
        qualified = True
        gained = gain(branches, weight)
        worth = ratio(gained, branches, weight)
        if level == 0 or greater(worth, best.ratio if best else 0.0):
            best = Candidate(split, gained, worth)
    # A column whose levels tell nothing still counts in the average gain.
    return best or (Candidate(Split(column, 2, level=0), 0.0, 0.0) if qualified else None)


def best_threshold(table: Table, rows: Sequence[Row], column: int, habits: Habits) -> Candidate | None:
    """The cut of the best gain, the lowest of equal ones, less the price of having had the choice."""
    weight = sum(weight for _, weight in rows)
    cells = table.columns[column].cells
    known = sorted((value, row, part) for row, part in rows if (value := cells[row]) is not None)
    total = sum(part for _, _, part in known)
    least = 0.1 * total / len(table.classes)
    least = habits.minimum if at_least(habits.minimum, least) else min(least, 25.0)
    if greater(2 * least, len(known)):
        return None
    best, most, tried = None, 0.0, 0
    for low, high, branches in cuts(table, known):
        if not all(at_least(sum(branch), least) for branch in branches):
            continue
        tried += 1
        gained = gain(branches, weight)
        if greater(gained, most):
            most = gained
            best = (low, high, [list(branch) for branch in branches])
    if best is None:
        return None
    low, high, sides = best
    worth = most - log2(tried) / weight if habits.penalty else most
    if at_least(0.0, worth):
        return None
    middle = (low + high) / 2
    split = Split(column, 2, threshold=low if middle == high else middle)
    return Candidate(split, worth, ratio(worth, sides, weight))


def cuts(
    table: Table, known: Sequence[tuple[float, int, float]]
) -> Iterator[tuple[float, float, tuple[list[float], list[float]]]]:
    """The values on both sides of each possible cut, upwards, with the class weights of both sides."""
    left = [0.0] * len(table.classes)
    right = table.counts([(row, weight) for _, row, weight in known])
    for number, (value, row, weight) in enumerate(known):
        if number and known[number - 1][0] + NEIGHBOURS < value:
            yield known[number - 1][0], value, (left, right)
        left[table.label(row)] += weight
        right[table.label(row)] -= weight


def at_data_value(table: Table, split: Split) -> Split:
    """The same test with its threshold moved down to a value that occurs in the table."""
    if split.threshold is None:
        return split
    threshold = split.threshold
    values = [value for value in table.columns[split.column].cells if value is not None and value <= threshold]
    return Split(split.column, 2, threshold=max(values))
