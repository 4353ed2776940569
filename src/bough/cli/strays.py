"""Columns of numbers that a few other cells have turned into labels."""

import warnings
from collections.abc import Sequence
from typing import Any

from bough.errors import DataWarning

__all__ = ["warn_of_strays"]

_FEW = 0.1  # of the known cells


def warn_of_strays(frame: Any, names: Sequence[str]) -> None:
    """Warn of each such column of a frame that was read from text, with its first odd cell and the line of that."""
    import polars as pl

    for name in names:
        column = frame[name]
        if column.dtype != pl.String:
            continue
        known = column.is_not_null()
        odd = (known & column.str.strip_chars().cast(pl.Float64, strict=False).is_null()).arg_true()
        if not 0 < len(odd) <= _FEW * int(known.sum()):
            continue
        first = int(odd[0])
        also = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        warnings.warn(
            f"column {name!r} holds numbers but for {column[first]!r:.60} in line {first + 2}{also}, so all its values "
            "are read as labels. Correct these cells, or leave them empty if the value is not known.",
            DataWarning,
            stacklevel=2,
        )
