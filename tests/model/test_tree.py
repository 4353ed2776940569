"""bough.Tree: sizes, views of nodes and splits, listing, frames, equality and pickling."""

import copy
import io
import math
import pickle
import sys

import joblib
import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.model import Tree


def test_sizes(small):
    assert (small.n_nodes, small.n_leaves, small.depth, len(small)) == (12, 7, 5, 12)
    assert small.columns_used == ("age", "job", "size", "born", "count")
    assert small.mean_tests == pytest.approx((10 + 6 + 3 + 2 + 1) / 10)
    assert repr(small) == "<classification tree for buys: 12 nodes, 7 leaves, depth 5>"


def test_nodes_are_found_by_id_and_by_path(small):
    assert [node.id for node in small.nodes] == list(range(12))
    for node in small.nodes:
        assert small.node(node.id) == small.node(node.path) == node
        assert node.depth == len(node.path)
        assert all(child.parent == node and child.branch == k for k, child in enumerate(node.children))
    assert small.node((1, 0, 1, 1)).id == small.nodes[-5].id == 7
    assert [node.id for node in small.nodes[2:4]] == [2, 3]
    assert len({small.node(3), small.node(3), small.root}) == 2
    for bad in (12, -13, (2,), (0, 0), (-1,)):
        with pytest.raises(IndexError):
            small.node(bad)


def test_a_node_shows_its_facts(small):
    root = small.root
    assert (root.rows, root.weight, root.impurity, root.deviation) == (10, 10.0, 0.54, None)
    assert (root.risk, root.complexity) == (4.0 / 9.5, 3.0 / 9.5)
    assert root.parent is None
    assert root.condition == ""
    assert root.answer == "no"
    assert root.counts == {"no": 6.0, "yes": 3.0, "maybe so": 1.0}
    assert root.probabilities == {"no": 6 / 9.5, "yes": 3 / 9.5, "maybe so": 0.5 / 9.5}
    assert not root.is_leaf
    leaf = small.node((1, 2))
    assert leaf.is_leaf
    assert (leaf.answer, leaf.condition, leaf.split, leaf.competitors, leaf.missing) == (
        "maybe so", "job = C", None, (), "",
    )  # fmt: skip
    assert repr(leaf) == "<leaf 11: job = C: maybe so, 1 rows>"


def test_splits_describe_themselves(small):
    split = small.root.split
    assert (split.role, split.kind, split.column, split.test.column) == ("primary", "threshold", "age", 0)
    assert (split.threshold, split.side, split.low, split.gain, split.found) == (38.5, "le", 0, 0.25, "exact")
    assert (split.levels, split.agreement, split.adjusted, split.n_branches) == (None, None, None, 2)
    assert [split.describe(0), split.describe(1)] == ["age <= 38.5", "age > 38.5"]
    levels, dates = small.root.competitors
    assert (levels.kind, levels.found, levels.levels, levels.threshold) == ("levels", "ordered", (("C",), ("A",)), None)
    assert [levels.describe(0), levels.describe(1)] == ["job = C", "job = A"]
    assert [dates.describe(0), dates.describe(1)] == ["born > 2020-02-29", "born <= 2020-02-29"]
    job, size = small.root.surrogates
    assert (job.role, job.gain, job.agreement, job.adjusted) == ("surrogate", None, 0.9, 0.75)
    assert job.describe(0) == "job in {A, C}"
    assert [size.describe(0), size.describe(1)] == ["size > S", "size <= S"]
    assert small.node((1,)).split.n_branches == 3
    assert small.node((1, 0, 1)).split.describe(0) == "born < 2020-03-01"
    assert small.node((1, 0, 1, 1)).split.describe(1) == "count > 18446744073709551615"
    with pytest.raises(IndexError):
        split.describe(2)
    assert repr(split) == "<primary split: age <= 38.5; gain 0.25>"


def test_where_missing_values_go(small, make_small):
    assert small.root.missing == (
        "asks job in {A, C}, then size > S: yes as age <= 38.5, no as age > 38.5; else as age > 38.5"
    )
    assert small.node((1,)).missing == "goes with job = A"
    assert small.node((1, 0)).missing == "stops here"
    stopping = make_small((False, 2, 0, 0))
    assert stopping.root.missing == "stops here"
    assert stopping.root.missing_branch is None
    spreading = make_small((False, 4, 0, 0))
    assert spreading.root.missing == "goes down all branches in parts"
    assert spreading.root.missing_branch is None
    assert "else all of them in parts" in spreading.listing()


