"""Calibration: whether probabilities and predicted numbers are what comes, bin by bin and as one number.

Rows are pooled before they are binned. In the bins of a single fold even true probabilities are far from the shares of
its few rows, so that a mean over folds would tell the size of the folds.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.wilson import wilson
from bough.validate.folds import Trial
from bough.validate.pieces import Calibration
from bough.validate.rows import weighted_mean

__all__ = ["calibration_error", "calibration_of_class", "calibration_of_numbers"]

Floats = npt.NDArray[np.float64]
_N_BINS = 10


def calibration_error(lots: Sequence[Sequence[Trial]], codes: Sequence[int]) -> tuple[float, float]:
    """The mean distance of probability and share over the bins, and what it would be if every probability were true.

    Parameters
    ----------
    lots : sequence of sequences of Trial
        The folds of each repetition, which together test a row once.
    codes : sequence of int
        The classes that are judged, one after the other; the mean of them is told.
    """
    errors, masses = [], []
    for trials in lots:
        weights = np.concatenate([trial.weights for trial in trials])
        masses.append(weights.sum())
        own = np.zeros(2)
        for code in codes:
            score, truth = _told(trials, code)
            place = _bins_of(score)
            off = np.bincount(place, weights * (score - truth), _N_BINS)
            # The sum of many independent errors is about normal: its mean size is that of a normal number.
            variance = np.bincount(place, weights**2 * score * (1 - score), _N_BINS)
            own += np.abs(off).sum(), np.sqrt(2 / np.pi * variance).sum()
        errors.append(own / weights.sum() / len(codes))
    found, by_chance = np.average(errors, axis=0, weights=masses).tolist()
    return found, by_chance


def _told(trials: Sequence[Trial], code: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The probability of a class for each row, and whether it came."""
    score = np.concatenate([trial.shares[:, code] for trial in trials if trial.shares is not None])
    return score, np.concatenate([trial.truth == code for trial in trials])


def _bins_of(score: Floats) -> npt.NDArray[np.intp]:
    """Which of ten bins of equal width a probability is in."""
    return np.minimum((score * _N_BINS).astype(np.intp), _N_BINS - 1)


def calibration_of_class(label: Any, code: int, trials: list[Trial], repeats: float, level: float) -> Calibration:
    """By ten bins of the probability of a class."""
    score, truth = _told(trials, code)
    weights = np.concatenate([trial.weights for trial in trials])
    place = _bins_of(score)
    mass, squares = (np.bincount(place, weights=weights**power, minlength=_N_BINS) for power in (1, 2))
    held = mass > 0
    nan = np.full(_N_BINS, np.nan)
    predicted = np.divide(np.bincount(place, weights * score, _N_BINS), mass, out=nan.copy(), where=held)
    observed = np.divide(np.bincount(place, weights * truth, _N_BINS), mass, out=nan.copy(), where=held)
    # Each row comes back in every repetition, and says nothing new there.
    rows = np.divide(mass**2, squares * repeats, out=np.zeros(_N_BINS), where=held)
    low, high = wilson(observed, rows, level)
    parts = (mass / repeats, predicted, observed, low, high)
    return Calibration(label, *(part[held] for part in parts))


def calibration_of_numbers(trials: list[Trial], repeats: float, level: float) -> Calibration:
    """By tenths of the predictions: equal ones stay together, so that a small tree has fewer bins."""
    predicted = np.concatenate([trial.answer for trial in trials])
    truth = np.concatenate([trial.truth for trial in trials])
    weights = np.concatenate([trial.weights for trial in trials])
    edges = np.unique(np.quantile(predicted, np.linspace(0, 1, _N_BINS + 1)[1:-1]))
    place = np.searchsorted(edges, predicted, side="left")
    held = np.unique(place[weights > 0])
    columns: list[tuple[float, ...]] = []
    for number in held.tolist():
        mine = place == number
        mean = weighted_mean(truth[mine], weights[mine], level, repeats)
        foreseen = float(np.average(predicted[mine], weights=weights[mine]))
        columns.append((float(weights[mine].sum()) / repeats, foreseen, mean.value, mean.low, mean.high))
    return Calibration(None, *(np.array(part) for part in zip(*columns, strict=True)))
