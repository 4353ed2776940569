"""Rules for numbers: best leaves and covering, what rules say, limits, weights, missing values."""

import pickle

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.errors import ParameterError
from bough.learn.training import read_training


def table(n=240, seed=0, missing=0.1):
    """Steps in a number and in levels, with noise that is not whole and values missing."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "z": random.normal(size=n).round(1)})
    frame["c"] = pd.Categorical.from_codes(random.integers(0, 3, n), list("abc"))
    y = 8.0 * (frame["x"] > 0.5) + 4.0 * (frame["c"] == "a") + random.integers(-8, 9, n) / 8.0
    frame.loc[random.random(n) < missing, "x"] = np.nan
    frame.loc[random.random(n) < missing, "c"] = None
    return frame, y.to_numpy()


@pytest.fixture
def data():
    return table()


def weighted_median(values, weights):
    """By counting: the values that have at most half of the weight on either side."""
    half = weights.sum() / 2
    good = [v for v in values if weights[values < v].sum() <= half and weights[values > v].sum() <= half]
    return (min(good) + max(good)) / 2


@pytest.mark.parametrize("method", ["leaf", "covering"])
@pytest.mark.parametrize("conclusion", ["mean", "median"])
def test_a_rule_says_the_mean_or_median_of_what_it_takes(data, method, conclusion):
    X, y = data
    weights = np.random.default_rng(3).integers(1, 4, len(y)).astype(float)
    reg = bough.RuleRegressor(method=method, conclusion=conclusion).fit(X, y, weights)
    rules = reg.rules_
    first = reg.apply(X)
    assert rules.n_rules > 0
    for number, said in enumerate([*(rule.says for rule in rules), rules.default]):
        own = first == number
        if own.any():
            wanted = np.average(y[own], weights=weights[own])
            wanted = wanted if conclusion == "mean" else weighted_median(y[own], weights[own])
            assert said == pytest.approx(wanted)
    assert (reg.predict(X) == np.array([*(rule.says for rule in rules), rules.default])[first]).all()


@pytest.mark.parametrize("method", ["leaf", "covering"])
def test_steps_are_found(method):
    X, y = table(600, missing=0.0)
    reg = bough.RuleRegressor(method=method).fit(X, y)
    new, truth = table(600, seed=1, missing=0.0)
    assert reg.score(new, truth) > 0.9


def test_the_first_rule_is_the_leaf_of_largest_gain(data):
    X, y = data
    tree = bough.CARTRegressor(pruning=0.01)
    reg = bough.RuleRegressor(tree=tree, max_rules=1).fit(X, y)
    grown = tree.fit(X, y).tree_
    covered = grown.rules(missing="known").covers(X)
    gains = [own.sum() * (y[own].mean() - y.mean()) ** 2 for own in covered.T]
    best = covered[:, int(np.argmax(gains))]
    assert (reg.rules_.covers(X)[:, 0] == best).all()


def test_the_kernel_finds_the_literal_that_lowers_the_squared_error_most(budget):
    random = np.random.default_rng(4)
    for _ in range(int(40 * budget) + 1):
        X, y = table(int(random.integers(8, 60)), seed=int(random.integers(1e6)), missing=0.2)
        weights = random.integers(1, 4, len(y)).astype(float)
        asks = np.array([1, 1, 1, 1, 0, 0], dtype=np.uint8)
        options = {"width": 1, "steps": 1, "min_weight": 2.0, "asks": asks}
        found = _core.find_value_rule(read_training(X, weights).ranked(1), y, weights, options)
        best = 0.0
        for name in ("x", "z"):
            values = np.unique(X[name].dropna())
            for cut in (values[1:] + values[:-1]) / 2:
                best = max(best, *(drop(own, y, weights) for own in (X[name] <= cut, X[name] > cut)))
        for level in "abc":
            known = X["c"].notna()
            best = max(best, *(drop(own, y, weights) for own in ((X["c"] == level), known & (X["c"] != level))))
        assert (found["quality"] if found else 0.0) == pytest.approx(best)


def drop(own, y, weights):
    """What the squared error falls by if some rows are told apart from the rest."""
    own = np.asarray(own, dtype=bool)
    if weights[own].sum() < 2 or own.all():
        return 0.0
    inside, outside = (np.average(y[rows], weights=weights[rows]) for rows in (own, ~own))
    n1, n2 = weights[own].sum(), weights[~own].sum()
    return n1 * n2 / (n1 + n2) * (inside - outside) ** 2


@pytest.mark.parametrize("method", ["leaf", "covering"])
def test_limits_hold_in_the_result(data, method):
    X, y = data
    reg = bough.RuleRegressor(method=method, min_weight=20.0, max_literals=1, max_rules=3).fit(X, y)
    assert 0 < reg.rules_.n_rules <= 3
    assert max(rule.size for rule in reg.rules_) == 1
    assert np.bincount(reg.apply(X), minlength=reg.rules_.n_rules)[: reg.rules_.n_rules].min() >= 20


def test_rows_three_times_are_weight_three(data):
    X, y = data  # sums are exact: the noise is in eighths
    once = bough.RuleRegressor().fit(X, y, np.full(len(y), 3))
    thrice = bough.RuleRegressor().fit(pd.concat([X] * 3, ignore_index=True), np.tile(y, 3))
    assert [rule.body() for rule in once.rules_] == [rule.body() for rule in thrice.rules_]
    assert once.predict(X) == pytest.approx(thrice.predict(X))


def test_rows_three_times_are_weight_three_with_the_rows_kept_back_given(data):
    X, y = data
    kept = np.arange(len(y)) % 3 == 0
    once = bough.RuleRegressor(method="covering", holdout=kept).fit(X, y, np.full(len(y), 3))
    again = bough.RuleRegressor(method="covering", holdout=np.tile(kept, 3))
    again.fit(pd.concat([X] * 3, ignore_index=True), np.tile(y, 3))
    assert [rule.body() for rule in once.rules_] == [rule.body() for rule in again.rules_]
    assert once.predict(X) == pytest.approx(again.predict(X))


def test_rows_of_weight_zero_take_no_part(data):
    X, y = data
    weights = (np.arange(len(y)) % 4 > 0).astype(float)
    for method in ("leaf", "covering"):
        some = bough.RuleRegressor(method=method).fit(X, y, weights)
        fewer = bough.RuleRegressor(method=method).fit(X[weights > 0], y[weights > 0])
        assert [rule.body() for rule in some.rules_] == [rule.body() for rule in fewer.rules_]


def test_missing_values_get_the_default_where_every_rule_asks(data):
    X, y = data
    reg = bough.RuleRegressor().fit(X, y)
    nothing = pd.DataFrame({"x": [np.nan], "z": [np.nan], "c": pd.Categorical([None], categories=list("abc"))})
    assert reg.predict(nothing).tolist() == [reg.rules_.default]


def test_a_constant_has_no_rule():
    reg = bough.RuleRegressor().fit({"x": np.arange(50.0)}, np.full(50, 2.5))
    assert (reg.rules_.n_rules, reg.rules_.default) == (0, 2.5)


def test_threads_change_nothing_and_it_pickles(data):
    X, y = data
    for method in ("leaf", "covering"):
        reg = bough.RuleRegressor(method=method).fit(X, y)
        assert str(bough.RuleRegressor(method=method, n_jobs=3).fit(X, y).rules_) == str(reg.rules_)
        assert (pickle.loads(pickle.dumps(reg)).predict(X) == reg.predict(X)).all()


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"method": "tree"}, "method must be one of"),
        ({"conclusion": "mode"}, "conclusion must be one of"),
        ({"tree": bough.CARTClassifier()}, "tree must be a tree regressor"),
        ({"tree": bough.CARTRegressor(), "method": "covering"}, "for method='leaf'"),
        ({"max_rules": 0}, "max_rules must be"),
        ({"min_weight": float("nan")}, "min_weight must be"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(data, params, match):
    with pytest.raises(ParameterError, match=match):
        bough.RuleRegressor(**params).fit(*data)
