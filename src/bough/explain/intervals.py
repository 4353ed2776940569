"""Intervals for what a leaf says: the share of a class by Wilson's score, a mean by Student's t."""

import math
from statistics import NormalDist

__all__ = ["mean_interval", "wilson"]


def wilson(share: float, weight: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a probability that is known from rows of so much weight; all of [0, 1] without any.

    Examples
    --------
    >>> from bough.explain.intervals import wilson
    >>> [round(x, 3) for x in wilson(0.9, 20)]
    [0.699, 0.972]
    >>> [round(x, 3) for x in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    if not weight > 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / weight
    centre = (share + z * z / (2 * weight)) / shrink
    half = z / shrink * math.sqrt(max(share * (1 - share), 0.0) / weight + z * z / (4 * weight * weight))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (0.0 if share <= 0 else min(low, share)), (1.0 if share >= 1 else max(high, share))


def mean_interval(mean: float, deviation: float, weight: float, level: float = 0.95) -> tuple[float, float]:
    """Student's interval of a mean over rows of so much weight with this standard deviation; infinite up to one row.

    Examples
    --------
    >>> from bough.explain.intervals import mean_interval
    >>> [round(x, 2) for x in mean_interval(10.0, 2.0, 25)]
    [9.16, 10.84]
    """
    if not weight > 1:
        return -math.inf, math.inf
    from scipy.special import stdtrit

    # The deviation of a node divides by the weight, that of the mean by one less.
    half = float(stdtrit(weight - 1, (1 + level) / 2)) * deviation / math.sqrt(weight - 1)
    return mean - half, mean + half
