"""Pruning by hand."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError


def test_a_node_by_itself_its_number_or_its_path(small):
    for where in (small.node(3), 3, (1, 0)):
        smaller, log, origin = small.prune_at(where)
        assert [node.id for node in smaller if not node.is_leaf] == [0, 2]
        assert log == [((1, 0), "leaf", pytest.approx(0.0), pytest.approx(0.0))]
        assert origin.tolist() == [0, 1, 2, 3, 10, 11]
    assert small.n_nodes == 12


def test_several_at_once_and_those_inside_others(small):
    smaller, log, origin = small.prune_at((1,), 5, 1)
    assert [entry[0] for entry in log] == [(1,)]
    assert origin.tolist() == [0, 1, 2]
    assert smaller.n_leaves == 2
    assert small.prune_at(0).tree.n_nodes == 1
    same, log, origin = small.prune_at(1)  # a leaf
    assert (log, len(origin)) == ([], small.n_nodes)
    assert same.n_leaves == small.n_leaves


def test_what_it_costs_and_the_complexities_of_what_is_left():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    tree = bough.CARTClassifier(pruning=None).fit(X, y).tree_
    smaller, log, origin = tree.prune_at((0, 1), (1, 0))
    leaf_risk = [sum(node.risk for node in t if node.is_leaf) for t in (tree, smaller)]
    assert leaf_risk[1] - leaf_risk[0] == pytest.approx(sum(after - before for *_, before, after in log))
    assert smaller.labels(np.arange(smaller.n_nodes)).tolist() == tree.labels(origin).tolist()
    for node in smaller:  # a leaf has none, and no node more than its parent
        assert node.complexity == 0 if node.is_leaf else node.complexity >= 0
        assert node.parent is None or node.complexity <= node.parent.complexity
    root = smaller.root
    gain_per_leaf = (root.risk - leaf_risk[1]) / (smaller.n_leaves - 1)
    assert root.complexity >= gain_per_leaf - 1e-12  # pruned at the root only after the weakest links below


def test_what_is_refused(small, make_small):
    with pytest.raises(ParameterError, match="at least one"):
        small.prune_at()
    with pytest.raises(ParameterError, match="another tree"):
        small.prune_at(make_small().root)
    with pytest.raises(IndexError):
        small.prune_at(12)
    with pytest.raises(ParameterError, match="path"):
        small.prune_at("root")
