"""`diff` and `stability` of models of rules: every rule is accounted for, and samples say what comes back."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.validate import RuleDifference, RuleStability, stability


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


def parsed(*lines):
    return bough.parse_rules("\n".join(lines), schema={"x": [0.5, 1, 2], "z": [0.5, 1, 2], "job": ["A", "B", "C"]})


FIRST = parsed("IF x > 1 AND job = A THEN yes", "IF z <= 3 THEN no", "IF job = B THEN yes", "OTHERWISE no")


def kinds(other, X=None):
    return [(change.rule, change.change) for change in bough.diff(FIRST, other, X).changes]


def test_rules_do_not_differ_from_themselves_in_whatever_order_literals_stand():
    assert not bough.diff(FIRST, FIRST)
    again = parsed("IF job = A AND x > 1 THEN yes", "IF z <= 3 THEN no", "IF job = B THEN yes", "OTHERWISE no")
    found = bough.diff(FIRST, again)
    assert not found
    assert found.n_same == 3
    assert "3 rules the same; changed: none" in str(found)


def test_every_kind_of_change_is_told():
    other = parsed(
        "IF z <= 3 THEN no", "IF x > 2 AND job = A THEN yes", "IF job = B THEN no", "IF x <= -9 THEN yes",
        "OTHERWISE yes",
    )  # fmt: skip
    assert kinds(other) == [(0, "bounds"), (2, "answer"), (3, "only b"), (3, "default")]
    assert kinds(parsed("IF job = B AND x <= 0 THEN yes", "OTHERWISE no")) == [
        (0, "only a"), (1, "only a"), (2, "literals"),
    ]  # fmt: skip


def test_in_lists_the_order_counts():
    turned = parsed("IF job = B THEN yes", "IF x > 1 AND job = A THEN yes", "IF z <= 3 THEN no", "OTHERWISE no")
    assert kinds(turned) == [(2, "order")]


def test_rows_are_answered_by_both():
    X = {"x": [2.0, 2.0, 2.0, 0.0], "z": [9.0] * 4, "job": ["A", "B", "C", "A"]}
    other = parsed("IF x > 1 THEN yes", "OTHERWISE no")
    found = bough.diff(FIRST, other, X)
    assert (found.changed, found.n_rows) == (0.25, 4)
    assert found.columns == (("z", "job"), ())
    assert list(found.to_frame()["change"]) == ["literals", "only a", "only a"]


def test_lists_and_sets_of_learners_are_compared_and_trees_refused(penguins):
    X, y = penguins
    one = bough.RIPPERClassifier().fit(X, y)
    two = bough.CN2Classifier(ordered=False).fit(X, y)
    found = bough.diff(one, two, X)
    assert isinstance(found, RuleDifference)
    assert found.n_rules == (one.rules_.n_rules, two.rules_.n_rules)
    assert "together" in [change.change for change in found.changes]
    assert found.changed == pytest.approx(np.mean(one.predict(X) != two.predict(X)))
    tree = bough.CARTClassifier(missing="majority_branch").fit(X, y)
    with pytest.raises(ParameterError, match=r"give the tree's rules, tree\.rules\(\)"):
        bough.diff(one, tree)
    assert bough.diff(one, tree.tree_.rules(), X).n_rules[1] == tree.get_n_leaves()


@pytest.mark.parametrize("learner", [bough.RIPPERClassifier(), bough.CN2Classifier(ordered=False)], ids=str)
def test_rules_come_back_or_do_not(learner, penguins):
    X, y = penguins
    found = stability(learner, X, y, n_resamples=5, random_state=0)
    assert isinstance(found, RuleStability)
    assert len(found.rules) == found.model.n_rules == learner.fit(X, y).rules_.n_rules
    assert found.n_resamples == 5
    assert [rule.rows for rule in found.rules] == found.model.covers(X).sum(axis=0).tolist()
    assert all(0 <= rule.same <= 1 and 0 <= rule.alike <= 1 for rule in found.rules)
    assert found.columns["bill_length_mm"] == 1.0
    assert str(found).splitlines()[0].startswith("5 bootstrap samples;")


def test_samples_are_the_same_for_a_seed_and_any_number_of_jobs(penguins):
    X, y = penguins
    one, two = (stability(bough.RIPPERClassifier(), X, y, n_resamples=3, random_state=1, n_jobs=n) for n in (1, 2))
    assert one.rules == two.rules


def test_what_is_no_estimator_is_refused(penguins):
    with pytest.raises(ParameterError, match="an estimator of bough, of trees or rules"):
        stability(object(), *penguins)