def test_the_listing_is_numbered_by_the_ids_of_nodes(small, make_small):
    lines = small.listing().splitlines()
    assert lines[0] == (
        "0 if age <= 38.5 then node 1 elseif age > 38.5 then node 2 "
        "else if job in {A, C} then node 1 elseif job = B then node 2 "
        "else if size > S then node 1 elseif size <= S then node 2 else node 2"
    )
    assert lines[1] == "1 class = no"
    assert lines[2] == ("2 if job = A then node 3 elseif job = B then node 10 elseif job = C then node 11 else node 3")
    assert lines[11] == "11 class = maybe so"
    assert len(lines) == 12
    assert make_small((False, 2, 0, 0)).listing().splitlines()[0].endswith(" else no")
    assert small.listing(max_nodes=2).splitlines()[2:] == ["… 10 more nodes"]


def test_the_listing_says_that_it_leaves_surrogates_out(small, make_small):
    lines = small.listing(surrogates=False).splitlines()
    assert lines[0] == "0 if age <= 38.5 then node 1 elseif age > 38.5 then node 2 else node 2"
    assert lines[12:] == ["… surrogates, which are asked before else, are not listed"]
    assert len(make_small((False, 1, 0, 0)).listing(surrogates=False).splitlines()) == 12


def test_the_listing_of_two_classes_in_numbers():
    from bough import _core
    from bough.table import Column, Schema

    builder = _core.TreeBuilder([1.0, 1.0], (False, 2, 0, 0))
    builder.add_node(-1, 0, label=0, counts=[(0, 2.0), (1, 1.0)])
    builder.add_threshold(1, 1.32709, side=1)
    builder.add_node(0, 0, label=0, counts=[(0, 2.0)])
    builder.add_node(0, 1, label=1, counts=[(1, 1.0)])
    tree = Tree.by_hand(
        builder.freeze(),
        Schema((Column("x1", "numeric", "float64"), Column("x2", "numeric", "float64"))),
        np.array([-1, 1]),
    )
    assert tree.listing().splitlines() == [
        "0 if x2 < 1.32709 then node 1 elseif x2 >= 1.32709 then node 2 else -1",
        "1 class = -1",
        "2 class = 1",
    ]


def test_a_regression_tree(make_chain):
    tree = make_chain(2)
    assert tree.listing().splitlines()[1] == "1 fit = 0"
    assert tree.root.counts is None
    assert tree.root.probabilities is None
    assert tree.root.answer == 0.0
    assert tree.values(np.array([1, 4])).tolist() == [0.0, -1.0]
    with pytest.raises(ParameterError):
        tree.labels(np.array([0]))
    with pytest.raises(ParameterError):
        tree.probabilities(np.array([0]))


def test_answers_of_nodes(small):
    assert small.labels(np.array([0, 11])).tolist() == ["no", "maybe so"]
    assert small.probabilities(np.array([1, 11])).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    with pytest.raises(ParameterError):
        small.values(np.array([0]))


def test_rows_of_a_frame_are_routed(small):
    table = {
        "age": [30.0, 40.0, math.nan, math.nan],
        "job": ["A", "B", "C", "D"],
        "size": ["S", "M", "L", "S"],
        "born": np.array(["2020-01-01"] * 4, "datetime64[D]"),
        "count": np.array([1, 2, 3, 2**64 - 1], "u8"),
    }
    assert small.apply(table).tolist() == [1, 10, 1, 4]
    indptr, indices = small.decision_path(table)
    assert indptr.tolist() == [0, 2, 5, 7, 11]
    assert indices[7:].tolist() == [0, 2, 3, 4]


def test_the_frame_has_one_row_a_node(small, make_chain):
    frame = small.to_frame()
    assert frame.shape == (12, 21)
    assert frame["n[yes]"].tolist()[:4] == [3.0, 0.0, 3.0, 3.0]
    assert frame["condition"].tolist()[:3] == ["", "age <= 38.5", "age > 38.5"]
    assert frame["column"].tolist()[:3] == ["age", "", "job"]
    assert frame["p[no]"].tolist()[:2] == [6 / 9.5, 1.0]
    assert frame["threshold"].tolist()[:1] == [38.5]
    assert frame["threshold_text"].tolist()[:6] == ["38.5", "", "", "M", "", "2020-03-01"]
    assert frame["levels"].tolist()[:3] == ["", "", "{A} | {B} | {C}"]
    assert frame["complexity"].tolist()[0] == small.root.complexity
    assert small.to_frame(counts=False, probabilities=False).shape == (12, 15)
    assert make_chain(0).to_frame()["answer"].tolist() == [0.0]


def test_the_frame_of_a_regression_has_deviations():
    tree = bough.CARTRegressor().fit({"x": np.arange(40)}, np.repeat([1.0, 3.0], 20)).tree_
    assert tree.to_frame()["deviation"].tolist() == [node.deviation for node in tree] == [1.0, 0.0, 0.0]


