"""From the arrays of a tree to its tests; the one place that knows the kinds by the numbers that the kernel writes."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.model.features import read_feature, without_cells
from bough.model.features.largest import Largest
from bough.model.features.numbers import SIDES, numbers_of
from bough.model.tests.cells import Cut
from bough.model.tests.holds import Holds
from bough.model.tests.intervals import Intervals
from bough.model.tests.levels import Levels
from bough.model.tests.test import Test
from bough.model.tests.threshold import Threshold
from bough.model.tests.winner import Winner
from bough.table import Column

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = [
    "KINDS",
    "cuts_of",
    "know_every_level",
    "levels_parted",
    "missing_branch",
    "read_test",
    "splits_of_edges",
    "splits_of_thresholds",
]

_TESTS: tuple[type[Test], ...] = (Threshold, Levels, Intervals, Holds)  # in the order of the kernel's numbers
KINDS = tuple(test.kind for test in _TESTS)


def read_test(arrays: "Arrays", split: int, schema: Sequence[Column] | None, *, unseen_is_missing: bool = True) -> Test:
    """The test of a split.

    Parameters
    ----------
    arrays : Arrays
        Of the tree, or the kernel's tree itself.
    split : int
        The number of the split.
    schema : sequence of Column or None
        The columns of the tree; without them a test has no words, and no level that was never seen.
    unseen_is_missing : bool, default=True
        Whether the routing of the tree takes a level that no training row held for a missing one.
    """
    feature = read_feature(arrays, split, schema, unseen_is_missing=unseen_is_missing)
    kind: Any = Winner if isinstance(feature, Largest) else _TESTS[arrays.split_kind[split]]
    test: Test = kind.read(arrays, split, feature, missing_branch(arrays, split))
    test.found = int(arrays.split_found[split])
    return test


def missing_branch(arrays: "Arrays", split: int) -> int | None:
    """The branch that a split has for missing values; None if the routing of the tree decides."""
    missing = arrays.split_missing
    branch = int(missing[split]) if len(missing) else -1
    return branch if branch >= 0 else None


def splits_of_thresholds(arrays: "Arrays") -> npt.NDArray[np.intp]:
    """The numbers of the splits that are thresholds: `split_payload` has their bits."""
    return np.flatnonzero(arrays.split_kind == Threshold.number)


def splits_of_edges(arrays: "Arrays") -> npt.NDArray[np.intp]:
    """The number of the split that each entry of `edge_bits` belongs to."""
    return np.repeat(np.flatnonzero(arrays.split_kind == Intervals.number), np.diff(arrays.edge_begin))


def know_every_level(arrays: "Arrays", splits: npt.NDArray[np.bool_], schema: Sequence[Column]) -> bool:
    """Whether some splits have a branch for all levels that training rows held, so that none is absent there."""
    if len(without_cells(arrays, splits)):
        return False
    chosen = np.flatnonzero(splits & (arrays.split_kind == Levels.number))
    held = np.diff(arrays.set_begin)[arrays.split_payload[chosen].astype(np.int64)]
    seen = np.array([column.n_levels - len(column.unused) for column in schema])
    return bool((held >= seen[arrays.split_column[chosen]]).all())


def cuts_of(arrays: "Arrays", splits: npt.NDArray[np.bool_]) -> Iterator[tuple[int, Cut]]:
    """Where some splits cut columns; as arrays, not one by one, because those of surrogates are very many."""
    splits = splits.copy()
    splits[without_cells(arrays, splits)] = False
    owners = splits_of_edges(arrays)
    thresholds = splits_of_thresholds(arrays)
    columns, sides = arrays.split_column, arrays.split_side
    parts = [
        (thresholds, columns[thresholds], arrays.split_payload[thresholds], arrays.split_value_type[thresholds],
         sides[thresholds]),
        (owners, columns[owners], arrays.edge_bits, arrays.edge_type, sides[owners]),
    ]  # fmt: skip
    if len(arrays.term_bits):
        conjunctions = np.flatnonzero(arrays.split_kind == Holds.number)
        asking = np.repeat(conjunctions, np.diff(arrays.term_begin))
        own = np.flatnonzero(arrays.term_code < 0)  # terms that are thresholds
        parts.append(
            (asking[own], arrays.term_column[own], arrays.term_bits[own], arrays.term_type[own], arrays.term_side[own])
        )
    for asked_by, column_of, bits, types, side_of in parts:
        chosen = splits[asked_by]
        numbers = numbers_of(bits[chosen], types[chosen])
        after = (side_of[chosen] == SIDES.index("le")).tolist()
        for column, number, side in zip(column_of[chosen].tolist(), numbers, after, strict=True):
            yield column, Cut(number, side)


def levels_parted(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many levels some splits part into sets: 0 for those that part no levels."""
    count = np.zeros(len(splits), dtype=np.int64)
    of_levels = np.asarray(arrays.split_kind)[splits] == Levels.number
    sets = np.asarray(arrays.split_payload)[splits[of_levels]].astype(np.int64)
    count[of_levels] = np.diff(arrays.set_begin)[sets]
    return count
