"""What supports the answer of a node, in words: how many rows, of what weight, and what share of them it is right for.

Text, pictures and pages say it alike: ``93 % of 274 rows``. Where a probability is not a share of the rows beside it,
because of priors, weights or smoothing, a dot stands between the two: ``93 % · 274 rows``.
"""

from typing import TYPE_CHECKING

import numpy as np

from bough.model.text import counted, share

if TYPE_CHECKING:
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = ["probabilities_are_shares", "rows_text", "support_text"]


def rows_text(node: "Node") -> str:
    """The number of training rows of a node, and their weight where it differs.

    Examples
    --------
    >>> import bough
    >>> from bough.model.support import rows_text
    >>> rows_text(bough.CARTClassifier().fit({"x": list(range(1200))}, [0, 1] * 600).tree_.root)
    '1,200 rows'
    """
    rows = counted(node.rows, "row")
    return rows if node.weight == node.rows else f"{rows} of weight {node.tree.decimals[1](node.weight)}"


def probabilities_are_shares(tree: "Tree") -> bool:
    """Whether the probabilities of classes are the shares of the training rows: no priors, weights, smoothing."""
    arrays = tree.arrays
    counts = np.zeros(len(tree.classes) if tree.classes is not None else 0)
    own = slice(arrays.count_begin[0], arrays.count_begin[1])
    counts[arrays.count_class[own]] = arrays.count_weight[own]
    told = tree.probabilities(np.zeros(1, dtype=np.int32))[0]
    return bool(np.allclose(told * counts.sum(), counts, rtol=0, atol=1e-9 * max(float(counts.sum()), 1.0)))


def support_text(node: "Node", rows: str | None = None) -> str:
    """The probability of the class that a node answers, and its rows; of a number, the rows alone.

    Also in a tree that was written down, not grown: nothing was counted that a class could have a share of.

    Parameters
    ----------
    node : Node
    rows : str, optional
        Other rows than those of training, as text.

    Examples
    --------
    >>> import bough
    >>> from bough.model.support import support_text
    >>> tree = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25).tree_
    >>> support_text(tree.root), support_text(tree.root, "7 rows")
    ('63 % of 40 rows', '63 % · 7 rows')
    """
    tree = node.tree
    if not tree.is_classifier:
        return rows or rows_text(node)
    likely = tree.probabilities(np.array([node.id], dtype=np.int32))[0][tree.arrays.label[node.id]]
    if likely == 1 and rows is None and not tree.has_rows:
        return rows_text(node)
    alike = rows is None and node.weight == node.rows and tree.shares_are_rows
    return f"{share(float(likely))} {'of' if alike else '·'} {rows or rows_text(node)}"
