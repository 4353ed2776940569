"""Packed cubes: meet, difference, consensus and volume are those of sets of cells."""

import random

from bough.model.rules.cubes import Axis
from bough.model.rules.cubes.cube import (
    absorb,
    consensus,
    contains,
    covered,
    literals,
    meet,
    pieces,
    remainder,
    sharp,
    volume,
)
from bough.model.rules.cubes.layout import Layout
from bough.testing.cubes import all_cells, cells_in, one_interval


def test_operations_are_those_of_sets_of_cells(budget, draw_space):
    rng = random.Random(1)
    for _ in range(round(300 * budget)):
        space = draw_space(rng)
        a, b, c = ([rng.randint(1, axis.full) for axis in space] for _ in range(3))
        a, b, c = tuple(a), tuple(b), tuple(c)
        layout = Layout(space, [a, b, c])
        pa, pb, pc = layout.pack_all([a, b, c])
        assert (layout.unpack(pa), layout.unpack(pb)) == (a, b)
        assert volume(layout, pa) == len(cells_in(a))
        assert literals(layout, pa) == sum(mask != axis.full for mask, axis in zip(a, space, strict=True))
        assert contains(pa, pb) == (cells_in(b) <= cells_in(a))
        both = meet(layout, pa, pb)
        assert (cells_in(layout.unpack(both)) if both is not None else set()) == cells_in(a) & cells_in(b)
        if both is not None:
            assert_apart(layout, sharp(layout, pa, pb), cells_in(a) - cells_in(b))
        assert_apart(layout, list(remainder(layout, pa, [pb, pc])), cells_in(a) - cells_in(b) - cells_in(c))
        assert covered(layout, pa, [pb, pc]) == (cells_in(a) <= cells_in(b) | cells_in(c))
        for place, i in enumerate(layout.axes):
            joined = consensus(layout, pa, pb, place)
            parts = [(x & y if k != i else x | y) for k, (x, y) in enumerate(zip(a, b, strict=True))]
            assert (cells_in(layout.unpack(joined)) if joined is not None else set()) == cells_in(tuple(parts))
        kept = absorb([pa, pb, pc, pa])
        assert kept == [
            x for x in dict.fromkeys([pa, pb, pc]) if not any(y != x and contains(y, x) for y in (pa, pb, pc))
        ]


def assert_apart(layout, cubes, cells):
    found = [cell for cube in cubes for cell in cells_in(layout.unpack(cube))]
    assert len(found) == len(set(found))
    assert set(found) == cells


def test_pieces_are_the_largest_that_can_be_printed(budget):
    rng = random.Random(2)
    for _ in range(round(200 * budget)):
        size = rng.randint(1, 7)
        special = rng.sample(range(size), min(size, rng.randint(0, 2)))
        axis = Axis(size, True, *(*special, None, None)[:2])
        mask = rng.randint(1, axis.full)
        layout = Layout((axis,), [(1 << k,) for k in range(size)])
        found = {layout.unpack(piece)[0] for piece in pieces(layout, layout.pack((mask,)))}
        inside = [m for m in range(1, axis.full + 1) if m & mask == m and one_interval(m, axis)]
        assert found == {m for m in inside if not any(m & other == m != other for other in inside)}


def test_cells_that_no_cube_tells_apart_are_one():
    axis = Axis(8, ordered=True, missing=0)
    layout = Layout((axis, Axis(5)), [(0b00011100, 31), (0b11111110, 31)])
    assert layout.groups == ((0b00000010, 0b00011100, 0b11100000, 0b00000001), (31,))
    assert layout.axes == [0]
    # Without an order, cells apart from each other may be one.
    assert Layout((Axis(5),), [(0b01010,)]).groups == ((0b10101, 0b01010),)


def test_a_witness_has_known_values_where_it_can():
    space = (Axis(3, missing=0, unseen=1), Axis(3, missing=0))
    layout = Layout(space, [(0b011, 0b111)])
    assert layout.cell(layout.full) == (2, 1)
    assert layout.cell(layout.pack((0b011, 0b111))) == (0, 1)


def test_fields_do_not_lie_across_words():
    space = tuple(Axis(30) for _ in range(5))
    cubes = [tuple(1 << rng for _ in space) for rng in range(30)]
    layout = Layout(space, cubes)
    assert layout.words == 3
    for field in layout.fields:
        assert (field.bit_length()) // 64 == ((field & -field).bit_length() - 1) // 64
    assert Layout((Axis(64),), [(1 << k,) for k in range(64)]).words == 0
    assert len(list(all_cells(space[:2]))) == 900
