"""categorical_features and ordered_features: names, positions, masks, levels, and what is wrong with them."""

import datetime as dt

import numpy as np
import pytest

from bough.errors import DataError, ParameterError
from bough.table import build_table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

FRAME = {"a": [3, 1, 3], "b": [0.5, None, -0.0], "c": ["x", "y", "x"]}


def kinds(X=FRAME, **options):
    return [column.kind for column in build_table(X, **options).schema]


@pytest.mark.parametrize("given", ["from_dtype", None, [], ["c"], [2], [False, False, True], np.array([], dtype=int)])
def test_strings_are_nominal_whatever_is_said(given):
    assert kinds(categorical_features=given) == ["numeric", "numeric", "nominal"]


@pytest.mark.parametrize(
    "given", [["a"], [0], np.array([0]), (np.int8(0),), [True, False, False], np.array([True, False, False]), {"a"}]
)
def test_names_positions_and_masks(given):
    column = build_table(FRAME, categorical_features=given).schema.columns[0]
    assert (column.kind, column.levels) == ("nominal", (1, 3))


def test_numbers_become_levels_by_value():
    table = build_table(FRAME, categorical_features=["a", "b"])
    assert table.schema.columns[1].levels == (0.0, 0.5)
    assert str(table.schema.columns[1].levels[0]) == "0.0"
    assert table.columns[0].data.tolist() == [1, 0, 1]
    assert table.columns[1].data.tolist() == [1, -1, 0]


def test_dates_become_levels_too():
    days = [dt.date(2020, 1, 2), dt.date(2020, 1, 1)]
    assert build_table({"x": days}, categorical_features=["x"]).schema.columns[0].levels == tuple(sorted(days))
    moments = [dt.datetime(2020, 1, 2, tzinfo=dt.UTC), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]
    assert build_table({"x": moments}, categorical_features=["x"]).schema.columns[0].levels == tuple(sorted(moments))
    times = [dt.time(2), dt.time(1)]
    assert build_table({"x": times}, categorical_features=["x"]).schema.columns[0].levels == tuple(sorted(times))


def test_columns_of_a_nameless_table_go_by_position_or_by_the_name_they_print():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert kinds(X, categorical_features=[1]) == ["numeric", "nominal"]
    assert kinds(X, categorical_features=["x1"]) == ["numeric", "nominal"]


def test_where_names_are_whole_numbers_a_number_is_a_name():
    years = pd.DataFrame({2010: [1, 2], 2011: [3, 4], 2: [5, 6]})
    assert kinds(years, categorical_features=[2011]) == ["numeric", "nominal", "numeric"]
    assert kinds(years, categorical_features=["2011"]) == ["numeric", "nominal", "numeric"]
    assert kinds(years, categorical_features=[0, 2]) == ["nominal", "numeric", "nominal"]  # 2 is both of one column
    assert kinds(years, ordered_features={2010: [1, 2]}) == ["ordered", "numeric", "numeric"]
    turned = years.set_axis([1, 0, 2], axis=1)
    with pytest.raises(
        ParameterError, match="holds 1, which is the name of one column and the position of another, '0'"
    ):
        build_table(turned, categorical_features=[1])
    assert kinds(turned, categorical_features=["1"]) == ["nominal", "numeric", "numeric"]
    as_text = years.rename(columns=str)
    with pytest.raises(ParameterError, match="holds the position 2010, but X has 3 columns"):
        build_table(as_text, categorical_features=[2010])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["d"], "names 'd', but X has no such column. Its columns are 'a', 'b', 'c'"),
        ([3], "position 3, but X has 3 columns: expected 0 to 2"),
        ([-1], "position -1"),
        ([True, False], "mask of 2 entries, but X has 3 columns"),
        ("a", "categorical_features='a'"),
        (3, "categorical_features=3"),
        ([0.5], "holds 0.5"),
        ([0, True], "holds True"),
        ([None], "holds None"),
    ],
)
def test_bad_categorical_features(given, message):
    with pytest.raises(ParameterError, match=message):
        build_table(FRAME, categorical_features=given)


def test_ordered_levels():
    table = build_table(FRAME, ordered_features={"c": ["y", "z", "x"], 0: [1, 2, 3]})
    a, _, c = table.schema
    assert (a.kind, a.levels, a.unused) == ("ordered", (1, 2, 3), (1,))
    assert (c.kind, c.levels, c.unused) == ("ordered", ("y", "z", "x"), (1,))
    assert table.columns[0].data.tolist() == [2, 0, 2]
    assert table.columns[2].data.tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    "values",
    [
        ["x", "y", None],
        pd.Categorical(["x", "y", None], categories=["q", "x", "y"]),
        pl.Series(["x", "y", None], dtype=pl.Enum(["y", "x"])),
        pl.Series(["x", "y", None], dtype=pl.Categorical),
    ],
)
def test_ordered_levels_override_those_of_the_type(values):
    table = build_table({"c": values}, ordered_features={"c": ["y", "x"]})
    assert table.schema.columns[0].levels == ("y", "x")
    assert table.columns[0].data.tolist() == [1, 0, -1]


@pytest.mark.parametrize(
    "values", [pd.Categorical(["x", "y"], categories=["y", "x"]), pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"]))]
)
def test_a_list_takes_the_order_of_the_type(values):
    assert kinds({"c": values}) == ["nominal"]
    table = build_table({"c": values}, ordered_features=["c"])
    assert (table.schema.columns[0].kind, table.schema.columns[0].levels) == ("ordered", ("y", "x"))


def test_an_ordered_category_can_be_made_nominal():
    values = pd.Categorical(["x", "y"], categories=["y", "x"], ordered=True)
    assert kinds({"c": values}) == ["ordered"]
    assert kinds({"c": values}, categorical_features=["c"]) == ["nominal"]


def test_a_value_outside_the_list_is_named():
    with pytest.raises(DataError, match="Column 'c' holds 'y', which is not among its levels"):
        build_table(FRAME, ordered_features={"c": ["x"]})
    assert kinds(ordered_features={"c": ["x"]}, sample_weight=[1, 0, 1])[2] == "ordered"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"d": ["x"]}, "names 'd', but X has no such column"),
        ({"c": []}, "lists no level"),
        ({"c": "xy"}, "expected a list of levels, lowest first"),
        ({"c": {"x", "y"}}, "expected a list of levels, lowest first"),
        ({"c": 3}, "expected a list of levels, lowest first"),
        ({"c": ["x", "x"]}, "lists 'x' twice"),
        ({"a": [1, 1.0]}, "lists 1.0 twice"),
        ({"c": ["x", None]}, "missing value"),
        ({"c": ["x", "y"], 2: ["x", "y"]}, "names column 'c' twice"),
        (["c"], "whose type does not list its levels"),
        ("c", "ordered_features='c'"),
    ],
)
def test_bad_ordered_features(given, message):
    with pytest.raises(ParameterError, match=message):
        build_table(FRAME, ordered_features=given)


def test_one_column_cannot_be_both():
    with pytest.raises(ParameterError, match="'c' is named in categorical_features and in ordered_features"):
        build_table(FRAME, categorical_features=["c"], ordered_features={"c": ["x", "y"]})
