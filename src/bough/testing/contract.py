"""What every recipe and every criterion keeps, whoever wrote its parts: checks that ask only the public face.

An estimator is checked as scikit-learn would, by fitting it; a criterion by its scores, or by the trees of an estimator
that uses it. A broken promise is an AssertionError that says which one.
"""

from __future__ import annotations

import copy
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

__all__ = ["check_recipe"]

Array = npt.NDArray[Any]

_TIMES = 3
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def check_recipe(estimator: Any, X: Any, y: Any) -> None:
    """Check that an estimator keeps the promises of all recipes on a table.

    It fits and predicts; probabilities sum to 1; a saved model predicts the same; so does one whose parameters were all
    changed after the fit, and its file; so do any number of threads; weights of 3 are the same as every row three
    times. Parts that draw rows are given the rows, so that both draw the same.

    Parameters
    ----------
    estimator : estimator of bough
        It is cloned, never changed.
    X : frame, array or dict of columns
    y : array of shape (n_rows,)

    Raises
    ------
    AssertionError
        If a promise is broken.

    Examples
    --------
    >>> import bough
    >>> from bough.testing import check_recipe
    >>> X, y = bough.datasets.load("play_tennis").xy()
    >>> check_recipe(bough.TreeClassifier(branching="per_level", stopping=None, missing="fractional"), X, y)
    """
    rows = np.arange(len(np.asarray(y)))
    given = _with_rows(clone(estimator), rows)
    fitted = clone(given).fit(X, y)
    answers = _check_answers(fitted, X, y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        _check_file(path, fitted, X, answers)
        _check_parameters(path, fitted, X, answers)
    _check_threads(given, fitted, X, y, answers)
    _check_weights(given, X, y, rows)


def _promise(holds: bool, what: str) -> None:
    """Raise an AssertionError that says which promise is broken."""
    if not holds:
        raise AssertionError(f"broken promise: {what}")


def _with_rows(estimator: Any, rows: Array, copies: int = 1) -> Any:
    """The estimator with rows in the place of numbers of folds; each row is there so many times."""
    origin = np.tile(rows, copies)
    changes: dict[str, Any] = {}
    for name in estimator.get_params(deep=True):
        last = name.rpartition("__")[2]
        if last == "cv":
            changes[name] = [(np.flatnonzero(origin % 3 != k), np.flatnonzero(origin % 3 == k)) for k in range(3)]
        if last == "holdout":
            changes[name] = np.flatnonzero(origin % 3 == 1)
    return estimator.set_params(**changes)


def _answers(fitted: Any, X: Any) -> Array:
    """Probabilities, or values."""
    return np.asarray(fitted.predict_proba(X) if is_classifier(fitted) else fitted.predict(X))


def _check_answers(fitted: Any, X: Any, y: Any) -> Array:
    """Check the answers and return them."""
    target = np.asarray(y)
    predicted = np.asarray(fitted.predict(X))
    _promise(predicted.shape == target.shape, "predict gives one answer for each row")
    _promise(bool(fitted.get_n_leaves() >= 1), "a tree has a leaf")
    if not is_classifier(fitted):
        _promise(bool(np.isfinite(predicted).all()), "predicted numbers are finite")
        within = (predicted >= target.min() - 1e-9) & (predicted <= target.max() + 1e-9)
        _promise(bool(within.all()), "a mean or median lies between the smallest and the largest target")
        return predicted
    shares = np.asarray(fitted.predict_proba(X))
    _promise(shares.shape == (len(target), len(fitted.classes_)), "one probability for each row and class")
    _promise(bool(((shares >= 0) & (shares <= 1 + 1e-9)).all()), "probabilities lie between 0 and 1")
    _promise(bool((np.abs(shares.sum(axis=1) - 1) <= 1e-9).all()), "probabilities sum to 1")
    _promise(bool(np.isin(predicted, fitted.classes_).all()), "predicted classes are classes")
    return shares


def _check_file(path: Path, fitted: Any, X: Any, answers: Array) -> None:
    fitted.save(path)
    loaded = type(fitted).load(path)
    _promise(bool(loaded.tree_ == fitted.tree_), "a tree is the same after saving and loading")
    _promise(bool((_answers(loaded, X) == answers).all()), "a loaded model answers the same")


def _check_parameters(path: Path, fitted: Any, X: Any, answers: Array) -> None:
    """Parameters belong to the next fit: none is read again, but those that say how to work."""
    changed = copy.copy(fitted)
    for name in changed.get_params(deep=False):
        if name not in ("n_jobs", "verbose"):
            setattr(changed, name, "not a value of any parameter")
    _promise(bool((_answers(changed, X) == answers).all()), "parameters changed after the fit change no answer")
    _promise(bool((changed.apply(X) == fitted.apply(X)).all()), "parameters changed after the fit move no row")
    _check_file(path, changed, X, answers)


def _check_threads(given: Any, fitted: Any, X: Any, y: Any, answers: Array) -> None:
    other = clone(given).set_params(n_jobs=3).fit(X, y)
    _promise(bool(other.tree_ == fitted.tree_), "the tree is the same for any number of threads, and when grown again")
    _promise(bool((_answers(other, X) == answers).all()), "answers are the same for any number of threads")


def _check_weights(given: Any, X: Any, y: Any, rows: Array) -> None:
    params = given.get_params(deep=True)
    by_rows = any(name.endswith("count_by") and value != "weight" for name, value in params.items())
    at_random = any(name.endswith("search__test") and value == "permutation" for name, value in params.items())
    parts_at_ties = not all(getattr(value, "repeatable", True) for value in params.values())
    if by_rows or at_random or parts_at_ties:
        return  # asked to count rows or to permute them; or equally good tests are taken as rounding has it
    weighted = clone(given).fit(X, y, sample_weight=np.full(len(rows), float(_TIMES)))
    many = _with_rows(clone(given), rows, _TIMES)
    places = np.tile(rows, _TIMES)
    repeated = many.fit(_take(X, places), np.asarray(y)[places])
    _promise(_same_tests(weighted, repeated), "weights of three give the tree of every row three times")
    close = np.allclose(_answers(weighted, X), _answers(repeated, X), rtol=1e-9, atol=1e-9)
    _promise(close, "weights of three are every row three times")


def _same_tests(one: Any, other: Any) -> bool:
    """Whether two trees ask the same, up to the rounding of weights in tests of several columns."""
    pairs = list(zip(one.tree_, other.tree_, strict=False))
    return len(one.tree_) == len(other.tree_) and all(
        a.condition == b.condition or (not a.parent.split.test.has_cells and _near(a.condition, b.condition))
        for a, b in pairs
    )


def _near(one: str, other: str) -> bool:
    """Whether two conditions differ by no more than rounding."""
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    numbers = [np.array(_NUMBER.findall(text), dtype=float) for text in (one, other)]
    return bool(np.allclose(numbers[0], numbers[1], rtol=1e-6))


def _take(X: Any, places: Array) -> Any:
    """Rows of a table by their numbers."""
    if isinstance(X, dict):
        return {name: [column[place] for place in places] for name, column in X.items()}
    return X.iloc[places] if hasattr(X, "iloc") else np.asarray(X)[places]
