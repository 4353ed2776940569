"""The measures of a tree: values in tests by their kinds, columns by depth, bytes, and what is printed."""

import numpy as np
import pytest

import bough
from bough.model.features import Linear, LinearTerm
from bough.model.tests.threshold import Threshold
from bough.table import Column

FULL = {"stopping": None, "pruning": None}


def values_of(estimator, X, y):
    return [node.split.test.n_values for node in estimator.fit(X, y).tree_ if node.split is not None]


def test_values_of_tests_by_their_kinds():
    x = np.arange(12.0)
    assert values_of(bough.TreeRegressor(**FULL), {"x": x}, x > 5) == [1]
    steps = bough.TreeRegressor(branching=bough.recipe.Intervals(3), **FULL)
    assert values_of(steps, {"x": x}, np.floor(x / 4)) == [2]
    levels = {"c": list("abcde") * 4}
    y = [level in "bd" for level in levels["c"]]
    assert values_of(bough.TreeClassifier(**FULL), levels, y) == [2]  # b and d; any other goes the other way
    assert values_of(bough.TreeClassifier(branching="per_level", **FULL), levels, y) == [4]
    terms = [LinearTerm(0, -1, 0.5, 0.0), LinearTerm(1, -1, 1.5, 0.0)]
    plane = Linear(terms, [Column("a", "numeric", "float64"), Column("b", "numeric", "float64")])
    assert Threshold(plane, (1.0,), (0, 1)).n_values == 3


def test_a_test_for_missing_values_has_one_value():
    X = {"x": [np.nan] * 10 + [1.0] * 10}
    clf = bough.TreeClassifier(missing=bough.recipe.OwnBranch(ask=True), **FULL)
    assert values_of(clf, X, [0] * 10 + [1] * 10) == [1]


def test_depths_are_means_over_the_tests_of_a_column():
    X, y = bough.datasets.make_waveform(200, random_state=1).xy()
    tree = bough.CARTClassifier(pruning=None).fit(X, y).tree_
    found = tree.measures()
    depths = {}
    for node in tree:
        if node.split is not None:
            depths.setdefault(node.split.column, []).append(node.depth)
    columns = found.columns
    for place, name in enumerate(columns["column"]):
        own = depths.get(name, [])
        assert columns["tests"][place] == len(own)
        if own:
            assert columns["mean_depth"][place] == pytest.approx(np.mean(own))
            assert columns["least_depth"][place] == min(own)
    assert sum(columns["tests"]) == found.n_tests == found.n_values
    asked = [depth for depth in columns["mean_depth"] if not np.isnan(depth)]
    assert asked == sorted(asked)


def test_a_lone_root_has_no_tests():
    tree = bough.CARTClassifier().fit({"x": [1.0, 2.0], "c": ["a", "b"]}, [1, 1]).tree_
    found = tree.measures()
    assert (found.n_nodes, found.n_tests, found.n_values, found.values_per_test) == (1, 0, 0, 0.0)
    assert found.table_bytes == 2 * (8 + 4)
    assert "columns asked: 0 of 2" in str(found)
    assert "times as many" in str(found)


def test_what_is_printed_is_what_is_counted():
    X, y = bough.datasets.load("penguins").xy()
    tree = bough.CARTClassifier(pruning=0.01, min_samples_split=20, min_samples_leaf=7).fit(X, y).tree_
    found = tree.measures()
    lines = str(found).splitlines()
    assert lines[0] == f"nodes: {tree.n_nodes}, leaves: {tree.n_leaves}, depth: {tree.depth}"
    assert lines[2] == f"values in its tests: {found.n_values}, {found.values_per_test:g} a test"
    assert f"bytes: {found.n_bytes:,} for 344 rows of {found.table_bytes:,} bytes" in lines[3]
    assert lines[5] == "  flipper_length_mm: 1 test, mean depth 0"
    assert found.bytes_per_row == found.n_bytes / 344
