"""Warnings at fit about data that can be used but look like a mistake; their texts do not vary from fold to fold."""

import numpy as np
import numpy.typing as npt

from bough.table import Table, warn

__all__ = ["warn_of_identifiers"]

_MANY, _DISTINCT = 50, 0.9  # levels, and levels to a row, from which on they look like identifiers


def warn_of_identifiers(table: Table, weights: npt.NDArray[np.float64] | None) -> None:
    """Warn of nominal columns whose levels hardly ever occur twice: they tell rows apart and say nothing of others."""
    for column, encoded in zip(table.schema, table.columns, strict=True):
        levels = column.n_levels - len(column.unused)
        if column.kind != "nominal" or levels < _MANY:
            continue
        known = encoded.data >= 0 if weights is None else (encoded.data >= 0) & (weights > 0)
        if levels >= _DISTINCT * int(known.sum()):
            warn(
                f"Column {column.name!r} has nearly as many levels as there are rows, like a name or an identifier: a "
                "tree can part the training rows by it, but learns nothing from it about others. Leave it out, or "
                "convert it to numbers or dates if it holds such."
            )
