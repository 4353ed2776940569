"""The nodes of a tree as a sequence, and how they are addressed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from bough.errors import NodeError, ParameterError
from bough.model.node import Node
from bough.model.text import counted

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Nodes", "find_node", "read_ids"]


class Nodes(Sequence[Node]):
    """The nodes of a tree in preorder, made when asked for."""

    def __init__(self, tree: "Tree") -> None:
        self._tree = tree

    def __len__(self) -> int:
        return self._tree.n_nodes

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> list[Node]: ...
    def __getitem__(self, index: int | slice) -> Node | list[Node]:
        if isinstance(index, slice):
            return [Node(self._tree, i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"no node {index} in a tree of {len(self)} nodes")
        return Node(self._tree, index % len(self))

    def __iter__(self) -> Iterator[Node]:
        return (Node(self._tree, i) for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self):,} nodes>"


def find_node(tree: "Tree", where: Any) -> Node:
    """See `Tree.node`."""
    if _is_whole(where):
        number, n = int(where), tree.n_nodes
        if not -n <= number < n:
            ids = f"its ids are 0 to {n - 1:,}" if n > 1 else "its only id is 0"
            raise NodeError(f"the tree has no node {number}: it has {counted(n, 'node')}, and {ids}.")
        return tree.nodes[number]
    steps = None if isinstance(where, str | bytes) or not isinstance(where, Iterable) else tuple(where)
    if steps is None or not all(map(_is_whole, steps)):
        raise ParameterError(
            f"a node is named by its id, a whole number, or by its path, the branch numbers from the root such as "
            f"(0, 1); got {where!r:.80}."
        )
    node = tree.root
    for step, branch in enumerate(steps):
        children = node.children
        if not 0 <= branch < len(children):
            above = f"the node {steps[:step]}" if step else "the root"
            has = f"the branches 0 to {len(children) - 1}" if children else "no branches: it is a leaf"
            raise NodeError(f"the tree has no node at {steps}: {above} has {has}.")
        node = children[branch]
    return node


def read_ids(tree: "Tree", nodes: Any) -> npt.NDArray[np.int32]:
    """The ids of nodes to cut at, checked."""
    given = np.atleast_1d(nodes) if isinstance(nodes, np.ndarray | np.integer | int) else np.array(list(nodes), object)
    whole = given.dtype.kind in "iu" or all(map(_is_whole, given))
    outside = given[(given < 0) | (given >= tree.n_nodes)] if whole else given
    if len(outside):
        raise ParameterError(
            f"the nodes to cut at are ids, whole numbers from 0 to {tree.n_nodes - 1}; got {nodes!r:.80}."
        )
    return given.astype(np.int32)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
