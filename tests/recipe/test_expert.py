"""What an expert says: thresholds as exact as the data, dates as dates, errors that name the node and the column."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.errors import ParameterError
from bough.recipe import Conjunctions, MaxDepth, MaxLeaves, MinGain, MinRows
from bough.table import build_table

LARGE = 2**53


def forced(*entries, **more):
    more = {"stopping": None, "pruning": None, "missing": "majority_branch", **more}
    return bough.TreeClassifier(forced_splits=list(entries), **more)


@pytest.mark.parametrize("kind", ["int64", "uint64"])
@pytest.mark.parametrize("base", [LARGE, 2**62])
def test_a_large_whole_threshold_is_not_rounded(kind, base, tmp_path):
    values = np.array([base, base + 1, base + 2, base + 3], dtype=kind)
    clf = forced({"path": (), "column": "x", "threshold": base + 1}).fit({"x": values}, list("aabb"))
    assert clf.tree_.root.split.threshold == base + 1
    assert [child.rows for child in clf.tree_.root.children] == [2, 2]
    np.testing.assert_array_equal(clf.predict({"x": values}), list("aabb"))
    clf.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").tree_ == clf.tree_


def test_large_thresholds_of_other_types_than_the_column():
    reals = np.array([LARGE, LARGE + 2.0, LARGE + 4.0])
    clf = forced({"path": (), "column": "x", "threshold": LARGE + 3}).fit({"x": reals}, list("aab"))
    assert [child.rows for child in clf.tree_.root.children] == [2, 1]
    natural = np.array([1, 2**63 + 1, 2**63 + 2], dtype=np.uint64)
    clf = forced({"path": (), "column": "x", "threshold": 2**63 + 1}).fit({"x": natural}, list("aab"))
    assert [child.rows for child in clf.tree_.root.children] == [2, 1]
    np.testing.assert_array_equal(clf.predict({"x": natural}), list("aab"))
    with pytest.raises(ParameterError, match="'x' must be finite"):
        forced({"path": (), "column": "x", "threshold": 10**400}).fit({"x": reals}, list("aab"))


DAYS = pd.to_datetime(["2020-01-01 00:00", "2020-01-02 00:00", "2020-01-03 12:00", "2020-01-04 00:00"])


@pytest.mark.parametrize(
    ("values", "threshold"),
    [
        (DAYS, dt.date(2020, 1, 2)),
        (DAYS, dt.datetime(2020, 1, 2, 23, 59)),
        (DAYS, np.datetime64("2020-01-03T11:59:59.999999999")),
        (DAYS.astype("datetime64[s]"), pd.Timestamp("2020-01-03 11:59:59.5")),
        (DAYS.tz_localize("Europe/Paris"), pd.Timestamp("2020-01-02 23:00", tz="UTC")),
        ([dt.date(2020, 1, day) for day in (1, 2, 3, 4)], dt.date(2020, 1, 2)),
        (pd.to_timedelta([1, 2, 3, 4], unit="h"), dt.timedelta(hours=2)),
        (pd.to_timedelta([1, 2, 3, 4], unit="h"), np.timedelta64(2, "h")),
    ],
)
def test_the_threshold_of_a_column_of_times_is_a_time(values, threshold):
    table = pd.DataFrame({"when": values})
    clf = forced({"path": (), "column": "when", "threshold": threshold}).fit(table, list("aabb"))
    assert [child.rows for child in clf.tree_.root.children] == [2, 2]
    np.testing.assert_array_equal(clf.predict(table), list("aabb"))


@pytest.mark.parametrize(
    "threshold", ["2020-01-02", dt.timedelta(1), pd.Timestamp("2020-01-02", tz="UTC"), pd.NaT, [DAYS[0]]]
)
def test_what_is_no_time_is_refused(threshold):
    clf = forced({"path": (), "column": "when", "threshold": threshold})
    with pytest.raises(
        ParameterError, match=r"the column 'when' is of type datetime64\[\w+\]; give its threshold as a"
    ):
        clf.fit(pd.DataFrame({"when": DAYS}), list("aabb"))


TABLE = {"age": [20, 30, 40, 50], "job": ["A", "B", "A", "B"], "one": [1, 1, 1, 1]}


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            [{"path": (), "column": "one"}],
            r"forced_splits: the root is to ask 'one', but the column has no test here\.",
        ),
        (
            [{"path": (), "column": "job", "levels": [["A"], ["A", "B"]]}],
            "the root is to ask 'job', but a level is in two branches",
        ),
        (
            [{"path": (), "column": "age", "threshold": 25}, {"path": (1,), "column": "one"}],
            r"the node \(1,\) is to ask 'one', but the column has no test here",
        ),
        (
            [{"path": (), "column": "age", "threshold": 25}, {"path": (2,), "column": "job"}],
            r"the node \(2,\) is to ask 'job', but the tree has no such node",
        ),
    ],
)
def test_errors_name_the_node_and_the_column(entries, message):
    with pytest.raises(ParameterError, match=message) as caught:
        forced(*entries).fit(TABLE, list("aabb"))
    assert "forced[" not in str(caught.value)


def test_errors_name_the_node_of_a_tree_to_grow_on():
    first = bough.TreeClassifier(search="pairs", stopping=None, pruning=None, missing="majority_branch")
    X = {"a": list("xxyy") * 5, "b": list("xyxy") * 5}
    first.fit(X, ["p", "q", "q", "q"] * 5)
    second = bough.TreeClassifier(initial_tree=first.tree_, stopping=None, pruning=None, missing="majority_branch")
    assert second.fit(X, ["p", "q", "q", "q"] * 5).tree_.root.split.terms == first.tree_.root.split.terms
    builder = _core.TreeBuilder([1.0, 1.0])
    builder.add_node(-1, 0, label=0, counts=[(0, 1.0)])
    builder.add_threshold(0, 1.5)
    builder.ask_sum([(0, -1, 1.0, 0.0, 1.0, 0), (1, -1, 1.0, 0.0, 1.0, 0)])
    for branch in range(2):
        builder.add_node(0, branch, label=branch, counts=[(branch, 1.0)])
    numbers = {"a": [0.0, 1.0, 2.0, 3.0], "b": [3.0, 2.0, 1.0, 4.0]}
    sums = bough.Tree.by_hand(builder.freeze(), build_table(numbers).schema, np.array(["p", "q"]))
    with pytest.raises(ParameterError, match=r"initial_tree: the root is to ask '[ab]', but a test of several columns"):
        bough.TreeClassifier(initial_tree=sums).fit(numbers, list("pqpq"))


def test_forced_tests_come_first_when_leaves_are_few_and_are_never_left_out():
    rng = np.random.default_rng(0)
    X = {"good": rng.normal(size=100), "bad": rng.normal(size=100), "worse": rng.normal(size=100)}
    y = X["good"] > 0
    entries = [
        {"path": (), "column": "bad", "threshold": 0.0},
        {"path": (0,), "column": "worse", "threshold": 0.0},
        {"path": (1,), "column": "worse", "threshold": 0.0},
    ]
    for most in (4, 6):
        tree = forced(*entries, stopping=MaxLeaves(most)).fit(X, y).tree_
        assert tree.n_leaves == most
        assert [tree.node(entry["path"]).split.column for entry in entries] == ["bad", "worse", "worse"]
    for most in (2, 3):
        with pytest.raises(ParameterError, match=rf"is to ask 'worse', but the tests .* more than the {most} leaves"):
            forced(*entries, stopping=MaxLeaves(most)).fit(X, y)


@pytest.mark.parametrize("stopping", [MaxDepth(1), MinRows(100, 50), MinGain(1.0)])
def test_forced_tests_are_asked_whatever_stopping_says(stopping):
    tests = [{"path": (), "column": "x", "threshold": 0.0}, {"path": (1,), "column": "z", "threshold": 9.0}]
    table = {"x": [-1, -1, 1, 1, 1], "z": [0.0, 1.0, 0.0, 1.0, 0.0]}
    tree = forced(*tests, stopping=stopping).fit(table, list("aabab")).tree_
    assert [node.split.describe(0) for node in tree if not node.is_leaf] == ["x <= 0", "z <= 9"]
    assert tree.node((1, 1)).rows == 0


@pytest.mark.parametrize("side", ["le", "lt"])
def test_conjunctions_with_thresholds_are_grown_on_and_forced(side):
    rng = np.random.default_rng(3)
    X = {"a": rng.integers(0, 9, 300), "b": rng.normal(size=300), "c": rng.choice(list("xyz"), 300)}
    y = np.where((X["a"] <= 4) & (X["b"] > 0.1) & (X["c"] != "x"), "p", "q")
    rows = {"stopping": MaxDepth(2), "pruning": None, "missing": "majority_branch"}
    search = Conjunctions(size=3, thresholds=6, side=side)
    first = bough.TreeClassifier(search=search, **rows).fit(X, y)
    split = first.tree_.root.split
    assert any(term.threshold is not None for term in split.terms)
    on = bough.TreeClassifier(initial_tree=first.tree_, **rows).fit(X, y)
    forced = bough.TreeClassifier(forced_splits=[{"path": (), "all_of": split.terms}], **rows).fit(X, y)
    for again in (on, forced):
        assert again.tree_.root.split.terms == split.terms
        assert again.tree_.root.split.gain == pytest.approx(split.gain)
    assert (on.predict(X) == first.predict(X)).all()


def grown_on(tree, X, y):
    return bough.TreeClassifier(initial_tree=tree, stopping=None, pruning=None, missing="majority_branch").fit(X, y)


def test_a_tree_to_grow_on_finds_its_columns_by_name():
    tree = bough.tree_from(
        {
            "size = big": {"age <= 3 and color = red": "a", "age > 3 or color != red": "b"},
            "size in {small, mid}": {"age <= 2": "a", "2 < age <= 5": "b", "age > 5": "a"},
        },
        {"size": ["big", "mid", "small"], "age": [1.5, 2.0, 3.0], "color": ["blue", "red", "red"]},
    )
    rng = np.random.default_rng(0)
    X = {
        "more": rng.normal(size=90),
        "color": rng.choice(["amber", "blue", "red"], 90),
        "age": rng.uniform(0, 8, 90),
        "size": rng.choice(["small", "mid", "big", "huge"], 90),
    }
    asked = {name: X[name] for name in ("age", "size", "color")}
    known = X["size"] != "huge"
    asked["size"] = np.where(known, X["size"], "big")
    asked["color"] = np.where(X["color"] == "amber", "blue", X["color"])
    y = tree.predict(asked)
    clf = grown_on(tree, X, y)
    first = clf.tree_.root.split
    assert (first.column, first.levels) == ("size", (("big",), ("mid", "small")))
    assert clf.predict(X)[known].tolist() == y[known].tolist()


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ({"b": [1.0, 2.0]}, "initial_tree asks the column 'a', which X does not have; it has 'b'"),
        ({"a": ["x", "y"], "c": ["u", "v"]}, "initial_tree asks 'a' as numeric; in X it is nominal"),
        ({"a": [1.0, 2.0], "c": ["u", "w"]}, "initial_tree asks 'c' for the level 'v', which X does not have: declare"),
    ],
)
def test_what_a_tree_to_grow_on_asks_and_x_lacks_is_said(X, message):
    tree = bough.tree_from({"a <= 1.5": "p", "a > 1.5": {"c = u": "p", "c = v": "q"}})
    with pytest.raises(ParameterError, match=message):
        grown_on(tree, X, ["p", "q"])


@pytest.mark.parametrize(("sign", "held"), [("<=", 30), ("<", 20), (">", 20), (">=", 30)])
def test_a_number_in_all_of_is_asked_by_its_side(sign, held):
    X = {"age": np.arange(50) % 5, "job": ["A", "B"] * 25}
    entry = {"path": (), "all_of": [("age", sign, 2), ("job", "A")]}
    tree = forced(entry).fit(X, np.arange(50) % 2).tree_
    assert tree.root.children[0].rows == held // 2
    with pytest.raises(
        ParameterError, match=r"'age' is numeric; its property is a side of a threshold, such as \('age'"
    ):
        forced({"path": (), "all_of": [("age", 2), ("job", "A")]}).fit(X, np.arange(50) % 2)
