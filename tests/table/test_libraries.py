"""The same data give the same schema and the same codes, whatever library they come from."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.table import build_table, encode_rows

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

DATA = {
    "real": [0.5, None, -1.5, 2.0, 0.5],
    "whole": [3, 1, 2, 3, 2**53 + 1],
    "gaps": [3, None, 2, 3, 2**53 + 1],
    "word": ["b", "a", None, "", "b"],
    "flag": [True, False, None, True, True],
    "day": [dt.date(2020, 1, day) for day in range(1, 6)],
    "moment": [dt.datetime(2020, 1, day) for day in range(1, 6)],
    "span": [dt.timedelta(days=day) for day in range(1, 6)],
}


def chunked(table):
    """The table in uneven chunks, one of them empty, the first with an offset."""
    return pa.concat_tables([table.slice(0, 1), table.slice(1, 0), table.slice(1, 3), table.slice(4)])


def stream(table):
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    return Stream()


def pandas_nullable(data):
    types = {"real": "Float64", "whole": "Int64", "gaps": "Int64", "word": "string", "flag": "boolean"}
    types |= {"moment": "datetime64[us]", "span": "timedelta64[us]"}
    return pd.DataFrame({name: pd.Series(values, dtype=types.get(name)) for name, values in data.items()})


WAYS = {
    "dict": lambda data: data,
    "dict of arrays": lambda data: {name: np.array(values, dtype=object) for name, values in data.items()},
    "pandas objects": lambda data: pd.DataFrame({name: pd.Series(v, dtype=object) for name, v in data.items()}),
    "pandas nullable": pandas_nullable,
    "pandas arrow": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda data: pl.DataFrame(data),
    "polars chunks": lambda data: pl.concat([pl.DataFrame(data)[:2], pl.DataFrame(data)[2:]], rechunk=False),
    "pyarrow": lambda data: pa.table(data),
    "chunks": lambda data: chunked(pa.table(data)),
    "slice": lambda data: pa.table({name: [v[0], *v, v[0]] for name, v in data.items()}).slice(1, len(v_of(data))),
    "record batch": lambda data: pa.table(data).to_batches()[0],
    "reader": lambda data: pa.table(data).to_reader(),
    "stream": lambda data: stream(chunked(pa.table(data))),
}


def v_of(data):
    return next(iter(data.values()))


def content(table):
    """Everything in a table as plain values."""
    columns = []
    for encoded in table.columns:
        values = encoded.data.tolist()
        if encoded.missing is not None:
            values = [None if gap else value for value, gap in zip(values, encoded.missing, strict=True)]
        columns.append([None if value != value else value for value in values])
    return columns


@pytest.mark.parametrize("way", WAYS)
def test_same_table(way):
    expected = build_table(DATA)
    table = build_table(WAYS[way](DATA))
    assert table.schema == expected.schema
    assert content(table) == content(expected)


@pytest.mark.parametrize("way", WAYS)
def test_same_rows_at_prediction(way):
    schema = build_table(DATA).schema
    head = {name: values[1:4] for name, values in DATA.items()}
    rows = encode_rows(schema, WAYS[way](head if way != "chunks" and way != "stream" else DATA))
    expected = encode_rows(schema, head if way != "chunks" and way != "stream" else DATA)
    for one, other in zip(rows, expected, strict=True):
        np.testing.assert_array_equal(one.data, other.data)


def test_plain_pandas_differs_only_in_what_pandas_has_done():
    table = build_table(pd.DataFrame(DATA))
    assert table.schema.columns[2].dtype == "float64"  # pandas turns whole numbers with gaps into floats
    assert table.schema.columns[3] == build_table(DATA).schema.columns[3]


def test_numpy_without_names():
    array = np.array(list(DATA.values()), dtype=object).T
    assert content(build_table(array)) == content(build_table(DATA))
    assert content(build_table(array.tolist())) == content(build_table(DATA))


def test_duckdb_relation():
    duckdb = pytest.importorskip("duckdb")
    source = pa.table({name: DATA[name] for name in ("real", "whole", "word", "flag", "day", "moment")})
    relation = duckdb.sql("select *, 'y'::enum('x', 'y') as e from source order by day")
    if not hasattr(relation, "__arrow_c_stream__"):
        pytest.skip("this version of DuckDB has no Arrow streams")
    table = build_table(relation)
    assert content(table)[:-1] == content(build_table(source))
    assert (table.schema.columns[-1].levels, table.schema.columns[-1].unused) == (("x", "y"), (0,))
    assert source.num_rows == 5


FORMS = {
    "pandas category": lambda v, levels: pd.Series(pd.Categorical(v, categories=levels)),
    "pandas ordered": lambda v, levels: pd.Series(pd.Categorical(v, categories=levels, ordered=True)),
    "polars enum": lambda v, levels: pl.Series(v, dtype=pl.Enum(levels)),
    "polars categorical": lambda v, levels: pl.Series(v, dtype=pl.Categorical),
    "arrow dictionary": lambda v, levels: pa.array(pd.Categorical(v, categories=levels)),
    "arrow strings": lambda v, levels: pa.array(v, type=pa.string()),
    "list": lambda v, levels: v,
}


@given(st.data())
def test_levels_match_across_all_forms(data):
    levels = data.draw(st.lists(st.text(max_size=3), min_size=1, max_size=6, unique=True))
    values = st.one_of(st.none(), st.sampled_from(levels))
    trained = data.draw(st.lists(values, min_size=1, max_size=8).filter(any))
    asked = data.draw(st.lists(values, min_size=1, max_size=8))
    fit_form, form = (FORMS[data.draw(st.sampled_from(sorted(FORMS)))] for _ in range(2))
    schema = build_table({"x": fit_form(trained, levels)}).schema
    column = schema.columns[0]
    expected = [-1 if value is None else column.levels.index(value) if value in trained else -2 for value in asked]
    permuted = data.draw(st.permutations(levels)) + ["extended beyond"]
    assert encode_rows(schema, {"x": form(asked, permuted)})[0].data.tolist() == expected
