"""Where the nodes of a drawing stand: the tidy layout of a tree whose nodes differ in width.

Parents stand over the middle of their children, subtrees are as near as their outlines allow, and small subtrees
between large ones are spread evenly. The outlines are followed by threads, so that the time is linear in the number
of nodes, and nothing recurses: a tree may be a chain of 100,000 nodes.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError

__all__ = ["depths_of", "tidy"]

_Floats: TypeAlias = npt.NDArray[np.float64]


def tidy(
    parent: Any, widths: Any, heights: Any = 1.0, *, gap: float = 1.0, level_gap: float = 1.0
) -> tuple[_Floats, _Floats]:
    """Return the place of each node: no two nodes of a level overlap, at any branching.

    Parameters
    ----------
    parent : array of int of shape (n_nodes,)
        The parent of each node, -1 for the root, which is node 0. Parents stand before their children; children are
        drawn from left to right in the order of their numbers.
    widths : float or array of shape (n_nodes,)
    heights : float or array of shape (n_nodes,), default=1
        A level is as high as its highest node.
    gap : float, default=1
        The least room between neighbours of a level.
    level_gap : float, default=1
        The room between two levels.

    Returns
    -------
    x : ndarray of shape (n_nodes,)
        The middle of each node; the drawing begins at 0.
    y : ndarray of shape (n_nodes,)
        The top of the level of each node: 0 for the root, growing downwards.

    Examples
    --------
    >>> from bough.view.layout import tidy
    >>> x, y = tidy([-1, 0, 0, 1, 1], widths=[4, 2, 2, 2, 2], heights=1, gap=1, level_gap=2)
    >>> x.tolist(), y.tolist()
    ([4.0, 2.5, 5.5, 1.0, 4.0], [0.0, 3.0, 3.0, 6.0, 6.0])
    """
    depth = depths_of(parent)
    n = len(depth)
    width = _sizes("widths", widths, n)
    height = _sizes("heights", heights, n)
    tallest = np.zeros(int(depth.max()) + 1)
    np.maximum.at(tallest, depth, height)
    tops = np.concatenate([[0.0], np.cumsum(tallest[:-1] + level_gap)])
    left = np.array(_left_edges(np.asarray(parent).tolist(), (width + gap).tolist()))
    left -= left.min()
    return left + width / 2, tops[depth]


def depths_of(parent: Any) -> npt.NDArray[np.int64]:
    """Return the number of steps from the root to each node.

    Examples
    --------
    >>> from bough.view.layout import depths_of
    >>> depths_of([-1, 0, 1, 1]).tolist()
    [0, 1, 2, 2]
    """
    above = np.asarray(parent)
    if above.ndim != 1 or not len(above) or above.dtype.kind not in "iu":
        raise ParameterError("parent is an array of whole numbers with one entry for each node.")
    numbers = np.arange(len(above))
    if above[0] != -1 or ((above >= numbers) | ((above < 0) & (numbers > 0))).any():
        raise ParameterError("node 0 is the root, with parent -1, and every other node stands after its parent.")
    depth = [0] * len(above)
    for node, up in enumerate(above.tolist()):
        if node:
            depth[node] = depth[up] + 1
    return np.array(depth, dtype=np.int64)


def _sizes(name: str, given: Any, n: int) -> _Floats:
    sizes = np.asarray(given, dtype=np.float64)
    if sizes.shape not in ((), (n,)) or not np.isfinite(sizes).all() or (sizes < 0).any():
        raise ParameterError(f"{name} is a number, or one for each of the {n} nodes, none of them negative.")
    return np.broadcast_to(sizes, (n,))


def _left_edges(parent: list[int], width: list[float]) -> list[float]:
    """The left edge of each node; `width` includes the gap to the right."""
    forest = _Forest(parent, width)
    for node in range(len(parent) - 1, -1, -1):  # children before parents
        forest.place(node)
    return forest.left_edges()


class _Forest:
    """Subtrees that are placed from the leaves upwards; the places of nodes are relative until the end."""

    def __init__(self, parent: list[int], width: list[float]) -> None:
        n = len(parent)
        self.parent, self.width = parent, width
        self.children: list[list[int]] = [[] for _ in range(n)]
        for node in range(1, n):
            self.children[parent[node]].append(node)
        self.own = [0.0] * n  # the place of a node in its subtree
        self.moved = [0.0] * n  # how far a subtree was moved among its siblings
        self.levels = [1] * n  # how many levels a subtree has
        # The outline of a subtree: where it goes on below a node without children, its lowest node on each side, and
        # how far all subtrees from the top down to that node were moved.
        self.left_thread, self.right_thread = [-1] * n, [-1] * n
        self.left_end, self.right_end = list(range(n)), list(range(n))
        self.left_sum, self.right_sum = [0.0] * n, [0.0] * n
        # What subtrees that stand between two touching ones are moved by, as differences from sibling to sibling.
        self.step, self.settle = [0.0] * n, [0.0] * n

    def place(self, node: int) -> None:
        """Put the subtrees of the children side by side, and the node over their middle."""
        below = self.children[node]
        if not below:
            return
        levels = self.levels
        seen: list[tuple[int, int]] = []  # whose right outline is seen from the right: (levels, sibling), least last
        for i, child in enumerate(below):
            if i:
                self._push(below, i, seen)
            while seen and seen[-1][0] <= levels[child]:
                seen.pop()
            seen.append((levels[child], i))
        first, last = below[0], below[-1]
        begin = self.own[first] + self.moved[first]
        end = self.own[last] + self.moved[last] + self.width[last]
        self.own[node] = (begin + end - self.width[node]) / 2
        levels[node] = 1 + seen[0][0]
        self.left_end[node], self.left_sum[node] = self.left_end[first], self.left_sum[first]
        self.right_end[node], self.right_sum[node] = self.right_end[last], self.right_sum[last]

    def _push(self, below: list[int], i: int, seen: list[tuple[int, int]]) -> None:
        """Move subtree i to the right until its left outline clears the right outline of those before it."""
        own, moved, width, children = self.own, self.moved, self.width, self.children
        left, right = below[i - 1], below[i]
        left_sum, right_sum = moved[left], moved[right]
        level, k = 1, len(seen) - 1
        while True:
            if level > seen[k][0]:
                k -= 1
            overlap = left_sum + own[left] + width[left] - right_sum - own[right]
            if overlap > 0:
                right_sum += overlap
                self._move(below, i, seen[k][1], overlap)
            left = children[left][-1] if children[left] else self.right_thread[left]
            right = children[right][0] if children[right] else self.left_thread[right]
            if left < 0 or right < 0:
                break
            left_sum += moved[left]
            right_sum += moved[right]
            level += 1
        first, before, child = below[0], below[i - 1], below[i]
        if left < 0 <= right:  # subtree i reaches lower: the left outline of all goes on along its own
            end = self.left_end[first]
            self.left_thread[end] = right
            self._hang(end, right_sum - self.left_sum[first])
            self.left_end[first], self.left_sum[first] = self.left_end[child], self.left_sum[child]
        elif right < 0 <= left:  # those before reach lower: the right outline of i goes on along theirs
            end = self.right_end[child]
            self.right_thread[end] = left
            self._hang(end, left_sum - self.right_sum[child])
            self.right_end[child], self.right_sum[child] = self.right_end[before], self.right_sum[before]

    def _hang(self, end: int, distance: float) -> None:
        """Let what is reached by the thread of a lowest node count from there, while the node stays where it is."""
        self.moved[end] += distance
        self.own[end] -= distance

    def _move(self, below: list[int], i: int, touched: int, distance: float) -> None:
        """Move subtree i away from the one that it touches, and those between by their part."""
        child = below[i]
        self.moved[child] += distance
        self.left_sum[child] += distance
        self.right_sum[child] += distance
        if touched < i - 1:
            part = distance / (i - touched)
            self.step[below[touched + 1]] += part
            self.step[child] -= part
            self.settle[child] -= distance - part

    def left_edges(self) -> list[float]:
        """The places of all nodes on the page."""
        n = len(self.parent)
        edges, total = [0.0] * n, [0.0] * n
        for node in range(n):
            above = self.parent[node]
            total[node] = self.moved[node] + (total[above] if above >= 0 else 0.0)
            edges[node] = self.own[node] + total[node]
            step = extra = 0.0
            for child in self.children[node]:
                step += self.step[child]
                extra += step + self.settle[child]
                self.moved[child] += extra
        return edges
