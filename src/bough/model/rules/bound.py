"""Bounds of numbers: the ends of an interval, as the kernel can compare them and as text."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bough.errors import ParameterError
from bough.model.features import Number
from bough.model.rules.spell import number_text
from bough.table import Column
from bough.table.temporal import parse_temporal

__all__ = ["Bound", "between", "bounds_text", "settled", "some_between"]

_LEAST, _MOST, _MOST_NATURAL = -(2**63), 2**63 - 1, 2**64 - 1


class Bound(NamedTuple):
    """The end of an interval; `closed`: the value itself lies inside. Ordered levels count by their code."""

    value: Number
    closed: bool


def settled(bound: Bound | None, column: Column, *, low: bool) -> Bound | None:
    """A bound as the kernel compares it with a column; a ParameterError if there is no such.

    Times and ordered levels are whole: a bound between two of them is moved to the one that says the same, 1.5 as the
    lower end to 2.
    """
    if bound is None:
        return None
    value, closed = bound
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ParameterError(f"{value!r:.60} is no number to bound {column.name!r:.60} by.")
    if math.isnan(value):
        raise ParameterError(f"NaN bounds nothing: {column.name!r:.60} IS MISSING asks for missing values.")
    whole = column.levels is not None or parse_temporal(column.dtype) is not None
    if whole and isinstance(value, float) and _LEAST <= value < 2.0**63:
        found = math.ceil(value) if low else math.floor(value)
        value, closed = found, closed or found != value
    if column.levels is not None and not (isinstance(value, int) and 0 <= value < len(column.levels)):
        told = f"{column.name!r:.60} has {len(column.levels)} levels"
        raise ParameterError(f"{told}; got the code {number_text(value):.60}.")
    most = _MOST_NATURAL if column.dtype == "uint64" else _MOST
    if isinstance(value, int) and not _LEAST <= value <= most:
        told = f"{column.name!r:.60} holds no whole number that large"
        raise ParameterError(f"{told}: give {number_text(value):.60} as a real one.")
    return Bound(value, bool(closed))


def between(value: Number, low: Bound | None, high: Bound | None) -> bool:
    """Whether a value lies between two bounds, in exact arithmetic."""
    above = low is None or value > low.value or (low.closed and value == low.value)
    return above and (high is None or value < high.value or (high.closed and value == high.value))


def some_between(low: Bound, high: Bound) -> bool:
    """Whether there is room between two bounds."""
    return low.value < high.value or (low.value == high.value and low.closed and high.closed)


def bounds_text(
    asked: str, low: Bound | None, high: Bound | None, spell: Callable[[Number], str], negated: bool
) -> str:
    """Bounds as text: a comparison of one, an interval of two."""
    if low is None:
        return asked if high is None else f"{asked} {'<=' if high.closed else '<'} {spell(high.value)}"
    if high is not None:
        ends = f"{'[' if low.closed else '('}{spell(low.value)}, {spell(high.value)}{']' if high.closed else ')'}"
        return f"{asked} {'NOT IN' if negated else 'IN'} {ends}"
    return f"{asked} {'>=' if low.closed else '>'} {spell(low.value)}"
