"""Trees of a forest: every node is that of the definition, however it is searched, on any number of threads."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.testing import Column, ForestProblem, forest_bag, grow_forest_tree, read_forest_tree

TREES = 2
WAYS = ("automatic", "bins", "sorted")


def given(problem, rng):
    """A bag that is given: some rows once, some twice, some not at all, the first one always."""
    bag = rng.integers(0, 3, (TREES, len(problem.y))).astype(np.uint32)
    bag[:, 0] = 1
    return bag


@pytest.mark.parametrize("variants", [False, True])
def test_every_node_is_that_of_the_definition(variants, budget, random_problem, grown, same):
    rng = np.random.default_rng(39 + variants)
    for number in range(round(200 * budget)):
        problem = random_problem(rng, int(rng.integers(2, 70)), variants)
        seed = int(rng.integers(2**63))
        counts = given(problem, rng)
        # A bootstrap may leave out every row of positive weight.
        bags = {"seed": seed}
        drawn = [None] * TREES
        if number % 2 or min(problem.weights) == 0:
            bags, drawn = {"seed": seed, "given": counts.ravel()}, counts.tolist()
        forests = [grown(problem, bags, TREES, way=way) for way in WAYS]
        for tree in range(TREES):
            plain = grow_forest_tree(problem, seed, tree, drawn[tree])
            assert read_forest_tree(forests[0], tree, problem) == plain, f"table {number}, tree {tree}"
        for forest, way in zip(forests, WAYS, strict=True):
            assert same(forest, forests[0]), f"table {number}, {way}"


def large(rng, classes, **limits):
    """Some thousand rows: bins of many rows, blocks within blocks, more columns than are binned at once."""
    n = 5000
    x = rng.normal(size=(40, n))
    x[1] = x[1].round(1)
    x[2, rng.random(n) < 0.2] = np.nan
    signal = x[0] + np.sin(3 * x[1]) + 0.5 * x[4] + 0.5 * rng.normal(size=n)
    y = (signal * 2**20).round().astype(int)
    if classes:
        y = np.searchsorted(np.quantile(signal, np.arange(1, classes) / classes), signal)
    columns = [Column("numeric", [None if v != v else v for v in column.tolist()]) for column in x]
    columns[3] = Column("nominal", rng.integers(0, 9 if classes <= 2 else 2, n).tolist())
    levels = [0] * 40
    levels[3] = 9 if classes <= 2 else 2
    weights = rng.integers(1, 3, n).tolist()
    return ForestProblem(columns, levels, y.tolist(), classes, weights, scale=2.0**20, **limits)


@pytest.mark.parametrize("classes", [0, 2, 3, 7, 15])
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"min_leaf": 20.0},
        {"missing": "random", "monotone": [0, 1, -1, 0, 1, -1] + [0] * 34, "level_order": "forest"},
        {"missing": "own_branch", "max_leaf_nodes": 500},
    ],
)
def test_the_ways_agree_where_bins_are_used(classes, limits, grown, same):
    limits = {name: value for name, value in limits.items() if name != "monotone" or classes <= 2}
    rng = np.random.default_rng(classes)
    problem = large(rng, classes, max_features=6, **limits)
    forests = [grown(problem, {"seed": 5}, 2, way=way) for way in WAYS]
    assert forests[0].nodes > 200
    assert all(same(forest, forests[2]) for forest in forests)
    every = replace(problem, max_features=40, max_depth=4)
    assert same(*(grown(every, {"seed": 6}, 1, way=way) for way in ("bins", "sorted")))


@pytest.mark.parametrize("random_cuts", [False, True])
def test_threads_and_stages_do_not_change_the_forest(random_cuts, grown, same):
    problem = large(np.random.default_rng(1), 2, max_features=4, max_depth=8, random_cuts=random_cuts)
    alone = grown(problem, {"seed": 8}, 9)
    assert all(same(grown(problem, {"seed": 8}, 9, threads=threads), alone) for threads in (2, 7))
    staged = grown(problem, {"seed": 8}, 4)
    assert same(grown(problem, {"seed": 8}, 5, first=4, forest=staged), alone)
    assert not same(grown(problem, {"seed": 9}, 9), alone)


def test_bags_are_drawn_again_from_the_seed():
    for rows in (1, 2, 7, 100, 1000):
        for tree in (0, 1, 500):
            drawn = _core.forest_bag({"seed": 2**64 - 3}, tree, rows)
            assert drawn.tolist() == forest_bag(2**64 - 3, tree, rows)
    assert _core.forest_bag({"seed": 1, "bootstrap": False}, 3, 4).tolist() == [1] * 4
    counts = np.arange(6, dtype=np.uint32)
    assert _core.forest_bag({"given": counts}, 1, 3).tolist() == [3, 4, 5]


def test_without_a_bootstrap_every_row_is_used_once(grown):
    problem = ForestProblem([Column("numeric", [1, 2, 3, 4])], [0], [0, 0, 1, 1])
    problem = replace(problem, weights=[1] * 4)
    forest = grown(problem, {"seed": 3, "bootstrap": False}, 1)
    assert read_forest_tree(forest, 0, problem) == grow_forest_tree(problem, 3, 0, [1] * 4)


@pytest.mark.parametrize("classes", [0, 2, 4])
def test_gain_is_the_decrease_of_impurity(classes, grown):
    """What the columns of a tree gain is the impurity of the bag less that of the leaves."""
    problem = large(np.random.default_rng(2), classes, max_features=10, max_depth=6)
    forest = grown(problem, {"seed": 1, "bootstrap": False}, 1)
    weight, y = np.array(problem.weights, dtype=float), np.array(problem.y)

    def impurity(rows):
        if classes:
            sums = np.bincount(y[rows], weight[rows])
            return sums.sum() - (sums**2).sum() / sums.sum()
        values = y[rows] / problem.scale
        return (weight[rows] * (values - np.average(values, weights=weight[rows])) ** 2).sum()

    cells = list(zip(*(column.cells for column in problem.columns), strict=True))
    root = read_forest_tree(forest, 0, problem)
    leaf = np.array([root.leaf(row).number for row in cells])
    left = sum(impurity(leaf == number) for number in np.unique(leaf))
    expected = (impurity(np.full(len(y), True)) - left) / weight.sum()
    assert forest.gain.sum() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("missing", ["learned", "majority"])
def test_drawn_cuts_tell_values_apart_that_floats_do_not(missing):
    rng = np.random.default_rng(0)
    moments = np.datetime64("2024-05-01T00:00:00") + np.arange(600).astype("m8[s]")
    y = np.arange(600) // 50 % 2
    for values in (1e9 + np.arange(600.0), 10**9 + np.arange(600), moments):
        table = pd.DataFrame({"close": values, "noise": rng.random(600)})
        table.loc[::20, "close"] = None
        known = table["close"].notna()
        clf = bough.ExtraTreesClassifier(n_estimators=20, max_features=None, missing=missing)
        assert clf.fit(table[::2], y[::2]).score(table[1::2][known[1::2]], y[1::2][known[1::2]]) > 0.9
        assert clf.score(table[::2][known[::2]], y[::2][known[::2]]) == 1.0  # rows are sent as they were in growing
        assert np.allclose(np.mean([tree.predict_proba(table) for tree in clf], axis=0), clf.predict_proba(table))
