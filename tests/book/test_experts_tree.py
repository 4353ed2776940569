"""The expert's tree: prior knowledge of people (text 0, line 49; text 3, line 40), and the tree of a lecture that is
given as a numbered listing (text 3, lines 447 to 461).
"""

import itertools

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Conjunctions

# Text 3, lines 447 to 461: node, column, threshold, branches, answer where nothing is known; or the class of a leaf.
LECTURE = """\
1 if x2 < 1.32709 then node 2 elseif x2 >= 1.32709 then node 3 else -1
2 if x1 < 1.78032 then node 4 elseif x1 >= 1.78032 then node 5 else 1
3 if x1 < -0.218026 then node 6 elseif x1 >= -0.218026 then node 7 else -1
4 class = 1
5 class = -1
6 class = 1
7 if x1 < 0.513382 then node 8 elseif x1 >= 0.513382 then node 9 else -1
8 class = -1
9 if x2 < 2.0452 then node 10 elseif x2 >= 2.0452 then node 11 else -1
10 if x2 < 1.98733 then node 12 elseif x2 >= 1.98733 then node 13 else -1
11 class = -1
12 class = -1
13 class = 1"""

NESTED = {
    "x2 < 1.32709": {"x1 < 1.78032": 1, "x1 >= 1.78032": -1, "else": 1},
    "x2 >= 1.32709": {
        "x1 < -0.218026": 1,
        "x1 >= -0.218026": {
            "x1 < 0.513382": -1,
            "x1 >= 0.513382": {
                "x2 < 2.0452": {"x2 < 1.98733": -1, "x2 >= 1.98733": 1, "else": -1},
                "x2 >= 2.0452": -1,
                "else": -1,
            },
            "else": -1,
        },
        "else": -1,
    },
    "else": -1,
}


def by_hand(x1, x2):
    """The rules of the lecture as a program; None is not known."""
    if x2 is None:
        return -1
    if x2 < 1.32709:
        return 1 if x1 is None or x1 < 1.78032 else -1
    if x1 is None:
        return -1
    if x1 < -0.218026:
        return 1
    if x1 < 0.513382 or x2 >= 2.0452:
        return -1
    return -1 if x2 < 1.98733 else 1


@pytest.fixture(scope="module")
def lecture():
    return bough.tree_from(LECTURE, ["x1", "x2"])


def test_the_tree_of_the_lecture_is_printed_as_it_is_given(lecture):
    assert (lecture.n_nodes, lecture.n_leaves, lecture.depth) == (13, 7, 5)
    assert lecture.listing(order="breadth", first=1) == LECTURE
    assert lecture.listing(order="breadth", first=1, exact=True) == LECTURE


def test_it_is_the_same_from_nested_dicts_and_read_back(lecture):
    nested = bough.tree_from(NESTED, ["x1", "x2"])
    assert nested == lecture
    assert bough.tree_from(lecture.listing(exact=True), ["x1", "x2"]) == lecture


