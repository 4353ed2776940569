"""Reading JSON strictly: no duplicate keys, no tokens outside the standard, bounded size, depth and text.

What passes is plain data that the readers of `format` can index without surprises.
"""

import json
import math
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError

__all__ = ["Limits", "check_values", "expect_keys", "parse", "read_array", "show"]

_DEEPEST = 32  # lists and objects inside one another; the format needs far less
_PLAIN = {int, float, bool, type(None)}


@dataclass(frozen=True)
class Limits:
    """How large a model file may be; a larger one is refused before it costs memory.

    Parameters
    ----------
    max_bytes : int
        Of the file; of one with arrays of its text, since arrays are read where they lie.
    max_nodes : int
    max_depth : int
        The largest number of tests between the root and a leaf.
    max_text : int
        Characters in one string, such as the name of a column.
    """

    max_bytes: int = 2**31
    max_nodes: int = 1_000_000_000
    max_depth: int = 1_000_000
    max_text: int = 2**24


def show(value: object) -> str:
    """A value from a file in a message: short, whatever it is."""
    return reprlib.repr(value)


def parse(data: bytearray) -> Any:
    """The JSON value in UTF-8 text."""
    try:
        return json.loads(
            data.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_finite
        )
    except ModelFormatError:
        raise
    except RecursionError:
        raise ModelFormatError("lists or objects are nested too deeply") from None
    except ValueError as error:  # also of decoding, and of numbers with too many digits
        raise ModelFormatError(f"the file is damaged or cut off: {error}") from None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ModelFormatError(f"the key {show(name)} occurs twice in one object")
            seen.add(name)
    return result


def _no_constant(token: str) -> NoReturn:
    raise ModelFormatError(f"{token} is not JSON; infinite thresholds are written as text")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ModelFormatError(f"{text:.40} is too large for a number")
    return number


def check_values(content: Any, limits: Limits) -> None:
    """Every string is short enough and can be written as UTF-8, and nothing is nested too deeply."""
    keys: list[str | int] = ["$"]
    levels: list[Iterator[tuple[str | int, Any]]] = [iter([("$", content)])]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
            keys.pop()
            continue
        keys[-1], value = entry
        if isinstance(value, str):
            _check_text(value, keys, limits)
        elif isinstance(value, dict | list):
            if len(levels) > _DEEPEST:
                raise ModelFormatError("lists or objects are nested too deeply", _place(keys))
            if isinstance(value, dict):
                for name in value:
                    _check_text(name, keys, limits)
                levels.append(iter(value.items()))
            elif not set(map(type, value)) <= _PLAIN:
                levels.append(iter(enumerate(value)))
            else:
                continue
            keys.append("")


def _place(keys: list[str | int]) -> str:
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key:.60}" for key in keys[1:])


def _check_text(text: str, keys: list[str | int], limits: Limits) -> None:
    if len(text) > limits.max_text:
        problem = f"a text of {len(text)} characters; at most {limits.max_text} are read"
        raise ModelFormatError(problem, _place(keys))
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ModelFormatError(f"{text[:40]!a} holds half a character", _place(keys)) from None


def expect_keys(data: Any, names: set[str], place: str) -> None:
    """An object with exactly these keys."""
    if not isinstance(data, dict):
        raise ModelFormatError(f"expected an object, found {show(data)}", place)
    if data.keys() != names:
        odd = min(data.keys() ^ names)
        raise ModelFormatError(f"{show(odd)} is {'missing' if odd in names else 'not known here'}", place)


def read_array(data: Any, kind: type[np.generic], place: str) -> npt.NDArray[Any]:
    """A list of numbers of exactly this kind: no bool and no real number where a whole one is expected.

    An array of a file that has some is taken as it is, if it is of this kind.
    """
    if isinstance(data, np.ndarray):
        if data.dtype != kind:
            raise ModelFormatError(f"expected an array of {np.dtype(kind).name}, found {data.dtype.name}", place)
        return data
    if not isinstance(data, list):
        raise ModelFormatError(f"expected a list of numbers, found {show(data)}", place)
    real = issubclass(kind, np.floating)
    allowed = {int, float} if real else {int}
    if not set(map(type, data)) <= allowed:
        at = next(i for i, value in enumerate(data) if type(value) not in allowed)
        wanted = "a number" if real else "a whole number"
        raise ModelFormatError(f"expected {wanted}, found {show(data[at])}", f"{place}[{at}]")
    if not real and data:
        limits = np.iinfo(kind)  # type: ignore[type-var]
        if min(data) < limits.min or max(data) > limits.max:
            at = next(i for i, value in enumerate(data) if not limits.min <= value <= limits.max)
            raise ModelFormatError(f"{show(data[at])} is out of range", f"{place}[{at}]")
    try:
        return np.array(data, dtype=kind)
    except OverflowError:
        at = next(i for i, value in enumerate(data) if abs(value) >= 2**1024)
        raise ModelFormatError(f"{show(data[at])} is too large", f"{place}[{at}]") from None
