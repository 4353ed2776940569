"""Memory is shared where it can be, and work is linear in rows and levels."""

import time

import numpy as np
import pytest

from bough.table import build_table, encode_rows

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def data_of(X):
    return [encoded.data for encoded in build_table(X).columns]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_not_copied(dtype, order):
    X = np.asarray(np.arange(12).reshape(4, 3), dtype=dtype, order=order)
    X.flags.writeable = False
    for view in (X, X[::2], X[::-1, ::-1]):
        for i, data in enumerate(data_of(view)):
            assert np.shares_memory(data, X)
            np.testing.assert_array_equal(data, view[:, i])


def test_memory_maps_are_not_copied(tmp_path):
    X = np.memmap(tmp_path / "x", dtype=np.float64, mode="w+", shape=(4, 3))
    assert all(np.shares_memory(data, X) for data in data_of(X))


def test_unaligned_memory_is_copied():
    records = np.zeros(3, dtype=np.dtype([("flag", "i1"), ("value", "f8")]))
    assert not records["value"].flags.aligned
    assert data_of({"x": records["value"]})[0].flags.aligned


def test_frames_are_not_copied():
    x = np.arange(5.0)
    frame = pd.DataFrame({"x": x})
    assert np.shares_memory(data_of(frame)[0], frame["x"].to_numpy())
    series = pl.Series("x", x)
    assert np.shares_memory(data_of(series.to_frame())[0], series.to_numpy())
    array = pa.array(x)
    assert np.shares_memory(data_of(pa.table({"x": array}))[0], array.to_numpy())
    times = np.array(["2020-01-01"], dtype="M8[us]")
    assert np.shares_memory(data_of({"x": times})[0], times)


ROWS = 1_000_000


def seconds(X):
    start = time.process_time()
    table = build_table(X)
    built = time.process_time() - start
    encode_rows(table.schema, X)
    return built, time.process_time() - start - built, table


@pytest.mark.parametrize("library", ["pandas", "pandas objects", "polars", "pyarrow", "list"])
def test_a_million_rows_of_few_strings(library):
    words = np.array(["red", "green", "blue"], dtype=object)[np.arange(ROWS) % 3]
    X = {"x": make(library, words)}
    built, encoded, _ = seconds(X)
    assert built < 1
    assert encoded < 1


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_million_levels(library):
    words = np.array([f"name {i:07d}" for i in np.random.default_rng(0).permutation(ROWS)], dtype=object)
    X = {"x": make(library, words)}
    built, encoded, table = seconds(X)
    assert table.schema.columns[0].n_levels == ROWS
    assert built < 10
    assert encoded < 10


def make(library, words):
    if library == "pandas":
        return pd.Series(words, dtype="str")
    if library == "pandas objects":
        return pd.Series(words, dtype=object)
    if library == "polars":
        return pl.Series(words.tolist())
    return pa.array(words) if library == "pyarrow" else words.tolist()
