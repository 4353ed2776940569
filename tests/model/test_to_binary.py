"""The binary tree of a multiway tree answers every case as the tree does, whatever is missing, however it is routed."""

import itertools

import numpy as np
import pytest

import bough
from bough import _core
from bough.model import Tree
from bough.model.files import load_model, save_model
from bough.recipe import MinRows
from bough.table import Column, Schema, encode_rows, kernel_columns

SCHEMA = Schema(
    (
        Column("x", "numeric", "float64"),
        Column("size", "ordered", "levels", ("S", "M", "L", "XL")),
        Column("color", "nominal", "levels", tuple("abcdef")),
        Column("shape", "nominal", "levels", tuple("uvw")),
    )
)
ROUTINGS = [
    (surrogates, fallback, absent, unseen)
    for surrogates, fallback, absent, unseen in itertools.product((False, True), (1, 2, 4), (0, 1, 2), (0, 1, 2))
    if (absent + unseen) % 2 == 0 or fallback == 4  # not all of them: a test should be quick
]


def branches_for(rng, parts, branches):
    """A branch for each of the parts, so that each branch has one."""
    own = np.r_[np.arange(branches), rng.integers(0, branches, parts - branches)]
    return rng.permutation(own).tolist()


def add_test(builder, rng):
    """A random test at the node added last; returns the number of its branches."""
    column = int(rng.integers(0, 4))
    way = rng.choice(["routing", "own", "joined"])
    if column >= 2 and rng.random() < 0.3:
        terms = [(2, int(rng.integers(0, 6)), bool(rng.integers(0, 2))), (3, int(rng.integers(0, 3)), False)]
        branches = 2
        missing = {"routing": -1, "own": 2, "joined": int(rng.integers(0, 2))}[way]
        builder.add_conjunction(terms, low=int(rng.integers(0, 2)), missing=missing, score=0.5)
        return branches + (way == "own")
    parts = {0: 5, 1: 4, 2: 5, 3: 3}[column]  # a level of color is always absent
    branches = int(rng.integers(1 if way == "own" else 2, parts + 1))
    missing = {"routing": -1, "own": branches, "joined": int(rng.integers(0, branches))}[way]
    if column >= 2:
        codes = sorted(rng.choice(6 if column == 2 else 3, parts, replace=False).tolist())
        builder.add_levels(column, codes, branches_for(rng, parts, branches), missing=missing, score=0.5)
    elif branches == 2 and rng.random() < 0.5:
        edge = float(rng.integers(-2, 3)) if column == 0 else int(rng.integers(0, 4))
        builder.add_threshold(column, edge, side=int(rng.integers(0, 2)), low=int(rng.integers(0, 2)), missing=missing)
    else:
        edges = [-1.5, -0.5, 0.0, 1.0] if column == 0 else [0, 1, 2]
        side = int(rng.integers(0, 2))
        builder.add_intervals(column, edges, branches_for(rng, parts, branches), side=side, missing=missing, score=0.5)
    return branches + (way == "own")


def add_surrogates(builder, rng, branches):
    for column in rng.permutation(4)[: rng.integers(0, 3)].tolist():
        reached = rng.permutation(branches)[: max(2, int(rng.integers(2, branches + 1)))]
        if column >= 2:
            codes = list(range(3))
            own = rng.choice(reached, 3).tolist()
            builder.add_levels(column, codes, own, role=2, score=0.75, adjusted=0.5)
        else:
            edges = [0.0] if column == 0 else [1]
            builder.add_intervals(column, edges, reached[:2].tolist(), role=2, score=0.75, adjusted=0.5)


def random_tree(rng, routing):
    """A regression tree whose nodes answer with their number."""
    builder = _core.TreeBuilder([], routing)
    todo = [(-1, 0, 0)]
    number = -1
    while todo:
        number += 1
        parent, branch, depth = todo.pop()
        facts = {"value": float(number), "rows": 3, "weight": float(rng.choice([0.0, 1.0, 2.0, 3.5, 7.25]))}
        if depth == 3 or (depth and rng.random() < 0.4):
            builder.add_node(parent, branch, **facts)
            continue
        # The node is written before its test, but its majority is one of the branches: throw the dice twice alike.
        state = rng.bit_generator.state
        branches = add_test(_Nothing(), rng)
        rng.bit_generator.state = state
        builder.add_node(parent, branch, majority=number % (branches + 1) - 1, **facts)
        assert add_test(builder, rng) == branches
        add_surrogates(builder, rng, branches)
        todo.extend((number, k, depth + 1) for k in reversed(range(branches)))
    return Tree.by_hand(builder.freeze(), SCHEMA)


