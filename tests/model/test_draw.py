"""The text drawing: what it shows, what it folds, and that it stays small."""

import re
import time

import numpy as np
import pytest

import bough
from bough import _core
from bough.model import Tree
from bough.table import Column, Schema

SMALL = """\
Classification tree for buys: 10 rows, 12 nodes, 7 leaves, depth 5
classes: no, yes, maybe so

all: no │ 63 % · 10 rows: no 6 (63 %), yes 3 (32 %), maybe so 1 (5 %)
if missing: asks job in {A, C} (90 %), then size > S (80 %): yes first branch, no second branch; else second branch
├─ age <= 38.5 → no │ 100 % · 4 rows
└─ age > 38.5: yes │ 55 % · 6 rows: no 2 (36 %), yes 3 (55 %), maybe so 1 (9 %)
   ├─ job = A, or missing: yes │ 100 % · 3 rows
   │  if missing: stops here
   │  ├─ size <= M → yes │ 100 % · 1 row
   │  └─ size > M: yes │ 100 % · 2 rows
   │     ├─ born < 2020-03-01 → yes │ 100 % · 1 row
   │     └─ born >= 2020-03-01, or missing: yes │ 100 % · 1 row
   │        ├─ count <= 18446744073709551615, or missing → yes │ 100 % · 1 row
   │        └─ count > 18446744073709551615 → yes │ 100 % · 0 rows
   ├─ job = B → no │ 100 % · 2 rows
   └─ job = C → maybe so │ 100 % · 1 row"""


def test_the_whole_drawing(small):
    drawn = str(small).replace("0 rows of weight 0", "0 rows")
    assert drawn == SMALL


def test_plain_characters(small):
    text = small.draw(ascii=True)
    assert text.isascii()
    assert "`- job = C -> maybe so | 100 %, 1 row" in text


def test_limits_come_with_a_notice(small):
    lines = small.draw(max_depth=1).splitlines()
    assert lines[-2].endswith(" maybe so 1 (9 %) │ … 6 leaves below")
    assert lines[-1] == (
        "… 6 of 7 leaves are folded: draw(max_depth=None, max_nodes=None) draws all, "
        "pruned(n_leaves=...) gives a smaller tree"
    )
    lines = small.draw(max_nodes=6).splitlines()
    assert lines[-1].startswith("… 4 of 7 leaves are folded: draw(max_nodes=None) draws all")


def test_every_leaf_is_drawn_or_counted_at_the_place_where_it_is_folded():
    rng = np.random.default_rng(0)
    X = {"x": rng.normal(size=600), "c": rng.choice(list("abcdefgh"), 600)}
    y = np.where((X["x"] > 0) ^ np.isin(X["c"], ["a", "c"]) ^ (rng.random(600) < 0.2), "yes", "no")
    tree = bough.CARTClassifier(pruning=None, min_samples_leaf=2, min_samples_split=4).fit(X, y).tree_
    assert tree.n_leaves > 60
    assert len(str(tree).splitlines()) <= 60 + 5
    for most in (3, 10, 60):
        lines = tree.draw(max_nodes=most, surrogates=False).splitlines()
        folded = [int(n) for n in re.findall(r"… (\d+) leaves below$", "\n".join(lines), re.MULTILINE)]
        drawn = sum(" → " in line for line in lines)
        assert drawn + sum(folded) == tree.n_leaves
        assert lines[-1].startswith(f"… {sum(folded)} of {tree.n_leaves} leaves are folded")
    assert "folded" not in tree.draw(max_nodes=None)


