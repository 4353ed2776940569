"""What drawings fold: never more than is lost by need, the same for any room, and not what is rare and large."""

import itertools

import numpy as np
import pytest

import bough
from bough.model.folding import fold, shows_rarest
from bough.model.worth import rarest_leaf, worth_order

FULL = {"pruning": None, "min_samples_leaf": 2, "min_samples_split": 4}


def rare(seed, n=800):
    """A table in which one class in twenty is found by a few small leaves."""
    rng = np.random.default_rng(seed)
    X = {"x": rng.normal(size=n), "z": rng.normal(size=n), "c": rng.choice(list("abcdef"), n)}
    found = (X["x"] > 0.9) & (X["z"] > 0.3) | (rng.random(n) < 0.01)
    return X, np.where(found, "ill", "well")


@pytest.mark.parametrize("seed", range(4))
def test_the_largest_leaf_of_the_rarest_class_is_shown_where_there_is_room(seed):
    X, y = rare(seed)
    tree = bough.CARTClassifier(**FULL).fit(X, y).tree_
    ill = [node for node in tree if node.is_leaf and node.answer == "ill"]
    largest = tree.nodes[rarest_leaf(tree)]
    assert largest.rows == max(node.rows for node in ill)
    assert largest.answer == "ill"
    least = len(largest.path) + 1  # leaves that the way to it needs
    for most in range(least, tree.n_leaves):
        assert shows_rarest(tree, fold(tree, max_leaves=most))
    assert f"of {largest.rows} rows" in tree.draw(max_nodes=2 * least - 1).partition("→ ill │ ")[2]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_shown_is_nested_and_parents_come_first(seed):
    tree = bough.CARTClassifier(**FULL).fit(*rare(seed)).tree_
    order = worth_order(tree)
    place = {node: number for number, node in enumerate(order)}
    assert sorted(order) == [node.id for node in tree if not node.is_leaf]
    for node in order:
        above = tree.nodes[node].parent
        assert above is None or place[above.id] < place[node]


def lost(tree, parts):
    """The impurity that is left at the ends of a drawing."""
    ends = [part.node(tree) for part in parts if part.kind != "inner"]
    return sum(node.weight * node.impurity for node in ends)


@pytest.mark.parametrize("seed", range(3))
def test_no_folding_of_as_many_leaves_loses_less(seed):
    rng = np.random.default_rng(seed)
    X = {"x": rng.normal(size=60), "z": rng.normal(size=60)}
    tree = bough.CARTRegressor(max_depth=4, **FULL).fit(X, X["x"] * X["z"] + rng.normal(size=60)).tree_
    inner = [node.id for node in tree if not node.is_leaf]
    best = {}  # the least that is lost by any way to open so many nodes
    for size in range(1, len(inner) + 1):
        for opened in itertools.combinations(inner, size):
            if any(node and tree.nodes[node].parent.id not in opened for node in opened):
                continue
            ends = [n for n in tree if n.id not in opened and n.parent is not None and n.parent.id in opened]
            left = sum(node.weight * node.impurity for node in ends)
            best[size] = min(best.get(size, np.inf), left)
    checked = 0
    for size in range(2, len(inner)):
        before = max((best[size] - best[k]) / (size - k) for k in range(1, size))
        after = min((best[k] - best[size]) / (k - size) for k in range(size + 1, len(inner) + 1))
        if before < after - 1e-9:  # a corner of the lower hull: there the best are nested
            assert lost(tree, fold(tree, max_leaves=size + 1)) == pytest.approx(best[size])
            checked += 1
    assert checked
