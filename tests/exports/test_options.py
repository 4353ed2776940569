"""Options of exports: each does something or is refused, and the table and key of a query are what they say."""

import time

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.model.program.cases import edge_cases

SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}


@pytest.fixture(scope="module")
def small():
    return bough.CARTClassifier(**SMALL).fit({"x": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1])


@pytest.fixture(scope="module")
def wide():
    """A tree of some 1,500 leaves."""
    rng = np.random.default_rng(0)
    return bough.CARTClassifier(**SMALL).fit({"x": rng.normal(size=3000)}, rng.integers(0, 2, 3000))


def test_more_cases_are_made_where_more_are_asked_for(wide):
    default = bough.export(wide, "json").report
    more = bough.export(wide, "json", max_cases=6000).report
    assert 2000 < default.cases <= more.cases
    fewer = edge_cases(wide.model_.program(), 500)
    assert edge_cases(wide.model_.program()).tried > 2 * fewer.tried
    assert bough.export(wide, "json", max_cases=50).report.cases <= 60


def test_options_without_a_meaning_are_refused(small):
    with pytest.raises(ParameterError, match="True, False or a table; got None"):
        bough.export(small, "python", verify=None)
    with pytest.raises(ParameterError, match="max_cases must be a whole number"):
        bough.export(small, "python", max_cases=0)
    for verify in (False, {"x": [1.0]}):
        with pytest.raises(ParameterError, match="leave one out"):
            bough.export(small, "python", verify=verify, max_cases=10)
    numbers = bough.CARTRegressor().fit({"x": [1.0, 2.0]}, [3.0, 4.0])
    with pytest.raises(ParameterError, match="have no probabilities"):
        bough.export(numbers, "python", output="probability")
    for target, option in (("javascript", "name"), ("onnx", "precision")):
        with pytest.raises(ParameterError, match=f"no option '{option}'"):
            bough.export(small, target, **{option: "single"})


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_drawings_take_what_folds_them_and_refuse_what_judges(wide, target):
    for option in ({"max_depth": 2}, {"max_leaves": 4}, {"min_share": 0.2}, {"max_branches": 2}, {"max_levels": 1}):
        assert bough.export(wide, target, **option).text == bough.draw(wide, target, **option)
    for option in ({"output": "class"}, {"verify": {"x": [1.0]}}, {"max_cases": 5}):
        with pytest.raises(ParameterError, match="is a drawing, which answers nothing"):
            bough.export(wide, target, **option)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgresql"])
def test_a_table_may_have_a_schema(small, dialect):
    done = bough.export(small, "sql", dialect=dialect, table=("sales", "people"))
    assert 'FROM "sales"."people" AS t' in done.text
    assert done.report.cases > 3
    assert bough.export(small, "sql", dialect=dialect, table=["main", "people"]).report.cases > 3
    one = bough.export(small, "sql", dialect=dialect, table="sales.people")
    assert 'FROM "sales.people" AS t' in one.text
    for wrong in ((), ("a", "b", "c"), ("", "b"), "", 3, None):
        with pytest.raises(ParameterError, match=r"as in \('public', 'people'\)"):
            bough.export(small, "sql", dialect=dialect, table=wrong)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgresql"])
def test_a_key_names_each_column_once(small, dialect):
    for key in (["id", "id"], ["ID", "id"], ("x", "X")):
        with pytest.raises(ParameterError, match="twice"):
            bough.export(small, "sql", dialect=dialect, key=key)
    with pytest.raises(ParameterError, match="'X', and the model reads 'x'"):
        bough.export(small, "sql", dialect=dialect, key="X")
    for key in ([], 3, [""], [1]):
        with pytest.raises(ParameterError, match="key must be the name of a column"):
            bough.export(small, "sql", dialect=dialect, key=key)
    assert bough.export(small, "sql", dialect=dialect, key=("id", "x")).report.cases > 3


def test_a_connection_is_one_of_psycopg(small):
    with pytest.raises(ParameterError, match='give dialect="postgresql" with it'):
        bough.export(small, "sql", connection="nonsense")
    with pytest.raises(ParameterError, match=r"as psycopg\.connect"):
        bough.export(small, "sql", dialect="postgresql", connection="nonsense")


@pytest.mark.parametrize("values", [[1, 2, 5], [0.5, 2.0, 1e16]], ids=str)
@pytest.mark.parametrize("nominal", [True, False])
def test_not_a_number_is_missing_in_duckdb_whatever_the_column_holds(values, nominal):
    duckdb = pytest.importorskip("duckdb")
    kinds = {"categorical_features": ["x"]} if nominal else {}
    model = bough.CARTClassifier(**SMALL, missing="stop", unseen="majority", **kinds)
    model.fit({"x": values * 6}, [0, 1, 1] * 6)
    text = bough.export(model, "sql", table="given", key="id", output="probability").text
    connection = duckdb.connect(":memory:")
    connection.execute("CREATE TABLE given (id INTEGER, x DOUBLE)")
    connection.execute("INSERT INTO given VALUES (0, 'NaN'), (1, NULL)")
    told = [row[1:] for row in connection.execute(text).fetchall()]
    connection.close()
    assert told == [tuple(model.predict_proba({"x": [None]})[0].tolist())] * 2


def test_thirty_thousand_levels_take_no_square_of_time():
    labels = [f"l{k}" for k in range(30_000)]
    table = pd.DataFrame({"x": pd.Categorical(labels[:4] * 3, categories=labels)})
    model = bough.CARTClassifier(**SMALL, max_depth=1).fit(table, [0, 1, 0, 1] * 3)
    begin = time.process_time()
    assert len(model.model_.program().fields[0].levels) == 4
    assert time.process_time() - begin < 5
