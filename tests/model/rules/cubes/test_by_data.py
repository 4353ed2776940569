"""Dropping by rows lets in no more weight than was allowed, and leaves no literal that could go."""

import random

import numpy as np
import pytest

from bough.errors import ParameterError
from bough.model.rules.cubes import Axis, drop_by_rows


def weight_in(cube, cells, weight):
    covered = [all(mask >> cell & 1 for mask, cell in zip(cube, row, strict=True)) for row in cells]
    return float(weight[np.array(covered, dtype=bool)].sum())


def test_only_what_rows_allow_is_dropped(budget):
    rng = random.Random(1)
    space = (Axis(3), Axis(4, ordered=True), Axis(2), Axis(3))
    for _ in range(round(100 * budget)):
        cells = [tuple(rng.randrange(axis.size) for axis in space) for _ in range(rng.randint(1, 20))]
        weight = np.array([rng.choice([0.5, 1.0, 2.0]) for _ in cells])
        cube = tuple(rng.randint(1, axis.full) for axis in space)
        tolerance = rng.choice([0.0, 0.0, 1.0, 3.0])
        found = drop_by_rows(cube, space, cells, weight=weight, tolerance=tolerance)
        before = weight_in(cube, cells, weight)
        assert weight_in(found.cube, cells, weight) == before + found.added
        assert found.added <= tolerance
        for place, axis in enumerate(space):
            if place in found.axes:
                assert cube[place] != axis.full == found.cube[place]
            elif cube[place] != axis.full:
                assert found.cube[place] == cube[place]
                wider = (*found.cube[:place], axis.full, *found.cube[place + 1 :])
                assert weight_in(wider, cells, weight) > before + tolerance


def test_without_rows_every_literal_goes():
    assert drop_by_rows((1, 1), (Axis(2), Axis(2)), np.zeros((0, 2))).cube == (3, 3)


def test_a_negative_tolerance_is_refused():
    with pytest.raises(ParameterError, match="tolerance=-1"):
        drop_by_rows((1,), (Axis(2),), [(0,)], tolerance=-1)
