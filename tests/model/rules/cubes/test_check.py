"""Checks find every overlap, gap and rule never reached that brute force finds, and nothing else."""

import random

import pytest

from bough.model.rules.cubes import (
    Axis,
    Contradiction,
    Duplicate,
    Gap,
    Implied,
    Overlap,
    Unreached,
    check_literals,
    check_rules,
)
from bough.testing.cubes import all_cells, cells_in, rules_in_turn

GREEN, YELLOW, RED = 1, 2, 4
BIG, MEDIUM, SMALL = 1, 2, 4
ROUND, THIN = 1, 2
SWEET, SOUR = 1, 2
FRUIT = (Axis(3), Axis(3), Axis(2), Axis(2))  # color, size, shape, taste
WATERMELON, APPLE, GRAPE, GRAPEFRUIT, LEMON, BANANA, CHERRY = range(7)
TREE = [
    ((GREEN, BIG, 3, 3), WATERMELON),
    ((GREEN, MEDIUM, 3, 3), APPLE),
    ((GREEN, SMALL, 3, 3), GRAPE),
    ((YELLOW, BIG, ROUND, 3), GRAPEFRUIT),
    ((YELLOW, SMALL, ROUND, 3), LEMON),
    ((YELLOW, 7, THIN, 3), BANANA),
    ((RED, MEDIUM, 3, 3), APPLE),
    ((RED, SMALL, 3, SWEET), CHERRY),
    ((RED, SMALL, 3, SOUR), GRAPE),
]


def test_the_fruit_tree_has_two_gaps_and_no_other_finding():
    found = check_rules(TREE, FRUIT)
    assert found.gaps == (
        Gap((RED, BIG, 3, 3), (2, 0, 0, 0)),
        Gap((YELLOW, MEDIUM, ROUND, 3), (1, 1, 0, 0)),
    )
    assert (found.overlaps, found.unreached, found.duplicates, found.empty, found.stopped) == ((), (), (), (), {})


def test_random_rules_have_the_findings_of_brute_force(budget, draw_space):
    rng = random.Random(1)
    for _ in range(round(200 * budget)):
        space = draw_space(rng)
        rules = [
            (tuple(rng.choice([axis.full, rng.randint(0, axis.full)]) for axis in space), rng.randrange(2))
            for _ in range(rng.randint(0, 6))
        ]
        found = check_rules(rules, space)
        cells = [cells_in(cube) for cube, _ in rules]
        turn = rules_in_turn(rules, space)
        assert found.stopped == {}
        assert found.empty == tuple(k for k, own in enumerate(cells) if not own)
        assert {(o.first, o.second): cells_in(o.cube) for o in found.overlaps} == {
            (i, j): cells[i] & cells[j]
            for i in range(len(rules))
            for j in range(i + 1, len(rules))
            if cells[i] & cells[j] and rules[i][1] != rules[j][1]
        }
        for overlap in found.overlaps:
            both = cells[overlap.first] & cells[overlap.second]
            assert overlap.witness in both
            assert overlap.reached == any(turn[cell] == overlap.first for cell in both)
            assert not overlap.reached or turn[overlap.witness] == overlap.first
        assert set().union(*(cells_in(gap.cube) for gap in found.gaps)) == set(all_cells(space)) - turn.keys()
        assert all(gap.witness in cells_in(gap.cube) for gap in found.gaps)
        assert [u.rule for u in found.unreached] == [
            k for k, own in enumerate(cells) if own and k not in {turn[cell] for cell in own}
        ]
        for unreached in found.unreached:
            takers = [cells[k] for k in unreached.by]
            assert all(k < unreached.rule for k in unreached.by)
            assert cells[unreached.rule] <= set().union(*takers)
            assert unreached.witness in cells[unreached.rule] & takers[0]
            for without in range(len(takers)):
                assert not cells[unreached.rule] <= set().union(*takers[:without], *takers[without + 1 :])
        firsts = {}
        for k, rule in enumerate(rules):
            firsts.setdefault(rule, k)
        assert [(d.first, d.second) for d in found.duplicates] == [
            (firsts[rule], k) for k, rule in enumerate(rules) if cells[k] and firsts[rule] != k
        ]
        assert all(d.witness in cells[d.first] for d in found.duplicates)


