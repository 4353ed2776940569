"""The bootstrap of average precision, for which no formula is at hand: rows are drawn again.

All rows are drawn together, not class by class: average precision goes by the share of the class, which varies, too.
Rows with the same probabilities, class and weight are one cell, and the draws of a cell are counted: a tree has few of
them, so that a thousand draws of a large table take no time. Intervals are Efron's bias-corrected percentiles.

B. Efron, Better bootstrap confidence intervals, Journal of the American Statistical Association 82, 1987.
"""

from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Cells", "bias_corrected"]

Floats = npt.NDArray[np.float64]
_ROOM = 2_000_000  # numbers of a block of draws


class Cells:
    """Rows by what they are told, their class and their weight.

    Parameters
    ----------
    shares : ndarray of shape (n_rows, n_classes)
    truth : ndarray of int
    weights : ndarray

    Attributes
    ----------
    shares, truth, weights : ndarray
        Of each cell.
    rows : ndarray of int
        How many rows are in each cell.
    """

    def __init__(self, shares: Floats, truth: npt.NDArray[Any], weights: Floats) -> None:
        found, first, rows = np.unique(
            np.column_stack([truth, weights, shares]), axis=0, return_index=True, return_counts=True
        )
        self.shares, self.truth, self.weights = found[:, 2:], truth[first], found[:, 1]
        self.rows = rows

    def draws(self, n_resamples: int, random: np.random.Generator) -> Iterator[Floats]:
        """The weight of each cell in each draw, in blocks."""
        block, rows = max(1, _ROOM // len(self.rows)), int(self.rows.sum())
        for begin in range(0, n_resamples, block):
            size = min(block, n_resamples - begin)
            yield random.multinomial(rows, self.rows / rows, size=size) * self.weights

    def average_precision(self, codes: Sequence[int], drawn: Floats | None = None) -> Floats:
        """The average precision of some classes against the rest, in the rows or in draws: a row for each of these."""
        weights = (self.rows * self.weights)[np.newaxis] if drawn is None else drawn
        found = np.empty((len(weights), len(codes)))
        for place, code in enumerate(codes):
            order = np.argsort(-self.shares[:, code], kind="stable")
            begins = np.flatnonzero(np.diff(self.shares[order, code], prepend=np.inf))
            held, own = weights[:, order], self.truth[order] == code
            taken = np.cumsum(np.add.reduceat(held, begins, axis=1), axis=1)
            hits = np.add.reduceat(held * own, begins, axis=1)
            right = np.cumsum(hits, axis=1)
            precision = np.divide(right, taken, out=np.zeros_like(right), where=taken > 0)
            total = right[:, -1]  # a draw without rows of the class says nothing
            found[:, place] = np.divide(
                (precision * hits).sum(axis=1), total, out=np.full(len(total), np.nan), where=total > 0
            )
        return found

    def drawn_precision(self, codes: Sequence[int], n_resamples: int, seed: int) -> Floats:
        """The same in draws."""
        draws = self.draws(n_resamples, np.random.default_rng(seed))
        return np.concatenate([self.average_precision(codes, drawn) for drawn in draws])


def bias_corrected(values: Floats, value: float, level: float) -> tuple[float, float]:
    """The bias-corrected percentile interval of a value by what it is in draws; NaN where they are all alike.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.validate.bootstrap import bias_corrected
    >>> [round(end, 2) for end in bias_corrected(np.linspace(0, 1, 1001), 0.5, 0.9)]
    [0.05, 0.95]
    """
    known = values[np.isfinite(values)]
    if len(known) < 2 or np.ptp(known) <= 1e-12 * np.abs(known).max():
        return np.nan, np.nan
    normal = NormalDist()
    below = (np.count_nonzero(known < value) + np.count_nonzero(known == value) / 2) / len(known)
    room = 0.5 / len(known)
    shift = normal.inv_cdf(min(max(below, room), 1 - room))
    ends = [normal.cdf(2 * shift + side * normal.inv_cdf((1 + level) / 2)) for side in (-1, 1)]
    low, high = np.quantile(known, ends)
    return float(min(low, value)), float(max(high, value))
