"""Columns as the fields of a program: of what kind they are, which levels have a number, and where numbers are parted.

Every kind of model that writes a program makes its fields and edges here, so that all compare as the columns do.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal

from bough.model.program.derived import Addend
from bough.model.program.program import Edge, Field
from bough.table import OtherLabel, Schema, label_type

__all__ = ["addend_of", "edge_of", "field_of", "level_numbers"]

_EXACT = 2**53  # whole numbers below are doubles, and rounding to doubles keeps the order around them


def field_of(schema: Schema, index: int) -> Field:
    """Return the field of a column.

    Parameters
    ----------
    schema : Schema
    index : int
        The position of the column.

    Examples
    --------
    >>> from bough.table import Column, Schema
    >>> schema = Schema((Column("job", "nominal", "levels", ("A", "B", "C"), unused=(1,)),))
    >>> field_of(schema, 0).levels
    ('A', 'C')
    """
    column = schema.columns[index]
    if column.kind != "numeric":
        unused = set(column.unused)
        levels = tuple(level for code, level in enumerate(column.levels or ()) if code not in unused)
        return Field(index, column.name, column, "levels", levels, _label_kind(levels))
    kind: Literal["real", "whole", "ticks"] = (
        "real" if column.dtype.startswith("float") else "whole" if column.dtype.endswith("int64") else "ticks"
    )
    return Field(index, column.name, column, kind)


def level_numbers(schema: Schema, index: int) -> list[int]:
    """Return for each level of a column its number among those that training rows held, -1 if none did."""
    column = schema.columns[index]
    unused, numbers = set(column.unused), [-1] * column.n_levels
    for number, code in enumerate(code for code in range(column.n_levels) if code not in unused):
        numbers[code] = number
    return numbers


def addend_of(field: Field, place: int, weight: float, fill: float, code: int, origin: int = 0) -> Addend:
    """Return the term of a sum that asks a field: its number, the code of its ordered level, or for one of its levels.

    Parameters
    ----------
    field : Field
    place : int
        Where it stands among the fields of the program.
    weight, fill : float
        What it is weighted with, and what a missing value counts.
    code : int
        -1 for the value; else the level that counts 1, all others 0.
    origin : int, default=0
        Subtracted from a number first.
    """
    if field.kind != "levels":
        return Addend(place, weight, fill, origin)
    unused = set(field.column.unused)
    held = [number for number in range(field.column.n_levels) if number not in unused]
    return Addend(place, weight, fill, 0, tuple(float(number if code < 0 else number == code) for number in held))


def edge_of(field: Field, number: float | int, side: Literal["le", "lt"] = "le") -> Edge:
    """Return an edge at a number in a form that needs no arithmetic beyond that of the column's type."""
    if field.kind == "real":
        if isinstance(number, int):
            near = float(number)  # the nearest double; exact order decides the side
            if near == number:
                return Edge(near, side)
            return Edge(near, "le" if near < number else "lt")
        return Edge(number, side)
    if field.kind == "whole" and -_EXACT < number < _EXACT:
        return Edge(number, side)
    if isinstance(number, float) and not math.isfinite(number):
        return Edge(number, side)
    return Edge(math.floor(number) if side == "le" else math.ceil(number) - 1, "le")


def _label_kind(levels: Sequence[Any]) -> Literal["text", "bool", "number", "mixed"]:
    kinds = {label_type(level) for level in levels}
    if not kinds:
        return "text"
    if len(kinds) > 1:
        return "mixed"
    kind = kinds.pop()
    if kind in ("bool", "number"):
        return "bool" if kind == "bool" else "number"
    texts = {level if isinstance(level, str) else str(level) for level in levels}
    plain = kind in ("str", "date") or isinstance(levels[0], OtherLabel)
    return "text" if plain and len(texts) == len(levels) else "mixed"
