"""The search for the smallest change that alters an answer: exact, over boxes of cells, the cheapest box first.

A box says for each column which cells it may have; the walk down the tree cuts boxes at every test, in every way in
which a case can come to a branch: by its value, by surrogates where it stays missing, by the majority, in parts. What a
box costs is what must change in it: the number of columns, then the ranks that they move. Boxes only shrink, so that
the first one that comes to its end with the right answer is the best.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from bough.errors import DataError
from bough.explain.grid import Cells, Grid, inside, meet, without
from bough.explain.way import Cell
from bough.model import Node, Split, Tree
from bough.table import UNSEEN

__all__ = ["Found", "Freedom", "search"]

_MISSING, _MAJORITY, _ERROR, _SPREAD = 0, 1, 3, 4  # as the kernel writes them

Ends = tuple[tuple[int, float], ...]
Box = Mapping[int, "Choice"]


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
            self.allowed = without(self.allowed, self.own)
        self._empty_cells: set[int] = set()

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


def search(tree: Tree, columns: Sequence[Freedom], accept: Callable[[Ends], bool]) -> Iterator[Found]:
    """Yield changes that `accept` the ends of the case, best first, none of whose columns is superfluous.

    Parameters
    ----------
    tree : Tree
    columns : sequence of Freedom
        One for each column of the schema.
    accept : callable
        Whether a case that ends in these nodes, by these shares, has the wanted answer.
    """
    ticket = count()
    start: dict[int, Choice] = {}
    # Cost, ticket, box, nodes still to be asked with their shares, ends.
    heap: list[tuple[tuple[int, int], int, Box, Ends, Ends]] = [((0, 0), next(ticket), start, ((0, 1.0),), ())]
    told: list[set[int]] = []
    while heap:
        cost, _, box, asked, ends = heapq.heappop(heap)
        if not asked:
            changed = {number for number, choice in box.items() if not choice.stays}
            if any(before <= changed for before in told) or not accept(ends):
                continue
            told.append(changed)
            values: dict[int, Cell] = {}
            for number in sorted(changed):
                best = columns[number].best(box[number].cells)
                assert best is not None  # noqa: S101 (it had a cost)
                values[number] = best[2]
            yield Found(values, {number: box[number].cells for number in values}, cost[1], ends)
            continue
        (number, part), rest = asked[-1], asked[:-1]
        node = Node(tree, number)
        if node.is_leaf:
            heapq.heappush(heap, (cost, next(ticket), box, rest, (*ends, (number, part))))
            continue
        for smaller, children in _outcomes(node, box, columns):
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


def _choice(box: Box, columns: Sequence[Freedom], number: int) -> Choice:
    return box.get(number) or Choice(stays=True, cells=columns[number].allowed)


def _restricted(box: Box, number: int, choice: Choice) -> Box:
    return {**box, number: choice}


def _by_value(box: Box, columns: Sequence[Freedom], number: int, cells: Cells) -> Box | None:
    """The box in which a column has a known value in these cells; None if it cannot."""
    before, column = _choice(box, columns, number), columns[number]
    stays = before.stays and column.own is not None and inside(column.own, cells)
    after = Choice(stays, meet(before.cells, cells))
    return None if after.empty else _restricted(box, number, after)


def _undecided(box: Box, columns: Sequence[Freedom], split: Split) -> Iterator[tuple[str, Box]]:
    """The boxes in which a test of one column finds no branch, with the reason."""
    number = split.column_index
    before, column = _choice(box, columns, number), columns[number]
    if before.stays and column.own is None:
        state = "missing" if column.cell is None else "unseen"
        yield state, _restricted(box, number, Choice(stays=True, cells=()))
    if split.kind != "levels":
        return
    decided = column.grid.decided(split)
    absent = before.cells
    for first, last in decided:
        for code in range(first, last + 1):
            absent = without(absent, code)
    stays = before.stays and column.own is not None and not inside(column.own, decided)
    if stays or absent:
        yield "absent", _restricted(box, number, Choice(stays, absent))


def _asked(split: Split, box: Box, columns: Sequence[Freedom]) -> Iterator[tuple[int | str, Box]]:
    """All that a test can find, each with the part of the box in which it does; the parts do not overlap."""
    if split.kind == "conjunction":
        yield from _asked_terms(split, box, columns)
        return
    grid = columns[split.column_index].grid
    for branch in range(split.n_branches):
        smaller = _by_value(box, columns, split.column_index, grid.leads_to(split, branch))
        if smaller is not None:
            yield branch, smaller
    yield from _undecided(box, columns, split)


def _asked_terms(split: Split, box: Box, columns: Sequence[Freedom]) -> Iterator[tuple[int | str, Box]]:
    """A term that fails decides; else one that is not known makes the whole unknown."""
    low = split.low or 0
    open_boxes: list[tuple[int | str, Box]] = [(low, box)]
    for number, code, negated in split.coded_terms:
        column = columns[number]
        every = ((0, column.grid.size - 1),)
        same: Cells = ((code, code),)
        holds, fails = (without(every, code), same) if negated else (same, without(every, code))
        following: list[tuple[int | str, Box]] = []
        for state, part in open_boxes:
            failing = _by_value(part, columns, number, fails)
            if failing is not None:
                yield 1 - low, failing
            holding = _by_value(part, columns, number, holds)
            if holding is not None:
                following.append((state, holding))
            if _choice(part, columns, number).stays and column.own is None:
                unknown = "missing" if column.cell is None else "unseen"
                worse = unknown if isinstance(state, int) or unknown == "unseen" else state
                following.append((worse, _restricted(part, number, Choice(stays=True, cells=()))))
        open_boxes = following
    yield from open_boxes


def _outcomes(node: Node, box: Box, columns: Sequence[Freedom]) -> Iterator[tuple[Box, tuple[tuple[int, float], ...]]]:
    """The ways on from a node: parts of the box, each with the children it goes to; none: it ends here."""
    split = node.split
    assert split is not None  # noqa: S101
    surrogates, fallback, absent, unseen = node.tree.routing
    children = [child.id for child in node.children]
    for state, part in _asked(split, box, columns):
        if isinstance(state, int):
            yield part, ((children[state], 1.0),)
            continue
        rule = {"missing": _MISSING, "unseen": unseen, "absent": absent}[state]
        if rule == _ERROR:
            raise DataError(f"Column {split.column!r} holds a level that no training row held.")
        if rule != _MISSING:
            yield part, _nowhere(node, children, rule)
        elif split.missing_branch is not None:
            yield part, ((children[split.missing_branch], 1.0),)
        else:
            left = [part]
            for other in node.surrogates if surrogates else ():
                still: list[Box] = []
                for each in left:
                    for told, smaller in _asked(other, each, columns):
                        if isinstance(told, int):
                            yield smaller, ((children[told], 1.0),)
                        else:
                            still.append(smaller)
                left = still
            for each in left:
                yield each, _nowhere(node, children, fallback)


def _nowhere(node: Node, children: Sequence[int], rule: int) -> tuple[tuple[int, float], ...]:
    """Where a case goes that no test decides."""
    if rule == _SPREAD:
        weights = [child.weight for child in node.children]
        most = max(weights)
        if not most > 0:
            return ()
        scaled = [weight / most for weight in weights]
        return tuple((child, part / sum(scaled)) for child, part in zip(children, scaled, strict=True) if part > 0)
    majority = int(node.tree.arrays.majority[node.id])
    return ((children[majority], 1.0),) if rule == _MAJORITY and majority >= 0 else ()
