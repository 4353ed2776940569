"""Numbers as labels and labels as numbers, for columns that come as one and are wanted as the other."""

import numpy as np

from bough.table.objects import read_objects
from bough.table.raw import Array, Labels, Numbers, Raw, all_missing, label_values
from bough.table.temporal import parse_temporal

__all__ = ["as_labels", "as_numbers", "present_codes"]


def as_labels(raw: Raw, column: str) -> Labels:
    """A column of labels; each distinct number or point in time becomes a label."""
    if isinstance(raw, Labels):
        return raw
    known = ~_missing_rows(raw)
    values, inverse = np.unique(raw.data[known], return_inverse=True)
    codes = np.full(len(raw.data), -1, dtype=np.int32)
    codes[known] = inverse
    meaning = parse_temporal(raw.dtype)
    plain = (values + 0).tolist() if meaning is None else meaning.as_values(values)  # + 0 turns -0.0 into 0.0
    return label_values(codes, plain, column)


def as_numbers(labels: Labels, column: str) -> Numbers | None:
    """A column of numbers if all labels that rows hold are numbers or bools, or all are times; else None."""
    present = present_codes(labels)
    held = (labels.labels[code] for code in present)
    read = read_objects([int(label) if isinstance(label, bool) else label for label in held], column)
    if isinstance(read, Labels):
        return None
    place = np.zeros(len(labels.labels) + 1, dtype=np.int64)  # the last entry serves code -1
    place[present] = np.arange(len(present))
    missing = labels.codes < 0
    if read.dtype == "null":
        return all_missing(len(missing))
    data = read.data[place[labels.codes]]
    if data.dtype.kind == "f":
        data[missing] = np.nan
        return Numbers(data, None, read.dtype)
    return Numbers(data, missing if missing.any() else None, read.dtype)


def present_codes(labels: Labels, used: Array | None = None) -> Array:
    """Codes that at least one row holds, rising; with `used`, one of those rows."""
    codes = labels.codes if used is None else labels.codes[used]
    if len(codes) < len(labels.labels):  # a few rows of a type with many levels
        found = np.unique(codes)
        return found[found >= 0]
    return np.flatnonzero(np.bincount(codes + 1, minlength=len(labels.labels) + 1)[1:])


def _missing_rows(numbers: Numbers) -> Array:
    if numbers.data.dtype.kind == "f":
        return np.isnan(numbers.data)
    return np.zeros(len(numbers.data), dtype=bool) if numbers.missing is None else numbers.missing
