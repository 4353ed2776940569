"""Warnings about data, attributed to the line of the user's code that passed them."""

import inspect
import warnings

from bough.errors import DataWarning

__all__ = ["warn", "warn_of_merged"]


def warn(message: str) -> None:
    """Warn, pointing at the first caller outside the package."""
    level, caller = 1, inspect.currentframe()
    while caller is not None and caller.f_globals.get("__name__", "").partition(".")[0] == "bough":
        level, caller = level + 1, caller.f_back
    warnings.warn(message, DataWarning, stacklevel=level)


def warn_of_merged(column: str, exact: int, kept: int) -> None:
    """Warn if fewer numbers differ after they were made doubles than before."""
    if kept < exact:
        warn(
            f"Column {column!r} holds {exact} different numbers, but double precision tells only {kept} of them apart. "
            "Subtract a constant or divide first, or name the column in categorical_features."
        )
