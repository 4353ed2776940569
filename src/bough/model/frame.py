"""The nodes of a tree as a data frame."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bough.model.spread import deviations
from bough.model.text import class_text, level_set

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["as_frame", "to_frame"]


def to_frame(tree: "Tree", *, counts: bool = True, probabilities: bool = True) -> Any:
    """Return a data frame with one row a node: pandas, else polars, else a dict of columns, as installed.

    `threshold` is the number that is compared (ticks since 1970 of a time, the code of an ordered level),
    `threshold_text` the same as drawings show it, or the edges of intervals, `levels` the sets of levels of all
    branches. `risk` and `complexity` are in the units of a pruning path. Numbers are answered with their
    `deviation`.

    Parameters
    ----------
    counts : bool, default=True
        Add a column ``n[label]`` for each class.
    probabilities : bool, default=True
        Add a column ``p[label]`` for each class.
    """
    return as_frame(node_columns(tree, counts=counts, probabilities=probabilities))


def as_frame(columns: dict[str, Any]) -> Any:
    """A data frame of pandas or polars, whichever is installed; the columns themselves if neither is."""
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


def node_columns(tree: "Tree", *, counts: bool, probabilities: bool) -> dict[str, Any]:
    """One array or list for each property, one entry a node."""
    arrays = tree.arrays
    leaf = np.diff(arrays.child_begin) == 0
    columns: dict[str, Any] = {
        "node": np.arange(tree.n_nodes),
        "parent": arrays.parent.astype(np.int64),
        "depth": tree.kernel.depths().astype(np.int64),
        **_test_columns(tree, leaf),
        "rows": arrays.rows.copy(),
        "weight": arrays.weight.copy(),
        "impurity": arrays.impurity.copy(),
        "risk": arrays.risk / tree.risk_total,
        "complexity": arrays.complexity / tree.risk_total,
    }
    if tree.class_labels is None:
        columns["answer"] = arrays.value.copy()
        spread = deviations(tree)
        return columns if spread is None else columns | {"deviation": spread.copy()}
    every = np.arange(tree.n_nodes, dtype=np.int32)
    columns["answer"] = tree.labels(every)
    names = [class_text(label) for label in tree.class_labels]
    if counts:
        owner = np.repeat(every, np.diff(arrays.count_begin))
        for number, name in enumerate(names):
            column = np.zeros(tree.n_nodes)
            mine = arrays.count_class == number
            column[owner[mine]] = arrays.count_weight[mine]
            columns[f"n[{name}]"] = column
    if probabilities:
        shares = tree.probabilities(every)
        columns |= {f"p[{name}]": shares[:, number].copy() for number, name in enumerate(names)}
    return columns


def _test_columns(tree: "Tree", leaf: Any) -> dict[str, Any]:
    """What leads to each node, and what it asks."""
    conditions, texts, levels = ([""] * tree.n_nodes for _ in range(3))
    thresholds = np.full(tree.n_nodes, np.nan)
    for node in tree.nodes:
        split = node.split
        if split is None:
            continue
        for branch, child in enumerate(node.children):
            conditions[child.id] = split.describe(branch)
        if split.test.raw_threshold is not None:
            thresholds[node.id] = split.test.raw_threshold
        texts[node.id] = split.threshold_text
        if split.levels is not None:
            levels[node.id] = " | ".join(level_set(branch) for branch in split.levels)
    return {
        "condition": conditions,
        "is_leaf": leaf,
        "column": _columns_asked(tree, leaf),
        "threshold": thresholds,
        "threshold_text": texts,
        "levels": levels,
    }


def _columns_asked(tree: "Tree", leaf: Any) -> list[str]:
    names = tree.schema.names
    first = np.where(leaf, 0, tree.arrays.split_begin[:-1])
    asked = tree.arrays.split_column[first] if len(tree.arrays.split_column) else np.zeros(len(leaf), np.int32)
    return ["" if is_leaf else names[column] for is_leaf, column in zip(leaf.tolist(), asked.tolist(), strict=True)]
