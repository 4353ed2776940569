"""Counterfactuals, Shapley values and explanations of trees whose tests are weighted sums of columns."""

import itertools

import numpy as np
import pytest

from bough import _core
from bough.errors import ParameterError
from bough.explain.counterfactual import counterfactuals
from bough.explain.tree_routes import TreeRoutes
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import LinearTerm
from bough.table import Column, Schema

WHOLE = Schema(
    (
        Column("a", "numeric", "int64"),
        Column("b", "numeric", "int64"),
        Column("job", "nominal", "levels", ("A", "B", "C")),
        Column("size", "ordered", "levels", ("S", "M", "L")),
    )
)
BOUNDS = {"a": (0, 4), "b": (-2, 3)}
TERMS = ((0, -1), (1, -1), (2, 0), (2, 1), (3, -1))


def small_tree(rng, depth=2):
    """A tree of planes over small whole numbers and levels, some of whose tests have a branch for missing values."""
    builder = _core.TreeBuilder([], (False, 1, 0, 0))

    def grow(number, branch, level):
        parent, number = number, len(made)
        made.append(None)
        builder.add_node(
            parent, branch, value=float(number), rows=4, weight=4.0, majority=int(rng.integers(2)) if level else -1
        )
        if level == 0:
            return
        more = {"missing": int(rng.integers(2))} if rng.random() < 0.3 else {}
        if rng.random() < 0.8:
            chosen = sorted(rng.choice(len(TERMS), int(rng.integers(2, 5)), replace=False).tolist())
            terms = [
                LinearTerm(*TERMS[k], float(np.round(rng.normal(), 2)) or 0.5, float(rng.normal())) for k in chosen
            ]
            builder.add_threshold(
                terms[0].column, float(np.round(rng.normal() + 1, 3)), low=int(rng.integers(2)), **more
            )
            builder.ask_sum(terms)
        else:
            builder.add_threshold(0, float(rng.integers(0, 4)) + 0.5, low=int(rng.integers(2)), **more)
        for number_of_branch in range(2):
            grow(number, number_of_branch, level - 1)

    made = []
    grow(-1, 0, depth)
    return Tree.by_hand(builder.freeze(), WHOLE)


def table_of(rows):
    return {name: [row[k] for row in rows] for k, name in enumerate(WHOLE.names)}


def asked_for(tree, cells, value, labels=None, **more):
    from bough.explain.rows import encoded_row
    from bough.model.inputs import Rows

    def answer(changed):
        return float(tree.predict(Rows(tree.schema, encoded_row(tree.schema, changed)))[0])

    labels = labels or [
        None if cell is None else cell if k < 2 else WHOLE.columns[k].levels[cell] for k, cell in enumerate(cells)
    ]
    return counterfactuals(
        TreeRoutes(Asked(tree)),
        cells,
        labels,
        lambda said: said == value,
        lambda ends: tree.answer.at_ends(tree.kernel, ends),
        answer,
        about=f"{value}",
        direction=more.pop("direction", {}),
        bounds=more.pop("bounds", BOUNDS),
        **more,
    )


def by_hand(tree, cells, value, rows, answers):
    """The smallest change by going through all rows of the grid: how many columns, and how far."""
    best = None
    for row, said in zip(rows, answers, strict=True):
        if said != value:
            continue
        count, far = 0, 0.0
        for k, (old, new) in enumerate(zip(cells, row, strict=True)):
            if old == new:
                continue
            count += 1
            far += 1.0 if old is None or k == 2 else abs(new - old) / (4, 5, 1, 2)[k]
        if best is None or (count, far) < best:
            best = (count, far)
    return best


