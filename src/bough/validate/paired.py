"""Two models on the same rows: how far they differ in a measure, and whether that is more than chance.

Accuracy by McNemar's test on the rows that one of them has right (exact, and its mid-p, which is less timid), areas by
DeLong's paired test, means over rows (costs, Brier score, squared and absolute errors) by Student's paired test.

Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages, Psychometrika
12, 1947. Mid-p: M. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary matched-pairs data, BMC Medical
Research Methodology 13, 2013. The interval of the difference of two shares: D. Bonett and R. Price, Adjusted Wald
confidence interval for a difference of binomial proportions based on paired data, Journal of Educational and
Behavioral Statistics 37, 2012.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from scipy import special

from bough.validate.delong import area_difference
from bough.validate.folds import Trial
from bough.validate.intervals import areas_of
from bough.validate.measures import Question, losses
from bough.validate.rows import weighted_mean

__all__ = ["JudgedPair", "differences", "mcnemar"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JudgedPair:
    """How two models differ in a measure on the same rows.

    Attributes
    ----------
    first, second : str
    measure : str
    value : float
        First minus second.
    low, high : float
        Its interval; NaN where all rows show the same difference.
    test : str
        What `p_value` is of.
    p_value : float
        Of the hypothesis that both are equally good.
    p_mid : float
        McNemar's mid-p; NaN for other tests.
    p_holm : float
        `p_value`, adjusted for the number of pairs by Holm.
    """

    first: str
    second: str
    measure: str
    value: float
    low: float
    high: float
    test: str
    p_value: float
    p_mid: float = np.nan
    p_holm: float = np.nan


def mcnemar(first_only: int, second_only: int) -> tuple[float, float]:
    """McNemar's exact p-value and its mid-p, from the rows that only the first and only the second has right.

    The mid-p takes the probability of what was found by half: it is the exact p-value less that probability, or, where
    both counts are equal, 1 less half of it.

    Examples
    --------
    >>> from bough.validate.paired import mcnemar
    >>> [round(p, 4) for p in mcnemar(2, 9)]
    [0.0654, 0.0386]
    """
    many, least = first_only + second_only, min(first_only, second_only)
    if not many:
        return 1.0, 1.0
    up_to, below = float(special.bdtr(least, many, 0.5)), float(special.bdtr(least - 1, many, 0.5)) if least else 0.0
    if 2 * least == many:
        return 1.0, 1.0 - (up_to - below) / 2
    return min(1.0, 2 * up_to), up_to + below


def differences(
    names: tuple[str, str], first: Trial, second: Trial, question: Question, unweighted: bool, level: float
) -> list[JudgedPair]:
    """All differences of two models on the same rows."""
    found = []
    if question.n_classes:
        found.append(_in_accuracy(names, first, second, unweighted, level))
        if first.shares is not None and second.shares is not None:
            areas = [areas_of(trial, question)[None] for trial in (first, second)]
            value, low, high, p_value = area_difference(areas[0], areas[1], level)
            found.append(JudgedPair(*names, "roc_auc", value, low, high, "DeLong", p_value))
    mine, theirs = losses(first, question), losses(second, question)
    found += [_in_mean(names, name, mine[name] - theirs[name], first.weights, level) for name in mine]
    return found


def _in_accuracy(names: tuple[str, str], first: Trial, second: Trial, unweighted: bool, level: float) -> JudgedPair:
    mine, theirs = (trial.answer == trial.truth for trial in (first, second))
    if not unweighted:  # the test counts rows
        return _in_mean(names, "accuracy", mine.astype(float) - theirs, first.weights, level)
    rows, only, other = len(mine), int((mine & ~theirs).sum()), int((theirs & ~mine).sum())
    a, b = (only + 1) / (rows + 2), (other + 1) / (rows + 2)
    half = NormalDist().inv_cdf((1 + level) / 2) * np.sqrt(max(a + b - (a - b) ** 2, 0.0) / (rows + 2))
    exact, mid = mcnemar(only, other)
    low, high = max(a - b - half, -1.0), min(a - b + half, 1.0)
    return JudgedPair(*names, "accuracy", (only - other) / rows, float(low), float(high), "McNemar", exact, mid)


def _in_mean(names: tuple[str, str], measure: str, apart: Floats, weights: Floats, level: float) -> JudgedPair:
    """Student's paired test of what rows add to a mean."""
    mean = weighted_mean(apart, weights, level)
    p_value = float(2 * special.stdtr(mean.rows - 1, -abs(mean.value / mean.error)))  # NaN by an error of NaN
    if not apart[weights > 0].any():
        p_value = 1.0
    return JudgedPair(*names, measure, mean.value, mean.low, mean.high, "paired t", p_value)
