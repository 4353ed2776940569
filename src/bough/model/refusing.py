"""Refusals that depend on the way of a row: a value is missed only where a test asks for it.

A row that lacks what its way never asks is answered as any other (twenty questions need not all be asked); what is
refused wherever it is, `Inputs` refuses when it reads the table.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import DataError
from bough.model.inputs import Rows
from bough.table import Encoded, kernel_columns, missing_rows

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["refuse_asked"]

_ADVICE = "Find it out, or fit with another answer to missing, such as 'fractional'."


def refuse_asked(tree: "Tree", rows: Rows) -> None:
    """Raise a DataError for the first row that lacks a value for which a test on its way asks.

    Parameters
    ----------
    tree : Tree
    rows : Rows
        As the tree has read them.
    """
    asked = _asked(tree)
    unseen = tree.inputs.unseen == "missing"
    lacks = {column: _lacks(rows.encoded[column], unseen) for column in set(asked.values())}
    lacking = np.zeros(len(rows), dtype=bool)
    for one in lacks.values():
        lacking |= one
    some = np.flatnonzero(lacking)
    if not len(some):
        return
    chosen = [Encoded(held.data[some], None if held.missing is None else held.missing[some]) for held in rows.encoded]
    begin, nodes = _core.decision_path(tree.kernel, kernel_columns(rows.schema, chosen), 1)
    for place, row in enumerate(some.tolist()):
        for node in nodes[begin[place] : begin[place + 1]].tolist():
            if node in asked and lacks[asked[node]][row]:
                name = rows.schema.names[asked[node]]
                raise DataError(
                    f"Column {name!r} lacks the value of row {row}, and a test on its way asks for it. {_ADVICE}"
                )


def _asked(tree: "Tree") -> dict[int, int]:
    """The column that each inner node asks."""
    arrays = tree.arrays
    primary = np.flatnonzero(arrays.split_role == 0)
    owner = np.repeat(np.arange(len(arrays.split_begin) - 1), np.diff(arrays.split_begin))
    return dict(zip(owner[primary].tolist(), arrays.split_column[primary].tolist(), strict=True))


def _lacks(column: Encoded, unseen: bool) -> npt.NDArray[np.bool_]:
    """Which rows lack the value; a level that no training row held may count as lacking."""
    missing = missing_rows(column)
    return missing | (column.data == -2) if unseen and column.data.dtype == np.int32 else missing
