"""The kernel grows the trees that brute force grows: every node of random problems is judged by the oracle."""

import numpy as np
import pytest
from hypothesis import given, settings

from bough import _core
from bough.testing import Column, Problem, Rules, assert_same_tree, random_table, read_tree, weakest_link
from bough.testing.kernel import kernel_columns, kernel_levels, kernel_options, kernel_target
from bough.testing.strategies import problems


def kernel_tree(problem, threads=1):
    used = (np.array(problem.weights) > 0).astype(np.uint8)
    table = _core.rank_table(kernel_columns(problem), kernel_levels(problem), used, threads)
    target, options = kernel_target(problem), kernel_options(problem, threads)
    return _core.add_surrogates(_core.grow(table, target, options, None), table, target, options)


def judge(problem):
    tree = kernel_tree(problem)
    found = assert_same_tree(problem, read_tree(tree))
    weakest_link(found.root)
    complexity = [node.complexity for node in found.root.walk()]
    np.testing.assert_allclose(tree.complexity, complexity, rtol=1e-9, atol=1e-9 * max(found.root.risk, 1e-300))
    return found


@settings(max_examples=settings.default.max_examples * 3)
@given(problems())
def test_every_node_is_as_brute_force_says(problem):
    judge(problem)


@pytest.mark.parametrize("weights", ["ones", "integers", "reals", "zeros"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "squared_error", "absolute_error", "worst_error"])
def test_larger_tables(weights, criterion):
    rng = np.random.default_rng(3)
    classes = 0 if criterion.endswith("error") else 3
    rules = Rules(criterion=criterion, subsets="auto", min_samples_leaf=2)
    judge(random_table(rng, 60, classes=classes, weights=weights, max_levels=4, rules=rules))


@pytest.mark.parametrize("classes", [2, 0])
def test_branches_that_lean_as_in_rpart(classes):
    rules = Rules(
        criterion="gini" if classes else "squared_error",
        subsets="auto",
        orientation="answer",
        count_by="rows",
        majority_tie="stop",
        majority_at_prediction="routed_rows",
        two_disagree=True,
    )
    for seed in range(4):
        judge(random_table(np.random.default_rng(seed), 40, classes=classes, weights="integers", rules=rules))


def test_a_surrogate_takes_the_better_of_both_directions_when_poor_ones_are_kept():
    x = Column("numeric", [1, 2, 3, 4, 5, 6])
    copy = Column("numeric", [1, 2, 3, 4, 5, 6])
    problem = Problem([x, copy], [0, 0, 0, 1, 1, 1], rules=Rules(surrogate_filter=False))
    found = judge(problem)
    assert found.root.surrogates[0].split.low == 0
    assert found.root.surrogates[0].agreement == 1.0


def test_rounding_does_not_choose_the_label():
    # Classes 1 and 3 cost 96 each; the last bit says otherwise.
    y = [0] * 23 + [1] * 9 + [2] * 12 + [3] * 20
    factors = [0.46376811594202894, 1.1851851851851851, 1.7777777777777777, 1.0666666666666667]
    losses = [[0, 1, 1, 5], [5, 0, 1, 2], [1, 2, 0, 1], [5, 2, 5, 0]]
    rules = Rules(risk_factors=factors, split_factors=factors, losses=losses)
    problem = Problem([Column("numeric", [1.0] * len(y))], y, rules=rules)
    assert judge(problem).root.answer == 1
    assert kernel_tree(problem).label[0] == 1
