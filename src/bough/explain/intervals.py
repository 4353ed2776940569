"""Intervals for what a leaf says: the share of a class by Wilson's score, a mean by Student's t.

They rest on what a tree keeps of its rows: their number, their weight and the weight of each class.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bough.model import Tree
from bough.model.wilson import wilson

__all__ = ["mean_interval", "rows_told_by", "share_intervals"]

Floats = npt.NDArray[np.float64]


def rows_told_by(tree: Tree, node: int) -> float:
    """How many rows of equal weight a node knows its answer from.

    No more than the rows that it holds, however heavy they are, and no more than they weigh in units of the mean
    training row: so neither the scale of sample weights matters, nor is a part of a row a whole one.
    """
    arrays = tree.arrays
    rows, weight = float(arrays.rows[node]), float(arrays.weight[node])
    whole, all_rows = float(arrays.weight[0]), float(arrays.rows[0])
    return min(rows, weight / whole * all_rows) if whole > 0 else 0.0


def share_intervals(
    tree: Tree, ends: Sequence[tuple[int, float]], shares: npt.ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """The intervals of the probabilities of a case, by the number of the class.

    The share of the training rows of a leaf has Wilson's interval; where priors or class weights scale the classes, its
    ends are scaled as the share is, class against rest. The intervals of a case in parts add up by squares, as those of
    independent shares do (Zou and Donner, Construction of confidence limits about effect measures, 2008).

    Parameters
    ----------
    tree : Tree
    ends : sequence of (int, float)
        Where the case ends, by which shares.
    shares : array of shape (n_classes,)
        The probabilities that were answered. Smoothing moves them, not the interval, which is only widened to hold
        them.
    level : float, default=0.95
    """
    answered = np.asarray(shares, dtype=np.float64)
    if len(ends) == 1:
        _, low, high = _of_node(tree, ends[0][0], level)
    else:
        middle, below, above = np.zeros((3, len(answered)))
        for node, part in ends:
            own, least, most = _of_node(tree, node, level)
            middle += part * own
            below += (part * (own - least)) ** 2
            above += (part * (most - own)) ** 2
        low, high = np.maximum(middle - np.sqrt(below), 0.0), np.minimum(middle + np.sqrt(above), 1.0)
    return np.minimum(low, answered), np.maximum(high, answered)


def _of_node(tree: Tree, node: int, level: float) -> tuple[Floats, Floats, Floats]:
    """The shares that a node gives without smoothing, and their intervals."""
    counts = _counts(tree, node)
    weight = counts.sum()
    if not weight > 0:  # such a node answers as the one above it
        return np.full(len(counts), 0.5), np.zeros(len(counts)), np.ones(len(counts))
    scale = tree.arrays.class_scale
    share = counts / weight
    low, high = wilson(share, rows_told_by(tree, node), level)
    if (scale == scale[0]).all():
        return share, low, high
    # Where a node holds no other class, the others weigh what they weigh in all training rows.
    rest = _scale_of_rest(counts, scale, _scale_of_rest(_counts(tree, 0), scale, scale))
    return _scaled(share, scale, rest), _scaled(low, scale, rest), _scaled(high, scale, rest)


def _counts(tree: Tree, node: int) -> Floats:
    arrays = tree.arrays
    own = slice(arrays.count_begin[node], arrays.count_begin[node + 1])
    counts = np.zeros(len(arrays.class_scale))
    counts[arrays.count_class[own]] = arrays.count_weight[own]
    return counts


def _scale_of_rest(counts: Floats, scale: Floats, otherwise: Floats) -> Floats:
    """For each class the mean factor of the others, by their counts."""
    others = counts.sum() - counts
    held = others > 1e-12 * counts.sum()
    return np.asarray(np.divide(counts @ scale - counts * scale, others, out=otherwise.copy(), where=held))


def _scaled(share: Floats, scale: Floats, rest: Floats) -> Floats:
    """A share of class against rest, each times its factor."""
    own, other = share * scale, (1 - share) * rest
    whole = own + other
    return np.asarray(np.divide(own, whole, out=share.copy(), where=whole > 0))


def mean_interval(mean: float, deviation: float, rows: float, level: float = 0.95) -> tuple[float, float]:
    """Student's interval of a mean over so many rows with this standard deviation; infinite up to one row.

    Examples
    --------
    >>> from bough.explain.intervals import mean_interval
    >>> [round(x, 2) for x in mean_interval(10.0, 2.0, 25)]
    [9.16, 10.84]
    """
    if not rows > 1:
        return -math.inf, math.inf
    from scipy.special import stdtrit

    # The deviation of a node divides by the weight, that of the mean by one less.
    half = float(stdtrit(rows - 1, (1 + level) / 2)) * deviation / math.sqrt(rows - 1)
    return mean - half, mean + half
