"""Neither the order of rows nor that of columns nor the names of levels decide anything but ties."""

import numpy as np
import pandas as pd
import pytest

from bough.recipe import Exhaustive


def test_any_row_order_gives_the_same_tree(criterion, grown, mixed, assert_same_tree, budget, assert_same_answers):
    """Ties included: they are broken by columns, thresholds and levels, never by rows."""
    for seed in range(round(6 * budget)):
        X, y = mixed(seed, criterion)
        rng = np.random.default_rng(seed)
        weights = rng.integers(1, 4, len(y)).astype(float) if seed % 2 else None
        one = grown(criterion).fit(X, y, weights)
        rows = rng.permutation(len(y))
        other = grown(criterion).fit(X.iloc[rows], y[rows], None if weights is None else weights[rows])
        assert_same_tree(one, other)
        assert_same_answers(one, X, other, X)


def generic(seed, criterion, n=150):
    """A table on which ties are as good as impossible: any reals as weights, any numbers as values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{k}": rng.normal(size=n) for k in range(3)})
    X["color"] = rng.choice(["red", "green", "blue", "white", "black"], n)
    X["town"] = rng.choice([f"t{k}" for k in range(8)], n)
    X = X.mask(rng.random(X.shape) < 0.05)
    signal = X["x0"].fillna(0) + X["color"].isin(["red", "blue"]) + (X["town"] > "t3") * X["x1"].fillna(0)
    signal = signal + rng.normal(size=n)
    y = signal.to_numpy() if criterion.endswith("error") else np.digitize(signal, [0.2, 1.2])
    return X, y, rng.uniform(0.5, 2.0, n)


# The largest distance of a node and the share of wrong rows are the same for many splits: these two tie by nature.
@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "squared_error", "absolute_error"])
def test_column_order_does_not_matter_without_ties(criterion, grown, partition, is_tied, budget, assert_same_answers):
    judged = 0
    for seed in range(round(6 * budget)):
        X, y, weights = generic(seed, criterion)
        one = grown(criterion, min_samples_leaf=10, min_samples_split=20, search=Exhaustive(max_competitors=10)).fit(
            X, y, weights
        )
        if is_tied(one):
            continue
        judged += 1
        names = np.random.default_rng(seed).permutation(X.columns)
        other = grown(criterion, min_samples_leaf=10, min_samples_split=20, search=Exhaustive(max_competitors=10)).fit(
            X[names], y, weights
        )
        assert partition(one, X) == partition(other, X)
        np.testing.assert_allclose(one.importance(), other.importance()[[list(names).index(c) for c in X.columns]])
        assert_same_answers(one, X, other, X)
        assert [X.columns[c] for c in one.tree_.kernel.split_column[one.tree_.kernel.split_role < 2]] == [
            names[c] for c in other.tree_.kernel.split_column[other.tree_.kernel.split_role < 2]
        ]
    assert judged >= 3


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "squared_error", "absolute_error"])
def test_level_names_do_not_matter_without_ties(criterion, grown, partition, is_tied, budget, assert_same_answers):
    judged = 0
    for seed in range(round(6 * budget)):
        X, y, weights = generic(seed, criterion)
        rng = np.random.default_rng(seed)
        renamed = X.copy()
        for name in ("color", "town"):
            levels = X[name].dropna().unique()
            renamed[name] = X[name].map(
                dict(zip(levels, rng.permutation([f"l{k}" for k in range(len(levels))]), strict=True))
            )
        one = grown(criterion, min_samples_leaf=10, min_samples_split=20).fit(X, y, weights)
        if is_tied(one):
            continue
        judged += 1
        other = grown(criterion, min_samples_leaf=10, min_samples_split=20).fit(renamed, y, weights)
        assert partition(one, X) == partition(other, renamed)
        assert_same_answers(one, X, other, renamed)
    assert judged >= 3


def test_class_names_do_not_matter_without_ties(grown, partition):
    X, y, weights = generic(4, "gini")
    one = grown("gini", min_samples_leaf=10).fit(X, y, weights)
    names = np.array(["z", "a", "m"])
    other = grown("gini", min_samples_leaf=10).fit(X, names[y], weights)
    assert partition(one, X) == partition(other, X)
    np.testing.assert_array_equal(names[one.predict(X)], other.predict(X))


def test_strings_and_categories_in_the_same_order_are_the_same(grown, assert_same_tree):
    X, y, weights = generic(1, "gini")
    categories = X.assign(color=X["color"].astype("category"), town=X["town"].astype("category"))
    assert_same_tree(grown("gini").fit(X, y, weights), grown("gini").fit(categories, y, weights))
