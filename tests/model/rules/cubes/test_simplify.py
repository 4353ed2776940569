"""Minimised cubes hold the same cells, and no fewer say so where brute force can tell."""

import random

import pytest

from bough.errors import ParameterError
from bough.model.rules.cubes import Axis, Limits, minimise, prove
from bough.model.rules.cubes.layout import Layout
from bough.model.rules.cubes.limits import Meter
from bough.model.rules.cubes.primes import primes_of
from bough.testing.cubes import cells_in, largest_cubes, one_interval, smallest_cover


def held(cubes):
    return set().union(*(cells_in(cube) for cube in cubes))


def size(cubes, space):
    return len(cubes), sum(mask != axis.full for cube in cubes for mask, axis in zip(cube, space, strict=True))


def test_apple_is_medium_and_not_yellow():
    color, size_of = Axis(3), Axis(3)  # green, yellow, red; big, medium, small
    found = minimise([(0b001, 0b010), (0b100, 0b010)], (color, size_of))
    assert found.cubes == ((0b101, 0b010),)
    assert (found.how, found.stopped, found.proof.holds) == ("exact", "", True)


def test_primes_are_those_of_brute_force(budget, draw_space, draw_cube):
    rng = random.Random(1)
    for _ in range(round(250 * budget)):
        space = draw_space(rng)
        cubes = [draw_cube(rng, space) for _ in range(rng.randint(1, 6))]
        layout = Layout(space, cubes)
        found = [layout.unpack(prime) for prime in primes_of(layout, layout.pack_all(cubes), Meter())]
        assert len(set(found)) == len(found)
        assert set(found) == largest_cubes(held(cubes), space)


def test_random_regions_are_minimal_and_the_same(budget, draw_space, draw_cube, record_property):
    rng = random.Random(2)
    judged = 0
    for _ in range(round(250 * budget)):
        space = draw_space(rng)
        on = [draw_cube(rng, space) for _ in range(rng.randint(1, 6))]
        free = [draw_cube(rng, space) for _ in range(rng.choice([0, 0, 1, 3]))]
        found = minimise(on, space, free=free)
        assert found.how == "exact"
        assert found.proof.holds
        needed, region = held(on) - held(free), held(on) | held(free)
        assert needed <= held(found.cubes) <= region
        assert all(one_interval(m, axis) for cube in found.cubes for m, axis in zip(cube, space, strict=True))
        least = smallest_cover(needed, region, space, most=20_000)
        if least is not None:
            judged += 1
            assert size(found.cubes, space) == least
    record_property("summary", f"minimised cubes: {judged} compared with brute force")
    assert judged >= 200 * budget


def test_any_boolean_function_of_three_columns_is_minimal(budget):
    rng = random.Random(3)
    space = (Axis(2), Axis(2), Axis(3))
    cells = [(a, b, c) for a in (1, 2) for b in (1, 2) for c in (1, 2, 4)]
    for _ in range(round(150 * budget)):
        on = [cell for cell in cells if rng.random() < 0.5]
        found = minimise(on, space)
        assert size(found.cubes, space) == smallest_cover(held(on), held(on), space)


def test_the_order_of_what_is_given_does_not_matter(budget, draw_space, draw_cube):
    rng = random.Random(4)
    for _ in range(round(50 * budget)):
        space = draw_space(rng)
        on = [draw_cube(rng, space) for _ in range(5)]
        assert minimise(on, space) == minimise(on[::-1] + on[:2], space)


def test_expanding_alone_holds_the_same_cells(budget, draw_space, draw_cube):
    rng = random.Random(5)
    for _ in range(round(150 * budget)):
        space = draw_space(rng)
        on = [draw_cube(rng, space) for _ in range(rng.randint(1, 6))]
        free = [draw_cube(rng, space) for _ in range(rng.choice([0, 2]))]
        found = minimise(on, space, free=free, limits=Limits(primes=0))
        assert (found.how, found.stopped) == ("expand", "0 primes")
        assert held(on) - held(free) <= held(found.cubes) <= held(on) | held(free)
        assert set(found.cubes) <= largest_cubes(held(on) | held(free), space)


