"""A tree of the kernel as nodes of the plain version, so that both are printed and compared by the same code."""

from __future__ import annotations

from typing import Any

from bough.errors import DataError
from bough.testing.c45.node import Node
from bough.testing.c45.search import Split
from bough.testing.kernel import read_tree as read_arrays
from bough.testing.splits import Levels, Threshold


def read_tree(tree: Any, *, binary: bool = False) -> Node:
    """The tree with all that its arrays say of weights; which rows reach a node is not known.

    Parameters
    ----------
    tree : object
        With the arrays of the kernel's tree as attributes.
    binary : bool, default=False
        Whether nominal columns are tested by one level against the rest.
    """
    reading = read_arrays(tree)
    root = Node([], list(reading.counts or ()))
    stack = [(reading, root)]
    while stack:
        theirs, node = stack.pop()
        if theirs.split is None:
            continue
        for child in theirs.children:
            empty = child.weight == 0
            counts = [0.0 if empty else count for count in child.counts or ()]
            node.children.append(Node([], counts, empty=empty))
        node.branches = [list(child.counts) for child in node.children]
        node.split = _split(theirs.split, len(node.children), binary=binary)
        stack += zip(theirs.children, node.children, strict=True)
    return root


def _split(split: Threshold | Levels, n_branches: int, *, binary: bool) -> Split:
    if isinstance(split, Threshold):
        return Split(split.column, 2, threshold=split.value)
    if not binary:
        if any(level != branch for level, branch in split.branches.items()):
            raise DataError(f"column {split.column}: expected a branch for every level, found {split.branches}")
        return Split(split.column, n_branches)
    (alone,) = (level for level, branch in split.branches.items() if branch == 0)
    return Split(split.column, 2, level=alone)
