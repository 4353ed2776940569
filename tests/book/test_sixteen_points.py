"""Sixteen points in the plane (Duda, Hart and Stork, section 8.3): entropy, thresholds, and how unstable a tree is."""

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier, datasets
from bough.learn.pruners import merge_leaves

TEXT = {"criterion": "entropy", "pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


def cuts(fitted):
    return [(node.split.column, node.split.threshold) for node in fitted.tree_.nodes if node.split]


def test_the_best_first_split_is_on_x2():
    X, y = datasets.load_sixteen_points().xy()
    root = CARTClassifier(**TEXT).fit(X, y).tree_.root
    assert root.impurity == 1.0
    assert root.split.column == "x2"
    assert root.split.threshold == pytest.approx(0.475)
    assert root.split.gain == pytest.approx(0.311, abs=5e-4)


def test_the_split_of_the_print_is_the_best_of_x1_only():
    X, y = datasets.load_sixteen_points().xy()
    [runner_up] = CARTClassifier(**TEXT).fit(X, y).tree_.root.competitors
    assert runner_up.column == "x1"
    assert runner_up.threshold == pytest.approx(0.595)
    assert runner_up.gain == pytest.approx(0.205, abs=5e-4)


def test_one_point_moves_and_the_tree_is_another_one():
    tables = [datasets.load_sixteen_points(), datasets.load_sixteen_points(moved=True)]
    fits = [CARTClassifier(**TEXT).fit(*table.xy()) for table in tables]
    assert cuts(fits[0])[0] == ("x2", pytest.approx(0.475))
    # x2 < 0.335 and x2 < 0.475 tie at 0.311, and the lowest threshold wins.
    assert cuts(fits[1]) == [
        ("x2", pytest.approx(0.335)),
        ("x2", pytest.approx(0.105)),
        ("x1", pytest.approx(0.595)),
        ("x1", pytest.approx(0.69)),
    ]
    assert fits[1].tree_.root.split.gain == pytest.approx(0.311, abs=5e-4)


@pytest.mark.parametrize("order", [["x1", "x2"], ["x2", "x1"]])
def test_the_tie_of_two_thresholds_does_not_depend_on_rows_or_columns(order):
    X, y = datasets.load_sixteen_points(moved=True).xy()
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(y))
        fitted = CARTClassifier(**TEXT).fit(X[order].iloc[rows], y.iloc[rows])
        found = [(column, round(threshold, 3)) for column, threshold in cuts(fitted)]
        assert found == [("x2", 0.335), ("x2", 0.105), ("x1", 0.595), ("x1", 0.69)]


def test_with_the_printed_first_split_forced_the_printed_tree_appears():
    X, y = datasets.load_sixteen_points(moved=True).xy()
    first = {"path": [], "column": "x1", "threshold": 0.595}
    tree = TreeClassifier(criterion="entropy", stopping=None, pruning=None, forced_splits=[first]).fit(X, y).tree_
    assert (tree.root.split.column, tree.root.split.threshold) == ("x1", 0.595)
    assert tree.root.split.gain == pytest.approx(0.205, abs=5e-4)
    found = [(node.rows, node.impurity) for node in tree.nodes if node.impurity > 0]
    printed = [(16, 1.0), (10, 0.881), (4, 0.811), (6, 0.650), (2, 1.0)]
    assert found == [(rows, pytest.approx(impurity, abs=5e-4)) for rows, impurity in printed]


def test_thresholds_that_send_equal_values_high():
    X, y = datasets.load_sixteen_points(moved=True).xy()
    fitted = CARTClassifier(**TEXT, threshold_side="lt").fit(X, y)
    assert {node.split.side for node in fitted.tree_.nodes if node.split} == {"lt"}
    assert fitted.score(X, y) == 1.0
    at_the_threshold = X.iloc[[0]].assign(x2=fitted.tree_.root.split.threshold)
    path = fitted.decision_path(at_the_threshold).indices
    assert path[1] == fitted.tree_.root.children[1].id, "x2 < 0.335 is false: the second branch"


def printed_tree():
    """The kernel's tree of the print, whose first split is not the best one."""
    X, y = datasets.load_sixteen_points(moved=True).xy()
    first = {"path": [], "column": "x1", "threshold": 0.595}
    return (
        TreeClassifier(criterion="entropy", stopping=None, pruning=None, forced_splits=[first]).fit(X, y).tree_.kernel
    )


def test_merging_by_the_nodes_own_impurity_joins_the_pair_of_four_points_first():
    tree = printed_tree()
    assert sorted(tree.impurity[np.diff(tree.child_begin) > 0].round(3)) == [0.650, 0.811, 0.881, 1.0, 1.0]
    _, log = merge_leaves(tree)
    assert (tree.rows[log.node[0]], log.before[0]) == (4, 0.0)
    assert log.after[0] == pytest.approx(0.811, abs=5e-4)


def test_merging_weighted_by_rows_joins_the_pair_of_two_points_first():
    tree = printed_tree()
    _, log = merge_leaves(tree, weighted=True)
    pairs = {int(tree.rows[node]): after - before for node, _, before, after in log}
    assert tree.rows[log.node[0]] == 2
    assert (pairs[2], pairs[4]) == (0.125, pytest.approx(0.203, abs=5e-4))
    # A threshold between the two keeps the larger pair apart; the split above the smaller one gains less still.
    _, log = merge_leaves(tree, weighted=True, max_increase=0.15)
    assert tree.rows[log.node].tolist() == [2, 6]
