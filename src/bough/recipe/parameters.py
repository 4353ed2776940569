"""Checks of estimator parameters: each says the parameter, the value, what was expected."""

import numbers
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from bough.errors import ParameterError
from bough.table import Schema

__all__ = [
    "as_number",
    "as_numbers",
    "by_column",
    "choice",
    "flag",
    "folds",
    "is_number",
    "jobs",
    "minimum",
    "seed",
    "share",
    "signs",
    "whole",
]


def choice(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """One of the allowed values."""
    if not any(value is option or (isinstance(value, str) and value == option) for option in allowed):
        options = ", ".join(repr(option) for option in allowed)
        raise ParameterError(f"{name} must be one of {options}; got {value!r}.")
    return value


def is_number(given: Any) -> bool:
    """Whether a number is given, which True and False are not."""
    return isinstance(given, numbers.Real) and not isinstance(given, bool)


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} must be True or False; got {value!r}.")
    return bool(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def whole(name: str, value: Any, least: int, *, most: int = 2**31 - 1, none: int | None = None, also: str = "") -> int:
    """A whole number from `least` to `most`; None, where allowed, gives `none`. `also` is what else an error allows."""
    if value is None and none is not None:
        return none
    if not _is_whole(value) or not least <= value <= most:
        other = also or ("None" if none is not None else "")
        also = f" or {other}" if other else ""
        bound = f"of at least {least}" if not _is_whole(value) or value < least else f"of at most {most}"
        raise ParameterError(f"{name} must be a whole number {bound}{also}; got {reprlib.repr(value)}.")
    return int(value)


def share(name: str, value: Any, low: float, high: float) -> float:
    """A finite number in [low, high]."""
    number = isinstance(value, (float, np.floating)) or _is_whole(value)
    if not number or not (low <= value <= high and abs(value) <= np.finfo(np.float64).max):
        bound = f"in [{low:g}, {high:g}]" if np.isfinite(high) else f"of at least {low:g}, not infinite"
        raise ParameterError(f"{name} must be a number {bound}; got {value!r}.")
    return float(value)


def inside(name: str, value: Any) -> float:
    """A number above 0 and below 1, such as a level of significance."""
    if share(name, value, 0.0, 1.0) in (0.0, 1.0):
        raise ParameterError(f"{name} must lie between 0 and 1; got {value!r}.")
    return float(value)


def minimum(name: str, value: Any, least: int, total: float) -> float:
    """A count (an int) or a share of the total (a float in (0, 1])."""
    if _is_whole(value):
        return float(whole(name, value, least, most=2**53))
    if isinstance(value, (float, np.floating)) and 0.0 < float(value) <= 1.0:
        return float(value) * total
    raise ParameterError(
        f"{name} must be a whole number of at least {least}, or a float in (0, 1], a share of the total; got {value!r}."
    )


def as_numbers(name: str, given: Any) -> npt.NDArray[np.float64]:
    """Floats from a number or a nested sequence of numbers."""
    try:
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must hold numbers; got {reprlib.repr(given)} ({error}).") from error


def as_number(name: str, given: Any) -> float:
    """A float from a single number."""
    try:
        return float(given)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must be a number; got {reprlib.repr(given)}.") from error


def returned(name: str, given: Any, size: int, what: str, hint: str) -> npt.NDArray[np.float64]:
    """What a function that a user wrote returned, if it is one finite number for each of so many things."""
    try:
        numbers = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must return an array of numbers; got {given!r:.80} ({error}).") from error
    if numbers.shape != (size,):
        raise ParameterError(
            f"{name} must return one number for each {what}: shape ({size},); got shape {numbers.shape}."
        )
    if not np.isfinite(numbers).all():
        place = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ParameterError(f"{name} must return finite numbers; entry {place} is {numbers[place]}. {hint}")
    return numbers


def unknown_column(name: str, column: Any, schema: Schema) -> ParameterError:
    """What to raise where a parameter names a column that is not there."""
    return ParameterError(
        f"{name} names the column {column!r:.80}, which X does not have. Its columns: {_listing(schema)}."
    )


def by_column(name: str, given: Any, schema: Schema, default: float) -> npt.NDArray[np.float64]:
    """One number a column, from a mapping by column name or a sequence in the order of the columns."""
    values = np.full(len(schema), default)
    if isinstance(given, Mapping):
        place = {column: at for at, column in enumerate(schema.names)}
        for key, value in given.items():
            if key not in place:
                raise unknown_column(name, key, schema)
            values[place[key]] = as_number(f"{name}[{key!r}]", value)
        return values
    values = as_numbers(name, given)
    if values.shape != (len(schema),):
        raise ParameterError(
            f"{name} must hold one number for each of the {len(schema)} columns; its shape is {values.shape}."
        )
    return values


def signs(name: str, given: Any, schema: Schema, classes: int) -> list[int]:
    """Monotone constraints: by column 1, -1 or 0."""
    values = by_column(name, given, schema, 0.0)
    if not np.isin(values, (-1, 0, 1)).all():
        raise ParameterError(f"{name} must hold -1, 0 or 1 for each column; got {values.tolist()}.")
    for column, sign in zip(schema, values, strict=True):
        if sign and column.kind == "nominal":
            raise ParameterError(f"{name} constrains {column.name!r}, whose levels have no order.")
    if classes > 2:
        raise ParameterError(f"{name} needs two classes; y has {classes}.")
    return [int(sign) for sign in values]


def folds(name: str, value: Any) -> None:
    """A number of folds, a splitter of scikit-learn, or an iterable of (train, test)."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        whole(name, value, 2)
        return
    splitter = hasattr(value, "split") and hasattr(value, "get_n_splits")
    if not splitter and (isinstance(value, (str, bytes)) or not isinstance(value, Iterable)):
        raise ParameterError(
            f"{name} must be a whole number of at least 2, a splitter of scikit-learn or an iterable of (train, test); "
            f"got {value!r}."
        )


def jobs(name: str, value: Any) -> None:
    """A number of threads as in scikit-learn: None, positive, or negative to count from the processors down."""
    if value is not None and (not _is_whole(value) or value == 0):
        raise ParameterError(f"{name} must be None or a whole number other than 0; got {value!r}.")


def seed(name: str, value: Any) -> None:
    """What scikit-learn takes as a seed."""
    try:
        check_random_state(value)
    except ValueError as error:
        raise ParameterError(f"{name} must be None, an int or a numpy RandomState; got {value!r}.") from error


def _listing(schema: Schema) -> str:
    return ", ".join(map(repr, schema.names[:10])) + (", ..." if len(schema) > 10 else "")
