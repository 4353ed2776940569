"""Intervals of the measures of a fixed model on rows that are drawn from somewhere: each by what fits it best.

Shares of rows have Wilson's, a difference of two of them Newcombe's, areas DeLong's, means of rows Student's, R squared
the delta method's, and average precision is drawn again. Weighted rows count as many as of equal weight would tell as
much, `sum(w)**2 / sum(w**2)`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.validate.bootstrap import Cells, bias_corrected
from bough.validate.delong import Area, area_interval, area_of, mean_area
from bough.validate.folds import Trial
from bough.validate.lift import ks_distance
from bough.validate.measures import Key, Question, losses
from bough.validate.rows import row_limits, weighted_mean

__all__ = ["Found", "areas_of", "measure_rows"]

Floats = npt.NDArray[np.float64]
_WILSON, _NEWCOMBE, _DELONG, _STUDENT = "Wilson", "Newcombe", "DeLong", "Student's t"
_DELTA, _BOOTSTRAP = "delta method", "bootstrap"


class Found(NamedTuple):
    """The value of a measure, its interval, and how that was made."""

    value: float
    low: float = np.nan
    high: float = np.nan
    method: str = ""


def measure_rows(
    values: Mapping[Key, float], trial: Trial, question: Question, *, level: float, n_resamples: int, seed: int
) -> dict[Key, Found]:
    """All measures of a model on rows, those of single classes by the number of the class.

    Parameters
    ----------
    values : mapping
        What `measure_folds` has of these rows.
    trial : Trial
    question : Question
    level : float
        Confidence.
    n_resamples, seed : int
        Of the bootstrap.
    """
    found = {key: Found(value) for key, value in values.items()}
    for key, (low, high) in row_limits(values, [trial], question, 1.0, level).items():
        found[key] = Found(values[key], low, high, _WILSON)
    means = losses(trial, question)
    if not question.n_classes:
        means["bias"] = trial.answer - trial.truth
    for name, loss in means.items():
        found[name, None] = _mean(loss, trial.weights, level)
    if not question.n_classes:
        mse = found["mse", None]
        found["rmse", None] = Found(_root(mse.value), _root(mse.low), _root(mse.high), mse.method)
        found["r2", None] = _r_squared(values["r2", None], trial, level)
    if trial.shares is None or not question.scored:
        return found
    areas = areas_of(trial, question)
    for code, area in areas.items():
        found["roc_auc", code] = _known(Found(area.value, *area_interval(area, level), _DELONG))
    return found | _ranked(trial, question, level, n_resamples, seed)


def areas_of(trial: Trial, question: Question) -> dict[int | None, Area]:
    """The area of the class that is judged; of several that of each against the rest, and their mean."""
    assert trial.shares is not None  # noqa: S101 (asked only where there are some)
    shares = trial.shares
    areas = [area_of(trial.truth == code, shares[:, code], trial.weights) for code in question.scored]
    if len(areas) == 1:
        return {None: areas[0]}
    return {None: mean_area(areas), **dict(zip(question.scored, areas, strict=True))}


def _root(value: float) -> float:
    return float(np.sqrt(value)) if value >= 0 else 0.0 if np.isfinite(value) else np.nan


def _mean(loss: Floats, weights: Floats, level: float) -> Found:
    """The weighted mean with Student's interval. A mean of losses is not below 0."""
    mean = weighted_mean(loss, weights, level)
    low = max(mean.low, 0.0) if (loss >= 0).all() else mean.low
    return _known(Found(mean.value, low, mean.high, _STUDENT))


def _r_squared(value: float, trial: Trial, level: float) -> Found:
    """R squared is 1 - mse / variance: by what a row moves both."""
    if not np.isfinite(value):
        return Found(value)
    weights = trial.weights
    away = (trial.truth - np.average(trial.truth, weights=weights)) ** 2
    error = (trial.answer - trial.truth) ** 2
    variance, mse = np.average(away, weights=weights), np.average(error, weights=weights)
    moved = (mse / variance * (away - variance) - (error - mse)) / variance
    half = _mean(moved, weights, level).high
    return Found(value, value - half, min(value + half, 1.0), _DELTA) if np.isfinite(half) else Found(value)


def _ranked(trial: Trial, question: Question, level: float, n_resamples: int, seed: int) -> dict[Key, Found]:
    """Average precision of each class that is judged and as a mean, and the KS distance of each."""
    assert trial.shares is not None  # noqa: S101
    told = trial.weights > 0
    truth = trial.truth[told]
    codes = [code for code in question.scored if 0 < np.count_nonzero(truth == code) < len(truth)]
    cells = Cells(trial.shares[told], truth, trial.weights[told])
    whole, draws = cells.average_precision(codes)[0], cells.drawn_precision(codes, n_resamples, seed)
    found: dict[Key, Found] = {("average_precision", None): Found(np.nan)}
    if codes:
        found["average_precision", None] = _drawn(whole.mean(), draws.mean(axis=1), level)
    for code in question.scored:
        label = code if len(question.scored) > 1 else None
        found["ks", label] = _known(Found(*ks_distance(trial, code, level), _NEWCOMBE))
        if label is not None:
            own = codes.index(code) if code in codes else None
            found["average_precision", label] = (
                Found(np.nan) if own is None else _drawn(whole[own], draws[:, own], level)
            )
    return found


def _drawn(value: Any, values: Floats, level: float) -> Found:
    return _known(Found(float(value), *bias_corrected(values, float(value), level), _BOOTSTRAP))


def _known(found: Found) -> Found:
    """The same; where there is no interval, no word of how it was made."""
    return found if np.isfinite(found.low) else Found(found.value)
