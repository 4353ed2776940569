"""Trees in plain Python, by brute force: the oracle of the kernel's tests, and pages for teaching.

Nothing here is fast and nothing is shared with the kernel. Each module is one step of the textbook: `impurity`,
`search`, `conjunctions`, `surrogate`, `grow`, `prune`, `pruners`, `significance`, `quest`, `linear`, `smallest`,
`forest`; for rules `covering`, and `cubes` over cells; `compare` judges a tree grown elsewhere, `contract` any
estimator, `laws` and `tree_laws` any criterion, and `strategies` (which needs hypothesis) draws tables at random.
"""

from __future__ import annotations

from bough.testing.compare import Comparison, Reading, assert_same_tree
from bough.testing.conjunctions import Conjunction, best_conjunction, conjunction_gain, conjunctions
from bough.testing.contract import check_recipe
from bough.testing.counterfactual import smallest_changes
from bough.testing.covering import (
    RULE_VALUES,
    Literal,
    covered,
    grow_rule,
    prune_rule,
    rule_gain,
    rule_literals,
    without_implied,
)
from bough.testing.forest import ForestCut, ForestNode, ForestProblem, forest_bag, grow_forest_tree
from bough.testing.grow import grow, route
from bough.testing.impurity import (
    absolute_error,
    entropy,
    gini,
    misclassification,
    squared_error,
    superclass_twoing,
    twoing,
    variance,
    weighted_gini,
    weighted_mean,
    weighted_median,
    worst_error,
)
from bough.testing.kernel import kernel_columns, read_forest_tree, read_tree
from bough.testing.laws import check_criterion
from bough.testing.linear import LinearNode, LinearTerm, linear_answer, linear_ends, linear_sum
from bough.testing.node import Candidate, Node, Surrogate
from bough.testing.problem import Column, Problem, Rules, cart_factors
from bough.testing.prune import Subtree, pruned, rpart_complexity, weakest_link
from bough.testing.pruners import description_bits, exception_bits, global_criterion, merging, prunings, stages
from bough.testing.quest import quest_column, quest_low, quest_point, quest_scores
from bough.testing.search import all_splits, best_split, best_splits, gain
from bough.testing.shapley import shapley_values
from bough.testing.significance import insignificant, split_p_values
from bough.testing.smallest import smallest_tree
from bough.testing.splits import Levels, Split, Threshold
from bough.testing.surrogate import surrogates
from bough.testing.tables import monotone_violations, random_table, to_frame

__all__ = [
    "RULE_VALUES",
    "Candidate",
    "Column",
    "Comparison",
    "Conjunction",
    "ForestCut",
    "ForestNode",
    "ForestProblem",
    "Levels",
    "LinearNode",
    "LinearTerm",
    "Literal",
    "Node",
    "Problem",
    "Reading",
    "Rules",
    "Split",
    "Subtree",
    "Surrogate",
    "Threshold",
    "absolute_error",
    "all_splits",
    "assert_same_tree",
    "best_conjunction",
    "best_split",
    "best_splits",
    "cart_factors",
    "check_criterion",
    "check_recipe",
    "conjunction_gain",
    "conjunctions",
    "covered",
    "description_bits",
    "entropy",
    "exception_bits",
    "forest_bag",
    "gain",
    "gini",
    "global_criterion",
    "grow",
    "grow_forest_tree",
    "grow_rule",
    "insignificant",
    "kernel_columns",
    "linear_answer",
    "linear_ends",
    "linear_sum",
    "merging",
    "misclassification",
    "monotone_violations",
    "prune_rule",
    "pruned",
    "prunings",
    "quest_column",
    "quest_low",
    "quest_point",
    "quest_scores",
    "random_table",
    "read_forest_tree",
    "read_tree",
    "route",
    "rpart_complexity",
    "rule_gain",
    "rule_literals",
    "shapley_values",
    "smallest_changes",
    "smallest_tree",
    "split_p_values",
    "squared_error",
    "stages",
    "superclass_twoing",
    "surrogates",
    "to_frame",
    "twoing",
    "variance",
    "weakest_link",
    "weighted_gini",
    "weighted_mean",
    "weighted_median",
    "without_implied",
    "worst_error",
]
