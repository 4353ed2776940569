"""DeLong's variance of areas under ROC curves, for one area, the mean of several, and the difference of two models.

The area is the chance that a row of the class gets a higher score than another row, ties by half (Mann and Whitney).
DeLong's variance goes by what each row has to do with it: the share of the other side that it is ranked right against.
Kept row by row, these parts add up: the mean of the areas of several classes, and the difference of the areas of two
models on the same rows, have the mean and the difference of the parts, and their covariances with them.

E. DeLong, D. DeLong and D. Clarke-Pearson, Comparing the areas under two or more correlated receiver operating
characteristic curves: a nonparametric approach, Biometrics 44, 1988. Ranks in one sort: X. Sun and W. Xu, Fast
implementation of DeLong's algorithm, IEEE Signal Processing Letters 21, 2014.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from scipy import special

from bough.model.wilson import wilson
from bough.validate.rows import effective_rows

__all__ = ["Area", "area_difference", "area_interval", "area_of", "mean_area"]

Floats = npt.NDArray[np.float64]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Area:
    """An area under a ROC curve, or the mean of several.

    Attributes
    ----------
    value : float
        NaN where one side has no rows.
    parts : ndarray of shape (n_rows,)
        What each row adds to the error of the value: their squares sum to its variance.
    pairs : float
        How many pairs of rows from both sides there are that share no row.
    """

    value: float
    parts: Floats
    pairs: float

    @property
    def error(self) -> float:
        """The standard error by DeLong."""
        return float(np.sqrt((self.parts**2).sum()))


def area_of(truth: npt.NDArray[np.bool_], score: Floats, weights: Floats) -> Area:
    """The area of a score for a class.

    Of weighted rows shares are weighted, and each side counts as many rows as of equal weight would tell as much.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.validate.delong import area_of
    >>> found = area_of(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.4, 0.1]), np.ones(4))
    >>> found.value, round(found.error, 3)
    (0.875, 0.177)
    """
    found, place = np.unique(score, return_inverse=True)
    parts = np.zeros(len(score))
    value, pairs = np.nan, np.inf
    for side in (truth, ~truth):
        mass, other = weights[side].sum(), np.bincount(place, np.where(side, 0.0, weights), len(found))
        if not (mass > 0 and other.sum() > 0):
            return Area(np.nan, np.full(len(score), np.nan), 0.0)
        below = (np.cumsum(other) - other / 2) / other.sum()
        right = (below if side is truth else 1 - below)[place[side]]
        value = _snapped(float(np.average(right, weights=weights[side])))
        rows = effective_rows(weights[side])
        pairs = min(pairs, rows)
        apart = np.where(np.abs(right - value) > _ROUNDING, right - value, 0.0)
        # A single row does not say how far others would be from it.
        parts[side] = apart * np.sqrt(weights[side] / mass / (rows - 1)) if rows > 1 else np.nan
    return Area(value, parts, float(pairs))


def _snapped(value: float) -> float:
    """0 or 1 where sums of weights miss it by their rounding alone."""
    return float(round(value)) if min(value, 1 - value) < _ROUNDING else value


def mean_area(areas: Sequence[Area]) -> Area:
    """The mean of the areas of several classes on the same rows, each against the rest; NaN ones are left out."""
    known = [area for area in areas if np.isfinite(area.value)]
    if not known:
        return Area(np.nan, areas[0].parts, 0.0)
    parts = np.mean([area.parts for area in known], axis=0)
    return Area(float(np.mean([area.value for area in known])), parts, min(area.pairs for area in known))


def area_interval(area: Area, level: float) -> tuple[float, float]:
    """The interval of an area: DeLong's error on the scale of logits, so that it stays between 0 and 1.

    Where all pairs are ranked right, or all wrong, no variance is left, and a single row on one side tells none. Pairs
    that share no row are independent, so that Wilson's interval by their number holds. A score that is the same for all
    rows has half the area whatever comes, and no interval.
    """
    value = area.value
    if not np.isfinite(value) or (area.error == 0 and 0 < value < 1):
        return np.nan, np.nan
    if not area.error > 0 or not 0 < value < 1:
        low, high = wilson(value, area.pairs, level)
        return float(low), float(high)
    half = NormalDist().inv_cdf((1 + level) / 2) * area.error / (value * (1 - value))
    odds = np.log(value / (1 - value)) + np.array([-half, half])
    low, high = 1 / (1 + np.exp(-odds))
    return float(low), float(high)


def area_difference(first: Area, second: Area, level: float) -> tuple[float, float, float, float]:
    """The difference of two areas on the same rows: value, low, high, and the p-value of DeLong's paired test."""
    value = first.value - second.value
    error = float(np.sqrt(((first.parts - second.parts) ** 2).sum()))
    if not error > 0:
        return value, np.nan, np.nan, 1.0 if value == error == 0 else np.nan
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    p_value = float(2 * special.ndtr(-abs(value) / error))
    return value, max(value - half, -1.0), min(value + half, 1.0), p_value