def test_it_predicts_as_its_rules_say(lecture):
    edges = (None, -0.218026, 0.513382, 1.78032, 1.32709, 2.0452, 1.98733, -5.0, 5.0)
    around = [step for edge in edges for step in ([None] if edge is None else [edge, *np.nextafter(edge, (-9, 9))])]
    points = list(itertools.product(around, around))
    frame = pd.DataFrame(points, columns=["x1", "x2"]).astype(float)
    assert lecture.predict(frame).tolist() == [by_hand(x1, x2) for x1, x2 in points]
    for x1, x2 in points[:: len(points) // 50]:
        assert lecture.predict({"x1": x1, "x2": x2}).tolist() == [by_hand(x1, x2)]
    assert lecture.predict({"x1": 0.6}).tolist() == [-1]


def test_it_is_an_estimator_that_saves_draws_explains_and_exports(lecture, tmp_path):
    clf = bough.TreeClassifier.from_tree(lecture)
    assert clf.explain((0.0, 1.0)).text == "The answer is 1, because x2 < 1.32709 and x1 < 1.78032."
    clf.save(tmp_path / "lecture.json")
    again = bough.load(tmp_path / "lecture.json")
    assert again.tree_ == lecture
    assert again.predict({"x1": [0.0, 2.0], "x2": [1.0, 1.0]}).tolist() == [1, -1]
    assert "x2 < 1.32709" in bough.draw(clf)
    assert "<svg" in bough.draw(lecture, "svg")
    assert "0 rows" in bough.draw(lecture)
    assert "%" not in bough.draw(lecture)
    assert "1.32709" in str(bough.export(lecture, "python"))


def test_rows_are_counted_in_it_and_it_is_grown_on(lecture):
    """Text 0, line 49: the expert's knowledge, where the training set is small."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(1.0, 1.5, size=(80, 2)), columns=["x1", "x2"])
    y = [by_hand(x1, x2) for x1, x2 in frame.to_numpy()]
    clf = bough.TreeClassifier(initial_tree=lecture, stopping=None, pruning=None).fit(frame, y)
    assert clf.score(frame, y) == 1
    assert clf.tree_.root.rows == 80
    assert clf.tree_.listing(surrogates=False).splitlines()[0].startswith("0 if x2 < 1.32709 then node 1")


def test_forced_splits_of_every_kind():
    """Text 3, line 40: thresholds with `<`, intervals, groups of levels for many branches, conjunctions."""
    frame = pd.DataFrame(
        {
            "x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            "color": ["green", "yellow", "red", "green", "yellow", "red"],
            "size": ["big", "medium", "small", "medium", "small", "medium"],
        }
    )
    y = list("nnyyny")

    def root(**asked):
        clf = bough.TreeClassifier(forced_splits=[{"path": (), **asked}], stopping="max_depth", pruning=None)
        return clf.set_params(stopping__max_depth=1, missing="majority_branch").fit(frame, y).tree_.root

    def told(node):
        return [(child.condition, child.rows) for child in node.children]

    assert told(root(column="x", threshold=3, side="lt")) == [("x < 3", 2), ("x >= 3", 4)]
    assert told(root(column="x", threshold=3)) == [("x <= 3", 3), ("x > 3", 3)]
    assert told(root(column="x", edges=[2, 5])) == [("x <= 2", 2), ("2 < x <= 5", 3), ("x > 5", 1)]
    assert told(root(column="x", edges=[2, 5], side="lt")) == [("x < 2", 1), ("2 <= x < 5", 3), ("x >= 5", 2)]
    assert told(root(column="color", levels=[["red"], ["green"], ["yellow"]])) == [
        ("color = red", 2),
        ("color = green", 2),
        ("color = yellow", 2),
    ]
    both = root(all_of=[("size", "medium"), ("color", "yellow", True)])
    assert told(both) == [("size = medium and color != yellow", 2), ("size != medium or color = yellow", 4)]
    assert both.split.gain == pytest.approx(1 / 2 - 4 / 6 * (1 - (1 / 4) ** 2 - (3 / 4) ** 2))
    again = bough.TreeClassifier(
        forced_splits=[{"path": (), "all_of": both.split.terms}], missing="majority_branch"
    ).fit(frame, y)
    assert told(again.tree_.root) == told(both)


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"column": "x", "side": "lt"}, "a side is one of a threshold or of edges"),
        ({"column": "x", "threshold": 1, "edges": [2]}, "'threshold' and 'edges' are different tests"),
        ({"column": "x", "edges": [3, 2]}, "edges of 'x' must rise"),
        ({"column": "x", "edges": []}, "there must be one at least"),
        ({"column": "x", "edges": 3}, "must be a list"),
        ({"column": "x", "threshold": 1, "side": "left"}, "side"),
        ({"column": "color", "edges": [1]}, "'color' is nominal; give levels"),
        ({"all_of": [("x", 1.0)]}, "'x' is numeric"),
        ({"all_of": [("color", "blue")]}, "no level 'blue'"),
        ({"all_of": [("color", "red"), ("color", "red")]}, "a property is asked twice"),
        ({"all_of": []}, "all_of is a list of properties"),
        ({"all_of": [("color", "red")], "column": "x"}, "each entry is a dict"),
        ({"all_of": [("color", "red")], "threshold": 3}, "have no threshold"),
    ],
)
def test_forced_splits_that_cannot_be(asked, problem):
    frame = {"x": [1.0, 2.0, 3.0, 4.0], "color": ["red", "green", "red", "green"]}
    with pytest.raises(ParameterError, match=problem):
        bough.TreeClassifier(forced_splits=[{"path": (), **asked}]).fit(frame, list("abab"))


def test_a_conjunction_has_no_most_likely_value():
    frame = {"x": ["a", "a", "b", None], "z": ["u", "v", "u", "v"]}
    asked = [{"path": (), "all_of": [("x", "a"), ("z", "u")]}]
    with pytest.raises(ParameterError, match="missing='most_likely' does not go with it"):
        bough.TreeClassifier(forced_splits=asked, missing="most_likely", pruning=None).fit(frame, list("abab"))


def test_a_listing_of_conjunctions_with_thresholds_is_read_back():
    rng = np.random.default_rng(0)
    size = pd.Categorical(rng.choice(["S", "M", "L"], 400), categories=["S", "M", "L"], ordered=True)
    X = pd.DataFrame({"a": rng.integers(0, 9, 400), "b": rng.normal(size=400), "c": rng.choice(list("xyz"), 400)})
    X["size"], X["day"] = size, np.datetime64("2020-01-01") + rng.integers(0, 90, 400)
    late = (X["day"] > "2020-02-10").to_numpy()
    y = np.where((size != "S") & (X["b"] > 0.1) & late, "p", np.where((X["a"] <= 4) & (X["c"] != "x"), "q", "r"))
    search = Conjunctions(size=3, thresholds=6)
    grown = bough.TreeClassifier(search=search, missing="majority_branch", pruning=None).fit(X, y).tree_
    kinds = {grown.schema.columns[grown.schema.names.index(term.column)].kind for node in grown if node.split
             for term in node.split.terms or () if term.threshold is not None}  # fmt: skip
    assert kinds == {"numeric", "ordered"}
    again = bough.tree_from(grown.listing(exact=True), columns=grown)
    assert (again.predict(X) == grown.predict(X)).all()
    assert again.listing(exact=True) == grown.listing(exact=True)


def test_a_tree_that_knows_no_rows_is_not_cut_by_worth():
    tree = bough.tree_from({"a < 3": "p", "a >= 3": {"a < 5": "q", "a >= 5": "r"}})
    written = bough.TreeClassifier.from_tree(tree)
    for how in ({"n_leaves": 2}, {"cp": 0.1}, {"how": "auto"}, {"how": "size_penalty"}):
        with pytest.raises(ParameterError, match="the tree knows no rows"):
            written.pruned(**how)
    X, y = {"a": [1, 2, 3, 4, 5, 6]}, ["p", "p", "q", "q", "q", "q"]
    assert written.pruned("reduced_error", X, y).get_n_leaves() == 2


def test_a_time_between_two_ticks_is_no_threshold():
    days = pd.DataFrame({"w": np.array(["2020-01-01T12:00:00", "2020-01-01T12:00:01"], "M8[s]")})
    with pytest.raises(ParameterError, match="expected a datetime"):
        bough.tree_from({"w < 2020-01-01 12:00:00.7": "early", "w >= 2020-01-01 12:00:00.7": "late"}, columns=days)
    for word in ("now", "today"):
        with pytest.raises(ParameterError, match="no number"):
            bough.tree_from({f"w < {word}": "early", f"w >= {word}": "late"})


def test_a_written_tree_answers_missing_values_as_it_says_itself():
    X, y = {"a": list("xyzx"), "b": list("uvuv")}, list("prrp")
    like = bough.ID3Classifier(missing="refuse_asked").fit(X, y).tree_
    tree = bough.tree_from({"a = x": "p", "a in {y, z}": "r", "else": "r"}, columns=like)
    assert tree.predict({"b": "u"}).tolist() == ["r"]
