"""From the arrays of a tree to what its splits ask: one by one, and for all at once, because trees can have many."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.features.all_of import AllOf
from bough.model.features.column import ColumnValue
from bough.model.features.feature import Feature
from bough.model.features.largest import Largest
from bough.model.features.linear import Linear
from bough.model.features.network import Network
from bough.table import Column

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["DERIVED", "asks_curves", "columns_asked", "network_asked", "read_feature", "sums_asked", "without_cells"]

Ints: TypeAlias = npt.NDArray[np.int64]

DERIVED = (AllOf, Linear, Largest, Network)  # the features that are more than a column
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


def asks_curves(arrays: "Arrays") -> bool:
    """Whether some sum has products of columns."""
    return len(getattr(arrays, "lin_other", ())) > 0


def sums_asked(arrays: "Arrays") -> Iterator[tuple[int, float, float]]:
    """The numbers that sums ask: the column, the standard deviation of its term, and its mean.

    In their order; after them those of which sums only ask products, with the root of the deviation, and the centre.
    """
    pool: Any = arrays
    if len(getattr(pool, "split_feature", ())) == 0:
        return
    lists = (pool.lin_column, pool.lin_code, pool.lin_scale, pool.lin_fill, pool.lin_origin)
    products = len(getattr(pool, "lin_other", ())) > 0
    single = pool.lin_other < 0 if products else np.ones(len(pool.lin_column), dtype=bool)
    for column, code, scale, fill, origin in zip(*(each[single].tolist() for each in lists), strict=True):
        if code < 0:
            yield column, scale, fill + origin
    if not products:
        return
    firsts = (pool.lin_column, pool.lin_code, pool.lin_origin, pool.lin_centre)
    seconds = (pool.lin_other, pool.lin_other_code, pool.lin_other_origin, pool.lin_other_centre)
    for factors in (firsts, seconds):
        told = (each[~single].tolist() for each in (*factors, pool.lin_scale))
        for column, code, origin, centre, scale in zip(*told, strict=True):
            if code < 0:
                yield column, math.sqrt(scale), centre + origin


def network_asked(arrays: "Arrays") -> int | None:
    """The first node that asks a network; None if there is none."""
    asked = np.flatnonzero(Network.is_asked(arrays, np.arange(len(arrays.split_column))))
    primary = [int(split) for split in asked if arrays.split_role[split] == 0]
    return int(np.searchsorted(arrays.split_begin, primary[0], side="right")) - 1 if primary else None


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
