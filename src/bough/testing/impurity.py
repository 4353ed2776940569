"""Impurity by the book: functions of class counts, or of the values and weights in a node.

Sums are made with `math.fsum`, which rounds once, so that the order of rows cannot matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log2

Numbers = Sequence[float]


def shares(counts: Numbers) -> list[float]:
    """Counts divided by their sum."""
    total = fsum(counts)
    return [count / total for count in counts]


def gini(counts: Numbers) -> float:
    """The chance that two cases drawn with replacement are of different classes.

    Examples
    --------
    >>> round(gini([10, 90]), 2)
    0.18
    """
    return 1 - fsum(p * p for p in shares(counts))


def variance(counts: Numbers) -> float:
    """The sum of p_i p_j over all pairs of classes: half of Gini's impurity.

    Of two classes it is the variance of a number that is 1 for one class and 0 for the other.

    Examples
    --------
    >>> round(variance([10, 90]), 2), squared_error([1] * 10 + [0] * 90, [1] * 100)
    (0.09, 0.09)
    """
    p = shares(counts)
    return fsum(p[i] * p[j] for i in range(len(p)) for j in range(i))


def entropy(counts: Numbers) -> float:
    """Bits needed on average to tell the class of a case.

    Examples
    --------
    >>> round(entropy([10, 90]), 3)
    0.469
    """
    return -fsum(p * log2(p) for p in shares(counts) if p > 0)


def misclassification(counts: Numbers) -> float:
    """The share of cases outside the largest class.

    Examples
    --------
    >>> round(misclassification([10, 90]), 2)
    0.1
    """
    return 1 - max(shares(counts))


def weighted_gini(counts: Numbers, losses: Sequence[Numbers]) -> float:
    """Gini's impurity with the costs of confusion as weights: the sum of ``losses[i][j] p_i p_j``.

    Examples
    --------
    With two classes it is a multiple of Gini's impurity, whatever the costs:

    >>> round(weighted_gini([10, 90], [[0, 5], [1, 0]]) / gini([10, 90]), 10)
    3.0
    """
    p = shares(counts)
    return fsum(losses[i][j] * p[i] * p[j] for i in range(len(p)) for j in range(len(p)))


def twoing(left: Numbers, right: Numbers) -> float:
    """How well a split parts the classes into two groups: P_L P_R / 4 times the squared sum of |p_L - p_R|.

    Examples
    --------
    >>> round(twoing([28, 24, 0, 0], [0, 0, 24, 24]), 4)
    0.2496
    """
    p_left, p_right = shares([fsum(left), fsum(right)])
    apart = fsum(abs(p - q) for p, q in zip(shares(left), shares(right), strict=True))
    return p_left * p_right / 4 * apart * apart


def superclass_twoing(left: Numbers, right: Numbers, impurity: str = "entropy") -> float:
    """How far a split lowers the impurity of two superclasses, under the best division of the classes into two.

    Every division is tried, as though it were a problem of two classes: 2^(c-1) - 1 of them for c classes.

    Examples
    --------
    Half of Gini's drop is what `twoing` works out at once:

    >>> counts = [28, 20, 5, 1], [2, 4, 19, 23]
    >>> round(superclass_twoing(*counts, "gini") / 2, 6), round(twoing(*counts), 6)
    (0.145377, 0.145377)
    >>> round(superclass_twoing(*counts), 4)
    0.4753
    """
    of = {"gini": gini, "entropy": entropy, "misclassification": misclassification}[impurity]
    p_left, p_right = shares([fsum(left), fsum(right)])
    best = 0.0
    for chosen in range(1, 2 ** (len(left) - 1)):  # the last class is always in the second superclass
        groups = [k for k in range(len(left)) if chosen >> k & 1], [k for k in range(len(left)) if not chosen >> k & 1]
        first, second = ([fsum(side[k] for k in group) for group in groups] for side in (left, right))
        whole = [one + other for one, other in zip(first, second, strict=True)]
        best = max(best, of(whole) - p_left * of(first) - p_right * of(second))
    return best


def weighted_mean(values: Numbers, weights: Numbers) -> float:
    """The mean of the values, each counted with its weight."""
    if min(values) == max(values):
        return values[0]  # exactly, so that a node of equal values has no rounding to split on
    return fsum(w * y for y, w in zip(values, weights, strict=True)) / fsum(weights)


def weighted_median(values: Numbers, weights: Numbers) -> float:
    """The value with half of the weight on either side; between two such values, their mean.

    Examples
    --------
    >>> weighted_median([1, 2, 3, 10], [1, 1, 1, 1]), weighted_median([1, 2, 3, 10], [1, 1, 1, 5])
    (2.5, 10)
    """
    pairs = sorted((y, w) for y, w in zip(values, weights, strict=True) if w > 0)
    half = fsum(weights) / 2
    below: list[float] = []
    for place, (y, w) in enumerate(pairs):
        below.append(w)
        if fsum(below) > half:
            return y
        if fsum(below) == half:
            return (y + pairs[place + 1][0]) / 2
    return pairs[-1][0]


def squared_error(values: Numbers, weights: Numbers) -> float:
    """The variance: mean squared distance from the mean.

    Examples
    --------
    >>> squared_error([0, 0, 3], [1, 1, 1])
    2.0
    """
    mean = weighted_mean(values, weights)
    return fsum(w * (y - mean) ** 2 for y, w in zip(values, weights, strict=True)) / fsum(weights)


def absolute_error(values: Numbers, weights: Numbers) -> float:
    """The mean distance from the median.

    Examples
    --------
    >>> absolute_error([0, 0, 3], [1, 1, 1])
    1.0
    """
    median = weighted_median(values, weights)
    return fsum(w * abs(y - median) for y, w in zip(values, weights, strict=True)) / fsum(weights)


def worst_error(values: Numbers, weights: Numbers) -> float:
    """The largest distance from the mean.

    Examples
    --------
    >>> worst_error([0, 0, 3], [1, 1, 1])
    2.0
    """
    mean = weighted_mean(values, weights)
    return max(abs(y - mean) for y, w in zip(values, weights, strict=True) if w > 0)
