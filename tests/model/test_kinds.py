"""Intervals, conjunctions and branches of missing values as users read them, and where they send rows."""

import numpy as np
import pytest

from bough import _core
from bough.model import Term, Tree
from bough.table import Column, Schema

DRAWN = """\
Classification tree for answer: 20 rows, 20 nodes, 13 leaves, depth 4
classes: no, yes

all: no | 60 % of 20 rows: no 12, yes 8
|- age <= 18.5 -> no | 100 % of 3 rows
|- 18.5 < age <= 65: yes | 63 % of 8 rows: no 3, yes 5
|  |- color = red and shape = round: yes | 100 % of 4 rows
|  |  |- age > 40 -> yes | 100 % of 2 rows
|  |  |- age <= 40 -> yes | 100 % of 1 row
|  |  `- age is missing -> yes | 100 % of 1 row
|  `- color != red or shape != round, or missing -> no | 75 % of 4 rows: no 3, yes 1
|- age > 65: no | 80 % of 5 rows: no 4, yes 1
|  |- color = green -> no | 100 % of 2 rows
|  |- color in {red, yellow} -> no | 100 % of 1 row
|  `- color is missing -> no | 50 % of 2 rows: no 1, yes 1
`- age is missing: no | 50 % of 4 rows: no 2, yes 2
   |- shape is known: no | 67 % of 3 rows: no 2, yes 1
   |  if missing: asks age >= 30 as S < size <= M, age < 30 as size > M (75 %); else as size > M
   |  |- S < size <= M -> no | 100 % of 1 row
   |  |- size <= S -> no | 100 % of 1 row
   |  `- size > M: yes | 100 % of 1 row
   |     |- age is known -> yes | 100 % of 1 row
   |     `- age is missing -> yes | 100 % of 1 row
   `- shape is missing -> yes | 100 % of 1 row"""


def split_of(build, n_branches, **column):
    """The split at the root of a tree with one column."""
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    build(builder)
    for branch in range(n_branches):
        builder.add_node(0, branch, value=0.0)
    schema = Schema((Column("x", **column or {"kind": "numeric", "dtype": "float64"}),))
    return Tree.by_hand(builder.freeze(), schema).root.split


def test_the_drawing_shows_every_kind(make_kinds):
    assert make_kinds().draw(ascii=True) == DRAWN


def test_the_listing_says_where_each_answer_leads(make_kinds):
    lines = make_kinds().listing().splitlines()
    assert lines[0] == (
        "0 if age <= 18.5 then node 1 elseif 18.5 < age <= 65 then node 2 elseif age > 65 then node 8 "
        "elseif age is missing then node 12 else node 12"
    )
    assert lines[13] == (
        "13 if S < size <= M then node 14 elseif size <= S then node 15 elseif size > M then node 16 "
        "else if age >= 30 then node 14 elseif age < 30 then node 16 else node 16"
    )


def test_what_is_told_once_for_all_nodes(make_kinds):
    told = "a missing value which nothing else decides sends the case down all branches, in parts by their weights"
    assert told in make_kinds((False, 4, 0, 0)).draw()
    assert "a missing value which nothing else decides stops" in make_kinds((False, 2, 0, 0)).draw()
    upper = make_kinds((False, 2, 0, 0)).cut([13])  # all tests that are left have a branch for missing values
    assert "a missing value" not in upper.draw()


def test_the_parts_of_a_split(make_kinds):
    tree = make_kinds()
    intervals, conjunction, threshold = (tree.node(number).split for number in (0, 2, 3))
    assert (intervals.kind, intervals.edges, intervals.interval_branches) == ("intervals", (18.5, 65), (0, 1, 2))
    assert (intervals.threshold, intervals.levels, intervals.terms, intervals.low) == (None, None, None, None)
    assert (intervals.missing_branch, intervals.missing_alone, intervals.n_branches) == (3, True, 4)
    assert conjunction.kind == "conjunction"
    assert conjunction.terms == (Term("color", "red", negated=False), Term("shape", "round", negated=False))
    assert (conjunction.low, conjunction.edges, conjunction.side, conjunction.threshold) == (0, None, None, None)
    assert (conjunction.missing_branch, conjunction.missing_alone, conjunction.n_branches) == (1, False, 2)
    assert (threshold.threshold, threshold.missing_branch, threshold.n_branches) == (40.0, 2, 3)
    assert tree.node(13).split.edges == ("S", "M")
    assert tree.node(13).split.missing_branch is None
    assert [tree.node(number).split.asks_missing for number in (0, 8, 12, 16)] == [False, False, True, True]
    assert tree.root.competitors[0].describe(1) == "color = red and shape != long"
    assert tree.root.competitors[0].describe(2) == "color or shape is missing"


