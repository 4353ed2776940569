"""Names, numbers and labels as XML holds them, so that any reader of PMML gives them back as they were."""

import math
import re
from typing import Any

from bough.errors import ExportError
from bough.exports.text import label_value
from bough.model.program.program import Field

__all__ = ["attribute", "class_text", "field_text", "number_text"]

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def attribute(text: str, what: str = "the name") -> str:
    """Text in double quotes that any XML reader gives back as it was."""
    found = _ILLEGAL.search(text)
    if found:
        raise ExportError(
            f"{what} {text!r:.60} holds {found.group()!r}, a character that XML cannot hold. Rename it, or export to "
            '"json", "python" or "javascript", which can.'
        )
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return '"' + escaped.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;") + '"'


def number_text(number: float | int) -> str:
    """A number with all its digits."""
    if not math.isfinite(number):
        raise ExportError('PMML writes no infinite numbers, and this model has one. Export to "python" or "sql".')
    return repr(float(number))


def field_text(field: Field, label: Any) -> str:
    """A level as PMML writes it."""
    value = label_value(label)
    if field.labels == "bool":
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else number_text(value)


def class_text(label: Any) -> str:
    """A class in double quotes."""
    return attribute(str(label_value(label)), "the class")
