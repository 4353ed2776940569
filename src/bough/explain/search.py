"""The search for the smallest change that alters an answer: exact, over boxes of cells, the cheapest box first.

A box says for each column which cells it may have; the walk through the model cuts boxes at every test, in every way in
which a case can come to a branch: by its value, by surrogates where it stays missing, by the majority, in parts. What a
box costs is what must change in it: the number of columns, then the ranks that they move. Boxes only shrink, so that
the first one that comes to its end with the right answer is the best.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from bough.model.asked import Asked
from bough.model.features import Cell, Unknown
from bough.model.grid import Grid
from bough.model.tests.cells import Cells, Space, inside, meet, minus
from bough.model.ways import Ends
from bough.table import UNSEEN, Column

__all__ = ["Box", "Found", "Freedom", "Routes", "search"]

Box = Mapping[int, "Choice"]


class Routes(Protocol):
    """A model as the search goes through it: nodes, of which the first is 0, and the ways on from each."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns as users have them."""

    def grids(self) -> list[Grid]:
        """The cells of each column as all that is asked tells them apart."""

    def planes(self) -> Asked | None:
        """The tree where it asks sums of columns, which have no cells of their own; rules on sums are refused."""

    def is_end(self, node: int) -> bool:
        """Whether a case that comes to a node ends there."""

    def outcomes(self, node: int, space: Space[Box], box: Box) -> Iterator[tuple[Box, Ends]]:
        """The ways on from a node: parts of a box, each with the nodes it goes to, by shares; none: it ends here."""


@dataclass(frozen=True)
class Choice:
    """What a column of a box may be: as it is in the case, or changed to a value of some cells."""

    stays: bool
    cells: Cells

    @property
    def empty(self) -> bool:
        """Whether nothing is left."""
        return not self.stays and not self.cells


@dataclass
class Freedom:
    """One column of the case: what it is and what it may become.

    Attributes
    ----------
    grid : Grid
    cell : float, int or None
        As it is: None missing, -2 a level never seen.
    allowed : Cells
        What it may be changed to.
    """

    grid: Grid
    cell: Cell
    allowed: Cells
    own: int | None = field(init=False)

    def __post_init__(self) -> None:
        unknown = self.cell is None or (self.grid.column.kind != "numeric" and self.cell == UNSEEN)
        self.own = None if unknown or self.cell is None else self.grid.cell_of(self.cell)
        if self.own is not None:
            self.allowed = minus(self.allowed, ((self.own, self.own),))
        self._empty_cells: set[int] = set()

    def coded(self, cell: Cell) -> Cell:
        """A value of the column as the tree knows it: a number in a bin by the code of the bin."""
        return self.grid.cell_of(cell) if self.grid.binned and cell is not None else cell

    def rank(self, cell: int) -> int:
        """How far a cell is from that of the case: cuts or levels between; 1 if there is no order or no value."""
        if self.own is None or self.grid.column.kind == "nominal":
            return 1
        if self.grid.column.kind == "ordered":
            unused = self.grid.column.unused
            low, high = sorted((self.own, cell))
            return high - low - sum(low < code < high for code in unused)
        return abs(cell - self.own)

    def best(self, cells: Cells) -> tuple[int, int, Cell] | None:
        """The nearest cell with a value in it, as (rank, cell, value); None if none has one."""
        choices = []
        for first, last in cells:
            if self.own is None or self.grid.column.kind == "nominal":
                order = iter(range(first, last + 1))
            elif last < self.own:
                order = iter(range(last, first - 1, -1))
            else:
                order = iter(range(first, last + 1))
            for cell in order:
                value = self._value(cell)
                if value is not None:
                    choices.append((self.rank(cell), cell, value))
                    break
        return min(choices, default=None)

    def _value(self, cell: int) -> Cell:
        if cell in self._empty_cells:
            return None
        near = self.cell if self.own is not None else None
        value = self.grid.value_in(cell, near)
        if value is None:
            self._empty_cells.add(cell)
        return value


