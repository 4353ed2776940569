"""Sixteen points in the plane (Duda, Hart and Stork, section 8.3): entropy, thresholds, and how unstable a tree is."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets
from bough.testing import read_tree

TEXT = {"criterion": "entropy", "pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


def walk(node):
    """The nodes in preorder."""
    return [node, *(below for child in node.children for below in walk(child))]


def cuts(tree):
    return [(node.split.column + 1, node.split.value) for node in walk(read_tree(tree.kernel)) if node.split]


def test_the_best_first_split_is_on_x2():
    X, y = datasets.load_sixteen_points().xy()
    root = read_tree(CARTClassifier(**TEXT).fit(X, y).tree_.kernel)
    assert root.impurity == 1.0
    assert root.split.column == 1
    assert root.split.value == pytest.approx(0.475)
    assert root.gain == pytest.approx(0.311, abs=5e-4)


def test_the_split_of_the_print_is_the_best_of_x1_only():
    X, y = datasets.load_sixteen_points().xy()
    root = read_tree(CARTClassifier(**TEXT).fit(X, y).tree_.kernel)
    [(runner_up, gain)] = root.competitors
    assert runner_up.column == 0
    assert runner_up.value == pytest.approx(0.595)
    assert gain == pytest.approx(0.205, abs=5e-4)


def test_one_point_moves_and_the_tree_is_another_one():
    tables = [datasets.load_sixteen_points(), datasets.load_sixteen_points(moved=True)]
    fits = [CARTClassifier(**TEXT).fit(*table.xy()) for table in tables]
    assert cuts(fits[0].tree_)[0] == (2, pytest.approx(0.475))
    # x2 < 0.335 and x2 < 0.475 tie at 0.311, and the lowest threshold wins.
    assert cuts(fits[1].tree_) == [
        (2, pytest.approx(0.335)),
        (2, pytest.approx(0.105)),
        (1, pytest.approx(0.595)),
        (1, pytest.approx(0.69)),
    ]
    assert read_tree(fits[1].tree_.kernel).gain == pytest.approx(0.311, abs=5e-4)


@pytest.mark.parametrize("order", [["x1", "x2"], ["x2", "x1"]])
def test_the_tie_of_two_thresholds_does_not_depend_on_rows_or_columns(order):
    X, y = datasets.load_sixteen_points(moved=True).xy()
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(y))
        fitted = CARTClassifier(**TEXT).fit(X[order].iloc[rows], y.iloc[rows])
        names = fitted.feature_names_in_
        found = [(names[column - 1], round(value, 3)) for column, value in cuts(fitted.tree_)]
        assert found == [("x2", 0.335), ("x2", 0.105), ("x1", 0.595), ("x1", 0.69)]


def test_below_the_printed_first_split_the_printed_impurities_appear():
    X, y = datasets.load_sixteen_points(moved=True).xy()
    low = (X["x1"] < 0.595).to_numpy()
    found = {}
    for part in (low, ~low):
        fitted = CARTClassifier(**TEXT).fit(X[part], y[part])
        for node in walk(read_tree(fitted.tree_.kernel)):
            if node.impurity > 0:
                found[node.n_rows] = node.impurity
    assert found == pytest.approx({10: 0.881, 6: 0.650, 4: 0.811, 2: 1.0}, abs=5e-4)


def test_thresholds_that_send_equal_values_high():
    X, y = datasets.load_sixteen_points(moved=True).xy()
    fitted = CARTClassifier(**TEXT, threshold_side="lt").fit(X, y)
    assert {node.split.side for node in walk(read_tree(fitted.tree_.kernel)) if node.split} == {"lt"}
    assert fitted.score(X, y) == 1.0
    at_the_threshold = X.iloc[[0]].assign(x2=cuts(fitted.tree_)[0][1])
    path = fitted.decision_path(at_the_threshold).indices
    assert path[1] == fitted.tree_.kernel.children[1], "x2 < 0.335 is false: the second branch"
