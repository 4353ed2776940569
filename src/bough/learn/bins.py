"""Where to cut numbers into levels: equal widths, equal frequencies, or where classes change (entropy and MDL)."""

import numpy as np
import numpy.typing as npt

from bough.learn.training import Training
from bough.model.bins import Bins
from bough.table import missing_rows

__all__ = ["equal_frequency", "equal_width", "find_bins", "mdl_cuts"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def find_bins(training: Training, labels: npt.NDArray[np.uint32], rule: str, n_bins: int) -> Bins:
    """Edges for every numeric column of a training table."""
    weights = np.ones(training.table.n_rows) if training.weights is None else training.weights
    edges: list[Floats | None] = []
    for column, encoded in zip(training.table.schema, training.table.columns, strict=True):
        if column.kind != "numeric":
            edges.append(None)
            continue
        known = ~missing_rows(encoded) & (weights > 0)
        values = encoded.data[known].astype(np.float64)
        if rule == "equal_width":
            edges.append(equal_width(values, n_bins))
        elif rule == "equal_frequency":
            edges.append(equal_frequency(values, weights[known], n_bins))
        else:
            edges.append(mdl_cuts(values, labels[known], weights[known]))
    return Bins(tuple(edges))


def equal_width(values: Floats, n_bins: int) -> Floats:
    """Edges at equal distances.

    Examples
    --------
    >>> equal_width(np.array([0.0, 1.0, 8.0]), 4)
    array([2., 4., 6.])
    """
    if len(values) == 0:
        return np.empty(0)
    # Halves first, so that the width of no range overflows.
    low, high = values.min() / 2, values.max() / 2
    return np.unique(2 * (low + (high - low) * (np.arange(1, n_bins) / n_bins)))


def equal_frequency(values: Floats, weights: Floats, n_bins: int) -> Floats:
    """Edges midway between values, nearest to equal shares of the weight.

    Examples
    --------
    >>> equal_frequency(np.array([1.0, 2.0, 3.0, 10.0]), np.ones(4), 2)
    array([2.5])
    """
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return np.empty(0)
    below = np.cumsum(np.bincount(place, weights=weights))
    shares = below[-1] * np.arange(1, n_bins) / n_bins
    # Rounding must not move a share that a boundary meets.
    after = np.searchsorted(below[:-1], shares * (1 + 1e-12), side="right")
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, len(distinct) - 2)
    nearer = np.where(shares - below[before] <= below[after] - shares, before, after)
    return _midway(distinct, np.unique(nearer))


def mdl_cuts(values: Floats, labels: npt.NDArray[np.uint32], weights: Floats) -> Floats:
    """Edges where classes change (Fayyad and Irani, 1993): each cut lowers entropy by more than it takes to tell it.

    Examples
    --------
    >>> mdl_cuts(np.arange(20.0), np.repeat([0, 1], 10).astype(np.uint32), np.ones(20))
    array([9.5])
    """
    distinct, place = np.unique(values, return_inverse=True)
    n_classes = int(labels.max()) + 1 if len(labels) else 1
    counts = np.zeros((len(distinct) + 1, n_classes))
    np.add.at(counts, (place + 1, labels), weights)
    below = np.cumsum(counts, axis=0)  # weight of each class below a boundary
    cuts: list[int] = []
    stack = [(0, len(distinct))]
    while stack:
        start, end = stack.pop()
        cut = _best_cut(below[start : end + 1] - below[start])
        if cut is not None:
            cuts.append(start + cut - 1)
            stack += [(start, start + cut), (start + cut, end)]
    return _midway(distinct, np.array(sorted(cuts), dtype=np.int64))


def _best_cut(below: Floats) -> int | None:
    """The boundary of least entropy in a range of values, if it is worth its description."""
    whole = below[-1]
    total = whole.sum()
    if len(below) < 3 or (whole > 0).sum() < 2:
        return None
    left, right = below[1:-1], whole - below[1:-1]
    after = (_bits(left) + _bits(right)) / total
    cut = int(np.argmax(after <= after.min() + 1e-12))
    parts = np.stack([whole, left[cut], right[cut]])
    present = (parts > 1e-9 * total).sum(axis=1)
    entropy = _bits(parts) / parts.sum(axis=1)
    gain = entropy[0] - after[cut]
    told = np.log2(3.0 ** present[0] - 2.0) - (present * entropy * [1, -1, -1]).sum()
    return cut + 1 if gain > (np.log2(max(total - 1.0, 1.0)) + told) / total else None


def _bits(counts: Floats) -> Floats:
    """Entropy of class weights times their sum, by row."""
    total = counts.sum(axis=1)
    logs = np.log2(counts, where=counts > 0, out=np.zeros_like(counts))
    return np.asarray(total * np.log2(total, where=total > 0, out=np.zeros_like(total)) - (counts * logs).sum(axis=1))


def _midway(distinct: Floats, before: Ints | npt.NDArray[np.intp]) -> Floats:
    """Edges between values and their successors; never equal to the larger one."""
    low, high = distinct[before], distinct[before + 1]
    middle = low / 2 + high / 2
    return np.asarray(np.where((middle >= high) | (middle < low), low, middle))
