"""What the nodes of a tree are worth in a drawing: what is lost where one is folded, by leaf that is saved.

A test removes impurity, and it may bring to light rows of the rarest class that any leaf answers; it is worth the sum
of both, as shares of what the whole tree does. A test that opens the way to good ones is worth as much as the best of
them together with it: tests are pooled with those below as weakest links are in cost-complexity pruning (Breiman,
Friedman, Olshen and Stone, 1984, chapter 3), with this loss in the place of the risk. So the nodes that drawings of any
size show are nested, and none is worth more than the one above it.
"""

import heapq
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["rarest_leaf", "worth_order"]

_MOST_JUDGED = 20_000  # nodes, those with the most rows; no drawing shows more at once

_Floats: TypeAlias = npt.NDArray[np.float64]


def worth_order(tree: "Tree") -> list[int]:
    """The nodes that ask something, in the order in which a drawing with more and more room unfolds them.

    Examples
    --------
    >>> import bough
    >>> from bough.model.worth import worth_order
    >>> X, y = bough.datasets.load("titanic").xy()
    >>> worth_order(bough.CARTClassifier().fit(X, y).tree_)
    [0, 4, 5, 8, 1]
    """
    inner = np.flatnonzero(~_is_leaf(tree))
    heaviest = inner[np.argsort(-tree.arrays.weight[inner], kind="stable")]  # parents before children
    judged = np.sort(heaviest[:_MOST_JUDGED])
    worth = _pooled(tree, _gains(tree), judged.tolist())
    order: list[int] = np.concatenate([judged[np.argsort(-worth, kind="stable")], heaviest[_MOST_JUDGED:]]).tolist()
    return order


def rarest_leaf(tree: "Tree") -> int:
    """The leaf with the most rows among those that answer the rarest class that any leaf answers; -1 for numbers.

    Examples
    --------
    >>> import bough
    >>> from bough.model.worth import rarest_leaf
    >>> X, y = bough.datasets.load("titanic").xy()
    >>> tree = bough.CARTClassifier().fit(X, y).tree_
    >>> tree.nodes[rarest_leaf(tree)].condition
    'status in {crew, first, second}'
    """
    if not tree.is_classifier:
        return -1
    finds = _is_leaf(tree) & (tree.arrays.label == _rarest(tree))
    return int(np.argmax(np.where(finds, tree.arrays.weight, -1.0)))


def _is_leaf(tree: "Tree") -> npt.NDArray[np.bool_]:
    return np.asarray(np.diff(tree.arrays.child_begin) == 0)


def _rarest(tree: "Tree") -> int:
    """The class with the fewest training rows, of those that some leaf answers."""
    arrays = tree.arrays
    counts = np.zeros(len(tree.class_labels or []))
    first = slice(arrays.count_begin[0], arrays.count_begin[1])
    counts[arrays.count_class[first]] = arrays.count_weight[first]
    answered = np.unique(arrays.label[_is_leaf(tree)])
    return int(answered[np.argmin(counts[answered])])


def _gains(tree: "Tree") -> _Floats:
    """What the test of each node does by itself, as a share of what all tests do; 0 for leaves."""
    arrays = tree.arrays
    lost = -_scaled(arrays.weight) * _scaled(np.nan_to_num(arrays.impurity, posinf=0.0, neginf=0.0))
    gains = _shares(tree, lost)
    if tree.is_classifier:
        number = np.repeat(np.arange(tree.n_nodes), np.diff(arrays.count_begin))
        own = arrays.count_class == arrays.label[number]
        found = np.zeros(tree.n_nodes)
        found[number[own]] = _scaled(arrays.count_weight)[own]
        gains = gains + _shares(tree, np.where(arrays.label == _rarest(tree), found, 0.0))
    return gains if gains.any() else np.where(_is_leaf(tree), 0.0, arrays.weight)  # at worst the rows decide


def _scaled(values: _Floats) -> _Floats:
    """The values over a power of two such that none is above 1: shares stay the same bits, and sums do not overflow."""
    _, exponent = np.frexp(np.max(values, initial=0.0))
    return np.asarray(np.ldexp(values, -int(exponent)))


def _shares(tree: "Tree", values: _Floats) -> _Floats:
    """How much more the branches of each node have than the node, as a share of what leaves have beyond the root."""
    arrays, leaf = tree.arrays, _is_leaf(tree)
    below = np.bincount(arrays.parent[1:], values[1:], minlength=tree.n_nodes)
    total = float(values[leaf].sum() - values[0])
    return np.where(leaf, 0.0, below - values) / total if total > 0 else np.zeros(tree.n_nodes)


def _pooled(tree: "Tree", gains: _Floats, judged: list[int]) -> _Floats:
    """The gain of each of some tests by leaf that it adds, pooled with better ones below it; parents stand first."""
    begin, parent = tree.arrays.child_begin, tree.arrays.parent
    gain, cost = dict(zip(judged, gains[judged].tolist(), strict=True)), {}
    heaps: dict[int, list[tuple[float, int]]] = {}  # the pools below each node, the best first
    pool: dict[int, int] = {}  # the topmost node of the pool that a node was taken into
    for node in reversed(judged):
        heap = heaps.pop(node, [])
        cost[node] = max(int(begin[node + 1] - begin[node]) - 1, 1)
        while heap and -heap[0][0] > gain[node] / cost[node]:
            _, best = heapq.heappop(heap)
            gain[node] += gain[best]
            cost[node] += cost[best]
            pool[best] = node
        heapq.heappush(heap, (-gain[node] / cost[node], node))
        above = int(parent[node])
        larger, smaller = sorted((heaps.get(above, []), heap), key=len, reverse=True)
        for entry in smaller:
            heapq.heappush(larger, entry)
        heaps[above] = larger
    worth: dict[int, float] = {}
    for node in judged:
        worth[node] = worth[pool[node]] if node in pool else gain[node] / cost[node]
    return np.array(list(worth.values()))
