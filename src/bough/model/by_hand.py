"""Pruning by hand: chosen nodes become leaves, and a log says what that costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.node import Node
from bough.model.nodes import find_node

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Pruned", "prune_at"]


class Pruned(NamedTuple):
    """A smaller tree, what was cut, and where its nodes were before."""

    tree: "Tree"
    log: list[tuple[tuple[int, ...], str, float, float]]
    origin: npt.NDArray[np.int32]


def prune_at(tree: "Tree", *nodes: "Node | int | Sequence[int]") -> Pruned:
    """Prune by hand: return a tree in which the given nodes are leaves, and what that changed.

    Parameters
    ----------
    *nodes : Node, int or sequence of int
        Each a node of this tree, its id, or its path: the branch numbers from the root. Leaves stay as they are.

    Returns
    -------
    tree : Tree
        The smaller tree. The complexities of its nodes are those of the smaller tree.
    log : list of tuples
        What was cut, in preorder: the path of the node, "leaf", and the risk before (of the leaves below) and
        after, on the training rows and in the unit of `Node.risk`.
    origin : ndarray of int
        For each node of the smaller tree its id in this one.

    Examples
    --------
    >>> import bough
    >>> fruit = bough.datasets.load_fruit()
    >>> tree = bough.ID3Classifier().fit(fruit.data, fruit.target).tree_
    >>> smaller, log, origin = tree.prune_at((1,), (2,))
    >>> smaller.n_leaves, [entry[0] for entry in log]
    (6, [(1,), (2,)])
    """
    if not nodes:
        raise ParameterError("prune_at needs at least one node: its id, its path, or the node itself.")
    chosen = sorted({_id_of(tree, node) for node in nodes})
    kernel, origin = tree.kernel.cut(chosen)
    arrays = tree.arrays
    leaf = np.diff(arrays.child_begin) == 0
    log = []
    end = 0  # of the subtree cut last: chosen nodes inside it go with it
    for node in chosen:
        if node < end or leaf[node]:
            continue
        end = int(arrays.end[node])
        before = float(arrays.risk[node:end][leaf[node:end]].sum()) / tree.risk_total
        log.append((tree.nodes[node].path, "leaf", before, tree.nodes[node].risk))
    return Pruned(tree.with_kernel(_core.weakest_links(kernel)), log, origin)


def _id_of(tree: "Tree", node: Any) -> int:
    if isinstance(node, Node):
        if node.tree is not tree:
            raise ParameterError("the node belongs to another tree; name it by its path to prune this one there.")
        return node.id
    return find_node(tree, node).id
