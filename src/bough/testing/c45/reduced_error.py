"""Reduced-error pruning: rows that were kept back say which nodes are not worth their test."""

from __future__ import annotations

from collections.abc import Sequence

from bough.testing.c45.node import Node, deal
from bough.testing.c45.table import Row, Table, at_least, equal, majority


def keep_back(table: Table, folds: int = 3) -> tuple[list[Row], list[Row]]:
    """The rows to grow on and those to prune with: the last of so many folds with like shares of the classes.

    The exchange of rows follows Weka step by step, because its order decides which rows are kept back.
    """
    rows = table.rows
    first = 1
    while first < len(rows):
        label = table.label(rows[first - 1][0])
        for other in range(first, len(rows)):
            if table.label(rows[other][0]) == label:
                rows[first], rows[other] = rows[other], rows[first]
                first += 1
        first += 1
    dealt = [row for start in range(folds) for row in rows[start::folds]]
    kept = len(dealt) // folds  # the last fold is never one of those that take the remainder
    return dealt[: len(dealt) - kept], dealt[len(dealt) - kept :]


def prune_reduced_error(table: Table, root: Node, rows: Sequence[Row]) -> None:
    """Make a leaf of every node that gets no more of the rows wrong as a leaf, from the leaves up."""
    path: list[tuple[Node, list[Row]]] = [(root, list(rows))]
    order: list[tuple[Node, list[Row], list[list[Row]]]] = []
    while path:
        node, here = path.pop()
        parts = [] if node.split is None else deal(table, here, node.split, node.shares)
        order.append((node, here, parts))
        path += zip(node.children, parts, strict=True)
    wrong: dict[int, float] = {}
    for node, here, parts in reversed(order):  # children come after their parent, so backwards before it
        label = majority(node.counts)
        as_leaf = missed(table, here, label)
        if not node.is_leaf:
            as_tree = 0.0
            for child, part in zip(node.children, parts, strict=True):
                as_tree += missed(table, part, label) if equal(child.weight, 0.0) else wrong[id(child)]
            if at_least(as_tree, as_leaf):
                node.become_leaf()
            else:
                as_leaf = as_tree
        wrong[id(node)] = as_leaf


def missed(table: Table, rows: Sequence[Row], label: int) -> float:
    """Weight of the rows that are not of a class."""
    return sum(weight for row, weight in rows if table.label(row) != label)
