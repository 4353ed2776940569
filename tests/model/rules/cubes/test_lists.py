"""Lists of rules become shorter and answer the same for every cell, missing and unseen ones included."""

import random

import pytest

from bough.errors import ParameterError
from bough.model.rules.cubes import Axis, CubeRule, Limits, differences, minimise_list
from bough.testing.cubes import answers_of, cells_in, smallest_cover


def size(rules, space):
    return len(rules), sum(mask != axis.full for cube, _ in rules for mask, axis in zip(cube, space, strict=True))


@pytest.fixture
def draw_list(draw_space, draw_cube):
    def draw(rng):
        space = draw_space(rng)
        rules = [(draw_cube(rng, space), rng.randrange(3)) for _ in range(rng.randint(1, 7))]
        if rng.random() < 0.5:
            rules.append((tuple(axis.full for axis in space), rng.randrange(3)))
        return space, rules

    return draw


@pytest.mark.parametrize("order", ["none", "kept", "any"])
def test_random_lists_answer_the_same_and_are_no_longer(order, budget, draw_list):
    rng = random.Random(1)
    for _ in range(round(150 * budget)):
        space, rules = draw_list(rng)
        found = minimise_list(rules, space, order=order)
        assert answers_of(found.rules, space) == answers_of(rules, space)
        assert (found.how, found.stopped, found.differences) == ("exact", "", ())
        if order != "none":
            assert size(found.rules, space) <= size(rules, space)


def test_without_an_order_each_answer_is_minimal_and_none_overlap(budget, draw_list):
    rng = random.Random(2)
    for _ in range(round(100 * budget)):
        space, rules = draw_list(rng)
        found = minimise_list(rules, space, order="none")
        decided = answers_of(rules, space)
        for answer in {answer for _, answer in rules}:
            cells = {cell for cell, own in decided.items() if own == answer}
            own = [rule for rule in found.rules if rule.answer == answer]
            assert set().union(*(cells_in(rule.cube) for rule in own)) == cells
            least = smallest_cover(cells, cells, space, most=5_000)
            assert least is None or size(own, space) == least


def test_any_order_is_the_shortest(budget, draw_list):
    rng = random.Random(3)
    for _ in range(round(60 * budget)):
        space, rules = draw_list(rng)
        none, kept, free = (minimise_list(rules, space, order=order).rules for order in ("none", "kept", "any"))
        assert size(free, space) <= min(size(none, space), size(kept, space))


def test_rules_lean_on_those_before_and_after():
    # The second rule leaves out what the first decides, the third says what the last one says.
    space = (Axis(3), Axis(3))
    rules = [((1, 1), 0), ((6, 1), 1), ((1, 2), 2), ((7, 7), 2)]
    assert minimise_list(rules, space, order="kept").rules == (
        CubeRule((1, 1), 0),
        CubeRule((7, 1), 1),
        CubeRule((7, 7), 2),
    )


def test_a_rule_between_two_of_one_answer_may_vanish():
    space = (Axis(3),)
    rules = [((1,), 0), ((1,), 1), ((2,), 0), ((7,), 2)]
    assert minimise_list(rules, space, order="kept").rules == (CubeRule((3,), 0), CubeRule((7,), 2))


def test_empty_lists_and_rules_that_never_hold():
    space = (Axis(3),)
    assert minimise_list([], space).rules == ()
    assert minimise_list([((0,), 1)], space).rules == ()
    assert minimise_list([((0,), 1), ((1,), 0)], space).rules == (CubeRule((1,), 0),)


def test_gaps_stay_gaps():
    space = (Axis(3), Axis(3))
    rules = [((1, 1), 0), ((2, 2), 1)]
    for order in ("none", "kept", "any"):
        assert set(minimise_list(rules, space, order=order).rules) == set(rules)


def test_a_budget_of_nothing_gives_the_list_back():
    rules = [((1, 1), 0), ((3, 1), 1), ((7, 7), 0)]
    for order, how in (("none", "given"), ("kept", "given")):
        found = minimise_list(rules, (Axis(3), Axis(3)), order=order, budget=0)
        assert found.rules == tuple(rules)
        assert (found.how, found.stopped) == (how, "the budget of 0 s")


def test_limits_leave_expanded_rules():
    rules = [((1, 1), 0), ((1, 6), 0), ((6, 7), 1)]
    found = minimise_list(rules, (Axis(3), Axis(3)), order="none", limits=Limits(primes=0))
    assert found.rules == (CubeRule((1, 7), 0), CubeRule((6, 7), 1))
    assert (found.how, found.stopped) == ("expand", "0 primes")


def test_differences_are_found_where_answers_differ(budget, draw_list, draw_cube):
    rng = random.Random(4)
    for _ in range(round(150 * budget)):
        space, one = draw_list(rng)
        other = [(draw_cube(rng, space), rng.randrange(3)) for _ in range(rng.randint(0, 5))]
        before, after = answers_of(one, space), answers_of(other, space)
        found = {}
        for cube, own, their in differences(one, other, space):
            for cell in cells_in(cube):
                assert cell not in found
                found[cell] = (own, their)
        cells = before.keys() | after.keys()
        assert found == {
            cell: (before.get(cell), after.get(cell)) for cell in cells if before.get(cell) != after.get(cell)
        }


def test_an_unknown_order_is_refused():
    with pytest.raises(ParameterError, match="order='best'"):
        minimise_list([], (Axis(2),), order="best")
