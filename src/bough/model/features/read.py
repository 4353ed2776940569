"""From the arrays of a tree to what its splits ask: one by one, and for all at once, because trees can have many."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.features.all_of import AllOf
from bough.model.features.column import ColumnValue
from bough.model.features.feature import Feature
from bough.model.features.linear import Linear
from bough.table import Column

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["DERIVED", "columns_asked", "read_feature", "without_cells"]

Ints: TypeAlias = npt.NDArray[np.int64]

DERIVED = (AllOf, Linear)  # the features that are more than a column
_NAMELESS = Column("", "numeric", "float64")


def read_feature(
    arrays: "Arrays", split: int, schema: Sequence[Column] | None, *, unseen_is_missing: bool = True
) -> Feature:
    """What a split asks; see `read_test`."""
    for feature in DERIVED:
        if feature.is_asked_by(arrays, split):
            return feature.read(arrays, split, schema or (), unseen_is_missing=unseen_is_missing)
    column = int(arrays.split_column[split])
    return ColumnValue(column, _NAMELESS if schema is None else schema[column])


def without_cells(arrays: "Arrays", splits: npt.NDArray[np.bool_]) -> Ints:
    """The numbers of those splits that ask several columns at once, so that no cells of single columns decide."""
    chosen = np.flatnonzero(splits)
    boxless = [feature.is_asked(arrays, chosen) for feature in DERIVED if not feature.has_cells]
    return chosen[np.any(boxless, axis=0)]


def columns_asked(arrays: "Arrays", splits: Ints) -> tuple[Ints, Ints, npt.NDArray[np.float64]]:
    """The columns that splits ask, with the split of each and the share that the column has in it.

    Parameters
    ----------
    arrays : Arrays
    splits : ndarray of int
        Numbers of splits.
    """
    plain = np.ones(len(splits), dtype=bool)
    columns, owners, shares = [], [], []
    for feature in DERIVED:
        asked = feature.is_asked(arrays, splits)
        plain &= ~asked
        found, sizes, parts = feature.shares(arrays, splits[asked])
        columns.append(found)
        owners.append(np.repeat(splits[asked], sizes))
        shares.append(parts)
    alone = splits[plain]
    columns = [arrays.split_column[alone].astype(np.int64), *columns]
    return np.concatenate(columns), np.concatenate([alone, *owners]), np.concatenate([np.ones(len(alone)), *shares])
