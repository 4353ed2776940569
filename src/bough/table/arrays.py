"""One-dimensional numpy arrays of any type; columns of float32, float64, int64 and uint64 are not copied."""

from typing import Any

import numpy as np

from bough.errors import ColumnTypeError, DataError
from bough.table.objects import read_objects
from bough.table.raw import Array, Labels, Numbers, Raw
from bough.table.temporal import read_times

__all__ = ["read_array"]

_AS_IS = (np.float32, np.float64, np.int64, np.uint64)


def read_array(array: Array, column: str, zone: str | None = None) -> Raw:
    """Read a column from a numpy array; `zone` is the time zone of a datetime64 array that holds instants."""
    if isinstance(array, np.ma.MaskedArray):
        return _read_masked(array, column)
    kind = array.dtype.kind
    if kind in "fiu":
        data = _plain(array)
        return Numbers(data, None, data.dtype.name)
    if kind == "b":
        return Labels(array.astype(np.int32), [False, True])
    if kind in "Mm":
        return read_times(array, column, zone)
    if kind == "c":
        raise DataError(f"Complex data not supported\n{array}\nColumn {column!r} holds complex numbers.")
    if kind == "V":
        raise ColumnTypeError(
            f"Column {column!r} holds records of type {array.dtype}; each row of a column must be a single value. "
            "Make a column of each field."
        )
    return read_objects(array.tolist(), column)


def _plain(array: Array) -> Array:
    """The array in one of the four types the kernel reads: the same memory where it is already so."""
    if array.dtype.type in _AS_IS and array.dtype.isnative and array.flags.aligned:
        return array
    if array.dtype.kind == "f":
        return array.astype(np.float32 if array.dtype.itemsize <= 4 else np.float64)
    return array.astype(np.uint64 if array.dtype.kind == "u" and array.dtype.itemsize == 8 else np.int64)


def _read_masked(array: np.ma.MaskedArray[Any, Any], column: str) -> Raw:
    """A masked array: what its mask hides is missing."""
    hidden = np.ma.getmaskarray(array)
    raw = (
        read_array(np.asarray(array.data), column) if array.dtype.kind != "O" else read_objects(array.tolist(), column)
    )
    if not hidden.any():
        return raw
    if isinstance(raw, Labels):
        return Labels(np.where(hidden, -1, raw.codes), raw.labels)
    if raw.data.dtype.kind == "f":
        return Numbers(np.where(hidden, raw.data.dtype.type(np.nan), raw.data), None, raw.dtype)
    return Numbers(raw.data, hidden if raw.missing is None else hidden | raw.missing, raw.dtype)
