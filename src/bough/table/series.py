"""Columns of pandas, polars and pyarrow through narwhals, and natively where labels are turned into codes."""

from typing import TYPE_CHECKING, Any, TypeGuard

import narwhals.stable.v2 as nw
import numpy as np

from bough.errors import ColumnTypeError
from bough.table.arrays import read_array
from bough.table.objects import read_objects
from bough.table.raw import Labels, Numbers, Raw, all_missing, label_values
from bough.table.warn import warn_of_merged

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["is_categorical", "read_categorical", "read_series"]


def read_series(series: "nw.Series[Any]", column: str) -> Raw:
    """Read a column from a series of any library that narwhals knows; those around a numpy array are not for here."""
    native: Any = series.to_native()
    dtype = series.dtype
    if dtype.is_nested():
        raise ColumnTypeError(
            f"Column {column!r} is of type {dtype}; each row of a column must be a single number, string, category "
            "or date. Spread it over several columns (one for each field or element), or leave it out."
        )
    if dtype.is_integer():
        return _read_integers(series, column)
    if dtype == nw.Boolean:
        return Labels(series.cast(nw.Int8).fill_null(-1).to_numpy().astype(np.int32), [False, True])
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _read_levels(series, native, column)
    if dtype == nw.Decimal:
        series = _as_doubles(series, column)
    if series.null_count() == len(series) and dtype in (nw.Unknown, nw.Object):
        return all_missing(len(series))
    if dtype in (nw.Object, nw.Binary, nw.Time):
        return read_objects(series.to_list(), column)
    return read_array(series.to_numpy(), column, getattr(dtype, "time_zone", None))


def _read_integers(series: "nw.Series[Any]", column: str) -> Numbers:
    missing = series.is_null().to_numpy() if series.null_count() else None
    filled = series if missing is None else series.fill_null(0)
    if series.dtype in (nw.Int128, nw.UInt128):  # numpy has no such type: the smallest of ours that holds the values
        low, high = filled.min(), filled.max()
        if low >= -(2**63) and high < 2**63:
            filled = filled.cast(nw.Int64)
        elif low >= 0 and high < 2**64:
            filled = filled.cast(nw.UInt64)
        else:
            filled = _as_doubles(series, column)
    numbers = read_array(filled.to_numpy(), column)
    assert isinstance(numbers, Numbers)  # noqa: S101
    return Numbers(numbers.data, None if numbers.data.dtype.kind == "f" else missing, numbers.dtype)


def _as_doubles(series: "nw.Series[Any]", column: str) -> "nw.Series[Any]":
    doubles = series.cast(nw.Float64)
    # Counted here, because old versions of polars cannot count distinct decimals.
    warn_of_merged(column, len(set(series.to_list())), doubles.n_unique())
    return doubles


def _read_levels(series: "nw.Series[Any]", native: Any, column: str) -> Labels:
    if series.implementation.is_polars():
        return _read_polars(native, column)
    if series.implementation.is_pyarrow():
        return _read_arrow(native, column)
    if series.dtype == nw.String:
        codes, values = native.factorize()
        return label_values(codes, values.tolist(), column)
    return _read_arrow(series.to_arrow(), column)  # pandas around an arrow dictionary


def is_categorical(column: object) -> "TypeGuard[pd.Categorical]":
    """Whether a column is one of categories as pandas keeps them."""
    return hasattr(column, "categories")


def read_categorical(values: "pd.Categorical", column: str) -> Labels:
    """Read a column of categories as pandas keeps them."""
    levels = values.categories.tolist()
    return label_values(values.codes, levels, column, declared=True, ordered=bool(values.ordered))


def _read_polars(native: Any, column: str) -> Labels:
    """An Enum declares its levels; a Categorical does not, its pool is shared by all columns of the process."""
    import polars as pl

    declared = isinstance(native.dtype, pl.Enum)
    if not declared:
        native = native.cast(pl.String)
        native = native.cast(pl.Enum(native.drop_nulls().unique()))
    codes = native.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return label_values(codes, native.dtype.categories.to_list(), column, declared=declared)


def _read_arrow(native: Any, column: str) -> Labels:
    """Chunks may each have a dictionary of their own, and a dictionary may hold null."""
    import pyarrow as pa

    if isinstance(native, pa.Array):
        native = pa.chunked_array([native])
    declared = pa.types.is_dictionary(native.type)
    if not declared:
        try:
            native = native.cast(pa.large_string())
        except pa.ArrowNotImplementedError:  # pyarrow learnt to cast string views late
            native = pa.chunked_array([pa.array(native.to_pylist(), type=pa.large_string())])
        native = native.dictionary_encode()
    chunks = native.unify_dictionaries().chunks
    codes = [chunk.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) for chunk in chunks]
    levels = chunks[0].dictionary.to_pylist() if chunks else []
    ordered = declared and native.type.ordered
    return label_values(
        np.concatenate([np.empty(0, dtype=np.int64), *codes]), levels, column, declared=declared, ordered=ordered
    )
