"""Proximity, neighbours and outlier scores of forests, against their definitions pair by pair."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.learn.sampling import Draws
from bough.recipe.sampling import Sampling

N = 200


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = {
        "a": rng.normal(size=N),
        "b": rng.integers(0, 4, N).astype(float),
        "c": rng.choice(["red", "green", "blue"], N).tolist(),
    }
    return X, np.where(X["a"] + X["b"] + rng.normal(size=N) > 1.5, "yes", "no")


@pytest.fixture(scope="module")
def forest(rows):
    # Bags of one's own making, so that the test knows them without asking the forest.
    counts = np.random.default_rng(1).multinomial(N, np.full(N, 1 / N), size=25)
    return bough.RandomForestClassifier(n_estimators=25, sampling=counts, min_samples_leaf=3).fit(*rows), counts


def naive(leaves, others, out=None, out_others=None):
    shares = np.zeros((len(leaves), len(others)))
    for i, one in enumerate(leaves):
        for j, other in enumerate(others):
            trees = np.ones(len(one), dtype=bool) if out is None else out[i] & out_others[j]
            if trees.any():
                shares[i, j] = np.mean(one[trees] == other[trees])
    return shares


def test_out_of_bag_proximity_is_the_naive_definition(rows, forest):
    clf, counts = forest
    leaves, out = clf.apply(rows[0]), counts.T == 0
    found = clf.proximity(rows[0], out_of_bag=True, y=rows[1])
    assert found.format == "csr"
    assert np.array_equal(found.toarray(), naive(leaves, leaves, out, out))


def test_proximity_in_all_trees_and_to_other_rows(rows, forest, monkeypatch):
    clf, _ = forest
    monkeypatch.setattr("bough.explain.proximity._PAIRS_AT_A_TIME", 700)  # many blocks
    leaves = clf.apply(rows[0])
    others = {name: column[:30] for name, column in rows[0].items()}
    assert np.array_equal(clf.proximity(rows[0]).toarray(), naive(leaves, leaves))
    assert np.array_equal(clf.proximity(rows[0], others).toarray(), naive(leaves, leaves[:30]))


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_neighbours_are_the_nearest_others(out_of_bag, rows, forest):
    clf, _ = forest
    how = {"out_of_bag": True, "y": rows[1]} if out_of_bag else {}
    full = clf.proximity(rows[0], **how).toarray()
    np.fill_diagonal(full, -1)
    numbers, near = clf.neighbours(rows[0], k=150, **how)
    for row in range(N):
        order = np.argsort(-full[row], kind="stable")[:150]
        known = full[row, order] > 0
        assert np.array_equal(numbers[row], np.where(known, order, -1))
        assert np.array_equal(near[row], np.where(known, full[row, order], 0))


def test_outlier_score_is_breimans_and_finds_a_stranger(rows, forest):
    clf, _ = forest
    X, y = rows
    near = clf.proximity(X).toarray()
    scores = clf.outlier_scores(X, y)
    for label in ("no", "yes"):
        own = np.flatnonzero(y == label)
        raw = 1 / (near[np.ix_(own, own)] ** 2).sum(axis=1)
        off = raw - np.median(raw)
        assert np.allclose(scores[own], off / np.abs(off).mean())
    penguins, species = bough.datasets.load("penguins").xy()
    wrong = np.array(species, dtype=object)
    wrong[0] = "Gentoo"
    told = bough.RandomForestClassifier(n_estimators=50).fit(penguins, wrong)
    assert told.outlier_scores(penguins, wrong, out_of_bag=True).argmax() == 0


def test_bags_by_groups_are_drawn_again(rows):
    X, groups = rows[0], np.arange(N) // 4
    reg = bough.RandomForestRegressor(n_estimators=10).fit(X, X["a"], groups=groups)
    draws = Draws(reg.fitted_.seed, N, Sampling(), groups=groups)
    out = np.array([draws.counts(tree) == 0 for tree in range(10)]).T
    leaves = reg.apply(X)
    found = reg.proximity(X, out_of_bag=True, y=X["a"], groups=groups)
    assert np.array_equal(found.toarray(), naive(leaves, leaves, out, out))
    with pytest.raises(DataError, match="groups of the fit"):
        reg.proximity(X, out_of_bag=True, y=X["a"])


def test_what_cannot_be_asked_is_refused(rows, forest):
    clf, _ = forest
    X, y = rows
    with pytest.raises(DataError, match="max_pairs=100"):
        clf.proximity(X, max_pairs=100)
    with pytest.raises(ParameterError, match="leave Z out"):
        clf.proximity(X, X, out_of_bag=True, y=y)
    with pytest.raises(ParameterError, match="out_of_bag=True asks for"):
        clf.neighbours(X, y=y)
    with pytest.raises(DataError, match="another table"):
        clf.proximity(X, out_of_bag=True, y=y[::-1])
    whole = bough.ExtraTreesClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ParameterError, match="every row"):
        whole.proximity(X, out_of_bag=True, y=y)