@pytest.mark.parametrize(
    ("limits", "stopped"), [(Limits(nodes=0), "0 nodes"), (Limits(cells=1), "1 cells"), (Limits(primes=3), "3 primes")]
)
def test_limits_are_told(limits, stopped):
    # Two of three bits: no prime is essential, three are needed in a circle of six.
    space = (Axis(2), Axis(2), Axis(2))
    on = [(1, 2, 3), (2, 1, 3), (3, 1, 2), (3, 2, 1), (1, 3, 2), (2, 3, 1)]
    found = minimise(on, space, limits=limits)
    assert found.how != "exact"
    assert found.stopped == stopped
    assert held(found.cubes) == held(on)
    assert minimise(on, space).how == "exact"


def test_a_budget_of_nothing_returns_what_was_given():
    on = [(0b001, 0b010), (0b100, 0b010)]
    found = minimise(on, (Axis(3), Axis(3)), budget=0)
    assert found.how == "expand"
    assert found.stopped == "the budget of 0 s"
    assert set(found.cubes) == set(on)


def test_a_slow_clock_ends_the_search():
    seconds = iter(range(1000))
    found = minimise([(0b001, 0b010), (0b100, 0b010)], (Axis(3), Axis(3)), clock=lambda: 2.0 * next(seconds))
    assert found.stopped == "the budget of 1 s"


def test_missing_and_unseen_cells_are_added_or_not():
    # x below the first threshold or missing, and x above the last one: one literal, the outside of an interval.
    axis = Axis(6, ordered=True, missing=0, unseen=3)
    assert minimise([(0b000011,), (0b100000,)], (axis,)).cubes == ((0b100011,),)
    # With a hole more it takes two, and both may take in what is missing.
    assert minimise([(0b010011,)], (axis,)).cubes == ((0b000011,), (0b010001,))


def test_axes_of_more_than_64_cells_and_many_axes(budget):
    rng = random.Random(6)
    space = (Axis(100, ordered=True), Axis(70), *[Axis(5)] * 20)
    for _ in range(round(5 * budget)):
        cut, levels = rng.randrange(10, 90), rng.getrandbits(70) | 1
        low, high = (1 << cut) - 1, ((1 << 100) - 1) ^ ((1 << cut) - 1)
        rest = tuple(axis.full for axis in space[2:])
        on = [(low, levels, *rest), (high, levels, *rest), (low, space[1].full, *rest[:-1], 1)]
        found = minimise(on, space)
        assert set(found.cubes) == {(space[0].full, levels, *rest), on[2]}
    wide = (Axis(64, ordered=True), Axis(64), Axis(2))
    stairs = [((1 << k + 1) - 1, 1 << k, 3) for k in range(0, 64, 4)]
    assert len(minimise(stairs, wide).cubes) == 16


def test_nothing_and_everything():
    space = (Axis(3), Axis(2))
    assert minimise([], space).cubes == ()
    assert minimise([(0, 3)], space).cubes == ()
    assert minimise([(1, 3), (6, 3)], space).cubes == ((7, 3),)
    assert minimise([(1, 3)], space, free=[(7, 3)]).cubes == ()


def test_a_proof_shows_what_differs():
    space = (Axis(3), Axis(3))
    proof = prove([(7, 1), (1, 7)], [(7, 1), (2, 2)], space)
    assert not proof.holds
    assert held(proof.lost) == {(0, 1), (0, 2)}
    assert held(proof.added) == {(1, 1)}
    assert prove([(7, 1), (1, 7)], [(7, 1), (2, 2)], space, free=[(7, 6)]).holds


@pytest.mark.parametrize(
    ("cube", "sentence"), [((1,), "2 axes"), ((8, 1), "axis 0: expected bits for its 3 cells"), ((-1, 1), "axis 0")]
)
def test_cubes_that_do_not_fit_are_refused(cube, sentence):
    with pytest.raises(ParameterError, match=sentence):
        minimise([cube], (Axis(3), Axis(3)))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"size": 0}, "at least one cell"),
        ({"size": 3, "missing": 3}, "missing=3 is no cell"),
        ({"size": 3, "missing": 1, "unseen": 1}, "both cell 1"),
    ],
)
def test_axes_that_cannot_be_are_refused(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        Axis(**given)


def test_a_negative_budget_is_refused():
    with pytest.raises(ParameterError, match="budget must be seconds, a number of at least 0; got -1"):
        minimise([], (Axis(2),), budget=-1)
