"""Rows to explain: besides the forms of one row that all models take, flat lists and arrays, and tables of one row."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bough.errors import DataError
from bough.table import Encoded, Row, Schema, is_row, read_row

__all__ = ["as_row", "encoded_row", "only_row", "values_of"]


def as_row(X: Any) -> Any:
    """The row, where this is one, as `Inputs.read` takes it; None for a table.

    A flat list or array, or a Series without names, is a row here: what is explained is one row, or a table with two
    dimensions.
    """
    if is_row(X):
        return X
    if isinstance(X, list):
        single = bool(X) and not any(hasattr(value, "__len__") and not isinstance(value, str | bytes) for value in X)
        return tuple(X) if single else None
    if getattr(X, "ndim", None) == 1 and hasattr(X, "tolist"):
        return tuple(X.tolist())
    return None


def only_row(schema: Schema, X: Any) -> Row:
    """The row, be it given as one or as a table of one row; read once, so that it is warned of once."""
    read = read_row(schema, _only_row(X))
    assert read is not None  # noqa: S101
    return read


def _only_row(X: Any) -> Any:
    row = as_row(X)
    if row is not None:
        return row
    many = X.values() if isinstance(X, Mapping) else [X]
    if all(hasattr(each, "__len__") and len(each) == 1 for each in many) and len(many):
        if isinstance(X, Mapping):
            return {name: _first(values) for name, values in X.items()}
        if hasattr(X, "columns"):  # a frame; column by column, since a row of one may turn whole numbers into others
            return {name: _first(X[name]) for name in X.columns}
        row = as_row(X[0])
        if row is not None:
            return row
    raise DataError(
        "counterfactual() takes one row: a dict of single values, X.iloc[0] of a frame, or a table of one row."
    )


def _first(values: Any) -> Any:
    return values.iloc[0] if hasattr(values, "iloc") else values[0]


def values_of(row: Row) -> list[Any]:
    """The values of a row in the order of the columns, in plain Python; None where a column is left out."""
    plain = "biufU"  # what numpy has in plain Python, too; its times are more exact than those
    return [
        value.item() if isinstance(value, np.generic) and value.dtype.kind in plain else value for value in row.cells
    ]


def encoded_row(schema: Schema, cells: Sequence[Any]) -> list[Encoded]:
    """A row of numbers and codes, None where missing, as columns."""
    columns = []
    for cell, kind in zip(cells, schema.kind_codes, strict=True):
        if kind:
            columns.append(Encoded(np.array([-1 if cell is None else cell], dtype=np.int32)))
        elif cell is None:
            columns.append(Encoded(np.array([np.nan])))
        elif isinstance(cell, int):
            columns.append(Encoded(np.array([cell], dtype=np.int64 if cell < 2**63 else np.uint64)))
        else:
            columns.append(Encoded(np.array([cell], dtype=np.float64)))
    return columns
