"""A node of a tree with branches for many levels, rows in fractions, and the distribution of rows over branches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bough.testing.below import Below
from bough.testing.c45.search import Split, class_weights
from bough.testing.c45.table import Row, Table, equal, errors, greater


@dataclass
class Node(Below):
    """A node with its subtree.

    Attributes
    ----------
    rows : list of (row, weight)
        The training rows that reach it, each with the part of its weight that does.
    counts : list of float
        Weight of each class.
    split : Split or None
        None in a leaf.
    branches : list of lists
        Weight of each class in each branch, rows without a value spread over the branches.
    children : list of Node
    empty : bool
        A leaf that no training row reaches.
    """

    rows: list[Row]
    counts: list[float]
    split: Split | None = None
    branches: list[list[float]] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    empty: bool = False

    @property
    def weight(self) -> float:
        """Sum of the weights."""
        return sum(self.counts)

    @property
    def shares(self) -> list[float]:
        """The share of the weight that goes to each branch."""
        total = sum(map(sum, self.branches))
        return [sum(branch) / total for branch in self.branches]

    def become_leaf(self) -> None:
        """Forget all that is below."""
        self.split, self.branches, self.children = None, [], []

    def take_over(self, other: Node) -> None:
        """Take the test and the children of another node, or its being a leaf."""
        self.split, self.branches, self.children = other.split, other.branches, other.children
        self.empty = other.empty


def spread(table: Table, rows: Sequence[Row], split: Split) -> list[list[float]]:
    """Class weights in the branches, rows without a value spread by the shares of those with one."""
    branches = class_weights(table, rows, split)
    sizes = [sum(branch) for branch in branches]
    known = sum(sizes)
    cells = table.columns[split.column].cells
    for number, branch in enumerate(branches):
        share = 1 / split.n_branches if equal(known, 0.0) else sizes[number] / known
        for row, weight in rows:
            if cells[row] is None:
                branch[table.label(row)] += weight * share
    return branches


def deal(table: Table, rows: Sequence[Row], split: Split, shares: Sequence[float]) -> list[list[Row]]:
    """The rows of each branch; one without a value goes down every branch that has a share, in parts."""
    parts: list[list[Row]] = [[] for _ in shares]
    cells = table.columns[split.column].cells
    for row, weight in rows:
        branch = split.branch(cells[row])
        if branch is not None:
            parts[branch].append((row, weight))
            continue
        for number, share in enumerate(shares):
            if greater(share, 0.0):
                parts[number].append((row, weight * share))
    return parts


def collapse(root: Node) -> None:
    """Make a leaf of every node whose subtree gets no fewer training rows right, from the root down."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_leaf:
            continue
        below = sum(errors(leaf.counts) for leaf in node.leaves())
        if below >= errors(node.counts) - 0.001:
            node.become_leaf()
        else:
            stack += node.children
