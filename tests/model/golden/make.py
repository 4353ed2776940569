"""Write the golden model files of a format version, with what they must answer. Run once for each new version:

    python tests/model/golden/make.py

Files that exist are never touched: a released file must load for good.
"""

import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from bough import _core
from bough.model import Ensemble, Forest, Tree
from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.files import load_model, save_model
from bough.model.format import VERSION
from bough.model.inputs import Inputs
from bough.model.provenance import Origin, Provenance
from bough.model.rules import (
    Bound,
    Distribution,
    Interval,
    Known,
    Levels,
    Missing,
    Rule,
    RuleList,
    Statistics,
    Sum,
    SumTerm,
)
from bough.model.rules.statistics import Cover
from bough.table import Column, Schema

FOLDER = Path(__file__).parent

# Rows that reach every kind of split and every state of a cell; columns by name, null is missing.
ROWS = {
    "number": [-1.5, 0.1, 0.3, None, 1e300, 2.0],
    "level": ["a", "1", 1, None, "never", True],
    "size": ["S", "M", "L", None, "M", "S"],
    "born": ["2020-02-29", "2020-03-01", None, "1970-01-01", "2020-02-28", "2031-01-01"],
    "count": [0, 2**63, 2**64 - 1, 5, None, 7],
    "color": ["red", "green", None, "blue", "red", "red"],
    "shape": ["round", "long", "round", None, None, "round"],
}


