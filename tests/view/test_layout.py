"""Tidy layouts: nothing overlaps, parents stand over their children, the time is linear, no depth is too large."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ParameterError
from bough.view.layout import depths_of, tidy


@st.composite
def trees(draw):
    parents = [-1]
    path = [0]
    for node in range(1, draw(st.integers(1, 60))):
        path = path[: draw(st.integers(1, len(path)))]
        parents.append(path[-1])
        path.append(node)
    widths = draw(st.lists(st.floats(0, 50), min_size=len(parents), max_size=len(parents)))
    return np.array(parents), np.array(widths)


@given(trees(), st.floats(0, 5))
def test_neighbours_of_a_level_keep_their_distance_and_their_order(tree, gap):
    parent, width = tree
    x, y = tidy(parent, width, gap=gap)
    depth = depths_of(parent)
    assert np.isclose((x - width / 2).min(), 0)
    for level in range(depth.max() + 1):
        own = np.flatnonzero(depth == level)  # from left to right, as nodes are numbered in preorder
        room = (x[own] - width[own] / 2)[1:] - (x[own] + width[own] / 2)[:-1]
        assert (room >= gap - 1e-6).all()
        assert len(set(y[own].tolist())) == 1


@given(trees())
def test_parents_stand_over_the_middle_of_their_children(tree):
    parent, width = tree
    x, _ = tidy(parent, width)
    for node in range(len(parent)):
        below = np.flatnonzero(parent == node)
        if len(below):
            first, last = below[0], below[-1]
            middle = (x[first] - width[first] / 2 + x[last] + width[last] / 2) / 2
            assert abs(x[node] - middle) < 1e-6


def test_mirrored_trees_have_mirrored_outer_shape():
    wide = tidy([-1, 0, 1, 1, 0], [1, 1, 1, 1, 1.0], gap=1)[0]
    other = tidy([-1, 0, 0, 2, 2], [1, 1, 1, 1, 1.0], gap=1)[0]
    assert np.ptp(wide) == np.ptp(other)


def test_small_subtrees_between_large_ones_are_spread():
    # Two deep subtrees outside, three leaves between: the leaves stand at equal distances.
    parent = [-1, 0, 1, 1, 1, 0, 0, 0, 0, 8, 8, 8]
    x, _ = tidy(parent, 1.0, gap=0.5)
    gaps = np.diff(x[[1, 5, 6, 7, 8]])
    assert np.allclose(gaps, gaps[0])


def test_levels_are_as_high_as_their_highest_node():
    _, y = tidy([-1, 0, 0, 1], 1.0, [2, 1, 5, 1], level_gap=3)
    assert y.tolist() == [0, 5, 5, 13]


@pytest.mark.parametrize("shape", ["chain", "binary", "star"])
def test_a_hundred_thousand_nodes_take_seconds_at_most(shape):
    n = 100_000
    parent = {"chain": np.arange(n) - 1, "binary": (np.arange(n) + 1) // 2 - 1, "star": np.r_[-1, np.zeros(n - 1, int)]}
    begin = time.process_time()
    x, _ = tidy(parent[shape], 1.0)
    assert np.isfinite(x).all()
    assert time.process_time() - begin < 10


@pytest.mark.parametrize("parent", [[], [0], [-1, 1], [-1, -1], [-1, 0.5], [[-1]]])
def test_what_is_no_tree_is_refused(parent):
    with pytest.raises(ParameterError):
        tidy(parent, 1.0)


def test_sizes_must_be_sizes():
    with pytest.raises(ParameterError, match="widths"):
        tidy([-1, 0], [1.0, -1.0])
    with pytest.raises(ParameterError, match="heights"):
        tidy([-1, 0], 1.0, [1.0, 2.0, 3.0])