@dataclass(frozen=True)
class Found:
    """A change that works: new values by the number of the column, how far they move in ranks, and the ends.

    `cells` are all that the changed columns may be instead.
    """

    changes: dict[int, Cell]
    cells: dict[int, Cells]
    rank: int
    ends: Ends


def search(
    routes: Routes, columns: Sequence[Freedom], accept: Callable[[Ends], bool], told: Sequence[set[int]]
) -> Iterator[Found]:
    """Yield changes after which `accept` takes the ends of the case, best first, none of whose columns is superfluous.

    Parameters
    ----------
    routes : Routes
    columns : sequence of Freedom
        One for each column of the schema.
    accept : callable
        Whether a case that ends in these nodes, by these shares, has the wanted answer.
    told : sequence of set
        Columns that were changed before: no change of these and others is looked for. The caller adds those that it
        keeps, so that one which the model does not confirm hides no other.
    """
    ticket, boxes = count(), _Boxes(columns)
    start: dict[int, Choice] = {}
    # Cost, ticket, box, nodes still to be asked with their shares, ends.
    heap: list[tuple[tuple[int, int], int, Box, Ends, Ends]] = [((0, 0), next(ticket), start, ((0, 1.0),), ())]
    while heap:
        cost, _, box, open_parts, ends = heapq.heappop(heap)
        if not open_parts:
            changed = {number for number, choice in box.items() if not choice.stays}
            if any(before <= changed for before in told) or not accept(ends):
                continue
            values: dict[int, Cell] = {}
            for number in sorted(changed):
                best = columns[number].best(box[number].cells)
                assert best is not None  # noqa: S101 (it had a cost)
                values[number] = best[2]
            yield Found(values, {number: box[number].cells for number in values}, cost[1], ends)
            continue
        (number, part), rest = open_parts[-1], open_parts[:-1]
        if routes.is_end(number):
            heapq.heappush(heap, (cost, next(ticket), box, rest, (*ends, (number, part))))
            continue
        for smaller, children in routes.outcomes(number, boxes, box):
            paid = _cost(smaller, columns) if smaller is not box else cost
            if paid is None:
                continue
            if children:
                on = tuple((child, part * share) for child, share in reversed(children))
                heapq.heappush(heap, (paid, next(ticket), smaller, (*rest, *on), ends))
            else:
                heapq.heappush(heap, (paid, next(ticket), smaller, rest, (*ends, (number, part))))


def _cost(box: Box, columns: Sequence[Freedom]) -> tuple[int, int] | None:
    changes = ranks = 0
    for number, choice in box.items():
        if choice.stays:
            continue
        best = columns[number].best(choice.cells)
        if best is None:
            return None
        changes += 1
        ranks += best[0]
    return changes, ranks


class _Boxes:
    """Boxes of the columns of a case; see `bough.model.tests.cells.Space`."""

    def __init__(self, columns: Sequence[Freedom]) -> None:
        self._columns = columns

    def grid(self, column: int) -> Grid:
        """The cells of a column."""
        return self._columns[column].grid

    def known(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part in which a column has a known value in these cells."""
        before, own = self._choice(box, column), self._columns[column].own
        after = Choice(before.stays and own is not None and inside(own, cells), meet(before.cells, cells))
        return None if after.empty else {**box, column: after}

    def unknown(self, box: Box, column: int) -> Iterator[tuple[Unknown, Box]]:
        """The part in which a column stays as little known as it is."""
        free = self._columns[column]
        if free.own is None and self._choice(box, column).stays:
            yield "missing" if free.cell is None else "unseen", {**box, column: Choice(stays=True, cells=())}

    def outside(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part in which a column has a known value in none of these cells."""
        before, own = self._choice(box, column), self._columns[column].own
        after = Choice(before.stays and own is not None and not inside(own, cells), minus(before.cells, cells))
        return None if after.empty else {**box, column: after}

    def _choice(self, box: Box, column: int) -> Choice:
        return box.get(column) or Choice(stays=True, cells=self._columns[column].allowed)
