"""`missing='most_likely'`: values filled in before growing, and the branch of each written into the splits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.training import Training
from bough.model.arrays import arrays_of
from bough.model.tests import read_test
from bough.table import Encoded, Schema, Table, missing_rows

__all__ = ["fill_table", "send_missing"]

Floats = npt.NDArray[np.float64]


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


def send_missing(tree: _core.Tree, values: Sequence[Any], schema: Schema) -> _core.Tree:
    """The tree whose tests send a missing value where they send the value that stands for it."""
    if len(tree) == 1:
        return tree
    arrays = tree.to_arrays()
    pool = arrays_of(tree)
    found = [read_test(pool, split, schema.columns).branch(values) for split in range(len(pool.split_column))]
    arrays["split_missing"] = np.array([-1 if isinstance(one, str) else one for one in found], dtype=np.int32)
    return _core.Tree.from_arrays(arrays, tree.routing)
