"""Explanations: merged conditions, intervals, runner-up, and how a case went on where a value was missing."""

import collections
import re

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.explain.explanation import Explanation, explain_way
from bough.explain.path import rule
from bough.explain.way import walk
from bough.model.asked import Asked
from bough.model.ways import cells_of
from bough.recipe import Pairs


def table(seed, rows=150, holes=0.2):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"number": np.round(rng.normal(size=rows), 1), "count": rng.integers(0, 9, rows)})
    frame["job"] = pd.Series(rng.choice(list("abcd"), rows), dtype=object)
    frame["size"] = pd.Series(rng.choice(["S", "M", "L"], rows), dtype=object)
    target = frame["number"] + 2 * (frame["job"] == "b") - 2 * (frame["size"] == "L") + frame["count"] / 5
    frame["count"] = frame["count"].astype(object)
    for name in frame:
        frame.loc[rng.random(rows) < holes, name] = None
    frame["count"] = frame["count"].astype("Int64")
    frame["size"] = pd.Categorical(frame["size"], ["S", "M", "L"], ordered=True)
    return frame, target.to_numpy() + rng.normal(size=rows) / 3


MISSING = ["surrogates", "fractional", "stop", "majority_branch", "own_branch", "learned_direction", "most_likely"]


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("branching", ["binary", "per_level", "intervals"])
def test_the_way_told_is_the_way_gone(branching, missing):
    frame, target = table(1)
    model = bough.TreeClassifier(branching=branching, missing=missing, pruning=None)
    model.fit(frame, np.digitize(target, [-0.5, 1.0]))
    ends = model.apply(frame)
    shares = model.predict_proba(frame)
    encoded, asked = model.tree_.read(frame, every=True).encoded, Asked(model.tree_)
    for row in range(len(frame)):
        way = walk(asked, cells_of(encoded, row))
        nodes, parts = zip(*way.ends, strict=True)
        assert sum(parts) == pytest.approx(1)
        assert np.allclose(np.array(parts) @ model.tree_.probabilities(np.array(nodes)), shares[row])
        told = model.explain(frame.iloc[row])
        assert told.node == ends[row]
        assert told.answer == model.predict(frame.iloc[[row]])[0]
        assert told.probabilities[told.answer] == pytest.approx(shares[row][told.answer])


def holds(condition, row):
    """A merged condition of numbers and sets, read as Python."""
    text = condition.text.replace("{", "{'").replace("}", "'}").replace(", ", "', '")
    name = condition.columns[0]
    order = {"S": 0, "M": 1, "L": 2}
    names = {name: order[row[name]] if name == "size" and "{" not in text else row[name], **order}
    text = re.sub(f"^{name} = (.*)$", rf"{name} == \1" if name == "size" else rf"{name} == '\1'", text)
    return all(eval(part, {}, names) for part in [text])


def test_merged_conditions_hold_for_the_rows_of_a_leaf_and_no_others():
    frame, target = table(3, holes=0.0)
    model = bough.CARTRegressor(pruning=None, min_samples_leaf=3, min_samples_split=6).fit(frame, target)
    ends = model.apply(frame)
    for leaf in (node for node in model.tree_ if node.is_leaf):
        conditions = rule(model.tree_, leaf.id)
        assert len({condition.columns for condition in conditions}) == len(conditions)
        met = [all(holds(condition, row) for condition in conditions) for _, row in frame.iterrows()]
        assert (np.array(met) == (ends == leaf.id)).all()


def test_the_paragraph():
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, 300)
    job = rng.choice(["A", "B", "C"], 300)
    y = np.where((age > 38) & (age <= 52) & (job != "B"), "yes", "no")
    model = bough.CARTClassifier().fit({"age": age, "job": job}, y)
    told = model.explain({"age": 45, "job": "A"})
    assert isinstance(told, Explanation)
    assert set(map(str, told.conditions)) == {"38.5 < age <= 52.5", "job in {A, C}"}
    assert str(told).startswith("The answer is yes, with probability 100 % (95 % interval 9")
    assert "Wilson" in str(told)
    assert "Next is no with 0 % (0 % to " in str(told)
    assert told.runner_up == "no"
    low, high = told.intervals["yes"]
    assert low < 1 == high


@pytest.mark.parametrize(
    ("missing", "cause", "words"),
    [
        ("surrogates", "surrogate", "stands in for"),
        ("majority_branch", "majority", "goes with the majority"),
        ("stop", "stop", "ends at this node"),
        ("own_branch", "own", "branch of its own"),
        ("learned_direction", "own", "which goes with"),
        ("fractional", "parts", "goes on in parts"),
    ],
)
def test_what_was_missing_and_how_it_was_routed(missing, cause, words):
    rng = np.random.default_rng(5)
    x = rng.normal(size=200)
    frame = pd.DataFrame({"x": x, "twin": x + rng.normal(size=200) / 10})
    frame.loc[:19, "x"] = np.nan
    frame.loc[20:39, "twin"] = np.nan
    model = bough.TreeRegressor(missing=missing, branching="binary").fit(frame, x > 0)
    root = model.tree_.root.split.column
    other = "twin" if root == "x" else "x"
    told = model.explain({root: None, other: 1.0})
    assert told.routes[0].column == root
    assert told.routes[0].state == "missing"
    assert told.routes[0].cause == cause
    assert words in told.routes[0].text
    assert words in str(told)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_table_has_what_its_rows_have(kind):
    frame, target = table(7)
    if kind == "classes":
        model = bough.C45Classifier(min_samples_leaf=5).fit(frame, np.digitize(target, [-0.5, 1.0]))
    else:
        model = bough.CARTRegressor(pruning=None).fit(frame, target)
    told = model.explain(frame)
    assert len(told) == len(frame)
    for row in range(len(frame)):
        one = model.explain(frame.iloc[row])
        line = told.iloc[row]
        assert (line["text"], line["rule"], line["node"], line["rows"]) == (str(one), one.rule, one.node, one.rows)
        assert line["answer"] == one.answer
        assert line["missing"] == "; ".join(map(str, one.routes))
    if kind == "numbers":
        plain = told[told["missing"] == ""]
        assert (plain["low"] <= plain["answer"]).all()


