"""Tests and answers that are sums of columns: `_core` against plain Python, on random trees with missing values."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough import _core
from bough.testing import LinearNode, LinearTerm, linear_answer, linear_ends

NUMERIC, ORDERED, NOMINAL = 0, 1, 2
BASE = 2**60 + 1
KINDS = [NUMERIC, NUMERIC, ORDERED, NOMINAL]
LEVELS = [0, 0, 4, 4]
WAYS = {"majority": 1, "stop": 2, "spread": 4}
POSSIBLE = [
    LinearTerm(0, -1, 1.0, fill=0.125),
    LinearTerm(1, -1, 1.0, fill=2.5, scale=2.0, origin=BASE),
    LinearTerm(2, -1, 1.0, fill=1.5),
    LinearTerm(3, 0, 1.0, fill=0.25, scale=0.5),
    LinearTerm(3, 2, 1.0, fill=0.5, scale=0.5),
]
WEIGHTS = st.sampled_from([-1.5, -1 / 3, -0.1, 0.1, 0.7, 1.0, 2.5])


@st.composite
def some_terms(draw, least):
    chosen = draw(st.lists(st.sampled_from(POSSIBLE), min_size=least, unique_by=lambda t: (t.column, t.code)))
    chosen.sort(key=lambda t: (t.column, t.code))
    return [dataclasses.replace(term, weight=draw(WEIGHTS)) for term in chosen]


@st.composite
def some_nodes(draw, depth=3):
    node = LinearNode(draw(st.sampled_from([0.0, 1.0, -2.5, 7.0])), weight=draw(st.sampled_from([0.0, 1.0, 3.0])))
    if draw(st.booleans()):
        node.bias, node.model = draw(st.sampled_from([0.0, 0.3, -4.0])), draw(some_terms(0))
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return node
    node.terms, node.whole, node.closed = draw(some_terms(2)), draw(st.booleans()), draw(st.booleans())
    possible = st.sampled_from([-2.0, -0.5, 0.1, 0.6, 3.0])
    node.edges = sorted(draw(st.lists(possible, min_size=1, max_size=2, unique=True)))
    node.branches = draw(st.permutations(range(len(node.edges) + 1)))
    n = len(node.edges) + 1
    node.missing = draw(st.sampled_from([None, *range(n)]))
    node.majority = draw(st.integers(0, n - 1))
    node.children = [draw(some_nodes(depth - 1)) for _ in range(n)]
    return node


def told(terms):
    return [dataclasses.astuple(term) for term in terms]


def build(root, otherwise):
    """The kernel's tree and the nodes in its order."""
    builder, order = _core.TreeBuilder(routing=(True, WAYS[otherwise], 0, 0)), []

    def add(node, parent, branch):
        majority = -1 if node.majority is None else node.majority
        own = builder.add_node(parent, branch, value=node.answer, weight=node.weight, majority=majority)
        order.append(node)
        if node.bias is not None:
            builder.set_model(node.bias, told(node.model))
        if not node.children:
            return
        missing = -1 if node.missing is None else node.missing
        facts = {"side": int(not node.closed), "missing": missing, "found": 7, "score": 0.5}
        if len(node.edges) == 1:
            builder.add_threshold(0, float(node.edges[0]), low=node.branches[0], **facts)
        else:
            builder.add_intervals(0, [float(e) for e in node.edges], list(node.branches), **facts)
        builder.ask_sum(told(node.terms), whole=node.whole)
        for at, child in enumerate(node.children):
            add(child, own, at)

    add(root, -1, 0)
    return builder.freeze(), order


@st.composite
def some_rows(draw):
    cells = [
        st.sampled_from([None, 0.0, -1.25, 0.3, 1e9]),
        st.sampled_from([None, BASE - 1, BASE, BASE + 3]),
        st.sampled_from([None, 0, 1, 3]),
        st.sampled_from([None, 0, 1, 2]),
    ]
    return draw(st.lists(st.tuples(*cells), min_size=1, max_size=8))


def columns_of(rows):
    first, second, third, fourth = zip(*rows, strict=True)
    return [
        (np.array([np.nan if x is None else x for x in first]), None, NUMERIC),
        (np.array([0 if x is None else x for x in second]), np.array([x is None for x in second]), NUMERIC),
        (np.array([-1 if x is None else x for x in third], dtype=np.int32), None, ORDERED),
        (np.array([-1 if x is None else x for x in fourth], dtype=np.int32), None, NOMINAL),
    ]


