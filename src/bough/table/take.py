"""Some rows of a table of any library, of the type that it is."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["take_rows"]


def take_rows(table: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Some rows of a table or a column, of the type that it is."""
    if isinstance(table, Mapping):
        return {name: take_rows(column, rows) for name, column in table.items()}
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    if isinstance(table, list | tuple):
        return [table[row] for row in rows.tolist()]
    if hasattr(table, "take") and type(table).__module__.startswith("pyarrow"):
        return table.take(rows)
    return table[rows]
