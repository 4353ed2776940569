"""Laws of criteria: what must hold for every one, built in or a user's, by its scores or by the trees grown with it."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from bough.errors import ParameterError
from bough.testing.tree_laws import ROUNDING, check_trees, law

__all__ = ["check_criterion"]

Floats = npt.NDArray[np.float64]

_COSTS = [[0, 1, 3], [1, 0, 1], [2, 1, 0]]  # of errors between the three classes of the random tables


def check_criterion(criterion: Any, *, numbers: bool = False, cases: int = 50, seed: int = 0) -> None:
    """Check that a criterion keeps the laws of criteria.

    By its scores: nothing is gained where a node is pure or all branches are alike, a gain is never negative, and all
    weights three times as large change nothing; an impurity is zero when pure and largest at equal shares. By trees:
    the same of their nodes, and tests do not depend on the scale and the offset of a column; a gain is the drop of the
    impurity (or what else the criterion is known to be), that of entropy no more than log2 B bits at B branches, and
    thresholds of Gini's impurity, of entropy and of misclassification part rows of different classes.

    Parameters
    ----------
    criterion : object with `score`, part of `bough.recipe`, or an estimator of bough that uses a criterion
        For an estimator, trees are grown on random tables. Those of `TreeClassifier` and `TreeRegressor` are grown with
        every branching that goes with the criterion, by both loops of the kernel, which must agree. A part such as
        `Entropy()` is checked in such an estimator, one that weighs costs with costs for three classes.
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
    >>> check_criterion(bough.recipe.Twoing(), cases=5)
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
    if hasattr(criterion, "slot"):
        criterion = _estimator_of(criterion)
    if hasattr(criterion, "fit"):
        check_trees(criterion, cases, rng)
        numbers, criterion = not is_classifier(criterion), getattr(criterion, "criterion", None)
        if not hasattr(criterion, "score"):
            return  # a criterion of the library's own
    for _ in range(cases):
        _check_scores(criterion, numbers, rng)


def _estimator_of(part: Any) -> Any:
    """An estimator that grows by a part alone; loaded by its name, because nothing here knows the library."""
    if part.slot != "criterion":
        raise ParameterError(f"{part!r} is no criterion: it answers the question of {part.slot}.")
    bough = importlib.import_module("bough")
    if "classes" not in part.tasks:
        return bough.TreeRegressor(criterion=part, stopping=None, pruning=None)
    leaf = bough.recipe.Bayes(costs=_COSTS) if part.weighs_costs else "majority"
    return bough.TreeClassifier(criterion=part, leaf=leaf, stopping=None, pruning=None)


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
    law((scores >= -ROUNDING).all(), name, "a gain is never negative")
    law(abs(scores[0]) <= ROUNDING, name, "nothing is gained where all rows take one branch")
    tripled = _scores(criterion, 3 * parent, 3 * branches)
    law(np.allclose(tripled, scores, rtol=1e-9, atol=ROUNDING), name, "weights times three change no score")
    alike = np.array([[share * parent for share in (0.25, 0.75)]])
    law(abs(_scores(criterion, parent, alike)[0]) <= ROUNDING, name, "nothing is gained where branches are alike")
    if not numbers:
        pure = np.zeros_like(parent)
        pure[int(rng.integers(len(pure)))] = 8.0
        parted = np.array([[share * pure for share in (0.25, 0.75, 0.0)]])
        law(abs(_scores(criterion, pure, parted)[0]) <= ROUNDING, name, "nothing is gained at a pure node")
        if callable(getattr(criterion, "impurity", None)):
            mixed = np.stack([pure, np.full(len(pure), parent.sum() / len(pure)), parent])
            zero, equal, some = np.asarray(criterion.impurity(mixed), dtype=np.float64)
            law(abs(zero) <= ROUNDING, name, "the impurity of a pure node is zero")
            law(some <= equal + ROUNDING, name, "the impurity is largest at equal shares")


def _scores(criterion: Any, parent: Floats, branches: Floats) -> Floats:
    name = type(criterion).__name__
    with np.errstate(all="ignore"):
        scores = np.asarray(criterion.score(parent, branches), dtype=np.float64)
    law(scores.shape == (len(branches),), name, "one score for each candidate")
    law(np.isfinite(scores).all(), name, "scores are finite, of empty branches too")
    return scores
