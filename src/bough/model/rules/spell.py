"""Names, labels and numbers as the rule language writes them: exactly, so that `parse_rules` reads the same back.

Drawings shorten and leave quotes away (`bough.table.format_text`); what is to be read back cannot.
"""

import json
import re
from datetime import date, datetime, time, timedelta

from bough.model.features import Number
from bough.table import Column, Label, OtherLabel
from bough.table.temporal import parse_temporal

__all__ = ["KEYWORDS", "label_text", "name_text", "number_text", "value_text"]

KEYWORDS = frozenset(
    "if then else otherwise rule and or not in is missing known true false date bytes other inf nan".split()
)
_BARE = re.compile(r"[^\W\d]\w*")


def name_text(name: str) -> str:
    """A name, or a label that is text: bare where nothing else could be meant, else a JSON string.

    Examples
    --------
    >>> from bough.model.rules.spell import name_text
    >>> print(name_text("age"), name_text("years in job"), name_text("and"), name_text("1"))
    age "years in job" "and" "1"
    """
    plain = name.isascii() or name.isprintable()
    if plain and _BARE.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    return json.dumps(name)


def number_text(number: Number) -> str:
    """A number that reads back as the same: whole ones without a point, real ones with one."""
    return repr(number)


def label_text(label: Label) -> str:
    """A level or a class, so that the string "1", the number 1, 1.0 and TRUE stay apart."""
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return name_text(label)
    if isinstance(label, int | float):
        return number_text(label)
    if isinstance(label, bytes):
        return f"BYTES {json.dumps(label.decode('latin-1'))}"
    if isinstance(label, datetime | date | time):
        return f"DATE {json.dumps(label.isoformat())}"
    if isinstance(label, timedelta):
        return f"DATE {json.dumps(repr(label))}"
    assert isinstance(label, OtherLabel)
    return f"OTHER {json.dumps(label.type)} {json.dumps(label.text)}"


def value_text(column: Column, value: Number) -> str:
    """A bound of a column: a number, a time, or an ordered level."""
    if column.kind == "ordered":
        levels = column.levels or ()
        if isinstance(value, int) and 0 <= value < len(levels):
            return label_text(levels[value])
    if parse_temporal(column.dtype) is not None:
        return f"DATE {json.dumps(str(value))}"
    return number_text(value)
