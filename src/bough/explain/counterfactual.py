"""The smallest changes of a case that give it another answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from bough.errors import ParameterError
from bough.explain.grid import Cells, Grid, inside, meet
from bough.explain.search import Ends, Found, Freedom, search
from bough.explain.way import Cell
from bough.model import Split, Tree
from bough.model.frame import as_frame
from bough.model.text import class_text, plain_number
from bough.table import UNSEEN, format_text, format_value

__all__ = ["Change", "Counterfactual", "Counterfactuals", "counterfactuals"]


@dataclass(frozen=True)
class Change:
    """One column that is changed.

    Attributes
    ----------
    column : str
    old, new : value or None
        As the column has its values; old is None if it was missing, and for a level never seen in training.
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
        How far the changes move in all: thresholds of the tree, or levels, that lie between; 1 for a level of a nominal
        column and for a value that was missing.
    answer : label or float
        What the model says then.
    row : dict
        The changed case, by column.
    """

    changes: tuple[Change, ...]
    rank: int
    answer: Any
    row: dict[str, Any]

    def __str__(self) -> str:
        answer = plain_number(self.answer) if isinstance(self.answer, float) else class_text(self.answer)
        if not self.changes:
            return f"the answer is {answer} already"
        return f"{' and '.join(map(str, self.changes))}: {answer}"


class Counterfactuals(Sequence[Counterfactual]):
    """Counterfactuals, the smallest first; printed, one line each."""

    def __init__(self, found: Sequence[Counterfactual], about: str) -> None:
        self._found = tuple(found)
        self._about = about

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
        return "\n".join(map(str, self._found)) or f"no change of the free columns gives {self._about}"

    def __repr__(self) -> str:
        return f"<{len(self)} counterfactual{'' if len(self) == 1 else 's'}: {'; '.join(map(str, self._found))}>"


def counterfactuals(
    tree: Tree,
    cells: Sequence[Cell],
    wanted: Callable[[Any], bool],
    answer_of_ends: Callable[[Ends], Any],
    answer: Callable[[Sequence[Cell]], Any],
    *,
    about: str,
    fixed: Sequence[str] = (),
    direction: Mapping[str, str] | None = None,
    n: int = 1,
) -> Counterfactuals:
    """Search for the smallest changes.

    Parameters
    ----------
    tree : Tree
    cells : sequence
        The case, as `cells_of` gives it.
    wanted : callable
        Whether an answer is the wanted one.
    answer_of_ends : callable
        What a case is answered that ends in some nodes, by some shares.
    answer : callable
        What the model itself says of changed cells: every counterfactual is put to it.
    about : str
        The wanted answer in words.
    fixed : sequence of str
        Columns that may not change.
    direction : dict
        Columns that may only go "up" or "down".
    n : int
        How many to look for.
    """
    free = _freedoms(tree, cells, fixed, direction or {})
    found: list[Counterfactual] = []
    for each in search(tree, free, lambda ends: wanted(answer_of_ends(ends))):
        changed = [each.changes.get(number, cell) for number, cell in enumerate(cells)]
        told = answer(changed)
        if not wanted(told):  # parts of a case that tie but for rounding
            continue
        changes = tuple(_change(tree, free, each, number) for number in each.changes)
        row = {column.name: _shown(free[number], cell) for number, (column, cell) in _zipped(tree, changed)}
        found.append(Counterfactual(changes, each.rank, told, row))
        if len(found) == n:
            break
    return Counterfactuals(found, about)


def _zipped(tree: Tree, cells: Sequence[Cell]) -> Any:
    return enumerate(zip(tree.schema.columns, cells, strict=True))


def _freedoms(tree: Tree, cells: Sequence[Cell], fixed: Sequence[str], direction: Mapping[str, str]) -> list[Freedom]:
    names = tree.schema.names
    for name in (*fixed, *direction):
        if name not in names:
            raise ParameterError(
                f"{name!r:.80} is no column of the model; its columns are {', '.join(map(format_text, names[:20]))}."
            )
    splits: dict[int, list[Split]] = {}
    arrays = tree.arrays
    asks = tree.routing[0]
    for index, (role, column) in enumerate(zip(arrays.split_role.tolist(), arrays.split_column.tolist(), strict=True)):
        if role == 0 or (role == 2 and asks):
            splits.setdefault(column, []).append(Split(tree, index))
    free = []
    for number, column in enumerate(tree.schema.columns):
        grid = Grid(column, splits.get(number, ()))
        allowed: Cells = () if column.name in fixed else grid.all
        made = Freedom(grid, cells[number], allowed)
        way = direction.get(column.name)
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


def _shown(free: Freedom, cell: Cell) -> Any:
    if cell is None or (free.grid.column.kind != "numeric" and cell == UNSEEN):
        return None
    return free.grid.shown(cell)


def _change(tree: Tree, free: Sequence[Freedom], found: Found, number: int) -> Change:
    column, one = tree.schema.columns[number], free[number]
    new = found.changes[number]
    assert new is not None  # noqa: S101
    cell = one.grid.cell_of(new)
    name = format_text(column.name)
    old = _shown(one, one.cell)
    was = "missing" if one.cell is None else "never seen" if one.own is None else _text(one, one.cell)
    cells = found.cells[number]
    if column.kind == "numeric":  # of several ranges, that of the new value
        cells = tuple(each for each in cells if inside(cell, (each,)))
    condition = one.grid.text(cells) or f"{name} is known"
    return Change(column.name, old, _shown(one, new), condition, f"{name} {_text(one, new)} instead of {was}")


def _text(free: Freedom, cell: Cell) -> str:
    column = free.grid.column
    if column.kind == "numeric" and isinstance(cell, float):
        return plain_number(cell) if cell == float(plain_number(cell)) else repr(cell)
    return format_value(column, cell)
