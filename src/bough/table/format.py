"""Thresholds, levels and names as text for people: short, on one line, and never mistaken for one another."""

import contextlib
import math
import re
from typing import Any, Literal

import numpy as np

from bough.errors import DataError
from bough.table.levels import Label, OtherLabel
from bough.table.schema import Column
from bough.table.temporal import parse_temporal

__all__ = ["format_label", "format_text", "format_value", "value_of"]

_BARE = re.compile(r"[^\W\d][\w .+*/%&()<>=@#$^~:;?!|-]*")  # starts with a letter; no comma, quote, brace, backslash
_READ_AS_VALUES = {"true", "false", "nan", "na", "n/a", "none", "null", "nat", "inf", "infinity", "missing"}
_SIGNS = '"\\'  # which quotes make ambiguous
_MEANT = {"missing", "known"}  # words of drawings
_WIDEST = 60
_HEAD, _TAIL = 32, 12


def format_text(text: str, *, quoted: bool = True) -> str:
    r"""A name or string label: bare if it is plain, else in quotes with what does not print escaped; cut if long.

    Parameters
    ----------
    text : str
    quoted : bool, default=True
        Whether a string that could be read as something else is in quotes. In a picture, where it stands alone, only
        one that would not be seen is (nothing, spaces at an end), or that means something else there.

    Examples
    --------
    >>> from bough.table import format_text
    >>> print(format_text("no disease"), format_text("1"), format_text("two\nlines"))
    no disease "1" "two\nlines"
    >>> print(format_text("1", quoted=False), format_text("<=50K", quoted=False), format_text("missing", quoted=False))
    1 <=50K "missing"
    """
    bare = not quoted and text == text.strip() and text != "" and text.lower() not in _MEANT
    if len(text) > _WIDEST:
        cut = f"{_escape(text[:_HEAD], '' if bare else _SIGNS)}…{_escape(text[-_TAIL:], '' if bare else _SIGNS)}"
        return cut if bare else f'"{cut}" ({len(text)} characters)'
    if bare:
        return _escape(text, "")
    plain = _BARE.fullmatch(text) and text.isprintable() and text[-1] != " " and text.lower() not in _READ_AS_VALUES
    return text if plain else f'"{_escape(text)}"'


def _escape(text: str, signs: str = _SIGNS) -> str:
    return "".join(f"\\{char}" if char in signs else char if char.isprintable() else repr(char)[1:-1] for char in text)


def format_label(label: Label, *, quoted: bool = True) -> str:
    """A level as text; a string that could be read as a number, a date or as nothing is quoted, if it may be.

    Examples
    --------
    >>> from bough.table import format_label
    >>> [format_label(label) for label in (1, "1", True, "yes")]
    ['1', '"1"', 'True', 'yes']
    >>> format_label("1", quoted=False)
    '1'
    """
    if isinstance(label, str):
        return format_text(label, quoted=quoted)
    if isinstance(label, bytes):
        return "b" + _cut(f'"{_escape(label.decode("latin-1"))}"')
    if isinstance(label, OtherLabel):
        return label.text if label.text.isprintable() and len(label.text) <= _WIDEST else format_text(label.text)
    if isinstance(label, float):
        return _format_float(label + 0.0, None)  # -0.0 and 0 are one label
    if isinstance(label, int) and abs(label) >= 2**128:
        return _cut(hex(label))
    return str(label)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_HEAD]}…{text[-_TAIL:]} ({len(text)} characters)"


def format_value(
    column: Column,
    value: Any,
    *,
    side: Literal["le", "lt"] = "le",
    digits: int | None = None,
    quoted: bool = True,
) -> str:
    """A threshold of a numeric column, or the level behind a code, as text.

    Parameters
    ----------
    column : Column
    value : int or float
        A threshold in the column's own unit; for an ordered or nominal column the code of a level.
    side : {"le", "lt"}, default="le"
        On which side of the threshold an equal value falls. A threshold between two dates is printed as the date that
        says the same: the earlier one for ``<=``, the later one for ``<``.
    digits : int, optional
        Significant digits of a real number; by default as many as tell it from its neighbours.
    quoted : bool, default=True
        As for `format_text`.

    Examples
    --------
    >>> from bough.table import Column, format_value
    >>> format_value(Column("born", "numeric", "date"), 18321.5)
    '2020-02-29'
    >>> format_value(Column("dose", "numeric", "float64"), 2.50), format_value(Column("n", "numeric", "int64"), 3)
    ('2.5', '3')
    >>> format_value(Column("thal", "nominal", "levels", ("fixed", "normal")), 1)
    'normal'
    """
    if column.levels is not None:
        if not 0 <= value < column.n_levels:
            raise DataError(f"{value} is no level of column {column.name!r}, which has {column.n_levels}.")
        return format_label(column.levels[int(value)], quoted=quoted)
    meaning = parse_temporal(column.dtype)
    if meaning is not None and math.isfinite(value):
        # No date or time is so far away: the number of an edited model file is shown as it is.
        with contextlib.suppress(OverflowError):
            return meaning.format(math.floor(value) if side == "le" else math.ceil(value))
    if isinstance(value, float):  # also numpy's
        return _format_float(value, digits)
    return str(int(value))


def _format_float(value: float, digits: int | None) -> str:
    text = repr(float(value)) if digits is None else f"{value:.{digits}g}"
    return text.removesuffix(".0")


def value_of(column: Column, value: Any, *, side: Literal["le", "lt"] = "le") -> Any:
    """A threshold as a value of its column: a number, a date or time, a level.

    Parameters
    ----------
    column : Column
    value : int or float
        As for `format_value`.
    side : {"le", "lt"}, default="le"
        As for `format_value`.

    Examples
    --------
    >>> from bough.table import Column, value_of
    >>> print(value_of(Column("born", "numeric", "date"), 18321.5))
    2020-02-29
    >>> value_of(Column("size", "ordered", "levels", ("S", "M", "L")), 1)
    'M'
    """
    if column.levels is not None:
        return column.levels[int(value)]
    meaning = parse_temporal(column.dtype)
    if meaning is not None and math.isfinite(value):
        # No date or time is so far away: the number of an edited model file stays a number.
        with contextlib.suppress(OverflowError):
            tick = math.floor(value) if side == "le" else math.ceil(value)
            return meaning.as_values(np.array([tick], dtype=np.int64))[0]
    return value
