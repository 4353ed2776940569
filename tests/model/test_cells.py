"""Sets of cells meet and part as sets of numbers do."""

import numpy as np

from bough.model.tests.cells import meet, minus, runs_of


def members(cells):
    return {code for first, last in cells for code in range(first, last + 1)}


def test_sets_of_cells_are_sets(budget):
    rng = np.random.default_rng(0)
    for _ in range(int(300 * budget)):
        size = int(rng.integers(0, 25))
        a, b = (set(np.flatnonzero(rng.random(size) < rng.random()).tolist()) for _ in range(2))
        assert members(runs_of(a)) == a
        for made, expected in ((meet(runs_of(a), runs_of(b)), a & b), (minus(runs_of(a), runs_of(b)), a - b)):
            assert members(made) == expected
            assert made == runs_of(expected)  # rising and apart
