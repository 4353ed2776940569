"""One row as a user has it, as a table of one row; and whether something is one row or a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bough.errors import DataError
from bough.table import Schema

__all__ = ["as_table", "is_row", "only_row", "values_of"]


def is_row(X: Any) -> bool:
    """Whether this is one row: a mapping of single values, a Series, a named tuple, a flat array or list."""
    if isinstance(X, Mapping):
        return not any(_is_many(value) for value in X.values())
    if hasattr(X, "_asdict"):
        return True
    if isinstance(X, list | tuple):
        return bool(X) and not any(_is_many(value) or isinstance(value, Mapping) for value in X)
    return getattr(X, "ndim", None) == 1 and hasattr(X, "__len__")


def only_row(X: Any) -> Any:
    """The row, be it given as one or as a table of one row."""
    if is_row(X):
        return X
    many = X.values() if isinstance(X, Mapping) else [X]
    if all(hasattr(each, "__len__") and len(each) == 1 for each in many) and len(many):
        if isinstance(X, Mapping):
            return {name: _first(values) for name, values in X.items()}
        if hasattr(X, "columns"):  # a frame; column by column, since a row of one may turn whole numbers into others
            return {name: _first(X[name]) for name in X.columns}
        if is_row(X[0]):
            return X[0]
    raise DataError(
        "counterfactual() takes one row: a dict of single values, X.iloc[0] of a frame, or a table of one row."
    )


def _first(values: Any) -> Any:
    return values.iloc[0] if hasattr(values, "iloc") else values[0]


def values_of(schema: Schema, row: Any) -> list[Any]:
    """The values of a row in the order of the columns, as they are given."""
    table = as_table(schema, row)
    values = [table[name][0] for name in schema.names] if isinstance(table, dict) else table[0]
    plain = "biufU"  # what numpy has in plain Python, too; its times are more exact than those
    return [value.item() if isinstance(value, np.generic) and value.dtype.kind in plain else value for value in values]


def as_table(schema: Schema, row: Any) -> Any:
    """A row as a table that `encode_rows` takes.

    Values go by name, or by position where the row has no names.
    """
    if isinstance(row, Mapping):
        return {name: [value] for name, value in row.items()}
    if hasattr(row, "_asdict"):
        return {name: [value] for name, value in row._asdict().items()}
    if hasattr(row, "items") and hasattr(row, "index") and not isinstance(row, list | tuple):  # a Series of pandas
        names = list(row.index)
        if all(isinstance(name, str) for name in names):
            return {name: [value] for name, value in zip(names, row.tolist(), strict=True)}
    values = row.tolist() if hasattr(row, "tolist") else list(row)
    if len(values) != len(schema):
        raise DataError(f"the row has {len(values)} values, but the model asks {len(schema)} columns.")
    if schema.named:
        return {name: [value] for name, value in zip(schema.names, values, strict=True)}
    return [values]


def _is_many(value: Any) -> bool:
    if isinstance(value, str | bytes | np.generic):
        return False
    return isinstance(value, list | tuple | np.ndarray) or (hasattr(value, "__len__") and hasattr(value, "dtype"))