def test_counterfactuals_equal_a_search_through_the_grid(budget):
    rng = np.random.default_rng(0)
    compared = changed = 0
    for _ in range(int(50 * budget)):
        tree = small_tree(rng)
        cells = [int(rng.integers(0, 5)), int(rng.integers(-2, 4)), int(rng.integers(3)), int(rng.integers(3))]
        cells = [None if rng.random() < 0.15 else cell for cell in cells]
        own = [
            [*([None] if cell is None else []), *values]
            for cell, values in zip(cells, (range(5), range(-2, 4), range(3), range(3)), strict=True)
        ]
        rows = list(itertools.product(*own))
        shown = [(a, b, None if j is None else "ABC"[j], None if s is None else "SML"[s]) for a, b, j, s in rows]
        answers = tree.predict(table_of(shown)).tolist()
        for value in {answers[0], answers[-1]}:
            best, found = by_hand(tree, cells, value, rows, answers), asked_for(tree, cells, value)
            assert found.limits == ""
            compared += 1
            if best is None:
                assert len(found) == 0
                continue
            assert (len(found[0].changes), found[0].distance) == (best[0], pytest.approx(best[1], abs=1e-9))
            assert found[0].answer == value
            changed += best[0] > 0
    assert compared >= int(50 * budget)
    assert changed > 10 * budget


@pytest.fixture
def diagonal(tree_of_two_reals):
    """2 x + y <= 3, of real numbers, made by hand."""
    terms = [LinearTerm(0, -1, 2.0, 0.25, 1.0), LinearTerm(1, -1, 1.0, 0.5, 4.0)]
    return tree_of_two_reals(3.0, lambda builder, _: builder.ask_sum(terms))


def of_reals(tree, cells, value, **more):
    return asked_for(tree, cells, value, cells, **{"bounds": {}, **more})


def test_the_nearest_point_of_a_plane(diagonal):
    found = of_reals(diagonal, [0.0, 0.0], 1.0, n=3)
    # By y, which has four times the spread: 3 / 4 of it, or 1.5 of x.
    assert [[change.column for change in each.changes] for each in found] == [["y"], ["x"]]
    assert found[0].distance == pytest.approx(0.75, rel=1e-4)
    # The plane is at y = 3 and x = 1.5: the shortest decimals behind it, by at most 1 % of the way.
    assert found[0].row["y"] == 3.01
    assert found[1].row["x"] == 1.51
    assert str(found[0]) == "y 3.01 instead of 0: 1"


def test_what_may_not_change_does_not(diagonal):
    assert of_reals(diagonal, [0.0, 0.0], 1.0, fixed=["y"])[0].changes[0].column == "x"
    assert len(of_reals(diagonal, [0.0, 0.0], 1.0, fixed=["x", "y"])) == 0
    assert len(of_reals(diagonal, [0.0, 0.0], 1.0, direction={"x": "down", "y": "down"})) == 0
    both = of_reals(diagonal, [0.0, 0.0], 1.0, bounds={"x": (0, 1), "y": (0, 2)})[0]
    assert len(both.changes) == 2
    with pytest.raises(ParameterError, match=r"'x' is 0\.0 in this row, outside of its bounds"):
        of_reals(diagonal, [0.0, 0.0], 1.0, bounds={"x": (1, 2)})


def test_a_missing_value_stays_or_is_filled_in(diagonal):
    stays = of_reals(diagonal, [None, 0.0], 1.0, n=2)
    assert [change.column for change in stays[0].changes] == ["y"]
    assert stays[0].row["y"] == 2.51  # x counts 0.25
    assert [str(change).split()[0] for change in stays[1].changes] == ["x"]
    assert stays[1].changes[0].old is None


def test_numbers_are_short_and_keep_to_their_bounds_and_their_answer(diagonal):
    exact = of_reals(diagonal, [0.0, 0.0], 1.0, bounds={"y": (0.0, 3.0001), "x": (0.0, 0.0)})[0]
    assert exact.row["y"] == 3.0001  # 3.01 is out of bounds
    rng = np.random.default_rng(0)
    for x, y in rng.uniform(-3, 0.9, (10, 2)).tolist():
        for found in of_reals(diagonal, [x, y], 1.0, n=2):
            (change,) = found.changes
            assert 2 * found.row["x"] + found.row["y"] > 3
            assert len(repr(change.new)) <= 6
            nearest = 3 - 2 * x if change.column == "y" else (3 - y) / 2
            assert 0 < (change.new - nearest) / (nearest - change.old) <= 0.01
