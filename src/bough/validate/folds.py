"""Repeated cross-validation: which rows are held back when, and what an estimator says of them."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, check_cv
from sklearn.utils import check_random_state

from bough.errors import DataError, DataWarning, ParameterError
from bough.recipe import parameters as check
from bough.validate.target import Target

__all__ = ["Fold", "Plan", "Trial", "plan_folds", "run_folds", "take_rows"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Fold:
    """The rows to train on and those to test on."""

    train: npt.NDArray[np.intp]
    test: npt.NDArray[np.intp]


@dataclass(frozen=True)
class Plan:
    """The folds of all repetitions, and how they were made."""

    folds: tuple[Fold, ...]
    n_repeats: int
    description: str

    @property
    def ratio(self) -> float:
        """Test rows for each training row, the mean of the folds."""
        return float(np.mean([len(fold.test) / len(fold.train) for fold in self.folds]))


@dataclass(frozen=True)
class Trial:
    """What an estimator that was fitted on the training rows of a fold says of its test rows.

    Attributes
    ----------
    truth, answer : ndarray
        Numbers of classes, or numbers.
    shares : ndarray of shape (n_test, n_classes) or None
        Probabilities, where the estimator gives them.
    weights : ndarray
    n_leaves, depth : int or None
        Of the tree, where the estimator has one.
    """

    truth: Array
    answer: Array
    shares: Floats | None
    weights: Floats
    n_leaves: int | None
    depth: int | None


def plan_folds(cv: Any, n_repeats: int | None, target: Target, groups: Any, random_state: Any) -> Plan:
    """Folds from a number, which is repeated with other shuffles, or from a splitter or an iterable as they come."""
    check.folds("cv", cv)
    held = None if groups is None else _group_codes(groups, len(target))
    if not isinstance(cv, (int, np.integer)):
        if n_repeats is not None:
            raise ParameterError(
                f"n_repeats counts shuffles of folds where cv is a number; cv={cv!r:.60} brings its own folds. Leave "
                "n_repeats out, or give cv as a number."
            )
        splitter = check_cv(cv, target.codes, classifier=target.codes is not None)
        return _checked(_split(splitter, target, held), 1, f"{type(cv).__name__}", target)
    repeats = check.whole("n_repeats", 3 if n_repeats is None else n_repeats, 1)
    k = min(int(cv), len(target) if held is None else len(np.unique(held)))
    if k < 2:
        raise DataError(f"there are only {k} rows or groups: cross-validation needs at least 2.")
    stratified = target.codes is not None and np.bincount(target.codes).max() >= k
    seeds = check_random_state(random_state).randint(2**31 - 1, size=repeats)
    kind: Any = StratifiedKFold if stratified else KFold
    if held is not None:
        kind = StratifiedGroupKFold if stratified else GroupKFold
    folds = [fold for seed in seeds.tolist() for fold in _split(kind(k, shuffle=True, random_state=seed), target, held)]
    words = f"{k}-fold cross-validation" + (f", {repeats} times" if repeats > 1 else "")
    words += (", stratified" if stratified else "") + (", groups kept together" if held is not None else "")
    return _checked(folds, repeats, words, target)


def _group_codes(groups: Any, n_rows: int) -> Array:
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    if codes.shape != (n_rows,):
        raise DataError(f"groups has the shape {np.shape(groups)}, but there are {n_rows} rows: expected ({n_rows},).")
    return np.asarray(codes)


def _split(splitter: Any, target: Target, groups: Array | None) -> list[Fold]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        rows = np.zeros((len(target), 1))
        return [Fold(np.asarray(a), np.asarray(b)) for a, b in splitter.split(rows, target.values, groups)]


def _checked(folds: list[Fold], repeats: int, words: str, target: Target) -> Plan:
    if not folds:
        raise ParameterError("cv gives no folds.")
    # A fold without weight says nothing: it is left out, as long as others remain.
    kept = [fold for fold in folds if target.weights[fold.train].any() and target.weights[fold.test].any()]
    if not kept:
        raise DataError("no fold has rows of positive weight both to train on and to test on.")
    return Plan(tuple(kept), repeats, words)


def run_folds(
    estimator: Any,
    X: Any,
    y: Any,
    target: Target,
    folds: tuple[Fold, ...],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> list[Trial]:
    """Fit and ask on every fold; the results come in the order of the folds."""
    work = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    trials: list[Trial] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # what is odd about the data is said once, of the whole table
        for trial in work(joblib.delayed(_run_fold)(estimator, X, y, target, fold) for fold in folds):
            trials.append(trial)
            if progress is not None:
                progress(len(trials), len(folds))
    return trials


def _run_fold(estimator: Any, X: Any, y: Any, target: Target, fold: Fold) -> Trial:
    weights = target.weights
    given = {} if target.unweighted else {"sample_weight": weights[fold.train]}
    model = clone(estimator).fit(take_rows(X, fold.train), take_rows(y, fold.train), **given)
    held = take_rows(X, fold.test)
    answer = model.predict(held)
    shares = None
    if target.classes is not None:
        answer = target.codes_of(answer)
        if hasattr(model, "predict_proba"):
            place = target.codes_of(model.classes_)
            shares = np.zeros((len(fold.test), len(target.classes)))
            shares[:, place] = model.predict_proba(held)
    return Trial(
        truth=target.values[fold.test],
        answer=np.asarray(answer),
        shares=shares,
        weights=weights[fold.test],
        n_leaves=int(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else None,
        depth=int(model.get_depth()) if hasattr(model, "get_depth") else None,
    )


def take_rows(table: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Some rows of a table or a column, of the type that it is."""
    if isinstance(table, Mapping):
        return {name: take_rows(column, rows) for name, column in table.items()}
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    if isinstance(table, list | tuple):
        return [table[row] for row in rows.tolist()]
    if hasattr(table, "take") and type(table).__module__.startswith("pyarrow"):
        return table.take(rows)
    return table[rows]