BOXES = [(a, b, c) for a in (0b00111, 0b11000) for b in (0b00101, 0b11010) for c in (0b0001, 0b0110, 0b1000)]
GRID = (Axis(5, ordered=True), Axis(5), Axis(4, ordered=True, missing=3))  # cut into boxes, one rule each


def kinds(found):
    return [name for name in ("overlaps", "gaps", "unreached", "duplicates") if getattr(found, name)]


@pytest.mark.parametrize("place", range(len(BOXES)))
def test_planted_findings_are_found_and_nothing_else(place):
    rules = [(box, answer) for answer, box in enumerate(BOXES)]
    assert kinds(check_rules(rules, GRID)) == []
    box, answer = rules[place]

    without = check_rules(rules[:place] + rules[place + 1 :], GRID)
    assert kinds(without) == ["gaps"]
    assert [gap.cube for gap in without.gaps] == [box]

    twice = check_rules([*rules, (box, answer)], GRID)
    assert kinds(twice) == ["unreached", "duplicates"]
    assert [(one.first, one.second) for one in twice.duplicates] == [(place, len(rules))]

    dead = check_rules([*rules, ((box[0], box[1] & -box[1], 0b1111), 99)], GRID)
    third = place - place % 3
    assert kinds(dead) == ["overlaps", "unreached"]
    assert [(one.rule, one.by) for one in dead.unreached] == [(len(rules), (third, third + 1, third + 2))]
    assert [(one.first, one.second) for one in dead.overlaps] == [(third + k, len(rules)) for k in range(3)]

    small = (box[0] & -box[0], *box[1:])
    early = check_rules([(small, 99), *rules], GRID)
    assert kinds(early) == ["overlaps"]
    assert [(one.first, one.second, one.cube) for one in early.overlaps] == [(0, place + 1, small)]


def test_one_overlap_one_gap_one_dead_rule():
    space = (Axis(4, ordered=True), Axis(3))
    rules = [((0b0011, 0b111), 0), ((0b0110, 0b001), 1), ((0b0111, 0b001), 1), ((0b0010, 0b011), 0)]
    found = check_rules(rules, space)
    assert found.overlaps == (
        Overlap(0, 1, (0b0010, 0b001), (1, 0), reached=True),
        Overlap(0, 2, (0b0011, 0b001), (0, 0), reached=True),
        Overlap(1, 3, (0b0010, 0b001), (1, 0), reached=False),
        Overlap(2, 3, (0b0010, 0b001), (1, 0), reached=False),
    )
    assert found.unreached == (Unreached(2, (0, 1), (0, 0)), Unreached(3, (0,), (1, 0)))
    assert [gap.cube for gap in found.gaps] == [(0b1100, 0b110), (0b1000, 0b111)]
    unordered = check_rules(rules, space, ordered=False)
    assert (unordered.unreached, unordered.overlaps) == ((), found.overlaps)


def test_duplicates_hold_for_the_same_cells():
    rules = [((1, 3), 0), ((2, 3), 0), ((1, 3), 0), ((1, 3), 1)]
    found = check_rules(rules, (Axis(2), Axis(2)))
    assert found.duplicates == (Duplicate(0, 2, (0, 0)),)
    assert [(o.first, o.second) for o in found.overlaps] == [(0, 3), (2, 3)]


