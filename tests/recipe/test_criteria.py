"""The laws of criteria, for every built-in one and for a user's."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.model import Split
from bough.recipe import Bayes, Entropy, Gini, MinRows
from bough.recipe.registry import PARTS
from bough.testing import check_criterion
from bough.testing.tree_laws import _random_case, _ways

COSTS = Bayes(costs=[[0, 1, 3], [1, 0, 1], [2, 1, 0]])


@pytest.mark.parametrize("name", [name for name, kind in PARTS["criterion"].items() if "classes" in kind.tasks])
def test_criteria_of_classes(name):
    leaf = COSTS if PARTS["criterion"][name].weighs_costs else "majority"
    clf = bough.TreeClassifier(criterion=name, leaf=leaf, stopping=MinRows(4, 1), pruning=None, missing="stop")
    check_criterion(clf, cases=5)


@pytest.mark.parametrize("name", [name for name, kind in PARTS["criterion"].items() if "numbers" in kind.tasks])
def test_criteria_of_numbers(name):
    check_criterion(bough.TreeRegressor(criterion=name, stopping=MinRows(4, 1), pruning=None), cases=5)


def test_gini_halved():
    check_criterion(bough.TreeClassifier(criterion=Gini(halved=True)), cases=5)


def test_penalised_thresholds_beside_sets_of_levels():
    check_criterion(bough.TreeClassifier(criterion=Entropy(threshold_penalty=True)), cases=5)


@pytest.mark.parametrize(
    "name", ["CARTClassifier", "C45Classifier", "ID3Classifier", "CHAIDClassifier", "CARTRegressor"]
)
def test_criteria_of_named_algorithms(name):
    check_criterion(getattr(bough, name)(), cases=5)


@pytest.mark.parametrize("name", list(PARTS["criterion"]))
def test_criteria_are_asked_with_every_branching_by_both_loops(name):
    part = PARTS["criterion"][name]
    classes = "classes" in part.tasks
    kind = bough.TreeClassifier if classes else bough.TreeRegressor
    estimator = kind(criterion=name, leaf=COSTS) if part.weighs_costs else kind(criterion=name)
    given, *ways = _ways(estimator, _random_case(classes, np.random.default_rng(0)))
    assert given.estimator is estimator
    found = {(way.branching, way.estimator.allowed_columns is not None) for way in ways}
    branchings = ["binary", "one_level"] + ([] if name == "twoing" else ["per_level", "grouped", "intervals"])
    assert found == {(branching, by_open_loop) for branching in branchings for by_open_loop in (False, True)}


@pytest.mark.parametrize("name", ["gini", "entropy", "twoing", "chi_squared", "squared_error", "worst_error"])
def test_a_gain_that_its_branches_do_not_bear_out_is_found(name, monkeypatch):
    gain = Split.gain.fget
    monkeypatch.setattr(Split, "gain", property(lambda split: 0.9 * gain(split)))
    kind = bough.TreeRegressor if name.endswith("error") else bough.TreeClassifier
    with pytest.raises(AssertionError, match=f"broken law of {name}: a gain is what its branches say"):
        check_criterion(kind(criterion=name), cases=2)


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


def test_trees_of_a_users_criterion():
    check_criterion(bough.TreeClassifier(criterion=Gain()), cases=5)


def test_trees_show_what_a_user_broke():
    class Halves:
        def score(self, parent, branches):
            sizes = branches.sum(2)
            return sizes.min(1) / sizes.sum(1)

    with pytest.raises(AssertionError, match="broken law of Halves: nothing is gained where branches are alike"):
        check_criterion(bough.TreeClassifier(criterion=Halves(), stopping=None, pruning=None), cases=2)


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
    with pytest.raises(AssertionError, match="broken law of Gain"):
        check_criterion(bough.TreeClassifier(criterion=Gain(**habits)), cases=2)


def test_numbers_by_scores():
    class Variance:
        def score(self, parent, branches):
            def squares(nodes):
                return nodes[..., 2] - nodes[..., 1] ** 2 / np.maximum(nodes[..., 0], 1e-300)

            return (squares(parent) - squares(branches).sum(1)) / parent[0]

    check_criterion(Variance(), numbers=True)


@pytest.mark.parametrize("name", ["gini", "twoing", "expected_cost", "worst_error"])
def test_a_part_is_checked_as_it_is(name):
    check_criterion(PARTS["criterion"][name](), cases=2)


def test_a_part_of_another_question_is_no_criterion():
    with pytest.raises(ParameterError, match=r"MinRows\(.*\) is no criterion: it answers the question of stopping"):
        check_criterion(MinRows())
