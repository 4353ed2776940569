"""The walk notices every kind of wrong tree, and forgives what is a tie."""

from dataclasses import replace

import pytest

from bough._core import TreeBuilder
from bough.testing import (
    Column,
    Levels,
    Problem,
    Reading,
    Rules,
    Surrogate,
    Threshold,
    assert_same_tree,
    grow,
    read_tree,
)

X0 = Column("numeric", [1, 2, 3, 4, 5, 6, 7, None])
X1 = Column("nominal", [0, 0, 1, 1, 2, 2, 1, 2])
X2 = Column("ordered", [0, 0, 1, 1, 2, 3, 3, 3])
Y = [0, 0, 0, 1, 1, 1, 1, 1]


def problem(**rules):
    return Problem([X0, X1, X2], Y, rules=Rules(**{"max_depth": 1, **rules}))


def right():
    """The one right stump, written by hand: x0 is perfect where known, x2 the best that is always known."""
    root = grow(problem())
    leaves = [
        Reading(n_rows=len(child.rows), weight=child.weight, risk=child.risk, counts=child.counts, answer=child.answer)
        for child in root.children
    ]
    return Reading(
        split=root.split,
        n_rows=8,
        weight=8.0,
        impurity=root.impurity,
        risk=3.0,
        counts=[3.0, 5.0],
        answer=1,
        gain=root.primary.gain,
        competitors=[(other.split, other.gain) for other in root.competitors],
        surrogates=list(root.surrogates),
        majority=root.majority,
        children=leaves,
    )


def test_the_right_tree_passes():
    found = assert_same_tree(problem(), right())
    assert (found.nodes, found.ties) == (3, [])
    assert found.root.children[0].rows == [0, 1, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_rows": 7}, "7 rows, but 8 reach it"),
        ({"weight": 7.0}, "weight"),
        ({"impurity": 0.4}, "impurity"),
        ({"risk": 2.0}, "risk"),
        ({"counts": [4.0, 4.0]}, "counts"),
        ({"answer": 0}, "answer"),
        ({"gain": 0.1}, "claims a gain"),
        ({"competitors": []}, "competitors"),
        ({"surrogates": []}, "surrogates"),
        ({"majority": 1 - grow(problem()).majority}, "majority"),
        ({"majority": -1}, "majority"),
        ({"split": Threshold(0, 2.5), "gain": None}, "scores"),
        ({"split": None, "children": []}, "a leaf"),
    ],
)
def test_what_is_wrong_is_named(change, message):
    with pytest.raises(AssertionError, match=rf"node \(\): .*{message}"):
        assert_same_tree(problem(), replace(right(), **change))


def test_a_wrong_threshold_competitor_surrogate_or_orientation_is_found():
    tree = right()
    primary = tree.split
    with pytest.raises(AssertionError, match="threshold"):
        assert_same_tree(problem(), replace(tree, split=replace(primary, value=primary.value + 0.1)))
    with pytest.raises(AssertionError, match="low values are in branch 1"):
        assert_same_tree(problem(), replace(tree, split=replace(primary, low=1), majority=None, surrogates=None))
    (split, gain), *rest = tree.competitors
    with pytest.raises(AssertionError, match=r"but .* scores"):
        assert_same_tree(problem(), replace(tree, competitors=[*rest, (split, gain)]))
    first, *others = tree.surrogates
    with pytest.raises(AssertionError, match="agreement"):
        assert_same_tree(problem(), replace(tree, surrogates=[replace(first, agreement=0.5), *others]))
    wrong = Surrogate(Levels(1, {0: 1, 1: 0, 2: 0}), 0.0, -1.0)
    with pytest.raises(AssertionError, match="agreement of Levels"):
        assert_same_tree(problem(), replace(tree, surrogates=[wrong, *others]))


def test_a_split_where_none_may_be_is_found():
    with pytest.raises(AssertionError, match="leaf by rule"):
        assert_same_tree(problem(max_depth=0), right())
    with pytest.raises(AssertionError, match="leaf by rule"):
        assert_same_tree(problem(min_samples_split=9), right())
    with pytest.raises(AssertionError, match="at least 4"):
        assert_same_tree(problem(min_samples_leaf=4), right())
    with pytest.raises(AssertionError, match="decreases impurity"):
        assert_same_tree(problem(min_impurity_decrease=0.49), right())


def test_a_tie_is_forgiven_and_noted():
    twins = Problem([Column("numeric", [1, 2, 3]), Column("numeric", [1, 2, 3])], [0, 0, 1])
    found = assert_same_tree(twins, Reading(Threshold(1, 2.5), children=[Reading(), Reading()]))
    assert len(found.ties) == 1
    assert "Threshold(column=1" in found.ties[0]


def test_a_leaf_of_a_pruned_tree_needs_no_reason():
    assert assert_same_tree(problem(), Reading(), pruned=True).nodes == 1


def test_a_tree_of_the_kernel_is_read_from_its_arrays():
    tree = right()
    builder = TreeBuilder(class_scale=[1.0, 1.0])
    for node, (parent, branch, part) in enumerate([(-1, 0, tree), (0, 0, tree.children[0]), (0, 1, tree.children[1])]):
        builder.add_node(
            parent,
            branch,
            label=int(part.answer),
            counts=[(k, count) for k, count in enumerate(part.counts) if count],
            rows=part.n_rows,
            weight=part.weight,
            impurity=part.impurity or 0.0,
            risk=part.risk,
            majority=tree.majority if node == 0 else -1,
        )
        if node:
            continue
        builder.add_threshold(tree.split.column, tree.split.value, score=tree.gain)
        for split, gain in tree.competitors:
            add(builder, split, role=1, score=gain)
        for surrogate in tree.surrogates:
            add(builder, surrogate.split, role=2, score=surrogate.agreement, adjusted=surrogate.adjusted)
    reading = read_tree(builder.freeze())
    found = assert_same_tree(problem(), reading)
    assert (found.nodes, found.ties) == (3, [])
    assert reading.competitors == tree.competitors
    assert reading.surrogates == tree.surrogates


def add(builder, split, **numbers):
    if isinstance(split, Threshold):
        builder.add_threshold(split.column, split.value, low=split.low, **numbers)
    else:
        builder.add_levels(split.column, list(split.branches), list(split.branches.values()), **numbers)
