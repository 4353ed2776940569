"""A list of rules over the cells of its columns: each rule a cube, and cubes as literals and rows again.

Between two cuts of a column no literal tells values apart, so that one value stands for all of a cell. What a literal
says of a cell is asked of the literal itself: checks and simplification can so never disagree with prediction.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bough.model.features import Cell
from bough.model.grid import Grid
from bough.model.rules.base import Literal
from bough.model.rules.cells import CellSpace
from bough.model.rules.cubes import Axis, Cube
from bough.model.rules.rule import Rule
from bough.model.tests.cells import Cut, runs_of
from bough.table import UNSEEN, value_of

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["NEVER_SEEN", "Celled"]


class _NeverSeen(str):
    """What stands for a level that no row had, and is none itself."""


NEVER_SEEN = _NeverSeen("a level never seen")


class _Column:
    """One column: its cells, of which those that no value can be in are left out."""

    def __init__(self, index: int, grid: Grid, space: CellSpace) -> None:
        self.index = index
        self.grid = grid
        self.cells: list[int] = []  # numbers in the grid; behind them those of unseen levels and of missing values
        self.values: list[Cell] = []  # one that stands for each
        for cell in (cell for first, last in space.whole(index) for cell in range(first, last + 1)):
            value = self._value(cell)
            if cell > grid.size or value is not None:
                self.cells.append(cell)
                self.values.append(value)
        places = {cell: place for place, cell in enumerate(self.cells)}
        ordered = grid.column.kind != "nominal"
        self.axis = Axis(len(self.cells), ordered, places.get(grid.size + 1), places.get(grid.size))

    def _value(self, cell: int) -> Cell:
        if cell >= self.grid.size:
            return UNSEEN if cell == self.grid.size else None
        return self.grid.value_in(cell, None)

    def mask(self, literal: Literal) -> int:
        """The cells for which a literal holds."""
        return sum(1 << place for place, value in enumerate(self.values) if literal.holds([value], lambda _: 0))

    def shown(self, place: int) -> Any:
        """A value of a cell as users have it."""
        value = self.values[place]
        if value is None:
            return None
        if value == UNSEEN and self.grid.column.kind != "numeric":
            return NEVER_SEEN
        return value_of(self.grid.column, value)


class Celled:
    """The cells of a list without sums of columns.

    Parameters
    ----------
    rules : RuleList
    known : bool, default=False
        Whether only rows count that lack nothing and have no level never seen.
    """

    def __init__(self, rules: "RuleList", *, known: bool = False) -> None:
        self.rules = rules
        schema = rules.schema
        cuts: dict[int, list[Cut]] = {}
        for rule in rules.rules:
            for literal in rule.literals:
                for column in literal.columns:
                    cuts.setdefault(rules.place(column), []).extend(literal.cuts)
        grids = [Grid(column, cuts.get(index, ())) for index, column in enumerate(schema)]
        unseen, missing = rules.inputs.unseen == "other", not rules.inputs.refuses_anywhere
        self._space = CellSpace(grids, unseen=unseen and not known, missing=missing and not known, short=True)
        self._columns = [_Column(index, grids[index], self._space) for index in sorted(cuts)]
        self._axis_of = {column.index: place for place, column in enumerate(self._columns)}

    @property
    def axes(self) -> tuple[Axis, ...]:
        """An axis for each column that some rule asks."""
        return tuple(column.axis for column in self._columns)

    @cached_property
    def literals(self) -> list[list[tuple[int, int]]]:
        """For each rule the axis and the cells of each literal."""
        return [[self._mask(literal) for literal in rule.literals] for rule in self.rules.rules]

    @cached_property
    def cubes(self) -> list[Cube]:
        """The cells of each rule."""
        found = []
        for literals in self.literals:
            cube = [axis.full for axis in self.axes]
            for axis, mask in literals:
                cube[axis] &= mask
            found.append(tuple(cube))
        return found

    @property
    def full(self) -> Cube:
        """Every cell."""
        return tuple(axis.full for axis in self.axes)

    @cached_property
    def known(self) -> Cube:
        """All cells of values that training rows had."""
        return tuple(sum(1 << cell for cell in axis.regular) for axis in self.axes)

    def of_known(self, cube: Cube) -> Cube:
        """A cube as it is said of rows without missing values: what holds for all of them goes without saying."""
        pairs = zip(cube, self.known, self.axes, strict=True)
        return tuple(axis.full if mask & known == known else mask & known for mask, known, axis in pairs)

    def _mask(self, literal: Literal) -> tuple[int, int]:
        axis = self._axis_of[self.rules.place(literal.columns[0])]
        return axis, self._columns[axis].mask(literal)

    def conjunction(self, cube: Cube) -> tuple[Literal, ...]:
        """A cube as literals, one a column that it asks."""
        found: list[Literal] = []
        for column, axis, mask in zip(self._columns, self.axes, cube, strict=True):
            if mask != axis.full:
                raw = runs_of(self._filled(column, mask))
                literals = self._space.literals(column.index, raw)
                found += (literals or ())[:1]
        return tuple(found)

    def _filled(self, column: _Column, mask: int) -> list[int]:
        """The cells of a mask, with those between them that no value can be in: they print as one interval."""
        chosen = [cell for place, cell in enumerate(column.cells) if mask >> place & 1]
        if not column.axis.ordered:
            return chosen
        there, inside = set(column.cells), set(chosen)
        last_in = False
        for cell in range(column.grid.size):
            if cell in there:
                last_in = cell in inside
            elif last_in:
                inside.add(cell)
        return sorted(inside)

    def row(self, cell: Sequence[int], only: Iterable[int] | None = None) -> dict[str, Any]:
        """A row that is in a cell: the value of each column, or of those of some axes, None where it is missing."""
        names = self.rules.schema.names
        chosen = range(len(self.axes)) if only is None else sorted(only)
        return {names[self._columns[axis].index]: self._columns[axis].shown(cell[axis]) for axis in chosen}

    def asked(self, *cubes: Cube) -> set[int]:
        """The axes that some cubes ask."""
        full = self.full
        return {axis for cube in cubes for axis, mask in enumerate(cube) if mask != full[axis]}

    def lacking(self, cell: Sequence[int], only: Collection[int]) -> Cube | None:
        """The cell of a row of which only some axes are known; None where a value may not be missing."""
        axes = self.axes
        found = [1 << cell[at] if at in only else 1 << (axis.missing or 0) for at, axis in enumerate(axes)]
        told = all(at in only or axis.missing is not None for at, axis in enumerate(axes))
        return tuple(found) if told else None

    def as_rule(self, cube: Cube, like: Rule) -> Rule:
        """A rule of some cells; the name and the note of one that had the same cells stay."""
        literals = self.conjunction(cube)
        for rule, own in zip(self.rules.rules, self.cubes, strict=True):
            if own == cube and rule.says == like.says and not rule.locked:
                return Rule(literals, rule.says, rule.name, rule.note, origin=rule.origin)
        return Rule(literals, like.says, origin=like.origin)
