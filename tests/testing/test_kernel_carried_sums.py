"""Ties decided by rounding: the same trees up to candidates of equal gain, as brute force judges them."""

import numpy as np
import pytest

from bough import _core
from bough.testing import Rules, assert_same_tree, random_table, read_tree
from bough.testing.kernel import kernel_columns, kernel_levels, kernel_options, kernel_target


def tree_of(problem, **options):
    used = (np.array(problem.weights) > 0).astype(np.uint8)
    table = _core.rank_table(kernel_columns(problem), kernel_levels(problem), used, 1)
    target, options = kernel_target(problem), kernel_options(problem) | options
    return _core.add_surrogates(_core.grow(table, target, options, None), table, target, options)


@pytest.mark.parametrize("weights", ["ones", "integers", "reals", "zeros"])
@pytest.mark.parametrize(("criterion", "classes"), [("gini", 2), ("gini", 4), ("entropy", 3), ("squared_error", 0)])
def test_every_node_has_a_best_split(criterion, classes, weights, budget):
    rules = Rules(criterion=criterion, subsets="auto", orientation="answer", min_samples_leaf=2, tie=1e-9)
    for seed in range(max(1, round(3 * budget))):
        rng = np.random.default_rng(seed)
        problem = random_table(rng, 50, classes=classes, weights=weights, max_levels=4, rules=rules)
        assert_same_tree(problem, read_tree(tree_of(problem, ties="rounding")))


def test_criteria_without_sums_are_refused():
    rules = Rules(criterion="misclassification")
    problem = random_table(np.random.default_rng(0), 20, classes=2, rules=rules)
    with pytest.raises(_core.InvalidInput, match="ties"):
        tree_of(problem, ties="rounding")
