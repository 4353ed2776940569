"""Labels of nominal and ordered columns: which are the same level, how they are ordered, how a file writes them.

Two labels are the same if type and value agree, so 1, "1" and True are three levels. Whole and real numbers are one
type, so that a column of ints still matches after missing values have turned it into floats.
"""

import enum
import math
import reprlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

import numpy as np

from bough.errors import ColumnTypeError, DataError, ModelFormatError

__all__ = [
    "Label",
    "OtherLabel",
    "as_label",
    "is_missing",
    "label_from_json",
    "label_key",
    "label_to_json",
    "label_type",
    "refuse_complex",
    "refuse_value",
    "sorted_order",
]


@dataclass(frozen=True, order=True)
class OtherLabel:
    """A label of any other type (an interval, an identifier ...), known by the name of its type and its text."""

    type: str
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.type} {self.text}>"


Label: TypeAlias = str | int | float | bool | bytes | date | datetime | time | timedelta | OtherLabel

_CONTAINERS = (list, tuple, dict, set, frozenset, np.ndarray)
_MICROSECOND = timedelta(microseconds=1)
_LARGEST_PLAIN_INT = 2**64


def is_missing(value: object) -> bool:
    """Whether a value stands for "not known": None, NaN, pandas' NA and NaT, a masked cell."""
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in ("NAType", "NaTType")  # pandas is optional, so its constants go by name


def as_label(value: Any, column: str) -> Label | None:
    """The plain Python label of a value from a column, or None where it is missing."""
    if type(value) in (str, int, bool):
        return value  # type: ignore[no-any-return]
    if is_missing(value):
        return None
    if isinstance(value, np.datetime64 | np.timedelta64):
        return _as_python_time(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating | Decimal | Fraction):
        return float(value) + 0.0  # -0.0 is 0.0
    if isinstance(value, datetime):
        return _as_datetime(value)
    if isinstance(value, timedelta):
        return _as_timedelta(value)
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, time):
        return value if value.tzinfo is None else OtherLabel("time with zone", value.isoformat())
    if isinstance(value, date | OtherLabel):
        return value
    return _as_other(value, column)


def _as_python_time(value: Any) -> Label:
    """A numpy date, time or duration as Python has it; what Python cannot hold keeps its text."""
    kind, unit = value.dtype.kind, np.datetime_data(value.dtype)[0]
    plain = value if unit == "D" and kind == "M" else value.astype(f"{kind}8[us]")
    item = plain.item()
    exact = plain == value and isinstance(item, date | timedelta)  # numpy gives an int beyond year 9999
    return item if exact else OtherLabel(value.dtype.name, str(value))


def _as_datetime(value: Any) -> Label:
    """A datetime as Python has it, in UTC if it has a zone; pandas' timestamps with nanoseconds keep their text."""
    if getattr(value, "nanosecond", 0):
        return _as_python_time(value.asm8)
    parts = (value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
    if value.utcoffset() is None:
        return datetime(*parts)
    return datetime(*parts, tzinfo=value.tzinfo, fold=value.fold).astimezone(UTC)  # one label for one instant


def _as_timedelta(value: Any) -> Label:
    if getattr(value, "nanoseconds", 0):
        return _as_python_time(value.asm8)
    return timedelta(value.days, value.seconds, value.microseconds)


def _as_other(value: Any, column: str) -> OtherLabel:
    kind: Any = type(value)
    if isinstance(value, complex | np.complexfloating):
        refuse_complex(value, column)
    if isinstance(value, _CONTAINERS):
        refuse_value(value, column)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise ColumnTypeError(
            f"Column {column!r} holds {kind.__name__} objects, which have no text to tell them apart. "
            "Convert the column to strings or numbers first."
        )
    return OtherLabel(kind.__name__, value.name if isinstance(value, enum.Enum) else str(value))


def refuse_complex(value: Any, column: str) -> NoReturn:
    """Raise the error for a complex number, in scikit-learn's words."""
    raise DataError(f"Complex data not supported: column {column!r} holds {value!r}.")


def refuse_value(value: Any, column: str) -> NoReturn:
    """Raise the error for a list, a dict or another value that is not a single thing."""
    raise ColumnTypeError(
        f"Column {column!r} holds {type(value).__name__} values such as {reprlib.repr(value)}; each row of a column "
        "must be a single number, string, category or date. Spread it over several columns, or leave it out."
    )


def label_type(label: Label) -> str:
    """The type of a label, as far as labels are told apart by it."""
    if isinstance(label, str):
        return "str"
    if isinstance(label, bool):
        return "bool"
    if isinstance(label, int | float):
        return "number"
    if isinstance(label, datetime):
        return "datetime" if label.tzinfo is None else "datetime with zone"
    return label.type if isinstance(label, OtherLabel) else type(label).__name__


def label_key(label: Label) -> Hashable:
    """What two labels share exactly if they are the same level."""
    return label if type(label) is str else (label_type(label), label)


def sorted_order(labels: Sequence[Label]) -> list[int]:
    """Positions of labels in order: by name of their type, then by value."""
    if set(map(type, labels)) <= {str}:
        return sorted(range(len(labels)), key=labels.__getitem__)
    return sorted(range(len(labels)), key=lambda i: (label_type(labels[i]), labels[i]))


def label_to_json(label: Label) -> Any:
    """Strings, bools and ordinary numbers as they are, all others as an object with their type and text."""
    if isinstance(label, str | bool) or (isinstance(label, int) and abs(label) < _LARGEST_PLAIN_INT):
        return label
    if isinstance(label, float) and math.isfinite(label):
        return label
    if isinstance(label, OtherLabel):
        return {"other": label.type, "text": label.text}
    if isinstance(label, int):
        return {"type": "int", "text": hex(label)}
    if isinstance(label, float):
        return {"type": "float", "text": str(label)}
    if isinstance(label, bytes):
        return {"type": "bytes", "text": label.hex()}
    if isinstance(label, timedelta):
        return {"type": "timedelta", "text": str(label // _MICROSECOND)}
    return {"type": type(label).__name__, "text": label.isoformat()}


_READERS: dict[str, Any] = {
    "int": lambda text: int(text, 16),
    "float": float,
    "bytes": bytes.fromhex,
    "timedelta": lambda text: int(text) * _MICROSECOND,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def label_from_json(data: Any, place: str) -> Label:
    """Read back what `label_to_json` wrote; anything else is a ModelFormatError at `place`."""
    if isinstance(data, str | bool | int):
        return data
    if isinstance(data, float) and math.isfinite(data):
        return data
    if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
        raise ModelFormatError(f"{reprlib.repr(data)} is not the label of a level", place)
    if data.keys() == {"other", "text"}:
        return OtherLabel(data["other"], data["text"])
    if data.keys() != {"type", "text"} or data["type"] not in _READERS:
        raise ModelFormatError(f"{reprlib.repr(data)} is not the label of a level", place)
    try:
        label: Label = _READERS[data["type"]](data["text"])
    except (ValueError, OverflowError):
        raise ModelFormatError(f"{reprlib.repr(data['text'])} is not a {data['type']}", place) from None
    if as_label(label, "") != label:  # missing, or written in a way that we do not write
        raise ModelFormatError(f"{reprlib.repr(data['text'])} is not a {data['type']} as bough writes it", place)
    return label
