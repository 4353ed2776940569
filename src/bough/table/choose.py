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


def choose_kinds(names: Sequence[str], categorical_features: Any, ordered_features: Any) -> Choice:
    """Resolve both parameters to positions; what names no column, or one column twice, is a ParameterError."""
    nominal = frozenset(_positions("categorical_features", categorical_features, names))
    ordered = _ordered(ordered_features, names)
    both = sorted(nominal & ordered.keys())
    if both:
        raise ParameterError(
            f"Column {names[both[0]]!r} is named in categorical_features and in ordered_features; name it in one."
        )
    return Choice(nominal, ordered)


def _positions(parameter: str, given: Any, names: Sequence[str]) -> list[int]:
    """Positions from names, indices or a mask; None and "from_dtype" name no column."""
    if given is None or (parameter == "categorical_features" and isinstance(given, str) and given == "from_dtype"):
        return []
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray | set | frozenset):
        also = "'from_dtype', " if parameter == "categorical_features" else ""
        raise ParameterError(f"{parameter}={given!r}: expected {also}a list of names or positions, a mask or None.")
    keys = list(given)
    if keys and all(isinstance(key, bool | np.bool_) for key in keys):
        if len(keys) != len(names):
            raise ParameterError(f"{parameter} is a mask of {len(keys)} entries, but X has {len(names)} columns.")
        return [i for i, chosen in enumerate(keys) if chosen]
    return [_position(parameter, key, names) for key in keys]


def _position(parameter: str, key: Any, names: Sequence[str]) -> int:
    if isinstance(key, str):
        if key not in names:
            shown = ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
            raise ParameterError(f"{parameter} names {key!r}, but X has no such column. Its columns are {shown}.")
        return list(names).index(key)
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        if not 0 <= int(key) < len(names):
            raise ParameterError(
                f"{parameter} holds the position {key}, but X has {len(names)} columns: expected 0 to {len(names) - 1}."
            )
        return int(key)
    raise ParameterError(f"{parameter} holds {key!r}, which is neither the name nor the position of a column.")


def _ordered(given: Any, names: Sequence[str]) -> dict[int, tuple[Label, ...] | None]:
    """A mapping gives the levels, lowest first; a list names columns whose type already lists them."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(_positions("ordered_features", given, names))
    chosen: dict[int, tuple[Label, ...] | None] = {}
    for key, levels in given.items():
        position = _position("ordered_features", key, names)
        if position in chosen:
            raise ParameterError(f"ordered_features names column {names[position]!r} twice.")
        chosen[position] = _check_levels(names[position], levels)
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
