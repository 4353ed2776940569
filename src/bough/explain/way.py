"""The way of one case down a tree, with the reason of each step that is not by its value: prediction, told slowly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bough.errors import DataError
from bough.model import Node
from bough.model.features import Cell, Unknown
from bough.model.routing import ERROR, MAJORITY, MISSING, SPREAD, child_shares
from bough.model.tests import Test
from bough.table import Encoded

if TYPE_CHECKING:
    from bough.explain.asked import Asked

__all__ = ["Ends", "Step", "Way", "cells_of", "nowhere", "rule_for", "step_from", "walk"]

Ends = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Step:
    """How a case, or a part of it, goes on from a node whose test does not know its value.

    Attributes
    ----------
    node : int
    children : tuple of (int, float)
        The nodes it goes to, each with the share of the whole case; empty if it ends here.
    state : {"missing", "unseen", "absent"}
        What the test finds: no value, a level that no training row held, or one that no training row held at this node.
    cause : {"own", "surrogate", "majority", "stop", "parts"}
        What decides: the branch of missing values, a surrogate, the majority, nothing, all branches.
    surrogate : Test or None
        The one that decides.
    """

    node: int
    children: Ends
    state: str
    cause: str
    surrogate: Test | None = None


@dataclass(frozen=True)
class Way:
    """The steps of a case that were not by its value, in preorder, and where it ends: nodes, each with its share.

    All else follows from these: two cases with one way have the same explanation.
    """

    steps: tuple[Step, ...]
    ends: Ends


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


def walk(asked: "Asked", cells: Sequence[Cell]) -> Way:
    """Follow a case from the root to where it ends, in parts if the tree sends it so."""
    steps: list[Step] = []
    ends: list[tuple[int, float]] = []
    parts = [(0, 1.0)]
    while parts:
        number, share = parts.pop()
        test, children = asked.place(number)
        if test is None:
            ends.append((number, share))
            continue
        branch = test.branch(cells)
        if isinstance(branch, int):
            parts.append((children[branch], share))
            continue
        step = step_from(asked, number, test, branch, share, lambda other: other.branch(cells))
        steps.append(step)
        if not step.children:
            ends.append((number, share))
        parts.extend(reversed(step.children))
    return Way(tuple(steps), tuple(ends))


def step_from(
    asked: "Asked", node: int, test: Test, state: str, share: float, branch: Callable[[Test], int | Unknown]
) -> Step:
    """How a case, or a share of it, goes on from a node whose test does not know it; `branch` asks a surrogate."""
    children = asked.place(node).children
    rule = rule_for(asked, test, state)
    if rule == MISSING:
        if test.missing_branch is not None:
            return Step(node, ((children[test.missing_branch], share),), state, "own")
        for other in asked.surrogates(node):
            found = branch(other)
            if isinstance(found, int):
                return Step(node, ((children[found], share),), state, "surrogate", other)
        rule = asked.tree.routing[1]
    parts = tuple((child, share * part) for child, part in nowhere(asked, node, rule))
    return Step(node, parts, state, "stop" if not parts else "parts" if rule == SPREAD else "majority")


def rule_for(asked: "Asked", test: Test, state: str) -> int:
    """What the tree does with a value that a test does not know."""
    _, _, absent, unseen = asked.tree.routing
    rule = {"missing": MISSING, "unseen": unseen, "absent": absent}[state]
    if rule == ERROR:
        name = asked.tree.schema.names[test.column]
        raise DataError(f"Column {name!r} holds a level that no training row held.")
    return rule


def nowhere(asked: "Asked", node: int, rule: int) -> Ends:
    """Where a case goes that no test decides, by shares; nowhere if it ends at the node."""
    if rule == SPREAD:
        return child_shares(Node(asked.tree, node))
    majority = int(asked.tree.arrays.majority[node])
    return ((asked.place(node).children[majority], 1.0),) if rule == MAJORITY and majority >= 0 else ()
