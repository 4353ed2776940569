"""Literals from the flat arrays of the kernel: what `Pool` packs, read back for rules that the kernel has found."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.features import Number
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.table import Schema

__all__ = ["unpacked"]

_LEVELS, _, _MISSING, _KNOWN, _SUM = range(5)
_TYPES = (np.float64, np.int64, np.uint64)


Arrays = Mapping[str, npt.NDArray[Any]]


def unpacked(arrays: Arrays, schema: Schema) -> list[tuple[Literal, ...]]:
    """The literals of each rule; `arrays` as `_core.Rules.to_arrays` gives them, `schema` the columns they count."""
    begin = arrays["rule_begin"].tolist()
    sets, sums = iter(_sets(arrays)), iter(_sums(arrays, schema))
    literals = [_literal(arrays, place, schema, sets, sums) for place in range(begin[-1])]
    return [tuple(literals[first:last]) for first, last in pairwise(begin)]


def _literal(
    arrays: Arrays,
    place: int,
    schema: Schema,
    sets: Iterator[tuple[int, ...]],
    sums: Iterator[tuple[SumTerm, ...]],
) -> Literal:
    kind, or_missing = int(arrays["kind"][place]), bool(arrays["or_missing"][place])
    low, high = _bound(arrays, "low", place), _bound(arrays, "high", place)
    if kind == _SUM:
        return Sum(next(sums), low, high, or_missing)
    column, negated = schema.columns[int(arrays["column"][place])], bool(arrays["negated"][place])
    if kind == _MISSING:
        return Missing(column)
    if kind == _KNOWN:
        return Known(column)
    if kind == _LEVELS:
        return Levels(column, next(sets), negated, or_missing)
    return Interval(column, low, high, negated, or_missing)


def _sets(arrays: Arrays) -> list[tuple[int, ...]]:
    codes = arrays["set_code"].tolist()
    return [tuple(codes[first:last]) for first, last in pairwise(arrays["set_begin"].tolist())]


def _sums(arrays: Arrays, schema: Schema) -> list[tuple[SumTerm, ...]]:
    parts = (arrays[name].tolist() for name in ("lin_weight", "lin_column", "lin_code"))
    terms = [SumTerm(weight, schema.columns[column], code) for weight, column, code in zip(*parts, strict=True)]
    return [tuple(terms[first:last]) for first, last in pairwise(arrays["lin_begin"].tolist())]


def _bound(arrays: Arrays, end: str, place: int) -> Bound | None:
    bound = int(arrays[f"{end}_bound"][place])
    if bound == 0:
        return None
    bits = arrays[f"{end}_bits"][place : place + 1]
    value: Number = bits.view(_TYPES[int(arrays[f"{end}_type"][place])])[0].item()
    return Bound(value, closed=bound == 2)
