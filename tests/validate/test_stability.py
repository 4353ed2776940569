"""Stability: shares of samples in which a split comes back, counted again from the samples by hand."""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bough
from bough.errors import ParameterError
from bough.recipe import Exhaustive
from bough.validate import stability
from bough.validate.places import pairs, similarity


def table(n=200, seed=0):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n).round(2), rng.normal(size=n).round(2)
    level = rng.choice(list("abcde"), n)
    y = np.where((x > 0.3) ^ np.isin(level, ["b", "d"]) ^ (rng.random(n) < 0.15), "yes", "no")
    X = pd.DataFrame({"x": x, "z": z, "c": level})
    return X.mask(rng.random(X.shape) < 0.05), y


def test_a_clear_split_comes_back_in_every_sample():
    X = {"x": np.r_[np.arange(50.0), np.arange(100.0, 150.0)], "noise": np.tile([0.0, 1.0], 50)}
    y = np.repeat([0, 1], 50)
    found = stability(bough.CARTClassifier(), X, y, n_resamples=30, random_state=0)
    [split] = found.splits
    assert (split.column, split.same_place, split.anywhere, split.threshold) == ("x", 1.0, 1.0, 74.5)
    assert found.root_columns == {"x": 1.0}
    assert len(split.thresholds) == 30
    assert ((split.thresholds > 45) & (split.thresholds < 105)).all()
    assert (np.diff(split.spread) >= 0).all()
    assert np.isnan(split.similarity)
    assert found.n_leaves.tolist() == [2] * 30


def test_noise_has_no_stable_split():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 8)), rng.integers(0, 2, 100)
    found = stability(bough.CARTClassifier(pruning=None, max_depth=3), X, y, n_resamples=40, random_state=0)
    assert found.splits[0].same_place < 0.6
    assert sum(found.root_columns.values()) == pytest.approx(1.0)
    assert len(found.root_columns) > 2
    below = [split.same_place for split in found.splits if split.depth == 2]
    assert max(below) <= found.splits[0].same_place


@pytest.mark.parametrize(
    "estimator",
    [
        bough.CARTClassifier(pruning=None, max_depth=4),
        bough.C45Classifier(),
        bough.CARTClassifier(pruning=0.01, max_depth=3, search=Exhaustive(branch_order="response")),
    ],
)
def test_shares_are_those_counted_by_hand(estimator):
    X, y = table()
    found = stability(estimator, X, y, n_resamples=12, random_state=7)
    seeds = np.random.RandomState(7).randint(2**31 - 1, size=12)
    trees = []
    for seed in seeds:
        drawn = np.random.default_rng(seed).integers(0, len(y), len(y))
        trees.append(clone(estimator).fit(X, y, np.bincount(drawn, minlength=len(y))).tree_)
    root = found.splits[0]
    same = [tree.root.split is not None and tree.root.split.column == root.column for tree in trees]
    assert root.same_place == np.mean(same)
    columns = [{node.split.column for node in tree.nodes if node.split} for tree in trees]
    for split in found.splits:
        assert split.anywhere == np.mean([split.column in asked for asked in columns])
        assert split.same_place <= split.anywhere
    assert found.n_leaves.tolist() == [tree.n_leaves for tree in trees]


def test_a_tree_is_like_itself():
    X, y = table()
    tree = bough.CARTClassifier(pruning=None).fit(X, y).tree_
    for node, same in pairs(tree, tree):
        assert same is not None
        assert same.id == node.id
        if node.split.levels is not None:
            assert similarity(node.split, same.split) == 1.0


def test_places_follow_levels_and_low_values_whatever_their_branches():
    X = pd.DataFrame({"c": list("aabbccdd") * 10, "x": np.arange(80.0)})
    y = X["c"].isin(["a", "b"]) & (X["x"] > 40)
    kinds = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
    one = bough.CARTClassifier(**kinds).fit(X, y).tree_
    other = bough.CARTClassifier(**kinds, search=Exhaustive(branch_order="response")).fit(X, ~y).tree_
    assert [node.split.column for node, _ in pairs(one, other)] == ["x", "c"]
    assert all(same is not None for _, same in pairs(one, other))
    stump = bough.CARTClassifier(pruning=0.01, max_depth=1).fit(X[["x"]], y).tree_
    assert [same for _, same in pairs(one, stump)] == [None, None]


def test_likeness_is_that_of_the_most_similar_sets():
    """Against all pairs of sets: shared levels over all levels of both."""

    def jaccard(a, b):
        return len(a & b) / len(a | b)

    rng = np.random.default_rng(3)
    for _ in range(10):
        level, y = rng.choice(list("abcdefghij"), 300), rng.integers(0, 3, 300)
        clf = bough.C45Classifier(pruning=None, min_samples_leaf=1, branching="grouped")
        trees = [clone(clf).fit({"c": level}, y, rng.integers(0, 3, 300)).tree_ for _ in range(2)]
        [mine, theirs] = [[set(branch) for branch in tree.root.split.levels] for tree in trees]
        common = set.union(*mine) & set.union(*theirs)
        found = [max(jaccard(a & common, b & common) for b in theirs if b & common) for a in mine if a & common]
        assert similarity(trees[0].root.split, trees[1].root.split) == pytest.approx(np.mean(found))
        below = {node.id: place for node, place in pairs(*trees)}
        for a, child in zip(mine, trees[0].root.children, strict=True):
            if child.id not in below or below[child.id] is None:
                continue
            place = [node.id for node in trees[1].root.children].index(below[child.id].id)
            assert jaccard(a, theirs[place]) == max(jaccard(a, b) for b in theirs)


