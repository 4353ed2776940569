"""Which columns the user has declared nominal or ordered: `categorical_features=` and `ordered_features=` resolved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.table.levels import Label, as_label, label_key

__all__ = ["Choice", "choose_kinds"]


@dataclass(frozen=True)
class Choice:
    """Positions of the columns named nominal, and of those named ordered with their levels (None: their type's)."""

    nominal: frozenset[int] = frozenset()
    ordered: Mapping[int, tuple[Label, ...] | None] = field(default_factory=dict)


def choose_kinds(names: Sequence[str], categorical_features: Any, ordered_features: Any, *, named: bool) -> Choice:
    """Resolve both parameters to positions; what names no column, or one column twice, is a ParameterError.

    Where the table's own names are not strings (`named` is False), they may be whole numbers, and then a number is a
    name; one that is the position of another column as well is refused.
    """
    columns = _Columns(names, named)
    nominal = frozenset(_positions("categorical_features", categorical_features, columns))
    ordered = _ordered(ordered_features, columns)
    both = sorted(nominal & ordered.keys())
    if both:
        raise ParameterError(
            f"Column {names[both[0]]!r} is named in categorical_features and in ordered_features; name it in one."
        )
    return Choice(nominal, ordered)


@dataclass(frozen=True)
class _Columns:
    """The columns to choose from."""

    names: Sequence[str]
    named: bool

    def position(self, parameter: str, key: Any) -> int:
        """Where the column is that a user calls by its name or its position."""
        if isinstance(key, str):
            if key not in self.names:
                shown = ", ".join(map(repr, self.names[:10])) + (", ..." if len(self.names) > 10 else "")
                raise ParameterError(f"{parameter} names {key!r}, but X has no such column. Its columns are {shown}.")
            return list(self.names).index(key)
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            return self._numbered(parameter, int(key))
        raise ParameterError(f"{parameter} holds {key!r}, which is neither the name nor the position of a column.")

    def _numbered(self, parameter: str, key: int) -> int:
        is_position = 0 <= key < len(self.names)
        if not self.named and str(key) in self.names:
            place = list(self.names).index(str(key))
            if is_position and place != key:
                raise ParameterError(
                    f"{parameter} holds {key}, which is the name of one column and the position of another, "
                    f"{self.names[key]!r}. Write a name as text, such as {str(key)!r}, or give a mask."
                )
            return place
        if not is_position:
            n = len(self.names)
            raise ParameterError(f"{parameter} holds the position {key}, but X has {n} columns: expected 0 to {n - 1}.")
        return key


def _positions(parameter: str, given: Any, columns: _Columns) -> list[int]:
    """Positions from names, indices or a mask; None and "from_dtype" name no column."""
    if given is None or (parameter == "categorical_features" and isinstance(given, str) and given == "from_dtype"):
        return []
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray | set | frozenset):
        also = "'from_dtype', " if parameter == "categorical_features" else ""
        raise ParameterError(f"{parameter}={given!r}: expected {also}a list of names or positions, a mask or None.")
    keys = list(given)
    if keys and all(isinstance(key, bool | np.bool_) for key in keys):
        n = len(columns.names)
        if len(keys) != n:
            raise ParameterError(f"{parameter} is a mask of {len(keys)} entries, but X has {n} columns.")
        return [i for i, chosen in enumerate(keys) if chosen]
    return [columns.position(parameter, key) for key in keys]


def _ordered(given: Any, columns: _Columns) -> dict[int, tuple[Label, ...] | None]:
    """A mapping gives the levels, lowest first; a list names columns whose type already lists them."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(_positions("ordered_features", given, columns))
    chosen: dict[int, tuple[Label, ...] | None] = {}
    for key, levels in given.items():
        position = columns.position("ordered_features", key)
        name = columns.names[position]
        if position in chosen:
            raise ParameterError(f"ordered_features names column {name!r} twice.")
        chosen[position] = _check_levels(name, levels)
    return chosen


def _check_levels(name: str, levels: Any) -> tuple[Label, ...]:
    if isinstance(levels, str | bytes | Mapping | set | frozenset) or not hasattr(levels, "__iter__"):
        raise ParameterError(f"ordered_features[{name!r}] is {levels!r}: expected a list of levels, lowest first.")
    labels: list[Label] = []
    seen = set()
    for level in levels:
        label = as_label(level, name)
        if label is None:
            raise ParameterError(f"ordered_features[{name!r}] lists a missing value, which is not a level.")
        if label_key(label) in seen:
            raise ParameterError(f"ordered_features[{name!r}] lists {level!r} twice.")
        seen.add(label_key(label))
        labels.append(label)
    if not labels:
        raise ParameterError(f"ordered_features[{name!r}] lists no level.")
    return tuple(labels)
