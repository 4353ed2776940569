"""The data set object: frames keep declared levels in order, rows and columns can be chosen."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bough import datasets
from bough.errors import DataError, ParameterError


def test_every_name_loads_and_is_the_name_of_its_function():
    for name in datasets.names():
        assert datasets.load(name).name == name
        assert hasattr(datasets, f"load_{name}") != hasattr(datasets, f"make_{name}")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ParameterError, match=r"'iris'.*penguins"):
        datasets.load("iris")


@pytest.mark.parametrize("name", datasets.names())
def test_levels_are_those_of_the_columns(name):
    table = datasets.load(name)
    for column, levels in table.levels.items():
        assert set(table.columns[column]) <= {*levels, None}
    nominal = {column for column, values in table.data.items() if values.dtype == object}
    assert nominal == set(table.levels) - {table.target_name}


@pytest.mark.parametrize("name", ["penguins", "watermelon", "led", "friedman1"])
def test_pandas_and_polars_hold_the_same_cells(name):
    table = datasets.load(name)
    pandas_x, pandas_y = table.xy("pandas")
    polars_x, polars_y = table.xy("polars")
    assert isinstance(pandas_x, pd.DataFrame)
    assert isinstance(polars_x, pl.DataFrame)
    assert list(pandas_x.columns) == polars_x.columns == table.feature_names
    for column in table.feature_names:
        from_pandas = [None if pd.isna(value) else value for value in pandas_x[column]]
        assert from_pandas == polars_x[column].to_list()
    assert list(pandas_y) == polars_y.to_list()


def test_categories_keep_the_declared_order():
    table = datasets.load_titanic()
    X, y = table.xy("pandas")
    assert list(X["status"].cat.categories) == ["crew", "first", "second", "third"]
    assert not X["status"].cat.ordered
    assert list(y.cat.categories) == ["no", "yes"]
    X, _ = table.xy("polars")
    assert X["status"].dtype == pl.Enum(["crew", "first", "second", "third"])


def test_the_frame_has_the_target_last():
    frame = datasets.load_play_tennis().frame
    assert list(frame.columns) == ["Outlook", "Temperature", "Humidity", "Wind", "Play"]
    assert len(frame) == 14


def test_an_unknown_kind_of_frame_is_refused():
    with pytest.raises(ParameterError, match=r"'arrow'.*'pandas', 'polars', 'dict'"):
        datasets.load_fruit().xy("arrow")


def test_rows_and_columns_can_be_chosen():
    table = datasets.load_watermelon()
    part = table.take([16, 0]).select(["umbilicus", "color"])
    assert part.feature_names == ["umbilicus", "color"]
    assert part.data["color"].tolist() == ["green", "green"]
    assert part.target.tolist() == [False, True]
    assert len(table) == 17, "the whole table is left as it was"
    with pytest.raises(ParameterError, match=r"'colour'.*color"):
        table.select(["colour"])


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="'x' has 2 values, the target 'y' has 3"):
        datasets.Dataset("wrong", {"x": np.zeros(2)}, np.zeros(3), "y", "")
