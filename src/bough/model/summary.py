"""A tree in a few lines."""

from typing import TYPE_CHECKING

import numpy as np

from bough.model.text import amount, counted, plain_number
from bough.table import format_text

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["head", "kind_words", "size_words", "summary"]

_MOST_NAMES = 12


def head(tree: "Tree") -> str:
    """One line: what is predicted, from how many rows, by how large a tree."""
    return f"{kind_words(tree)} for {format_text(tree.target)}: {size_words(tree)}"


def kind_words(tree: "Tree") -> str:
    """What kind of tree it is."""
    return f"{'Classification' if tree.is_classifier else 'Regression'} tree"


def size_words(tree: "Tree") -> str:
    """From how many rows it was grown, and how large it is."""
    rows, weight = int(tree.arrays.rows[0]), float(tree.arrays.weight[0])
    weighted = "" if weight == rows else f" of weight {amount(weight)}"
    size = f"{counted(tree.n_nodes, 'node')}, {counted(tree.n_leaves, 'leaf')}, depth {tree.depth:,}"
    return f"{counted(rows, 'row')}{weighted}, {size}"


def summary(tree: "Tree") -> str:
    """Describe the tree in a few lines: the head, what is asked, and how much risk the splits removed."""
    arrays = tree.arrays
    leaves = np.diff(arrays.child_begin) == 0
    used = tree.columns_used
    names = [format_text(name) for name in used[:_MOST_NAMES]]
    if len(used) > len(names):
        names.append(f"… {len(used) - len(names):,} more")
    root_risk, leaf_risk = tree.root.risk, float(arrays.risk[leaves].sum()) / tree.risk_total
    lines = [
        head(tree),
        f"columns asked: {', '.join(names) if names else 'none'} ({len(used):,} of {len(tree.schema):,})",
        *(["a row counts as often as it was drawn for the tree, one of a forest"] if tree.counts_draws else []),
        f"tests met by a training row: {plain_number(tree.mean_tests)} on average",
        f"rows in a leaf: {int(arrays.rows[leaves].min()):,} to {int(arrays.rows[leaves].max()):,}",
        f"risk on the training rows: {plain_number(root_risk)} without splits, {plain_number(leaf_risk)} in the leaves",
    ]
    return "\n".join(lines)
