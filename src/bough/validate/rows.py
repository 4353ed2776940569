"""What the tested rows allow: no interval of a share of rows is narrower than that of as many independent ones.

Folds that agree, as on a class of few rows that are all answered right, would else make an interval of no width.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.explain.intervals import mean_interval
from bough.model.wilson import wilson
from bough.validate.folds import Trial
from bough.validate.measures import Key, Question

__all__ = ["Mean", "confusion_limits", "effective_rows", "row_limits", "weighted_mean"]

Floats = npt.NDArray[np.float64]
Limits = tuple[float, float]


def row_limits(
    means: Mapping[Key, float], trials: Sequence[Trial], question: Question, repeats: float, level: float
) -> dict[Key, Limits]:
    """Wilson's interval of each measure that is a share of rows, by the rows of one repetition.

    F1 is told by J, the share that is right of the rows that are of a class or decided for it: F1 = 2 J / (1 + J).
    Balanced accuracy is the mean of recalls, whose distances to the ends of their intervals add up by squares (Zou and
    Donner, Construction of confidence limits about effect measures, 2008).
    """
    if not question.n_classes:
        return {}
    truth, answer, weights = _pooled(trials)
    rows: dict[Key, float] = {("accuracy", None): effective_rows(weights, repeats)}
    for code in range(question.n_classes):
        of_class, decided = truth == code, answer == code
        rows["recall", code] = effective_rows(weights[of_class], repeats)
        rows["precision", code] = effective_rows(weights[decided], repeats)
        rows["f1", code] = effective_rows(weights[of_class | decided], repeats)
    found = {key: _limits(key[0], means[key], many, level) for key, many in rows.items() if np.isfinite(means[key])}
    recalls = [(means[key] - found[key][0], found[key][1] - means[key]) for key in found if key[0] == "recall"]
    below, above = np.sqrt((np.array(recalls) ** 2).sum(axis=0)) / len(recalls)
    middle = means["balanced_accuracy", None]
    return found | {("balanced_accuracy", None): (max(middle - below, 0.0), min(middle + above, 1.0))}


def confusion_limits(counts: Floats, trials: Sequence[Trial], repeats: float, level: float) -> tuple[Floats, Floats]:
    """Wilson's interval of each cell, as a share of the rows of its true class."""
    truth, _, weights = _pooled(trials)
    whole = counts.sum(axis=1, keepdims=True)
    rows = np.array([[effective_rows(weights[truth == code], repeats)] for code in range(len(counts))])
    shares = np.divide(counts, whole, out=np.zeros_like(counts), where=whole > 0)
    low, high = wilson(shares, rows, level)
    return low * whole, high * whole


def _pooled(trials: Sequence[Trial]) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]:
    parts = ((trial.truth, trial.answer, trial.weights) for trial in trials)
    truth, answer, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    return truth, answer, weights


def effective_rows(weights: Floats, repeats: float = 1.0) -> float:
    """How many rows of equal weight tell as much; one that is tested in every repetition says nothing new there."""
    squares = float((weights**2).sum())
    return float(weights.sum()) ** 2 / squares / repeats if squares > 0 else 0.0


class Mean(NamedTuple):
    """A weighted mean of rows, its Student interval, its standard error, and the rows of equal weight behind it."""

    value: float
    low: float
    high: float
    error: float
    rows: float


def weighted_mean(values: Floats, weights: Floats, level: float, repeats: float = 1.0) -> Mean:
    """The weighted mean with Student's interval by the effective rows.

    Interval and error are NaN where fewer than two rows or rows that all say the same do not tell how far others are.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.validate.rows import weighted_mean
    >>> [round(x, 3) for x in weighted_mean(np.array([1.0, 2.0, 3.0]), np.ones(3), 0.95)]
    [2.0, -0.484, 4.484, 0.577, 3.0]
    """
    rows = effective_rows(weights, repeats)
    if not rows > 0:
        return Mean(np.nan, np.nan, np.nan, np.nan, rows)
    mean = float(np.average(values, weights=weights))
    deviation = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
    if rows < 2 - 1e-9 or not deviation > 1e-12 * abs(mean):
        return Mean(mean, np.nan, np.nan, np.nan, rows)
    low, high = mean_interval(mean, deviation, rows, level)
    return Mean(mean, low, high, deviation / float(np.sqrt(rows - 1)), rows)


def _limits(name: str, value: float, rows: float, level: float) -> Limits:
    share = value / (2 - value) if name == "f1" else value
    low, high = (float(end) for end in wilson(share, rows, level))
    return (2 * low / (1 + low), 2 * high / (1 + high)) if name == "f1" else (low, high)
