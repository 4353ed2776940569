"""The smallest tree by branch and bound, against every tree there is and against another program."""

from itertools import combinations

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.testing import Column, Problem, grow, random_table, route, smallest_tree, to_frame


def errors_of(tree):
    return sum(leaf.risk for leaf in tree.leaves())


def size_of(tree):
    return errors_of(tree), len(tree.leaves())


def every_test(problem):
    """Which rows each test sends to one side, as a matrix: all thresholds and all sets of levels of the table."""
    found = []
    for column in problem.columns:
        cells = np.array(column.cells)
        values = np.unique(cells)
        if column.kind == "nominal":
            sizes = range(1, len(values))
            found += [np.isin(cells, chosen) for size in sizes for chosen in combinations(values.tolist(), size)]
        else:
            found += [cells <= value for value in values[:-1]]
    return np.array(found, dtype=bool).reshape(-1, len(problem.y))


def enumerated(problem):
    """Errors and leaves of the best of all trees of depth 2: every test above every pair of leaves and tests.

    A test that leaves one side empty is no tree, but it is counted as worse than a leaf: as many errors, more leaves.
    """
    tests, classes = every_test(problem), np.eye(problem.n_classes, dtype=int)[problem.y]

    def errors(rows):  # of one leaf for each of many sets of rows
        counts = rows.astype(int) @ classes
        return counts.sum(axis=-1) - counts.max(axis=-1)

    whole = np.ones(len(problem.y), dtype=bool)
    cost = [100 * int(errors(whole)) + 1]  # so that errors count first and leaves then
    for test in tests:
        sides = []
        for rows in (test, ~test):
            two_leaves = errors(tests & rows) + errors(~tests & rows)
            sides.append(np.append(100 * two_leaves + 2, 100 * errors(rows) + 1))
        cost.append(int((sides[0][:, np.newaxis] + sides[1]).min()))
    return divmod(min(cost), 100)


def small_table(rng, rows, **more):
    how = {"numeric": 2, "ordered": 1, "nominal": 1, "classes": int(rng.integers(2, 4)), "max_levels": 4, **more}
    return random_table(rng, rows, missing=0, **how)


def test_depth_two_is_the_best_of_all_trees(budget):
    """200 tables of 4 to 30 rows."""
    rng = np.random.default_rng(0)
    for _ in range(max(1, round(200 * budget))):
        problem = small_table(rng, int(rng.integers(4, 31)))
        assert size_of(smallest_tree(problem, max_depth=2)) == enumerated(problem)


def test_greedy_trees_are_never_better(budget):
    rng = np.random.default_rng(1)
    worse = 0
    for _ in range(max(1, round(30 * budget))):
        problem = small_table(rng, int(rng.integers(6, 16)), numeric=1)
        frame = to_frame(problem)
        for depth in (1, 2, None):
            best = size_of(smallest_tree(problem, max_depth=depth))
            cart = bough.CARTClassifier(max_depth=depth, min_samples_split=2, min_samples_leaf=1, pruning=None)
            cart.fit(frame, problem.y)
            greedy = (int((cart.predict(frame) != problem.y).sum()), cart.get_n_leaves())
            assert best <= greedy
            worse += best < greedy
            if depth is None:
                assert best <= size_of(grow(problem))
    assert worse > 0


def test_the_tree_says_what_its_nodes_promise():
    """Rows go where the tests send them, and every leaf answers with its most frequent class."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        problem = small_table(rng, 15)
        tree = smallest_tree(problem, max_depth=3, max_leaves=5)
        assert len(tree.leaves()) <= 5
        assert all(len(leaf.path) <= 3 for leaf in tree.leaves())
        wrong = 0
        for row in problem.rows:
            leaf = route(tree, [column.cells[row] for column in problem.columns])
            assert row in leaf.rows
            wrong += leaf.answer != problem.y[row]
        assert wrong == errors_of(tree)


def test_limits_of_leaves_and_depth():
    """Parity of three columns needs eight leaves, at depth three; with fewer some rows are wrong."""
    cells = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    columns = [Column("nominal", list(column)) for column in zip(*cells, strict=True)]
    problem = Problem(columns, [sum(row) % 2 for row in cells])
    assert size_of(smallest_tree(problem)) == (0, 8)
    assert [errors_of(smallest_tree(problem, max_leaves=n)) for n in (1, 4, 6, 7)] == [4, 3, 2, 1]
    assert [errors_of(smallest_tree(problem, max_depth=d)) for d in (0, 1, 2, 3)] == [4, 4, 4, 0]


def test_rows_that_are_alike_and_differ_are_unavoidable():
    x = Column("numeric", [1, 1, 1, 2, 2, 3])
    assert size_of(smallest_tree(Problem([x], [0, 0, 1, 1, 1, 0]))) == (1, 3)
    assert size_of(smallest_tree(Problem([x], [1, 1, 1, 1, 1, 1]))) == (0, 1)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Problem([Column("numeric", [1, None])], [0, 1]), "column 0 has no value in row 1"),
        (Problem([Column("numeric", [1, 2])], [0, 1], [1, 2]), "row 1 has weight 2"),
        (random_table(np.random.default_rng(0), 10, classes=0, missing=0), "'squared_error' is for numbers"),
    ],
)
def test_what_it_is_not_made_for_is_refused(problem, message):
    with pytest.raises(ParameterError, match=message):
        smallest_tree(problem)


@pytest.mark.parametrize("limits", [{"max_depth": -1}, {"max_leaves": 0}])
def test_limits_that_leave_no_tree_are_refused(limits):
    with pytest.raises(ParameterError, match=f"{next(iter(limits))} is"):
        smallest_tree(Problem([Column("numeric", [1, 2])], [0, 1]), **limits)


def test_pystreed_finds_the_same_optimum_at_depth_three():
    """Ten tables of binary columns: the errors of the best tree of depth 3."""
    pystreed = pytest.importorskip("pystreed", reason="pystreed, another exact search, is not installed")
    rng = np.random.default_rng(3)
    for _ in range(10):
        x = rng.integers(0, 2, (60, 6))
        y = ((x[:, 0] ^ x[:, 1]) | (x[:, 2] & x[:, 3])) ^ (rng.random(60) < 0.15)
        problem = Problem([Column("nominal", x[:, k].tolist()) for k in range(6)], y.astype(int).tolist())
        other = pystreed.STreeDClassifier(max_depth=3).fit(x, y.astype(int))
        assert errors_of(smallest_tree(problem, max_depth=3)) == (other.predict(x) != y).sum()