@given(some_nodes(), some_rows(), st.sampled_from(sorted(WAYS)))
def test_random_trees_of_sums_route_and_answer_as_plain_python_does(root, rows, otherwise):
    tree, order = build(root, otherwise)
    tree.check_columns(KINDS, LEVELS)
    columns = columns_of(rows)
    nodes, values = _core.apply(tree, columns), _core.spread_values(tree, columns, n_threads=2)
    for row, node, value in zip(rows, nodes, values, strict=True):
        ends = linear_ends(root, row, otherwise)
        share_of = {id(end): share for end, share in ends}
        assert share_of[id(order[node])] >= max(share_of.values()) * (1 - 1e-9)
        parts = [share * linear_answer(end, row) for end, share in ends]
        assert value == pytest.approx(sum(parts), rel=0, abs=1e-12 * sum(map(abs, parts)))
        if len(ends) == 1:
            assert value == linear_answer(ends[0][0], row)
    assert (_core.spread_values(tree, columns) == values).all()
    anywhere = np.arange(len(rows), dtype=np.int32) % len(tree)
    answers = _core.answer_values(tree, columns, anywhere)
    assert answers.tolist() == [linear_answer(order[n], row) for n, row in zip(anywhere, rows, strict=True)]
    indptr, indices = _core.decision_path(tree, columns)
    assert indices[indptr[1:] - 1].tolist() == nodes.tolist()


@given(some_nodes(), st.sampled_from(sorted(WAYS)))
def test_sums_survive_arrays_pickles_and_cuts(root, otherwise):
    tree, order = build(root, otherwise)
    arrays = tree.to_arrays()
    for again in (_core.Tree.from_arrays(arrays, tree.routing), pickle.loads(pickle.dumps(tree)), tree.cut([])[0]):
        assert again.to_arrays().keys() == arrays.keys()
        same = [name for name in arrays if name.startswith(("lin_", "model_", "split_")) and name != "split_adjusted"]
        assert all((again.to_arrays()[name] == arrays[name]).all() for name in same)
    stump, origin = tree.cut([0])
    assert origin.tolist() == [0]
    assert len(stump.lin_begin) == 1
    assert len(stump.model_bias) == (order[0].bias is not None)


def small(*, whole=False, **more):
    builder = _core.TreeBuilder(routing=(True, 1, 0, 3))
    builder.add_node(-1, 0, value=0.0, majority=0, weight=4.0, risk=3.0)
    builder.add_threshold(0, 1.0, **more)
    builder.ask_sum([(0, -1, 1.0, 0.5, 1.0, 0), (3, 1, 2.0, 0.25, 1.0, 0)], whole=whole)
    builder.add_levels(3, [0, 1], [0, 1], role=2, score=0.9, adjusted=0.5)
    builder.add_node(0, 0, value=1.0, weight=3.0)
    builder.add_node(0, 1, value=2.0, weight=1.0)
    return builder.freeze()


def test_the_column_of_a_sum_is_the_one_that_weighs_most():
    assert small().split_column.tolist() == [3, 3]
    assert small().split_feature.tolist() == [0, -1]


def test_a_tree_without_sums_has_empty_lists():
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    arrays = builder.freeze().to_arrays()
    assert [len(arrays[name]) for name in ("split_feature", "lin_column", "model_index", "model_bias")] == [0] * 4
    older = {name: array for name, array in arrays.items() if not name.startswith(("lin_", "model_", "split_feature"))}
    assert len(_core.Tree.from_arrays(older, (True, 1, 0, 0))) == 1


def test_surrogates_serve_a_sum_that_is_missing():
    rows = [(None, BASE, 0, 1), (None, BASE, 0, None), (0.0, BASE, 0, None)]
    assert _core.apply(small(whole=True), columns_of(rows)).tolist() == [2, 1, 1]


def test_a_level_never_seen_goes_by_its_own_rule():
    columns = columns_of([(0.0, BASE, 0, 0)])
    columns[3] = (np.array([-2], dtype=np.int32), None, NOMINAL)
    with pytest.raises(_core.InvalidInput, match="never seen"):
        _core.apply(small(), columns)
    arrays = small().to_arrays()
    assert _core.apply(_core.Tree.from_arrays(arrays, (True, 2, 0, 0)), columns).tolist() == [1]
    assert _core.apply(_core.Tree.from_arrays(arrays, (True, 1, 0, 2)), columns).tolist() == [0]