def test_bins_are_told_as_conditions_on_numbers():
    X, y = bough.datasets.load("penguins").xy()
    model = bough.ID3Classifier(missing="fractional").fit(X, y)
    told = model.explain(X.iloc[0])
    assert "bill_length_mm <= 42.35" in told.rule
    assert "up to" not in str(told)
    holey = model.explain({**X.iloc[0], "flipper_length_mm": None})
    assert "as flipper_length_mm <= 192.5" in holey.routes[0].text
    assert "192.5 < flipper_length_mm <= 206.5" in holey.routes[0].text
    assert model.explain(X)["rule"][0] == told.rule


def test_rows_of_one_way_share_their_words(monkeypatch):
    frame, target = table(13, rows=400)
    model = bough.CARTClassifier(pruning=None, min_samples_leaf=3).fit(frame, np.digitize(target, [-0.5, 1.0]))
    encoded, asked = model.tree_.read(frame, every=True).encoded, Asked(model.tree_)
    ways = {walk(asked, cells_of(encoded, row)) for row in range(len(frame))}
    made = []
    monkeypatch.setattr("bough.explain.frame.explain_way", lambda *a, **b: made.append(a[1]) or explain_way(*a, **b))
    told = model.explain(frame)
    assert len(made) == len(ways) < len(frame)
    for row in range(0, len(frame), 7):
        assert told["text"][row] == str(model.explain(frame.iloc[row]))


def test_rows_of_many_forms_say_the_same():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(100, 3))
    bare = bough.CARTRegressor().fit(X, X[:, 1])
    assert str(bare.explain(X[0])) == str(bare.explain(list(X[0]))) == bare.explain(X[:1])["text"][0]
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    named = bough.CARTRegressor().fit(frame, X[:, 1])
    row = collections.namedtuple("Row", "a b c")(*X[0])
    forms = [frame.iloc[0], dict(frame.iloc[0]), row, X[0].tolist(), {"c": X[0, 2], "b": X[0, 1], "a": X[0, 0]}]
    assert len({str(named.explain(form)) for form in forms}) == 1
    with pytest.raises(bough.errors.DataError, match="2 values"):
        named.explain([1.0, 2.0])


def test_conjunctions_are_told():
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({name: rng.choice(["no", "yes"], 200) for name in ("left", "right")})
    y = (frame["left"] == "yes") & (frame["right"] == "yes")
    model = bough.TreeClassifier(search=Pairs()).fit(frame, y.to_numpy())
    texts = {model.explain(row).rule for _, row in frame.iterrows()}
    assert any(" or " in text for text in texts) or any(" and " in text for text in texts)


def test_hostile_names_stay_on_one_line():
    names = ['a"b</script>\n', "x" * 1_000_000]
    frame = pd.DataFrame({name: np.arange(40.0) for name in names})
    model = bough.CARTClassifier().fit(frame, ["two\nlines"] * 20 + ["</script>"] * 20)
    told = str(model.explain(dict.fromkeys(names, 3.0)))
    assert "\n" not in told
    assert len(told) < 1000


def test_levels_out_of_range_are_refused():
    model = bough.CARTRegressor().fit({"x": np.arange(40.0)}, np.arange(40.0))
    for level in (0, 1, 95, "high"):
        with pytest.raises(bough.errors.ParameterError, match="level"):
            model.explain({"x": 1.0}, level=level)


def test_a_lone_root():
    model = bough.CARTClassifier().fit({"x": [1.0, 2.0]}, ["a", "b"])
    assert str(model.explain({"x": 1.0})).startswith("The answer is a, with probability 50 % (95 % interval")


def test_a_very_deep_tree():
    depth = 100_000
    builder = _core.TreeBuilder(routing=(False, 4, 0, 0))
    parent, branch = -1, 0
    for level in range(depth):
        parent = builder.add_node(parent, branch, value=0.0, weight=float(depth - level + 1), rows=1)
        builder.add_threshold(0, float(level))
        builder.add_node(parent, 0, value=1.0, weight=1.0, rows=1)
        branch = 1
    builder.add_node(parent, 1, value=2.0, weight=1.0, rows=1)
    model = bough.CARTRegressor().fit({"x": np.arange(40.0)}, np.arange(40.0))
    model.model_ = model.tree_.with_kernel(builder.freeze())
    assert model.explain({"x": depth + 1.0}).rule == f"x > {depth - 1}"
