"""The upper part of a large tree: as many nodes as are asked for, those with the most rows first."""

import heapq

import numpy as np

from bough.model import Tree

__all__ = ["upper_part"]


def upper_part(tree: Tree, most: int) -> Tree:
    """Return the tree with at most so many nodes, cut where the fewest rows are.

    Examples
    --------
    >>> import bough
    >>> from bough.view.page.upper import upper_part
    >>> tree = bough.CARTRegressor(pruning=None).fit({"x": list(range(400))}, list(range(400))).tree_
    >>> upper_part(tree, 7).n_nodes
    7
    """
    arrays = tree.arrays
    begin, children, rows = arrays.child_begin, arrays.children, arrays.rows
    left = most - 1
    opened = np.zeros(tree.n_nodes, dtype=bool)
    heap = [(-int(rows[0]), 0)]
    while heap:
        _, node = heapq.heappop(heap)
        below = children[begin[node] : begin[node + 1]].tolist()
        if not below or len(below) > left:
            continue
        opened[node] = True
        left -= len(below)
        for child in below:
            heapq.heappush(heap, (-int(rows[child]), child))
    inner = np.diff(begin) > 0
    above = np.concatenate([[True], opened[arrays.parent[1:]]])
    return tree.cut(np.flatnonzero(inner & ~opened & above).astype(np.int32))
