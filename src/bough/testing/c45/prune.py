"""Error-based pruning with subtree raising: what a node is expected to get wrong on new cases decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np

from bough.testing.c45.node import Node, deal, spread
from bough.testing.c45.table import Row, Table, at_least, equal, errors

SLACK = 0.1
"""A smaller tree may be worse by so many errors."""


@dataclass(frozen=True)
class Pessimist:
    """The upper confidence limit of errors.

    Parameters
    ----------
    confidence : float
        The smaller it is, the more errors are expected beyond those seen; held in 32 bits.

    Examples
    --------
    >>> round(Pessimist(0.25).added(6, 0), 9)
    1.237796844
    """

    confidence: float = 0.25

    @cached_property
    def _tail(self) -> float:
        return float(np.float32(self.confidence))

    @cached_property
    def _z(self) -> float:
        return NormalDist().inv_cdf(float(np.float32(1) - np.float32(self.confidence)))

    def added(self, weight: float, wrong: float) -> float:
        """Errors to expect beyond the `wrong` ones that were seen."""
        if self._tail > 0.5:
            return 0.0
        if wrong < 1:  # the exact limit for no error, and a line from there to the limit for one
            base = weight * (1 - exp(log(self._tail) / weight))
            return base if wrong == 0 else base + wrong * (self.added(weight, 1) - base)
        if wrong + 0.5 >= weight:
            return max(weight - wrong, 0.0)
        z, n = self._z, weight
        f = (wrong + 0.5) / n
        limit = (f + z * z / (2 * n) + z * sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
        return limit * n - wrong

    def expected(self, counts: Sequence[float]) -> float:
        """Errors to expect of a leaf with these class weights, on as many new cases."""
        total = sum(counts)
        return 0.0 if equal(total, 0.0) else errors(counts) + self.added(total, errors(counts))

    def of_tree(self, node: Node) -> float:
        """Errors to expect of the leaves at or below a node."""
        return sum(self.expected(leaf.counts) for leaf in node.leaves())


def prune(table: Table, root: Node, pessimist: Pessimist, *, raising: bool = True) -> None:
    """Prune from the leaves up; a node that was raised is pruned again, with all that is below it."""
    stack = [(root, False)]
    while stack:
        node, children_done = stack.pop()
        if node.is_leaf:
            continue
        if not children_done:
            stack += [(node, True), *((child, False) for child in reversed(node.children))]
        elif decide(table, node, pessimist, raising=raising) == "raise":
            stack.append((node, False))


def decide(table: Table, node: Node, pessimist: Pessimist, *, raising: bool) -> str:
    """Make a leaf of a node, or raise its largest branch into its place, or keep it."""
    child = node.children[largest(node)]
    as_leaf = pessimist.expected(node.counts)
    as_tree = pessimist.of_tree(node)
    raised = expected_of_rows(table, child, node.rows, pessimist) if raising else inf
    if at_least(as_tree + SLACK, as_leaf) and at_least(raised + SLACK, as_leaf):
        node.become_leaf()
        return "leaf"
    if at_least(as_tree + SLACK, raised):
        node.take_over(child)
        send(table, node, node.rows)
        return "raise"
    return "keep"


def largest(node: Node) -> int:
    """The branch of the largest weight, the last of equal ones."""
    best, most = 0, 0.0
    for branch, counts in enumerate(node.branches):
        if at_least(sum(counts), most):
            best, most = branch, sum(counts)
    return best


def expected_of_rows(table: Table, node: Node, rows: Sequence[Row], pessimist: Pessimist) -> float:
    """Errors to expect of a subtree if all these rows were sent through it; the subtree stays as it is."""
    total = 0.0
    stack = [(node, list(rows))]
    while stack:
        node, rows = stack.pop()
        if node.split is None:
            total += pessimist.expected(table.counts(rows))
            continue
        trial = Node(rows, [], node.split, spread(table, rows, node.split))
        stack += zip(node.children, parts_of(table, trial), strict=True)
    return total


def send(table: Table, node: Node, rows: Sequence[Row]) -> None:
    """Send rows through a subtree for good: they replace those of all its nodes."""
    stack = [(node, list(rows))]
    while stack:
        node, node.rows = stack.pop()
        node.counts = table.counts(node.rows)
        if node.split is None:
            node.empty = node.empty and equal(node.weight, 0.0)
            continue
        node.branches = spread(table, node.rows, node.split)
        stack += zip(node.children, parts_of(table, node), strict=True)


def parts_of(table: Table, node: Node) -> list[list[Row]]:
    """The rows of each branch; none where no row comes."""
    assert node.split is not None  # noqa: S101 (an inner node)
    return deal(table, node.rows, node.split, node.shares) if node.rows else [[] for _ in node.branches]
