"""QUEST at one node, as the paper tells it: which column is asked, and which rows take its low branch.

Complete tables and unit weights; columns are arrays of numbers, or of codes where they are nominal.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.stats

__all__ = ["quest_column", "quest_low", "quest_point", "quest_scores"]

Numbers = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


def quest_column(columns: Sequence[Labels], y: Labels, nominal: Sequence[bool], alpha: float = 0.05) -> int:
    """Which column is asked.

    Parameters
    ----------
    columns : sequence of array
    y : array
        Classes.
    nominal : sequence of bool
        Which columns have no order.
    alpha : float, default=0.05

    References
    ----------
    W.-Y. Loh and Y.-S. Shih, Split selection methods for classification trees, Statistica Sinica 7, 1997.
    """
    means = [
        _p_of_levels(x, y) if is_nominal else _p_of_means(x, y) for x, is_nominal in zip(columns, nominal, strict=True)
    ]
    first = int(np.argmin(means))
    numeric = [c for c, is_nominal in enumerate(nominal) if not is_nominal]
    if means[first] < alpha / len(columns) or not numeric:
        return first
    spreads = {c: _p_of_means(_from_class_mean(columns[c], y), y) for c in numeric}
    widest = min(numeric, key=lambda c: spreads[c])
    return widest if spreads[widest] < alpha / (len(columns) + len(numeric)) else first


def quest_scores(levels: Labels, y: Labels) -> Numbers:
    """The crimcoord of each row's level: the first eigenvector of T^-1 B of the level indicators.

    Examples
    --------
    >>> scores = quest_scores(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 0, 1, 1, 1]))
    >>> np.unique(np.diff(scores[::2]).round(6)).size  # two classes: affine in their shares
    1
    """
    codes, row = np.unique(levels, return_inverse=True)
    indicators = np.eye(len(codes))[row]
    centred = indicators - indicators.mean(axis=0)
    between = np.zeros((len(codes), len(codes)))
    for k in np.unique(y):
        apart = centred[y == k].mean(axis=0)
        between += (y == k).sum() * np.outer(apart, apart)
    total = centred.T @ centred
    ridge = 1e-9 * np.trace(total) * np.eye(len(codes))
    last: Numbers = scipy.linalg.eigh(between, total + ridge)[1][:, -1]
    return last[row]


def quest_point(values: Numbers, first: npt.NDArray[np.bool_]) -> float:
    """Where the normal densities of two groups of rows meet, near the mean of the first; the middle if nowhere.

    Examples
    --------
    >>> values = np.array([-1.0, 0.0, 1.0, 9.0, 10.0, 11.0])
    >>> round(quest_point(values, np.arange(6) < 3), 6)
    5.0
    """
    (a, va, p), (b, vb, q) = ((v.mean(), v.var(ddof=1), len(v)) for v in (values[first], values[~first]))
    if np.isclose(va, vb, rtol=1e-12):
        return float((a + b) / 2 - va * np.log(p / q) / (a - b))
    constant = b**2 * va - a**2 * vb + 2 * va * vb * np.log(p * np.sqrt(vb) / (q * np.sqrt(va)))
    roots = np.roots([va - vb, 2 * (a * vb - b * va), constant])
    if np.iscomplex(roots).any():
        return float((a + b) / 2)
    return float(roots[np.abs(roots - a).argmin()].real)


def quest_low(values: Numbers, y: Labels, minimum: int = 1) -> npt.NDArray[np.bool_]:
    """The rows up to the point between two groups of classes, or up to the nearest place that leaves both sides enough.

    Parameters
    ----------
    values : array
        A column, or the crimcoords of its levels.
    y : array
        Classes.
    minimum : int, default=1
        Rows of a side.
    """
    classes, sizes = np.unique(y, return_counts=True)
    means = np.array([values[y == k].mean() for k in classes])
    wanted = (values <= quest_point(values, np.isin(y, classes[_two_groups(means, sizes)]))).sum()
    places = [int((values <= value).sum()) for value in np.unique(values)[:-1]]
    places = [n for n in places if minimum <= n <= len(values) - minimum]
    nearest = min(places, key=lambda n: abs(n - wanted))
    low: npt.NDArray[np.bool_] = values <= np.sort(values)[nearest - 1]
    return low


def _p_of_means(x: Labels, y: Labels) -> float:
    return float(scipy.stats.f_oneway(*(x[y == k] for k in np.unique(y))).pvalue)


def _p_of_levels(x: Labels, y: Labels) -> float:
    table = scipy.stats.contingency.crosstab(x, y).count
    return float(scipy.stats.chi2_contingency(table, correction=False).pvalue)


def _from_class_mean(x: Labels, y: Labels) -> Numbers:
    apart = np.empty(len(x))
    for k in np.unique(y):
        apart[y == k] = np.abs(x[y == k] - x[y == k].mean())
    return apart


def _two_groups(means: Numbers, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which class means go together: 2-means from the two that are farthest apart."""
    apart = np.abs(means[:, None] - means)
    one, two = np.unravel_index(apart.argmax(), apart.shape)
    centres = means[one], means[two]
    for _ in range(50):
        first: npt.NDArray[np.bool_] = np.abs(means - centres[0]) <= np.abs(means - centres[1])
        centres = np.average(means[first], weights=sizes[first]), np.average(means[~first], weights=sizes[~first])
    return first
