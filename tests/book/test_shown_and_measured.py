"""What the texts draw and measure: impurities under one scale, effects of a parameter, smooths, regions in space, the
smallest tree, how deep columns are asked, how complex tests are, and the room that a tree takes.

Text 0 is Duda, Hart and Stork, chapter 8; 3 a lecture on trees; 4 Alpaydin, chapter 9. The number after it is a line.
"""

import numpy as np
import pytest

import bough
from bough.recipe import ErrorThreshold, Gini, GlobalCriterion, MaxImpurity, MinDecrease, MinGain, Variance
from bough.testing import Column, Problem, random_table, smallest_tree, to_frame, variance


def tables(budget, **more):
    """Random tables with ties, gaps, levels and weights, as frames."""
    rng = np.random.default_rng(10)
    for number in range(max(1, round(12 * budget))):
        kind = ("ones", "integers", "reals")[number % 3]
        problem = random_table(rng, 60, classes=2 + number % 3, weights=kind, **more)
        yield to_frame(problem), problem.y, problem.weights


def asks(tree):
    return [(node.condition, node.rows) for node in tree]


def test_0_104_variance_is_the_product_of_two_shares_and_half_of_gini():
    nodes = np.array([[3.0, 7.0], [5.0, 5.0], [0.0, 4.0]])
    assert Variance().impurities(nodes) == pytest.approx([0.21, 0.25, 0.0])
    more = np.random.default_rng(0).integers(1, 9, (20, 4)).astype(float)
    assert Variance().impurities(more) == pytest.approx(Gini().impurities(more) / 2, rel=1e-15)
    assert Variance().impurities(more) == pytest.approx([variance(counts) for counts in more.tolist()])


def test_0_133_variance_takes_the_tests_of_gini(budget):
    """To the last bit, with missing values, weights, ties, surrogates and competitors."""
    for X, y, weights in tables(budget):
        trees = [
            bough.CARTClassifier(criterion=name, min_samples_split=4, min_samples_leaf=1, pruning=None)
            .fit(X, y, sample_weight=weights)
            .tree_
            for name in ("gini", "variance")
        ]
        assert asks(trees[0]) == asks(trees[1])
        for plain, halved in zip(*trees, strict=True):
            assert plain.impurity == 2 * halved.impurity
            assert [(s.describe(0), s.gain) for s in plain.competitors] == [
                (s.describe(0), 2 * s.gain) for s in halved.competitors
            ]
            assert [(s.describe(0), s.agreement) for s in plain.surrogates] == [
                (s.describe(0), s.agreement) for s in halved.surrogates
            ]
            assert plain.split is None or plain.split.gain == 2 * halved.split.gain


@pytest.mark.parametrize(
    "stop",
    [
        lambda unit: MaxImpurity(0.2 * unit),
        lambda unit: MinGain(0.02 * unit),
        lambda unit: MinDecrease(0.01 * unit),
        lambda unit: GlobalCriterion(0.05 * unit),
    ],
)
def test_0_146_a_scale_of_the_impurity_changes_no_test_only_thresholds(stop, budget):
    for X, y, _ in tables(budget / 3):
        trees = [
            bough.TreeClassifier(criterion=name, stopping=stop(unit), pruning=None).fit(X, y).tree_
            for name, unit in (("gini", 1.0), ("variance", 0.5))
        ]
        assert asks(trees[0]) == asks(trees[1])


def test_0_142_scaled_impurities_meet_at_their_peak_and_gini_is_variance():
    plt = pytest.importorskip("matplotlib.pyplot")
    ax = bough.plot.impurity(["entropy", "gini", "variance", "misclassification"], scaled=True)
    entropy, gini, half, errors = (line.get_ydata() for line in ax.lines)
    assert np.array_equal(gini, half)
    assert [curve[200] for curve in (entropy, gini, half, errors)] == [1, 1, 1, 1]
    inner = slice(1, -1)
    assert (errors[inner] <= gini[inner]).all()
    assert (gini[inner] <= entropy[inner]).all()
    plt.close("all")


def test_4_72_the_entropy_of_two_classes_is_one_bit_at_most():
    plt = pytest.importorskip("matplotlib.pyplot")
    (line,) = bough.plot.impurity("entropy").lines
    assert line.get_ydata()[[0, 200, 400]].tolist() == [0, 1, 0]
    plt.close("all")


def test_0_191_a_larger_threshold_of_gain_gives_a_smaller_tree_that_errs_more_on_its_rows():
    X, y = bough.datasets.make_waveform(150, random_state=0).xy()
    full = bough.TreeClassifier(stopping=MinGain(0.0), pruning=None)
    found = bough.validate.effect(full, X, y, "stopping__gain", [0.001, 0.05, 0.1, 0.3], cv=3, random_state=0)
    assert (np.diff(found.leaves.mean(axis=1)) <= 0).all()
    assert (np.diff(found.training.mean(axis=1)) >= 0).all()
    assert found.training[0].max() == 0  # and no simple relation to how good it is on others (0:187, 0:206)
    assert found.validation[0].min() > 0.1


def test_3_357_a_full_tree_is_a_lookup_table_and_one_stopped_early_errs_on_its_own_rows():
    X, y = bough.datasets.make_diagonal(120, noise=0.1, random_state=0).xy()
    tree = bough.CARTClassifier(pruning=None, min_samples_split=2)
    found = bough.validate.effect(tree, X, y, "min_samples_leaf", [1, 10, 60], cv=3, random_state=0)
    training, held = found.training.mean(axis=1), found.validation.mean(axis=1)
    assert training[0] == 0 < held[0]
    assert training[2] > training[1]
    assert held[1] < held[0]
    assert held[1] < held[2]


