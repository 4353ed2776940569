"""Tables without missing values: each is replaced by the most likely value of its column."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.table.encode import Encoded, Table, missing_rows

__all__ = ["fill_table"]

Floats = npt.NDArray[np.float64]


def fill_table(
    table: Table, weights: Floats | None, codes: npt.NDArray[np.uint32] | None = None
) -> tuple[Table, list[Any]]:
    """The table without missing values, and what stands for a missing value of each column.

    Parameters
    ----------
    table : Table
    weights : ndarray or None
        One a row, None if all are one.
    codes : ndarray or None
        The class of each row, if values are to be the most likely ones within it.

    Returns
    -------
    table : Table
    values : list
        Of all rows; None for a column without a known value.
    """
    weights = np.ones(table.n_rows) if weights is None else weights
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
    return Table(table.schema, filled, table.n_rows), values


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
