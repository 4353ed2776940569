"""Importance by permutation: what shuffling costs, with its spread, and nothing for columns that are not asked."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.recipe import Surrogates


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    X.loc[::7, "a"] = np.nan
    X["job"] = rng.choice(["p", "q", "r"], 400)
    y = 3 * X["a"].fillna(0) + (X["job"] == "q") + rng.normal(size=400) / 5
    return X, y.to_numpy()


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_shuffling_by_hand_gives_the_same(table, loss):
    X, y = table
    model = bough.CARTRegressor().fit(X, y)
    frame = model.importance("permutation", as_frame=True, X=X, y=y, loss=loss, n_repeats=3, random_state=0)
    random = np.random.RandomState(0)
    apart = (lambda p: np.mean((y - p) ** 2)) if loss == "squared_error" else (lambda p: np.mean(np.abs(y - p)))
    expected = {name: [] for name in X}
    for _ in range(3):
        order = random.permutation(len(X))
        for name in X:
            shuffled = X.assign(**{name: X[name].to_numpy()[order]})
            expected[name].append(apart(model.predict(shuffled)) - apart(model.predict(X)))
    told = frame.set_index("column")
    for name, drops in expected.items():
        assert told.loc[name, "importance"] == pytest.approx(np.mean(drops))
        assert told.loc[name, "spread"] == pytest.approx(np.std(drops, ddof=1))
    assert frame["column"][0] == "a"
    assert frame["importance"].is_monotonic_decreasing


@pytest.mark.parametrize("loss", ["error", "brier", "log_loss"])
def test_classes(table, loss):
    X, y = table
    label = np.where(y > 0, "up", "down")
    model = bough.CARTClassifier().fit(X, label)
    frame = model.importance("permutation", as_frame=True, X=X, y=label, loss=loss, n_repeats=4, random_state=1)
    assert frame["column"][0] == "a"
    assert frame["importance"][0] > 0
    again = model.importance("permutation", as_frame=True, X=X, y=label, loss=loss, n_repeats=4, random_state=1)
    assert frame.equals(again)


def test_columns_that_are_not_asked_have_none(table):
    X, y = table
    model = bough.CARTRegressor(max_depth=1, missing=Surrogates(max_surrogates=0)).fit(X, y)
    told = model.importance("permutation", as_frame=True, X=X, y=y, random_state=0).set_index("column")
    assert (told.drop(index=list(model.tree_.columns_used)) == 0).all(axis=None)


def test_the_other_kinds_are_those_of_importance(table):
    X, y = table
    model = bough.CARTRegressor().fit(X, y)
    for kind in ("splits", "surrogates"):
        frame = model.importance(kind, as_frame=True)
        shares = dict(zip(model.schema_.names, model.importance(kind).tolist(), strict=True))
        assert dict(zip(frame["column"], frame["importance"], strict=True)) == shares
        assert (np.diff(frame["importance"]) <= 0).all()
        assert frame["spread"].isna().all()


def test_weights_and_unknown_classes_count(table):
    X, y = table
    label = np.where(y > 0, "up", "down")
    model = bough.CARTClassifier().fit(X, label)
    weights = np.r_[np.ones(200), np.zeros(200)]
    part = model.importance("permutation", as_frame=True, X=X, y=label, sample_weight=weights)
    assert len(part) == 5
    odd = model.importance("permutation", as_frame=True, X=X, y=["sideways"] * 400)
    assert (odd["importance"] == 0).all()


def test_wrong_uses_are_told(table):
    X, y = table
    model = bough.CARTRegressor().fit(X, y)
    with pytest.raises(bough.errors.ParameterError, match="kind"):
        model.importance("gini")
    with pytest.raises(bough.errors.ParameterError, match="give X and y"):
        model.importance("permutation")
    options = {"loss": "nonsense", "n_repeats": -5, "sample_weight": "x", "random_state": "y"}
    for name, value in options.items():
        for kind in ("splits", "surrogates"):
            with pytest.raises(bough.errors.ParameterError, match=f"leave out {name}, or"):
                model.importance(kind, **{name: value})
    with pytest.raises(bough.errors.ParameterError, match="follows from the tree"):
        model.importance("splits", X=X, y=y)
    with pytest.raises(bough.errors.ParameterError, match="loss"):
        model.importance("permutation", as_frame=True, X=X, y=y, loss="error")
    with pytest.raises(bough.errors.DataError, match="inconsistent"):
        model.importance("permutation", as_frame=True, X=X, y=y[:10])
