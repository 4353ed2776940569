"""What must hold of every tree, whatever the table: laws that the oracle is checked by."""

from dataclasses import replace
from itertools import combinations
from math import fsum

import numpy as np
import pytest
from hypothesis import given, settings

from bough.testing import (
    Column,
    Problem,
    Reading,
    Rules,
    all_splits,
    assert_same_tree,
    best_split,
    grow,
    monotone_violations,
    pruned,
    random_table,
    route,
    rpart_complexity,
    to_frame,
    weakest_link,
)
from bough.testing.strategies import problems

SOME = settings(max_examples=max(1, settings.default.max_examples * 2 // 5))


def as_reading(node):
    """A tree of the oracle as if it had been grown elsewhere."""
    return Reading(
        split=node.split,
        n_rows=len(node.rows),
        weight=node.weight,
        impurity=node.impurity,
        risk=node.risk,
        counts=node.counts,
        answer=node.answer,
        gain=node.primary.gain if node.primary else None,
        competitors=[(other.split, other.gain) for other in node.competitors],
        surrogates=list(node.surrogates),
        majority=-1 if node.majority is None else node.majority,
        children=[as_reading(child) for child in node.children],
    )


def shape(node):
    # Three times a number and the sum of three differ in the last bit: weights and means are equal up to that.
    return [(part.path, part.split, round(part.weight, 9), up_to_the_last_bits(part.answer)) for part in node.walk()]


def up_to_the_last_bits(answer):
    return float(f"{answer:.12g}") if isinstance(answer, float) else answer


@SOME
@given(problems())
def test_the_oracle_agrees_with_itself_without_ties(problem):
    root = grow(problem)
    found = assert_same_tree(problem, as_reading(root))
    assert found.nodes == len(list(root.walk()))
    assert found.ties == []


@SOME
@given(problems())
def test_training_rows_end_where_growing_left_them(problem):
    root = grow(replace(problem, rules=replace(problem.rules, majority_at_prediction="known_weight")))
    stopped = {}
    for node in root.walk():
        below = {row for child in node.children for row in child.rows}
        stopped |= {row: node.path for row in node.rows if row not in below}
    for row in problem.rows:
        assert route(root, [column.cells[row] for column in problem.columns]).path == stopped[row]


@SOME
@given(problems())
def test_branches_are_large_enough_and_risk_never_grows(problem):
    for node in grow(problem).walk():
        if node.primary:
            assert min(node.primary.sizes) >= problem.rules.min_samples_leaf
            assert node.primary.gain > 0
        if node.children and problem.rules.criterion != "worst_error":
            assert fsum(child.risk for child in node.children) <= node.risk * (1 + 1e-12) + 1e-9


@SOME
@given(problems(criteria=["gini", "entropy", "twoing", "squared_error", "absolute_error"], priors_and_costs=False))
def test_whole_weights_are_repeated_rows(problem):
    rules = replace(problem.rules, count_by="weight")
    problem = replace(problem, weights=[float(round(w)) for w in problem.weights], rules=rules)
    if not problem.rows:
        return
    rows = [row for row in range(len(problem.y)) for _ in range(int(problem.weights[row]))]
    repeated = Problem(
        [Column(column.kind, [column.cells[row] for row in rows]) for column in problem.columns],
        [problem.y[row] for row in rows],
        rules=rules,
        n_classes=problem.n_classes,
    )
    assert shape(grow(problem)) == shape(grow(repeated))


@SOME
@given(problems(priors_and_costs=False))
def test_rows_of_weight_zero_are_rows_removed(problem):
    rows = problem.rows
    removed = replace(
        problem,
        columns=[Column(column.kind, [column.cells[row] for row in rows]) for column in problem.columns],
        y=[problem.y[row] for row in rows],
        weights=[problem.weights[row] for row in rows],
    )
    assert shape(grow(problem)) == shape(grow(removed))


@SOME
@given(problems(priors_and_costs=False))
def test_the_order_of_rows_does_not_matter(problem):
    turned = replace(
        problem,
        columns=[Column(column.kind, column.cells[::-1]) for column in problem.columns],
        y=problem.y[::-1],
        weights=problem.weights[::-1],
    )
    assert shape(grow(problem)) == shape(grow(turned))


@SOME
@given(problems(criteria=["gini", "entropy", "misclassification", "squared_error"], max_columns=1))
def test_ordered_subsets_hold_the_best_one_of_two_classes_and_of_squared_error(problem):
    if problem.is_classification and problem.n_classes > 2:
        return
    free = replace(problem.rules, min_samples_leaf=0)
    everything = best_split(replace(problem, rules=replace(free, subsets="all")), 0, problem.rows)
    ordered = best_split(replace(problem, rules=replace(free, subsets="ordered")), 0, problem.rows)
    assert (everything is None) == (ordered is None)
    if everything:
        assert ordered.gain == pytest.approx(everything.gain, rel=1e-9)


def test_ordered_subsets_may_miss_the_best_one_of_large_enough_branches():
    level = Column("nominal", [0, 1, 1, 1, 2, 2])
    problem = Problem([level], [0, 1, 0, 0, 1, 1], rules=Rules(min_samples_leaf=3))
    assert best_split(problem, 0, problem.rows).split.branches == {0: 1, 1: 0, 2: 1}
    assert best_split(replace(problem, rules=replace(problem.rules, subsets="auto")), 0, problem.rows) is None


def test_every_subset_of_levels_is_tried_once():
    for levels in range(1, 7):
        problem = Problem([Column("nominal", list(range(levels)))], [k % 2 for k in range(levels)], n_classes=2)
        tried = all_splits(problem, 0, problem.rows)
        sides = {frozenset(k for k, branch in c.split.branches.items() if branch == 0) for c in tried}
        expected = [frozenset(some) for size in range(1, levels) for some in combinations(range(levels), size)]
        whole = frozenset(range(levels))
        assert len(tried) == 2 ** (levels - 1) - 1
        assert all((side in sides) != (whole - side in sides) for side in expected)


def subtrees(node):
    """Risk and number of leaves of every way to prune a tree."""
    ways = [(node.risk, 1)]
    if node.children:
        left, right = (subtrees(child) for child in node.children)
        ways += [(a + b, m + n) for a, m in left for b, n in right]
    return ways


@SOME
@given(problems(criteria=["gini", "entropy", "squared_error"], max_rows=12, max_columns=2))
def test_weakest_link_gives_the_best_subtree_for_every_alpha(problem):
    root = grow(problem)
    ways = subtrees(root)
    sequence = weakest_link(root)
    for place, subtree in enumerate(sequence):
        following = sequence[place + 1].alpha if place + 1 < len(sequence) else subtree.alpha + 1
        for alpha in (subtree.alpha, (subtree.alpha + following) / 2):
            least = min(risk + alpha * leaves for risk, leaves in ways)
            assert subtree.risk + alpha * subtree.n_leaves == pytest.approx(least, rel=1e-9, abs=1e-9)
        kept = pruned(root, subtree.alpha * (1 + 1e-9) + 1e-9)
        assert len(kept.leaves()) == subtree.n_leaves


@SOME
@given(problems(criteria=["gini", "squared_error"], max_rows=16))
def test_the_accounts_of_rpart_keep_no_more_than_they_should(problem):
    root = grow(problem)
    alpha = 0.05 * root.risk
    kept = rpart_complexity(root, alpha)
    for node in kept.walk():
        assert node.is_leaf or node.complexity > alpha
        assert all(child.complexity <= max(node.complexity, alpha) for child in node.children)


def test_random_tables_are_what_was_asked_for():
    rng = np.random.default_rng(0)
    problem = random_table(rng, 50, numeric=1, ordered=2, nominal=3, classes=3, missing=0.2, weights="zeros")
    assert [column.kind for column in problem.columns] == ["numeric"] + ["ordered"] * 2 + ["nominal"] * 3
    assert set(problem.y) == {0, 1, 2}
    assert set(problem.weights) == {0.0, 1.0, 2.0}
    frame = to_frame(problem)
    assert list(frame.columns) == [f"x{k}" for k in range(6)]
    assert frame["x1"].cat.ordered
    assert not frame["x5"].cat.ordered
    for number, column in enumerate(problem.columns):
        assert frame[f"x{number}"].isna().tolist() == [cell is None for cell in column.cells]


def test_a_step_against_the_direction_is_found():
    problem = random_table(np.random.default_rng(1), 30, classes=0, missing=0.0)
    root = grow(problem)
    falls = monotone_violations(lambda case: route(root, case).answer, problem, 1, 1)
    rises = monotone_violations(lambda case: route(root, case).answer, problem, 1, -1)
    assert falls
    assert rises
    assert monotone_violations(lambda case: case[1], problem, 1, 1) == []
