"""Lift, gains and the distance of Kolmogorov and Smirnov: what is won by taking the rows with the highest score first.

Rows with equal scores have no order among themselves: where a tenth ends among them, they count in proportion, which is
the mean over all their orders. The curve of gains so is straight between two scores.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from bough.model.wilson import wilson
from bough.validate.folds import Trial
from bough.validate.pieces import Columns, Curve, repeated
from bough.validate.rows import effective_rows

__all__ = ["Lift", "gains_curve", "ks_distance", "lift_columns", "lift_of"]

Floats = npt.NDArray[np.float64]
_TENTHS: Floats = np.linspace(0.1, 1.0, 10)


@dataclass(frozen=True)
class Lift:
    """What the rows with the highest probability of a class hold, tenth by tenth.

    Attributes
    ----------
    label : object
        The class.
    share : ndarray
        The share of all rows that is taken: 0.1, 0.2, ... 1.
    threshold : ndarray
        The lowest probability among them.
    rate : ndarray
        The share of the class among them.
    gain : ndarray
        The share of the rows of the class that is among them.
    lift : ndarray
        `rate` divided by the share of the class in all rows.
    low, high : ndarray
        The interval of the lift, by Wilson's intervals of the rates among the rows that are taken and those that are
        left. NaN where the lift is 1 whatever comes: of all rows, and where all have the same probability.
    """

    label: Any
    share: Floats
    threshold: Floats
    rate: Floats
    gain: Floats
    lift: Floats
    low: Floats
    high: Floats


def lift_of(label: Any, code: int, trial: Trial, level: float) -> Lift | None:
    """The lift of a class; None where all rows are of it, or none."""
    assert trial.shares is not None  # noqa: S101 (asked only where there are some)
    told = trial.weights > 0
    truth, weights = trial.truth[told] == code, trial.weights[told]
    base = float(np.average(truth, weights=weights))
    if not 0 < base < 1:
        return None
    edges, place = np.unique(-trial.shares[told, code], return_inverse=True)
    mass, own, squares = (_summed(one, place) for one in (weights, weights * truth, weights**2))
    taken = _taken(mass)
    rates, rows = [], []
    with np.errstate(invalid="ignore"):  # in the end no row is left
        for part in (taken, 1 - taken):
            rates.append(part @ own / (part @ mass))
            rows.append((part @ mass) ** 2 / (part**2 @ squares))
    gain = taken @ own / own.sum()
    low, high = _interval(rates, rows, base, level)
    if len(edges) == 1:  # rows without an order
        low, high = np.full((2, len(_TENTHS)), np.nan)
    threshold = -edges[[int(np.flatnonzero(part > 1e-12)[-1]) for part in taken]]
    return Lift(label, _TENTHS, threshold, rates[0], gain, gain / _TENTHS, low, high)


def _summed(values: Floats, place: npt.NDArray[np.intp]) -> Floats:
    """The sum of the values of the rows of each score."""
    return np.bincount(place, values).astype(np.float64)


def _taken(mass: Floats) -> Floats:
    """The part of the rows of each score, the highest first, that is among each tenth."""
    upto = np.cumsum(mass)
    taken: Floats = np.clip((_TENTHS[:, None] * upto[-1] - (upto - mass)) / mass, 0.0, 1.0)
    taken[-1] = 1.0
    return taken


def _interval(rates: list[Floats], rows: list[Floats], base: float, level: float) -> tuple[Floats, Floats]:
    """The interval of the lift of each tenth, from the rates of the rows that are taken and left; NaN if none is left.

    The lift rises with the first and falls with the second. Both are shares of rows of their own, whose distances to
    the ends of Wilson's intervals, each carried to the lift, add up by squares (Zou and Donner, Construction of
    confidence limits about effect measures, Statistics in Medicine 27, 2008). No rate and no gain is above 1.
    """
    (least, most), (rest_least, rest_most) = (wilson(*one, level) for one in zip(rates, rows, strict=True))

    def lift(rate: Floats, rest: Floats) -> Floats:
        return np.asarray(rate / np.maximum(_TENTHS * rate + (1 - _TENTHS) * rest, np.finfo(float).tiny))

    value = lift(*rates)
    low = value - np.hypot(value - lift(least, rates[1]), value - lift(rates[0], rest_most))
    high = value + np.hypot(lift(most, rates[1]) - value, lift(rates[0], rest_least) - value)
    floor = np.maximum(1 - (1 - _TENTHS) / base, 0.0) / _TENTHS
    return np.maximum(low, floor), np.minimum(high, 1 / np.maximum(_TENTHS, base))


def gains_curve(lift: Lift) -> Curve:
    """The share of a class that is found against the share of the rows that is taken."""
    x, y = (np.concatenate([[0.0], one]) for one in (lift.share, lift.gain))
    low, high = (np.concatenate([[0.0], end * lift.share]) for end in (lift.low, lift.high))
    return Curve(lift.label, x, y, low, high)


def ks_distance(trial: Trial, code: int, level: float) -> tuple[float, float, float]:
    """The largest distance between the shares of a class and of the others that are taken, and its interval.

    At the score where it is largest it is a difference of two shares, whose interval is Newcombe's: the distances to
    the ends of Wilson's intervals of both add up by squares. R. Newcombe, Interval estimation for the difference
    between independent proportions, Statistics in Medicine 17, 1998. That score is chosen by the same rows, and a score
    that tells nothing has a largest distance, too: the interval begins at 0 where the test of Kolmogorov and Smirnov
    at the same level does not reject that there is no distance (its asymptotic form, by the effective rows).
    """
    assert trial.shares is not None  # noqa: S101 (asked only where there are some)
    truth, weights = trial.truth == code, trial.weights
    sides = [weights * truth, weights * ~truth]
    if not all(side.any() for side in sides):
        return np.nan, np.nan, np.nan
    edges, place = np.unique(-trial.shares[:, code], return_inverse=True)
    taken = [np.cumsum(np.bincount(place, side, len(edges))) / side.sum() for side in sides]
    best = int(np.abs(taken[0] - taken[1]).argmax())
    first = 0 if taken[0][best] >= taken[1][best] else 1
    upper, lower = float(taken[first][best]), float(taken[1 - first][best])
    sizes = [effective_rows(side) for side in sides]
    above, below = (wilson(share, sizes[k], level) for share, k in ((upper, first), (lower, 1 - first)))
    value = upper - lower
    chance = float(special.kolmogorov(value * np.sqrt(sizes[0] * sizes[1] / sum(sizes))))
    low = value - float(np.hypot(upper - above[0], below[1] - lower))
    high = value + float(np.hypot(above[1] - upper, lower - below[0]))
    return value, max(low, 0.0) if chance < 1 - level else 0.0, min(high, 1.0)


def lift_columns(lifts: tuple[Lift, ...]) -> Columns:
    """One row a class and tenth."""
    columns: Columns = {"class": repeated(lifts, [len(lift.share) for lift in lifts])}
    for name in ("share", "threshold", "rate", "gain", "lift", "low", "high"):
        columns[name] = np.concatenate([getattr(lift, name) for lift in lifts]) if lifts else []
    return columns
