"""The table that textbooks print: every column's test at a node, under every criterion."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough.errors import DataError, ParameterError
from bough.learn.candidate_scores import CLASS_CRITERIA, NUMBER_CRITERIA, ClassScores, NumberScores, Scores
from bough.learn.target import check_lengths, check_range, read_classes, read_numbers
from bough.learn.training import read_training
from bough.model.frame import as_frame
from bough.recipe.parameters import choice, flag
from bough.table import Column, missing_rows

__all__ = ["CRITERIA", "candidates"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CRITERIA = (*CLASS_CRITERIA, *NUMBER_CRITERIA)
_TASKS = ("auto", "classification", "regression")


def candidates(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    criterion: str = "all",
    task: str = "auto",
    model: Any = None,
    node: Any = None,
    cuts: str = "best",
    discount: bool = True,
    categorical_features: Any = "from_dtype",
    ordered_features: Any = None,
) -> Any:
    """Judge the tests of every column at the root, or at a node of a fitted tree.

    Nominal columns are tested with one branch a level, numeric and ordered ones at thresholds between their values.
    Tests are judged on the rows whose value is known.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
        Classes, or numbers to predict.
    sample_weight : array of shape (n_rows,), optional
    criterion : str, default="all"
        For classes "gain", "gain_ratio", "gini", "misclassification", "twoing" or "chi_squared", for numbers
        "squared_error", "absolute_error" or "worst_error". With a name the best test comes first, and thresholds are
        the best by it. With "all" the columns keep their order, and a column has a row for every threshold that is the
        best by some criterion.
    task : {"auto", "classification", "regression"}, default="auto"
        What y holds. With "auto" the model or the criterion says so; else numbers with decimals are numbers, and all
        others classes.
    model : fitted estimator, optional
        Whose node is meant; rows of `X` count that it sends there.
    node : int or tuple, optional
        Its number, or the branches that lead to it; the root by default.
    cuts : {"best", "all"}, default="best"
        Thresholds: the best of each column, or all.
    discount : bool, default=True
        Multiply what a test gains by the share of the weight whose value is known (C4.5).
    categorical_features, ordered_features
        As the estimators take them; with a model its own.

    Returns
    -------
    DataFrame
        One row a test: `column`, `test`, `threshold` (NaN for levels), `branches`, `known` (share of the weight with a
        value); for classes `gain` (bits), `intrinsic_value` (bits; missing values are one more branch), `gain_ratio`,
        `gini` (drop), `gini_after` (of the branches), `misclassification` (drop), `twoing` (NaN for more than two
        branches), `chi_squared` (Pearson's, of branches and classes); for numbers `squared_error` (drop of the mean
        square), `absolute_error` (drop of the mean distance from the median), `worst_error` (drop of the largest
        distance from the mean; below 0 where it rises), each with what it is after the split (`squared_error_after`,
        ...), and `f_value` (Fisher's, between the branches); then `p_value`, `association` (share of the jointly known
        weight that it parts as the test of two branches with the largest gain or drop of squared error does; NaN for
        more branches) and `best_by`.

    Notes
    -----
    Memory grows with the rows, whatever the number of thresholds.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("play_tennis").xy()
    >>> table = bough.candidates(X, y)
    >>> [round(gain, 3) for gain in table["gain"]]
    [0.247, 0.029, 0.152, 0.048]
    >>> table = bough.candidates({"x": [1, 2, 3, 4]}, [1.5, 1.5, 4.5, 6.5], criterion="squared_error")
    >>> float(table["threshold"][0]), float(table["squared_error"][0]), float(table["squared_error_after"][0])
    (2.5, 4.0, 0.5)
    """
    choice("criterion", criterion, ["all", *CRITERIA])
    choice("cuts", cuts, ["best", "all"])
    flag("discount", discount)
    if model is not None:
        categorical_features = getattr(model, "categorical_features", categorical_features)
        ordered_features = getattr(model, "ordered_features", ordered_features)
    training = read_training(
        X, sample_weight, categorical_features=categorical_features, ordered_features=ordered_features
    )
    numbers = _predicts_numbers(y, criterion, task, model)
    if criterion != "all" and numbers != (criterion in NUMBER_CRITERIA):
        known = ", ".join(NUMBER_CRITERIA if numbers else CLASS_CRITERIA)
        held = "numbers" if numbers else "classes"
        raise ParameterError(f"criterion {criterion!r} is not for {held}, which y holds here: choose one of {known}.")
    weights = np.ones(training.table.n_rows) if training.weights is None else training.weights
    target = read_numbers(y) if numbers else read_classes(y)
    check_lengths(training.table.n_rows, target if isinstance(target, np.ndarray) else target.codes)
    weights = np.where(_at_node(model, node, X, len(weights)), weights, 0.0)
    if not weights.any():
        raise DataError("no row of positive weight is at the node.")
    scores: Scores
    if isinstance(target, np.ndarray):
        check_range(target, weights, squares=True)
        scores = NumberScores(target, weights, discount=discount)
    else:
        scores = ClassScores(target.codes, len(target.labels), weights, discount=discount)
    judged = [
        _judge(column, np.asarray(encoded.data), ~missing_rows(encoded) & (weights > 0), scores, criterion, cuts)
        for column, encoded in zip(training.table.schema, training.table.columns, strict=True)
    ]
    _associate([column for column in judged if column.found], weights, scores.criteria[0])
    found = [row for column in judged for row in column.found]
    if criterion != "all":
        found.sort(key=lambda test: -np.nan_to_num(test[criterion], nan=-np.inf))
    names = list(found[0]) if found else []
    return as_frame({name: [test[name] for test in found] for name in names})


def _predicts_numbers(y: Any, criterion: str, task: str, model: Any) -> bool:
    """Whether y holds numbers to predict."""
    choice("task", task, list(_TASKS))
    if model is not None:
        check_is_fitted(model)
        numbers = model.tree_.classes is None
        if task != "auto" and numbers != (task == "regression"):
            raise ParameterError(f"task={task!r} is not what the model was fitted for: leave it out.")
        return bool(numbers)
    if task != "auto":
        return task == "regression"
    if criterion != "all":
        return criterion in NUMBER_CRITERIA
    values = np.asarray(y)
    return values.dtype.kind == "f" and bool((values != np.floor(values)).any())


def _at_node(model: Any, node: Any, X: Any, n_rows: int) -> npt.NDArray[np.bool_]:
    """Which rows are at the node."""
    if node is None:
        return np.ones(n_rows, dtype=bool)
    if model is None:
        raise ParameterError("node= needs the model= that it belongs to.")
    check_is_fitted(model)
    number = model.tree_.node(node).id
    return np.asarray(model.decision_path(X)[:, [number]].toarray()[:, 0] > 0)


@dataclass(frozen=True)
class _Judged:
    """The tests of one column: rows of the table, and how many of its values lie below each threshold."""

    found: list[dict[str, Any]]
    below: list[int]
    place: Ints  # of the value of each row, -1 where it is not known
    two: bool  # whether its tests have two branches

    def side(self, test: int) -> Ints:
        """The branch of each row by one of the tests."""
        return np.where(self.place < 0, -1, (self.place >= self.below[test]).astype(np.int64))


def _judge(
    column: Column, values: Array, known: npt.NDArray[np.bool_], scores: Scores, criterion: str, cuts: str
) -> _Judged:
    place = np.full(len(values), -1)
    rows = np.flatnonzero(known)
    levels, place[rows] = np.unique(values[rows], return_inverse=True)
    if len(levels) < 2:
        return _Judged([], [], place, two=False)
    if column.kind == "nominal":
        found = scores.levels(rows, place[rows])
        by = ", ".join(name for name in scores.criteria if not np.isnan(found[name][0]))
        return _Judged([_row(column, None, len(levels), found, 0, by)], [1], place, two=len(levels) == 2)
    found = scores.thresholds(rows, place[rows])
    best = {name: int(np.nanargmax(found[name])) for name in scores.criteria}
    if cuts == "all":
        chosen = list(range(len(levels) - 1))
    else:
        chosen = sorted(set(best.values())) if criterion == "all" else [best[criterion]]
    tests = []
    for cut in chosen:
        by = ", ".join(name for name in scores.criteria if best[name] == cut)
        tests.append(_row(column, _middle(column, levels[cut], levels[cut + 1]), 2, found, cut, by))
    return _Judged(tests, [cut + 1 for cut in chosen], place, two=True)


def _row(
    column: Column, threshold: Any, branches: int, found: dict[str, Floats], place: int, best_by: str
) -> dict[str, Any]:
    return {
        "column": column.name,
        "test": "levels" if threshold is None else "threshold",
        "threshold": np.nan if threshold is None else threshold,
        "branches": branches,
        **{name: float(values[place]) for name, values in found.items()},
        "association": np.nan,
        "best_by": best_by,
    }


def _middle(column: Column, low: Any, high: Any) -> float:
    """Between two values; of ordered levels the number of the lower one."""
    return float(low) if column.kind == "ordered" else float(low) / 2 + float(high) / 2


def _associate(judged: list[_Judged], weights: Floats, criterion: str) -> None:
    """How far each test of two branches parts the rows as the best one by a criterion does."""
    two = [(column, test) for column in judged if column.two for test in range(len(column.found))]
    if not two:
        return
    best = max(two, key=lambda pair: pair[0].found[pair[1]][criterion])
    side = best[0].side(best[1])
    for column in judged:
        if not column.two:
            continue
        joint = np.flatnonzero((column.place >= 0) & (side >= 0))
        if not weights[joint].any():
            continue
        # By value of the column and side of the best test: the weight; thresholds need the sums below them alone.
        cell = column.place[joint] * 2 + side[joint]
        size = int(column.place.max()) + 1
        low, high = np.cumsum(np.bincount(cell, weights[joint], 2 * size).reshape(size, 2), axis=0).T
        mass = low[-1] + high[-1]
        for test, below in zip(column.found, column.below, strict=True):
            same = low[below - 1] + high[-1] - high[below - 1]
            test["association"] = float(max(same, mass - same) / mass)
