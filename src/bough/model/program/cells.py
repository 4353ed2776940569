"""Cases as cells: one list for each field of a program, with numbers, level numbers, or what stands for no value.

A cell of a number is a float or int, None where it is missing; of levels it is a number of the program, MISSING or
UNSEEN.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataWarning
from bough.model.program.program import MISSING, UNSEEN, Field, Program
from bough.table import Column, Encoded, Label, OtherLabel, encode_rows, label_type
from bough.table.convert import as_labels
from bough.table.frame import read_frame
from bough.table.temporal import parse_temporal

__all__ = ["Cells", "Unknown", "cells_of_frame", "label_of", "outside", "stand_in", "table_of"]


@dataclass(frozen=True)
class Cells:
    """Cases by field; `columns[k][i]` is field k of case i."""

    columns: tuple[list[Any], ...]
    n_cases: int

    def row(self, case: int) -> tuple[Any, ...]:
        """The cells of one case."""
        return tuple(column[case] for column in self.columns)

    def taken(self, cases: Sequence[int]) -> "Cells":
        """Some of the cases."""
        return Cells(tuple([column[case] for case in cases] for column in self.columns), len(cases))


class Unknown(int):
    """The number of a level that was never seen, with its label."""

    label: Label

    def __new__(cls, label: Label) -> "Unknown":
        """UNSEEN, that knows what it stands for."""
        made = super().__new__(cls, UNSEEN)
        made.label = label
        return made


def label_of(field: Field, cell: int) -> Label | None:
    """The label of a level; of one never seen its own, where it is known, else some other of the right type."""
    if isinstance(cell, Unknown):
        return cell.label
    return None if cell == MISSING else stand_in(field) if cell == UNSEEN else field.levels[cell]


def stand_in(field: Field) -> Label:
    """A level of the right type that is none of the field's."""
    held = set(field.column.levels or ())
    if field.labels == "bool":
        return not field.levels[0] if len(field.levels) == 1 else "neither"
    if field.labels == "number":
        return next(number for number in count(7) if number not in held)
    first = field.levels[0] if field.levels else ""
    name = "never seen"
    while any(str(level) == name for level in held):
        name += " before"
    return OtherLabel(first.type, name) if isinstance(first, OtherLabel) else name


def outside(field: Field, cell: Any) -> Any:
    """A cell as another program is given it: a number or None; the label of a level, text for labels of other types."""
    if field.kind != "levels":
        return cell
    label = label_of(field, cell)
    return label if label is None or isinstance(label, str | bool | int | float) else str(label)


def table_of(program: Program, cells: Cells) -> dict[str, list[Any]]:
    """Cases as a table for the model; columns that the program does not read hold some known value."""
    table: dict[str, list[Any]] = {}
    place = {field.index: number for number, field in enumerate(program.fields)}
    for index, column in enumerate(program.schema.columns):
        if index in place:
            field = program.fields[place[index]]
            table[column.name] = _values(field, cells.columns[place[index]])
        else:
            table[column.name] = [_any_value(column)] * cells.n_cases
    return table


def _values(field: Field, cells: Sequence[Any]) -> list[Any]:
    if field.kind == "levels":
        other = stand_in(field) if UNSEEN in cells else None
        return [None if c == MISSING else other if c == UNSEEN else field.levels[c] for c in cells]
    meaning = parse_temporal(field.column.dtype)
    if meaning is None:
        return list(cells)
    known = np.array([cell for cell in cells if cell is not None], dtype=np.int64)
    values = iter(meaning.as_values(known))
    return [None if cell is None else next(values) for cell in cells]


def _any_value(column: Column) -> Any:
    if column.kind != "numeric":
        return next((level for k, level in enumerate(column.levels or ()) if k not in column.unused), None)
    meaning = parse_temporal(column.dtype)
    if meaning is not None:
        return meaning.as_values(np.zeros(1, dtype=np.int64))[0]
    return None if column.dtype == "null" else 0


def cells_of_frame(program: Program, X: Any) -> Cells:
    """The rows of a user's table; a level never seen keeps its label, if that is of the type of the others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the model says the same when it is asked
        encoded = encode_rows(program.schema, X)
    columns = [_cells(field, encoded[field.index]) for field in program.fields]
    frame = read_frame(X)
    by_name = program.schema.named and frame.named
    for field, cells in zip(program.fields, columns, strict=True):
        if field.kind == "levels" and UNSEEN in cells:
            place = frame.names.index(field.name) if by_name else field.index
            given = as_labels(frame.read(place), field.name)
            kinds = {label_type(level) for level in field.levels}
            for case, code in enumerate(given.codes.tolist()):
                if cells[case] == UNSEEN and label_type(given.labels[code]) in kinds:
                    cells[case] = Unknown(given.labels[code])
    return Cells(tuple(columns), frame.n_rows)


def _cells(field: Field, encoded: Encoded) -> list[Any]:
    data: npt.NDArray[Any] = encoded.data
    if field.kind == "levels":
        number = {code: k for k, code in enumerate(_seen(field.column))}
        return [number.get(code, MISSING if code == -1 else UNSEEN) for code in data.tolist()]
    missing = np.isnan(data) if data.dtype.kind == "f" else encoded.missing
    gone = np.zeros(len(data), dtype=bool) if missing is None else missing
    return [None if no else value for value, no in zip(data.tolist(), gone.tolist(), strict=True)]


def _seen(column: Column) -> list[int]:
    unused = set(column.unused)
    return [code for code in range(column.n_levels) if code not in unused]
