"""Rows through a forest: leaves, means, votes and out-of-bag sums are those of a plain walk from node to node."""

import numpy as np
import pytest

from bough import _core
from bough.testing import Column, ForestProblem, kernel_columns, read_forest_tree

TREES = 3


def fresh_rows(rng, problem, n):
    """Other rows: cells of the table, values beside them, missing ones, and codes that were never seen."""
    columns = []
    for column, levels in zip(problem.columns, problem.levels, strict=True):
        cells = [column.cells[row] for row in rng.integers(0, len(problem.y), n)]
        for row in range(n):
            chance = rng.random()
            if chance < 0.1:
                cells[row] = None
            elif levels and chance < 0.3:
                cells[row] = int(rng.integers(0, 2 * levels + 40))
            elif not levels and chance < 0.6 and cells[row] is not None:
                end = rng.choice([-np.inf, np.inf])
                cells[row] = float(end if chance < 0.2 else np.nextafter(cells[row], end))
        columns.append(Column(column.kind, cells))
    return columns


def rows_of(columns):
    return list(zip(*(column.cells for column in columns), strict=True))


def answers(problem, leaf, combine):
    """What a leaf adds to the sums of a row."""
    if not problem.classes:
        return [leaf.answer[0]]
    if combine == "vote":
        most = max(leaf.answer)
        return [(weight == most) / leaf.answer.count(most) for weight in leaf.answer]
    return [weight / sum(leaf.answer) for weight in leaf.answer]


def kernel_rows(columns):
    return kernel_columns(ForestProblem(columns, [], []))


def test_leaves_means_and_votes_are_those_of_a_plain_walk(budget, random_problem, grown):
    rng = np.random.default_rng(40)
    for _ in range(round(60 * budget)):
        problem = random_problem(rng, int(rng.integers(2, 60)))
        bags = {"seed": 4, "bootstrap": False}
        forest = grown(problem, bags, TREES)
        trees = [read_forest_tree(forest, tree, problem) for tree in range(TREES)]
        columns = fresh_rows(rng, problem, 25)
        data, rows = kernel_rows(columns), rows_of(columns)
        walked = [[tree.leaf(row) for tree in trees] for row in rows]
        numbers = [[leaf.number for leaf in leaves] for leaves in walked]
        assert _core.forest_leaves(forest, data, 1, 0, len(forest)).tolist() == numbers
        for combine in ("mean", "vote"):
            for first, last in ((0, TREES), (1, 2)):
                sums = np.zeros((len(rows), problem.classes or 1))
                for tree in range(first, last):  # in the order of the trees, as sums of doubles depend on it
                    sums += [answers(problem, leaves[tree], combine) for leaves in walked]
                found = _core.forest_predict(forest, data, combine, 2, first, last)
                assert np.array_equal(found, sums / (last - first))


@pytest.mark.parametrize("combine", ["mean", "vote"])
def test_out_of_bag_sums_leave_out_the_trees_that_know_a_row(combine, budget, random_problem, grown):
    rng = np.random.default_rng(41)
    for number in range(round(20 * budget)):
        problem = random_problem(rng, int(rng.integers(8, 60)))
        counts = rng.integers(0, 2, (40, len(problem.y))).astype(np.uint32)
        counts[:, 0] = 1
        bags = {"seed": 6}
        if number % 2 or min(problem.weights) == 0:
            bags["given"] = counts.ravel()
        else:
            counts = np.array([_core.forest_bag(bags, tree, len(problem.y)) for tree in range(40)])
        forest = grown(problem, bags, 40)
        trees = [read_forest_tree(forest, tree, problem) for tree in range(40)]
        sums = np.zeros((len(problem.y), problem.classes or 1))
        for row, cells in enumerate(rows_of(problem.columns)):
            for tree in np.flatnonzero(counts[:, row] == 0):
                sums[row] += answers(problem, trees[tree].leaf(cells), combine)
        y = np.array(problem.y)
        truth = {"label": y.astype(np.uint32)} if problem.classes else {"value": y.astype(np.float64)}
        found, used, loss = _core.forest_out_of_bag(forest, kernel_columns(problem), bags, truth, combine, 2)
        assert np.array_equal(used, (counts == 0).sum(axis=0))
        assert np.array_equal(found, sums)
        out = used > 0
        wrong = sums.argmax(axis=1) != y if problem.classes else (sums[:, 0] / np.maximum(used, 1) - y) ** 2
        assert loss[-1] == pytest.approx(wrong[out].mean())


def test_values_closer_than_floats_are_told_apart(grown):
    """Both ends of a cut between neighbouring doubles, and both infinities, take the branches they grew."""
    x = [1.0]
    for _ in range(7):
        x.append(float(np.nextafter(x[-1], 2)))
    x = [-np.inf, *x, np.inf]
    y = [row % 2 for row in range(10)]
    problem = ForestProblem([Column("numeric", x)], [0], y, 2, [1] * 10)
    forest = grown(problem, {"seed": 1, "bootstrap": False}, 1)
    found = _core.forest_predict(forest, kernel_columns(problem), "mean", 1, 0, 1)
    assert found.argmax(axis=1).tolist() == y
    # A forest that grows on keeps what earlier trees say.
    first = read_forest_tree(forest, 0, problem)
    other = ForestProblem([Column("numeric", sorted(x, key=lambda v: v % 3e-16))], [0], y, 2, [1] * 10)
    grown(other, {"seed": 1, "bootstrap": False}, 2, first=1, forest=forest)
    assert read_forest_tree(forest, 0, problem) == first


@pytest.mark.parametrize("threads", [1, 7])
def test_blocks_of_rows_do_not_change_answers(threads, grown):
    rng = np.random.default_rng(3)
    x = rng.normal(size=9000).tolist()
    problem = ForestProblem([Column("numeric", x)], [0], [int(v > 0.3) for v in x], 2, [1] * 9000, max_depth=3)
    forest = grown(problem, {"seed": 2}, 5)
    data = kernel_columns(problem)
    whole = _core.forest_predict(forest, data, "mean", threads, 0, 5)
    parts = [
        _core.forest_predict(forest, [(data[0][0][at : at + 100], None, 0)], "mean", 1, 0, 5)
        for at in range(0, 9000, 100)
    ]
    assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64, np.uint64])
def test_columns_of_any_type_and_masks(dtype, grown):
    problem = ForestProblem([Column("numeric", [0, 1, 2, 3, None, None])], [0], [0, 0, 1, 1, 2, 2], 3, [1] * 6)
    forest = grown(problem, {"seed": 2, "bootstrap": False}, 1)
    mask = np.array([False, False, False, False, True, True])
    data = [(np.array([0, 1, 2, 3, 0, 1], dtype=dtype), mask, 0)]
    assert _core.forest_predict(forest, data, "mean", 1, 0, 1).argmax(axis=1).tolist() == problem.y
