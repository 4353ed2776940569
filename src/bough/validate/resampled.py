"""Intervals and tests from results on folds, which share training rows and so are not independent.

The variance of a mean over folds is corrected by the share of test rows to training rows (Nadeau and Bengio, Inference
for the generalization error, 2003). The test of two learners on five times two folds is Alpaydin's (Combined 5x2 cv F
test for comparing supervised classification learning algorithms, 1999).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from bough.errors import ParameterError

__all__ = ["Interval", "PairedTest", "combined_f_test", "corrected_interval", "corrected_t_test", "holm"]

Floats = npt.NDArray[np.float64]
_EQUAL = 1e-12  # of their size: differences of results that are rounding


class Interval(NamedTuple):
    """A mean and its interval; NaN where there are too few values, or where all are equal."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PairedTest:
    """A test of the hypothesis that two learners are equally good.

    Attributes
    ----------
    statistic : float
        Student's t, or F.
    p_value : float
    """

    statistic: float
    p_value: float


def corrected_interval(
    values: npt.ArrayLike, ratio: float, *, level: float = 0.95, least: float = -np.inf, most: float = np.inf
) -> Interval:
    """Mean over folds with the corrected resampled t interval.

    Folds that all say the same do not tell how far others would be from them: then there is no interval, rather than
    one without width.

    Parameters
    ----------
    values : array of shape (n_folds,)
        One result a fold; NaN where a fold says nothing.
    ratio : float
        Test rows for each training row: 1 / 9 in ten folds.
    level : float, default=0.95
        Confidence.
    least, most : float
        What the measure can be; the interval ends there.

    Returns
    -------
    Interval

    Examples
    --------
    >>> from bough.validate import corrected_interval
    >>> found = corrected_interval([0.8, 0.9, 0.85, 0.95, 0.9], ratio=1 / 4)
    >>> [round(number, 3) for number in found]
    [0.88, 0.774, 0.986]
    """
    table = np.asarray(values, dtype=np.float64)
    mean, low, high = corrected_intervals(table[:, np.newaxis], ratio, level=level, least=least, most=most)
    return Interval(float(mean[0]), float(low[0]), float(high[0]))


def corrected_intervals(
    values: Floats, ratio: float, *, level: float, least: float = -np.inf, most: float = np.inf
) -> tuple[Floats, Floats, Floats]:
    """The same for each column of a table with one row a fold."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    filled = np.where(known, values, 0.0)
    mean = np.divide(filled.sum(axis=0), count, out=np.full(values.shape[1], np.nan), where=count > 0)
    off = np.where(known, values - mean, 0.0)
    variance = np.divide((off**2).sum(axis=0), count - 1, out=np.full(values.shape[1], np.nan), where=count > 1)
    size = np.where(known, np.abs(values), 0.0).max(axis=0)
    variance = np.where(np.abs(off).max(axis=0) > _EQUAL * size, variance, np.nan)
    error = np.sqrt((1.0 / np.maximum(count, 1) + ratio) * variance)
    # Student's quantile by the functions of scipy.special: scipy.stats takes a second to be imported.
    half = error * np.where(count > 1, special.stdtrit(np.maximum(count - 1, 1), 0.5 + level / 2), np.nan)
    return mean, np.clip(mean - half, least, most), np.clip(mean + half, least, most)


def corrected_t_test(differences: npt.ArrayLike, ratio: float) -> PairedTest:
    """The corrected resampled paired t-test: two-sided, with one degree of freedom less than there are folds.

    Learners that do not differ on any fold have p = 1. A difference that is the same on every fold has NaN: the test
    goes by its variance, and nothing tells that.

    Parameters
    ----------
    differences : array of shape (n_folds,)
        What one learner is better by on each fold.
    ratio : float
        Test rows for each training row.

    Returns
    -------
    PairedTest

    Examples
    --------
    >>> from bough.validate import corrected_t_test
    >>> test = corrected_t_test([0.02, 0.03, 0.01, 0.02, 0.04], ratio=1 / 4)
    >>> round(test.statistic, 3), round(test.p_value, 4)
    (3.138, 0.0349)
    """
    values = np.asarray(differences, dtype=np.float64)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return PairedTest(np.nan, np.nan)
    mean, variance = float(values.mean()), float(values.var(ddof=1))
    if np.ptp(values) <= _EQUAL * np.abs(values).max():
        return _untold(mean == 0.0)
    statistic = mean / np.sqrt((1.0 / len(values) + ratio) * variance)
    return PairedTest(float(statistic), float(2.0 * special.stdtr(len(values) - 1, -abs(statistic))))


def combined_f_test(differences: npt.ArrayLike) -> PairedTest:
    """Alpaydin's combined test on five times two folds: F with 10 and 5 degrees of freedom.

    Where the two folds of each repetition say the same: p = 1 if none of them differs from zero, else NaN.

    Parameters
    ----------
    differences : array of shape (5, 2)
        What one learner is better by on the two folds of each repetition.

    Returns
    -------
    PairedTest

    Examples
    --------
    >>> from bough.validate import combined_f_test
    >>> test = combined_f_test([[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.02, 0.01], [0.05, 0.01]])
    >>> round(test.statistic, 3), round(test.p_value, 4)
    (2.643, 0.1475)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.shape != (5, 2):
        raise ParameterError(f"differences must be of shape (5, 2), five times two folds; its shape is {values.shape}.")
    if not np.isfinite(values).all():
        return PairedTest(np.nan, np.nan)
    above = float((values**2).sum())
    below = float(((values[:, 0] - values[:, 1]) ** 2).sum())  # twice the squares about the mean of two
    if below <= _EQUAL**2 * above:
        return _untold(above == 0.0)
    return PairedTest(above / below, float(special.fdtrc(10, 5, above / below)))


def _untold(alike: bool) -> PairedTest:
    """The test of differences without variance: nothing speaks against learners that never differ."""
    return PairedTest(0.0, 1.0) if alike else PairedTest(np.nan, np.nan)


def holm(p_values: npt.ArrayLike) -> Floats:
    """Return p-values of several tests, adjusted by Holm so that a single false discovery is held at the level.

    Examples
    --------
    >>> from bough.validate import holm
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(len(given), np.nan)
    known = np.flatnonzero(np.isfinite(given))
    order = known[np.argsort(given[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * factors), 1.0)
    return adjusted
