"""Every tree algorithm on ten tables in every real engine that can express it: the same classes and probabilities."""

import importlib
import importlib.util
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import bough
from bough.errors import ExportError

CASES = 150


def _has(module):
    return importlib.util.find_spec(module) is not None


def engine(name):
    """Skip where an engine is not installed; return the arguments of the export."""
    needs = {
        "node": (shutil.which("node"), "node: tools/engines.sh installs it"),
        "gcc": (shutil.which("cc") or shutil.which("gcc"), "a C compiler: tools/engines.sh installs it"),
        "duckdb": (_has("duckdb"), "the package duckdb: pip install 'bough[engines]'"),
        "onnxruntime": (_has("onnxruntime"), "the package onnxruntime: pip install 'bough[engines]'"),
    }
    found, what = needs.get(name, (True, ""))
    if not found:
        pytest.skip(f"needs {what}")
    return {
        "node": ("javascript", {}), "gcc": ("c", {}), "duckdb": ("sql", {"dialect": "duckdb"}),
        "sqlite": ("sql", {"dialect": "sqlite"}), "onnxruntime": ("onnx", {}), "cpython": ("python", {}),
    }[name]  # fmt: skip


# What ONNX cannot say: cases that are spread or refused; of the others, trees that ask nothing.
NOT_IN_ONNX = {
    "cart-unseen-error", "c45", "c45-unpruned-laplace", "c45-binary", "c45-subsets", "id3", "id3-refuse",
    "fractional-costs", "fractional",
}  # fmt: skip

ENGINES = ["sqlite", "duckdb", "cpython", "node", "gcc", "onnxruntime"]


def scored(model, target, options, **more):
    """The number of cases compared; 0 where the target refuses the model with a reason."""
    try:
        report = bough.export(model, target, max_cases=CASES, **options, **more).report
    except ExportError as refusal:
        if refusal.row is not None or "First difference" in str(refusal) or "does not run" in str(refusal):
            raise
        return 0
    assert report.real
    assert report.largest <= 1e-9
    return report.cases


@pytest.mark.parametrize("name", ENGINES)
def test_every_classifier_on_ten_tables(name, kind, makers, make_classifier, record_property):
    target, options = engine(name)
    tables = makers["TABLES"]
    models = [make_classifier(kind, table) for table in tables]
    counts = [scored(model, target, options) for model in models]
    record_property(f"cases in {name}", sum(counts))
    if name != "onnxruntime":
        assert all(counts)
    else:
        expected = [kind not in NOT_IN_ONNX and model.tree_.n_leaves > 1 for model in models]
        assert [count > 0 for count in counts] == expected


@pytest.mark.parametrize("name", ENGINES)
def test_every_regressor(name, number_kind, makers, record_property):
    target, options = engine(name)
    counts = [scored(makers["fitted_numbers"](number_kind, table), target, options) for table in makers["NUMBERS"]]
    record_property(f"cases in {name}", sum(counts))
    assert all(counts) != (name == "onnxruntime" and number_kind in NOT_IN_ONNX)


def test_every_classifier_in_postgresql(postgres, kind, makers, make_classifier, record_property):
    options = {"dialect": "postgresql", "connection": postgres}
    counts = [scored(make_classifier(kind, table), "sql", options) for table in makers["TABLES"]]
    record_property("cases in postgresql", sum(counts))
    assert all(counts)


def test_every_regressor_in_postgresql(postgres, number_kind, makers):
    options = {"dialect": "postgresql", "connection": postgres}
    assert all(scored(makers["fitted_numbers"](number_kind, table), "sql", options) for table in makers["NUMBERS"])


PLANES = runpy.run_path(str(Path(__file__).resolve().parents[1] / "exports" / "planes.py"))


