"""Minima: ints are sums of sample weights, floats shares of the total, and count_by='rows' counts rows instead.

What sums of weights are where weights are no whole numbers is in test_weights.py; here they are taken as given.
"""

import numpy as np
import pytest

from bough import CARTClassifier, CARTRegressor
from bough.recipe import Reading


@pytest.fixture
def line():
    """A hundred rows on a line with labels that no tree gets to the bottom of early."""
    rng = np.random.default_rng(0)
    return np.arange(100.0).reshape(-1, 1), rng.integers(0, 2, 100)


def sizes(fitted, what="weight"):
    """The smallest node that is split, and the smallest branch."""
    nodes = list(fitted.tree_.nodes)
    return (
        min((getattr(node, what) for node in nodes if node.split), default=None),
        min((getattr(node, what) for node in nodes if node.parent), default=None),
    )


GROWN = {"pruning": None, "reading": Reading(fractional_weights="as_given")}


@pytest.mark.parametrize("weight", [None, 0.5, 3.0])
def test_ints_are_sums_of_weights(line, weight):
    X, y = line
    weights = None if weight is None else np.full(100, weight)
    fitted = CARTClassifier(min_samples_split=24, min_samples_leaf=6, **GROWN).fit(X, y, weights)
    split, leaf = sizes(fitted)
    assert split >= 24
    assert leaf >= 6
    factor = weight or 1.0
    by_rows = CARTClassifier(
        min_samples_split=int(np.ceil(24 / factor)), min_samples_leaf=int(np.ceil(6 / factor)), count_by="rows", **GROWN
    ).fit(X, y, weights)
    np.testing.assert_array_equal(fitted.tree_.kernel.rows, by_rows.tree_.kernel.rows)


def test_floats_are_shares(line):
    X, y = line
    for weights in (None, np.full(100, 2.5), np.random.default_rng(1).uniform(0.1, 2, 100)):
        total = 100 if weights is None else weights.sum()
        fitted = CARTClassifier(min_samples_split=0.24, min_samples_leaf=0.06, **GROWN).fit(X, y, weights)
        split, leaf = sizes(fitted)
        assert split >= 0.24 * total * (1 - 1e-9)
        assert leaf >= 0.06 * total * (1 - 1e-9)
    shares = CARTClassifier(min_samples_split=0.24, min_samples_leaf=0.06, **GROWN).fit(X, y)
    counts = CARTClassifier(min_samples_split=24, min_samples_leaf=6, **GROWN).fit(X, y)
    np.testing.assert_array_equal(shares.tree_.kernel.rows, counts.tree_.kernel.rows)


def test_one_is_a_count_and_1_0_is_everything(line):
    X, y = line
    assert CARTClassifier(min_samples_leaf=1, min_samples_split=2, **GROWN).fit(X, y).score(X, y) == 1.0
    assert CARTClassifier(min_samples_leaf=1.0, min_samples_split=2, **GROWN).fit(X, y).get_n_leaves() == 1
    assert CARTClassifier(min_samples_leaf=1, min_samples_split=1.0, **GROWN).fit(X, y).get_n_leaves() == 2


def test_rows_are_counted_whatever_they_weigh(line):
    X, y = line
    weights = np.random.default_rng(1).uniform(0.01, 1, 100)
    fitted = CARTClassifier(min_samples_split=24, min_samples_leaf=6, count_by="rows", **GROWN).fit(X, y, weights)
    split, leaf = sizes(fitted, "rows")
    assert split >= 24
    assert leaf >= 6
    assert sizes(fitted)[1] < 6, "in weight it would not do"


def test_shares_of_rows(line):
    X, y = line
    weights = np.random.default_rng(1).uniform(0.01, 5, 100)
    one = CARTClassifier(min_samples_split=0.24, min_samples_leaf=0.06, count_by="rows", **GROWN).fit(X, y, weights)
    other = CARTClassifier(min_samples_split=24, min_samples_leaf=6, count_by="rows", **GROWN).fit(X, y, weights)
    np.testing.assert_array_equal(one.tree_.kernel.rows, other.tree_.kernel.rows)


def test_rows_of_weight_zero_do_not_count(line):
    X, y = line
    weights = np.r_[np.zeros(40), np.ones(60)]
    for count_by in ("weight", "rows"):
        fitted = CARTClassifier(min_samples_leaf=0.1, min_samples_split=2, count_by=count_by, **GROWN).fit(
            X, y, weights
        )
        assert sizes(fitted)[1] >= 6
        assert fitted.tree_.root.rows == 60
        alone = CARTClassifier(min_samples_leaf=0.1, min_samples_split=2, count_by=count_by, **GROWN).fit(
            X[40:], y[40:]
        )
        np.testing.assert_array_equal(fitted.tree_.kernel.rows, alone.tree_.kernel.rows)


def test_ten_tenths_are_one(line):
    """Sums of weights carry rounding, which must not close a node."""
    X, y = line
    weights = np.full(100, 0.1)
    one = CARTClassifier(min_samples_split=4, min_samples_leaf=1, **GROWN).fit(X, y, weights)
    other = CARTClassifier(min_samples_split=40, min_samples_leaf=10, **GROWN).fit(X, y)
    np.testing.assert_array_equal(one.tree_.kernel.rows, other.tree_.kernel.rows)


def test_the_least_share_of_the_weight(line):
    X, y = line
    weights = np.random.default_rng(1).uniform(0.1, 2, 100)
    for count_by in ("weight", "rows"):
        fitted = CARTRegressor(
            min_weight_fraction_leaf=0.08, min_samples_split=2, min_samples_leaf=1, count_by=count_by, **GROWN
        ).fit(X, y, weights)
        assert sizes(fitted)[1] >= 0.08 * weights.sum() * (1 - 1e-9)
        assert fitted.get_n_leaves() > 4


@pytest.mark.parametrize("missing", ["surrogates", "majority_branch", "stop"])
def test_branches_are_large_enough_in_known_rows(missing):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(200) < 0.2)
    X[rng.random(X.shape) < 0.3] = np.nan
    fitted = CARTClassifier(min_samples_leaf=9, min_samples_split=20, missing=missing, **GROWN).fit(X, y)
    kernel = fitted.tree_.kernel
    passed = fitted.decision_path(X).toarray().astype(bool)
    assert fitted.get_n_leaves() > 3
    for node in fitted.tree_.nodes:
        if node.split is None:
            continue
        column = int(kernel.split_column[kernel.split_begin[node.id]])
        known = passed[:, node.id] & ~np.isnan(X[:, column])
        low = known & (X[:, column] <= node.split.threshold)
        assert min(low.sum(), (known & ~low).sum()) >= 9


def test_untouched_minima_are_ten_and_five(line):
    X, y = line
    split, leaf = sizes(CARTClassifier(**GROWN).fit(X, y))
    assert split >= 10
    assert leaf >= 5
