"""All that the columns of a tree can be, as cells, and sets of cells as literals.

Behind the cells of known values (`bough.model.grid`) stand two more: that of levels never seen, where these are not
taken for missing, and that of missing values. So what a path asks of a column is one set of cells, whatever happens to
values that its tests do not know.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from bough.model.features import Number, Unknown
from bough.model.grid import Grid
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing
from bough.model.tests.cells import Cells, Cut, inside, join, meet, minus

__all__ = ["Box", "CellSpace"]

Box: TypeAlias = Mapping[int, Cells]
"""For some columns the cells that they have to be in."""


class CellSpace:
    """The cells of all columns; a `bough.model.tests.cells.Space`.

    Parameters
    ----------
    grids : sequence of Grid
        One for each column.
    unseen, missing : bool
        Whether rows can have levels never seen that are not taken for missing, and missing values.
    """

    def __init__(self, grids: Sequence[Grid], *, unseen: bool, missing: bool) -> None:
        self._grids = grids
        self.missing = missing
        self.unseen = unseen
        self._whole = [self._all(grid) for grid in grids]

    def _all(self, grid: Grid) -> Cells:
        found = grid.all
        if self.unseen and grid.column.kind != "numeric":
            found = join(found, _one(grid.size))
        return join(found, _one(grid.size + 1)) if self.missing else found

    def grid(self, column: int) -> Grid:
        """The cells of the known values of a column."""
        return self._grids[column]

    def whole(self, column: int) -> Cells:
        """Every cell of a column."""
        return self._whole[column]

    def _of(self, box: Box, column: int) -> Cells:
        return box.get(column, self._whole[column])

    def known(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part of a box in which a column has a known value in these cells."""
        return _narrow(box, column, meet(self._of(box, column), cells))

    def unknown(self, box: Box, column: int) -> Iterator[tuple[Unknown, Box]]:
        """The parts in which it is missing, or a level never seen."""
        size = self._grids[column].size
        states: tuple[tuple[Unknown, int], ...] = (("missing", size + 1), ("unseen", size))
        for state, cell in states:
            part = _narrow(box, column, meet(self._of(box, column), _one(cell)))
            if part is not None:
                yield state, part

    def outside(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part in which it has a known value in none of these cells."""
        size = self._grids[column].size
        return _narrow(box, column, minus(meet(self._of(box, column), ((0, size - 1),)), cells))

    def joined(self, boxes: Sequence[Box]) -> list[dict[int, Cells]]:
        """The same rows in fewer boxes: two that differ in one column are one."""
        found: list[dict[int, Cells]] = []
        for box in boxes:
            one = dict(box)
            while (place := next((at for at, other in enumerate(found) if self._differ(one, other) == 1), None)) is not None:
                other = found.pop(place)
                one = {column: join(self._of(one, column), self._of(other, column)) for column in {**other, **one}}
            found.append(one)
        return found

    def _differ(self, a: Box, b: Box) -> int:
        return sum(self._of(a, column) != self._of(b, column) for column in {**a, **b})

    def literals(self, column: int, cells: Cells) -> list[Literal] | None:
        """Literals of which exactly one holds where a column is in these cells; None if it always is."""
        if cells == self._whole[column]:
            return None
        grid = self._grids[column]
        missing = inside(grid.size + 1, cells)
        values = meet(cells, ((0, grid.size - 1),))
        if grid.column.kind == "numeric":
            return self._of_numbers(grid, values, missing)
        return [self._of_levels(grid, values, inside(grid.size, cells), missing)]

    def _of_numbers(self, grid: Grid, runs: Cells, missing: bool) -> list[Literal]:
        column = grid.column
        if not runs:
            return [Missing(column)]
        if runs == grid.all:
            return [Known(column)]
        ends = [(_low(grid, first), _high(grid, last)) for first, last in runs]
        if len(runs) == 2 and ends[0][0] is None and ends[1][1] is None:  # all but what lies between
            between = _low(grid, runs[0][1] + 1), _high(grid, runs[1][0] - 1)
            return [Interval(column, *between, negated=True, or_missing=missing)]
        first, *others = ends
        return [Interval(column, *first, or_missing=missing), *(Interval(column, *other) for other in others)]

    def _of_levels(self, grid: Grid, runs: Cells, unseen: bool, missing: bool) -> Literal:
        column, used = grid.column, _codes(grid.all)
        codes = _codes(runs)
        others = tuple(code for code in used if code not in set(codes))
        if unseen:
            return Levels(column, others, negated=True, or_missing=missing) if others else Known(column)
        if not codes:
            return Missing(column)
        if not others and not self.unseen:
            return Known(column)
        first, last = used.index(codes[0]), used.index(codes[-1])
        if column.kind == "nominal" or len(codes) == 1 or not others or last - first + 1 > len(codes):
            return Levels(column, codes, or_missing=missing)
        low = Bound(codes[0], True) if first > 0 else None
        high = Bound(codes[-1], True) if last < len(used) - 1 else None
        return Interval(column, low, high, or_missing=missing)


def _one(cell: int) -> Cells:
    return ((cell, cell),)


def _narrow(box: Box, column: int, cells: Cells) -> Box | None:
    return {**box, column: cells} if cells else None


def _codes(runs: Cells) -> tuple[int, ...]:
    return tuple(code for first, last in runs for code in range(first, last + 1))


def _low(grid: Grid, first: int) -> Bound | None:
    return _bound(grid, grid.cuts[first - 1], low=True) if first > 0 else None


def _high(grid: Grid, last: int) -> Bound | None:
    return _bound(grid, grid.cuts[last], low=False) if last < len(grid.cuts) else None


def _bound(grid: Grid, cut: Cut, *, low: bool) -> Bound:
    value = cut.value
    if grid.binned and grid.column.dtype not in ("float32", "float64"):
        value = _whole_edge(value)
    return Bound(value, cut.after != low)


def _whole_edge(edge: Number) -> Number:
    """The edge of a bin for whole numbers, which are rounded to doubles before they are put into bins."""
    if abs(edge) < 2**53 or not math.isfinite(edge):
        return edge
    most = (int(edge) + int(math.nextafter(edge, math.inf))) // 2
    return most if float(most) <= edge else most - 1