class _Nothing:
    """A builder that builds nothing."""

    def __getattr__(self, name):
        return lambda *arguments, **more: None


def random_columns(rng, rows):
    x = rng.integers(-8, 9, rows) / 4
    x[rng.random(rows) < 0.25] = np.nan
    codes = [rng.integers(-2, n, rows).astype("i4") for n in (4, 6, 3)]
    return [(x, None, 0), (codes[0], None, 1), (codes[1], None, 2), (codes[2], None, 2)]


def assert_binary(tree, binary):
    assert max(np.diff(binary.arrays.child_begin)) <= 2
    leaves = [t.n_leaves for t in (tree, binary)]
    assert leaves[0] == leaves[1]


@pytest.mark.parametrize("routing", ROUTINGS)
def test_random_trees_answer_the_same(routing, budget):
    rng = np.random.default_rng(ROUTINGS.index(routing))
    for _ in range(max(1, round(25 * budget))):
        tree = random_tree(rng, routing)
        binary = tree.to_binary()
        assert_binary(tree, binary)
        columns = random_columns(rng, 200)
        ends, new_ends = (_core.apply(t.kernel, columns, 1) for t in (tree, binary))
        assert tree.arrays.value[ends].tolist() == binary.arrays.value[new_ends].tolist()
        if routing[1] == 4:
            old, new = (_core.spread_values(t.kernel, columns, 1) for t in (tree, binary))
            assert new == pytest.approx(old, rel=1e-12, abs=1e-12)


def test_every_kind_by_hand(make_kinds, tmp_path):
    tree = make_kinds()
    binary = tree.to_binary()
    assert_binary(tree, binary)
    assert [child.condition for child in binary.root.children] == ["age is known", "age is missing"]
    known = binary.node((0,))
    assert [child.condition for child in known.children] == ["age <= 18.5", "age > 18.5"]
    assert [child.condition for child in known.children[1].children] == ["age <= 65", "age > 65"]
    assert (known.counts, known.weight) == ({"no": 10.0, "yes": 6.0}, 16.0)
    assert binary.root.counts == tree.root.counts
    assert binary.root.competitors[0].describe(2) == "color or shape is missing"
    save_model(tmp_path / "m", {}, binary)
    assert load_model(tmp_path / "m")[1] == binary
    assert binary.to_binary() == binary


def test_a_conjunction_with_a_branch_of_its_own_for_missing_values():
    for low in (0, 1):
        builder = _core.TreeBuilder([], (False, 2, 0, 0))
        builder.add_node(-1, 0, value=0.0)
        builder.add_conjunction([(2, 0, False), (3, 1, False)], low=low, missing=2)
        for branch in range(3):
            builder.add_node(0, branch, value=1.0 + branch)
        tree = Tree.by_hand(builder.freeze(), SCHEMA)
        rows = {
            "x": [0.0] * 5,
            "size": ["S"] * 5,
            "color": ["a", "a", None, None, "b"],
            "shape": ["v", "u", "v", "u", None],
        }
        expected = [1.0 + low, 2.0 - low, 3.0, 2.0 - low, 2.0 - low]
        for one in (tree, tree.to_binary()):
            assert one.values(one.apply(rows)).tolist() == expected


def test_intervals_become_thresholds_where_one_will_do():
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_intervals(0, [1.0, 2.0, 3.0], [3, 0, 1, 2])
    for branch in range(4):
        builder.add_node(0, branch, value=float(branch), weight=1.0, rows=1)
    binary = Tree.by_hand(builder.freeze(), SCHEMA).to_binary()
    conditions = [node.condition for node in binary if node.id]
    # Branch 0 lies between others; once it is gone its place belongs to either side.
    assert conditions == ["1 < x <= 2", "x <= 1 or x > 2", "2 < x <= 3", "x <= 2 or x > 3", "x > 3", "x <= 3"]


