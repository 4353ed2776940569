"""Tests of several properties at once, by brute force: every "a and b", and with three columns every "a and b and c".

A property is a split of one column, and holds for the rows of its branch 0: a level against all others, all others
against the level, or one side of a threshold. With the branches exchanged, conjunctions are also all disjunctions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from bough.testing.node import impurity
from bough.testing.problem import Problem
from bough.testing.search import ROUNDING, threshold
from bough.testing.splits import Levels, Split, Threshold, mirrored, place


@dataclass(frozen=True)
class Conjunction:
    """Properties that are to hold together, and what is gained by parting the rows for which they do from the rest."""

    properties: tuple[Split, ...]
    gain: float


def conjunctions(
    problem: Problem, rows: Sequence[int], size: int = 2, thresholds: int = 0
) -> Iterator[tuple[Split, ...]]:
    """Every choice of one property of each of two columns, then of three, up to `size`.

    The order is the one in which equal ones are preferred: by columns, then by level or threshold, then by whether a
    property is meant as it is or negated.

    Examples
    --------
    >>> from bough.testing import Column, Problem, conjunctions
    >>> problem = Problem([Column("nominal", [0, 0, 1, 1]), Column("numeric", [1, 2, 1, 2])], [0, 1, 1, 1])
    >>> len(list(conjunctions(problem, problem.rows)))
    0
    >>> len(list(conjunctions(problem, problem.rows, thresholds=1)))
    4
    """
    asked = [
        pairs for column in range(len(problem.columns)) if (pairs := properties(problem, column, rows, thresholds))
    ]
    for chosen in range(2, size + 1):
        for columns in combinations(asked, chosen):
            for both_ways in product(*columns):
                yield from product(*both_ways)


def properties(problem: Problem, column: int, rows: Sequence[int], thresholds: int) -> list[tuple[Split, ...]]:
    """The properties of a column, each with its opposite; of two levels one is the opposite of the other."""
    known = problem.known(column, rows)
    values = sorted({value for row in known if (value := problem.value(column, row)) is not None})
    if problem.columns[column].kind == "nominal":
        levels = [int(value) for value in values]
        each = [Levels(column, {other: int(other != level) for other in levels}) for level in levels]
        if len(levels) < 2:
            return []
        return [(one,) for one in each] if len(levels) == 2 else [(one, mirrored(one)) for one in each]
    if not thresholds:
        return []
    parts = parts_of_like_weight(problem, column, known, values, thresholds + 1)
    cuts = [Threshold(column, threshold(problem, column, known, a[-1], b[0])) for a, b in pairwise(parts)]
    return [(cut, mirrored(cut)) for cut in cuts]


def parts_of_like_weight(
    problem: Problem, column: int, known: Sequence[int], values: Sequence[float], most: int
) -> list[list[float]]:
    """Neighbouring values joined into at most so many parts: each belongs where the middle of its weight lies."""
    if len(values) <= most:
        return [[value] for value in values]
    total, met = problem.weight(known), 0.0
    parts: dict[int, list[float]] = {}
    for value in values:
        weight = problem.weight([row for row in known if problem.value(column, row) == value])
        number = min(most - 1, int(most * (met + weight / 2) / total + 1e-9))
        parts.setdefault(number, []).append(value)
        met += weight
    return list(parts.values())


def conjunction_gain(problem: Problem, rows: Sequence[int], terms: Sequence[Split]) -> float:
    """The drop of impurity where the rows that have all properties are parted from the others.

    Rows that lack a value of one of the columns are left out, and the drop counts for the share of the others.
    """
    known = [row for row in rows if all(problem.value(term.column, row) is not None for term in terms)]
    holds = [row for row in known if all(place(problem, term, row) == 0 for term in terms)]
    fails = [row for row in known if row not in set(holds)]
    if not min(problem.size(holds), problem.size(fails)) > 0:
        return 0.0
    mass = problem.mass(known)
    after = sum(problem.mass(branch) / mass * impurity(problem, branch) for branch in (holds, fails))
    drop = impurity(problem, known) - after
    return drop * mass / problem.mass(rows) if problem.rules.discount_missing else drop


def best_conjunction(problem: Problem, rows: Sequence[int], size: int = 2, thresholds: int = 0) -> Conjunction | None:
    """The conjunction of the largest gain, the first of equal ones; None if none has a gain.

    Examples
    --------
    >>> from bough.testing import Column, Problem, best_conjunction
    >>> columns = [Column("nominal", [0, 0, 1, 1, 2, 2]), Column("numeric", [1, 2, 1, 2, 1, 2])]
    >>> found = best_conjunction(Problem(columns, [0, 0, 1, 0, 0, 0]), range(6), thresholds=1)
    >>> [(term.column, term.branch(1)) for term in found.properties]
    [(0, 0), (1, 0)]
    """
    best: Conjunction | None = None
    least = ROUNDING * impurity(problem, rows)
    for terms in conjunctions(problem, rows, size, thresholds):
        gain = conjunction_gain(problem, rows, terms)
        bar = least if best is None else best.gain * (1 + problem.rules.tie)
        if gain > bar:
            best = Conjunction(terms, gain)
    return best
