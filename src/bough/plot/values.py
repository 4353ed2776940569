"""Columns of tables as users give them, and answers of a tree at chosen points."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError
from bough.model import Tree

__all__ = ["check_rows", "column_values", "predict_at"]


def column_values(X: Any, name: str, index: int) -> npt.NDArray[Any]:
    """Return a column of a table by its name; of a table without names, by its position."""
    if isinstance(X, Mapping) or hasattr(X, "columns") or hasattr(X, "column_names"):
        try:
            return np.asarray(X[name])
        except (KeyError, LookupError) as error:
            raise DataError(f"X has no column {name!r:.80}.") from error
    rows = np.asarray(X)
    if rows.ndim != 2 or index >= rows.shape[1]:
        raise DataError(f"X must be a table with at least {index + 1} columns.")
    return rows[:, index]


def check_rows(rows: int, target: npt.NDArray[Any]) -> None:
    """Raise an error unless there is one value of the target for each row."""
    if len(target) != rows:
        raise DataError(f"X has {rows} rows, but y has {len(target)} values.")


def predict_at(tree: Tree, columns: Mapping[str, Any]) -> npt.NDArray[np.int32]:
    """Return the nodes in which the rows of a table of columns end."""
    if tree.schema.named:
        return tree.apply(dict(columns))
    return tree.apply(np.column_stack([np.asarray(columns[name]) for name in tree.schema.names]))
