"""The smallest changes of a case that alter its answer, by trying all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

__all__ = ["smallest_changes"]


def smallest_changes(
    case: Sequence[Any],
    choices: Sequence[Sequence[tuple[int, Any]]],
    accept: Callable[[list[list[Any]]], Sequence[bool]],
) -> dict[tuple[int, ...], int]:
    """Which columns to change, none of them superfluous, and how little in ranks.

    Parameters
    ----------
    case : sequence
        The values as they are.
    choices : sequence of sequences of (rank, value)
        For each column the values that it may get instead, and how far each is from the value of the case.
    accept : callable
        For a list of cases, whether each has the wanted answer.

    Returns
    -------
    dict
        By the numbers of the columns, fewest first: the least sum of ranks.

    Examples
    --------
    >>> from bough.testing import smallest_changes
    >>> both = lambda cases: [a + b >= 3 for a, b in cases]
    >>> smallest_changes([0, 1], [[(1, 1), (2, 2), (3, 3)], [(1, 0)]], both)
    {(0,): 2}
    """
    found: dict[tuple[int, ...], int] = {}
    for size in range(len(case) + 1):
        for columns in combinations(range(len(case)), size):
            if any(set(smaller) <= set(columns) for smaller in found):
                continue
            tried = list(product(*(choices[column] for column in columns)))
            cases = []
            for change in tried:
                changed = list(case)
                for column, (_, value) in zip(columns, change, strict=True):
                    changed[column] = value
                cases.append(changed)
            ranks = [
                sum(rank for rank, _ in change)
                for change, good in zip(tried, accept(cases) if cases else [], strict=True)
                if good
            ]
            if ranks:
                found[columns] = min(ranks)
    return found
