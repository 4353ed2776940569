"""Monotone constraints hold for every case, not only for the training rows: checked by brute force on grids."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from bough import CARTClassifier, CARTRegressor
from bough.errors import ParameterError
from bough.recipe import CrossValidated, Surrogates

GROWN = {"pruning": None, "min_samples_split": 4, "min_samples_leaf": 2}
MODELS = [
    (CARTClassifier, {"criterion": "gini"}),
    (CARTClassifier, {"criterion": "entropy", "priors": [0.2, 0.8]}),
    (CARTClassifier, {"criterion": "misclassification"}),
    (CARTClassifier, {"criterion": "twoing", "costs": {(0, 1): 3}}),
    (CARTRegressor, {"criterion": "squared_error"}),
    (CARTRegressor, {"criterion": "absolute_error"}),
]
POLICIES = [
    {"missing": "surrogates"},
    {"missing": Surrogates(fallback="stop", filter=False)},
    {"missing": "majority_branch"},
    {"missing": "stop"},
]


def table(seed, kind, missing, n=120):
    """Numbers of few values, an ordered and a nominal column; the target depends on all of them, with much noise."""
    rng = np.random.default_rng(seed)
    up, down, free = (rng.integers(0, 7, n).astype(float) for _ in range(3))
    up += 0.5 * free + rng.integers(0, 2, n)  # columns that lean on each other make good surrogates
    size = pd.Categorical.from_codes(rng.integers(0, 4, n), ["S", "M", "L", "XL"], ordered=True)
    town = rng.choice(["a", "b", "c"], n)
    X = pd.DataFrame({"up": up.round(), "down": down, "free": free, "size": size, "town": town})
    signal = X["up"] - X["down"] + 2 * np.sin(3 * free) + size.codes + (town == "b") + 2 * rng.normal(size=n)
    X = X.mask(rng.random(X.shape) < missing)
    y = (signal > signal.median()).to_numpy() if kind is CARTClassifier else signal.to_numpy()
    return X, y


def violations(answer, X, constraints, hide):
    """Over a grid of all values, some of them missing: pairs of neighbours whose answers step the wrong way."""
    values = {name: sorted(X[name].dropna().unique().tolist()) for name in X.columns if name != "size"}
    values["size"] = ["S", "M", "L", "XL"]
    for name in hide:
        values[name] = [None]
    names = list(X.columns)
    grid = pd.DataFrame(list(product(*(values[name] for name in names))), columns=names)
    grid = grid.astype(dict.fromkeys(("up", "down", "free"), float))
    grid["size"] = pd.Categorical(grid["size"], categories=["S", "M", "L", "XL"], ordered=True)
    found = answer(grid).reshape([len(values[name]) for name in names])
    wrong = 0
    for name, direction in constraints.items():
        steps = np.diff(found, axis=names.index(name)) * direction
        wrong += int((steps < -1e-12).sum())
    return wrong


CONSTRAINTS = {"up": 1, "down": -1, "size": 1}


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize(("kind", "parameters"), MODELS, ids=str)
def test_answers_move_only_as_promised(kind, parameters, policy, budget):
    for seed in range(round(4 * budget)):
        for missing in (0.0, 0.15):
            X, y = table(seed, kind, missing)
            fitted = kind(**GROWN, **parameters, **policy, monotonic_cst=CONSTRAINTS).fit(X, y)
            answer = fitted.predict if kind is CARTRegressor else lambda grid, f=fitted: f.predict_proba(grid)[:, 1]
            for hide in [(), ("free",), ("town",), ("up",), ("size", "free")]:
                kept = {name: direction for name, direction in CONSTRAINTS.items() if name not in hide}
                assert violations(answer, X, kept, hide) == 0, (seed, missing, hide)


def test_without_constraints_the_same_tables_break_the_promise():
    """Else the test above would prove nothing."""
    X, y = table(0, CARTRegressor, 0.0)
    fitted = CARTRegressor(**GROWN).fit(X, y)
    assert violations(fitted.predict, X, CONSTRAINTS, ()) > 100


def test_constraints_leave_a_tree_that_still_learns():
    X, y = table(0, CARTRegressor, 0.0)
    free = CARTRegressor(**GROWN).fit(X, y)
    bound = CARTRegressor(**GROWN, monotonic_cst=CONSTRAINTS).fit(X, y)
    assert 0.6 < bound.score(X, y) < free.score(X, y)


@pytest.mark.parametrize("given", [[1, -1, 0, 1, 0], np.array([1, -1, 0, 1, 0]), {"size": 1, "up": 1, "down": -1}])
def test_constraints_by_position_or_by_name(given):
    X, y = table(1, CARTRegressor, 0.0)
    one = CARTRegressor(**GROWN, monotonic_cst=given).fit(X, y)
    other = CARTRegressor(**GROWN, monotonic_cst=CONSTRAINTS).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_constraints_of_zero_change_nothing():
    X, y = table(1, CARTClassifier, 0.1)
    one = CARTClassifier(**GROWN, monotonic_cst=[0] * 5).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), CARTClassifier(**GROWN).fit(X, y).predict_proba(X))


def test_pruned_trees_keep_the_promise():
    X, y = table(2, CARTRegressor, 0.1)
    for pruning in (0.005, 0.02, CrossValidated(cv=4)):
        fitted = CARTRegressor(**{**GROWN, "pruning": pruning}, monotonic_cst=CONSTRAINTS).fit(X, y)
        assert violations(fitted.predict, X, CONSTRAINTS, ()) == 0
    fitted = CARTRegressor(**GROWN, max_leaf_nodes=12, monotonic_cst=CONSTRAINTS).fit(X, y)
    assert violations(fitted.predict, X, CONSTRAINTS, ()) == 0


def test_what_cannot_be_promised_is_refused():
    X, y = table(0, CARTRegressor, 0.0)
    with pytest.raises(ParameterError, match="'town', whose levels have no order"):
        CARTRegressor(monotonic_cst={"town": 1}).fit(X, y)
    with pytest.raises(ParameterError, match="needs criterion 'squared_error' or 'absolute_error'"):
        CARTRegressor(criterion="worst_error", monotonic_cst=CONSTRAINTS).fit(X, y)
    with pytest.raises(ParameterError, match="two classes; y has 3"):
        CARTClassifier(monotonic_cst=CONSTRAINTS).fit(X, np.digitize(y, [0, 2]))
    with pytest.raises(ParameterError, match="-1, 0 or 1"):
        CARTRegressor(monotonic_cst={"up": 2}).fit(X, y)
    with pytest.raises(ParameterError, match="'height', which X does not have"):
        CARTRegressor(monotonic_cst={"height": 1}).fit(X, y)
    with pytest.raises(ParameterError, match="each of the 5 columns"):
        CARTRegressor(monotonic_cst=[1, 1]).fit(X, y)
