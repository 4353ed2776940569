"""Which parts of a tree a drawing shows: the heaviest first, the rest folded into parts that tell what they hold."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model import Node, Tree

__all__ = ["Part", "fold"]

_MOST_TRIES = 200

Kind: TypeAlias = Literal["inner", "leaf", "folded", "group"]


@dataclass(frozen=True)
class Part:
    """What one place of a drawing shows.

    Parameters
    ----------
    kind : {"inner", "leaf", "folded", "group"}
        A node whose branches are shown, a leaf, a node with all that is below it, or some branches of one node
        together.
    nodes : tuple of int
        The node; of a group, the nodes at the ends of its branches.
    parent : int
        The number of the part above; -1 for the first.
    branches : tuple of int
        The branches of the node above that lead here; none for the first.
    n_leaves : int
        How many leaves the part holds; 1 for a leaf.
    depth : int
        How many tests lead here.
    """

    kind: Kind
    nodes: tuple[int, ...]
    parent: int
    branches: tuple[int, ...]
    n_leaves: int
    depth: int

    def node(self, tree: Tree) -> Node:
        """Return the node; of a group, the first."""
        return tree.nodes[self.nodes[0]]


def fold(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_share: float = 0.0,
    max_branches: int | None = None,
    fits: Callable[[list[Part]], bool] | None = None,
) -> list[Part]:
    """Return the parts of a drawing, parents before children and branches in order.

    Nodes are unfolded by the weight of their rows, the heaviest first, as long as the limits allow.

    Parameters
    ----------
    tree : Tree
    max_depth : int, optional
        Unfold no node that is reached by so many tests.
    max_leaves : int, optional
        Show no more than so many ends: leaves and folded parts.
    min_share : float, default=0
        Unfold no node with a smaller share of the rows.
    max_branches : int, optional
        Of a node with more branches show the heaviest, and the rest as one.
    fits : callable(parts), optional
        Unfold only what leaves parts that fit; asked at most 200 times.

    Examples
    --------
    >>> import bough
    >>> from bough.view.folding import fold
    >>> table = {"x": list(range(64))}
    >>> tree = bough.CARTRegressor(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(table, table["x"]).tree_
    >>> [(part.kind, part.n_leaves) for part in fold(tree, max_depth=1)]
    [('inner', 64), ('folded', 32), ('folded', 32)]
    """
    for name, limit, least in (
        ("max_depth", max_depth, 0),
        ("max_leaves", max_leaves, 1),
        ("max_branches", max_branches, 2),
    ):
        _check(name, limit, least)
    if not 0 <= min_share <= 1:
        raise ParameterError(f"min_share is a share of the rows, from 0 to 1; got {min_share!r:.80}.")
    leaves = np.concatenate([[0], np.cumsum(np.diff(tree.arrays.child_begin) == 0)])  # those before each node
    limits = (max_depth, max_leaves, float(min_share), max_branches)
    may = None if fits is None else lambda shown: fits(_parts(tree, shown, leaves))
    return _parts(tree, _unfolded(tree, *limits, may), leaves)


def _check(name: str, limit: Any, least: int) -> None:
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < least:
        raise ParameterError(f"{name} is a whole number, at least {least}, or None for no limit; got {limit!r:.80}.")


_Branches: TypeAlias = list[tuple[int, ...]]


def _unfolded(
    tree: Tree,
    max_depth: int | None,
    max_leaves: int | None,
    min_share: float,
    max_branches: int | None,
    may: Callable[[dict[int, _Branches]], bool] | None,
) -> dict[int, _Branches]:
    """The nodes whose branches are shown, each with the branches that share a place."""
    arrays = tree.arrays
    begin, children, weight = arrays.child_begin, arrays.children, arrays.weight
    least = min_share * float(weight[0])
    shown: dict[int, _Branches] = {}
    ends, tries = 1, _MOST_TRIES
    todo = [(-float(weight[0]), 0, 0)]
    while todo:
        minus, node, depth = heapq.heappop(todo)
        first, last = int(begin[node]), int(begin[node + 1])
        if first == last or depth == max_depth or (node and -minus < least):
            continue
        places = _places(weight[children[first:last]], max_branches)
        if max_leaves is not None and ends + len(places) - 1 > max_leaves:
            continue
        shown[node] = places
        if may is not None:
            tries -= 1
            if tries < 0 or not may(shown):
                del shown[node]
                continue
        ends += len(places) - 1
        for branches in places:
            if len(branches) == 1:
                child = int(children[first + branches[0]])
                heapq.heappush(todo, (-float(weight[child]), child, depth + 1))
    return shown


def _places(weights: npt.NDArray[np.float64], most: int | None) -> _Branches:
    """The branches one by one, the lightest of many together at the end."""
    if most is None or len(weights) <= most:
        return [(branch,) for branch in range(len(weights))]
    heavy = np.sort(np.argsort(-weights, kind="stable")[: most - 1]).tolist()
    rest = set(range(len(weights))).difference(heavy)
    return [*((branch,) for branch in heavy), tuple(sorted(rest))]


def _parts(tree: Tree, shown: dict[int, _Branches], leaves: npt.NDArray[np.int64]) -> list[Part]:
    arrays = tree.arrays
    begin, children = arrays.child_begin, arrays.children

    def held(node: int) -> int:
        return int(leaves[arrays.end[node]] - leaves[node])

    parts: list[Part] = []
    todo: list[tuple[tuple[int, ...], int, tuple[int, ...], int]] = [((0,), -1, (), 0)]
    while todo:
        nodes, parent, branches, depth = todo.pop()
        number, node = len(parts), nodes[0]
        leaf = begin[node] == begin[node + 1]
        kind: Kind = "group" if len(nodes) > 1 else "leaf" if leaf else "inner" if node in shown else "folded"
        parts.append(Part(kind, nodes, parent, branches, sum(map(held, nodes)), depth))
        if kind == "inner":
            first = int(begin[node])
            for places in reversed(shown[node]):
                below = tuple(int(children[first + branch]) for branch in places)
                todo.append((below, number, places, depth + 1))
    return parts