def test_thresholds_are_values_of_their_column(small):
    size, born = small.node((1, 0)).split, small.node((1, 0, 1)).split
    assert (size.threshold, size.test.raw_threshold) == ("M", 1)
    assert (born.threshold, born.test.raw_threshold, born.side) == (np.datetime64("2020-03-01"), 18321.5, "lt")
    _, competitor = small.root.competitors
    assert (competitor.threshold, competitor.side) == (np.datetime64("2020-02-29"), "le")
    assert (small.root.split.threshold, small.root.split.test.raw_threshold) == (38.5, 38.5)
    assert (small.node((1,)).split.threshold, small.node((1,)).split.test.raw_threshold) == (None, None)
    clock = np.array(["2020-01-01T00:00", "2020-01-03T12:00"], "M8[m]").repeat(20)
    split = bough.CARTClassifier().fit({"when": clock}, [0] * 20 + [1] * 20).tree_.root.split
    assert split.threshold == np.datetime64("2020-01-02T06:00")


def test_a_tree_is_the_sequence_of_its_nodes(small):
    assert [node.id for node in small] == list(range(len(small)))
    assert next(iter(small)) == small.root


@pytest.mark.parametrize("where", ["x", "01", b"0", 1.5, None, (0, "a"), (0.0,), True])
def test_an_address_that_is_none(small, where):
    with pytest.raises(ParameterError, match="id, a whole number, or by its path"):
        small.node(where)


@pytest.mark.parametrize("nodes", [[77], [-1], [1.5], "ab", ["x"], np.array([0, 12]), np.array([0.5]), [True]])
def test_nodes_to_cut_at_that_are_none(small, nodes):
    with pytest.raises(ParameterError, match="whole numbers from 0 to 11"):
        small.cut(nodes)


def test_the_frame_without_pandas(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(small.to_frame()).__module__.startswith("polars")
    monkeypatch.setitem(sys.modules, "polars", None)
    assert list(small.to_frame()["node"]) == list(range(12))


def test_trees_are_equal_by_value(small, make_small):
    assert small == make_small(target="buys")
    assert small != make_small(target="sells")
    assert small != make_small((True, 2, 0, 0), target="buys")
    assert small != make_small(target="buys", costs=np.zeros((3, 3)))
    assert small != small.cut([2])
    assert small != "a tree"
    with pytest.raises(TypeError, match="unhashable"):
        hash(small)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_deterministic(small, protocol):
    _ = small.class_labels  # what is cached stays out
    data = pickle.dumps(small, protocol)
    again = pickle.loads(data)
    assert again == small
    assert pickle.dumps(again, protocol) == data


def test_copies_are_equal(small):
    cloudpickle = pytest.importorskip("cloudpickle")
    buffer = io.BytesIO()
    joblib.dump(small, buffer)
    buffer.seek(0)
    for again in (
        copy.copy(small),
        copy.deepcopy(small),
        cloudpickle.loads(cloudpickle.dumps(small)),
        joblib.load(buffer),
    ):
        assert again == small
        assert again.draw() == small.draw()


def test_cutting_keeps_the_rest(small):
    cut = small.cut([2])
    assert cut.n_nodes == 3
    assert cut.node((1,)).is_leaf
    assert cut.target == "buys"
    assert small.n_nodes == 12


def test_what_does_not_fit_is_refused(small):
    with pytest.raises(ParameterError):
        Tree.by_hand(small.kernel, small.schema)
    with pytest.raises(ParameterError):
        Tree.by_hand(small.kernel, small.schema, np.array([0, 1]))
    with pytest.raises(ParameterError):
        Tree.by_hand(small.kernel, small.schema, small.classes, np.zeros((2, 3)))


def test_the_summary_is_short(small, chain):
    assert small.summary().splitlines()[0] == "Classification tree for buys: 10 rows, 12 nodes, 7 leaves, depth 5"
    assert "columns asked: x (1 of 1)" in chain.summary()


def test_a_chain_of_100_000_is_no_trouble(chain):
    assert chain.depth == 100_000
    assert chain.nodes[-1].depth == 100_000
    assert chain.node(chain.nodes[-1].path).id == 200_000
    assert pickle.loads(pickle.dumps(chain)) == chain
    assert copy.deepcopy(chain) == chain
    assert chain.cut([100_000]).depth == 50_000
    assert chain.apply({"x": [1e9]}).tolist() == [200_000]
    assert len(chain.listing(max_nodes=1000).splitlines()) == 1001


def test_a_deep_chain_is_listed_and_framed_whole(make_chain):
    chain = make_chain(10_000)
    assert len(chain.listing().splitlines()) == 20_001
    assert chain.to_frame().shape[0] == 20_001
