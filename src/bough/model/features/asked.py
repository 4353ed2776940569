"""Which columns the splits of a tree ask, for all of them at once, as arrays: trees can have very many."""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.features.all_of import AllOf

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["DERIVED", "columns_asked"]

Ints: TypeAlias = npt.NDArray[np.int64]

DERIVED = (AllOf,)  # the features that are more than a column


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
