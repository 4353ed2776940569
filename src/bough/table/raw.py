"""The two forms in which every column arrives, whatever library it came from: numbers, or codes of labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.table.levels import Label, as_label, label_key

__all__ = ["Array", "Labels", "Numbers", "Raw", "all_missing", "label_values"]

Array: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True)
class Numbers:
    """A column of numbers or points in time.

    `data` is float32, float64 (NaN is missing), int64 or uint64; `missing` marks the unknown rows of whole numbers.
    `dtype` is the name that the schema keeps; "null" means that the column held no value of any type.
    """

    data: Array
    missing: Array | None
    dtype: str


@dataclass(frozen=True)
class Labels:
    """A column of labels: `codes` point into `labels`, -1 is missing.

    The labels are distinct. `declared` says that the column's type lists them, in an order worth keeping and perhaps
    with some that no row holds; otherwise they stand in no particular order.
    """

    codes: Array
    labels: Sequence[Label]
    declared: bool = False
    ordered: bool = False


Raw: TypeAlias = Numbers | Labels


def all_missing(n_rows: int) -> Numbers:
    """A column in which nothing is known, not even its type."""
    return Numbers(np.full(n_rows, np.nan), None, "null")


def label_values(
    codes: Array, values: Sequence[Any], column: str, *, declared: bool = False, ordered: bool = False
) -> Labels:
    """Labels from codes into arbitrary values: missing values become code -1 and values of one label are merged."""
    if set(map(type, values)) <= {str} and len(set(values)) == len(values):
        return Labels(codes, values, declared, ordered)
    labels: list[Label] = []
    place: dict[Any, int] = {}
    code_of = np.full(len(values) + 1, -1, dtype=np.int32)  # the last entry serves code -1
    for i, value in enumerate(values):
        label = as_label(value, column)
        if label is not None:
            code_of[i] = place.setdefault(label_key(label), len(labels))
            if code_of[i] == len(labels):
                labels.append(label)
            elif type(label) is int:
                labels[code_of[i]] = label  # 1 and 1.0 are one label, written the same in any order of rows
    return Labels(code_of[codes], labels, declared, ordered)