def every_feature() -> Tree:
    """Splits of all kinds, roles, types and sides; labels of all types; costs, scales, three branches."""
    schema = Schema(
        (
            Column("number", "numeric", "float64"),
            Column("level", "nominal", "levels", ("a", "1", 1, True, 2.5, date(2020, 1, 1), b"\0", "ü\n"), unused=(4,)),
            Column("size", "ordered", "levels", ("S", "M", "L")),
            Column("born", "numeric", "date"),
            Column("count", "numeric", "uint64"),
        )
    )
    b = _core.TreeBuilder([1.0, 0.5, 2.0], (True, 1, 0, 2))
    b.add_node(-1, 0, label=0, counts=[(0, 5.5), (1, 3.0), (2, 1.0)], rows=10, weight=9.5, impurity=0.5, risk=4.0,
               complexity=3.0, majority=1)  # fmt: skip
    b.add_threshold(0, 0.1 + 0.2, score=0.25)
    b.add_levels(1, [0, 2], [1, 0], role=1, score=0.125, found=1)
    b.add_threshold(3, 18321.5, role=1, score=0.1, low=1)
    b.add_levels(1, [0, 1, 7], [0, 1, 0], role=2, score=0.9, adjusted=0.75)
    b.add_threshold(2, 0, role=2, score=0.8, adjusted=0.5, low=1)
    b.add_node(0, 0, label=0, counts=[(0, 4.0), (1, 1.0)], rows=4, weight=5.0, majority=0, risk=1.0, complexity=0.5)
    b.add_threshold(4, 2**64 - 2, score=0.2)
    b.add_node(1, 0, label=0, counts=[(0, 4.0)], rows=3, weight=4.0)
    b.add_node(1, 1, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    b.add_node(0, 1, label=1, counts=[(0, 1.5), (1, 2.0), (2, 1.0)], rows=6, weight=4.5, impurity=0.6, risk=2.5,
               complexity=1.0, majority=0)  # fmt: skip
    b.add_levels(1, [0, 1, 2, 3], [0, 1, 2, 2], score=0.3, found=2)
    b.add_node(4, 0, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    b.add_node(4, 1, label=0, counts=[(0, 1.5)], rows=2, weight=1.5, majority=1)
    b.add_threshold(3, 18322, side=1, score=0.01)
    b.add_node(6, 0, label=0, counts=[(0, 1.0)], rows=1, weight=1.0)
    b.add_node(6, 1, label=0, counts=[(0, 0.5)], rows=1, weight=0.5)
    b.add_node(4, 2, label=2, counts=[(1, 1.0), (2, 1.0)], rows=3, weight=2.0, majority=0)
    b.add_threshold(0, float("inf"), side=1, score=0.0)
    b.add_node(9, 0, label=2, counts=[(2, 1.0)], rows=2, weight=1.0)
    b.add_node(9, 1, label=1, counts=[(1, 1.0)], rows=1, weight=1.0)
    costs = np.array([[0, 1, 2.5], [10, 0, 1], [1, 1, 0]])
    return Tree.by_hand(b.freeze(), schema, np.array(["no", "yes", "perhaps"]), costs, target="answer")


def regression() -> Tree:
    """Signed thresholds at the ends of their range; a case without a value stops."""
    b = _core.TreeBuilder([], (False, 2, 1, 1))
    b.add_node(-1, 0, value=0.1, rows=3, weight=3.0, impurity=1 / 3)
    b.add_threshold(0, -(2**63), score=1e-300)
    b.add_node(0, 0, value=-1e300, rows=1, weight=1.0)
    b.add_node(0, 1, value=5e-324, rows=2, weight=2.0)
    b.add_threshold(0, float("-inf"))
    b.add_node(2, 0, value=0.0)
    b.add_node(2, 1, value=-0.0, rows=2, weight=2.0)
    return Tree.by_hand(b.freeze(), Schema((Column("number", "numeric", "int64"),), named=False))


def every_kind() -> Tree:
    """Intervals with edges of all types, conjunctions, and every way of missing values that a split can have."""
    schema = Schema(
        (
            Column("number", "numeric", "float64"),
            Column("color", "nominal", "levels", ("green", "red", "blue")),
            Column("shape", "nominal", "levels", ("long", "round")),
            Column("size", "ordered", "levels", ("S", "M", "L")),
            Column("count", "numeric", "uint64"),
        )
    )
    b = _core.TreeBuilder([], (True, 4, 0, 0))
    b.add_node(-1, 0, value=0.0, rows=9, weight=9.0)
    b.add_intervals(0, [float("-inf"), -1, 0.1 + 0.2, 2**63, float("inf")], [0, 0, 1, 2, 1, 0], missing=3, score=0.5)
    b.add_conjunction([(1, 0, True), (2, 1, False)], low=1, missing=2, role=1, score=0.25)
    b.add_node(0, 0, value=1.0, rows=2, weight=2.0, majority=1)
    b.add_conjunction([(1, 1, False), (2, 1, False)], missing=0, score=0.1)
    b.add_intervals(3, [0], [1, 0], role=2, score=0.9, adjusted=0.5)
    b.add_node(1, 0, value=1.5, rows=1, weight=1.0)
    b.add_node(1, 1, value=0.5, rows=1, weight=1.0)
    b.add_node(0, 1, value=2.0, rows=4, weight=4.0)
    b.add_intervals(3, [0, 1], [0, 1, 2], missing=1, score=0.2)
    for branch in range(3):
        b.add_node(4, branch, value=2.0 + branch, rows=1, weight=1.0 + branch)
    b.add_node(0, 2, value=3.0, rows=2, weight=2.0)
    b.add_threshold(4, 5, side=1, low=1, missing=2, score=0.1)
    for branch in range(3):
        b.add_node(8, branch, value=3.0 + branch, rows=1, weight=1.0)
    b.add_node(0, 3, value=4.0, rows=1, weight=1.0)
    b.add_levels(1, [0, 1, 2], [0, 0, 0], missing=1)
    b.add_node(12, 0, value=4.5, rows=1, weight=1.0)
    b.add_intervals(4, [], [0], missing=1)
    b.add_node(13, 0, value=4.25)
    b.add_node(13, 1, value=4.125)
    b.add_node(12, 1, value=3.5)
    return Tree.by_hand(b.freeze(), schema)


def every_literal() -> RuleList:
    """Literals of all kinds with bounds of all types, answers of all kinds, names and notes, counts and statistics."""
    number, level, size, born, count, color, shape = columns = (
        Column("number", "numeric", "float64"),
        Column("level", "nominal", "levels", ("a", "1", 1, True, 2.5, date(2020, 1, 1), b"\0", "ü\n"), unused=(4,)),
        Column("size", "ordered", "levels", ("S", "M", "L")),
        Column("born", "numeric", "date"),
        Column("count", "numeric", "uint64"),
        Column("color", "nominal", "levels", ("green", "red", "blue")),
        Column("shape", "nominal", "levels", ("long", "round")),
    )
    terms = (SumTerm(1 / 3, number), SumTerm(-2.0, color, 1))
    rules = (
        Rule((Levels(level, (0, 2), or_missing=True), Interval(number, high=Bound(0.1 + 0.2, True))), "no", "first"),
        Rule(
            (Interval(count, Bound(5, False), Bound(2**64 - 2, True)), Known(born)), Distribution({"yes": 2, "no": 1})
        ),
        Rule((Interval(born, low=Bound(18321.5, True)), Levels(shape, (1,), negated=True)), "perhaps", note="by hand"),
        Rule((Interval(size, Bound(1, True), Bound(2, True), or_missing=True), Missing(born)), "yes", locked=True),
        Rule((Interval(number, Bound(float("-inf"), False), Bound(-1, False), negated=True), Known(size)), "no"),
        Rule((Sum(terms, high=Bound(0.25, False), or_missing=True),), "perhaps", origin="an expert"),
    )
    counts = np.zeros((7, 3))
    counts[[0, 1, 1, 6], [0, 1, 2, 0]] = [4.0, 2.5, 1 / 3, 1e-300]
    answer = ClassAnswer(np.array(["no", "yes", "perhaps"]), smoothing=(1.0, np.array([0.5, 0.25, 0.25])))
    inputs = Inputs(Schema(columns), unseen="other")
    made = RuleList(inputs, answer, rules, "yes", "answer", counts, "A list that\nno learner made.")
    about = {
        "n_rows": 8,
        "all_weight": 7.5,
        "totals": np.array([3.5, 2.0, 2.0]),
        "said": np.array([0, 1, 2, 1, 0, 2, 1]),
    }
    alone = Cover(np.arange(6), counts[:6].sum(axis=1), counts=counts[:6], **{**about, "said": about["said"][:6]})
    turn = Cover(np.arange(7), counts.sum(axis=1), counts=counts, **about)
    labels = ("no", "yes", "perhaps")
    return replace(made, stats={"growing": Statistics(tuple(map(str, rules)), alone, turn, labels)})


def number_rules() -> RuleList:
    """Numbers of all kinds; without default; levels never seen are missing."""
    levels = ("a", "1", 1, True)
    count, level = columns = (Column("number", "numeric", "int64"), Column("level", "nominal", "levels", levels))
    rules = (
        Rule((Interval(count, high=Bound(-(2**63), True)),), -1e300),
        Rule((Interval(count, high=Bound(2**63 - 1, False)), Levels(level, (0,))), 3),
        Rule((Missing(count),), float("inf")),
        Rule((), 5e-324),
    )
    return RuleList(Inputs(Schema(columns)), NumberAnswer(), rules)


PROVENANCE = {
    "every_kind": Provenance("0" * 32, 9, 9, 5, "y", "2026-11-16T08:30:00Z", "0.1.0"),
    "regression": Provenance(
        "0123456789abcdef" * 2, 3, 2, 1, "y", "2026-11-16T08:30:00Z", "0.1.0", 7,
        Origin("t.csv", "csv", None, ";", False, ",", "latin1", ("-9", "x"), ("number",), ("d",), ("n",), ("a b",)),
    ),
}  # fmt: skip


def two_trees() -> Ensemble:
    """A weighted mean of trees."""
    tree = every_feature()
    return Ensemble([tree, tree], vote="majority", weights=[1.0, 2.5])


def short_forest() -> Forest:
    """A forest of two trees: a number, an ordered and a nominal column, missing values, thresholds of a table."""
    schema = Schema(
        (
            Column("number", "numeric", "float64"),
            Column("size", "ordered", "levels", ("S", "M", "L")),
            Column("color", "nominal", "levels", ("red", "green", "blue")),
        )
    )
    number = np.array([0.1, np.nextafter(0.1, 1), 0.3, np.nan, 5.0, 7.0, 0.1, 0.3])
    size = np.array([0, 1, 2, -1, 1, 0, 2, 2], dtype=np.int32)
    color = np.array([0, 1, 2, 1, -1, 0, 0, 2], dtype=np.int32)
    columns = [(number, None, 0), (size, None, 1), (color, None, 2)]
    kernel = _core.Forest()
    target = {"classes": 2, "label": np.array([0, 1, 1, 0, 1, 0, 0, 1], dtype=np.uint32)}
    table = _core.rank_table(columns, [0, 3, 3], None, 1)
    _core.grow_forest(kernel, table, target, {"seed": 1}, {"max_features": 2}, 0, 2, 1)
    return Forest(kernel, Inputs(schema), ClassAnswer(np.array(["no", "yes"], dtype=object)), "y")


def answers(tree: Tree | RuleList | Ensemble | Forest) -> dict:
    """What the tree says of the rows, as JSON; rules say it by their numbers."""
    table = {}
    schema = tree.inputs.asked
    for column in schema:
        values = ROWS[column.name]
        if column.name == "born":
            values = np.array(["NaT" if v is None else v for v in values], "datetime64[D]")
        elif column.name == "count":
            values = [float("nan") if v is None else v for v in values]
            values = np.array(values, dtype=object)
        elif column.name == "number":
            values = np.array([np.nan if v is None else v for v in values])
        else:
            values = np.array(values, dtype=object)
        table[column.name] = values
    data = table if schema.named else np.column_stack(list(table.values()))
    if isinstance(tree, Ensemble | Forest):
        return {"labels": tree.predict(data).tolist(), "probabilities": tree.predict_proba(data).tolist()}
    nodes = tree.apply(data)
    if isinstance(tree, RuleList):
        said = [x if np.isfinite(x) else str(x) for x in tree.said[nodes].ravel().tolist()]
        return {"rules": nodes.tolist(), "said": said} | (
            {"labels": tree.predict(data).tolist()} if tree.is_classifier else {}
        )
    if not tree.is_classifier:
        return {"nodes": nodes.tolist(), "values": tree.values(nodes).tolist()}
    shares = tree.probabilities(nodes)
    return {"nodes": nodes.tolist(), "labels": tree.labels(nodes).tolist(), "probabilities": shares.tolist()}


def main() -> int:
    folder = FOLDER / f"{VERSION[0]}.{VERSION[1]}"
    if folder.exists():
        print(f"{folder} exists: golden files are never written again.")
        return 1
    folder.mkdir()
    expected = {}
    for make in (every_feature, every_kind, regression, every_literal, number_rules, two_trees, short_forest):
        name, tree = make.__name__, make()
        save_model(folder / f"{name}.json", {"made": "by hand"}, tree, PROVENANCE.get(name))
        expected[name] = answers(load_model(folder / f"{name}.json")[1])
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