def test_gaps_among_known_values_only():
    # A literal fails where its value is missing; whoever looks at known values alone does not hear of that.
    space = (Axis(3, missing=2), Axis(3, ordered=True, missing=2))
    rules = [((0b001, 0b111), 0), ((0b010, 0b001), 1)]
    known = (0b011, 0b011)
    assert [gap.cube for gap in check_rules(rules, space).gaps] == [(0b110, 0b110), (0b100, 0b111)]
    found = check_rules(rules, space, within=known)
    assert found.gaps == (Gap((0b110, 0b110), (1, 1)),)


def test_limits_are_told_and_what_was_found_stays():
    rules = [((1 << k, 7), k) for k in range(5)] + [((31, 1), 9)] * 3
    found = check_rules(rules, (Axis(5), Axis(3)), most=2)
    assert found.stopped == {"overlaps": "2 findings", "unreached": "2 findings"}
    assert (len(found.overlaps), len(found.unreached), len(found.duplicates)) == (2, 2, 2)
    ended = check_rules(rules, (Axis(5), Axis(3)), budget=0)
    assert set(ended.stopped.values()) == {"the budget of 0 s"}


def test_gaps_found_before_a_limit_are_gaps():
    rng = random.Random(5)
    space = tuple(Axis(4) for _ in range(6))
    rules = [(tuple(rng.randint(1, 14) for _ in space), 0) for _ in range(60)]
    found = check_rules(rules, space, most=50)
    assert found.stopped == {"gaps": "50 findings"}
    assert len(found.gaps) == 50
    held = set().union(*(cells_in(cube) for cube, _ in rules))
    assert not any(cells_in(gap.cube) & held for gap in found.gaps)
    assert all(gap.witness in cells_in(gap.cube) for gap in found.gaps)


def test_literals_that_follow_from_others():
    age, job = Axis(4, ordered=True), Axis(3)
    implied, contradictory = check_literals(
        [
            [(0, 0b1100), (1, 0b001), (0, 0b1110)],
            [(0, 0b0011), (0, 0b0011)],
            [(1, 0b111), (0, 0b0001)],
            [(0, 0b0110)],
            [(0, 0b0111), (0, 0b1110), (0, 0b0110)],
        ],
        (age, job),
    )
    assert implied == (
        Implied(0, 2, (0,), (2, 0)),
        Implied(1, 0, (1,), (0, 0)),
        Implied(2, 0, (), (0, 0)),
        Implied(4, 0, (1, 2), (1, 0)),
        Implied(4, 1, (2,), (1, 0)),
    )
    assert contradictory == ()


def test_literals_that_never_hold_together():
    age, job = Axis(4, ordered=True), Axis(3)
    implied, contradictory = check_literals(
        [
            [(0, 0b0111), (1, 0b001), (0, 0b1000), (0, 0b1111)],
            [(1, 0b000)],
            [(1, 0b011), (1, 0b110), (1, 0b101)],
            [(0, 0b0001)],
        ],
        (age, job),
    )
    assert implied == ()
    assert contradictory == (
        Contradiction(0, 0, (0, 2)),
        Contradiction(1, 1, (0,)),
        Contradiction(2, 1, (0, 1, 2)),
    )


def test_what_follows_can_be_dropped_together(budget):
    rng = random.Random(3)
    space = (Axis(4), Axis(3))

    def cube(literals):
        masks = [axis.full for axis in space]
        for axis, mask in literals:
            masks[axis] &= mask
        return masks

    for _ in range(round(200 * budget)):
        axes = [rng.randrange(2) for _ in range(rng.randint(0, 5))]
        rule = [(axis, rng.randint(1, space[axis].full)) for axis in axes]
        implied, contradictory = check_literals([rule], space)
        if contradictory:
            assert not all(cube(rule))
            assert implied == ()
            continue
        gone = {one.literal for one in implied}
        kept = [literal for k, literal in enumerate(rule) if k not in gone]
        assert cube(kept) == cube(rule)
        assert all(cube(kept[:k] + kept[k + 1 :]) != cube(rule) for k in range(len(kept)))
