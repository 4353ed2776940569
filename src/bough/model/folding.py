"""Which parts of a tree a drawing shows: what would be missed most first, the rest folded into parts that count leaves.

Every drawing folds by this one rule: text, pictures, pages. `worth.py` says what each node is worth. The way to the
largest leaf of the rarest class comes before everything else wherever there is room for all of it: it is mostly what
the tree was grown for, and by numbers of rows it would be the first to go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.text import counted
from bough.model.worth import rarest_leaf, worth_order

if TYPE_CHECKING:
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = ["Part", "fold", "shows_rarest"]

_MOST_TRIES = 200

Kind: TypeAlias = Literal["inner", "leaf", "folded", "group"]
_Floats: TypeAlias = npt.NDArray[np.float64]
_Branches: TypeAlias = list[tuple[int, ...]]


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

    def node(self, tree: "Tree") -> "Node":
        """Return the node; of a group, the first."""
        return tree.nodes[self.nodes[0]]

    @property
    def folded_words(self) -> str:
        """What a folded part says of itself: ``… 12 leaves``, ``… 5 branches, 12 leaves``; empty for other parts."""
        leaves = counted(self.n_leaves, "leaf")
        if self.kind == "group":
            whole = self.n_leaves == len(self.nodes)
            return f"… {counted(len(self.nodes), 'branch')}" + ("" if whole else f", {leaves}")
        return f"… {leaves}" if self.kind == "folded" else ""


def fold(
    tree: "Tree",
    *,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    max_nodes: int | None = None,
    min_share: float = 0.0,
    max_branches: int | None = None,
    fits: Callable[[list[Part]], bool] | None = None,
) -> list[Part]:
    """Return the parts of a drawing, parents before children and branches in order.

    Nodes are unfolded by what they are worth, the best first, as long as the limits allow.

    Parameters
    ----------
    tree : Tree
    max_depth : int, optional
        Unfold no node that is reached by so many tests.
    max_leaves : int, optional
        Show no more than so many ends: leaves and folded parts.
    max_nodes : int, optional
        Show no more than so many parts.
    min_share : float, default=0
        Unfold no node with a smaller share of the rows.
    max_branches : int, optional
        Of a node with more branches show the heaviest, and the rest as one.
    fits : callable(parts), optional
        Unfold only what leaves parts that fit; asked at most 200 times.

    Examples
    --------
    >>> import bough
    >>> from bough.model.folding import fold
    >>> table = {"x": list(range(64))}
    >>> tree = bough.CARTRegressor(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(table, table["x"]).tree_
    >>> [(part.kind, part.n_leaves) for part in fold(tree, max_depth=1)]
    [('inner', 64), ('folded', 32), ('folded', 32)]
    """
    for name, limit, least in (
        ("max_depth", max_depth, 0),
        ("max_leaves", max_leaves, 1),
        ("max_nodes", max_nodes, 1),
        ("max_branches", max_branches, 2),
    ):
        _check(name, limit, least)
    if not 0 <= min_share <= 1:
        raise ParameterError(f"min_share is a share of the rows, from 0 to 1; got {min_share!r:.80}.")
    leaves = np.concatenate([[0], np.cumsum(np.diff(tree.arrays.child_begin) == 0)])  # those before each node
    limits = _Limits(max_depth, max_leaves, max_nodes, float(min_share), max_branches)
    may = None if fits is None else lambda shown: fits(_parts(tree, shown, leaves))
    return _parts(tree, _unfolded(tree, limits, may), leaves)


def shows_rarest(tree: "Tree", parts: Sequence[Part]) -> bool:
    """Whether a drawing shows the largest leaf of the rarest class, if there is one."""
    leaf = rarest_leaf(tree)
    return leaf < 0 or any(part.nodes == (leaf,) for part in parts)


@dataclass(frozen=True)
class _Limits:
    max_depth: int | None = None
    max_leaves: int | None = None
    max_nodes: int | None = None
    min_share: float = 0.0
    max_branches: int | None = None


def _check(name: str, limit: Any, least: int) -> None:
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < least:
        raise ParameterError(f"{name} is a whole number, at least {least}, or None for no limit; got {limit!r:.80}.")


def _unfolded(
    tree: "Tree", limits: _Limits, may: Callable[[dict[int, _Branches]], bool] | None
) -> dict[int, _Branches]:
    """The nodes whose branches are shown, each with the branches that share a place."""
    order, leaf = worth_order(tree), rarest_leaf(tree)
    way: list[int] = []
    while leaf >= 0:
        way.append(leaf)
        leaf = int(tree.arrays.parent[leaf])
    shown = _opened(tree, way[:0:-1], set(way), limits, {}, None)
    if len(shown) < len(way) - 1 or (may is not None and not may(shown)):
        shown = {}
    return _opened(tree, order, set(way), limits, shown, may)


def _opened(
    tree: "Tree",
    order: list[int],
    way: set[int],
    limits: _Limits,
    shown: dict[int, _Branches],
    may: Callable[[dict[int, _Branches]], bool] | None,
) -> dict[int, _Branches]:
    """Open nodes in this order, each if the limits allow; those on the way are never grouped with others."""
    arrays = tree.arrays
    begin, children, weight, parent = arrays.child_begin, arrays.children, arrays.weight, arrays.parent
    least = limits.min_share * float(weight[0])
    depth = {0: 0}
    for node, places in shown.items():
        _descend(depth, node, children[begin[node] : begin[node + 1]], places)
    parts = 1 + sum(map(len, shown.values()))
    ends, tries = parts - len(shown), _MOST_TRIES
    for node in order:
        if (limits.max_nodes or parts + 1) <= parts or (limits.max_leaves or ends + 1) <= ends:
            break
        if node in shown or node not in depth or depth[node] == limits.max_depth:
            continue
        if node and (int(parent[node]) not in shown or weight[node] < least):
            continue
        below = children[begin[node] : begin[node + 1]]
        heavy = np.array([np.inf if child in way else weight[child] for child in below.tolist()])
        places = _places(heavy, limits.max_branches)
        if limits.max_leaves is not None and ends + len(places) - 1 > limits.max_leaves:
            continue
        if limits.max_nodes is not None and parts + len(places) > limits.max_nodes:
            continue
        shown[node] = places
        if may is not None:
            tries -= 1
            if tries < 0 or not may(shown):
                del shown[node]
                continue
        ends += len(places) - 1
        parts += len(places)
        _descend(depth, node, below, places)
    return shown


def _descend(depth: dict[int, int], node: int, below: npt.NDArray[np.int32], places: _Branches) -> None:
    """Note how deep the branches of a node are that have a place of their own."""
    for branches in places:
        if len(branches) == 1:
            depth[int(below[branches[0]])] = depth[node] + 1


def _places(weights: _Floats, most: int | None) -> _Branches:
    """The branches one by one, the lightest of many together at the end."""
    if most is None or len(weights) <= most:
        return [(branch,) for branch in range(len(weights))]
    heavy = np.sort(np.argsort(-weights, kind="stable")[: most - 1]).tolist()
    rest = set(range(len(weights))).difference(heavy)
    return [*((branch,) for branch in heavy), tuple(sorted(rest))]


def _parts(tree: "Tree", shown: dict[int, _Branches], leaves: npt.NDArray[np.int64]) -> list[Part]:
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
