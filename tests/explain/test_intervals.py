"""Intervals of what a leaf says: Wilson's on rows, whatever they weigh and however classes are scaled."""

import numpy as np
import pytest
from scipy import stats

import bough
from bough.explain.intervals import rows_told_by, share_intervals
from bough.model.wilson import wilson


@pytest.mark.parametrize(("hits", "rows"), [(0, 7), (3, 10), (10, 10), (55, 200)])
def test_wilson_is_scipys(hits, rows):
    low, high = wilson(np.array([hits / rows]), np.array([float(rows)]), 0.95)
    expected = stats.binomtest(hits, rows).proportion_ci(0.95, method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))


def test_without_rows_nothing_is_known():
    assert [end.tolist() for end in wilson([0.3, np.nan], [0.0, 0.0])] == [[0.0, 0.0], [1.0, 1.0]]


# A leaf of 300 rows in which seven are of the rare class, which counts for a hundred times as much.
X = {"x": np.r_[np.zeros(697), np.ones(293), np.zeros(3), np.ones(7)]}
Y = np.r_[np.zeros(990, int), np.ones(10, int)]


@pytest.mark.parametrize("how", [{"class_weight": "balanced"}, {"priors": {0: 0.5, 1: 0.5}}])
def test_intervals_of_scaled_classes_are_those_of_resampling(how):
    told = bough.CARTClassifier(max_depth=1, pruning=None, **how).fit(X, Y).explain({"x": 1.0})
    assert told.rows == 300
    assert told.probabilities[1] == pytest.approx(0.70, abs=0.01)
    hits = np.random.default_rng(0).binomial(300, 7 / 300, 20_000)
    resampled = 99 * hits / (99 * hits + 300 - hits)
    low, high = told.intervals[1]
    # Wilson's interval leans to the middle, where few rows decide; its ends lie within the noise of one row.
    expected = np.quantile(resampled, [0.025, 0.975])
    assert low == pytest.approx(expected[0], abs=0.14)
    assert high == pytest.approx(expected[1], abs=0.02)
    assert told.intervals[0] == pytest.approx((1 - high, 1 - low))
    raw_low, raw_high = wilson(7 / 300, 300)
    assert (low, high) == pytest.approx([99 * q / (99 * q + 1 - q) for q in (float(raw_low), float(raw_high))])


@pytest.mark.parametrize("how", [{"class_weight": "balanced"}, {"priors": {0: 0.5, 1: 0.5}}, {}])
def test_intervals_cover_what_they_say(how, budget):
    """The share of the class in the population lies in the interval nearly as often as the level says."""
    rng = np.random.default_rng(1)
    rounds, covered = max(60, round(300 * budget)), 0
    for _ in range(rounds):
        x = rng.random(600) < 0.5
        y = rng.random(600) < np.where(x, 0.15, 0.02)
        model = bough.CARTClassifier(max_depth=1, pruning=None, min_samples_leaf=2, **how).fit({"x": x * 1.0}, y * 1)
        told = model.explain({"x": 1.0})
        scale = model.tree_.arrays.class_scale
        truth = 0.15 * scale[1] / (0.15 * scale[1] + 0.85 * scale[0])
        covered += told.intervals[1][0] <= truth <= told.intervals[1][1]
    assert covered / rounds > 0.88


@pytest.mark.parametrize("factor", [1000.0, 1.0, 1e-3])
def test_the_scale_of_weights_says_nothing(factor):
    rng = np.random.default_rng(2)
    x = np.arange(40.0)
    y = np.where(rng.random(40) < 0.2, "b", np.where(x > 19, "b", "a"))
    plain = bough.CARTClassifier(max_depth=1, pruning=None).fit({"x": x}, y)
    heavy = bough.CARTClassifier(max_depth=1, pruning=None, min_samples_split=0.5, min_samples_leaf=0.2)
    heavy.fit({"x": x}, y, sample_weight=np.full(40, factor))
    assert heavy.tree_.root.split.threshold == plain.tree_.root.split.threshold
    for label, ends in plain.explain({"x": 3.0}).intervals.items():
        assert heavy.explain({"x": 3.0}).intervals[label] == pytest.approx(ends)
    value = np.where(x > 19, 3.0, 1.0) + rng.normal(size=40)
    one = bough.CARTRegressor(max_depth=1, pruning=None, min_samples_split=0.5, min_samples_leaf=0.2)
    ends = [one.fit({"x": x}, value, sample_weight=np.full(40, w)).explain({"x": 3.0}).interval for w in (1.0, factor)]
    assert ends[0] == pytest.approx(ends[1])


def test_a_part_of_a_row_is_no_whole_one():
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    y = np.where(x + rng.normal(size=200) > 0, "b", "a")
    x[:60] = np.nan
    tree = bough.C45Classifier(pruning=None, min_samples_leaf=20).fit({"x": x}, y).tree_
    for node in tree:
        assert rows_told_by(tree, node.id) == pytest.approx(min(node.rows, node.weight))
    assert any(node.weight < node.rows for node in tree)


def test_parts_of_a_case_know_more_than_each():
    x = np.r_[np.zeros(100), np.ones(100)]
    y = np.r_[np.zeros(30, int), np.ones(70, int), np.zeros(70, int), np.ones(30, int)]
    model = bough.TreeClassifier(missing="fractional", pruning=None).fit({"x": x}, y)
    told = model.explain({"x": None})
    assert [part for _, part in told.ends] == [0.5, 0.5]
    low, high = told.intervals[0]
    assert low < 0.5 < high
    assert high - low < float(wilson(0.5, 200)[1] - wilson(0.5, 200)[0])
    assert high - low == pytest.approx(float(wilson(0.3, 100)[1] - wilson(0.3, 100)[0]) / np.sqrt(2), rel=0.05)


def test_pure_leaves_and_smoothing():
    model = bough.CARTClassifier(pruning=None, class_weight={"a": 1.0, "b": 9.0}, min_samples_leaf=1)
    model.fit({"x": list(range(40))}, ["a"] * 20 + ["b"] * 20)
    low, high = model.explain({"x": 3}).intervals["a"]
    raw = float(wilson(1.0, 20)[0])
    assert (low, high) == (pytest.approx(raw / (raw + 9 * (1 - raw))), 1.0)
    tree = model.tree_
    smoothed = np.array([0.2, 0.8])  # such as smoothing may answer: the interval is widened to hold it
    assert share_intervals(tree, [(1, 1.0)], smoothed)[0][0] == 0.2
