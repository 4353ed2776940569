"""Virtual values: missing values replaced by the most likely ones, in the table that is grown on and in the tree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.training import Training
from bough.table import Encoded, Table, missing_rows

__all__ = ["fill_table", "send_missing"]

Floats = npt.NDArray[np.float64]
_TYPES = (np.float64, np.int64, np.uint64)  # of thresholds, as the kernel numbers them
_THRESHOLD, _LEVELS, _INTERVALS = 0, 1, 2


def fill_table(training: Training, codes: npt.NDArray[np.uint32] | None) -> tuple[Training, list[Any]]:
    """The training data without missing values, and what stands for a missing value of each column.

    Parameters
    ----------
    training : Training
    codes : ndarray or None
        The class of each row, if values are to be the most likely ones within it.

    Returns
    -------
    training : Training
    values : list
        Of all rows; None for a column without a known value.
    """
    table = training.table
    weights = np.ones(table.n_rows) if training.weights is None else training.weights
    filled, values = [], []
    for column in table.columns:
        gone = missing_rows(column)
        value = _likely(column, ~gone, weights)
        values.append(value)
        if value is None or not gone.any():
            filled.append(column)
            continue
        data = column.data.copy()
        data[gone] = value
        if codes is not None:
            for code in np.unique(codes[gone]).tolist():
                own = _likely(column, ~gone & (codes == code), weights)
                data[gone & (codes == code)] = value if own is None else own
        filled.append(Encoded(data))
    return Training(Table(table.schema, filled, table.n_rows), training.weights), values


def _likely(column: Encoded, rows: npt.NDArray[np.bool_], weights: Floats) -> Any:
    """The most frequent level (the first of several), or the median of a number (the lower of two), by weight."""
    rows = rows & (weights > 0)
    if not rows.any():
        return None
    data, mass = column.data[rows], weights[rows]
    if data.dtype == np.int32:
        totals = np.bincount(data.clip(0), weights=mass)
        return int(np.argmax(totals >= totals.max() * (1 - 1e-12)))
    order = np.argsort(data, kind="stable")
    passed = np.cumsum(mass[order])
    return data[order[int(np.argmax(passed >= passed[-1] / 2 * (1 - 1e-12)))]].item()


def send_missing(tree: _core.Tree, values: Sequence[Any]) -> _core.Tree:
    """The tree whose tests send a missing value where they send the value that stands for it."""
    if len(tree) == 1:
        return tree
    arrays = tree.to_arrays()
    branches = [_branch(tree, split, values) for split in range(len(tree.split_column))]
    arrays["split_missing"] = np.array(branches, dtype=np.int32)
    return _core.Tree.from_arrays(arrays, tree.routing)


def _branch(tree: _core.Tree, split: int, values: Sequence[Any]) -> int:
    """The branch of the value that stands for a missing one; -1 where there is none."""
    value = values[tree.split_column[split]]
    kind, payload = tree.split_kind[split], tree.split_payload[split : split + 1]
    if value is None:
        return -1
    if kind == _THRESHOLD:
        edge = payload.view(_TYPES[tree.split_value_type[split]])[0].item()
        low = int(tree.split_low[split])
        return low if value < edge or (value == edge and tree.split_side[split] == 0) else 1 - low
    number = int(payload[0])
    if kind == _LEVELS:
        begin, end = tree.set_begin[number], tree.set_begin[number + 1]
        place = np.flatnonzero(tree.set_code[begin:end] == value)
        return int(tree.set_branch[begin:end][place[0]]) if len(place) else -1
    if kind == _INTERVALS:
        begin, end = int(tree.edge_begin[number]), int(tree.edge_begin[number + 1])
        passed = begin + number
        for edge in range(begin, end):
            bound = tree.edge_bits[edge : edge + 1].view(_TYPES[tree.edge_type[edge]])[0].item()
            if value < bound or (value == bound and tree.split_side[split] == 0):
                break
            passed += 1
        return int(tree.interval_branch[passed])
    holds = all(
        (values[tree.term_column[term]] == tree.term_code[term]) != bool(tree.term_negated[term])
        for term in range(int(tree.term_begin[number]), int(tree.term_begin[number + 1]))
    )
    return int(tree.split_low[split]) if holds else 1 - int(tree.split_low[split])
