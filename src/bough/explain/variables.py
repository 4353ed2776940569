"""What each column of a case may become, where sums of columns are asked, and what a change of it is measured by."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bough.errors import ParameterError
from bough.model.asked import Asked
from bough.model.features import Cell, sums_asked
from bough.model.routing import columns_read
from bough.table import UNSEEN, Column

__all__ = ["Case", "Variable"]

_FAR = 1000.0  # units that a number without bounds may move


@dataclass(frozen=True)
class Variable:
    """A column that may change.

    Attributes
    ----------
    place : int
    column : Column
    cell : float, int or None
        As it is; None where it is to be filled in.
    low, high : float
        How far it may move from its start.
    unit : float
        What a change is measured by.
    start : float or int
        The number that moves are counted from: its own, or of one that is filled in, some number near its tests.
    codes : tuple of int
        The levels that it may have.
    """

    place: int
    column: Column
    cell: Cell
    low: float = 0.0
    high: float = 0.0
    unit: float = 1.0
    start: float | int = 0
    codes: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether it holds whole numbers."""
        return not self.column.dtype.startswith("float")


@dataclass
class Case:
    """A case, and which changes of it are looked for.

    Parameters
    ----------
    asked : Asked
    cells : sequence
        The case.
    fixed : sequence of str
        Columns that may not change.
    direction : dict
        Columns that may only go "up" or "down".
    bounds : dict
        By column the least and the largest number that it may get.
    """

    asked: Asked
    cells: Sequence[Cell]
    fixed: Sequence[str]
    direction: Mapping[str, str]
    bounds: Mapping[str, tuple[float, float]]

    def variables(self) -> dict[int, Variable]:
        """By column, of those that are read, what may change; columns that stay as they are, are left out."""
        read = sorted(columns_read(self.asked.tree))
        unit, near = _scales(self.asked, read)
        made = {place: _variable(self, place, unit[place], near[place]) for place in read}
        return {place: variable for place, variable in made.items() if variable is not None}


def _variable(case: Case, place: int, unit: float, near: float) -> Variable | None:
    column, cell = case.asked.columns[place], case.cells[place]
    if case.asked.is_binned(place):
        raise ParameterError(f"column {column.name!r:.60} is cut into bins, of which sums have no counterfactuals.")
    way = case.direction.get(column.name)
    if column.name in case.fixed:
        return None
    if column.kind != "numeric":
        codes = tuple(code for code in range(column.n_levels) if code not in column.unused)
        known = None if cell == UNSEEN else cell
        if way is not None:
            if known is None:
                return None
            codes = tuple(code for code in codes if (code >= known if way == "up" else code <= known))
        return Variable(place, column, known, codes=codes, unit=max(1, column.n_levels - 1))
    if cell is None and way is not None:
        return None
    low, high = case.bounds.get(column.name, (-math.inf, math.inf))
    start = min(max(near, low), high) if cell is None else cell
    start = start if column.dtype.startswith("float") else round(start)
    if not math.isfinite(start) or not low <= start <= high:
        raise ParameterError(
            f"column {column.name!r:.60} is {cell!r} in this row, outside of its bounds {low!r} to {high!r}: give "
            "wider ones, or put it in `fixed`."
        )
    unit = high - low if math.isfinite(high - low) and high > low else unit
    far = _FAR * unit
    down, up = max(low - start, -far), min(high - start, far)
    down, up = (0.0 if way == "up" else down), (0.0 if way == "down" else up)
    return Variable(place, column, cell, down, up, unit, start)


def _scales(asked: Asked, read: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
    """By column how much is a step of it, and a number near its tests: as the first sum has it, else by its cuts."""
    unit: dict[int, float] = {}
    near: dict[int, float] = {}
    for column, scale, centre in sums_asked(asked.tree.arrays):
        unit.setdefault(column, scale)
        near.setdefault(column, centre)
    for place, grid in enumerate(asked.grids()):
        cuts = [float(cut.value) for cut in grid.cuts if math.isfinite(cut.value)] if place in read else []
        if cuts:
            unit.setdefault(place, max(cuts) - min(cuts) or abs(cuts[0]) or 1.0)
            near.setdefault(place, cuts[0])
    return {place: unit.get(place, 1.0) for place in read}, {place: near.get(place, 0.0) for place in read}
