"""Random spaces and rules, and the leaves of trees as cubes."""

from itertools import pairwise

import pytest

import bough
from bough.explain.path import path_of
from bough.model.asked import Asked
from bough.model.rules.cubes import Axis
from bough.testing.cubes import one_interval


@pytest.fixture
def draw_space():
    """A function of a random generator: up to three axes of up to four cells, some ordered, some with special cells."""

    def draw(rng, axes=3, cells=4):
        space = []
        for _ in range(rng.randint(1, axes)):
            size = rng.randint(1, cells)
            special = rng.sample(range(size), min(size - 1, rng.choice([0, 0, 1, 2])))
            missing, unseen = (*special, None, None)[:2]
            space.append(Axis(size, rng.random() < 0.5, missing, unseen))
        return tuple(space)

    return draw


@pytest.fixture
def draw_cube():
    """A function of a random generator and a space: a cube whose masks can be printed."""

    def draw(rng, space):
        def mask(axis):
            if rng.random() < 0.3:
                return axis.full
            return rng.choice([m for m in range(1, axis.full + 1) if one_interval(m, axis)])

        return tuple(mask(axis) for axis in space)

    return draw


@pytest.fixture
def leaves_of():
    """A function of a fitted tree: the space of its cells without missing values, and its leaves with rows as rules."""

    def read(tree):
        asked = Asked(tree)
        grids = dict(enumerate(asked.grids()))
        arrays = tree.arrays
        rules = []
        for node in range(tree.n_nodes):
            if asked.place(node).test is not None or not arrays.weight[node] > 0:
                continue
            cube = [(1 << grid.size) - 1 for grid in grids.values()]
            for above, below in pairwise(path_of(tree, node)):
                for column, cells in asked.asked_at(above).cells(int(arrays.branch[below]), grids).items():
                    cube[column] &= sum(1 << cell for first, last in cells for cell in range(first, last + 1))
            rules.append((tuple(cube), int(arrays.label[node])))
        return tuple(Axis(grid.size, grid.column.kind != "nominal") for grid in grids.values()), rules

    return read


@pytest.fixture
def j48_leaves(leaves_of):
    """A function of inputs and target: the leaves of the tree that J48 grows."""
    return lambda X, y: leaves_of(bough.like("J48").fit(X, y).tree_)
