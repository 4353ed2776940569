"""Quantiles, intervals and standard errors of regression forests."""

import numpy as np
import pytest

import bough
from bough.errors import DataWarning, ParameterError


def friedman(n, seed):
    return bough.datasets.make_friedman1(n, random_state=seed).xy()


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(3)
    X = {"a": rng.normal(size=300), "b": rng.choice(["x", "y", "z"], 300).tolist()}
    X["a"][::17] = np.nan
    y = np.round(np.nan_to_num(X["a"]) + rng.normal(size=300), 1)
    counts = rng.multinomial(300, np.full(300, 1 / 300), size=20)
    weights = rng.integers(0, 4, 300)
    reg = bough.RandomForestRegressor(n_estimators=20, sampling=counts, min_samples_leaf=6, keep_rows=True)
    return reg.fit(X, y, weights), X, y, counts * weights


def weights_of(reg, X, counts):
    """By row and training row, from the definition."""
    leaves = reg.apply(X)
    same = leaves[:, None, :] == leaves[None, :, :]
    held = same * counts.T[None, :, :]
    return (held / held.sum(axis=1, keepdims=True)).mean(axis=2)


def test_quantiles_are_those_of_the_weights_in_the_leaves(fitted):
    reg, X, y, counts = fitted
    weights = weights_of(reg, X, counts)
    assert np.allclose(weights @ y, reg.predict(X))
    shares = [0.9, 0.0, 0.25, 1.0, 0.5]
    found = reg.predict_quantiles(X, shares)
    order = np.argsort(y, kind="stable")
    for row in range(0, 300, 7):
        mass = np.cumsum(weights[row, order])
        for place, share in enumerate(shares):
            at = np.flatnonzero((mass >= share - 1e-9) & (weights[row, order] > 0))[0]
            assert found[row, place] == y[order][at]
    assert np.array_equal(reg.predict_quantiles(X, 0.25), found[:, 2])


def test_quantiles_by_sorting_and_by_spreading_agree_on_any_number_of_threads():
    X, y = friedman(3000, 0)
    fresh = friedman(1500, 1)[0]
    for leaf in (1, 300):  # few members, and most rows
        reg = bough.RandomForestRegressor(n_estimators=8, min_samples_leaf=leaf, n_jobs=1).fit(X, y)
        rows = reg.leaf_rows(X, y)
        one = reg.predict_quantiles(fresh, leaf_rows=rows)
        assert np.array_equal(one, reg.set_params(n_jobs=2).predict_quantiles(fresh, leaf_rows=rows))
        counts = np.array([rows.member[1::2][rows.tree[t] : rows.tree[t + 1]].sum() for t in range(8)])
        assert (counts == 3000).all()
        leaves, own = reg.apply(fresh), reg.apply(X)
        inside = (own == leaves[0]).any(axis=1)
        assert set(one[0]) <= set(np.asarray(y)[inside])


def test_intervals_from_out_of_bag_errors_cover_new_rows():
    X, y = friedman(1500, 0)
    reg = bough.RandomForestRegressor(n_estimators=150, oob_score=True).fit(X, y)
    fresh, truth = friedman(4000, 1)
    interval = reg.predict_interval(fresh, coverage=0.9)
    covered = np.mean((interval[:, 0] <= truth) & (truth <= interval[:, 1]))
    assert 0.88 <= covered <= 0.92
    again = reg.predict_interval(fresh, 0.9, out_of_bag=reg.out_of_bag(X, y))
    assert np.array_equal(interval, again)
    assert (np.diff(reg.predict_interval(fresh, 0.5)) < np.diff(interval)).all()


def test_standard_error_is_the_jackknife_of_the_counts():
    X, y = friedman(200, 0)
    reg = bough.RandomForestRegressor(n_estimators=400, keep_rows=True).fit(X, y)
    fresh = friedman(20, 1)[0]
    said = np.array(list(reg.forest_.said(fresh)))
    counts = np.zeros((400, 200))
    rows = reg.leaf_rows_
    for tree in range(400):
        part = rows.member[2 * int(rows.tree[tree]) : 2 * int(rows.tree[tree + 1])].reshape(-1, 2)
        counts[tree, part[:, 0]] = part[:, 1]
    off = said - said.mean(axis=0)
    covariance = (counts - counts.mean(axis=0)).T @ off / 400
    expected = (covariance**2).sum(axis=0) - counts.var(axis=0).sum() * said.var(axis=0) / 400
    assert 0 < (expected <= 0).sum() < 10
    with pytest.warns(DataWarning, match=f"{(expected <= 0).sum()} of 20 standard errors are NaN"):
        found = reg.predict_standard_error(fresh)
    assert np.allclose(found**2, np.where(expected > 0, expected, np.nan), equal_nan=True)


@pytest.mark.filterwarnings("ignore:.*standard errors are NaN")
def test_standard_error_is_the_spread_over_other_tables():
    fresh = friedman(40, 99)[0]
    told, means = [], []
    for seed in range(10):
        X, y = friedman(100, seed)
        reg = bough.RandomForestRegressor(n_estimators=1500, keep_rows=True).fit(X, y)
        told.append(reg.predict_standard_error(fresh) ** 2)
        means.append(reg.predict(fresh))
    assert 0.6 < np.mean(np.nan_to_num(told)) / np.var(means, axis=0, ddof=1).mean() < 1.6


def test_rows_are_kept_on_request_alone(fitted, tmp_path):
    reg, X, y, _ = fitted
    plain = bough.RandomForestRegressor(n_estimators=3, bootstrap=False).fit(X, y)
    assert not hasattr(plain, "leaf_rows_")
    with pytest.raises(ParameterError, match="keep_rows=True"):
        plain.predict_quantiles(X)
    with pytest.raises(ParameterError, match="another forest"):
        plain.predict_quantiles(X, leaf_rows=reg.leaf_rows_)
    with pytest.raises(ParameterError, match="with replacement"):
        plain.predict_standard_error(X, leaf_rows=plain.leaf_rows(X, y))
    with pytest.raises(ParameterError, match="oob_score=True"):
        plain.predict_interval(X)
    with pytest.raises(ParameterError, match="from 0 to 1"):
        reg.predict_quantiles(X, 5)
    with pytest.raises(ParameterError, match="quantiles must hold numbers; got 'median'"):
        reg.predict_quantiles(X, "median")
    classes = bough.RandomForestClassifier(n_estimators=30, oob_score=True).fit(X, y > 0)
    with pytest.raises(ParameterError, match="out_of_bag: the errors of the training rows"):
        reg.predict_interval(X, out_of_bag=classes.out_of_bag_)
    kept = bough.ExtraTreesRegressor(n_estimators=3, keep_rows=True).fit(X, y)
    kept.save(tmp_path / "forest.json")
    read = bough.load(tmp_path / "forest.json")
    again = read.predict_quantiles(X, 0.5, leaf_rows=read.leaf_rows(X, y))
    assert np.array_equal(again, kept.predict_quantiles(X, 0.5))
