"""Counterfactuals of trees that ask curves: ways to an answer are not convex, so that no program finds a nearest point.

In place of that a search that is none: from the nearest rows that have the answer the case is walked back to, column by
column. A column that need not change gets its own value again, others come as near to theirs as halving the way finds.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bough.explain.plane_search import Moved
from bough.explain.variables import Case, Variable
from bough.model.features import Cell

__all__ = ["CurveWalk"]

_NEAREST = 10  # rows that are walked from
_DRAWN = 1000  # rows where none are given
_HALVINGS = 40
_SEED = 0


@dataclass
class CurveWalk(Case):
    """The walks of one case.

    Parameters
    ----------
    holds : callable
        Whether the case has the wanted answer with some changes.
    rows : sequence of cells or None
        Rows to walk from; None: some are drawn around what the tree asks.

    Attributes
    ----------
    free : dict
        By column, what may change.
    """

    holds: Callable[[dict[int, Cell]], bool]
    rows: Sequence[Sequence[Cell]] | None = None
    limits: str = field(init=False)
    free: dict[int, Variable] = field(init=False)

    def __post_init__(self) -> None:
        self.free = self.variables()
        given = "given" if self.rows is not None else "drawn"
        self.limits = f"there may be a smaller change: curves were walked to from {given} rows, not searched"

    def found(self, told: Sequence[set[int]]) -> Iterator[Moved]:
        """Yield the best change, then the best of other columns than those told, and so on."""
        if self.holds({}):
            yield Moved({}, 0.0)
            return
        walked: list[Moved] = []
        for start in self._starts():
            changes = self._walked(start)
            walked.append(Moved(changes, sum(self._far(place, new) for place, new in changes.items())))
        for moved in sorted(walked, key=lambda each: (len(each.changes), each.distance)):
            if not any(before <= set(moved.changes) for before in told):
                yield moved

    def _starts(self) -> Iterator[dict[int, Cell]]:
        """The nearest changes to what rows have, as far as the case may have it, that give the answer."""
        rows = self._drawn() if self.rows is None else self.rows
        changes = [self._towards(row) for row in rows]
        far = [sum(self._far(place, new) for place, new in each.items()) for each in changes]
        left = _NEAREST
        for number in sorted(range(len(changes)), key=far.__getitem__):
            if left and self.holds(changes[number]):
                left -= 1
                yield changes[number]

    def _towards(self, row: Sequence[Cell]) -> dict[int, Cell]:
        """The values of a row that the case may have and does not."""
        changes: dict[int, Cell] = {}
        for place, variable in self.free.items():
            new = row[place]
            if new is None or new == self.cells[place]:
                continue
            if variable.column.kind != "numeric":
                if new in variable.codes:
                    changes[place] = new
                continue
            move = min(max(float(new - variable.start), variable.low), variable.high)
            if move or variable.cell is None:
                changes[place] = self._number(variable, move)
        return changes

    def _number(self, variable: Variable, move: float) -> Cell:
        """A number that is so far from the start."""
        return variable.start + (round(move) if variable.is_whole else move)

    def _drawn(self) -> list[list[Cell]]:
        """Rows drawn around the case and around what the tree asks."""
        random = np.random.default_rng(_SEED)
        rows = []
        for _ in range(_DRAWN):
            row = list(self.cells)
            wide = float(random.choice([0.5, 1.0, 2.0, 4.0]))
            for place, variable in self.free.items():
                if variable.codes:
                    row[place] = int(random.choice(variable.codes))
                elif variable.column.kind == "numeric":
                    row[place] = self._number(variable, float(random.normal()) * wide * variable.unit)
            rows.append(row)
        return rows

    def _walked(self, start: dict[int, Cell]) -> dict[int, Cell]:
        """Changes of which none is superfluous and each number is as near as halving finds."""
        changes = dict(start)
        for near in (False, True, False):
            for place in sorted(changes, key=lambda each: self._far(each, changes[each])):
                rest = {other: new for other, new in changes.items() if other != place}
                if self.holds(rest):
                    changes = rest
                elif near and self.free[place].column.kind == "numeric" and self.cells[place] is not None:
                    changes[place] = self._nearer(changes, place)
        return changes

    def _nearer(self, changes: dict[int, Cell], place: int) -> Cell:
        """The number nearest to that of the case that halving the way to it finds."""
        variable, good = self.free[place], changes[place]
        assert good is not None  # noqa: S101 (no value is walked to a missing one)
        bad, far = 0.0, float(good - variable.start)
        for _ in range(_HALVINGS):
            middle = (bad + far) / 2
            new = self._number(variable, middle)
            if new in (good, variable.start) or middle in (bad, far):
                break
            if self.holds({**changes, place: new}):
                good, far = new, middle
            else:
                bad = middle
        return good

    def _far(self, place: int, new: Cell) -> float:
        """How far a change moves, in units of the column."""
        variable, own = self.free[place], self.cells[place]
        if own is None or new is None or variable.column.kind == "nominal" or variable.cell is None:
            return 1.0
        far = abs(float(new - own)) / variable.unit
        return far if math.isfinite(far) else math.inf
