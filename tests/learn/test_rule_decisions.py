"""What learners of rules make of costs, and rules of a tree that vote."""

import numpy as np
import pytest
from sklearn.base import clone

import bough
from bough.errors import ParameterError
from bough.model.rules import RuleSet

DEAR = {("yes", "no"): 4.0, ("no", "yes"): 1.0}
LEARNERS = [
    bough.CN2Classifier(),
    bough.CN2Classifier(ordered=False),
    bough.PARTClassifier(),
    bough.C45RulesClassifier(),
    bough.RIPPERClassifier(),
]


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(0)
    X = {"a": rng.normal(size=600), "b": rng.normal(size=600)}
    return X, np.where(X["a"] + rng.normal(size=600) > 0, "yes", "no")


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_dear_errors_are_avoided_and_probabilities_stay_those_of_rows(learner, noisy):
    X, y = noisy
    share = np.mean(np.asarray(clone(learner).fit(X, y).predict(X)) == "yes")
    dear = clone(learner).set_params(costs=DEAR).fit(X, y)
    missed = np.mean(np.asarray(dear.predict(X))[y == "yes"] == "no")
    assert np.mean(np.asarray(dear.predict(X)) == "yes") > share
    assert missed < 0.15
    assert dear.predict_proba(X)[:, 1].mean() == pytest.approx(np.mean(y == "yes"), abs=0.05)


def test_part_weighs_classes(noisy):
    X, y = noisy
    heavy = bough.PARTClassifier(class_weight={"yes": 3.0, "no": 1.0}).fit(X, y)
    weighted = bough.PARTClassifier().fit(X, y, sample_weight=np.where(y == "yes", 3.0, 1.0))
    assert str(heavy.rules_) == str(weighted.rules_)


def test_rules_of_a_tree_vote_by_their_share_of_right_rows(noisy, tmp_path):
    X, y = noisy
    clf = bough.C45RulesClassifier(voting=True).fit(X, y)
    rules = clf.rules_
    assert isinstance(rules, RuleSet)
    assert rules.combine == "vote"
    covered = rules.covers(X)
    for number, rule in enumerate(rules):
        taken = y[covered[:, number]]
        assert rules.weights[number] == pytest.approx((np.sum(taken == rule.label) + 1) / (len(taken) + 2))
    clf.save(tmp_path / "votes.json")
    assert bough.load(tmp_path / "votes.json").rules_ == rules
    assert clf.score(X, y) > 0.6


def test_votes_and_costs_do_not_go_together(noisy):
    with pytest.raises(ParameterError, match="costs are weighed against probabilities, and votes are none"):
        bough.C45RulesClassifier(voting=True, costs=DEAR).fit(*noisy)
