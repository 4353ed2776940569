"""Counterfactuals and Shapley values of trees that ask which of several sums is the largest."""

import itertools

import numpy as np
import pytest

from bough import _core
from bough.errors import ParameterError
from bough.explain.counterfactual import counterfactuals
from bough.explain.rows import encoded_row
from bough.explain.shapley import shapley_values
from bough.explain.tree_routes import TreeRoutes
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import LinearTerm
from bough.model.features.largest import machine_terms
from bough.model.inputs import Rows
from bough.table import Column, Schema

WHOLE = Schema(
    (
        Column("a", "numeric", "int64"),
        Column("b", "numeric", "int64"),
        Column("job", "nominal", "levels", ("A", "B", "C")),
    )
)
RANGES = (range(5), range(-2, 4), range(3))
BOUNDS = {"a": (0, 4), "b": (-2, 3)}
TERMS = [LinearTerm(0, -1, 1.0, 1.5), LinearTerm(1, -1, 1.0, 0.5), LinearTerm(2, 1, 1.0, 0.3)]


def small_tree(rng):
    """Three sums at the root and three in its first branch, over small whole numbers and levels."""
    builder = _core.TreeBuilder([], (False, 1, 0, 0))

    def machine(parent, branch, value):
        rows = rng.normal(size=(3, 4)).tolist()
        builder.add_node(parent, branch, value=value, rows=4, weight=4.0, majority=int(rng.integers(3)))
        builder.add_levels(0, [0, 1, 2], [0, 1, 2])
        builder.ask_sum(machine_terms(TERMS, rows), machine=[number for row in rows for number in row])

    machine(-1, 0, 0.0)
    machine(0, 0, 1.0)
    for parent, branch in ((1, 0), (1, 1), (1, 2), (0, 1), (0, 2)):
        builder.add_node(parent, branch, value=2.0 + 3 * parent + branch, rows=1, weight=1.0)
    return Tree.by_hand(builder.freeze(), WHOLE)


def table_of(rows):
    return {
        "a": [row[0] for row in rows],
        "b": [row[1] for row in rows],
        "job": [None if row[2] is None else "ABC"[row[2]] for row in rows],
    }


def smallest_change(cells, value, rows, answers):
    """By going through all rows of the grid: how many columns, and how far."""
    best = None
    for row, said in zip(rows, answers, strict=True):
        if said != value:
            continue
        moved = [(k, old, new) for k, (old, new) in enumerate(zip(cells, row, strict=True)) if old != new]
        far = sum(1.0 if old is None or k == 2 else abs(new - old) / (4, 5)[k] for k, old, new in moved)
        if best is None or (len(moved), far) < best:
            best = (len(moved), far)
    return best


def test_counterfactuals_equal_a_search_through_the_grid(budget):
    rng = np.random.default_rng(0)
    changed = 0
    for _ in range(max(5, int(15 * budget))):
        tree = small_tree(rng)
        cells = [None if rng.random() < 0.15 else int(rng.choice(own)) for own in RANGES]
        own = [[*([None] if cell is None else []), *values] for cell, values in zip(cells, RANGES, strict=True)]
        rows = list(itertools.product(*own))
        answers = tree.predict(table_of(rows)).tolist()
        for value in {answers[0], answers[-1]}:

            def answer(changed, tree=tree):
                return float(tree.predict(Rows(tree.schema, encoded_row(tree.schema, changed)))[0])

            found = counterfactuals(
                TreeRoutes(Asked(tree)),
                cells,
                [None if c is None else c if k < 2 else "ABC"[c] for k, c in enumerate(cells)],
                lambda said, value=value: said == value,
                lambda ends, tree=tree: tree.answer.at_ends(tree.kernel, ends),
                answer,
                about=f"{value}",
                direction={},
                bounds=BOUNDS,
            )
            best = smallest_change(cells, value, rows, answers)
            if best == (0, 0.0):
                continue
            assert (len(found[0].changes), found[0].distance) == (best[0], pytest.approx(best[1]))
            changed += 1
    assert changed >= 5


def test_shapley_values_by_paths_are_refused():
    tree = small_tree(np.random.default_rng(0))
    with pytest.raises(ParameterError, match="is largest does, is neither: they are not defined"):
        shapley_values(tree, [])
