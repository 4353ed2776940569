"""Literals from the flat arrays of the kernel: what `Pool` packs, read back for rules that the kernel has found."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.features import Number
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing
from bough.table import Schema

__all__ = ["unpacked"]

_LEVELS, _INTERVAL, _MISSING, _KNOWN = range(4)
_TYPES = (np.float64, np.int64, np.uint64)


def unpacked(arrays: Mapping[str, npt.NDArray[Any]], schema: Schema) -> list[tuple[Literal, ...]]:
    """The literals of each rule; `arrays` as `_core.Rules.to_arrays` gives them, without sums."""
    begin, sets = arrays["rule_begin"].tolist(), iter(_sets(arrays))
    literals = [_literal(arrays, place, schema, sets) for place in range(begin[-1])]
    return [tuple(literals[first:last]) for first, last in zip(begin, begin[1:], strict=False)]


def _literal(arrays: Mapping[str, npt.NDArray[Any]], place: int, schema: Schema, sets: Any) -> Literal:
    kind, column = int(arrays["kind"][place]), schema.columns[int(arrays["column"][place])]
    if kind == _MISSING:
        return Missing(column)
    if kind == _KNOWN:
        return Known(column)
    negated, or_missing = bool(arrays["negated"][place]), bool(arrays["or_missing"][place])
    if kind == _LEVELS:
        return Levels(column, next(sets), negated, or_missing)
    return Interval(column, _bound(arrays, "low", place), _bound(arrays, "high", place), negated, or_missing)


def _sets(arrays: Mapping[str, npt.NDArray[Any]]) -> list[tuple[int, ...]]:
    begin, codes = arrays["set_begin"].tolist(), arrays["set_code"].tolist()
    return [tuple(codes[first:last]) for first, last in zip(begin, begin[1:], strict=False)]


def _bound(arrays: Mapping[str, npt.NDArray[Any]], end: str, place: int) -> Bound | None:
    bound = int(arrays[f"{end}_bound"][place])
    if bound == 0:
        return None
    bits = arrays[f"{end}_bits"][place : place + 1]
    value: Number = bits.view(_TYPES[int(arrays[f"{end}_type"][place])])[0].item()
    return Bound(value, closed=bound == 2)
