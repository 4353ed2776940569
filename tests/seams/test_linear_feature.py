"""Proof of the seam: a test on a sum of columns, made by hand: stored, predicted, drawn, told and saved."""

import numpy as np
import pytest

from bough import _core
from bough.explain.path import rule
from bough.explain.way import walk
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import LinearTerm
from bough.model.files import load_model, save_model
from bough.model.ways import cells_of
from bough.table import Column, Encoded, Schema, kernel_columns

SCHEMA = Schema(
    (
        Column("x", "numeric", "float64"),
        Column("n", "numeric", "int64"),
        Column("u", "numeric", "uint64"),
        Column("job", "nominal", "levels", ("A", "B", "C")),
        Column("size", "ordered", "levels", ("S", "M", "L")),
    )
)
CHOICES = ((0, -1), (1, -1), (2, -1), (3, 0), (3, 1), (4, -1))


def random_terms(rng):
    chosen = sorted(rng.choice(len(CHOICES), int(rng.integers(2, 6)), replace=False).tolist())
    terms = []
    for column, code in (CHOICES[place] for place in chosen):
        origin = int(rng.integers(-3, 3)) if column in (1, 2) else 0
        terms.append(LinearTerm(column, code, float(rng.normal()), float(rng.normal()), 0.1 + rng.random(), origin))
    return terms


def random_tree(rng, routing):
    def ask_sum():
        builder.ask_sum(random_terms(rng), whole=bool(rng.integers(2)))

    builder = _core.TreeBuilder([], routing)
    builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0, majority=0)
    builder.add_threshold(0, float(rng.normal()), low=int(rng.integers(2)), side=int(rng.integers(2)))
    ask_sum()
    builder.add_node(0, 0, value=1.0, rows=2, weight=2.0, majority=1)
    builder.add_intervals(0, sorted(rng.normal(size=2).tolist()), [0, 1, 2], side=int(rng.integers(2)))
    ask_sum()
    for branch in range(3):
        builder.add_node(1, branch, value=2.0 + branch, rows=1, weight=0.7)
    builder.add_node(0, 1, value=9.0, rows=2, weight=2.0)
    return Tree.by_hand(builder.freeze(), SCHEMA)


def random_rows(rng, n):
    x = rng.normal(size=n)
    x[rng.random(n) < 0.2] = np.nan
    x[:2] = np.inf, -np.inf
    return [
        Encoded(x),
        Encoded(rng.integers(-5, 5, n), rng.random(n) < 0.2),
        Encoded(rng.integers(0, 9, n).astype(np.uint64), rng.random(n) < 0.2),
        Encoded(rng.integers(-2, 3, n).astype(np.int32)),
        Encoded(rng.integers(-1, 3, n).astype(np.int32)),
    ]


def test_tests_of_sums_route_as_the_kernel_does(budget):
    rng = np.random.default_rng(0)
    for _ in range(int(300 * budget)):
        routing = (False, int(rng.choice([1, 2])), 0, int(rng.choice([0, 1, 2])))
        tree, rows = random_tree(rng, routing), random_rows(rng, 40)
        asked, columns = Asked(tree), kernel_columns(SCHEMA, rows)
        found = _core.apply(tree.kernel, columns, 1)
        assert [walk(asked, cells_of(rows, row)).ends for row in range(40)] == [((node, 1.0),) for node in found]
        if routing[1] == 1:
            binary = tree.to_binary()
            again = _core.apply(binary.kernel, columns, 1)
            np.testing.assert_array_equal(binary.arrays.value[again], tree.arrays.value[found])


@pytest.fixture
def tree():
    builder = _core.TreeBuilder([], (False, 2, 0, 0))
    builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0)
    terms = [LinearTerm(0, -1, 0.62, 1.0, 3.0), LinearTerm(3, 1, -2.0, 0.3, 0.5)]
    builder.add_threshold(0, 1.5, score=0.25)
    builder.ask_sum(terms)
    for branch in range(2):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    return Tree.by_hand(builder.freeze(), SCHEMA)


def test_a_plane_is_drawn_and_told_as_it_is(tree):
    assert [node.condition for node in tree.root.children] == [
        "0.62 x - 2.0 [job = B] <= 1.5",
        "0.62 x - 2.0 [job = B] > 1.5",
    ]
    assert [str(condition) for condition in rule(tree, 1)] == ["0.62 x - 2 [job = B] <= 1.5"]
    assert tree.columns_used == ("x", "job")
    assert (tree.root.split.column, tree.root.split.columns) == ("x", ("x", "job"))


def test_a_plane_is_predicted_and_saved(tree, tmp_path):
    rows = {"x": [1.0, 9.0, None, None], "n": [1] * 4, "u": [1] * 4, "job": ["A", "B", "A", None], "size": ["S"] * 4}
    assert tree.predict(rows).tolist() == [0.0, 1.0, 0.0, 0.0]
    save_model(tmp_path / "model.json", {}, tree)
    loaded = load_model(tmp_path / "model.json")[1]
    assert loaded == tree
    assert loaded.predict(rows).tolist() == tree.predict(rows).tolist()