def test_what_is_known_of_the_nodes_between():
    X = {"color": list("aabbbccccc"), "x": [1.0] * 10}
    y = np.array([0.0, 2, 4, 4, 4, 9, 9, 9, 9, 9])
    clf = bough.ID3Classifier().fit({"color": X["color"]}, (y > 3).astype(int) + (y > 5))
    tree = clf.tree_
    binary = tree.to_binary()
    between = binary.node((1,))
    assert between.counts == {0: 0.0, 1: 3.0, 2: 5.0}
    assert (between.rows, between.weight, between.answer, between.risk) == (8, 8.0, 2, pytest.approx(0.3))
    from bough.learn.importance import column_importance

    gains = [column_importance(t.kernel, 1, surrogates=True).tolist() for t in (tree, binary)]
    assert gains[0] == gains[1]


@pytest.mark.parametrize("weighted", [False, True])
def test_nodes_between_of_numbers_have_the_mean_and_the_risk_of_their_rows(weighted):
    rng = np.random.default_rng(3)
    X = {name: rng.choice(list(levels), 120).astype(object) for name, levels in (("a", "abcde"), ("b", "uvwx"))}
    y = rng.normal(size=120) + np.array(["abcde".index(a) ** 2 for a in X["a"]]) + 3.0 * (X["b"] == "w")
    weights = rng.integers(1, 4, 120).astype(float) if weighted else np.ones(120)
    given = {"branching": "per_level", "missing": "majority_branch", "pruning": None, "stopping": MinRows(12, 2)}
    tree = bough.TreeRegressor(**given).fit(X, y, sample_weight=weights).tree_
    binary = tree.to_binary()
    assert max(np.diff(tree.arrays.child_begin)) == 5
    assert binary.n_nodes > tree.n_nodes + 3
    begin, nodes = binary.decision_path(X)
    rows = np.repeat(np.arange(120), np.diff(begin))
    for node in binary:
        here = rows[nodes == node.id]
        mean = np.average(y[here], weights=weights[here])
        assert (node.rows, node.weight) == (len(here), weights[here].sum())
        assert node.answer == pytest.approx(mean)
        assert node.risk == pytest.approx(weights[here] @ (y[here] - mean) ** 2 / weights.sum(), abs=1e-12)


def test_a_grown_tree_with_missing_values_in_parts():
    rng = np.random.default_rng(5)
    X = {name: rng.choice(list(levels), 300).astype(object) for name, levels in (("a", "abcd"), ("b", "uvw"))}
    X["x"] = rng.normal(size=300)
    y = (X["a"] == "a") ^ (X["b"] == "u") ^ (X["x"] > 0.5)
    for name, gaps in (("a", 40), ("b", 25)):
        X[name][rng.choice(300, gaps, replace=False)] = None
    clf = bough.C45Classifier().fit(X, y)
    tree = clf.tree_
    binary = tree.to_binary()
    columns = kernel_columns(tree.schema, encode_rows(tree.schema, X))
    assert max(np.diff(tree.arrays.child_begin)) > 2
    old, new = (_core.spread_probabilities(t.kernel, columns, 1) for t in (tree, binary))
    assert new == pytest.approx(old, abs=1e-12)


def test_a_wide_test_and_a_deep_tree(chain):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_levels(0, list(range(1000)), list(range(1000)))
    for branch in range(1000):
        builder.add_node(0, branch, value=float(branch), weight=1.0, rows=1)
    schema = Schema((Column("x", "nominal", "levels", tuple(range(1000))),))
    tree = Tree.by_hand(builder.freeze(), schema)
    codes = np.arange(1000, dtype="i4")
    binary = tree.to_binary()
    assert binary.depth == 999
    assert binary.arrays.value[_core.apply(binary.kernel, [(codes, None, 2)], 1)].tolist() == codes.tolist()
    assert chain.to_binary() == chain
