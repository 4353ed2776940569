"""Thresholds and edges in a model file: the bits of doubles and 64-bit integers as JSON numbers, and back."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.strict import show

__all__ = ["TERM_TYPES", "number_from_json", "number_to_json", "numbers_from_json", "numbers_to_json"]

# What a term of a weighted sum consists of, wherever sums are lists of arrays.
TERM_TYPES: dict[str, type[np.generic]] = {
    "column": np.int32,
    "code": np.int32,
    "weight": np.float64,
    "fill": np.float64,
    "scale": np.float64,
    "origin": np.int64,
}
_TYPES: tuple[type[np.generic], ...] = (np.float64, np.int64, np.uint64)  # by the kernel's code
_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def number_to_json(value: float | int) -> Any:
    """A number, one that is infinite as text."""
    return value if isinstance(value, int) or math.isfinite(value) else ("inf" if value > 0 else "-inf")


def number_from_json(value: Any, place: str) -> float | int:
    """Read what `number_to_json` wrote of a double."""
    if isinstance(value, str) and value in _INFINITE:
        return _INFINITE[value]
    if type(value) is float or (type(value) is int and abs(value) < 2**1023):
        return value
    raise ModelFormatError(f"expected a number, 'inf' or '-inf', found {show(value)}", place)


def numbers_to_json(bits: npt.NDArray[np.uint64], types: npt.NDArray[np.uint8]) -> list[Any]:
    """Each number in its own type, infinite ones as text."""
    numbers: list[Any] = [None] * len(bits)
    for code, kind in enumerate(_TYPES):
        chosen = np.flatnonzero(types == code)
        for place, value in zip(chosen.tolist(), bits[chosen].view(kind).tolist(), strict=True):
            numbers[place] = number_to_json(value)
    return numbers


def numbers_from_json(data: list[Any], types: npt.NDArray[np.uint8], places: list[str]) -> npt.NDArray[np.uint64]:
    """The bits of numbers; those of an unknown type stay 0 and are left to the kernel's validator."""
    bits = np.zeros(len(data), dtype=np.uint64)
    for code, kind in enumerate(_TYPES):
        chosen = np.flatnonzero(types == code)
        values = [_read_number(data[at], kind, places[at]) for at in chosen.tolist()]
        bits[chosen] = np.array(values, dtype=kind).view(np.uint64)
    return bits


def _read_number(value: Any, kind: type[np.generic], place: str) -> float | int:
    if kind is np.float64:
        return number_from_json(value, place)
    limits = np.iinfo(kind)  # type: ignore[type-var]
    if type(value) is not int or not limits.min <= value <= limits.max:
        raise ModelFormatError(f"expected a whole number that fits {kind.__name__}, found {show(value)}", place)
    return value
