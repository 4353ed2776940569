"""The way of one case down a tree, step by step with the reason of each: what prediction does, told slowly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bough.errors import DataError
from bough.model import Node, Split, Tree
from bough.table import UNSEEN, Encoded

__all__ = ["Step", "Way", "branch_of", "cells_of", "walk"]

_MISSING, _MAJORITY, _ERROR, _SPREAD = 0, 1, 3, 4  # as the kernel writes them

Cell = float | int | None


@dataclass(frozen=True)
class Step:
    """What happens to a case, or to a part of it, at an inner node.

    Attributes
    ----------
    node : Node
    children : list of (int, float)
        The nodes it goes to, each with the share of the whole case; empty if it ends here.
    state : {"known", "missing", "unseen", "absent"}
        What the test finds: a value that it knows, none, a level that no training row held, or one that no training row
        held at this node.
    cause : {"value", "own", "surrogate", "majority", "stop", "parts"}
        What decides: the value, the branch of missing values, a surrogate, the majority, nothing, all branches.
    surrogate : Split or None
        The one that decides.
    """

    node: Node
    children: list[tuple[int, float]]
    state: str
    cause: str
    surrogate: Split | None = None


@dataclass(frozen=True)
class Way:
    """All steps of a case in preorder, and where it ends: nodes with the share of the case that each gets."""

    steps: list[Step]
    ends: list[tuple[int, float]]


def cells_of(columns: Sequence[Encoded], row: int = 0) -> list[Cell]:
    """One row of encoded columns: numbers and codes, None where missing, -2 for a level never seen."""
    cells: list[Cell] = []
    for column in columns:
        value = column.data[row].item()
        hidden = column.missing is not None and bool(column.missing[row])
        is_code = column.data.dtype.kind == "i" and column.data.dtype.itemsize == 4
        unknown = hidden or value != value or (is_code and value == -1)
        cells.append(None if unknown else value)
    return cells


def branch_of(split: Split, cells: Sequence[Cell]) -> int | str:
    """The branch that a test sends a case to, or "missing", "unseen" or "absent"."""
    if split.kind == "conjunction":
        return _by_terms(split, cells)
    cell = cells[split.column_index]
    if cell is None:
        return "missing"
    if split.schema_column.kind != "numeric" and cell == UNSEEN:
        return "unseen"
    if split.kind == "levels":
        codes, branches = split.level_codes
        place = int(codes.searchsorted(cell))
        return int(branches[place]) if place < len(codes) and codes[place] == cell else "absent"
    strictly = split.side == "lt"
    if split.kind == "threshold":
        edge, low = split.raw_threshold, split.low or 0
        assert edge is not None  # noqa: S101
        return low if cell < edge or (cell == edge and not strictly) else 1 - low
    passed = sum(cell > edge or (cell == edge and strictly) for edge in split.raw_edges or ())
    return (split.interval_branches or ())[passed]


def _by_terms(split: Split, cells: Sequence[Cell]) -> int | str:
    low = split.low or 0
    state: int | str = low
    for column, code, negated in split.coded_terms:
        cell = cells[column]
        if cell is None:
            state = "missing" if state == low else state
        elif cell == UNSEEN:
            state = "unseen"
        elif (cell == code) == negated:
            return 1 - low
    return state


def walk(tree: Tree, cells: Sequence[Cell]) -> Way:
    """Follow a case from the root to where it ends, in parts if the tree sends it so."""
    steps: list[Step] = []
    ends: list[tuple[int, float]] = []
    parts = [(0, 1.0)]
    while parts:
        number, share = parts.pop()
        node = Node(tree, number)
        if node.is_leaf:
            ends.append((number, share))
            continue
        step = _step(node, cells, share)
        steps.append(step)
        if not step.children:
            ends.append((number, share))
        parts.extend(reversed(step.children))
    return Way(steps, ends)


def _step(node: Node, cells: Sequence[Cell], share: float) -> Step:
    split = node.split
    assert split is not None  # noqa: S101
    surrogates, fallback, absent, unseen = node.tree.routing
    children = [child.id for child in node.children]
    branch = branch_of(split, cells)
    if isinstance(branch, int):
        return Step(node, [(children[branch], share)], "known", "value")
    rule: Any = {"missing": _MISSING, "unseen": unseen, "absent": absent}[branch]
    if rule == _ERROR:
        raise DataError(f"Column {split.column!r} holds a level that no training row held.")
    if rule == _MISSING:
        own = split.missing_branch
        if own is not None:
            return Step(node, [(children[own], share)], branch, "own")
        for other in node.surrogates if surrogates else ():
            found = branch_of(other, cells)
            if isinstance(found, int):
                return Step(node, [(children[found], share)], branch, "surrogate", other)
        rule = fallback
    if rule == _SPREAD:
        weights = [child.weight for child in node.children]
        most = max(weights)
        scaled = [weight / most for weight in weights] if most > 0 else []
        parts = [(child, share * part / sum(scaled)) for child, part in zip(children, scaled, strict=False) if part > 0]
        return Step(node, parts, branch, "parts" if parts else "stop")
    majority = int(node.tree.arrays.majority[node.id])
    if rule == _MAJORITY and majority >= 0:
        return Step(node, [(children[majority], share)], branch, "majority")
    return Step(node, [], branch, "stop")
