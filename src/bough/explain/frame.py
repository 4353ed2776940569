"""Explanations of many rows as a data frame: rows with one way to one leaf share their words."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.explain.explanation import Explanation, explain_way
from bough.explain.way import Way, walk
from bough.model.asked import Asked
from bough.model.frame import as_frame
from bough.model.routing import columns_read
from bough.model.ways import cells_of
from bough.table import Encoded

__all__ = ["explain_table", "ways_of"]

Array = npt.NDArray[Any]


def explain_table(
    asked: Asked,
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
    asked : Asked
    columns : sequence of Encoded
    nodes : ndarray
        Where each row ends.
    answers, shares : ndarray
        What the model answered, and the probabilities it gave in the order of the tree's classes.
    """
    made: dict[Way, Explanation] = {}
    found: list[Explanation] = []
    for row, way in enumerate(ways_of(asked, columns, nodes)):
        if way not in made:
            told = None if shares is None else shares[row]
            made[way] = explain_way(asked, way, answers[row], told, level=level, most_levels=most_levels)
        found.append(made[way])
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


def ways_of(asked: Asked, columns: Sequence[Encoded], nodes: Array) -> list[Way]:
    """The way of each row; only those are walked that may have come to their node otherwise than by their values."""
    order = np.argsort(nodes, kind="stable")
    ends, sure = nodes[order], _sure(asked, columns, nodes, order)
    by_value = {end: Way((), ((end, 1.0),)) for end in np.unique(ends).tolist()}
    ways: list[Any] = [None] * len(nodes)
    for row, end, clear in zip(order.tolist(), ends.tolist(), sure.tolist(), strict=True):
        ways[row] = by_value[end] if clear else walk(asked, cells_of(columns, row))
    return ways


def _sure(asked: Asked, columns: Sequence[Encoded], nodes: Array, order: Array) -> Array:
    """Which rows, by the node in which they end, took every branch to it by their values, for sure."""
    arrays, ends = asked.tree.arrays, nodes[order]
    is_leaf = np.diff(arrays.child_begin) == 0
    sure: Array = is_leaf[ends]
    unknown = {number: rows[order] for number, rows in _unknown(asked, columns).items()}
    # Nodes are in preorder: those below one follow it, so that the rows which pass it stand together.
    after = list(range(1, len(is_leaf) + 1))
    parents = arrays.parent.tolist()
    for node in range(len(is_leaf) - 1, 0, -1):
        after[parents[node]] = max(after[parents[node]], after[node])
    begin, end = np.searchsorted(ends, np.arange(len(after))).tolist(), np.searchsorted(ends, after).tolist()
    for node in np.flatnonzero(~is_leaf).tolist():
        own = slice(begin[node], end[node])
        if own.start == own.stop:
            continue
        test = asked.asked_at(node)
        for column in test.columns:
            if column in unknown:
                sure[own] &= ~unknown[column][own]
        if test.known_codes is not None:  # a level that the test did not meet in training has no branch
            met = np.zeros(asked.tree.schema.columns[test.column].n_levels, dtype=bool)
            met[test.known_codes] = True
            sure[own] &= met.take(columns[test.column].data[order[own]], mode="clip")
    return sure


def _unknown(asked: Asked, columns: Sequence[Encoded]) -> dict[int, Array]:
    """For each column that is read, the rows in which it is missing or a level never seen, if there are any."""
    unknown = {}
    for number in columns_read(asked.tree):
        column = columns[number]
        is_code = asked.tree.schema.columns[number].kind != "numeric"
        rows = column.data < 0 if is_code else column.data != column.data
        if column.missing is not None:
            rows = rows | column.missing
        if rows.any():
            unknown[number] = rows
    return unknown
