"""tree_from: trees read back from their exact listing, nested dicts, and what is said of a text that is no tree."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Pairs
from bough.table import Column, Schema
from bough.table.temporal import parse_temporal

DAYS = pd.date_range("2020-01-01", periods=400, freq="D")


def random_frame(rng, n=60):
    """Columns of every kind, with odd names and levels, and values that are missing."""
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n).round(int(rng.integers(1, 17))),
            "whole number": rng.integers(-5, 2**60, n),
            "then": rng.choice(["a", "or", 'b "c"', "two\nlines", "1", "node 3", "x" * 70], n),
            "a <= b": rng.choice(["yes", "no", "not known"], n),
            "born": rng.choice(DAYS, n),
            "zoned": pd.Series(rng.choice(DAYS, n)).dt.tz_localize("Europe/Paris") + pd.Timedelta("1h 30m 2.5s"),
            "lasts": pd.to_timedelta(rng.integers(-(10**7), 10**7, n), unit="ms"),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n), categories=["S", "M", "L"], ordered=True),
            "code": pd.Categorical(rng.choice([1, 2, 30], n)),
        }
    )
    for name in ("x", "then", "born", "size", "a <= b"):
        frame.loc[rng.random(n) < 0.1, name] = None
    return frame


SETTINGS = [
    {},
    {"missing": "stop"},
    {"missing": "own_branch", "branching": "intervals"},
    {"missing": "majority_branch", "branching": "per_level"},
    {"missing": "learned_direction", "branching": "grouped"},
    {"missing": "most_likely"},
    {"missing": "surrogates", "search": Pairs(), "branching": "intervals"},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: ", ".join(map(str, setting.values())) or "default")
@pytest.mark.parametrize("numbers", [False, True])
def test_a_tree_that_is_read_back_predicts_the_same(setting, numbers, budget):
    kind = bough.TreeRegressor if numbers else bough.TreeClassifier
    for seed in range(max(1, round(3 * budget))):
        rng = np.random.default_rng(seed)
        frame, more = random_frame(rng), random_frame(rng)
        y = rng.normal(size=60) if numbers else rng.choice(["in", "out", "3"], 60)
        tree = kind(stopping=None, pruning=None, **setting).fit(frame, y).tree_
        text = tree.listing(exact=True)
        again = bough.tree_from(text, tree)
        assert again.listing(exact=True) == text
        for table in (frame, more):
            assert again.predict(table).tolist() == tree.predict(table).tolist()
            assert again.apply(table).tolist() == tree.apply(table).tolist()
        breadth = bough.tree_from(tree.listing(exact=True, order="breadth", first=7), tree)
        assert breadth == again


def test_every_kind_of_test_by_hand(make_kinds):
    tree = make_kinds()
    again = bough.tree_from(tree.listing(exact=True), tree)
    rng = np.random.default_rng(0)
    table = {
        name: rng.choice(np.array([None, *values], dtype=object), 300).tolist()
        for name, values in zip(
            tree.schema.names,
            [column.levels or np.linspace(0, 100, 40).tolist() for column in tree.schema],
            strict=True,
        )
    }
    assert again.predict(table).tolist() == tree.predict(table).tolist()
    assert again.listing(exact=True) == tree.listing(exact=True)


@pytest.mark.parametrize("threshold", [0.1, 1 / 3, 5e-324, -0.0, 1e300, 2**53 + 1, 2**64 - 1, -(2**63), 38.0, 38])
def test_thresholds_are_read_bit_for_bit(threshold):
    tree = bough.tree_from({f"x < {threshold!r}": "a", f"x >= {threshold!r}": "b"})
    told = tree.root.split.test.raw_threshold
    assert (type(told), repr(told)) == (type(threshold), repr(threshold))
    again = bough.tree_from(tree.listing(exact=True))
    assert again == tree


def test_a_case_in_parts_is_refused():
    X, y = bough.datasets.load("penguins").xy()
    tree = bough.TreeClassifier(missing="fractional").fit(X, y).tree_
    with pytest.raises(ParameterError, match=r"line 1, column \d+: cases in parts go by the weights"):
        bough.tree_from(tree.listing(exact=True), tree)


def test_a_refusing_tree_stays_one():
    tree = bough.tree_from({"x <= 1": 1.5, "x > 1": 2.5})
    assert not tree.is_classifier
    assert tree.refuses_missing
    assert tree.listing().splitlines()[0].endswith("else refused")
    assert bough.tree_from(tree.listing(exact=True)) == tree
    with pytest.raises(bough.errors.DataError, match="missing value"):
        tree.predict({"x": None})


def test_else_goes_with_a_condition_or_stops():
    tree = bough.tree_from(
        {"c = a": "A", "c in {b, d}": {"x < 1": "B", "x >= 1": "D", "else": "x >= 1"}, "else": "c = a"}
    )
    assert tree.predict({"c": ["a", "b", "d", None, "zz"], "x": [0, 0, 2, 0, 0]}).tolist() == ["A", "B", "D", "A", "A"]
    assert tree.predict({"c": "b"}).tolist() == ["D"]
    above = bough.tree_from({"c = a": "A", "c = b": {"x < 1": "B", "x >= 1": "D"}, "else": "none"})
    assert above.predict({"c": ["b", None, "b"], "x": [None, 2, 2]}).tolist() == ["none", "none", "D"]
    own = bough.tree_from({"x < 1": "low", "x >= 1": "high", "x is missing": "none"})
    assert own.predict({"x": [0.0, 1.0, None]}).tolist() == ["low", "high", "none"]


def test_conjunctions_and_their_opposite():
    tree = bough.tree_from({"s = m and c != y": 1, "s != m or c = y": 0, "else": 0}, {"s": ["m", "n"], "c": ["y", "z"]})
    assert tree.root.split.kind == "conjunction"
    table = {"s": ["m", "m", "n", "n", None], "c": ["y", "z", "y", "z", "y"]}
    assert tree.predict(table).tolist() == [0, 1, 0, 0, 0]
    turned = bough.tree_from({"s != m or c = y": 0, "s = m and c != y": 1, "else": 0}, tree)
    assert turned.predict(table).tolist() == tree.predict(table).tolist()
    grown = bough.TreeClassifier(initial_tree=turned, stopping=None, pruning=None).fit(
        {"s": ["m", "m", "n", "n"], "c": ["y", "z", "y", "z"]}, [0, 1, 0, 0]
    )
    assert grown.tree_.root.split.low == 1
    assert grown.predict(table).tolist() == [0, 1, 0, 0, 0]


def test_columns_come_from_a_table_a_schema_or_a_tree():
    schema = Schema((Column("size", "ordered", "levels", ("S", "M", "L")), Column("born", "numeric", "date")))
    text = """
        1 if size <= M then node 2 elseif size > M then node 3 else node 2
        2 class = no
        3 if born < 2020-02-29 then node 4 elseif born >= 2020-02-29 then node 5 else yes
        4 class = no
        5 class = yes"""
    tree = bough.tree_from(text, schema, target="buys")
    table = {
        "size": ["S", "L", "L", None],
        "born": [dt.date(2020, 2, 29), dt.date(2020, 2, 28), dt.date(2020, 2, 29), None],
    }
    assert tree.predict(table).tolist() == ["no", "no", "yes", "no"]
    assert bough.tree_from(tree.listing(exact=True), tree) == tree
    assert tree.target == "buys"
    frame = pd.DataFrame({"x": [1, 2], "c": ["a", "b"]})
    assert bough.tree_from({"c = a": 0, "c = b": 1}, frame).schema.names == ("x", "c")
    dated = bough.tree_from({"born < 2020-02-29": 0, "born >= 2020-02-29": 1})
    assert dated.schema.columns[0].dtype == "date"


def test_a_deep_tree_needs_no_recursion():
    nested = "end"
    for depth in range(3000):
        nested = {f"x < {depth}": "low", f"x >= {depth}": nested}
    tree = bough.tree_from(nested, classes=["low", "end"])
    assert tree.depth == 3000
    assert bough.tree_from(tree.listing(exact=True), tree) == tree


TWO = "{} then node 2 elseif {} then node 3 else a\n2 class = a\n3 class = b"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the listing has no line"),
        ("1 class", "line 1, column 8: expected '=', but it ends here"),
        ("a class = 1", "line 1, column 1: expected the number of a node; found 'a class = 1'"),
        ("1 if x < 2 then nod 2", "line 1, column 17: expected 'node'; found 'nod 2'"),
        ("1 if x < 2 then node 2", r"line 1, column 23: expected 'elseif' or 'else', but it ends here"),
        ("1 if < 2 then node 2", "line 1, column 6: expected a column; found '< 2 then node'"),
        ("1 if x 2 then node 2", r"column 10: expected a comparison .*; found 'then node 2'"),
        ('1 if x = "a then node 2', "column 10: expected a quoted text that ends"),
        ('1 if x = "a\\q" then node 2', "column 10: expected escapes as Python writes them"),
        ("1 if x in {a b} then", "column 21: expected 'node', but it ends here"),
        ("1 if x in {a; then node 2", "expected ',' or '}'"),
        ("1 if x is odd then node 2", "column 11: expected 'missing' or 'known'; found 'odd then node 2'"),
        ("1 class = a\n1 class = b", "line 2, column 1: node 1 is listed twice"),
        ("1 if x < 2 then node 2 elseif x >= 2 then node 3 else a\n2 class = a", "line 1, column 48: node 3 is not"),
        ("1 if x < 2 then node 2 elseif x >= 2 then node 2 else a\n2 class = a", "column 48: node 2 is led to twice"),
        ("1 class = a\n2 class = b", "line 2, column 1: nothing leads from the first node to node 2"),
        (TWO.format("1 if x < 2", "x >= 2").replace("else a", "else node 7"), "its branches are the nodes 2, 3"),
        (TWO.format("1 if x < 2", "x > 2"), "line 1, column 31: where x = 2, no condition holds"),
        (TWO.format("1 if x < 2", "x >= 1"), "column 31: where x >= 1 and x < 2, this condition .* another branch"),
        (TWO.format("1 if x < 2", "x >= 2").replace("class = b", "fit = 1"), "classes and with numbers"),
        (TWO.format("1 if x < 2", "x >= 2").replace("class", "fit"), "line 1, column 55: expected a finite number"),
        (TWO.format("1 if x < 2", "x = 2"), r"column 31: 'x' is compared by size \(.*\) and asked for levels"),
        (TWO.format("1 if x < M", "x >= M"), "column 10: .* 'M', which is no number"),
        (TWO.format("1 if x < 1", "1 <= x <= 2 then node 4 elseif x > 2") + "\n4 class = b", "must all belong below"),
        (TWO.format("1 if a = u", "b = v"), "column 31: expected the opposite of the other branch: a != u"),
        ("… 10 more nodes", "line 1, column 1: the listing is not complete"),
    ],
)
def test_what_is_wrong_with_a_listing_is_said_with_its_place(text, problem):
    with pytest.raises(ParameterError, match=problem):
        bough.tree_from(text)


@pytest.mark.parametrize(
    ("nested", "problem"),
    [
        ({"x < 1": 0}, "the tree: a test has at least two conditions"),
        (
            {"x < 1": 0, "x >= 1": {"y < 2": 1, "y > 2": 2}},
            r"the tree\['x >= 1'\]\['y > 2'\]: where y = 2, no condition",
        ),
        ({"x < 1": 0, "x >= 1 then": 1}, "from character 8 on: expected 'and', 'or' or the end; found 'then'"),
        ({"x < 1": 0, 3: 1}, "the keys are conditions"),
        ({"x < 1": 0, "x >= 1": None}, "expected an answer, found a missing value"),
        (
            {"x < 1": 0, "x >= 1": {"y < 2": 1, "y >= 2": 2, "else": 1}},
            "does not say what follows where its value is missing, but others do",
        ),
        ({"x < 1": 0, "x >= 1": 1, "else": {"y < 2": 1, "y >= 2": 2}}, r"\['else'\]: give an answer"),
        (["x < 1"], "takes nested dicts or the text of a listing; got list"),
    ],
)
def test_what_is_wrong_with_dicts_is_said_with_its_place(nested, problem):
    with pytest.raises(ParameterError, match=problem):
        bough.tree_from(nested)


def test_wrong_columns_levels_and_classes():
    nested = {"color = red": "a", "color = green": "b"}
    with pytest.raises(ParameterError, match=r"\['color = red'\]: there is no column 'color'; did you mean 'colour'"):
        bough.tree_from(nested, {"colour": ["red", "green"]})
    with pytest.raises(
        ParameterError, match="from character 9 on: 'color' has no level 'green'; its levels: blue, red"
    ):
        bough.tree_from(nested, {"color": ["red", "blue"]})
    with pytest.raises(ParameterError, match="expected one of the classes a, c; found 'b'"):
        bough.tree_from(nested, classes=["a", "c"])
    with pytest.raises(ParameterError, match="expected a finite number"):
        bough.tree_from(nested, regression=True)
    with pytest.raises(ParameterError, match="the listing answers with classes"):
        bough.tree_from("1 class = a", {"x": [1]}, regression=True)
    with pytest.raises(ParameterError, match="asks nothing"):
        bough.tree_from("1 class = a")
    assert bough.tree_from("1 class = a", {"x": [1]}).predict({"x": [1, 2]}).tolist() == ["a", "a"]


def test_an_estimator_of_a_tree_is_of_its_kind():
    tree = bough.tree_from({"x <= 1": 1.5, "x > 1": 2.5})
    assert bough.TreeRegressor.from_tree(tree).predict({"x": [0, 2]}).tolist() == [1.5, 2.5]
    with pytest.raises(ParameterError, match="answers with numbers: use TreeRegressor"):
        bough.TreeClassifier.from_tree(tree)
    with pytest.raises(ParameterError, match=r"takes a bough.Tree"):
        bough.TreeRegressor.from_tree({"x <= 1": 1.5})


@pytest.mark.parametrize(
    "dtype", ["date", "time", "datetime64[ns]", "datetime64[s]", "datetime64[us, Europe/Paris]", "timedelta64[ms]"]
)
def test_times_are_read_as_they_are_written(dtype):
    meaning = parse_temporal(dtype)
    most = {"date": 40_000, "time": 86_400 * 10**6 - 1}.get(dtype, 10**12)
    for tick in np.random.default_rng(1).integers(0 if dtype == "time" else -most, most, 200).tolist():
        assert meaning.parse(meaning.format(tick)) == tick
    assert meaning.parse("not a time") is None


KINDS = """\
1 if x2 < 1.32709 then node 2 elseif x2 >= 1.32709 then node 3 else -1
2 if c in {a, "b c"} then node 4 elseif c = d then node 5 else 1
3 if s = m and t != y then node 6 elseif s != m or t = y then node 7 else node 6
4 class = 1
5 class = -1
6 class = 1
7 class = -1"""


def test_any_text_is_a_tree_or_refused(budget):
    rng = np.random.default_rng(5)
    words = KINDS.split(" ")
    for _ in range(max(20, round(400 * budget))):
        changed = list(words) if rng.random() < 0.5 else list(KINDS)
        others = words if changed == words else list('<>=!{}",\\b0 \n-é\0')
        for place in rng.integers(len(changed), size=rng.integers(1, 4)):
            changed[place] = str(rng.choice(others))
        text = (" " if others is words else "").join(changed)
        try:
            tree = bough.tree_from(text)
        except bough.errors.BoughError:
            continue
        assert bough.tree_from(tree.listing(exact=True)).listing(exact=True) == tree.listing(exact=True)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            {"c = a": 1, "c != a": 0},
            r"\['c != a'\]: no value leads .*: the levels of 'c' that are known are a\. If .* columns=",
        ),
        (
            {"a <= 3": "x", "a >= 3": "y"},
            r"\['a >= 3'\]: where a = 3, this condition and that of another branch both hold",
        ),
        ({"a <= 3": 1, "a > 3": 0, "Else": 0}, r"\['Else'\]: what follows where nothing else holds is called 'else'"),
        ({"a <= 3": 1, "a > 3": 0, "otherwise": 0}, "is called 'else'"),
        ({"a <= 3": ["x", "y"], "a > 3": 0}, r"\['a <= 3'\]: an answer is a single class or number; got \['x', 'y'\]"),
        ({"a <= 3": 1, "else": 0}, "at least two conditions, .* 'else' is for missing values alone"),
        ({"a <= 3": {}, "a > 3": 0}, r"the tree\['a <= 3'\]: the dict is empty"),
        ({"a == 3": 1, "a > 3": 0}, r"\['a == 3'\], from character 3 on: '==' is no comparison here; write '='"),
        ({"a => 3": 1, "a < 3": 0}, "'=>' is no comparison here; write '>='"),
        ({"c not in {a, b}": 1, "c in {a, b}": 0}, "there is no 'not in': name the levels"),
        ({"a is missing": 1, "a is known": 0}, "a branch for missing values alone comes last"),
        ({"": 1, "a > 3": 0}, "expected a column, but it ends here"),
    ],
)
def test_messages_say_what_to_write(source, message):
    with pytest.raises(ParameterError, match=message):
        bough.tree_from(source)
