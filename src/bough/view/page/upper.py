"""The upper part of a large tree: as many nodes as are asked for, those that would be missed most."""

import numpy as np

from bough.model import Tree
from bough.model.folding import fold

__all__ = ["upper_part"]


def upper_part(tree: Tree, most: int) -> Tree:
    """Return the tree with at most so many nodes, cut as drawings fold it.

    Examples
    --------
    >>> import bough
    >>> from bough.view.page.upper import upper_part
    >>> tree = bough.CARTRegressor(pruning=None).fit({"x": list(range(400))}, list(range(400))).tree_
    >>> upper_part(tree, 7).n_nodes
    7
    """
    cut = [part.nodes[0] for part in fold(tree, max_nodes=most) if part.kind == "folded"]
    return tree.cut(np.array(cut, dtype=np.int32))
