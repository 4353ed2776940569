"""Every pair of parts from different slots is refused with a reason, or keeps the promises of all recipes."""

from itertools import combinations, product

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import (
    Bayes,
    CrossValidated,
    ErrorThreshold,
    GlobalCriterion,
    Layers,
    MaxDepth,
    MinRows,
    Network,
    OwnBranch,
    Refuse,
    Significance,
    SparseLogistic,
    Unbiased,
    Written,
)
from bough.recipe.registry import PARTS, SLOTS
from bough.testing import check_recipe

# A search that a user wrote is not in the file.
pytestmark = pytest.mark.filterwarnings("ignore:search.find cannot be written")

rng = np.random.default_rng(7)
N = 40
# Two numbers and two nominal columns: an array, because reading a frame takes longer than growing the tree.
TABLE = np.stack(
    [rng.normal(size=N).round(1), rng.integers(0, 6, N), rng.integers(0, 3, N), rng.random(N) < 0.5], axis=1
)
NOMINAL = [2, 3]
SIGNAL = TABLE[:, 0] + (TABLE[:, 2] == 0) * 1.5 + TABLE[:, 3] * (TABLE[:, 1] > 2) + rng.normal(scale=0.4, size=N)
HOLES = TABLE.copy()
HOLES[rng.random(N) < 0.15, 0] = np.nan
HOLES[rng.random(N) < 0.15, 2] = np.nan
CLASSES = np.array(["low", "mid", "high"])[np.digitize(SIGNAL, [0.3, 1.2])]
NUMBERS = (SIGNAL * 4).round() / 4  # so that sums are exact and ties are ties
COSTS = Bayes(costs={("high", "low"): 3.0}, priors="equal")


class Spread:
    """A user's criterion: the drop of Gini's impurity, or of the variance."""

    def __init__(self, numbers=False):
        self.numbers = numbers

    def weight(self, nodes):
        return nodes[..., 0] if self.numbers else nodes.sum(-1)

    def impurity(self, nodes):
        shares = nodes / np.maximum(self.weight(nodes), 1e-300)[..., np.newaxis]
        if self.numbers:
            return np.maximum(shares[..., 2] - shares[..., 1] ** 2, 0.0)
        return (shares * (1 - shares)).sum(-1)

    def score(self, parent, branches):
        below = (self.weight(branches) * self.impurity(branches)).sum(1)
        return self.impurity(parent) - below / self.weight(parent)


def correlations(terms, target, weights, key):
    """A user's search: what each term goes with the target."""
    return ((weights * (target - np.average(target, weights=weights))) @ terms / weights.sum()).round(9)


def parts_of(task):
    """(slot, part) for every part of the task, with arguments where the defaults show little on a small table."""
    special = {
        "cross_validated": CrossValidated(rule="min", cv=3),
        "layers": Layers(cv=3),
        "min_rows": MinRows(6),
        "max_depth": MaxDepth(2),
        "error_threshold": ErrorThreshold(0.5),
        "global_criterion": GlobalCriterion(0.01),
        "significance": Significance(0.3),
        "unbiased": Unbiased(level=0.5),
        "own_branch": OwnBranch(ask=True),
        "network": Network(hidden=2, penalty=1.0, starts=1, least_rows=N),
        "sparse_logistic": SparseLogistic(least_rows=N),
        "written": Written(correlations),
        "bayes": COSTS,
    }
    found = [
        (slot, special.get(name, kind()))
        for slot, parts in PARTS.items()
        for name, kind in parts.items()
        if task in kind.tasks
    ]
    return [*found, ("criterion", Spread(task == "numbers")), ("pruning", None), ("stopping", None)]


SLOT_PAIRS = pytest.mark.parametrize("slots", list(combinations(SLOTS, 2)), ids="-".join)


def pairs(task, slots):
    """All pairs of parts of two slots."""
    return product(*([part for slot, part in parts_of(task) if slot == one] for one in slots))


def fault_of(kind, given, y):
    """What is wrong with a recipe: None if it is refused with a reason that names the parts, or keeps its promises."""
    recipe = {"stopping": MinRows(6), "pruning": None} | given
    if getattr(recipe.get("criterion"), "weighs_costs", False):
        recipe.setdefault("leaf", COSTS)
    table = TABLE if isinstance(recipe.get("missing"), Refuse) else HOLES
    try:
        check_recipe(kind(**recipe, categorical_features=NOMINAL), table, y)
    except ParameterError as refused:
        reason = str(refused)
        named = [type(part).__name__ for part in given.values() if type(part).__name__ in reason]
        return None if "does not go with" in reason and named else f"refused: {reason}"
    except (AssertionError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def check_pairs(kind, task, slots, y):
    faults = {}
    for parts in pairs(task, slots):
        fault = fault_of(kind, dict(zip(slots, parts, strict=True)), y)
        if fault is not None:
            faults[" and ".join(map(repr, parts))] = fault
    assert not faults


@SLOT_PAIRS
def test_classes(slots):
    check_pairs(bough.TreeClassifier, "classes", slots, CLASSES)


@SLOT_PAIRS
def test_numbers(slots):
    check_pairs(bough.TreeRegressor, "numbers", slots, NUMBERS)


def test_every_part_is_in_some_pair():
    seen = {type(part) for task in ("classes", "numbers") for _, part in parts_of(task)}
    assert seen >= {part for parts in PARTS.values() for part in parts.values()}
