"""The smallest changes of a case that give it another answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from bough.errors import ParameterError
from bough.explain.curve_walk import CurveWalk
from bough.explain.plane_search import PlaneSearch
from bough.explain.search import Found, Freedom, Routes, search
from bough.explain.short_numbers import short_numbers
from bough.model.features import Cell, asks_curves
from bough.model.frame import as_frame
from bough.model.tests.cells import Cells, inside, meet
from bough.model.text import class_text, plain_number
from bough.model.ways import Ends
from bough.table import format_text, format_value

__all__ = ["Change", "Counterfactual", "Counterfactuals", "counterfactuals"]


@dataclass(frozen=True)
class Change:
    """One column that is changed.

    Attributes
    ----------
    column : str
    old : value or None
        As it was given; None if it was missing.
    new : value
        As the column has its values.
    condition : str
        What the new value is to meet; any other value that meets it does as well.
    """

    column: str
    old: Any
    new: Any
    condition: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Counterfactual:
    """Changes after which the model answers otherwise, none of them superfluous.

    Attributes
    ----------
    changes : tuple of Change
    rank : int
        How far the changes move in all: thresholds of the model, or levels, that lie between; 1 for a level of a
        nominal column and for a value that was missing. Where sums of columns are asked, which have no such
        thresholds, the number of changes.
    answer : label or float
        What the model says then.
    row : dict
        The changed case, by column: what is not changed is as it was given, None where it is missing.
    distance : float or None
        Where sums of columns are asked: how far the nearest such case is in all, each column by its own unit. Its
        numbers are then shortened: they move on by at most 1 % of their way, as long as the answer stays.
    """

    changes: tuple[Change, ...]
    rank: int
    answer: Any
    row: dict[str, Any]
    distance: float | None = None

    def __str__(self) -> str:
        answer = plain_number(self.answer) if isinstance(self.answer, float) else class_text(self.answer)
        if not self.changes:
            return f"the answer is {answer} already"
        return f"{' and '.join(map(str, self.changes))}: {answer}"


class Counterfactuals(Sequence[Counterfactual]):
    """Counterfactuals, the smallest first; printed, one line each.

    Attributes
    ----------
    limits : str
        What was not searched, so that there may be smaller ones; empty if the search was exact.
    """

    def __init__(self, found: Sequence[Counterfactual], about: str, limits: str = "") -> None:
        self._found = tuple(found)
        self._about = about
        self.limits = limits

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Counterfactual: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Counterfactual, ...]: ...
    def __getitem__(self, index: int | slice) -> Counterfactual | tuple[Counterfactual, ...]:
        return self._found[index]

    def to_frame(self) -> Any:
        """One line for each change: `number` of the counterfactual, `column`, `old`, `new`, `condition`, `answer`."""
        lines = [(number, each, change) for number, each in enumerate(self._found) for change in each.changes]
        return as_frame(
            {
                "number": [number for number, _, _ in lines],
                "column": [change.column for _, _, change in lines],
                "old": [change.old for _, _, change in lines],
                "new": [change.new for _, _, change in lines],
                "condition": [change.condition for _, _, change in lines],
                "rank": [each.rank for _, each, _ in lines],
                "answer": [each.answer for _, each, _ in lines],
            }
        )

    def __str__(self) -> str:
        told = list(map(str, self._found)) or [f"no change of the free columns gives {self._about}"]
        return "\n".join([*told, self.limits] if self.limits else told)

    def __repr__(self) -> str:
        return f"<{len(self)} counterfactual{'' if len(self) == 1 else 's'}: {'; '.join(map(str, self._found))}>"


def counterfactuals(
    routes: Routes,
    cells: Sequence[Cell],
    given: Sequence[Any],
    wanted: Callable[[Any], bool],
    answer_of_ends: Callable[[Ends], Any],
    answer: Callable[[Sequence[Cell]], Any],
    *,
    about: str,
    fixed: Sequence[str] = (),
    direction: Mapping[str, str],
    n: int = 1,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    rows: Sequence[Sequence[Cell]] | None = None,
    exact: bool = False,
) -> Counterfactuals:
    """Search for the smallest changes.

    Parameters
    ----------
    routes : Routes
    cells : sequence
        The case, as `cells_of` gives it; numbers that the model knows by their bins are numbers here.
    given : sequence
        The same as the user has it.
    wanted : callable
        Whether an answer is the wanted one.
    answer_of_ends : callable
        What a case is answered that ends in some nodes, by some shares.
    answer : callable
        What the model itself says of changed cells, bins by their codes: every counterfactual is put to it.
    about : str
        The wanted answer in words.
    fixed : sequence of str
        Columns that may not change.
    direction : dict
        Columns that may only go "up" or "down".
    n : int
        How many to look for.
    bounds : dict, optional
        The least and the largest number that columns may get, of trees that ask sums of columns.
    rows : sequence, optional
        Rows to begin with, of trees that ask curves.
    exact : bool, default=False
        Refuse what is not searched exactly.
    """
    planes = routes.planes()
    curved = planes is not None and asks_curves(planes.tree.arrays)
    if rows is not None and not curved:
        raise ParameterError("background is for trees that ask curves: other changes are searched, leave it out.")
    if curved and exact:
        raise ParameterError(
            "exact=True: the tree asks curves, whose ways to an answer are not convex, so that no search proves a "
            "change the smallest. Leave out exact, and give background=, such as the training rows, to walk from."
        )
    if bounds and planes is None:
        raise ParameterError("bounds are for trees that ask sums of columns: leave them out, or use `direction`.")
    free = _freedoms(routes, cells, fixed, direction, bounds or {})

    def said_of(changes: Mapping[int, Cell]) -> Any:
        return answer([one.coded(changes.get(number, one.cell)) for number, one in enumerate(free)])

    def row_of(changes: Sequence[Change]) -> dict[str, Any]:
        row = {one.grid.column.name: value for one, value in zip(free, was, strict=True)}
        return row | {change.column: change.new for change in changes}

    was = [None if one.cell is None else value for one, value in zip(free, given, strict=True)]
    if planes is not None:
        search_of: PlaneSearch | CurveWalk
        if curved:
            search_of = CurveWalk(
                planes, cells, fixed, direction, bounds or {}, lambda changes: wanted(said_of(changes)), rows
            )
        else:
            search_of = PlaneSearch(
                planes, cells, fixed, direction, bounds or {}, lambda ends: wanted(answer_of_ends(ends))
            )
        moved: list[Counterfactual] = []
        changed: list[set[int]] = []
        for near in search_of.found(changed):
            if not wanted(said_of(near.changes)):  # rounding beside a plane
                continue
            new = short_numbers(near.changes, search_of.free, lambda changes: wanted(said_of(changes)))
            changed.append(set(new))
            steps = tuple(_step(free[number], cell, was[number]) for number, cell in new.items())
            moved.append(Counterfactual(steps, len(steps), said_of(new), row_of(steps), near.distance))
            if len(moved) == n or not new:
                break
        return Counterfactuals(moved, about, search_of.limits)
    found: list[Counterfactual] = []
    told: list[set[int]] = []
    for each in search(routes, free, lambda ends: wanted(answer_of_ends(ends)), told):
        said = said_of(each.changes)
        if not wanted(said):  # parts of a case that tie but for rounding
            continue
        told.append(set(each.changes))
        changes = tuple(_change(free[number], each, number, was[number]) for number in each.changes)
        found.append(Counterfactual(changes, each.rank, said, row_of(changes)))
        if len(found) == n:
            break
    return Counterfactuals(found, about)


def _freedoms(
    routes: Routes,
    cells: Sequence[Cell],
    fixed: Sequence[str],
    direction: Mapping[str, str],
    bounds: Mapping[str, tuple[float, float]],
) -> list[Freedom]:
    names = [column.name for column in routes.columns]
    for name in (*fixed, *direction, *bounds):
        if name not in names:
            raise ParameterError(
                f"{name!r:.80} is no column of the model; its columns are {', '.join(map(format_text, names[:20]))}."
            )
    free = []
    for grid, cell in zip(routes.grids(), cells, strict=True):
        made = Freedom(grid, cell, () if grid.column.name in fixed else grid.all)
        way = direction.get(grid.column.name)
        if way is not None:
            made.allowed = _directed(made, way)
        free.append(made)
    return free


def _directed(free: Freedom, way: str) -> Cells:
    column = free.grid.column
    if way not in ("up", "down"):
        raise ParameterError(f"direction of {column.name!r} must be 'up' or 'down'; got {way!r:.80}.")
    if column.kind == "nominal":
        raise ParameterError(
            f"column {column.name!r} is nominal and has no up or down; put it in `fixed`, or leave it free."
        )
    if free.own is None:  # from what is not known there is no up or down
        return ()
    span = ((free.own + 1, free.grid.size),) if way == "up" else ((-1, free.own - 1),)
    return meet(free.allowed, span)


def _change(free: Freedom, found: Found, number: int, old: Any) -> Change:
    column, new = free.grid.column, found.changes[number]
    assert new is not None  # noqa: S101
    name = format_text(column.name)
    was = _was(free, old)
    cells = found.cells[number]
    if column.kind == "numeric":  # of several ranges, that of the new value
        cell = free.grid.cell_of(new)
        cells = tuple(each for each in cells if inside(cell, (each,)))
    condition = free.grid.text(cells) or f"{name} is known"
    return Change(column.name, old, free.grid.shown(new), condition, f"{name} {_text(free, new)} instead of {was}")


def _step(free: Freedom, new: Cell, old: Any) -> Change:
    """A change where sums are asked: the new value stands for itself."""
    column = free.grid.column
    assert new is not None  # noqa: S101
    name, text = format_text(column.name), _text(free, new)
    was = _was(free, old)
    return Change(column.name, old, free.grid.shown(new), f"{name} = {text}", f"{name} {text} instead of {was}")


def _was(free: Freedom, old: Any) -> str:
    """What a value was, in words."""
    if free.cell is None:
        return "missing"
    return f"{class_text(old)}, which was never seen" if free.own is None else _text(free, free.cell)


def _text(free: Freedom, cell: Cell) -> str:
    column = free.grid.column
    if column.kind == "numeric" and isinstance(cell, float):
        return plain_number(cell) if cell == float(plain_number(cell)) else repr(cell)
    return format_value(column, cell)
