"""Trees that ask for sums of columns and answer with them, in plain Python: the oracle of the kernel's sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["LinearNode", "LinearTerm", "linear_answer", "linear_ends", "linear_sum"]


@dataclass(frozen=True)
class LinearTerm:
    """A weight times a column: its number or ordered code (`code` -1), or 1 for one level and 0 for others."""

    column: int
    code: int
    weight: float
    fill: float = 0.0
    scale: float = 1.0
    origin: int = 0

    def value(self, cell: float | None) -> float | None:
        """What the term is without its weight; None if the cell is missing."""
        if cell is None:
            return None
        if self.code >= 0:
            return float(cell == self.code)
        return float(cell - self.origin)


@dataclass
class LinearNode:
    """A node that parts a sum at rising edges, one child an interval or as `branches` say; a leaf has no children."""

    answer: float
    weight: float = 0.0
    terms: Sequence[LinearTerm] = ()
    whole: bool = False
    edges: Sequence[float] = ()
    closed: bool = True
    branches: Sequence[int] = ()
    missing: int | None = None
    majority: int | None = None
    bias: float | None = None
    model: Sequence[LinearTerm] = ()
    children: list[LinearNode] = field(default_factory=list)


def linear_sum(terms: Sequence[LinearTerm], row: Sequence[float | None], *, whole: bool = False) -> float | None:
    """The sum of the terms of a row, in their order; None if it is missing.

    Parameters
    ----------
    terms : sequence of LinearTerm
    row : sequence of float or None
        A number or a code for each column, None where it is missing.
    whole : bool, default=False
        Whether one missing term makes the sum missing; else a missing term counts as its fill, and the sum is missing
        if all are.

    Returns
    -------
    float or None

    Examples
    --------
    >>> terms = [LinearTerm(0, -1, 2.0, fill=0.5), LinearTerm(1, 3, -1.0, fill=0.25)]
    >>> linear_sum(terms, [1.5, 3]), linear_sum(terms, [None, 3]), linear_sum(terms, [None, None])
    (2.0, 0.0, None)
    """
    values = [term.value(row[term.column]) for term in terms]
    known = [value for value in values if value is not None]
    if not known or (whole and len(known) < len(values)):
        return None
    total = 0.0
    for term, value in zip(terms, values, strict=True):
        total += term.weight * (term.fill if value is None else value)
    return None if math.isnan(total) else total


def linear_answer(node: LinearNode, row: Sequence[float | None]) -> float:
    """What a node answers a row: its constant, or the bias and the terms of its model with missing values filled."""
    if node.bias is None:
        return node.answer
    total = node.bias
    for term in node.model:
        value = term.value(row[term.column])
        total += term.weight * (term.fill if value is None else value)
    return node.answer if math.isnan(total) else total


def linear_ends(
    node: LinearNode, row: Sequence[float | None], otherwise: Literal["majority", "stop", "spread"], share: float = 1.0
) -> list[tuple[LinearNode, float]]:
    """The nodes in which a row ends, with its share in each.

    Parameters
    ----------
    node : LinearNode
        The root.
    row : sequence of float or None
    otherwise : {"majority", "stop", "spread"}
        What happens to a row whose sum is missing at a node that has no branch for that.
    share : float, default=1.0
        How much of the row comes here.

    Returns
    -------
    list of (LinearNode, float)
    """
    if not node.children:
        return [(node, share)]
    total = linear_sum(node.terms, row, whole=node.whole)
    if total is not None:
        interval = sum(total > edge if node.closed else total >= edge for edge in node.edges)
        branch: int | None = node.branches[interval]
    elif node.missing is not None:
        branch = node.missing
    else:
        branch = node.majority if otherwise == "majority" else None
    if branch is not None:
        return linear_ends(node.children[branch], row, otherwise, share)
    weight = sum(child.weight for child in node.children)
    if otherwise != "spread" or weight == 0:
        return [(node, share)]
    ends = []
    for child in node.children:
        if child.weight > 0:
            ends += linear_ends(child, row, otherwise, share * child.weight / weight)
    return ends
