"""The table that textbooks print: every column's test at a node, under every criterion."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn.utils.validation import check_is_fitted

from bough.errors import DataError, ParameterError
from bough.learn.target import check_lengths, read_classes
from bough.learn.training import read_training
from bough.model.frame import as_frame
from bough.recipe.parameters import choice
from bough.table import Column, missing_rows

__all__ = ["candidates"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

CRITERIA = ("gain", "gain_ratio", "gini", "misclassification", "twoing", "chi_squared")


def candidates(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    criterion: str = "all",
    model: Any = None,
    node: Any = None,
    cuts: str = "best",
    categorical_features: Any = "from_dtype",
    ordered_features: Any = None,
) -> Any:
    """Judge the tests of every column at the root, or at a node of a fitted tree.

    Nominal columns are tested with one branch a level, numeric and ordered ones at thresholds between their values.
    Tests are judged on the rows whose value is known; drops of impurity are multiplied by their share.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
        Classes.
    sample_weight : array of shape (n_rows,), optional
    criterion : {"all", "gain", "gain_ratio", "gini", "misclassification", "twoing", "chi_squared"}, default="all"
        With a name the best test comes first, and thresholds are the best by it. With "all" the columns keep their
        order, and a column has a row for every threshold that is the best by some criterion.
    model : fitted estimator, optional
        Whose node is meant; rows of `X` count that it sends there.
    node : int or tuple, optional
        Its number, or the branches that lead to it; the root by default.
    cuts : {"best", "all"}, default="best"
        Thresholds: the best of each column, or all.
    categorical_features, ordered_features
        As the estimators take them; with a model its own.

    Returns
    -------
    DataFrame
        One row a test: `column`, `test`, `threshold` (NaN for levels), `branches`, `known` (share of the weight with a
        value), `gain` (bits), `intrinsic_value` (bits; missing values are one more branch), `gain_ratio`, `gini`
        (drop), `gini_after` (of the branches), `misclassification` (drop), `twoing` (NaN for more than two branches),
        `chi_squared` (Pearson's, of branches and classes), `p_value`, `association` (share of the jointly known weight
        that it parts as the test of two branches with the largest gain does; NaN for more branches) and `best_by`.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("play_tennis").xy()
    >>> table = bough.candidates(X, y)
    >>> [round(gain, 3) for gain in table["gain"]]
    [0.247, 0.029, 0.152, 0.048]
    """
    choice("criterion", criterion, ["all", *CRITERIA])
    choice("cuts", cuts, ["best", "all"])
    if model is not None:
        categorical_features = getattr(model, "categorical_features", categorical_features)
        ordered_features = getattr(model, "ordered_features", ordered_features)
    training = read_training(
        X, sample_weight, categorical_features=categorical_features, ordered_features=ordered_features
    )
    classes = read_classes(y)
    check_lengths(training.table.n_rows, classes.codes)
    weights = np.ones(training.table.n_rows) if training.weights is None else training.weights
    weights = np.where(_at_node(model, node, X, len(weights)), weights, 0.0)
    if not weights.any():
        raise DataError("no row of positive weight is at the node.")
    found: list[dict[str, Any]] = []
    sides: list[Array | None] = []
    for column, encoded in zip(training.table.schema, training.table.columns, strict=True):
        known = ~missing_rows(encoded) & (weights > 0)
        values = np.asarray(encoded.data)
        if known.any():
            counted = (classes.codes, weights, len(classes.labels))
            for test, side in _tests(column, values, known, *counted, criterion, cuts):
                found.append(test)
                sides.append(side)
    _associate(found, sides, weights)
    if criterion != "all":
        found.sort(key=lambda test: -np.nan_to_num(test[criterion], nan=-np.inf))
    names = list(found[0]) if found else []
    return as_frame({name: [test[name] for test in found] for name in names})


def measures(branches: Floats, weight: float) -> dict[str, Floats]:
    """Judge tests by their class counts.

    Parameters
    ----------
    branches : ndarray of shape (n_tests, n_branches, n_classes)
        Weight of each class in each branch.
    weight : float
        Of all rows of the node, those without a value included.

    Returns
    -------
    dict of ndarrays of shape (n_tests,)
    """
    sizes = branches.sum(axis=2)
    whole = branches.sum(axis=1)
    known = sizes.sum(axis=1)
    share = known / weight

    def drop(impurity: Any) -> Floats:
        after = (sizes / known[:, np.newaxis] * impurity(branches)).sum(axis=1)
        return np.asarray(np.maximum(impurity(whole) - after, 0.0) * share)

    gain = drop(_entropy)
    sent = np.concatenate([sizes, (weight - known)[:, np.newaxis]], axis=1)
    intrinsic = _entropy(sent)
    expected = sizes[:, :, np.newaxis] * whole[:, np.newaxis, :] / known[:, np.newaxis, np.newaxis]
    off = np.divide((branches - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    chi_squared = off.sum(axis=(1, 2))
    freedom = ((sizes > 0).sum(axis=1) - 1) * ((whole > 0).sum(axis=1) - 1)
    twoing = np.full(len(branches), np.nan)
    if branches.shape[1] == 2:
        shares = _shares(branches)
        apart = np.abs(shares[:, 0] - shares[:, 1]).sum(axis=1)
        twoing = sizes[:, 0] * sizes[:, 1] / known**2 / 4 * apart**2 * share
    return {
        "known": share,
        "gain": gain,
        "intrinsic_value": intrinsic,
        "gain_ratio": np.divide(gain, intrinsic, out=np.zeros_like(gain), where=intrinsic > 1e-12),
        "gini": drop(_gini),
        "gini_after": (sizes / known[:, np.newaxis] * _gini(branches)).sum(axis=1),
        "misclassification": drop(_misclassification),
        "twoing": twoing,
        "chi_squared": chi_squared,
        "p_value": np.where(freedom > 0, stats.chi2.sf(chi_squared, np.maximum(freedom, 1)), 1.0),
    }


def _at_node(model: Any, node: Any, X: Any, n_rows: int) -> npt.NDArray[np.bool_]:
    """Which rows are at the node."""
    if node is None:
        return np.ones(n_rows, dtype=bool)
    if model is None:
        raise ParameterError("node= needs the model= that it belongs to.")
    check_is_fitted(model)
    number = model.tree_.node(node).id
    return np.asarray(model.decision_path(X)[:, [number]].toarray()[:, 0] > 0)


def _tests(
    column: Column,
    values: Array,
    known: npt.NDArray[np.bool_],
    codes: Array,
    weights: Floats,
    n_classes: int,
    criterion: str,
    cuts: str,
) -> list[tuple[dict[str, Any], Array | None]]:
    """The tests of one column, each with the side of every row (-1 where unknown) if it has two."""
    levels, place = np.unique(values[known], return_inverse=True)
    if len(levels) < 2:
        return []
    counts = np.zeros((len(levels), n_classes))
    np.add.at(counts, (place, codes[known]), weights[known])
    total = float(weights.sum())
    if column.kind == "nominal":
        found = measures(counts[np.newaxis], total)
        side = np.where(known, np.searchsorted(levels, values), -1) if len(levels) == 2 else None
        by = ", ".join(name for name in CRITERIA if not np.isnan(found[name][0]))
        return [(_row(column, None, len(levels), found, 0, by), side)]
    low = np.cumsum(counts, axis=0)[:-1]
    found = measures(np.stack([low, counts.sum(axis=0) - low], axis=1), total)
    best = {name: int(np.nanargmax(found[name])) for name in CRITERIA}
    if cuts == "all":
        chosen = list(range(len(levels) - 1))
    else:
        chosen = sorted(set(best.values())) if criterion == "all" else [best[criterion]]
    rows: list[tuple[dict[str, Any], Array | None]] = []
    for cut in chosen:
        by = ", ".join(name for name in CRITERIA if best[name] == cut)
        side = np.where(known, (values > levels[cut]).astype(np.int64), -1)
        rows.append((_row(column, _middle(column, levels[cut], levels[cut + 1]), 2, found, cut, by), side))
    return rows


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


def _associate(found: list[dict[str, Any]], sides: list[Array | None], weights: Floats) -> None:
    """How far each test of two branches parts the rows as the one of the largest gain does."""
    two = [place for place, side in enumerate(sides) if side is not None]
    if not two:
        return
    best = sides[max(two, key=lambda place: found[place]["gain"])]
    for place in two:
        side = sides[place]
        joint = (np.asarray(side) >= 0) & (np.asarray(best) >= 0)
        mass = weights[joint].sum()
        same = weights[joint & (np.asarray(side) == best)].sum()
        found[place]["association"] = float(max(same, mass - same) / mass) if mass > 0 else np.nan


def _shares(counts: Floats) -> Floats:
    sums = counts.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0))


def _entropy(counts: Floats) -> Floats:
    shares = _shares(counts)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=-1))


def _gini(counts: Floats) -> Floats:
    return np.asarray(np.where(counts.sum(axis=-1) > 0, 1.0 - (_shares(counts) ** 2).sum(axis=-1), 0.0))


def _misclassification(counts: Floats) -> Floats:
    return np.asarray(np.where(counts.sum(axis=-1) > 0, 1.0 - _shares(counts).max(axis=-1), 0.0))