def test_4_151_a_small_threshold_has_variance_and_a_large_one_bias(budget):
    X, y = bough.datasets.make_friedman1(120, random_state=0).xy()
    tree = bough.TreeRegressor(stopping=ErrorThreshold(0.5), pruning=None)
    found = bough.validate.effect(
        tree, X, y, "stopping__error", [0.5, 3.0, 5.0], n_resamples=max(8, round(15 * budget)), random_state=0
    )
    assert (np.diff(found.leaves.mean(axis=1)) < 0).all()
    assert (np.diff(found.bias) > 0).all()
    assert (np.diff(found.variance) < 0).all()


def test_4_197_three_thresholds_smooth_a_curve_more_and_more():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = bough.datasets.load("curve").xy()
    trees = {
        f"threshold {most}": bough.TreeRegressor(stopping=ErrorThreshold(most), pruning=None).fit(X, y)
        for most in (0.05, 0.2, 0.5)
    }
    leaves = [tree.get_n_leaves() for tree in trees.values()]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > 2 * leaves[1] > 4 * leaves[2]
    for tree, most in zip(trees.values(), (0.05, 0.2, 0.5), strict=True):
        assert all(leaf.deviation <= most for leaf in tree.tree_ if leaf.is_leaf)
    ax = bough.plot.fit(trees, X, y)
    steps = [len(line.get_xdata()) // 2 for line in ax.lines[1:]]
    assert steps == leaves
    plt.close("all")


def test_0_113_regions_of_three_columns_have_walls_across_the_axes():
    plt = pytest.importorskip("matplotlib.pyplot")
    rng = np.random.default_rng(0)
    X = {name: rng.uniform(size=150) for name in ("x1", "x2", "x3")}
    y = np.where((X["x1"] > 0.5) & (X["x2"] > 0.4) | (X["x3"] > 0.7), "R1", "R2")
    clf = bough.CARTClassifier(pruning=None).fit(X, y)
    ax = bough.plot.regions(clf, X, y, columns=["x1", "x2", "x3"])
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("x1", "x2", "x3")
    ax.figure.canvas.draw()
    plt.close("all")


def test_4_50_greedy_growth_need_not_find_the_smallest_tree():
    """0:150 too: a is worth little alone, and yet the smallest tree begins with it."""
    rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] + [(0, 1, 1), (1, 1, 1)]
    y = [c if a else b for a, b, c in rows]
    best = smallest_tree(Problem([Column("numeric", [row[k] for row in rows]) for k in range(3)], y))
    greedy = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(np.array(rows), y)
    assert (greedy.predict(np.array(rows)) == y).all()
    assert sum(leaf.risk for leaf in best.leaves()) == 0
    assert (best.split.column, len(best.leaves()), greedy.get_n_leaves()) == (0, 4, 6)


def test_4_237_columns_near_the_root_are_told_by_their_mean_depth():
    X, y = bough.datasets.load("play_tennis").xy()
    tree = bough.ID3Classifier().fit(X, y).tree_
    found = tree.measures().columns
    told = dict(zip(found["column"], zip(found["tests"], found["mean_depth"], strict=True), strict=True))
    assert told["Outlook"] == (1, 0.0)
    assert told["Humidity"] == told["Wind"] == (1, 1.0)
    assert told["Temperature"][0] == 0
    assert np.isnan(told["Temperature"][1])
    assert found["column"][0] == "Outlook"
    assert found["column"][-1] == "Temperature"


def test_4_396_fewer_nodes_may_ask_more_complex_tests():
    """A conjunction is one node of two properties, where single columns take two nodes of one."""
    rows = [(a, b, c) for a in "pq" for b in "rs" for c in "tu"]
    X = {name: [row[place] for row in rows] for place, name in enumerate("abc")}
    y = [row[:2] == ("p", "r") for row in rows]
    full = {"stopping": None, "pruning": None}
    plain = bough.TreeClassifier(**full).fit(X, y).tree_.measures()
    pairs = bough.TreeClassifier(search="pairs", **full).fit(X, y).tree_.measures()
    assert (plain.n_nodes, plain.n_tests, plain.n_values) == (5, 2, 2)
    assert (pairs.n_nodes, pairs.n_tests, pairs.n_values) == (3, 1, 2)


@pytest.mark.parametrize(("rows", "share"), [(200, 0.2), (2000, 0.03)])
def test_4_420_a_pruned_tree_takes_less_room_than_its_rows_and_a_lookup_table_as_many_nodes(rows, share):
    """0:289 too: with one row a leaf the nodes are as many as the rows, up to a factor."""
    X, y = bough.datasets.make_waveform(rows, random_state=0).xy()
    found = bough.CARTClassifier(max_leaf_nodes=10, pruning=None).fit(X, y).tree_.measures()
    assert found.rows == rows
    assert found.table_bytes == rows * 21 * 8
    assert found.n_bytes < share * found.table_bytes
    x = {"x": np.arange(rows, dtype=np.float64)}
    full = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(x, np.arange(rows) % 2)
    assert full.tree_.measures().n_nodes == 2 * rows - 1
