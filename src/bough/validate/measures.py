"""What is measured on one fold: numbers for each measure, overall and for each class, and the curves behind them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

from bough.validate.folds import Trial

__all__ = [
    "BOUNDS",
    "GRID",
    "confusion_shares",
    "losses",
    "measure_folds",
    "measure_names",
    "pr_at",
    "roc_at",
]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Key = tuple[str, int | None]

BOUNDS: dict[str, tuple[float, float]] = {  # what a measure can be, in the order in which they are told
    "accuracy": (0.0, 1.0),
    "balanced_accuracy": (0.0, 1.0),
    "cost": (0.0, np.inf),
    "precision": (0.0, 1.0),
    "recall": (0.0, 1.0),
    "f1": (0.0, 1.0),
    "brier": (0.0, 2.0),
    "roc_auc": (0.0, 1.0),
    "average_precision": (0.0, 1.0),
    "mse": (0.0, np.inf),
    "rmse": (0.0, np.inf),
    "mae": (0.0, np.inf),
    "r2": (-np.inf, 1.0),
    "leaves": (0.0, np.inf),
    "depth": (0.0, np.inf),
}
_OF_TREES = {"leaves", "depth"}
GRID: Floats = np.linspace(0.0, 1.0, 101)


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


def measure_folds(trials: Sequence[Trial], question: Question) -> dict[Key, Floats]:
    """All measures by name and, where it is one of a class, the number of the class: one value a fold.

    NaN where a fold says nothing: the precision of a class that was never decided for, the recall of one without rows.
    """
    of_folds = [_measure(trial, question) for trial in trials]
    found = {key: np.array([one[key] for one in of_folds]) for key in of_folds[0]}
    if question.n_classes:
        found["balanced_accuracy", None] = _over_classes(found, "recall", range(question.n_classes))
    if len(question.scored) > 1 and trials[0].shares is not None:
        for name in ("roc_auc", "average_precision"):
            found[name, None] = _over_classes(found, name, question.scored)
    told = list(BOUNDS)
    order = sorted(found, key=lambda key: (-1 if key[1] is None else key[1], told.index(key[0])))
    return {key: found[key] for key in order}


def measure_names(question: Question) -> list[str]:
    """The measures of the whole that there can be; those of probabilities and trees only where there are some."""
    of_class, of_numbers = {"precision", "recall", "f1"}, {"mse", "rmse", "mae", "r2"}
    if not question.n_classes:
        return [name for name in BOUNDS if name in of_numbers | _OF_TREES]
    aside = of_class | of_numbers | ({"cost"} if question.costs is None else set())
    return [name for name in BOUNDS if name not in aside]


def _over_classes(found: Mapping[Key, Floats], name: str, codes: Iterable[int]) -> Floats:
    """The mean of a measure of the classes, fold by fold.

    A class that some folds say nothing of counts for more in the others, so that each class counts alike in the mean of
    the folds: else a class of two rows would hardly count at all.
    """
    values = np.stack([found[name, code] for code in codes], axis=1)
    known = np.isfinite(values)
    said, often = known.any(axis=1), known.sum(axis=0)
    if not said.any():
        return np.full(len(values), np.nan)
    worth = np.divide(said.sum(), often, out=np.zeros(len(often)), where=often > 0)
    return np.where(said, np.where(known, values, 0.0) @ worth / np.count_nonzero(often), np.nan)


def _measure(trial: Trial, question: Question) -> dict[Key, float]:
    found: dict[Key, float] = (_of_classes if question.n_classes else _of_numbers)(trial, question)
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
    # By rows, so that it is to the last bit what `score` of the estimator says.
    accuracy = float(np.average(trial.truth == trial.answer, weights=trial.weights))
    found: dict[Key, float] = {("accuracy", None): accuracy}
    for name, loss in losses(trial, question).items():
        found[name, None] = float(np.average(loss, weights=trial.weights))
    for code in range(question.n_classes):
        found["precision", code] = float(precision[code])
        found["recall", code] = float(recall[code])
        found["f1", code] = float(f1[code])
    return found if trial.shares is None else found | _of_probabilities(trial, question)


def _of_probabilities(trial: Trial, question: Question) -> dict[Key, float]:
    shares, weights = trial.shares, trial.weights
    assert shares is not None  # noqa: S101 (asked only where there are some)
    found: dict[Key, float] = {}
    for code in question.scored:
        truth, score = trial.truth == code, shares[:, code]
        both = _both_sides(truth, weights)
        label = code if len(question.scored) > 1 else None
        found["roc_auc", label] = float(roc_auc_score(truth, score, sample_weight=weights)) if both else np.nan
        found["average_precision", label] = (
            float(average_precision_score(truth, score, sample_weight=weights)) if both else np.nan
        )
    return found


def _both_sides(truth: Array, weights: Floats) -> bool:
    return bool(weights[truth].any() and weights[~truth].any())


def losses(trial: Trial, question: Question) -> dict[str, Floats]:
    """The measures that are means over rows, smaller is better: what each row has of them."""
    if not question.n_classes:
        error = trial.answer - trial.truth
        return {"mse": error**2, "mae": np.abs(error)}
    found: dict[str, Floats] = {}
    if question.costs is not None:
        found["cost"] = question.costs[trial.truth, trial.answer]
    if trial.shares is not None:
        hit = trial.truth[:, np.newaxis] == np.arange(question.n_classes)
        squares = ((trial.shares - hit) ** 2).sum(axis=1)
        # As it is usual for two classes: of the probability of one of them. A class that no model knows, and so nobody
        # scores, does not change the scale.
        found["brier"] = squares / 2 if len(question.scored) == 1 else squares
    return found


def _of_numbers(trial: Trial, question: Question) -> dict[Key, float]:
    weights = trial.weights
    mse, mae = (float(np.average(loss, weights=weights)) for loss in losses(trial, question).values())
    spread = float(np.average((trial.truth - np.average(trial.truth, weights=weights)) ** 2, weights=weights))
    return {
        ("mse", None): mse,
        ("rmse", None): float(np.sqrt(mse)),
        ("mae", None): mae,
        ("r2", None): 1.0 - mse / spread if spread > 0 else np.nan,
    }


def roc_at(trial: Trial, code: int) -> Floats:
    """The share of a class that is found, where the share of the others taken for it is on the grid."""
    truth = trial.truth == code
    if trial.shares is None or not _both_sides(truth, trial.weights):
        return np.full(len(GRID), np.nan)
    others, found, _ = roc_curve(truth, trial.shares[:, code], sample_weight=trial.weights, drop_intermediate=False)
    return np.asarray(np.interp(GRID, others, found))


def pr_at(trial: Trial, code: int) -> tuple[Floats, Floats]:
    """The precision of a class at the largest probability from which on its recall is at least that of the grid.

    The second array is the recall that it has there.
    """
    truth = trial.truth == code
    if trial.shares is None or not _both_sides(truth, trial.weights):
        return np.full(len(GRID), np.nan), np.full(len(GRID), np.nan)
    precision, recall, _ = precision_recall_curve(truth, trial.shares[:, code], sample_weight=trial.weights)
    # From the strictest threshold on; the point of recall 0 that scikit-learn adds is no threshold.
    precision, recall = precision[-2::-1], recall[-2::-1]
    place = np.minimum(np.searchsorted(recall, GRID - 1e-12), len(recall) - 1)
    return np.asarray(precision[place]), np.asarray(recall[place])