def test_pruning_with_rows_sends_them_by_sums():
    rows = [(0.0, BASE, 0, 0), (0.5, BASE, 0, 1), (2.0, BASE, 0, None), (None, BASE, 0, None)]
    columns = columns_of(rows)
    table = _core.rank_table(columns, LEVELS, None, 1)
    target = {"classes": 0, "value": np.array([1.0, 2.0, 2.0, 1.0])}
    pruned, _ = _core.prune_reduced_error(small(), table, target, {}, np.ones(4))
    assert len(pruned) == 3


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("lin_weight", 0, 0.0),
        ("lin_weight", 1, np.nan),
        ("lin_fill", 0, np.inf),
        ("lin_scale", 0, 0.0),
        ("lin_code", 0, -2),
        ("lin_column", 0, -1),
        ("lin_begin", 1, 1),
        ("split_feature", 0, 1),
        ("split_feature", 1, 0),
        ("split_column", 0, 0),
        ("split_kind", 0, 1),
        ("split_value_type", 0, 1),
    ],
)
def test_arrays_that_break_a_promise_are_refused(name, at, value):
    arrays = {key: np.array(array) for key, array in small().to_arrays().items()}
    arrays[name][at] = value
    with pytest.raises(_core.InvalidInput):
        _core.Tree.from_arrays(arrays, (True, 1, 0, 0))


@pytest.mark.parametrize("kinds", [[NOMINAL, 0, 0, NOMINAL], [0, 0, 0, NUMERIC], [0, 0, 0]])
def test_sums_must_fit_the_columns(kinds):
    with pytest.raises(_core.InvalidInput, match=r"lin_|split_"):
        small().check_columns(kinds, [5] * len(kinds))


def test_what_needs_single_columns_says_so():
    columns = columns_of([(0.0, BASE, 0, 0)])
    with pytest.raises(_core.InvalidInput, match="need tests on single columns; node 0 asks several columns at once"):
        _core.shapley_values(small(), columns)
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.set_model(1.0, [(0, -1, 1.0, 0.5, 1.0, 0)])
    with pytest.raises(_core.InvalidInput, match="node 0 answers by a linear model"):
        _core.shapley_values(builder.freeze(), columns)
    builder = _core.TreeBuilder([1.0, 1.0])
    builder.add_node(-1, 0, label=0, counts=[(0, 1.0)])
    with pytest.raises(_core.InvalidInput, match="classification tree"):
        builder.set_model(1.0, [])


def test_answers_need_a_node_for_each_row_and_columns_that_fit():
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.set_model(1.0, [(3, 1, 1.0, 0.5, 1.0, 0)])
    tree, columns = builder.freeze(), columns_of([(0.0, BASE, 0, 1)])
    assert _core.answer_values(tree, columns, np.zeros(1, dtype=np.int32)).tolist() == [2.0]
    with pytest.raises(_core.InvalidInput, match="nodes"):
        _core.answer_values(tree, columns, np.zeros(2, dtype=np.int32))
    with pytest.raises(_core.InvalidInput, match=r"nodes\[0\]"):
        _core.answer_values(tree, columns, np.ones(1, dtype=np.int32))
    with pytest.raises(_core.InvalidInput, match="asks column 3"):
        _core.answer_values(tree, columns[:2], np.zeros(1, dtype=np.int32))


def test_what_a_builder_cannot_ask_is_refused():
    terms = [(0, -1, 1.0, 0.5, 1.0, 0), (3, 1, 2.0, 0.25, 1.0, 0)]
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    with pytest.raises(_core.InvalidInput, match="add the split first"):
        builder.ask_sum(terms)
    builder.add_levels(3, [0, 1], [0, 1])
    with pytest.raises(_core.InvalidInput, match="threshold or intervals"):
        builder.ask_sum(terms)
    builder.add_threshold(0, 1.0)
    with pytest.raises(_core.InvalidInput, match="at least two terms"):
        builder.ask_sum([])
    builder.ask_sum(terms)
    with pytest.raises(_core.InvalidInput, match="one sum"):
        builder.ask_sum(terms)
