"""SQL in tables of all kinds: levels are equal by their bytes in any collation, and keys come back as they are."""

import math
import sqlite3

import pytest

import bough

LABELS = ["a", "A", "b", "a ", "B"]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
# By which form the query has: one expression, a walk, a walk of parts.
FORMS = {
    "one": lambda: bough.CARTClassifier(**SMALL),
    "walk": lambda: bough.CARTClassifier(**SMALL),
    "parts": lambda: bough.ID3Classifier(missing="fractional", unseen="missing"),
}


@pytest.fixture(params=FORMS)
def model(request, monkeypatch):
    if request.param == "walk":
        monkeypatch.setattr("bough.exports.sql._SINGLE", 0)
    return FORMS[request.param]().fit({"x": LABELS * 4}, [0, 1, 0, 1, 2] * 4)


def answers(connection, text):
    return sorted(connection.execute(text).fetchall())


def expected(model):
    return sorted(zip(LABELS, model.predict({"x": LABELS}).tolist(), strict=True))


@pytest.mark.parametrize("collation", ["NOCASE", "RTRIM", "BINARY"])
def test_sqlite(model, collation):
    text = bough.export(model, "sql", dialect="sqlite", table="t1", output="class").text
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t1 (x TEXT COLLATE {collation})")
    connection.executemany("INSERT INTO t1 VALUES (?)", [(label,) for label in LABELS])
    assert answers(connection, text) == expected(model)
    connection.close()


@pytest.mark.parametrize(
    "kind", ["VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT", "VARCHAR", "ENUM('a', 'A', 'b', 'a ', 'B')"]
)
def test_duckdb(model, kind):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE t1 (x {kind})")
        connection.executemany("INSERT INTO t1 VALUES (?)", [(label,) for label in LABELS])
        for dialect in ("duckdb", "postgresql"):
            text = bough.export(model, "sql", dialect=dialect, table="t1", output="class").text
            assert answers(connection, text) == expected(model)


@pytest.mark.parametrize("form", ["one", "walk", "parts"])
def test_keys_that_the_tree_reads_come_back_as_they_are(form, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    if form == "walk":
        monkeypatch.setattr("bough.exports.sql._SINGLE", 0)
    made = bough.C45Classifier(pruning=None) if form == "parts" else bough.CARTClassifier(**SMALL)
    tree = made.fit({"x": [1.0, 2.0, 3.0, 4.0] * 3}, [0, 0, 1, 1] * 3)
    text = bough.export(tree, "sql", table="t1", key="x", output="class").text
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t1 AS SELECT CAST(unnest([1, 4]) AS INTEGER) AS x")
        told = connection.execute(text)
        assert told.description[0][0] == "x"
        assert sorted(map(repr, told.fetchall())) == ["(1, 0)", "(4, 1)"]
        connection.execute("CREATE OR REPLACE TABLE t1 AS SELECT CAST('NaN' AS DOUBLE) AS x")
        assert math.isnan(connection.execute(text).fetchall()[0][0])
