"""Linear literals: which of the conditions a·x <= b of a rule follow from the others, and whether they can hold at all.

A condition follows if the largest a·x that the others allow is at most b: one linear program each. Where that largest
value is b itself, it matters which conditions are strict: a second program asks for a point that reaches b and keeps
all strict conditions by a margin. Numbers are taken as real, also those of columns of whole numbers.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError

__all__ = ["Interval", "Plane", "Planes", "reduce_planes"]

_TOLERANCE = 1e-9
_OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class Plane:
    """The condition that a weighted sum of columns is at most a bound, or below it.

    Parameters
    ----------
    weights : mapping of int to float
        For each column of the sum its weight; for `>` and `>=` with the other sign, and so the bound.
    bound : float
    strict : bool, default=False
        Below, and not equal.
    """

    weights: Mapping[int, float]
    bound: float
    strict: bool = False


@dataclass(frozen=True)
class Interval:
    """The values that other literals of a rule leave to a column."""

    low: float = -math.inf
    high: float = math.inf
    low_strict: bool = False
    high_strict: bool = False


@dataclass(frozen=True)
class Planes:
    """What linear literals of a rule come to.

    Attributes
    ----------
    kept : tuple of int
        The conditions that are needed.
    implied : tuple of int
        Those that follow from the kept ones.
    maxima : tuple of float
        For each condition the largest sum that the others allowed when it was looked at; empty if nothing holds.
    point : dict of int to float
        Values of the columns for which all conditions hold; empty if there are none.
    empty : bool
        Whether the conditions contradict each other.
    """

    kept: tuple[int, ...]
    implied: tuple[int, ...]
    maxima: tuple[float, ...]
    point: dict[int, float]
    empty: bool


def reduce_planes(planes: Sequence[Plane], intervals: Mapping[int, Interval] | None = None) -> Planes:
    """The linear conditions of a rule without those that follow from the others.

    One after another, from the first, each is compared with those still kept.

    Parameters
    ----------
    planes : sequence of Plane
    intervals : mapping of int to Interval, optional
        What the other literals of the rule leave to single columns; everything if not given.

    Returns
    -------
    Planes

    Examples
    --------
    >>> from bough.model.rules.cubes import Plane, reduce_planes
    >>> rule = [((0.40, 0.16), 0.11), ((0.27, -0.44), -0.02), ((0.96, -1.77), -0.45), ((5.43, -13.33), -6.03)]
    >>> found = reduce_planes([Plane(dict(enumerate(weights)), bound, strict=True) for weights, bound in rule])
    >>> found.kept
    (0, 3)
    >>> [round(largest, 4) for largest in found.maxima]
    [inf, -0.1917, -0.7814, inf]
    """
    given = {} if intervals is None else intervals
    for number, plane in enumerate(planes):
        for what, value in (("bound", plane.bound), *((f"weight of column {c}", w) for c, w in plane.weights.items())):
            if not math.isfinite(value):
                raise ParameterError(f"{what} of linear condition {number} is {value}: expected a finite number")
    columns = sorted({column for plane in planes for column in plane.weights} | set(given))
    problem = _Problem(planes, given, columns)
    point = problem.point(range(len(planes)))
    if point is None:
        return Planes((), (), (), {}, empty=True)
    kept = list(range(len(planes)))
    maxima = []
    for number, plane in enumerate(planes):
        others = [other for other in kept if other != number]
        largest = problem.largest(number, others)
        maxima.append(largest)
        tolerance = _TOLERANCE * max(1.0, abs(plane.bound))
        if largest < plane.bound - tolerance or (
            largest <= plane.bound + tolerance and not (plane.strict and problem.reaches(number, others))
        ):
            kept = others
    implied = tuple(number for number in range(len(planes)) if number not in kept)
    told = dict(zip(columns, point.tolist(), strict=True))
    return Planes(tuple(kept), implied, tuple(maxima), told, empty=False)


class _Problem:
    """Linear programs over the columns of some conditions; each condition is scaled to weights of at most one."""

    def __init__(self, planes: Sequence[Plane], intervals: Mapping[int, Interval], columns: Sequence[int]) -> None:
        places = {column: place for place, column in enumerate(columns)}
        self.rows = np.zeros((len(planes), len(columns)))
        for row, plane in zip(self.rows, planes, strict=True):
            for column, weight in plane.weights.items():
                row[places[column]] = weight
        largest = np.abs(self.rows).max(axis=1, initial=0.0)
        self.scale = np.where(largest > 0, largest, 1.0)
        self.rows /= self.scale[:, None]
        self.bounds = np.array([plane.bound for plane in planes], dtype=np.float64) / self.scale
        self.strict = np.array([plane.strict for plane in planes], dtype=bool)
        self.intervals = [intervals.get(column, Interval()) for column in columns]

    def largest(self, number: int, others: Sequence[int]) -> float:
        """The largest sum of a condition that others allow; infinite also where the program gives no answer."""
        if not self.intervals:
            return 0.0  # a sum of nothing
        found = self._solve(-self.rows[number], self.rows[others], self.bounds[others], self._box)
        return math.inf if found is None else -float(found.fun) * float(self.scale[number])

    def reaches(self, number: int, others: Sequence[int]) -> bool:
        """Whether a point reaches the bound of a condition and keeps all others, strict ones by a margin."""
        return self._point(others, -self.rows[number : number + 1], -self.bounds[number : number + 1]) is not None

    def point(self, numbers: Sequence[int]) -> npt.NDArray[np.float64] | None:
        """A point for which conditions hold; None if there is none."""
        return self._point(numbers, self.rows[:0], self.bounds[:0])

    def _point(
        self, numbers: Sequence[int], more: npt.NDArray[np.float64], at_most: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64] | None:
        """The point with the largest margin to strict conditions, at most one; None if it has no margin."""
        chosen = list(numbers)
        rows = [np.append(self.rows[k], float(self.strict[k])) for k in chosen] + [np.append(row, 0.0) for row in more]
        bounds = [*self.bounds[chosen], *at_most]
        any_strict = bool(self.strict[chosen].any())
        for place, interval in enumerate(self.intervals):
            unit = np.eye(len(self.intervals) + 1)[place]
            for end, strict, sign in (
                (interval.high, interval.high_strict, 1.0),
                (interval.low, interval.low_strict, -1.0),
            ):
                if strict and math.isfinite(end):
                    any_strict = True
                    rows.append(sign * unit + np.eye(len(unit))[-1])
                    bounds.append(sign * end)
        goal = np.zeros(len(self.intervals) + 1)
        goal[-1] = -1.0
        matrix = np.array(rows).reshape(len(rows), len(goal))
        found = self._solve(goal, matrix, np.array(bounds), [*self._box, (0.0, 1.0)])
        if found is None or (any_strict and not found.x[-1] > _TOLERANCE):
            return None
        return np.asarray(found.x[:-1])

    @property
    def _box(self) -> list[tuple[float, float]]:
        return [(interval.low, interval.high) for interval in self.intervals]

    @staticmethod
    def _solve(goal: npt.NDArray[Any], rows: npt.NDArray[Any], bounds: npt.NDArray[Any], box: Sequence[Any]) -> Any:
        """The least of a sum, or None if there is none: unbounded, impossible, or too hard."""
        from scipy.optimize import linprog

        found = linprog(goal, A_ub=rows, b_ub=bounds, bounds=list(box), method="highs", options=_OPTIONS)
        return found if found.status == 0 else None
