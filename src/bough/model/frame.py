"""The nodes of a tree as a data frame."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bough.model.text import class_text

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["to_frame"]


def to_frame(tree: "Tree", *, counts: bool = True) -> Any:
    """See `Tree.to_frame`."""
    columns = node_columns(tree, counts=counts)
    try:
        import pandas as pd
    except ImportError:
        pass
    else:
        return pd.DataFrame(columns)
    try:
        import polars as pl
    except ImportError:
        return columns
    return pl.DataFrame(columns)


def node_columns(tree: "Tree", *, counts: bool) -> dict[str, Any]:
    """One array or list for each property, one entry a node."""
    arrays = tree.arrays
    leaf = np.diff(arrays.child_begin) == 0
    columns: dict[str, Any] = {
        "node": np.arange(tree.n_nodes),
        "parent": arrays.parent.astype(np.int64),
        "depth": tree.kernel.depths().astype(np.int64),
        "condition": _conditions(tree),
        "is_leaf": leaf,
        "column": _columns_asked(tree, leaf),
        "rows": arrays.rows.copy(),
        "weight": arrays.weight.copy(),
        "impurity": arrays.impurity.copy(),
        "risk": arrays.risk.copy(),
        "complexity": arrays.complexity.copy(),
    }
    if tree.class_labels is None:
        columns["answer"] = arrays.value.copy()
        return columns
    columns["answer"] = tree.labels(np.arange(tree.n_nodes))
    if counts:
        owner = np.repeat(np.arange(tree.n_nodes), np.diff(arrays.count_begin))
        for number, label in enumerate(tree.class_labels):
            column = np.zeros(tree.n_nodes)
            mine = arrays.count_class == number
            column[owner[mine]] = arrays.count_weight[mine]
            columns[f"n[{class_text(label)}]"] = column
    return columns


def _conditions(tree: "Tree") -> list[str]:
    conditions = [""] * tree.n_nodes
    for node in tree.nodes:
        split = node.split
        if split is not None:
            for branch, child in enumerate(node.children):
                conditions[child.id] = split.describe(branch)
    return conditions


def _columns_asked(tree: "Tree", leaf: Any) -> list[str]:
    names = tree.schema.names
    first = np.where(leaf, 0, tree.arrays.split_begin[:-1])
    asked = tree.arrays.split_column[first] if len(tree.arrays.split_column) else np.zeros(len(leaf), np.int32)
    return ["" if is_leaf else names[column] for is_leaf, column in zip(leaf.tolist(), asked.tolist(), strict=True)]
