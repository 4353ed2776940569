"""Gain, split information and gain ratio of a test, from the class weights in its branches."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from bough.testing.c45.table import EPSILON, equal

Counts = Sequence[float]


def log_part(x: float) -> float:
    """``x log2 x``, and 0 where x is nearly 0."""
    return x * log2(x) if x >= EPSILON else 0.0


def bits(counts: Counts) -> float:
    """Entropy of class weights times their sum: what it takes to write down the classes of all these rows."""
    return log_part(sum(counts)) - sum(log_part(count) for count in counts)


def gain(branches: Sequence[Counts], weight: float) -> float:
    """Information gain on the rows with a known value, times their share.

    Parameters
    ----------
    branches : list of lists
        Weight of each class in each branch, of the rows with a known value.
    weight : float
        Weight of the node, rows without a value included.

    Examples
    --------
    >>> gain([[2.0, 0.0], [0.0, 2.0]], 4.0)
    1.0
    >>> gain([[2.0, 0.0], [0.0, 2.0]], 8.0)
    0.5
    """
    known = sum(map(sum, branches))
    whole = [sum(column) for column in zip(*branches, strict=True)]
    share = 1.0 - (weight - known) / weight
    gained = share * (bits(whole) - sum(map(bits, branches)))
    return 0.0 if equal(gained, 0.0) else gained / known


def split_information(branches: Sequence[Counts], weight: float) -> float:
    """Entropy of the branches, missing values counting as one more; 0 where it is nearly 0."""
    sizes = [sum(branch) for branch in branches]
    missing = weight - sum(sizes)
    total = log_part(weight) - sum(map(log_part, sizes)) - log_part(missing)
    return 0.0 if equal(total, 0.0) else total / weight


def ratio(gained: float, branches: Sequence[Counts], weight: float) -> float:
    """Gain divided by split information; 0 for a test that splits nothing."""
    information = split_information(branches, weight)
    return gained / information if information else 0.0
