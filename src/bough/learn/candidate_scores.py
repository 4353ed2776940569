"""How good all tests of a column are, under every criterion: for classes by their counts, for numbers by their errors.

Tests are judged together, from what each value of the column holds, so that memory grows with the rows and not with
rows times thresholds.
"""

from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from scipy import stats

from bough import _core

__all__ = ["CLASS_CRITERIA", "NUMBER_CRITERIA", "ClassScores", "NumberScores", "Scores", "measures"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CLASS_CRITERIA = ("gain", "gain_ratio", "gini", "misclassification", "twoing", "chi_squared")
NUMBER_CRITERIA = ("squared_error", "absolute_error", "worst_error")


class Scores(Protocol):
    """The judge of the tests of a node; rows come by number, with the place of their value among those of a column.

    Attributes
    ----------
    criteria : tuple of str
        What tests can be the best by. The test that others are compared with is the best by the first.
    """

    criteria: ClassVar[tuple[str, ...]]

    def thresholds(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """What every threshold between two neighbouring values is worth, the lowest first."""

    def levels(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """What one branch for each value is worth: arrays of one entry."""


class ClassScores:
    """For classes: drops of impurity, and what else compares the classes of the branches.

    Parameters
    ----------
    codes : ndarray of int
        The class of each row.
    n_classes : int
    weights : ndarray
        0 for rows that are not at the node.
    discount : bool
        Whether drops are multiplied by the share of the weight with a known value.
    """

    criteria: ClassVar[tuple[str, ...]] = CLASS_CRITERIA

    def __init__(self, codes: npt.NDArray[Any], n_classes: int, weights: Floats, *, discount: bool) -> None:
        self._codes, self._n_classes, self._weights = codes.astype(np.int64), n_classes, weights
        self._total, self._discount = float(weights.sum()), discount

    def thresholds(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """Two branches each."""
        counts = self._counts(rows, place)
        low = np.cumsum(counts, axis=0)[:-1]
        return measures(np.stack([low, counts.sum(axis=0) - low], axis=1), self._total, discount=self._discount)

    def levels(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """A branch for each value."""
        return measures(self._counts(rows, place)[np.newaxis], self._total, discount=self._discount)

    def _counts(self, rows: Ints, place: Ints) -> Floats:
        """By value and class: the weight."""
        size = int(place.max()) + 1
        cell = place * self._n_classes + self._codes[rows]
        counts = np.bincount(cell, self._weights[rows], size * self._n_classes)
        return np.asarray(counts, dtype=np.float64).reshape(size, self._n_classes)


def measures(branches: Floats, weight: float, *, discount: bool = True) -> dict[str, Floats]:
    """Judge tests by their class counts.

    Parameters
    ----------
    branches : ndarray of shape (n_tests, n_branches, n_classes)
        Weight of each class in each branch.
    weight : float
        Of all rows of the node, those without a value included.
    discount : bool, default=True
        Multiply drops by the share of the weight with a value.

    Returns
    -------
    dict of ndarrays of shape (n_tests,)
    """
    sizes = branches.sum(axis=2)
    whole = branches.sum(axis=1)
    known = sizes.sum(axis=1)
    share = known / weight
    counted = share if discount else np.ones_like(share)

    def drop(impurity: Any) -> Floats:
        after = (sizes / known[:, np.newaxis] * impurity(branches)).sum(axis=1)
        return np.asarray(np.maximum(impurity(whole) - after, 0.0) * counted)

    gain = drop(_entropy)
    sent = np.concatenate([sizes, (weight - known)[:, np.newaxis]], axis=1)
    intrinsic = _entropy(sent)
    expected = sizes[:, :, np.newaxis] * whole[:, np.newaxis, :] / known[:, np.newaxis, np.newaxis]
    off = np.divide((branches - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    chi_squared = off.sum(axis=(1, 2))
    freedom = ((sizes > 0).sum(axis=1) - 1) * ((whole > 0).sum(axis=1) - 1)
    twoing = np.full(len(branches), np.nan)
    if branches.shape[1] == 2:
        shares = _shares(branches)
        apart = np.abs(shares[:, 0] - shares[:, 1]).sum(axis=1)
        twoing = sizes[:, 0] * sizes[:, 1] / known**2 / 4 * apart**2 * counted
    return {
        "known": share,
        "gain": gain,
        "intrinsic_value": intrinsic,
        "gain_ratio": np.divide(gain, intrinsic, out=np.zeros_like(gain), where=intrinsic > 1e-12),
        "gini": drop(_gini),
        "gini_after": (sizes / known[:, np.newaxis] * _gini(branches)).sum(axis=1),
        "misclassification": drop(_misclassification),
        "twoing": twoing,
        "chi_squared": chi_squared,
        "p_value": np.where(freedom > 0, stats.chi2.sf(chi_squared, np.maximum(freedom, 1)), 1.0),
    }


class NumberScores:
    """For numbers: drops of the mean square, of the mean distance from the median, and of the largest from the mean.

    Parameters
    ----------
    values : ndarray of float
        What each row has to say.
    weights : ndarray
        0 for rows that are not at the node.
    discount : bool
        Whether drops are multiplied by the share of the weight with a known value.
    """

    criteria: ClassVar[tuple[str, ...]] = NUMBER_CRITERIA

    def __init__(self, values: Floats, weights: Floats, *, discount: bool) -> None:
        self._total, self._discount = float(weights.sum()), discount
        # Sums of squares around the mean of the node lose no digits to an offset.
        self._values, self._weights = values - float(values @ weights) / self._total, weights

    def thresholds(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """Two branches each."""
        rows, ends = self._sorted(rows, place)
        low = _along(self._values[rows], self._weights[rows], ends[:-1])
        high = _along(self._values[rows[::-1]], self._weights[rows[::-1]], (len(rows) - 1 - ends)[-2::-1] - 1)
        return self._judged(np.stack([low, high[:, ::-1]], axis=1), self._whole(rows))

    def levels(self, rows: Ints, place: Ints) -> dict[str, Floats]:
        """A branch for each value."""
        rows, ends = self._sorted(rows, place)
        return self._judged(
            np.stack([self._whole(part) for part in np.split(rows, ends[:-1] + 1)], axis=1)[:, :, np.newaxis],
            self._whole(rows),
        )

    def _sorted(self, rows: Ints, place: Ints) -> tuple[Ints, Ints]:
        """The rows by value, and where the last of each value stands."""
        return rows[np.argsort(place, kind="stable")], np.cumsum(np.bincount(place)) - 1

    def _whole(self, rows: Ints) -> Floats:
        """The statistics of all of them."""
        return _along(self._values[rows], self._weights[rows], np.array([len(rows) - 1]))[:, 0]

    def _judged(self, parts: Floats, whole: Floats) -> dict[str, Floats]:
        """Judge tests by statistics (first axis) of their branches (second) and of the node."""
        weight, squares, distance, worst = parts
        known = whole[0]
        share = known / self._total
        counted = share if self._discount else 1.0
        n_branches, n_tests = weight.shape
        before = {"squared_error": whole[1] / known, "absolute_error": whole[2] / known, "worst_error": whole[3]}
        after = {
            "squared_error": squares.sum(axis=0) / known,
            "absolute_error": distance.sum(axis=0) / known,
            "worst_error": worst.max(axis=0),
        }
        found = {"known": np.full(n_tests, share)}
        for name in NUMBER_CRITERIA:
            drop = before[name] - after[name]
            # The largest distance from a mean may rise; the others cannot, but for rounding.
            found[name] = (drop if name == "worst_error" else np.maximum(drop, 0.0)) * counted
            found[f"{name}_after"] = after[name]
        within, between = squares.sum(axis=0), np.maximum(whole[1] - squares.sum(axis=0), 0.0)
        free = (n_branches - 1, known - n_branches)
        with np.errstate(divide="ignore", invalid="ignore"):
            f_value = np.where(free[1] > 0, between / free[0] / (within / free[1]), np.nan)
        found["f_value"] = f_value
        found["p_value"] = stats.f.sf(f_value, *free) if free[1] > 0 else np.full(n_tests, np.nan)
        return found


def _along(values: Floats, weights: Floats, ends: Ints) -> Floats:
    """Statistics of the rows up to each of some ends, the ends rising.

    Weight, sum of squares around the mean, sum of distances from the median, largest distance from the mean.
    """
    mass, sums, squares = (np.cumsum(weights * values**power)[ends] for power in (0, 1, 2))
    mean = sums / mass
    lowest, highest = np.minimum.accumulate(values)[ends], np.maximum.accumulate(values)[ends]
    distance = _core.absolute_errors_along(np.ascontiguousarray(values), np.ascontiguousarray(weights))[ends]
    around = np.maximum(squares - sums * mean, 0.0)
    return np.stack([mass, around, distance, np.maximum(highest - mean, mean - lowest)])


def _shares(counts: Floats) -> Floats:
    sums = counts.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0))


def _entropy(counts: Floats) -> Floats:
    shares = _shares(counts)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=-1))


def _gini(counts: Floats) -> Floats:
    return np.asarray(np.where(counts.sum(axis=-1) > 0, 1.0 - (_shares(counts) ** 2).sum(axis=-1), 0.0))


def _misclassification(counts: Floats) -> Floats:
    return np.asarray(np.where(counts.sum(axis=-1) > 0, 1.0 - _shares(counts).max(axis=-1), 0.0))
