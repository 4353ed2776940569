"""Explanations of many rows as a data frame: rows with one way to one leaf share their words."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.explain.explanation import Explanation, explain_case
from bough.explain.path import path_of
from bough.explain.way import cells_of
from bough.model import Node, Split, Tree
from bough.model.frame import as_frame
from bough.table import Encoded

__all__ = ["explain_table"]

Array = npt.NDArray[Any]


def explain_table(
    tree: Tree,
    columns: Sequence[Encoded],
    nodes: Array,
    answers: Array,
    shares: Array | None,
    *,
    level: float,
    most_levels: int | None,
) -> Any:
    """A data frame with one line for each row.

    Parameters
    ----------
    columns : sequence of Encoded
    nodes : ndarray
        Where each row ends.
    answers, shares : ndarray
        What the model answered, and the probabilities it gave in the order of the tree's classes.
    """

    def explain(row: int) -> Explanation:
        told = None if shares is None else shares[row]
        return explain_case(tree, cells_of(columns, row), answers[row], told, level=level, most_levels=most_levels)

    found = _shared(tree, columns, nodes, explain)
    table: dict[str, Any] = {"answer": list(answers.tolist())}
    if shares is not None:
        table |= {
            "probability": [each.probabilities[each.answer] for each in found],  # type: ignore[index]
            "low": [each.intervals[each.answer][0] for each in found],  # type: ignore[index]
            "high": [each.intervals[each.answer][1] for each in found],  # type: ignore[index]
            "runner_up": [each.runner_up for each in found],
            "runner_up_probability": [
                np.nan if each.runner_up is None else each.probabilities[each.runner_up]  # type: ignore[index]
                for each in found
            ],
        }
    else:
        table |= {
            "low": [np.nan if each.interval is None else each.interval[0] for each in found],
            "high": [np.nan if each.interval is None else each.interval[1] for each in found],
            "deviation": [np.nan if each.deviation is None else each.deviation for each in found],
        }
    table |= {
        "rule": [each.rule for each in found],
        "missing": ["; ".join(map(str, each.routes)) for each in found],
        "node": [each.node for each in found],
        "rows": [each.rows for each in found],
        "weight": [each.weight for each in found],
        "text": [each.text for each in found],
    }
    return as_frame(table)


def _shared(
    tree: Tree, columns: Sequence[Encoded], nodes: Array, explain: Callable[[int], Explanation]
) -> list[Explanation]:
    """The explanation of each row; made once for rows that come to a node by their values alone."""
    found: list[Explanation | None] = [None] * len(nodes)
    for end in np.unique(nodes).tolist():
        rows = np.flatnonzero(nodes == end)
        path = path_of(tree, end)
        plain = np.full(len(rows), tree.nodes[end].is_leaf)
        for above, below in itertools.pairwise(path):
            if not plain.any():
                break
            split = Node(tree, above).split
            assert split is not None  # noqa: S101
            plain &= _takes(split, int(tree.arrays.branch[below]), columns, rows)
        first: Explanation | None = None
        for row, shares in zip(rows.tolist(), plain.tolist(), strict=True):
            if not shares:
                found[row] = explain(row)
                continue
            first = first or explain(row)
            found[row] = first
    return [each for each in found if each is not None]


def _takes(split: Split, branch: int, columns: Sequence[Encoded], rows: Array) -> Array:
    """Which rows certainly take a branch by their own values; where that is not clear, none."""
    column = columns[split.column_index]
    data = column.data[rows]
    known = np.ones(len(rows), bool) if column.missing is None else ~column.missing[rows]
    if split.kind == "conjunction":
        holds, certain = np.ones(len(rows), bool), np.ones(len(rows), bool)
        for number, code, negated in split.coded_terms:
            codes = columns[number].data[rows]
            certain &= codes >= 0
            holds &= (codes == code) != negated
        told: Array = certain & (holds == (branch == split.low))
        return told
    if split.schema_column.kind == "numeric":
        # Numbers are compared by the kernel: a row that ends below took this branch, if its value is known.
        known &= ~np.isnan(data) if data.dtype.kind == "f" else True
        return known
    if split.kind == "levels":
        codes, _ = split.level_codes
        known &= np.isin(data, codes)
    taken: Array = known & (data >= 0)
    return taken
