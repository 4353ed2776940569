"""Laws of criteria: what must hold for every one, built in or a user's, by its scores or by the trees grown with it."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

__all__ = ["check_criterion"]

Floats = npt.NDArray[np.float64]

_ROUNDING = 1e-9
_BETWEEN_CLASSES = {"gini", "gini_half", "entropy", "misclassification"}
_WEIGH_COSTS = {"weighted_gini", "weighted_entropy", "expected_cost"}


def check_criterion(criterion: Any, *, numbers: bool = False, cases: int = 50, seed: int = 0) -> None:
    """Check that a criterion keeps the laws of criteria.

    By its scores: nothing is gained where a node is pure or all branches are alike, a gain is never negative, and all
    weights three times as large change nothing; an impurity is zero when pure and largest at equal shares. By trees:
    the same of their nodes, and tests do not depend on the scale and the offset of a column; entropy drops by no more
    than log2 B bits at B branches, and thresholds of Gini's impurity, of entropy and of misclassification part rows of
    different classes.

    Parameters
    ----------
    criterion : object with `score`, or an estimator of bough that uses a criterion
        For an estimator, trees are grown on random tables.
    numbers : bool, default=False
        Whether an object with `score` judges numbers (statistics: weight, sum, sum of squares), not classes.
    cases : int, default=50
        Random tables or tests.
    seed : int, default=0

    Raises
    ------
    AssertionError
        If a law is broken.

    Examples
    --------
    >>> import bough
    >>> from bough.testing import check_criterion
    >>> check_criterion(bough.TreeClassifier(criterion="entropy"), cases=5)
    >>> class Purity:
    ...     def score(self, parent, branches):
    ...         largest = branches.max(2) / branches.sum(2)
    ...         return (largest * branches.sum(2)).sum(1) / parent.sum() - parent.max() / parent.sum()
    >>> check_criterion(Purity(), cases=5)
    Traceback (most recent call last):
    ...
    AssertionError: broken law of Purity: scores are finite, of empty branches too
    """
    rng = np.random.default_rng(seed)
    if hasattr(criterion, "fit"):
        for _ in range(cases):
            _check_trees(criterion, rng)
        return
    for _ in range(cases):
        _check_scores(criterion, numbers, rng)


def _law(holds: Any, of: str, what: str) -> None:
    if not bool(holds):
        raise AssertionError(f"broken law of {of}: {what}")


def _statistics(numbers: bool, rng: np.random.Generator) -> Floats:
    """Statistics of the branches of some candidates, some branches empty: all parts of one node."""
    n_branches, n_classes = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    rows = int(rng.integers(n_branches + 1, 40))
    branch = rng.integers(0, n_branches, (8, rows))
    branch[0] = 0  # all rows in one branch, the others empty
    weight = rng.integers(1, 4, rows).astype(np.float64)
    if numbers:
        value = rng.integers(-8, 9, rows) / 4.0
        each = np.stack([weight, weight * value, weight * value * value], axis=1)
    else:
        each = weight[:, np.newaxis] * np.eye(n_classes)[rng.integers(0, n_classes, rows)]
    return np.stack([[each[row == b].sum(axis=0) for b in range(n_branches)] for row in branch])


def _check_scores(criterion: Any, numbers: bool, rng: np.random.Generator) -> None:
    name = type(criterion).__name__
    branches = _statistics(numbers, rng)
    parent = branches[0].sum(axis=0)
    scores = _scores(criterion, parent, branches)
    _law((scores >= -_ROUNDING).all(), name, "a gain is never negative")
    _law(abs(scores[0]) <= _ROUNDING, name, "nothing is gained where all rows take one branch")
    tripled = _scores(criterion, 3 * parent, 3 * branches)
    _law(np.allclose(tripled, scores, rtol=1e-9, atol=_ROUNDING), name, "weights times three change no score")
    alike = np.array([[share * parent for share in (0.25, 0.75)]])
    _law(abs(_scores(criterion, parent, alike)[0]) <= _ROUNDING, name, "nothing is gained where branches are alike")
    if not numbers:
        pure = np.zeros_like(parent)
        pure[int(rng.integers(len(pure)))] = 8.0
        parted = np.array([[share * pure for share in (0.25, 0.75, 0.0)]])
        _law(abs(_scores(criterion, pure, parted)[0]) <= _ROUNDING, name, "nothing is gained at a pure node")
        if callable(getattr(criterion, "impurity", None)):
            mixed = np.stack([pure, np.full(len(pure), parent.sum() / len(pure)), parent])
            zero, equal, some = np.asarray(criterion.impurity(mixed), dtype=np.float64)
            _law(abs(zero) <= _ROUNDING, name, "the impurity of a pure node is zero")
            _law(some <= equal + _ROUNDING, name, "the impurity is largest at equal shares")


def _scores(criterion: Any, parent: Floats, branches: Floats) -> Floats:
    name = type(criterion).__name__
    with np.errstate(all="ignore"):
        scores = np.asarray(criterion.score(parent, branches), dtype=np.float64)
    _law(scores.shape == (len(branches),), name, "one score for each candidate")
    _law(np.isfinite(scores).all(), name, "scores are finite, of empty branches too")
    return scores


def _check_trees(estimator: Any, rng: np.random.Generator) -> None:
    rows = int(rng.integers(40, 80))
    x = rng.integers(0, 64, (rows, 2)) / 8.0
    signal = x[:, 0] + rng.normal(scale=2.0, size=rows)
    y = np.digitize(signal, [2.0, 5.0]) if is_classifier(estimator) else np.round(signal * 4) / 4
    fitted = clone(estimator).fit({"a": x[:, 0], "b": x[:, 1]}, y)
    name = str(fitted.tree_.criterion)
    for node in fitted.tree_:
        _law(node.impurity >= -_ROUNDING, name, "an impurity is never negative")
        if node.split is None:
            continue
        _law(node.split.gain >= -_ROUNDING, name, "a gain is never negative")
        if name == "entropy":
            _law(node.split.gain <= log2(len(node.children)) + _ROUNDING, name, "B branches tell at most log2 B bits")
    moved = clone(estimator).fit({"a": x[:, 0] * 4 + 16, "b": x[:, 1] * 4 + 16}, y)
    same = moved.apply({"a": x[:, 0] * 4 + 16, "b": x[:, 1] * 4 + 16}) == fitted.apply({"a": x[:, 0], "b": x[:, 1]})
    _law(same.all(), name, "tests do not depend on scale and offset")
    _check_root(fitted, name, x, y)
    _check_extremes(estimator, name, rng)


def _check_root(fitted: Any, name: str, x: Floats, y: Any) -> None:
    """The threshold at the root parts rows of different classes."""
    split = fitted.tree_.root.split
    if name not in _BETWEEN_CLASSES or split is None or split.kind != "threshold":
        return
    column = x[:, split.column_index]
    low, high = column[column <= split.threshold].max(), column[column > split.threshold].min()
    _law(len(np.unique(y[(column == low) | (column == high)])) > 1, name, "best thresholds part different classes")


def _check_extremes(estimator: Any, name: str, rng: np.random.Generator) -> None:
    """Zero when pure, largest at equal shares: of trees that are a root alone, because no column tells anything."""
    nothing = {"a": [0.0] * 24}
    if not is_classifier(estimator):
        root = clone(estimator).fit(nothing, [2.5] * 24).tree_.root
        _law(abs(root.impurity) <= _ROUNDING, name, "the impurity of equal values is zero")
        return
    if name in _WEIGH_COSTS:
        return
    pure = clone(estimator).fit(nothing, [1] * 24).tree_.root
    _law(abs(pure.impurity) <= _ROUNDING, name, "the impurity of a pure node is zero")
    equal = clone(estimator).fit(nothing, [0, 1, 2] * 8).tree_.root
    some = clone(estimator).fit(nothing, np.r_[0, 1, 2, rng.integers(0, 3, 21)]).tree_.root
    _law(some.impurity <= equal.impurity + _ROUNDING, name, "the impurity is largest at equal shares")
