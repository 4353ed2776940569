"""One row as a user has it: a dict of single values, a Series, a tuple in the order of the columns.

A pattern described by its properties is not a table: names may be left out, and are then not known. What such a row is
stands here alone, so that every model takes it, and tables pay one look at their type for it.
"""

import difflib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.errors import DataError
from bough.table.frame import Frame
from bough.table.schema import Schema
from bough.table.warn import warn

__all__ = ["Row", "is_row", "read_row"]

_MOST_NAMES = 10  # in a message


@dataclass(frozen=True)
class Row:
    """The values of one row in the order of the columns.

    Attributes
    ----------
    cells : tuple
        As they are given; None where a column is left out.
    left_out : tuple of str
        The columns that the row says nothing of.
    """

    cells: tuple[Any, ...]
    left_out: tuple[str, ...] = ()

    @property
    def left_out_words(self) -> str:
        """The names of those columns, for a message."""
        return _listed(self.left_out)

    def frame(self, schema: Schema) -> Frame:
        """The row as a table of one row."""
        return Frame(schema.names, schema.named, 1, lambda position: (self.cells[position],))


def is_row(X: Any) -> bool:
    """Whether this is one row rather than a table.

    A row is a mapping of single values, a named tuple, a tuple of single values, or a Series of pandas that is no
    column, because its index has names.

    Examples
    --------
    >>> from bough.table import is_row
    >>> is_row({"color": "red", "size": "small"}), is_row({"color": ["red", "green"]}), is_row(("red", "small"))
    (True, False, True)
    """
    if isinstance(X, np.ndarray | list):
        return False
    if isinstance(X, Mapping):
        return bool(X) and not any(map(_is_many, X.values()))
    if isinstance(X, tuple):
        return bool(X) and not any(map(_is_many, X))
    return _is_series(X) and _are_names(X.index)


def read_row(schema: Schema, X: Any) -> Row | None:
    """Read one row, or return None for a table.

    Parameters
    ----------
    schema : Schema
        Of the training table. Columns without names of their own are called x0, x1, ... here, too.
    X : row or table
        Names that are left out are not known. One that no column has is an error, with the name that is meant by it
        if one is near. A row that leaves out nothing may have others, such as its target, which are warned of as in a
        table; those that are nearly the name of a column are an error there, too.

    Returns
    -------
    Row or None
    """
    if isinstance(X, Row):
        return X
    if isinstance(X, Mapping | tuple) and not X:
        raise DataError(
            f"The row is empty: give a value of at least one column; the model has {_listed(schema.names)}."
        )
    if not is_row(X):
        # A nameless table has nameless rows: a Series is one where its values can be those of the columns.
        if schema.named or not _is_series(X) or len(X) != len(schema):
            return None
        return Row(tuple(X.tolist()))
    if isinstance(X, Mapping):
        return _by_name(schema, X)
    if isinstance(X, tuple):
        names = getattr(X, "_fields", None) if schema.named else None
        return _by_place(schema, X) if names is None else _by_name(schema, dict(zip(names, X, strict=True)))
    if not schema.named:
        return _by_place(schema, X.tolist())
    _refuse_twice(X.index)
    return _by_name(schema, dict(zip(X.index, X.tolist(), strict=True)))


def _by_place(schema: Schema, values: Sequence[Any]) -> Row:
    if len(values) != len(schema):
        names = _listed(schema.names)
        raise DataError(
            f"The row has {len(values)} value{'s' * (len(values) != 1)}, but the model has {len(schema)} column"
            f"{'s' * (len(schema) != 1)} ({names}): give one value for each, None where it is not known, or name them "
            "in a dict."
        )
    return Row(tuple(map(_single, values)))


def _by_name(schema: Schema, given: Mapping[Hashable, Any]) -> Row:
    names = schema.names
    left_out = tuple(name for name in names if name not in given)
    known = set(names)
    others = [name for name in given if name not in known]
    wrong = others if left_out else [name for name in others if _near(name, names, cutoff=0.8)]
    if wrong:
        raise DataError(f"The row names {wrong[0]!r:.80}, which is no column of the model: {_meant(wrong[0], names)}")
    if others:
        warn(f"The row has values that are no columns of the model; they are ignored: {_listed(others)}.")
    return Row(tuple(_single(given.get(name)) for name in names), left_out)


def _meant(name: Any, names: Sequence[str]) -> str:
    near = _near(name, names)
    return f"did you mean {near[0]!r:.80}?" if near else f"its columns are {_listed(names)}."


def _near(name: Any, names: Sequence[str], cutoff: float = 0.6) -> list[str]:
    """The columns that may be meant by a name, at most one unless only case tells them apart."""
    alike = [known for known in names if str(name).lower() == known.lower()]
    return alike or difflib.get_close_matches(str(name), names, n=1, cutoff=cutoff)


def _listed(names: Iterable[Any]) -> str:
    shown = [f"{name!r:.60}" for name in names]
    more = f", ... ({len(shown)} in all)" if len(shown) > _MOST_NAMES else ""
    return ", ".join(shown[:_MOST_NAMES]) + more


def _refuse_twice(names: Any) -> None:
    if not names.is_unique:
        raise DataError(f"The row names {names[names.duplicated()][0]!r:.80} twice: keep one of the two.")


def _is_many(value: Any) -> bool:
    """Whether a value of a mapping or tuple is a column or a row: it has a length, and is no text."""
    if isinstance(value, str | bytes | int | float):
        return False
    return hasattr(value, "__len__") and getattr(value, "ndim", 1) != 0


def _single(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value  # an array without dimensions


def _is_series(X: Any) -> bool:
    return hasattr(X, "iloc") and getattr(X, "ndim", None) == 1


def _are_names(index: Any) -> bool:
    return len(index) > 0 and all(isinstance(name, str) for name in index)
