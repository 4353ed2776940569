"""The ways on from a node: where rows go that its test does not know, and the parts of a box of cells by where they go.

Explanations walk one row, searches for another answer and rules walk whole boxes: all of them ask here.
"""

from collections.abc import Iterator, Sequence

from bough.errors import DataError
from bough.model.asked import Asked
from bough.model.features import Cell
from bough.model.node import Node
from bough.model.routing import ERROR, MAJORITY, MISSING, SPREAD, child_shares
from bough.model.tests import Test
from bough.model.tests.cells import Box, Space
from bough.table import Encoded

__all__ = ["Ends", "cells_of", "nowhere", "rule_for", "ways_on"]

Ends = tuple[tuple[int, float], ...]


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


def rule_for(asked: Asked, test: Test, state: str) -> int:
    """What the tree does with a value that a test does not know."""
    _, _, absent, unseen = asked.tree.routing
    rule = {"missing": MISSING, "unseen": unseen, "absent": absent}[state]
    if rule == ERROR:
        name = asked.tree.schema.names[test.column]
        raise DataError(f"Column {name!r} holds a level that no training row held.")
    return rule


def nowhere(asked: Asked, node: int, rule: int) -> Ends:
    """Where a case goes that no test decides, by shares; nowhere if it ends at the node."""
    if rule == SPREAD:
        return child_shares(Node(asked.tree, node))
    majority = int(asked.tree.arrays.majority[node])
    return ((asked.place(node).children[majority], 1.0),) if rule == MAJORITY and majority >= 0 else ()


def ways_on(asked: Asked, node: int, box: Box, space: Space[Box]) -> Iterator[tuple[Box, Ends]]:
    """The parts of a box at a node, each with the children it goes to; none: it ends here. Parts do not overlap."""
    test, children = asked.asked_at(node), asked.place(node).children
    for state, part in test.outcomes(space, box):
        if isinstance(state, int):
            yield part, ((children[state], 1.0),)
            continue
        rule = rule_for(asked, test, state)
        if rule != MISSING:
            yield part, nowhere(asked, node, rule)
        elif test.missing_branch is not None:
            yield part, ((children[test.missing_branch], 1.0),)
        else:
            left = [part]
            for other in asked.surrogates(node):
                still: list[Box] = []
                for each in left:
                    for told, smaller in other.outcomes(space, each):
                        if isinstance(told, int):
                            yield smaller, ((children[told], 1.0),)
                        else:
                            still.append(smaller)
                left = still
            for each in left:
                yield each, nowhere(asked, node, asked.tree.routing[1])
