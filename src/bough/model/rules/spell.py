"""Names, labels and numbers as the rule language writes them: exactly, so that `parse_rules` reads the same back.

Drawings shorten and leave quotes away (`bough.table.format_text`); what is to be read back cannot. With `digits` real
numbers are rounded for people; names, levels, classes and dates are exact even then.
"""

import json
import re
from datetime import date, datetime, time, timedelta

from bough.model.features import Number
from bough.table import Column, Label, OtherLabel, as_label
from bough.table.temporal import Temporal, parse_temporal

__all__ = [
    "KEYWORDS",
    "is_keyword",
    "label_text",
    "name_text",
    "number_text",
    "read_date",
    "read_string",
    "read_whole",
    "value_text",
]

KEYWORDS = frozenset(
    ("if", "then", "else", "otherwise", "rule", "and", "or", "not", "in", "is", "missing", "known", "true", "false")
    + ("date", "bytes", "other", "inf", "nan")
)
"""Words that mean something in any case; a name that is one of them is put in quotes."""

_BARE = re.compile(r"[^\W\d]\w*")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DURATION = Temporal("duration", "us")
_MICROSECOND = timedelta(microseconds=1)
_MOST_BITS = 2000  # of whole numbers in decimal digits, which Python limits: longer ones are hexadecimal


def is_keyword(word: str) -> bool:
    """Whether a bare word is one of the language's own, in any case."""
    return word.lower() in KEYWORDS


# Writing


def name_text(name: str) -> str:
    """A name, or a label that is text: bare where nothing else could be meant, else a JSON string.

    What does not print, such as marks that turn the direction of writing, is escaped.

    Examples
    --------
    >>> from bough.model.rules.spell import name_text
    >>> print(name_text("age"), name_text("years in job"), name_text("And"), name_text("1"), name_text("Größe"))
    age "years in job" "And" "1" Größe
    """
    if _BARE.fullmatch(name) and name.isprintable() and not is_keyword(name):
        return name
    return _quoted(name)


def _quoted(text: str) -> str:
    """A JSON string in which all that prints is as it is."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    signs = [_SHORT.get(mark) or (mark if mark.isprintable() else _escaped(mark)) for mark in text]
    for place in range(1, len(text)):
        # Two escapes in a row would be read as one character beyond the first 65,536.
        if "\udc00" <= text[place] <= "\udfff" and "\ud800" <= text[place - 1] <= "\udbff":
            signs[place] = text[place]
    return f'"{"".join(signs)}"'


def _escaped(mark: str) -> str:
    return json.dumps(mark)[1:-1]


def number_text(number: Number, digits: int | None = None) -> str:
    """A number that reads back as the same: whole ones without a point, real ones with one.

    Parameters
    ----------
    number : int or float
    digits : int, optional
        Significant digits of a real number, for people; digits before the point are never cut.

    Examples
    --------
    >>> from bough.model.rules.spell import number_text
    >>> print(number_text(3), number_text(3.0), number_text(1 / 3), number_text(1 / 3, digits=3), number_text(5e-324))
    3 3.0 0.3333333333333333 0.333 5e-324
    """
    if isinstance(number, int):
        return str(number) if number.bit_length() <= _MOST_BITS else hex(number)
    if digits is None:
        return repr(float(number))
    whole = len(f"{abs(number):.0f}") if 1 <= abs(number) < 1e15 else 0
    return f"{number:.{max(digits, whole)}g}"


def label_text(label: Label) -> str:
    """A level or a class, so that the string "1", the number 1, 1.0 and TRUE stay apart.

    Examples
    --------
    >>> from datetime import date, timedelta
    >>> from bough.model.rules.spell import label_text
    >>> print(*map(label_text, ("A", "1", 1, 1.0, True, b"ab", date(2020, 2, 29), timedelta(hours=26))), sep=", ")
    A, "1", 1, 1.0, TRUE, BYTES "ab", DATE "2020-02-29", DATE "1d 2h"
    """
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return name_text(label)
    if isinstance(label, int | float):
        return number_text(label)
    if isinstance(label, bytes):
        return f"BYTES {_quoted(label.decode('latin-1'))}"
    if isinstance(label, OtherLabel):
        return f"OTHER {_quoted(label.type)} {_quoted(label.text)}"
    text = _DURATION.format(label // _MICROSECOND) if isinstance(label, timedelta) else label.isoformat()
    return f'DATE "{text}"'


def value_text(column: Column, value: Number, digits: int | None = None) -> str:
    """A bound of a column: a number, a point in time, or an ordered level.

    Times that no calendar reaches are written as the count of ticks that they are.
    """
    if column.levels is not None:
        return label_text(column.levels[int(value)])
    meaning = parse_temporal(column.dtype)
    if meaning is not None and isinstance(value, int):
        text = _tick_text(meaning, value)
        if text is not None:
            return f'DATE "{text}"'
    return number_text(value, digits)


def _tick_text(meaning: Temporal, tick: int) -> str | None:
    """The text of a tick if it is that of no other, else None."""
    try:
        text = meaning.format(tick)
    except (OverflowError, ValueError):
        return None
    return text if meaning.parse(text) == tick else None


# Reading


def read_string(token: str) -> str:
    """The text of a JSON string; a ValueError says what is amiss."""
    if "\\" not in token:
        return token[1:-1]
    text: str = json.loads(token, strict=False)
    return text


def read_whole(digits: str) -> int:
    """A whole number in decimal or, with 0x, in hexadecimal digits; a ValueError if it has too many of the former."""
    return int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)


def read_date(text: str) -> Label | None:
    """The date, datetime, time of day or duration that `label_text` writes so; None for other text."""
    try:
        if _DAY.match(text):
            return date.fromisoformat(text) if len(text) == 10 else as_label(datetime.fromisoformat(text), "")
        ticks = _DURATION.parse(text)
        return as_label(time.fromisoformat(text), "") if ticks is None else ticks * _MICROSECOND
    except (ValueError, OverflowError):
        return None
