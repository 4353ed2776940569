"""The laws of criteria, for every built-in one and for a user's."""

import numpy as np
import pytest

import bough
from bough.recipe import PARTS, Bayes, MinRows
from bough.testing import check_criterion

COSTS = Bayes(costs=[[0, 1, 3], [1, 0, 1], [2, 1, 0]])


@pytest.mark.parametrize("name", [name for name, kind in PARTS["criterion"].items() if "classes" in kind.tasks])
def test_criteria_of_classes(name):
    leaf = COSTS if PARTS["criterion"][name].weighs_costs else "majority"
    clf = bough.TreeClassifier(criterion=name, leaf=leaf, stopping=MinRows(4, 1), pruning=None, missing="stop")
    check_criterion(clf, cases=10)


@pytest.mark.parametrize("name", [name for name, kind in PARTS["criterion"].items() if "numbers" in kind.tasks])
def test_criteria_of_numbers(name):
    check_criterion(bough.TreeRegressor(criterion=name, stopping=MinRows(4, 1), pruning=None), cases=10)


class Gain:
    """Gini's gain, with what a test wants to break."""

    def __init__(self, **habits):
        self.habits = habits

    def impurity(self, nodes):
        total = np.maximum(nodes.sum(-1, keepdims=True), 1e-300)
        gini = 1 - ((nodes / total) ** 2).sum(-1)
        empty = nodes.sum(-1) == 0
        return np.where(empty, 0.0, gini) + self.habits.get("floor", 0.0)

    def score(self, parent, branches):
        weight = branches.sum(2)
        drop = self.impurity(parent) - (weight * self.impurity(branches)).sum(1) / parent.sum()
        return drop * self.habits.get("sign", 1) * (parent.sum() if self.habits.get("grows") else 1)


def test_scores_of_a_users_criterion():
    check_criterion(Gain())
    check_criterion(Gain(), cases=5, seed=3)


@pytest.mark.parametrize(
    ("habits", "law"),
    [
        ({"sign": -1}, "a gain is never negative"),
        ({"grows": True}, "weights times three change no score"),
        ({"floor": 0.5}, "the impurity of a pure node is zero"),
    ],
)
def test_a_broken_law_is_named(habits, law):
    with pytest.raises(AssertionError, match=f"broken law of Gain: {law}"):
        check_criterion(Gain(**habits))


def test_numbers_by_scores():
    class Variance:
        def score(self, parent, branches):
            def squares(nodes):
                return nodes[..., 2] - nodes[..., 1] ** 2 / np.maximum(nodes[..., 0], 1e-300)

            return (squares(parent) - squares(branches).sum(1)) / parent[0]

    check_criterion(Variance(), numbers=True)