def test_a_test_of_many_levels_is_compared_in_one_pass():
    many = 800
    X, y = {"c": np.repeat([f"level {i}" for i in range(many)], 5)}, np.repeat(np.arange(many) % 3, 5)
    start = time.process_time()
    found = stability(bough.C45Classifier(min_samples_leaf=1), X, y, n_resamples=20, random_state=0)
    assert time.process_time() - start < 15.0  # half a second; by all pairs of branches fifty
    assert found.splits[0].similarity == 1.0
    assert len(found.splits[0].branches) == many


def test_the_unit_of_weights_does_not_matter():
    """A sample of relative weights counts as many rows as are drawn, not only the different ones."""
    X, y = bough.datasets.load_penguins().xy()
    plain = stability(bough.CARTClassifier(), X, y, n_resamples=6, random_state=0)
    for weight in (0.004, 2.5):
        again = stability(
            bough.CARTClassifier(), X, y, sample_weight=np.full(len(y), weight), n_resamples=6, random_state=0
        )
        assert str(again) == str(plain)
        np.testing.assert_array_equal(again.n_leaves, plain.n_leaves)


def test_numbers_weights_and_jobs():
    X, _ = table()
    y = np.nan_to_num(X["x"].to_numpy()) + np.random.default_rng(0).normal(size=200)
    weights = np.where(np.arange(200) < 100, 1.0, 0.0)
    reg = bough.CARTRegressor()
    once = stability(reg, X, y, sample_weight=weights, n_resamples=8, random_state=3)
    again = stability(reg, X, y, sample_weight=weights, n_resamples=8, random_state=3, n_jobs=2)
    pd.testing.assert_frame_equal(once.to_frame(), again.to_frame())
    assert once.splits[0].rows == 100
    assert not hasattr(reg, "tree_")


def test_a_class_that_a_sample_lacks_takes_its_costs_along():
    X, y = {"x": np.arange(40.0)}, np.array(["a"] * 20 + ["b"] * 19 + ["c"])
    for options in ({"costs": {("c", "a"): 9}}, {"priors": [0.2, 0.2, 0.6]}):
        found = stability(bough.CARTClassifier(**options), X, y, n_resamples=20, random_state=0)
        assert found.n_resamples == 20


def test_it_reads_well(capsys):
    X, y = table()
    found = stability(bough.CARTClassifier(), X, y, n_resamples=10, random_state=0, verbose=1)
    assert capsys.readouterr().err.endswith("stability: 10 of 10 samples grown\n")
    lines = str(found).splitlines()
    assert lines[0].startswith("10 bootstrap samples; ")
    assert lines[1].startswith("asked first: ")
    assert lines[3].split() == ["test", "same", "place", "anywhere", "spread"]
    assert len(lines) == 4 + len(found.splits)
    frame = found.to_frame()
    assert frame.columns.tolist() == [
        "node", "depth", "column", "test", "rows", "same_place", "anywhere", "threshold",
        "q05", "q25", "q50", "q75", "q95", "similarity",
    ]  # fmt: skip
    lone = stability(bough.CARTClassifier(max_depth=1), {"x": [1.0] * 30}, [0, 1] * 15, n_resamples=3)
    assert lone.splits == ()
    assert lone.root_columns == {None: 1.0}
    assert "no test 100%" in str(lone)
    assert len(lone.to_frame()) == 0


@pytest.mark.parametrize("arguments", [{"n_resamples": 0}, {"n_jobs": 0}, {"n_resamples": 2.5}])
def test_what_makes_no_sense_is_refused(arguments):
    X, y = table(40)
    with pytest.raises(ParameterError, match=next(iter(arguments))):
        stability(bough.CARTClassifier(), X, y, **arguments)
    with pytest.raises(ParameterError, match="an estimator of bough, of trees or rules"):
        stability("CART", X, y)


def test_all_branches_of_a_test_are_shown():
    X, y = bough.datasets.load("penguins").xy()
    found = stability(bough.C45Classifier(), X, y, n_resamples=3, random_state=0)
    many = [split for split in found.splits if len(split.branches) > 2]
    assert many
    for split in found.splits:
        node = found.tree.node(split.node)
        assert len(split.branches) == len(node.children)
        assert split.test == (split.branches[0] if len(split.branches) == 2 else " | ".join(split.branches))
    assert "island = Biscoe | island = Dream | island = Torgersen" in str(found)
    wide = pd.DataFrame({"c": [f"level {k:02d}" for k in range(30)] * 4})
    found = stability(
        bough.TreeClassifier(branching="per_level", stopping=None, pruning=None, missing="fractional"),
        wide,
        [k % 2 for k in range(30)] * 4,
        n_resamples=2,
        random_state=0,
    )
    assert len(found.splits[0].branches) == 30
    assert found.splits[0].test.endswith("| c = level 11 | … 18 more")
