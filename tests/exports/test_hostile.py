"""Names and levels that try to break out of a text, trees that are too deep to nest, and what is refused."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

import bough
from bough.errors import ExportError, ParameterError

TEXTS = ["python", "json", "javascript", "c", ("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
NASTY = [
    "</script><script>alert(1)</script>", "'; DROP TABLE input; --", '"quoted"', "back\\slash\\", "two\nlines\r\n",
    "*/ int main(", "??/ trigraph", "{brace} %s %d", "\t tab", "emoji \U0001f333", "\u2028\u2029", "NULL", "nan", "",
    "' OR 1=1", "$$", "\x7f\x01", "é", "e\u0301", "case 0: return 1; /* ", "-- ", "A", "a",
]  # fmt: skip
each_text = pytest.mark.parametrize("target", TEXTS, ids=str)


def exported(model, target, **more):
    if isinstance(target, tuple):
        return bough.export(model, target[0], dialect=target[1], **more)
    return bough.export(model, target, **more)


@each_text
def test_levels_and_classes_that_are_code(target):
    rng = np.random.default_rng(0)
    values = np.array(NASTY * 8, dtype=object)
    y = np.array(NASTY, dtype=object)[rng.integers(0, 6, len(NASTY))].tolist() * 8
    model = bough.C45Classifier(pruning=None).fit({"x": values}, y)
    assert exported(model, target).report.cases > len(NASTY)
    model = bough.CARTClassifier(**SMALL).fit({"x": values}, y)
    assert exported(model, target).report.cases > len(NASTY)


@each_text
def test_levels_and_classes_that_are_code_in_interpreters(target, without_engines):
    values = np.array(NASTY * 8, dtype=object)
    model = bough.C45Classifier(pruning=None).fit({"x": values}, [v[:1] for v in values])
    assert exported(model, target).report.cases > len(NASTY)


@each_text
@pytest.mark.parametrize("name", [n for n in NASTY if n])
def test_columns_that_are_code(target, name):
    table = {name: [1.0, 2.0, 3.0, 4.0] * 3, "other": ["u", "v"] * 6}
    model = bough.CARTClassifier(**SMALL).fit(table, [0, 0, 1, 1] * 3)
    assert exported(model, target).report.cases > 3


# The names that queries, graphs, sheets, documents and programs have inside.
INNER = [
    *(f"bough_{name}" for name in (
        "cases", "answers", "walk", "spread", "ends", "node", "row", "share", "child", "part", "value", "worth_0",
        "best", "most", "choice_1", "none", "any",
    )),
    "bough2_node", "t", "w", "a", "s", "c", "e", "input", "prediction", "prediction_2", "probability_0", "features",
    "ends", "holds", "branches", "node_column", "flat", "node", "labels", "shares", "values", "label", "probabilities",
    "value", "level_0", "known_0", "missing_0", "gone_0", "target", "part_1", "end_1", "share_0", "choice", "row", "x",
    "cells", "constructor", "toString", "__proto__", "step", "tree", "Case", "Levels",
]  # fmt: skip


@pytest.mark.parametrize("target", [*TEXTS, "pmml", "onnx", "excel"], ids=str)
@pytest.mark.parametrize("kind", ["cart", "c45"])
def test_columns_with_the_names_that_are_used_inside(target, kind):
    rng = np.random.default_rng(0)
    table = {name: rng.integers(0, 2, 600).astype(float) for name in INNER[::2]}
    table |= {name: np.array(["u", "v"])[rng.integers(0, 2, 600)] for name in INNER[1::2]}
    y = rng.integers(0, 2, 600)
    model = bough.C45Classifier(pruning=None) if kind == "c45" else bough.CARTClassifier(**SMALL, max_depth=9)
    model.fit(table, y)
    read = {model.schema_.names[k] for k in np.unique(model.tree_.arrays.split_column)}
    assert read == set(INNER)
    if (target, kind) == ("onnx", "c45"):
        model = bough.CARTClassifier(**SMALL, missing="stop").fit(table, y)  # what ONNX says in one ensemble
    assert exported(model, target, max_cases=200).report.cases > 100


DIALECTS = ["sqlite", "duckdb", "postgresql"]
# What SQL engines have as constants, keywords, columns that no one declared, or functions without parentheses.
WORDS = [
    "True", "FALSE", "null", "unknown", "current_date", "current_timestamp", "rowid", "oid", "_rowid_", "default",
    "user", "session_user", "select", "case", "end", "values", "order", "nan", "infinity", "column1",
]  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["single", "walk", "spread"])
def test_columns_with_the_names_of_constants_and_keywords_in_queries(dialect, kind):
    rng = np.random.default_rng(1)
    table = {name: rng.integers(0, 2, 900).astype(float) for name in WORDS[::2]}
    table |= {name: np.array(["u", "v"])[rng.integers(0, 2, 900)] for name in WORDS[1::2]}
    y = rng.integers(0, 2, 900)
    makers = {
        "single": bough.CARTClassifier(**SMALL, max_depth=7),
        "walk": bough.CARTClassifier(**SMALL),
        "spread": bough.C45Classifier(pruning=None),
    }
    model = makers[kind].fit(table, y)
    assert {model.schema_.names[k] for k in np.unique(model.tree_.arrays.split_column)} == set(WORDS)
    assert bough.export(model, "sql", dialect=dialect, max_cases=300).report.cases > 100


@pytest.mark.parametrize("name", ["true", "False"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_column_that_is_called_true_is_no_constant(dialect, name):
    """SQLite gives a column of a subquery that is called so another name, and reads the old one as text."""
    x = np.arange(200.0)
    model = bough.CARTClassifier(**SMALL).fit({name: x, "other": x % 7}, x > 88.5)
    text = bough.export(
        model, "sql", dialect=dialect, table="cases", key=[name, "other"], output="class", verify=False
    ).text
    told = answers_in_engine(dialect, {name: x, "other": x % 7}, text)
    assert [row[:2] for row in told] == list(zip(x, x % 7, strict=True))
    assert [bool(row[2]) for row in told] == (x > 88.5).tolist()


def answers_in_engine(dialect, columns, text):
    """The rows of a query, in the order of the first column."""
    engine = sqlite3 if dialect == "sqlite" else pytest.importorskip("duckdb")
    with closing(engine.connect(":memory:")) as connection:
        declared = ", ".join(f'"{name}" DOUBLE PRECISION' for name in columns)
        connection.execute(f"CREATE TABLE cases ({declared})")
        rows = [tuple(map(float, row)) for row in zip(*columns.values(), strict=True)]
        connection.executemany(f"INSERT INTO cases VALUES ({', '.join('?' * len(columns))})", rows)
        cursor = connection.execute(text)
        assert [column[0] for column in cursor.description[:-1]] == list(columns)
        return sorted(cursor.fetchall())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_key_that_is_called_true(dialect):
    x = np.arange(200.0)
    model = bough.CARTClassifier(**SMALL).fit({"x": x}, x > 88.5)
    for output in ("class", "both"):
        assert bough.export(model, "sql", dialect=dialect, output=output, key=["true", "false"]).report.cases > 3


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_column_that_is_called_true_in_interpreters(dialect, without_engines):
    x = np.arange(200.0)
    model = bough.CARTClassifier(**SMALL).fit({"true": x, "false": np.where(x % 3 < 1, "u", "v")}, (x > 88.5) + x % 3)
    assert bough.export(model, "sql", dialect=dialect).report.cases > 10


def test_tables_keys_and_columns_of_inner_names_in_queries():
    model = bough.C45Classifier(pruning=None).fit({"bough_node": [1.0, 2.0, 3.0, None] * 3}, [0, 0, 1, 1] * 3)
    for dialect in ("sqlite", "duckdb", "postgresql"):
        more = {"dialect": dialect, "table": "bough_cases", "key": ["bough_row", "BOUGH2_walk", "bough_node"]}
        assert '"bough3_walk"' in bough.export(model, "sql", **more).text


@each_text
def test_a_long_name(target):
    name = "n" * 1_000_000
    model = bough.CARTClassifier(**SMALL).fit({name: [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1])
    if target == ("sql", "postgresql"):
        with pytest.raises(ExportError, match="63 bytes"):
            exported(model, target)
    else:
        assert exported(model, target).report.cases > 3


@pytest.mark.parametrize("target", ["c", ("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")], ids=str)
@pytest.mark.parametrize("label", ["nul\0inside", "half \ud800"])
def test_what_no_text_can_hold_is_refused(target, label):
    model = bough.CARTClassifier(**SMALL).fit({"x": [label, "b"] * 4}, [0, 1] * 4)
    with pytest.raises(ExportError, match=r"NUL character|not valid Unicode"):
        exported(model, target)


@pytest.mark.parametrize("target", ["python", "javascript", "json"])
def test_targets_that_escape_hold_everything(target):
    model = bough.CARTClassifier(**SMALL).fit({"x": ["nul\0inside", "b"] * 4}, [0, 1] * 4)
    assert exported(model, target).report.cases > 2


@each_text
def test_trees_too_deep_to_nest(make_chain, target):
    report = exported(make_chain(1200), target, max_cases=300).report
    assert report.cases > 200


@each_text
def test_trees_too_deep_to_nest_in_interpreters(make_chain, target, without_engines):
    if target in (("sql", "duckdb"), ("sql", "postgresql")):
        pytest.skip("the same text in SQLite is above")
    assert exported(make_chain(1200), target, max_cases=300).report.cases > 200


@pytest.mark.parametrize("target", ["json", "python"])
def test_a_tree_of_ten_thousand_steps(make_chain, target):
    assert exported(make_chain(10_000), target, max_cases=20).report.cases > 10


@each_text
def test_a_tree_without_tests(target):
    model = bough.CARTClassifier().fit({"x": [1.0, 2.0]}, ["a", "a"])
    assert exported(model, target).report.cases == 1
    reg = bough.CARTRegressor().fit({"x": [1.0, 2.0]}, [3.0, 4.0])
    assert exported(reg, target).report.cases == 1


@each_text
def test_hand_made_trees_of_every_kind_of_test(make_kinds, make_small, target):
    for routing in [
        (True, 1, 0, 0),
        (True, 2, 1, 2),
        (False, 4, 0, 0),
        (True, 1, 2, 3),
        (False, 2, 0, 1),
        (True, 4, 2, 1),
    ]:
        assert exported(make_kinds(routing), target).report.cases > 50
        if target != ("sql", "sqlite"):  # it asks for 2**64 - 1
            assert exported(make_small(routing), target).report.cases > 50


@each_text
def test_nameless_tables(target):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = bough.CARTClassifier(**SMALL).fit(X, X[:, 0] > X[:, 1])
    assert exported(model, target).report.cases > 50


def test_columns_that_differ_in_case_only():
    model = bough.CARTClassifier(**SMALL).fit({"a": [0, 0, 1, 1], "A": [0, 1, 0, 1]}, [0, 1, 2, 3])
    with pytest.raises(ExportError, match="upper and lower case"):
        bough.export(model, "sql")
    assert bough.export(model, "python").report.cases > 3


def test_misuse_is_named():
    model = bough.CARTClassifier(**SMALL).fit({"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1])
    with pytest.raises(ParameterError, match="no target 'cobol'"):
        bough.export(model, "cobol")
    with pytest.raises(ParameterError, match="fit it first"):
        bough.export(bough.CARTClassifier(), "python")
    with pytest.raises(ParameterError, match="no option 'dialect'"):
        bough.export(model, "python", dialect="duckdb")
    with pytest.raises(ParameterError, match="dialect must be one of"):
        bough.export(model, "sql", dialect="oracle")
    with pytest.raises(ParameterError, match="output must be"):
        bough.export(model, "sql", output="odds")
    with pytest.raises(ParameterError, match="name must be a name in C"):
        bough.export(model, "c", name="1st")


def test_what_is_handed_over(tmp_path):
    model = bough.CARTClassifier(**SMALL).fit({"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1])
    path = tmp_path / "tree.py"
    done = bough.export(model, "python", path)
    assert path.read_text(encoding="utf-8") == done.text == str(done)
    assert repr(done).startswith("<export to python: ")
    assert "verified" in repr(done)
    assert "CPython" in done.report.engine
    assert bough.export(model, "python", verify=False).report.engine == ""
    assert "not verified" in repr(bough.export(model, "python", verify=False))
