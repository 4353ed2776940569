"""Surrogate splits: tests on other columns that send cases the same way as the primary split.

They are ordinary splits; what is searched for is agreement with the primary split instead of purity.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bough.testing.node import Surrogate
from bough.testing.problem import Problem
from bough.testing.search import threshold
from bough.testing.splits import Levels, Split, Threshold, place, send

# An agreement beyond the majority rule of no more than this is rounding.
NO_BETTER = 1e-10


def surrogates(problem: Problem, rows: Sequence[int], primary: Split) -> list[Surrogate]:
    """The best surrogate of each other column, those that agree most first, equal ones in column order."""
    found = [
        surrogate
        for column in range(len(problem.columns))
        if column != primary.column
        and (surrogate := best_surrogate(problem, column, rows, primary)) is not None
        and (surrogate.adjusted > NO_BETTER or not problem.rules.surrogate_filter)
    ]
    found.sort(key=lambda surrogate: -surrogate.agreement)
    return found[: problem.rules.max_surrogates]


def best_surrogate(problem: Problem, column: int, rows: Sequence[int], primary: Split) -> Surrogate | None:
    """The split by one column that agrees best with the primary one, None if the column has no admissible one."""
    joint = problem.known(column, problem.known(primary.column, rows))
    if not joint:
        return None
    if problem.columns[column].kind == "nominal":
        split = _levels(problem, column, joint, primary)
    else:
        split = _cut(problem, column, rows, joint, primary)
    return None if split is None else compare(problem, rows, primary, split)


def compare(problem: Problem, rows: Sequence[int], primary: Split, split: Split) -> Surrogate:
    """Another split with its agreement with the primary one."""
    base = problem.known(primary.column, rows)
    if problem.rules.surrogate_base == "joint":
        base = problem.known(split.column, base)
    total = problem.weight(base)
    agreement = agreeing_weight(problem, base, primary, split) / total
    majority = max(problem.weight(branch) for branch in send(problem, primary, base)) / total
    adjusted = (agreement - majority) / (1 - majority) if majority < 1 else 0.0
    return Surrogate(split, agreement, adjusted)


def agreeing_weight(problem: Problem, rows: Sequence[int], primary: Split, split: Split) -> float:
    """The weight of the rows that two splits send to the same branch."""
    return problem.weight(agreeing_rows(problem, rows, primary, split))


def agreeing_rows(problem: Problem, rows: Sequence[int], primary: Split, split: Split) -> list[int]:
    """The rows that two splits send to the same branch."""
    return [
        row
        for row in rows
        if (branch := place(problem, primary, row)) is not None and branch == place(problem, split, row)
    ]


def _cut(problem: Problem, column: int, rows: Sequence[int], joint: Sequence[int], primary: Split) -> Split | None:
    """The threshold, with its direction, that agrees best; equal ones: the lowest, low values in branch 1 first.

    At least two cases with both values known must lie on each side.
    """
    best: Split | None = None
    most = max(problem.weight(branch) for branch in send(problem, primary, joint))
    if not problem.rules.surrogate_filter:
        most = -1.0
    rounding = problem.rules.tie * problem.weight(joint)
    lows = [1, 0]
    if problem.rules.surrogate_direction == "keep" and isinstance(primary, Threshold):
        lows = [primary.low]
    # Rows that lack the primary value take part in placing the cuts, though they cannot agree or disagree.
    known = problem.known(column, rows)
    present = sorted({value for row in known if (value := problem.value(column, row)) is not None})
    for below, above in pairwise(present):
        cut = threshold(problem, column, joint, below, above)
        for low in lows:
            split = Threshold(column, cut, low)
            agreement = agreeing_weight(problem, joint, primary, split)
            enough = (
                min(problem.size(branch) for branch in send(problem, split, joint)) >= problem.rules.min_surrogate_leaf
            )
            if enough and agreement > most + rounding:
                best, most = split, agreement
    return best


def _levels(problem: Problem, column: int, joint: Sequence[int], primary: Split) -> Split | None:
    """Each level goes where most of its weight goes; one that is undecided goes with the others' majority."""
    weights = [problem.weight(branch) for branch in send(problem, primary, joint)]
    rounding = problem.rules.tie * sum(weights)
    undecided = 0 if weights[0] > weights[1] + rounding else 1
    branches = {}
    for level in sorted({int(value) for row in joint if (value := problem.value(column, row)) is not None}):
        here = [row for row in joint if problem.value(column, row) == level]
        left, right = (problem.weight(branch) for branch in send(problem, primary, here))
        branches[level] = undecided if abs(left - right) <= rounding else int(right > left)
    split = Levels(column, branches)
    if problem.rules.two_disagree:
        agree = problem.size(agreeing_rows(problem, joint, primary, split))
        return split if agree >= 2 and problem.size(joint) - agree >= 2 else None
    return split if set(branches.values()) == {0, 1} else None
