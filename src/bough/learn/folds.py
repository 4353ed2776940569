"""Folds of a fit: rows to train on and rows to test on, from a number, a splitter or the rows themselves."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from bough.errors import DataError, ParameterError
from bough.learn.growth import Growth
from bough.learn.pruning import Fold

__all__ = ["read_folds"]

Array = npt.NDArray[Any]


def read_folds(cv: Any, growth: Growth, random_state: Any) -> list[Fold]:
    """Rows to train on and to test on; folds that are counted out leave rows of weight zero aside."""
    rows = np.arange(growth.ranked.n_rows)
    counted = isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)
    if counted and growth.weights is not None:
        rows = rows[growth.weights > 0]
    codes = growth.target.get("label")
    classes = None if codes is None else codes[rows]
    splitter = cv
    if counted:
        if len(rows) < 2:
            raise DataError(f"folds need two rows or more; there is {len(rows)} sample of positive weight.")
        n_splits = min(int(cv), len(rows))
        stratified = classes is not None and np.bincount(classes).max() >= n_splits
        kind = StratifiedKFold if stratified else KFold
        # Tables come sorted, by the target too: folds are shuffled, and always in the same way if nothing else is said.
        splitter = kind(n_splits, shuffle=True, random_state=0 if random_state is None else random_state)
    chosen = check_cv(splitter, classes, classifier=classes is not None)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        folds = [_fold(rows, *fold) for fold in chosen.split(rows, classes)]
    if not folds:
        raise ParameterError("cv gives no folds.")
    weights = growth.weights if growth.weights is not None else np.ones(growth.ranked.n_rows)
    for number, (train, test) in enumerate(folds):
        for part, work in ((train, "learn from"), (test, "test on")):
            if not weights[part].any():
                raise DataError(f"cv gives fold {number} no row of positive weight to {work}.")
    return folds


def _fold(rows: Array, train: Any, test: Any) -> Fold:
    """The rows of a fold by their numbers."""
    places = []
    for given in (train, test):
        part = np.asarray(given)
        part = np.flatnonzero(part) if part.dtype == bool and len(part) == len(rows) else part
        if part.ndim != 1 or part.dtype.kind not in "iu" or not ((part >= 0) & (part < len(rows))).all():
            raise ParameterError(
                f"cv must give numbers of rows from 0 to {len(rows) - 1}, to train on and to test on; got "
                f"{given!r:.80}."
            )
        places.append(part)
    return rows[places[0]], rows[places[1]]