def planes(fallbacks):
    """Trees of weighted sums over columns of every type, some with values that make a whole sum missing."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        routing = (False, fallbacks[seed % len(fallbacks)], 0, int(rng.choice([0, 1, 2])))
        yield PLANES["random_tree"](rng, routing, classes=seed % 2 * 3, whole=seed % 3 == 0)


@pytest.mark.parametrize("name", ENGINES)
def test_planes(name, record_property):
    target, options = engine(name)
    counts = [scored(tree, target, options) for tree in planes((1, 2) if name == "onnxruntime" else (1, 2, 4))]
    record_property(f"cases in {name}, of planes", sum(counts))
    assert min(counts) > 50


def test_planes_in_postgresql(postgres, record_property):
    counts = [scored(tree, "sql", {"dialect": "postgresql", "connection": postgres}) for tree in planes((1, 2, 4))]
    record_property("cases in postgresql, of planes", sum(counts))
    assert min(counts) > 50


def test_a_transaction_and_the_tables_of_a_connection_stay_as_they_were(postgres):
    psycopg = pytest.importorskip("psycopg")
    model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit({"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1])
    options = {"dialect": "postgresql", "connection": postgres, "table": ("public", "people"), "key": ["id", "x"]}
    with postgres.cursor() as cursor:
        cursor.execute("CREATE TABLE people (id BIGINT, x DOUBLE PRECISION)")
        cursor.execute("INSERT INTO people VALUES (7, 1.5), (8, NULL), (9, 'NaN')")
        text = bough.export(model, "sql", **options).text  # in the open transaction
        cursor.execute(text)
        missing = model.predict({"x": [None]})[0]
        assert [row[2] for row in sorted(cursor.fetchall())] == [0, missing, missing]
        cursor.execute("SELECT count(*) FROM people")
        assert cursor.fetchone() == (3,)
    postgres.rollback()
    postgres.autocommit = True
    try:
        assert scored(model, "sql", options) > 3
        with postgres.cursor() as cursor:
            cursor.execute("SELECT to_regclass('people')")
            assert cursor.fetchone() == (None,)
        assert postgres.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    finally:
        postgres.autocommit = False
    assert scored(model, "sql", options) > 3
    assert postgres.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    with postgres.cursor() as cursor, pytest.raises(psycopg.Error):
        cursor.execute("SELECT * FROM no_such_table")
    with pytest.raises(bough.errors.ParameterError, match="roll it back first"):
        bough.export(model, "sql", **options)
    postgres.rollback()


def test_exactness_and_depth_in_postgresql(postgres, make_chain):
    options = {"dialect": "postgresql", "connection": postgres}
    assert scored(make_chain(1100), "sql", options) > 50
    values = np.array([2**53 + k for k in range(6)] + [2**62 + k for k in range(4)], dtype=np.int64)
    unsigned = np.array([2**64 - 1 - k for k in range(6)][::-1], dtype=np.uint64)
    floats = np.array([0.1, 0.2, 0.1 + 1e-7, 16777218.0], dtype=np.float32)
    days = np.array(["1850-01-01", "2020-02-28", "2020-02-29", "2020-03-01"], dtype="M8[D]")
    for x in (values, unsigned, floats, days, days.astype("M8[us]"), (days - days[0]).astype("m8[s]")):
        model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None, missing="stop")
        model.fit({"x": x}, np.arange(len(x)) % 2)
        assert scored(model, "sql", options) > 5


def test_levels_in_postgresql_are_equal_by_their_bytes(postgres):
    labels = ["a", "A", "b", "a "]
    model = bough.ID3Classifier(missing="fractional", unseen="missing").fit({"x": labels * 4}, [0, 1, 0, 1] * 4)
    text = bough.export(model, "sql", dialect="postgresql", table="t1", output="class").text
    with postgres.cursor() as cursor:
        cursor.execute("CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
        cursor.execute("CREATE TYPE kind AS ENUM ('a', 'A', 'b', 'a ')")
        for column in ("TEXT COLLATE loose", "TEXT", "kind"):
            cursor.execute(f"CREATE TEMPORARY TABLE t1 (x {column})")
            cursor.executemany("INSERT INTO t1 VALUES (%s)", [(label,) for label in labels])
            cursor.execute(text)
            assert sorted(cursor.fetchall()) == sorted(zip(labels, [0, 1, 0, 1], strict=True))
            cursor.execute("DROP TABLE t1")
    postgres.rollback()


# Lists of rules

RULES = runpy.run_path(str(Path(__file__).resolve().parents[1] / "model" / "rules" / "rule_makers.py"))


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("classes", [RULES["CLASSES"], ()], ids=["classes", "numbers"])
@pytest.mark.parametrize("name", ENGINES)
def test_lists_of_fifty_rules_with_literals_of_every_kind(name, classes, unseen, record_property):
    target, options = engine(name)
    counts = [scored(RULES["made"](seed, classes=classes, unseen=unseen), target, options) for seed in range(4)]
    record_property(f"cases in {name}", sum(counts))
    assert all(counts)


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("unseen", ["missing", "other"])
def test_lists_of_fifty_rules_in_postgresql(postgres, unseen):
    options = {"dialect": "postgresql", "connection": postgres}
    for seed in range(4):
        assert scored(RULES["made"](seed, unseen=unseen), "sql", options)
        assert scored(RULES["made"](seed, 6, unseen=unseen, default=False), "sql", options)


# Tables that nobody thought of


@pytest.mark.parametrize("name", ENGINES)
def test_random_tables(name, budget, makers):
    target, options = engine(name)
    counts = []

    @settings(max_examples=max(3, round(15 * budget)))
    @given(makers["random_models"]())
    def check(model):
        counts.append(scored(model, target, options))

    check()
    assert sum(counts) > 0 if name == "onnxruntime" else sum(count > 0 for count in counts) > len(counts) / 2


def test_random_tables_in_postgresql(postgres, budget, makers):
    counts = []

    @settings(max_examples=max(3, round(15 * budget)))
    @given(makers["random_models"]())
    def check(model):
        counts.append(scored(model, "sql", {"dialect": "postgresql", "connection": postgres}))

    check()
    assert sum(count > 0 for count in counts) > len(counts) / 2
