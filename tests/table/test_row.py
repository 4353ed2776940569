"""One row: which things are one, how names are matched, what is left out, what is refused."""

import collections
import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bough.errors import DataError, DataWarning
from bough.table import build_table, encode_rows, is_row, read_row

SCHEMA = build_table(
    {"age": [41.0, 52.0], "sex": ["f", "m"], "born": [dt.date(1980, 1, 1), dt.date(1990, 1, 1)]}
).schema
BARE = build_table(np.array([[1.0, 2.0], [3.0, 4.0]])).schema
Pair = collections.namedtuple("Pair", "sex age")


@pytest.mark.parametrize(
    "row",
    [
        {"sex": "m", "age": 30},
        pd.Series({"sex": "m", "age": 30}),
        Pair("m", 30),
        {"sex": np.str_("m"), "age": np.float64(30)},
        {"sex": "m", "age": np.array(30.0)},
        collections.OrderedDict(age=30, sex="m"),
    ],
)
def test_names_may_come_in_any_order_and_be_left_out(row):
    read = read_row(SCHEMA, row)
    assert read.left_out == ("born",)
    age, sex, born = encode_rows(SCHEMA, read)
    assert (age.data.tolist(), sex.data.tolist(), born.data.shape) == ([30.0], [1], (1,))
    assert np.isnan(born.data[0])


def test_a_tuple_is_in_the_order_of_the_columns():
    read = read_row(SCHEMA, (30, "m", None))
    assert read.cells == (30, "m", None)
    assert not read.left_out
    with pytest.raises(DataError, match=r"2 values, but the model has 3 columns \('age', 'sex', 'born'\)"):
        read_row(SCHEMA, (30, "m"))


@pytest.mark.parametrize(
    "table",
    [
        {"age": [30], "sex": ["m"]},
        {"age": range(3)},
        {"age": np.array([30.0])},
        {"age": pd.Series([1.0]), "sex": pd.Categorical(["m"])},
        {"age": pl.Series([1.0])},
        ((1, 2), (3, 4)),
        [1, 2, 3],
        [[1, 2, 3]],
        np.array([1.0, 2.0]),
        np.zeros((2, 2)),
        pd.DataFrame({"age": [1.0]}),
        pl.DataFrame({"age": [1.0]}),
        pd.Series([1.0, 2.0, 3.0]),
        pl.Series([1.0, 2.0]),
        None,
        3.0,
        "text",
    ],
)
def test_all_else_is_no_row(table):
    assert not is_row(table)
    assert read_row(SCHEMA, table) is None


def test_a_misspelt_name_is_an_error_with_the_nearest():
    with pytest.raises(DataError, match=r"names 'agee', which is no column of the model: did you mean 'age'\?"):
        read_row(SCHEMA, {"agee": 30, "sex": "m"})
    with pytest.raises(DataError, match="did you mean 'sex'"):
        read_row(SCHEMA, {"SEX": "m"})
    with pytest.raises(DataError, match="its columns are 'age', 'sex', 'born'"):
        read_row(SCHEMA, {"price": 3})
    with pytest.raises(DataError, match="names 7, which"):
        read_row(SCHEMA, {7: 3})
    with pytest.raises(DataError, match="names 'age' twice"):
        read_row(SCHEMA, pd.Series([1, 2], index=["age", "age"]))


@pytest.mark.parametrize("row", [{}, ()])
def test_a_row_of_nothing_is_refused(row):
    with pytest.raises(DataError, match=r"row is empty: give a value of at least one column; the model has 'age', 'se"):
        read_row(SCHEMA, row)


def test_a_row_of_one_value_has_one_value():
    with pytest.raises(DataError, match="The row has 1 value, but"):
        read_row(SCHEMA, (30,))


def test_a_misspelt_name_beside_a_complete_row_is_an_error_too():
    complete = {"age": 30, "sex": "m", "born": None}
    for name, meant in [("agee", "age"), ("Born", "born")]:
        with pytest.raises(DataError, match=f"names '{name}', which is no column of the model: did you mean '{meant}'"):
            read_row(SCHEMA, complete | {name: 1})


def test_a_complete_row_may_have_more_which_is_warned_of_as_in_a_table():
    row = {"age": 30, "sex": "m", "born": None, "target": "yes"}
    with pytest.warns(DataWarning, match="ignored: 'target'"):
        assert read_row(SCHEMA, row).cells == (30, "m", None)


def test_rows_of_nameless_tables():
    assert read_row(BARE, (1.0, 2.0)).cells == (1.0, 2.0)
    assert read_row(BARE, {"x1": 2.0}).cells == (None, 2.0)
    assert read_row(BARE, pd.Series([1.0, 2.0])).cells == (1.0, 2.0)
    assert read_row(BARE, Pair(1.0, 2.0)).cells == (1.0, 2.0)
    assert read_row(BARE, pd.Series([1.0, 2.0, 3.0])) is None
