"""One way through a tree of planes as a mixed-integer program: the nearest case to a given one that goes it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.explain.plane_ways import Among, Between, Way
from bough.model.features import Cell
from bough.model.features.feature import Factor, Product, Sum
from bough.table import UNSEEN

if TYPE_CHECKING:
    from bough.explain.variables import Variable

__all__ = ["Nearest", "PlaneProgram"]

Floats = npt.NDArray[np.float64]

_MARGIN = 1e-6  # how far from a plane, in parts of the size of its terms: rounding is not to decide


class Nearest(NamedTuple):
    """The number of changed columns and how far they move, and their new values."""

    cost: tuple[int, float]
    changes: dict[int, Cell]


@dataclass
class _Rows:
    """Inequalities, low <= row @ x <= high."""

    rows: list[dict[int, float]] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def add(self, row: dict[int, float], low: float = -math.inf, high: float = math.inf) -> None:
        self.rows.append(row)
        self.low.append(low)
        self.high.append(high)


class PlaneProgram:
    """The program of one way.

    Parameters
    ----------
    way : Way
    variables : dict
        By column, those that may change.
    cells : sequence
        The case.
    told : sequence of set
        Sets of columns of which not all are to be changed.
    """

    def __init__(
        self, way: Way, variables: Mapping[int, "Variable"], cells: Sequence[Cell], told: Sequence[set[int]]
    ) -> None:
        self.way, self.variables, self.cells = way, variables, cells
        self.cut_short = False
        self.impossible = False
        self.low: list[float] = []
        self.high: list[float] = []
        self.whole: list[int] = []
        self.cost: list[float] = []
        self.fixed_cost = float(len(way.filled))
        self.rows = _Rows()
        self.move: dict[int, int] = {}  # by column of numbers: where its move stands
        self.level: dict[int, dict[int, int]] = {}  # by column of levels: where the indicator of each stands
        self.changed: dict[int, int] = {}
        for place, variable in variables.items():
            self._add_column(place, variable)
        for demand in way.demands:
            self._demand(demand)
        for columns in told:
            known = [self.changed[place] for place in columns if place in self.changed]
            if len(known) == len(columns):
                self.rows.add(dict.fromkeys(known, 1.0), high=len(known) - 1.0)

    # Variables

    def _new(self, low: float, high: float, *, whole: bool = False, cost: float = 0.0) -> int:
        self.low.append(low)
        self.high.append(high)
        self.whole.append(int(whole))
        self.cost.append(cost)
        return len(self.low) - 1

    def _add_column(self, place: int, variable: "Variable") -> None:
        filled = place in self.way.filled
        changed = self.changed[place] = self._new(1.0 if filled else 0.0, 1.0, whole=True)
        if variable.column.kind != "numeric":
            self._add_levels(place, variable, changed)
            return
        # Real numbers move by units, whole numbers by ones.
        step = 1.0 if variable.is_whole else variable.unit
        low, high = variable.low / step, variable.high / step
        if variable.is_whole:
            low, high = math.ceil(low), math.floor(high)
        move = self.move[place] = self._new(low, high, whole=variable.is_whole)
        if filled:
            return
        far = self._new(0.0, math.inf, cost=step / variable.unit)
        self.rows.add({far: 1.0, move: -1.0}, low=0.0)
        self.rows.add({far: 1.0, move: 1.0}, low=0.0)
        self.rows.add({move: 1.0, changed: -high}, high=0.0)
        self.rows.add({move: 1.0, changed: -low}, low=0.0)

    def _add_levels(self, place: int, variable: "Variable", changed: int) -> None:
        own = variable.cell
        codes = variable.codes if own is None or own in variable.codes else (*variable.codes, int(own))
        held = self.level[place] = {code: self._new(0.0, 1.0, whole=True) for code in codes}
        self.rows.add(dict.fromkeys(held.values(), 1.0), low=1.0, high=1.0)
        if own is None:
            return
        self.rows.add({changed: 1.0, held[int(own)]: 1.0}, low=1.0)
        for code, number in held.items():
            if code != own:
                self.rows.add({changed: 1.0, number: -1.0}, low=0.0)
            ordered = variable.column.kind == "ordered"
            self.cost[number] = abs(code - own) / variable.unit if ordered else float(code != own)

    # Demands

    def _demand(self, demand: Between | Among) -> None:
        if isinstance(demand, Among):
            self._among(demand)
            return
        expression = demand.expression
        if isinstance(expression, Sum):
            products, whole = expression.products, False
        else:
            products, whole = (Product(1.0, (Factor(expression.column),), 0.0),), True
        row: dict[int, float] = {}
        constant = size = 0.0
        for weight, factors, fill in products:
            (factor,) = factors
            place = factor.column
            if factor.code >= 0:
                size += abs(weight)
                constant += weight * self._indicator(place, factor.code, fill, weight, row)
                continue
            constant += weight * self._number(place, factor, fill, weight, row)
            variable = self.variables.get(place)
            size += abs(weight) * (1.0 if variable is None else variable.unit)
            whole = whole and variable is not None and (variable.is_whole or place in self.level)
        self._bounded(demand, row, constant, size or 1.0, whole=whole)

    def _number(self, place: int, factor: Factor, fill: float, weight: float, row: dict[int, float]) -> float:
        """Add the part of a column that can change; return what is the same whatever it does."""
        cell = self.cells[place]
        if place in self.level:
            for code, number in self.level[place].items():
                row[number] = row.get(number, 0.0) + weight * code
            return 0.0
        if place in self.move:
            variable = self.variables[place]
            step = 1.0 if variable.is_whole else variable.unit
            row[self.move[place]] = row.get(self.move[place], 0.0) + weight * step
            return float(variable.start - factor.origin)
        unknown = cell is None or (cell == UNSEEN and factor.code >= 0)
        return fill if unknown or cell is None else float(cell - factor.origin)

    def _indicator(self, place: int, code: int, fill: float, weight: float, row: dict[int, float]) -> float:
        if place in self.level:
            number = self.level[place].get(code)
            if number is not None:
                row[number] = row.get(number, 0.0) + weight
            return 0.0
        cell = self.cells[place]
        return fill if cell is None or cell == UNSEEN else float(cell == code)

    def _bounded(self, demand: Between, row: dict[int, float], constant: float, size: float, *, whole: bool) -> None:
        low, high = -math.inf, math.inf
        if demand.above is not None:
            edge = demand.above - constant
            low = edge + _MARGIN * size
            if whole:
                low = math.floor(edge) + 1 if demand.side == "le" else math.ceil(edge)
        if demand.below is not None:
            edge = demand.below - constant
            high = edge - _MARGIN * size
            if whole:
                high = math.floor(edge) if demand.side == "le" else math.ceil(edge) - 1
        if not row:
            self.impossible = self.impossible or not demand.has(constant)
            return
        self.rows.add({number: weight / size for number, weight in row.items()}, low / size, high / size)

    def _among(self, demand: Among) -> None:
        held = self.level.get(demand.column)
        if held is None:
            self.impossible = self.impossible or self.cells[demand.column] not in demand.codes
            return
        wanted = [number for code, number in held.items() if code in demand.codes]
        self.impossible = self.impossible or not wanted
        self.rows.add(dict.fromkeys(wanted, 1.0), low=1.0)

    # Solutions

    def nearest(self, best: Nearest | None, seconds: float) -> Nearest | None:
        """The nearest case that goes this way; None if there is none, or none as near as the best so far."""
        if self.impossible or not self.low:
            return None
        counted = np.zeros(len(self.cost))
        counted[list(self.changed.values())] = 1.0
        first = self._solved(counted, _Rows(), seconds)
        if first is None:
            return None
        count = round(float(counted @ first))
        if best is not None and count > best.cost[0]:
            return None
        few = _Rows()
        few.add(dict.fromkeys(self.changed.values(), 1.0), high=count + 0.1)
        second = self._solved(np.array(self.cost), few, seconds)
        if second is None:
            return None
        pinned = _Rows()
        for place, number in self.changed.items():
            if second[number] < 0.5:
                pinned.add({number: 1.0}, high=0.0)
                if place in self.move:
                    pinned.add({self.move[place]: 1.0}, 0.0, 0.0)
                else:
                    pinned.add({self.level[place][int(self.variables[place].cell or 0)]: 1.0}, 1.0, 1.0)
        third = self._solved(np.array(self.cost), pinned, seconds)
        found = second if third is None else third
        changes: dict[int, Cell] = {}
        for place, number in self.changed.items():
            if found[number] > 0.5:
                changes[place] = self._value(place, found)
        return Nearest((count, float(np.dot(self.cost, found)) + self.fixed_cost), changes)

    def _value(self, place: int, found: Floats) -> Cell:
        if place in self.level:
            return max(self.level[place], key=lambda code: float(found[self.level[place][code]]))
        variable = self.variables[place]
        move = float(found[self.move[place]])
        return variable.start + round(move) if variable.is_whole else variable.start + move * variable.unit

    def _solved(self, cost: Floats, more: _Rows, seconds: float) -> Floats | None:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        rows = [*self.rows.rows, *more.rows]
        entries = [(k, number, weight) for k, row in enumerate(rows) for number, weight in row.items()]
        options: dict[str, Any] = {"time_limit": max(seconds, 0.1), "mip_rel_gap": 0.0}
        constraints = []
        if entries:
            k, number, weight = zip(*entries, strict=True)
            matrix = coo_array((weight, (k, number)), shape=(len(rows), len(self.low))).tocsr()
            constraints = [LinearConstraint(matrix, [*self.rows.low, *more.low], [*self.rows.high, *more.high])]
        bounds = Bounds(np.array(self.low), np.array(self.high))
        told = milp(cost, integrality=np.array(self.whole), bounds=bounds, constraints=constraints, options=options)
        self.cut_short = self.cut_short or told.status == 1
        return None if told.x is None else np.asarray(told.x, dtype=np.float64)
