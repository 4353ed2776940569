"""Columns of Python objects: numbers if every known value is a number other than a bool, times if all are times,
else labels by type and value.
"""

from collections.abc import Hashable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from bough.table.levels import is_missing, refuse_complex, refuse_value
from bough.table.raw import Array, Labels, Numbers, Raw, all_missing, label_values
from bough.table.temporal import read_times
from bough.table.warn import warn_of_merged

__all__ = ["read_objects"]

_NONE = type(None)
_NEVER_MISSING = {str, int, bool, bytes, _NONE}
_SELF_UNEQUAL_IF_MISSING = {*_NEVER_MISSING, float}
_WHOLE = (int, np.integer)
_REAL = (float, np.floating, Decimal, Fraction)
_COMPLEX = (complex, np.complexfloating)
_DURATION = (timedelta, np.timedelta64)
_MIDNIGHT = datetime.min


def read_objects(values: Sequence[Any], column: str) -> Raw:
    """Read a column of Python objects."""
    kinds = set(map(type, values))
    if not kinds <= _NEVER_MISSING:
        if kinds <= _SELF_UNEQUAL_IF_MISSING:
            values = [None if value != value else value for value in values]
        else:
            values = [None if is_missing(value) else value for value in values]
        kinds = set(map(type, values))
    kinds.discard(_NONE)
    if not kinds:
        return all_missing(len(values))
    if any(issubclass(kind, _COMPLEX) for kind in kinds):
        offender = next(value for value in values if isinstance(value, _COMPLEX))
        refuse_complex(offender, column)
    if all(map(_is_number, kinds)):
        return _read_numbers(values, kinds, column)
    times = _read_times(values, kinds, column)
    if times is not None:
        return times
    return _read_labels(values, kinds, column)


def _is_number(kind: type) -> bool:
    # numpy counts its durations among the integers
    return issubclass(kind, _WHOLE + _REAL) and not issubclass(kind, bool | np.timedelta64)


def _read_numbers(values: Sequence[Any], kinds: set[type], column: str) -> Numbers:
    if all(issubclass(kind, _WHOLE) for kind in kinds):
        known = [value for value in values if value is not None]
        fits = next((t for t in (np.int64, np.uint64) if _fits(known, t)), None)
        if fits is not None:
            missing = _is_none(values) if len(known) < len(values) else None
            filled = values if missing is None else [0 if value is None else value for value in values]
            return Numbers(np.array(filled, dtype=fits), missing, np.dtype(fits).name)
    try:
        reals = np.array(values, dtype=np.float64)  # None becomes NaN
    except OverflowError:
        reals = np.array(list(map(_as_float, values)))
    if not kinds <= {float}:
        exact = {value for value in values if value is not None}
        warn_of_merged(column, len(exact), len(set(map(_as_float, exact))))
    return Numbers(reals, None, "float64")


def _fits(known: Sequence[Any], dtype: type) -> bool:
    limits = np.iinfo(dtype)
    return int(min(known)) >= limits.min and int(max(known)) <= limits.max


def _as_float(value: Any) -> float:
    if value is None:
        return float("nan")
    try:
        return float(value)
    except OverflowError:  # whole numbers beyond every double stay ordered extremes
        return float("inf") if value > 0 else -float("inf")


def _read_times(values: Sequence[Any], kinds: set[type], column: str) -> Numbers | None:
    """Points in time or durations, or None if the column holds anything else or mixes their families."""
    if all(issubclass(kind, _DURATION) for kind in kinds):
        return read_times(_time_array(values, "m"), column)
    if all(issubclass(kind, date) and not issubclass(kind, datetime) for kind in kinds):
        return read_times(np.array(values, dtype="M8[D]"), column)
    if all(issubclass(kind, datetime | np.datetime64) for kind in kinds):
        zones = {getattr(value, "tzinfo", None) for value in values if value is not None}
        if None not in zones:
            zone = str(zones.pop()) if len(zones) == 1 else "UTC"
            return read_times(_time_array(values, "M"), column, zone)
        return read_times(_time_array(values, "M"), column) if len(zones) == 1 else None
    if all(issubclass(kind, time) for kind in kinds) and all(value is None or value.tzinfo is None for value in values):
        missing = _is_none(values)
        ticks = np.array([0 if value is None else _microseconds(value) for value in values], dtype=np.int64)
        return Numbers(ticks, missing if missing.any() else None, "time")
    return None


def _microseconds(value: time) -> int:
    return (datetime.combine(_MIDNIGHT, value) - _MIDNIGHT) // timedelta(microseconds=1)


def _time_array(values: Sequence[Any], kind: str) -> Array:
    """A numpy array in the finest unit among the values: pandas' own times say theirs, Python's have microseconds."""
    plain = [_as_numpy_time(value, kind) for value in values if value is not None]
    array = np.array(plain)  # numpy takes the finest unit
    found = iter(array)
    missing = np.array("NaT", dtype=array.dtype)[()]
    return np.array([missing if value is None else next(found) for value in values], dtype=array.dtype)


def _as_numpy_time(value: Any, kind: str) -> Any:
    if isinstance(value, np.datetime64 | np.timedelta64):
        return value
    if hasattr(value, "asm8"):
        return value.asm8
    if kind == "M" and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.array(value, dtype=f"{kind}8[us]")[()]


def _read_labels(values: Sequence[Any], kinds: set[type], column: str) -> Labels:
    # 1, 1.0 and True are equal to Python, so mixed columns are told apart by type as well
    mixed = kinds != {str}
    keys: Sequence[Any] = list(zip(map(type, values), values, strict=True)) if mixed else values
    missing = (_NONE, None) if mixed else None
    try:
        place: dict[Any, int] = dict.fromkeys(keys, -1)
    except TypeError:
        refuse_value(next(value for value in values if not isinstance(value, Hashable)), column)
    place.pop(missing, None)
    place = {key: code for code, key in enumerate(place)}
    levels = [value for _, value in place] if mixed else list(place)
    place[missing] = -1
    codes = np.fromiter(map(place.__getitem__, keys), dtype=np.int32, count=len(keys))
    return label_values(codes, levels, column)


def _is_none(values: Sequence[Any]) -> Array:
    return np.fromiter((value is None for value in values), dtype=bool, count=len(values))
