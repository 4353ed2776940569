"""Linear conditions that follow from others are found by linear programming, strict ones told apart from the rest."""

import math
import random

import numpy as np
import pytest

from bough.errors import ParameterError
from bough.model.rules.cubes import Interval, Plane, reduce_planes

FOUR = [((0.40, 0.16), 0.11), ((0.27, -0.44), -0.02), ((0.96, -1.77), -0.45), ((5.43, -13.33), -6.03)]


def plane(weights, bound, strict=False):
    return Plane(dict(enumerate(weights)), bound, strict)


def test_of_four_conditions_the_first_and_the_last_are_needed():
    for strict in (True, False):
        found = reduce_planes([plane(weights, bound, strict) for weights, bound in FOUR])
        assert (found.kept, found.implied, found.empty) == ((0, 3), (1, 2), False)
        np.testing.assert_allclose(found.maxima, [math.inf, -0.1917, -0.7814, math.inf], atol=5e-5)
        assert all(np.dot(weights, [found.point[0], found.point[1]]) <= bound for weights, bound in FOUR)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (False, False, (1,)),  # of two equal ones the later stays
        (True, True, (1,)),
        (False, True, (1,)),  # below implies at most
        (True, False, (0,)),
    ],
)
def test_strict_conditions_imply_others_at_the_same_bound(first, second, kept):
    assert reduce_planes([plane((1, 2), 3, first), plane((2, 4), 6, second)]).kept == kept


def test_a_strict_bound_that_only_strict_conditions_exclude():
    # x < 1 and y < 1 exclude x + y = 2, at most does not.
    total = plane((1, 1), 2, strict=True)
    for strict, kept in ((True, (1, 2)), (False, (0, 1, 2))):
        assert reduce_planes([total, plane((1, 0), 1, strict), plane((0, 1), 1, strict)]).kept == kept
        both = {0: Interval(high=1, high_strict=strict), 1: Interval(high=1, high_strict=strict)}
        assert reduce_planes([total], both).kept == (() if strict else (0,))


def test_intervals_count_as_conditions():
    sum_of_two = plane((1, 1), 2)
    assert reduce_planes([sum_of_two], {0: Interval(0, 1), 1: Interval(0, 1)}).implied == (0,)
    assert reduce_planes([sum_of_two], {0: Interval(0, 1), 1: Interval(0, 1.1)}).kept == (0,)
    assert reduce_planes([sum_of_two], {0: Interval(0, 1)}).maxima == (math.inf,)


@pytest.mark.parametrize(
    ("planes", "intervals"),
    [
        ([plane((1, 1), 0), plane((-1, -1), -1)], {}),
        ([plane((1,), 0, strict=True), plane((-1,), 0)], {}),
        ([plane((1, 1), 1)], {0: Interval(low=1), 1: Interval(low=0.5)}),
        ([plane((1, 1), 1)], {0: Interval(low=1, low_strict=True), 1: Interval(low=0)}),
        ([plane((1, 1), 1)], {0: Interval(2, 1)}),
        ([plane((1, 1), 1)], {5: Interval(1, 1, high_strict=True)}),
        ([plane((0, 0), -1)], {}),
    ],
)
def test_conditions_that_never_hold_together(planes, intervals):
    found = reduce_planes(planes, intervals)
    assert (found.empty, found.kept, found.point) == (True, (), {})


def test_nothing_and_sums_of_nothing():
    assert reduce_planes([]).kept == ()
    assert reduce_planes([Plane({}, 0.0)]).implied == (0,)
    assert reduce_planes([plane((0.0,), 1.0, strict=True)]).implied == (0,)


def test_units_of_columns_and_conditions_do_not_matter():
    for factor in (1e-6, 1e6):
        scaled = [plane([factor * w for w in weights], factor * bound, strict=True) for weights, bound in FOUR]
        assert reduce_planes(scaled).kept == (0, 3)


def test_kept_conditions_say_the_same_on_random_points(budget):
    rng = random.Random(1)
    for _ in range(round(25 * budget)):
        count = rng.randint(1, 3)
        planes = [
            plane([rng.randint(-3, 3) for _ in range(count)], rng.randint(-3, 6), rng.random() < 0.5)
            for _ in range(rng.randint(1, 6))
        ]
        box = {k: Interval(-2, 2) for k in range(count) if rng.random() < 0.7}
        found = reduce_planes(planes, box)
        points = np.array([[rng.randint(-16, 16) / 4 for _ in range(count)] for _ in range(300)])
        for k, interval in box.items():
            points = points[(points[:, k] >= interval.low) & (points[:, k] <= interval.high)]
        all_hold = held(points, planes)
        if found.empty:
            assert not all_hold.any()
        else:
            assert (held(points, [planes[k] for k in found.kept]) == all_hold).all()


def held(points, planes):
    found = np.ones(len(points), dtype=bool)
    for one in planes:
        total = points @ np.array(list(one.weights.values()))
        found &= (total < one.bound) if one.strict else (total <= one.bound)
    return found


@pytest.mark.parametrize(
    ("planes", "sentence"),
    [
        ([Plane({0: math.nan}, 1)], "weight of column 0 of linear condition 0 is nan"),
        ([Plane({0: 1}, 1), Plane({0: 1}, math.inf)], "bound of linear condition 1 is inf"),
    ],
)
def test_numbers_that_are_not_finite_are_refused(planes, sentence):
    with pytest.raises(ParameterError, match=sentence):
        reduce_planes(planes)
