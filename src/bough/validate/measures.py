"""What is measured on one fold: numbers for each measure, overall and for each class, and the curves behind them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

from bough.validate.folds import Trial

__all__ = ["BOUNDS", "GRID", "SMALLER_IS_BETTER", "bins_of", "confusion_shares", "measure", "pr_at", "roc_at"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Key = tuple[str, int | None]

BOUNDS: dict[str, tuple[float, float]] = {  # what a measure can be; the others are unbounded
    **dict.fromkeys(
        (
            "accuracy",
            "balanced_accuracy",
            "calibration_error",
            "roc_auc",
            "average_precision",
            "precision",
            "recall",
            "f1",
        ),
        (0.0, 1.0),
    ),
    "brier": (0.0, 2.0),
    **dict.fromkeys(("cost", "mse", "rmse", "mae", "leaves", "depth"), (0.0, np.inf)),
    "r2": (-np.inf, 1.0),
}
SMALLER_IS_BETTER = frozenset({"brier", "calibration_error", "cost", "mse", "rmse", "mae", "leaves", "depth"})
GRID: Floats = np.linspace(0.0, 1.0, 101)
N_BINS = 10


@dataclass(frozen=True)
class Question:
    """What is asked of every fold.

    Attributes
    ----------
    n_classes : int
        0 for numbers.
    scored : tuple of int
        The classes whose probability is judged against the rest: the positive one of two, or all.
    costs : ndarray or None
    """

    n_classes: int
    scored: tuple[int, ...]
    costs: Floats | None


def measure(trial: Trial, question: Question) -> dict[Key, float]:
    """All measures of a fold by name and, where it is one of a class, the number of the class.

    NaN where a fold says nothing: the precision of a class that was never decided for, the recall of one without rows.
    """
    found: dict[Key, float] = _of_classes(trial, question) if question.n_classes else _of_numbers(trial)
    if trial.n_leaves is not None:
        found["leaves", None] = float(trial.n_leaves)
    if trial.depth is not None:
        found["depth", None] = float(trial.depth)
    return found


def confusion_shares(trial: Trial, n_classes: int) -> Floats:
    """The share of the test weight by true and decided class."""
    table = np.zeros((n_classes, n_classes))
    np.add.at(table, (trial.truth, trial.answer), trial.weights)
    return table / float(trial.weights.sum())


def _of_classes(trial: Trial, question: Question) -> dict[Key, float]:
    table = confusion_shares(trial, question.n_classes)
    right, true, decided = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
    nan = np.full(question.n_classes, np.nan)
    recall = np.divide(right, true, out=nan.copy(), where=true > 0)
    precision = np.divide(right, decided, out=nan.copy(), where=decided > 0)
    f1 = np.divide(2 * right, true + decided, out=nan.copy(), where=true + decided > 0)
    found: dict[Key, float] = {
        ("accuracy", None): float(right.sum()),
        ("balanced_accuracy", None): float(recall[true > 0].mean()),
    }
    if question.costs is not None:
        found["cost", None] = float((table * question.costs).sum())
    for code in range(question.n_classes):
        found["precision", code] = float(precision[code])
        found["recall", code] = float(recall[code])
        found["f1", code] = float(f1[code])
    return found if trial.shares is None else found | _of_probabilities(trial, question)


def _of_probabilities(trial: Trial, question: Question) -> dict[Key, float]:
    shares, weights = trial.shares, trial.weights
    assert shares is not None  # noqa: S101 (asked only where there are some)
    hit = trial.truth[:, np.newaxis] == np.arange(question.n_classes)
    squares = ((shares - hit) ** 2).sum(axis=1)
    if question.n_classes == 2:
        squares = squares / 2  # as it is usual for two classes: of the probability of one of them
    areas, precisions, errors = [], [], []
    found: dict[Key, float] = {}
    for code in question.scored:
        truth, score = hit[:, code], shares[:, code]
        both = _both_sides(truth, weights)
        area = float(roc_auc_score(truth, score, sample_weight=weights)) if both else np.nan
        average = float(average_precision_score(truth, score, sample_weight=weights)) if both else np.nan
        areas.append(area)
        precisions.append(average)
        errors.append(_calibration_error(truth, score, weights))
        if len(question.scored) > 1:
            found["roc_auc", code] = area
            found["average_precision", code] = average
    overall: dict[Key, float] = {
        ("brier", None): float(np.average(squares, weights=weights)),
        ("calibration_error", None): float(np.mean(errors)),
        ("roc_auc", None): _mean(areas),
        ("average_precision", None): _mean(precisions),
    }
    return overall | found


def _mean(values: list[float]) -> float:
    known = [value for value in values if np.isfinite(value)]
    return float(np.mean(known)) if known else np.nan


def _both_sides(truth: Array, weights: Floats) -> bool:
    return bool(weights[truth].any() and weights[~truth].any())


def bins_of(score: Floats) -> npt.NDArray[np.intp]:
    """Which of ten bins of equal width a probability is in."""
    return np.minimum((score * N_BINS).astype(np.intp), N_BINS - 1)


def _calibration_error(truth: Array, score: Floats, weights: Floats) -> float:
    """The mean distance of probability and share over the bins, by their weight."""
    place = bins_of(score)
    off = np.bincount(place, weights=weights * (score - truth), minlength=N_BINS)
    return float(np.abs(off).sum() / weights.sum())


def _of_numbers(trial: Trial) -> dict[Key, float]:
    error = trial.answer - trial.truth
    weights = trial.weights
    mse = float(np.average(error**2, weights=weights))
    spread = float(np.average((trial.truth - np.average(trial.truth, weights=weights)) ** 2, weights=weights))
    return {
        ("mse", None): mse,
        ("rmse", None): float(np.sqrt(mse)),
        ("mae", None): float(np.average(np.abs(error), weights=weights)),
        ("r2", None): 1.0 - mse / spread if spread > 0 else np.nan,
    }


def roc_at(trial: Trial, code: int) -> Floats:
    """The share of a class that is found, where the share of the others taken for it is on the grid."""
    truth = trial.truth == code
    if trial.shares is None or not _both_sides(truth, trial.weights):
        return np.full(len(GRID), np.nan)
    others, found, _ = roc_curve(truth, trial.shares[:, code], sample_weight=trial.weights, drop_intermediate=False)
    return np.asarray(np.interp(GRID, others, found))


def pr_at(trial: Trial, code: int) -> Floats:
    """The precision of a class at the largest probability from which on its recall is at least that of the grid."""
    truth = trial.truth == code
    if trial.shares is None or not _both_sides(truth, trial.weights):
        return np.full(len(GRID), np.nan)
    precision, recall, _ = precision_recall_curve(truth, trial.shares[:, code], sample_weight=trial.weights)
    # From the strictest threshold on; the point of recall 0 that scikit-learn adds is no threshold.
    precision, recall = precision[-2::-1], recall[-2::-1]
    return np.asarray(precision[np.minimum(np.searchsorted(recall, GRID - 1e-12), len(recall) - 1)])
