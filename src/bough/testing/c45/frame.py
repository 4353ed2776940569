"""Frames as the plain C4.5 takes them: numbers as they are, categories as codes of their declared levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bough.testing.c45.table import Column, Table


def table_of(X: Any, y: Any, weights: Sequence[float] = ()) -> Table:
    """A pandas frame and a categorical series as a table; levels and classes are called by their text.

    Examples
    --------
    >>> import pandas as pd
    >>> from bough.testing.c45 import table_of
    >>> table = table_of(pd.DataFrame({"x": [1.5, None]}), pd.Series(["b", "a"], dtype="category"))
    >>> table.columns[0].cells, table.y, table.classes
    ([1.5, None], [1, 0], ['a', 'b'])
    """
    columns = [Column(str(name), cells_of(X[name]), _levels(X[name])) for name in X.columns]
    labels = [None if code < 0 else int(code) for code in y.cat.codes]
    return Table(columns, labels, [str(label) for label in y.cat.categories], list(weights))


def cells_of(series: Any) -> list[float | None]:
    """The cells of a column: numbers, or codes of levels; None where missing."""
    if _levels(series) is None:
        return [None if value != value else float(value) for value in series]  # NaN is not itself
    return [None if code < 0 else int(code) for code in series.cat.codes]


def cases_of(X: Any) -> list[tuple[float | None, ...]]:
    """The rows of a frame."""
    return list(zip(*(cells_of(X[name]) for name in X.columns), strict=True))


def _levels(series: Any) -> list[str] | None:
    return [str(level) for level in series.cat.categories] if hasattr(series, "cat") else None
