"""The cheapest cover is that of brute force, for any costs."""

import random
from itertools import combinations

import pytest

from bough.model.rules.cubes.cover import cheapest_cover
from bough.model.rules.cubes.limits import LimitReached, Limits, Meter


def cheapest(rows, costs):
    columns = range(len(costs))
    return min(
        sum(costs[c] for c in chosen)
        for count in range(len(costs) + 1)
        for chosen in combinations(columns, count)
        if all(any(row >> c & 1 for c in chosen) for row in rows)
    )


def test_random_tables_are_covered_at_the_least_cost(budget):
    rng = random.Random(1)
    for _ in range(round(150 * budget)):
        count = rng.randint(1, 9)
        rows = [rng.getrandbits(count) & rng.getrandbits(count) or 1 for _ in range(rng.randint(0, 14))]
        costs = [rng.randint(1, 4) for _ in range(count)]
        found = cheapest_cover(rows, costs, Meter())
        assert found.exact
        assert all(any(row >> column & 1 for column in found.columns) for row in rows)
        assert sum(costs[column] for column in found.columns) == cheapest(rows, costs)


def test_tables_that_need_a_search():
    # All pairs of seven columns: any six cover them, no five do.
    rows = [1 << a | 1 << b for a in range(7) for b in range(a)]
    assert len(cheapest_cover(rows, [1] * 7, Meter()).columns) == 6
    # Lines of three points of a plane with seven: three points meet every line.
    lines = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]
    rows = [sum(1 << point for point in line) for line in lines]
    found = cheapest_cover(rows, [1] * 7, Meter())
    assert (len(found.columns), found.exact) == (3, True)
    stopped = cheapest_cover(rows, [1] * 7, Meter(Limits(nodes=0)))
    assert (stopped.exact, stopped.stopped) == (False, "0 nodes")
    assert all(any(row >> column & 1 for column in stopped.columns) for row in rows)


def test_the_clock_runs_only_inside():
    now = 0.0
    meter = Meter(budget=1.0, clock=lambda: now)
    with meter:
        meter.work(200_000)
        now = 0.6
    now = 100.0
    with meter:
        meter.work(200_000)
        now = 100.3
        meter.work(200_000)
        now = 100.5
        with pytest.raises(LimitReached, match="the budget of 1 s"):
            meter.work(200_000)
    with pytest.raises(LimitReached, match="the budget of 1 s"):
        meter.work(15_000_000)
    with Meter(budget=float("inf")):
        meter.node()
