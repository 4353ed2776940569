"""Repeated cross-validation: which rows are held back when, and what an estimator says of them."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import joblib
import numpy as np
import numpy.typing as npt
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import check_random_state

from bough.errors import DataError, DataWarning, ParameterError
from bough.recipe import parameters as check
from bough.table import is_missing, take_rows
from bough.validate.fitting import fitted, innermost, name_of_estimator, without_classes
from bough.validate.target import Target, class_order

__all__ = ["Fold", "Plan", "Progress", "Trial", "counting", "each_fold", "plan_folds", "run_folds", "trial_of"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Fold:
    """The rows to train on and those to test on."""

    train: npt.NDArray[np.intp]
    test: npt.NDArray[np.intp]


@dataclass(frozen=True)
class Plan:
    """The folds of all repetitions, and how they were made."""

    folds: tuple[Fold, ...]
    description: str

    @property
    def n_repeats(self) -> float:
        """How often a row is tested, the mean of those that are; a splitter need not test all equally often."""
        tested = np.concatenate([fold.test for fold in self.folds])
        return len(tested) / len(np.unique(tested))

    @property
    def repetitions(self) -> list[list[int]]:
        """The numbers of the folds, in lots that test no row twice."""
        lots: list[list[int]] = []
        tested: set[int] = set()
        for number, fold in enumerate(self.folds):
            rows = set(fold.test.tolist())
            if not lots or tested & rows:
                lots.append([])
                tested = set()
            lots[-1].append(number)
            tested |= rows
        return lots

    @property
    def ratio(self) -> float:
        """Test rows for each training row, the mean of the folds."""
        return float(np.mean([len(fold.test) / len(fold.train) for fold in self.folds]))


@dataclass(frozen=True)
class Trial:
    """What a fitted model says of some rows: in a fold, of the test rows.

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
    check.seed("random_state", random_state)
    held = None if groups is None else _group_codes(groups, len(target))
    if not isinstance(cv, (int, np.integer)):
        if n_repeats is not None:
            raise ParameterError(
                f"n_repeats counts shuffles of folds where cv is a number; cv={cv!r:.60} brings its own folds. Leave "
                "n_repeats out, or give cv as a number."
            )
        folds = _given_folds(cv.split(*_rows(target), held) if hasattr(cv, "split") else cv, len(target))
        whose = f"of {type(cv).__name__}" if hasattr(cv, "split") else "as given"
        return _checked(folds, f"{len(folds)} folds {whose}", target)
    repeats = check.whole("n_repeats", 3 if n_repeats is None else n_repeats, 1)
    units = len(target) if held is None else len(np.unique(held))
    k = min(int(cv), units)
    if k < 2:
        raise DataError(f"there are only {k} rows or groups: cross-validation needs at least 2.")
    alone = k == units  # each fold is one row or group: there is nothing to stratify, and only one way to draw them
    stratified = not alone and target.codes is not None and np.bincount(target.codes).max() >= k
    seeds = check_random_state(random_state).randint(2**31 - 1, size=repeats)[: 1 if alone else repeats]
    kind: Any = StratifiedKFold if stratified else KFold
    if held is not None:
        kind = StratifiedGroupKFold if stratified else GroupKFold
    folds = [fold for seed in seeds.tolist() for fold in _split(kind(k, shuffle=True, random_state=seed), target, held)]
    words = f"{k}-fold cross-validation" + (f", {len(seeds)} times" if len(seeds) > 1 else "")
    if alone:
        words += f" (one {'row' if held is None else 'group'} each)"
    words += (", stratified" if stratified else "") + (", groups kept together" if held is not None else "")
    return _checked(folds, words, target)


def _group_codes(groups: Any, n_rows: int) -> Array:
    given = np.asarray(groups, dtype=object)  # as they are: 1 and "1" are two groups
    if given.shape != (n_rows,):
        raise DataError(f"groups has the shape {given.shape}, but there are {n_rows} rows: expected ({n_rows},).")
    numbers: dict[Any, int] = {}
    for row, group in enumerate(given.tolist()):
        if is_missing(group):
            raise DataError(f"groups is missing in row {row}: say which group it belongs to, or leave the row out.")
        numbers.setdefault(group, len(numbers))
    return np.array([numbers[group] for group in given.tolist()], dtype=np.intp)


def _rows(target: Target) -> tuple[Array, Array]:
    """What splitters look at: as many rows as there are, and the classes or numbers."""
    return np.zeros((len(target), 1)), target.values


def _split(splitter: Any, target: Target, groups: Array | None) -> list[Fold]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return [Fold(np.asarray(a), np.asarray(b)) for a, b in splitter.split(*_rows(target), groups)]


