"""The growing loop of C4.5: look at a node, choose its test, deal its rows out in fractions, grow the branches."""

from __future__ import annotations

from collections.abc import Sequence

from bough.testing.c45.node import Node, deal, spread
from bough.testing.c45.search import Habits, best_split
from bough.testing.c45.table import Row, Table, equal, greater, majority


def grow(table: Table, rows: Sequence[Row], habits: Habits) -> Node:
    """Grow a tree on rows of a table; thresholds and the rule on many-valued columns look at the whole table."""
    root = Node(list(rows), table.counts(rows))
    stack = [root]
    while stack:
        node = stack.pop()
        if must_stop(node, habits):
            continue
        node.split = best_split(table, node.rows, habits)
        if node.split is None:
            continue
        node.branches = spread(table, node.rows, node.split)
        for part in deal(table, node.rows, node.split, node.shares):
            counts = table.counts(part)
            node.children.append(Node(part, counts, empty=equal(sum(counts), 0.0)))
        stack += reversed(node.children)
    return root


def must_stop(node: Node, habits: Habits) -> bool:
    """Whether a node is a leaf without a search: too small for two branches, or pure."""
    return greater(2 * habits.minimum, node.weight) or equal(node.weight, node.counts[majority(node.counts)])
