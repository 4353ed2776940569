"""The search for a split: try every threshold and every subset of levels, and score each from the rows.

Ties are broken by rule: the first column, the lowest threshold, the first subset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor

from bough.testing.impurity import shares, twoing, weighted_mean
from bough.testing.node import Candidate, altered_counts, impurity
from bough.testing.problem import Problem
from bough.testing.splits import Levels, Split, Threshold, mirrored, send

# A gain below this share of the impurity is rounding.
ROUNDING = 1e-14


def gain(problem: Problem, rows: Sequence[int], split: Split) -> float:
    """How much better the branches of a split are than the node, judged on the rows with a known value."""
    known = problem.known(split.column, rows)
    branches = send(problem, split, known)
    if not all(branches):
        return 0.0
    if problem.rules.criterion == "twoing":
        drop = twoing(altered_counts(problem, branches[0]), altered_counts(problem, branches[1]))
    elif problem.rules.criterion == "worst_error":
        drop = impurity(problem, known) - max(impurity(problem, branch) for branch in branches)
    else:
        mass = problem.mass(known)
        drop = impurity(problem, known) - sum(
            problem.mass(branch) / mass * impurity(problem, branch) for branch in branches
        )
    if problem.rules.discount_missing:
        drop *= problem.mass(known) / problem.mass(rows)
    return drop


def judge(problem: Problem, rows: Sequence[int], split: Split) -> Candidate:
    """A split with its gain, its score and the sizes of its branches."""
    costs = problem.rules.feature_costs
    branches = send(problem, split, rows)
    worth = gain(problem, rows, split)
    return Candidate(
        split,
        gain=worth,
        score=worth / costs[split.column] if costs else worth,
        sizes=(problem.size(branches[0]), problem.size(branches[1])),
    )


def all_splits(problem: Problem, column: int, rows: Sequence[int]) -> list[Candidate]:
    """Every split of the rows by one column, scored, in the order in which equal ones are preferred.

    Numeric and ordered columns: each place between two neighbouring values, upwards. Nominal columns: each way
    to part the levels present, 2^(l-1) - 1 in all.

    Examples
    --------
    >>> from bough.testing import Column, Problem, all_splits
    >>> problem = Problem([Column("nominal", [0, 1, 2, 2])], [0, 1, 1, 0])
    >>> [c.split.branches for c in all_splits(problem, 0, problem.rows)]
    [{0: 0, 1: 1, 2: 1}, {0: 0, 1: 0, 2: 1}, {0: 1, 1: 0, 2: 1}]
    """
    known = problem.known(column, rows)
    present = sorted({value for row in known if (value := problem.value(column, row)) is not None})
    splits: Iterator[Split]
    if problem.columns[column].kind == "nominal":
        levels = [int(level) for level in present]
        subsets = level_subsets(levels)
        if ordering_suffices(problem):
            subsets = ordered_subsets(sorted(levels, key=lambda level: _rank_of(problem, column, level, known)))
        splits = (Levels(column, branches) for branches in subsets)
    else:
        splits = (Threshold(column, threshold(problem, column, known, low, high)) for low, high in pairwise(present))
    return [judge(problem, rows, oriented(problem, known, split)) for split in splits]


def level_subsets(levels: Sequence[int]) -> Iterator[dict[int, int]]:
    """Every way to send levels to two branches, each partition once.

    All levels start in branch 1. Step t = 1, 2, ... moves the level whose number is the number of trailing zero
    bits of t to the other branch (a reflected Gray code, so that one level moves at a time); the last one stays.
    """
    branches = dict.fromkeys(levels, 1)
    for step in range(1, 2 ** len(levels) // 2):
        level = levels[(step & -step).bit_length() - 1]
        branches[level] = 1 - branches[level]
        yield dict(branches)


def ordered_subsets(levels: Sequence[int]) -> Iterator[dict[int, int]]:
    """The first level against the rest, the first two against the rest, and so on."""
    for number in range(1, len(levels)):
        yield {level: int(place >= number) for place, level in enumerate(levels)}


def ordering_suffices(problem: Problem) -> bool:
    """Whether only contiguous subsets of the sorted levels are tried."""
    two_or_squares = problem.n_classes == 2 or problem.rules.criterion == "squared_error"
    return problem.rules.subsets == "ordered" or (problem.rules.subsets == "auto" and two_or_squares)


def _rank_of(problem: Problem, column: int, level: int, rows: Sequence[int]) -> float:
    """By what levels are sorted: the share of the first class, or the mean."""
    here = [row for row in rows if problem.value(column, row) == level]
    return shares(altered_counts(problem, here))[0] if problem.is_classification else lean(problem, here)


def threshold(problem: Problem, column: int, known: Sequence[int], low: float, high: float) -> float:
    """A threshold between two neighbouring values: low <= threshold < high."""
    if problem.columns[column].kind == "ordered":
        return floor((low + high) / 2)
    share = 0.5
    if problem.rules.threshold == "weighted":
        below = [row for row in known if (value := problem.value(column, row)) is not None and value <= low]
        share = problem.weight(below) / problem.weight(known)
    cut = (1 - share) * low + share * high
    return cut if low <= cut < high else low


def oriented(problem: Problem, known: Sequence[int], split: Split) -> Split:
    """The split as it is, or turned so that branch 0 leans to the first classes or the smaller values."""
    if problem.rules.orientation == "low":
        return split
    first, second = (lean(problem, branch) for branch in send(problem, split, known))
    if problem.is_classification or isinstance(split, Threshold):
        return split if first < second else mirrored(split)
    return mirrored(split) if first > second else split


def lean(problem: Problem, rows: Sequence[int]) -> float:
    """The mean answer of the rows; classes count as 0, 1, ..., with their altered weights."""
    if not problem.is_classification:
        return weighted_mean([problem.y[row] for row in rows], [problem.weights[row] for row in rows])
    counts = altered_counts(problem, rows)
    return weighted_mean(range(len(counts)), counts)


def best_split(problem: Problem, column: int, rows: Sequence[int]) -> Candidate | None:
    """The best admissible split by one column, None if there is none with a gain."""
    best: Candidate | None = None
    least = ROUNDING * impurity(problem, rows)
    for candidate in all_splits(problem, column, rows):
        large_enough = min(candidate.sizes) >= problem.rules.min_samples_leaf
        if large_enough and candidate.gain > least and (best is None or better(problem, candidate, best)):
            best = candidate
    return best


def better(problem: Problem, new: Candidate, old: Candidate) -> bool:
    """Whether a later candidate replaces an earlier one: only if it wins by more than rounding."""
    return new.score > old.score + problem.rules.tie * abs(old.score)


def best_splits(problem: Problem, rows: Sequence[int]) -> list[Candidate]:
    """The best split of each column that has one, the best of all first; equal ones in column order."""
    ranking: list[Candidate] = []
    for column in range(len(problem.columns)):
        candidate = best_split(problem, column, rows)
        if candidate is not None:
            place = next((k for k, old in enumerate(ranking) if better(problem, candidate, old)), len(ranking))
            ranking.insert(place, candidate)
    return ranking