def test_where_missing_values_go_in_words(make_kinds):
    tree = make_kinds()
    assert tree.root.missing == "has a branch of its own"
    assert tree.node(2).missing == "goes with color != red or shape != round"
    assert [tree.node(number).missing_branch for number in (0, 2, 13)] == [3, 1, 2]
    assert tree.node(13).missing == "asks age >= 30 as S < size <= M, age < 30 as size > M; else as size > M"


@pytest.mark.parametrize(
    ("edges", "branches", "side", "texts"),
    [
        ([1.0], [0, 1], 0, ["x <= 1", "x > 1"]),
        ([1.0], [0, 1], 1, ["x < 1", "x >= 1"]),
        ([1.0, 2.5], [0, 1, 0], 0, ["x <= 1 or x > 2.5", "1 < x <= 2.5"]),
        ([1.0, 2.5], [0, 1, 0], 1, ["x < 1 or x >= 2.5", "1 <= x < 2.5"]),
        ([1, 2, 3, 4], [0, 1, 1, 0, 2], 0, ["x <= 1 or 3 < x <= 4", "1 < x <= 3", "x > 4"]),
    ],
)
def test_intervals_in_words(edges, branches, side, texts):
    split = split_of(lambda b: b.add_intervals(0, edges, branches, side=side), len(texts))
    assert [split.describe(branch) for branch in range(len(texts))] == texts
    assert split.threshold_text == " | ".join(f"{edge:g}" for edge in edges)


def test_edges_of_a_date_are_dates():
    split = split_of(lambda b: b.add_intervals(0, [18321.5, 18330], [0, 1, 2]), 3, kind="numeric", dtype="date")
    assert [split.describe(branch) for branch in range(3)] == [
        "x <= 2020-02-29",
        "2020-02-29 < x <= 2020-03-09",
        "x > 2020-03-09",
    ]


def test_the_frame_and_the_columns_asked(make_kinds):
    tree = make_kinds()
    frame = tree.to_frame()
    assert frame["threshold_text"][0] == "18.5 | 65"
    assert np.isnan(frame["threshold"][0])
    assert frame["levels"][2] == ""
    assert frame["condition"][3] == "color = red and shape = round"
    assert tree.columns_used == ("age", "color", "shape", "size")
    assert tree.cut([3, 8, 12]).columns_used == ("age", "color", "shape")


def test_rows_take_their_branches(make_kinds):
    rows = {
        "age": [10, 18.5, 30, 50, 50, 50, 70, 70, 70, np.nan, np.nan, np.nan],
        "color": ["red", None, "red", "red", "red", "blue", "yellow", None, "blue", "red", "red", None],
        "shape": ["round", None, "round", "long", None, None, None, None, "long", None, "long", "round"],
        "size": ["S", "S", "S", "S", "S", "S", "S", "S", "S", "S", "S", None],
    }
    tree = make_kinds()
    nodes = [1, 1, 5, 7, 7, 7, 10, 11, 11, 19, 15, 18]
    assert tree.apply(rows).tolist() == nodes
    indptr, indices = tree.decision_path(rows)
    assert indices[indptr[2] : indptr[3]].tolist() == [0, 2, 3, 5]


def test_the_columns_of_a_conjunction_share_its_gain(make_kinds):
    from bough.learn.importance import column_importance

    gains = column_importance(make_kinds().kernel, 4, surrogates=False)
    assert gains == pytest.approx([0.25 * 20, 0.2 * 8 / 2 + 0.1 * 5, 0.2 * 8 / 2 + 0.3 * 4, 0.1 * 3])