def _given_folds(pairs: Iterable[Any], n_rows: int) -> list[Fold]:
    """Folds of a splitter or a list, checked: rows that exist, and none that is trained and tested on."""
    folds = []
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ParameterError(f"cv must give pairs (train, test) of row numbers; fold {number} is {pair!r:.60}.")
        fold = Fold(*(_row_numbers(part, n_rows, number) for part in pair))
        both = np.intersect1d(fold.train, fold.test)
        if len(both):
            raise ParameterError(
                f"fold {number} of cv trains and tests on row {both[0]}: what a tree says of rows that it has seen "
                "does not tell how good it is. Leave them out of the training rows."
            )
        folds.append(fold)
    return folds


def _row_numbers(part: Any, n_rows: int, fold: int) -> npt.NDArray[np.intp]:
    rows = np.asarray(part)
    if rows.dtype == bool and rows.shape == (n_rows,):
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "iu"):
        raise ParameterError(f"fold {fold} of cv must hold numbers of rows, or one bool a row; got {part!r:.60}.")
    wrong = rows[(rows < 0) | (rows >= n_rows)]
    if len(wrong):
        raise ParameterError(f"fold {fold} of cv names row {wrong[0]}; there are {n_rows} rows, numbered from 0.")
    return rows.astype(np.intp)


def _checked(folds: list[Fold], words: str, target: Target) -> Plan:
    if not folds:
        raise ParameterError("cv gives no folds.")
    # A fold without weight says nothing: it is left out, as long as others remain.
    kept = [fold for fold in folds if target.weights[fold.train].any() and target.weights[fold.test].any()]
    if not kept:
        raise DataError("no fold has rows of positive weight both to train on and to test on.")
    return Plan(tuple(kept), words)


def counting(progress: Progress | None, total: int) -> Progress | None:
    """A progress that counts on where folds are run several times, up to a total of all runs."""
    if progress is None:
        return None
    done = 0

    def tell(_: int, __: int) -> None:
        nonlocal done
        done += 1
        progress(done, total)

    return tell


def run_folds(
    estimator: Any,
    X: Any,
    y: Any,
    target: Target,
    folds: tuple[Fold, ...],
    *,
    name: str | None = None,
    n_jobs: int | None,
    progress: Progress | None,
) -> list[Trial]:
    """Fit and ask on every fold; the results come in the order of the folds."""

    def ask(model: Any, fold: Fold) -> Trial:
        return trial_of(model, X, target, fold.test)

    return each_fold(estimator, X, y, target, folds, ask, name=name, n_jobs=n_jobs, progress=progress)


def each_fold(
    estimator: Any,
    X: Any,
    y: Any,
    target: Target,
    folds: tuple[Fold, ...],
    ask: Callable[[Any, Fold], T],
    *,
    name: str | None = None,
    n_jobs: int | None,
    progress: Progress | None,
) -> list[T]:
    """Fit on every fold and return what `ask(model, fold)` says, in the order of the folds."""
    work = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    name = name_of_estimator(estimator) if name is None else name
    order = class_order(estimator, y, target)

    def run(number: int, fold: Fold) -> T:
        try:
            alike = estimator if order is None else without_classes(estimator, order, target.held_by(fold.train))
            weights = None if target.unweighted else target.weights[fold.train]
            return ask(fitted(alike, take_rows(X, fold.train), take_rows(y, fold.train), weights), fold)
        except Exception as error:
            raise DataError(
                f"{name} fails on fold {number} of {len(folds)} ({len(fold.train)} training rows), though not on all "
                f"rows: {error}"
            ) from error

    found: list[T] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # what is odd about the data is said once, of the whole table
        for one in work(joblib.delayed(run)(number, fold) for number, fold in enumerate(folds, start=1)):
            found.append(one)
            if progress is not None:
                progress(len(found), len(folds))
    return found


def trial_of(model: Any, X: Any, target: Target, rows: npt.NDArray[np.intp]) -> Trial:
    """What a fitted model says of some rows of a table."""
    held = take_rows(X, rows)
    answer = model.predict(held)
    shares = None
    if target.classes is not None:
        answer = target.codes_of(answer)
        if hasattr(model, "predict_proba"):
            place = target.codes_of(model.classes_)
            shares = np.zeros((len(rows), len(target.classes)))
            shares[:, place] = model.predict_proba(held)
    tree = innermost(model)
    return Trial(
        truth=target.values[rows],
        answer=np.asarray(answer),
        shares=shares,
        weights=target.weights[rows],
        n_leaves=int(tree.get_n_leaves()) if hasattr(tree, "get_n_leaves") else None,
        depth=int(tree.get_depth()) if hasattr(tree, "get_depth") else None,
    )
