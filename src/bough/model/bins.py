"""Bins: numeric columns read as nominal levels, by edges that were found at fit.

Part of what a model expects of a table, because the tests of such a model ask for levels that no table holds.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.exact import numbers_from_json, numbers_to_json
from bough.table import Column, Encoded, Schema, Table, format_value, missing_rows

__all__ = ["Bins"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bins:
    """The edges between the bins of each column; None where a column is not binned.

    A value equal to an edge lies below it.
    """

    edges: tuple[Floats | None, ...]

    def schema(self, inputs: Schema) -> Schema:
        """The columns with bins as nominal levels."""
        columns = zip(inputs.columns, self.edges, strict=True)
        return Schema(tuple(_as_levels(column, edges) for column, edges in columns), inputs.named)

    def encode(self, columns: list[Encoded]) -> list[Encoded]:
        """Columns of numbers as the codes of their bins."""
        return [
            column if edges is None else Encoded(_codes(column, edges))
            for column, edges in zip(columns, self.edges, strict=True)
        ]

    def table(self, table: Table) -> Table:
        """A training table with bins as levels."""
        return Table(self.schema(table.schema), self.encode(table.columns), table.n_rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bins):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # equal by value, and values may be large

    def to_json(self) -> list[Any]:
        """The edges as numbers that keep their bits."""
        return [
            None if edges is None else numbers_to_json(edges.view(np.uint64), np.zeros(len(edges), dtype=np.uint8))
            for edges in self.edges
        ]

    @classmethod
    def from_json(cls, given: Any, inputs: Schema, place: str) -> "Bins":
        """Read what `to_json` wrote: rising numbers for each numeric column, null for the others."""
        if not isinstance(given, list) or len(given) != len(inputs):
            raise ModelFormatError("expected one entry for each column", place=place)
        return cls(
            tuple(
                _read_edges(entry, column, f"{place}[{number}]")
                for number, (column, entry) in enumerate(zip(inputs, given, strict=True))
            )
        )


def _read_edges(given: Any, column: Column, place: str) -> Floats | None:
    if (given is None) == (column.kind == "numeric"):
        raise ModelFormatError("expected edges for a numeric column and null for another", place)
    if given is None:
        return None
    if not isinstance(given, list):
        raise ModelFormatError("expected a list of rising numbers", place)
    places = [f"{place}[{i}]" for i in range(len(given))]
    values = numbers_from_json(given, np.zeros(len(given), dtype=np.uint8), places).view(np.float64)
    if not (values[:-1] < values[1:]).all():
        raise ModelFormatError("expected a list of rising numbers", place)
    return values


def _codes(column: Encoded, edges: Floats) -> npt.NDArray[np.int32]:
    codes = np.searchsorted(edges, column.data.astype(np.float64), side="left").astype(np.int32)
    codes[missing_rows(column)] = -1
    return codes


def _as_levels(column: Column, edges: Floats | None) -> Column:
    if edges is None:
        return column if column.kind == "nominal" else _nominal(column)
    return Column(column.name, "nominal", "levels", _names(column, edges))


def _nominal(column: Column) -> Column:
    return Column(column.name, "nominal", "levels", column.levels, column.unused)


def _names(column: Column, edges: Floats) -> tuple[Any, ...]:
    """What the bins are called: in six digits, or in as many as tell them apart."""
    texts = [format_value(column, float(edge), digits=6) for edge in edges]
    if len(set(texts)) < len(texts):
        texts = [repr(float(edge)) for edge in edges]
    if not texts:
        return ("any",)
    inner = [f"above {low} up to {high}" for low, high in pairwise(texts)]
    return (f"up to {texts[0]}", *inner, f"above {texts[-1]}")
