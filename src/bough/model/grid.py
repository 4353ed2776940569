"""The values of a column as tests see them: numbers fall into cells between cuts, levels are told apart one by one.

The conditions of a path merge to one set of cells for each column, and a search over cells misses no value.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from bough.model.features import Number
from bough.model.tests.cells import Cells, Cut, runs_of
from bough.model.text import among, significant
from bough.table import Column, format_text, format_value, value_of
from bough.table.temporal import parse_temporal

__all__ = ["Grid"]

_digits = lru_cache(maxsize=2**16)(significant)  # many paths meet the same cuts

_INTEGERS = {"int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}


class Grid:
    """The cells of one column.

    Parameters
    ----------
    column : Column
        As the user gives it.
    cuts : iterable of Cut
        Between numbers, where tests tell them apart; ordered levels need none.
    bins : sequence of float, optional
        The edges of a column of numbers that the tree knows as levels: its cells are the bins, by their codes.
    """

    def __init__(self, column: Column, cuts: Iterable[Cut] = (), bins: Sequence[float] | None = None) -> None:
        self.column = column
        self.binned = bins is not None
        self.cuts: list[Cut] = []
        if column.kind == "numeric":
            self.cuts = sorted(set(cuts)) if bins is None else [Cut(edge, after=True) for edge in bins]
            self.size = len(self.cuts) + 1
        else:
            self.size = column.n_levels

    @property
    def all(self) -> Cells:
        """Every cell; of levels, those that training rows held."""
        if self.column.kind == "numeric":
            return ((0, self.size - 1),)
        unused = set(self.column.unused)
        return runs_of(code for code in range(self.size) if code not in unused)

    def cell_of(self, value: Number) -> int:
        """The cell that a known value is in."""
        if self.column.kind != "numeric":
            return int(value)
        if self.binned:
            value = float(value)  # as numbers are read before they are put into bins
        # Passed are the cuts below the value, and those before a number that equals it.
        place = bisect_left(self.cuts, value, key=lambda cut: cut.value)
        while place < len(self.cuts) and self.cuts[place].value == value and not self.cuts[place].after:
            place += 1
        return place

    def first_above(self, edge: Number, *, strictly: bool) -> int:
        """The first cell above an edge; `strictly`: a value equal to the edge lies above it."""
        if self.column.kind != "numeric":  # codes of ordered levels
            return max(0, min(self.size, math.ceil(edge) if strictly else math.floor(edge) + 1))
        return bisect_left(self.cuts, Cut(edge, not strictly)) + 1

    def value_in(self, cell: int, near: Number | None) -> Number | None:
        """A value of the cell, next to a given one and short to write; None if the column's type has none there."""
        if self.column.kind != "numeric":
            return cell
        low = self.cuts[cell - 1] if cell > 0 else None
        high = self.cuts[cell] if cell < len(self.cuts) else None
        if near is not None and self.cell_of(near) == cell:
            return near
        whole = self.column.dtype not in ("float64", "float32")
        value = self._whole_in(low, high, near) if whole else self._real_in(low, high, near)
        # A whole number too large for a double may be read as one of another bin.
        return value if value is None or not self.binned or self.cell_of(value) == cell else None

    def _whole_in(self, low: Cut | None, high: Cut | None, near: Number | None) -> int | None:
        least, most = _INTEGERS.get(self.column.dtype, _INTEGERS["int64"])
        if low is not None and low.value > least:
            least = _next_whole(low, least, most)
        if high is not None and high.value < most:
            most = _last_whole(high, most)
        if least > most:
            return None
        upwards = high is None if near is None else low is not None and near < least
        upwards = upwards or (low is not None and near is None)
        for step in _clock_steps(self.column.dtype, near or 0):  # a day or hour rather than the next tick
            value = -(-least // step) * step if upwards else most // step * step
            if least <= value <= most:
                return int(value)
        return least if upwards else most

    def _real_in(self, low: Cut | None, high: Cut | None, near: Number | None) -> float | None:
        kind = np.float32 if self.column.dtype == "float32" else np.float64
        upwards = high is None if near is None else low is not None and near <= low.value
        edge = low if upwards or high is None else high
        if edge is None:
            return 0.0
        up = edge is low
        for value in _short_values(edge, up=up):
            told = float(kind(value))
            if math.isfinite(told) and self._holds(told, low, high):
                return told
        told = float(kind(edge.value))
        for _ in range(3):  # the edge itself or its neighbour in the column's type
            if math.isfinite(told) and self._holds(told, low, high):
                return told
            told = float(np.nextafter(kind(told), kind(math.inf if up else -math.inf)))
        return None

    @staticmethod
    def _holds(value: Number, low: Cut | None, high: Cut | None) -> bool:
        above = low is None or value > low.value or (value == low.value and not low.after)
        return above and (high is None or value < high.value or (value == high.value and high.after))

    def text(self, cells: Cells, *, most_levels: int | None = 8) -> str:
        """The condition that a value is in a set of cells, such as ``38.5 < age <= 52``; empty if it always is.

        Parameters
        ----------
        most_levels : int or None, default=8
            Fold sets with more levels.
        """
        name = format_text(self.column.name)
        if self.column.kind == "nominal":
            return f"{name} {self._set_text(cells, most_levels)}"
        if self.column.kind == "ordered":
            return self._order_text(name, cells, most_levels)
        texts = [text for first, last in cells if (text := self._range_text(name, first, last))]
        return " or ".join(texts)

    def _set_text(self, cells: Cells, most: int | None) -> str:
        codes = [code for first, last in cells for code in range(first, last + 1)]
        shown = codes if most is None or len(codes) <= most else codes[: max(most, 1)]
        labels = self.column.levels or ()
        return among([labels[code] for code in shown], len(codes) - len(shown))

    def _order_text(self, name: str, cells: Cells, most: int | None) -> str:
        if len(cells) != 1:
            return f"{name} {self._set_text(cells, most)}"
        (first, last), labels = cells[0], self.column
        if first == last:
            return f"{name} = {format_value(labels, first)}"
        low = format_value(labels, first) if first > 0 else None
        high = format_value(labels, last) if last < self.size - 1 else None
        if low is not None and high is not None:
            return f"{low} <= {name} <= {high}"
        return f"{name} >= {low}" if low is not None else f"{name} <= {high}" if high is not None else ""

    def _range_text(self, name: str, first: int, last: int) -> str:
        low = self.cuts[first - 1] if first > 0 else None
        high = self.cuts[last] if last < len(self.cuts) else None
        above = "" if low is None else self._edge_text(low)
        below = "" if high is None else self._edge_text(high)
        if low is not None and high is not None:
            return f"{above} {'<' if low.after else '<='} {name} {'<=' if high.after else '<'} {below}"
        if low is not None:
            return f"{name} {'>' if low.after else '>='} {above}"
        return "" if high is None else f"{name} {'<=' if high.after else '<'} {below}"

    def _edge_text(self, cut: Cut) -> str:
        side: Literal["le", "lt"] = "le" if cut.after else "lt"
        digits = _digits(cut.value) if isinstance(cut.value, float) else None
        return format_value(self.column, cut.value, side=side, digits=digits)

    def shown(self, value: Number) -> Any:
        """A value as the user has it: a number, a date or time, a level."""
        return value_of(self.column, value)


def _clock_steps(dtype: str, like: Number) -> list[int]:
    """The day, hour, minute and second in ticks of a column of times, those that the given time is a multiple of."""
    meaning = parse_temporal(dtype)
    ticks = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.get("" if meaning is None else meaning.unit)
    return [] if ticks is None else [span * ticks for span in (86_400, 3_600, 60, 1) if like % (span * ticks) == 0]


def _next_whole(low: Cut, least: int, most: int) -> int:
    if low.value >= most:
        return most + 1 if low.value > most or low.after else most
    floor = math.floor(low.value)
    return max(least, floor + 1 if floor != low.value or low.after else floor)


def _last_whole(high: Cut, most: int) -> int:
    if high.value == -math.inf:
        return -(2**65)
    ceiling = math.ceil(high.value)
    return min(most, ceiling - 1 if ceiling != high.value or not high.after else ceiling)


def _short_values(edge: Cut, *, up: bool) -> Iterable[float]:
    """Numbers beyond an edge with few decimals: as many as the edge has, then more."""
    if not math.isfinite(edge.value):
        return
    value = float(edge.value)
    text = f"{value:.{significant(value)}g}"
    if up != edge.after and float(text) == value:
        yield value  # the edge itself is on this side
    mantissa, _, exponent = text.partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    for more in range(4):
        step = 10.0 ** -(places + more)
        yield round(value + step if up else value - step, max(places + more, 0))