def test_surrogates_are_drawn_where_training_rows_lacked_the_value(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    X = {"x": x, "z": x + rng.normal(scale=0.1, size=200)}
    y = np.where(x > 0, "yes", "no")
    complete = bough.CARTClassifier().fit(X, y)
    assert "asks z" not in str(complete.tree_)
    assert "draw(surrogates=True) draws those" in str(complete.tree_)
    assert "if missing: asks z" in complete.tree_.draw(surrogates=True)
    gaps = bough.CARTClassifier().fit({**X, "x": np.where(np.arange(200) % 9, x, np.nan)}, y)
    assert "asks x" in str(gaps.tree_) or "asks z" in str(gaps.tree_)
    weighed = bough.CARTClassifier().fit({**X, "x": np.where(np.arange(200), x, np.nan)}, y, np.arange(200) > 0)
    assert "asks" not in str(weighed.tree_).replace("ask surrogates", "")  # the row without the value takes no part
    for model in (complete, gaps):
        model.save(tmp_path / "model.json")
        assert str(bough.load(tmp_path / "model.json").tree_) == str(model.tree_)


def test_costs_stand_in_the_head_with_their_labels(make_small):
    costs = np.array([[0, 1, 2.5], [10, 0, 1], [1, 1, 0]])
    lines = make_small(costs=costs).draw().splitlines()
    assert lines[2:7] == [
        "costs (rows: true class, columns: decided class)",
        "            no  yes  maybe so",
        "  no         0    1       2.5",
        "  yes       10    0         1",
        "  maybe so   1    1         0",
    ]


def test_surrogates_can_be_left_out_and_the_head_says_so(small, make_small):
    lines = small.draw(surrogates=False).splitlines()
    assert lines[2] == "missing values ask surrogates first, which are not drawn here"
    assert not any("asks" in line for line in lines)
    assert lines[6].startswith("└─ age > 38.5, or missing: yes")
    unused = make_small((False, 1, 0, 0)).draw(surrogates=False)
    assert "surrogates" not in unused


def regression(criterion, scale=1.0, weights=None):
    rng = np.random.default_rng(0)
    X = {"x": np.arange(60.0)}
    y = scale * (np.repeat([100.0, 3.0, 0.5], 20) + rng.normal(size=60))
    return bough.CARTRegressor(criterion=criterion).fit(X, y, weights).tree_


def test_numbers_come_with_their_spread_and_with_equal_decimals():
    tree = regression("squared_error")
    lines = tree.draw(ascii=True).splitlines()
    assert lines[1] == "answers: mean +- standard deviation"
    shown = [re.search(r"(-?[\d.]+) \+- ([\d.]+) ", line).groups() for line in lines[3:]]
    assert {len(number.partition(".")[2]) for pair in shown for number in pair} == {1}
    for (answer, spread), node in zip(shown, tree, strict=True):
        assert float(answer) == pytest.approx(node.answer, abs=0.05)
        assert float(spread) == pytest.approx(node.impurity**0.5, abs=0.05)
    assert "median ± mean distance from it" in regression("absolute_error").draw()
    assert "mean ± largest distance from it" in regression("worst_error").draw()


@pytest.mark.parametrize("scale", [1e-30, 1e20])
def test_numbers_far_from_one_are_drawn_short(scale):
    assert max(map(len, regression("squared_error", scale).draw().splitlines())) < 80


def test_sums_of_weights_have_equal_decimals():
    text = regression("squared_error", weights=np.sqrt(np.arange(1.0, 61.0))).draw()
    shown = re.findall(r"of weight ([\d.]+)$", text, re.MULTILINE)
    assert {len(number.partition(".")[2]) for number in shown} == {3}


def test_a_routing_that_stops_is_told_once(make_small):
    text = make_small((False, 2, 0, 0)).draw()
    assert "a missing value stops the case where it is asked for" in text
    assert "stops here" not in text


def test_a_routing_that_spreads_is_told_once(make_small):
    text = make_small((False, 4, 0, 0)).draw()
    assert "a missing value sends the case down all branches, in parts by their weights" in text
    assert "if missing" not in text


def levels_tree(n_levels, n_branches=2):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_levels(0, list(range(n_levels)), [k % n_branches for k in range(n_levels)])
    for k in range(n_branches):
        builder.add_node(0, k, value=float(k))
    levels = tuple(f"L{k}" for k in range(n_levels))
    return Tree.by_hand(builder.freeze(), Schema((Column("c", "nominal", "levels", levels),)))


def test_long_sets_are_folded():
    text = levels_tree(40).draw()
    assert "c in {L0, L2, L4, L6, L8, L10, L12, L14, … 12 more}" in text
    assert "L38" in levels_tree(40).draw(max_levels=None)


def test_many_branches_are_folded():
    text = levels_tree(1000, 1000).draw(max_nodes=10)
    assert "└─ … 992 branches\n" in text
    assert "… 992 of 1,000 leaves are folded: draw(max_nodes=None) draws all" in text


def test_hostile_names_stay_on_one_line():
    builder = _core.TreeBuilder([1.0])
    builder.add_node(-1, 0, label=0, counts=[(0, 1.0)], majority=0)
    builder.add_levels(0, [0, 1], [0, 1])
    builder.add_node(0, 0, label=0, counts=[(0, 1.0)])
    builder.add_node(0, 1, label=0, counts=[(0, 1.0)])
    column = Column("a\nb", "nominal", "levels", ("x\x1b[31m", "y" * 1_000_000))
    tree = Tree.by_hand(builder.freeze(), Schema((column,)), np.array(["line\nbreak"]), target="t\t")
    lines = tree.draw().splitlines()
    assert len(lines) == 6
    assert "\x1b" not in tree.draw()
    assert max(map(len, lines)) < 200


def test_many_classes_are_folded():
    builder = _core.TreeBuilder([1.0] * 30)
    builder.add_node(-1, 0, label=7, counts=[(k, 1.0 + (k == 7)) for k in range(30)])
    tree = Tree.by_hand(builder.freeze(), Schema((Column("x", "numeric", "float64"),)), np.arange(30))
    assert tree.draw().splitlines()[-1] == "all → 7 │ 6 % of 0 rows: 0 1, 1 1, 2 1, 7 2, … 26 more"
    assert ", … 10 more" in tree.draw().splitlines()[1]


def test_a_chain_of_100_000_is_drawn_short(chain):
    start = time.process_time()
    assert str(chain).count("\n") < 300
    assert time.process_time() - start < 5


def test_a_deep_chain_is_drawn_whole_in_bounded_width(make_chain):
    whole = make_chain(5_000).draw(max_nodes=None)
    assert whole.count("\n") == 10_002
    assert max(map(len, whole.splitlines())) < 200
    assert "[depth 5,000] x > 4999 → -1" in whole


@pytest.mark.parametrize("leaves", [1_000_000])
def test_a_million_leaves_are_drawn_truncated(leaves):
    tree = full_tree(leaves)
    start = time.process_time()
    text = str(tree)
    assert time.process_time() - start < 5
    assert len(text) < 100_000
    assert f"of {leaves:,} leaves are folded: draw(max_nodes=None) draws all" in text


def full_tree(leaves):
    """A balanced tree with this many leaves, made from arrays."""
    parent = [-1]
    split_begin = [0]
    todo = [(0, leaves)]
    while todo:
        node, below = todo.pop()
        if node:
            parent.append(node - 1)
        inner = below > 1
        split_begin.append(split_begin[-1] + inner)
        if inner:
            me = len(parent)
            todo += [(me, below - below // 2), (me, below // 2)]
    n, s = len(parent), split_begin[-1]
    inner = np.diff(split_begin)
    arrays = {
        "parent": np.array(parent, "i4"),
        "split_begin": np.array(split_begin, "i8"),
        "rows": np.ones(n, "i8"),
        "majority": np.where(inner, 0, -1).astype("i4"),
        "split_payload": np.zeros(s, "u8"),
        "split_column": np.zeros(s, "i4"),
        "set_begin": np.zeros(1, "i8"),
        "count_begin": np.zeros(1, "i8"),
        "value": np.zeros(n),
    }
    arrays |= {name: np.zeros(n) for name in ("weight", "impurity", "risk", "complexity")}
    arrays |= {f"split_{name}": np.zeros(s, "u1") for name in ("role", "kind", "found", "value_type", "side", "low")}
    arrays |= {name: np.zeros(0, "i4") for name in ("label", "count_class", "set_code", "set_branch")}
    arrays |= {name: np.zeros(0) for name in ("count_weight", "class_scale", "growth_scale", "split_adjusted")} | {
        "split_score": np.zeros(s)
    }
    kernel = _core.Tree.from_arrays(arrays, (True, 1, 0, 0))
    return Tree.by_hand(kernel, Schema((Column("x", "numeric", "float64"),)))


def test_one_leaf_is_one_leaf():
    lone = bough.CARTClassifier(max_depth=1).fit({"x": [0, 1]}, ["a", "b"]).tree_
    assert repr(lone) == "<classification tree for y: 1 node, 1 leaf, depth 0>"


def test_sums_that_are_cut_say_how_to_see_all_of_them():
    X, y = bough.datasets.load("penguins").xy()
    tree = bough.LDATreeClassifier().fit(X, y).tree_
    last = "what asks several columns is shortened: listing(exact=True) tells all terms"
    assert tree.draw().splitlines()[-1] == f"… {last}"
    assert tree.draw(ascii=True).splitlines()[-1] == f"... {last}"
    assert tree.root.split.describe(0) in tree.listing(exact=True)
    whole = bough.LDATreeClassifier().fit(X[["bill_length_mm", "bill_depth_mm"]], y).tree_
    assert len(whole.root.split.test.columns) == 2
    assert last not in whole.draw()
    assert last not in bough.CARTClassifier().fit(X, y).tree_.draw()
