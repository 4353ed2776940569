"""Simplifying and checking end near their budget, keep what is locked, and claim no more than is so."""

import random
import time

import numpy as np
import pytest

import bough
from bough.errors import ParameterError


def hard(n_rules, n_columns, size, seed=0):
    """Random rules on numbers, of which no shorter list is to be had in a second."""
    rng = random.Random(seed)

    def rule():
        chosen = rng.sample(range(n_columns), size)
        body = " AND ".join(f"c{place} {rng.choice(['<=', '>'])} {rng.random():.2f}" for place in chosen)
        return f"IF {body} THEN {rng.choice('ab')}"

    return bough.parse_rules("\n".join(rule() for _ in range(n_rules)))


@pytest.mark.parametrize("size", [(20, 8, 3), (30, 12, 4), (120, 30, 6)])
def test_simplifying_ends_near_its_budget(size):
    rules = hard(*size)
    started = time.thread_time()
    found = rules.simplify(budget=0.2)
    assert time.thread_time() - started < 1.0
    assert "the budget of 0.2 s" in found.stopped
    assert found.how in ("given", "expand", "search")
    X = {name: np.random.default_rng(0).random(500) for name in rules.columns_used}
    assert (found.rules.apply(X) == found.rules.n_rules).sum() == (rules.apply(X) == rules.n_rules).sum()


def test_checking_ends_near_its_budget():
    rules = hard(120, 30, 6)
    started = time.thread_time()
    assert rules.check(budget=0.2).stopped
    assert time.thread_time() - started < 1.5


@pytest.mark.parametrize("budget", ["x", -1, None, True, float("nan")])
def test_a_budget_is_a_number_of_seconds(budget):
    rules = bough.parse_rules("IF age > 3 THEN old OTHERWISE young")
    for call in (rules.check, rules.simplify):
        with pytest.raises(ParameterError, match="budget must be seconds, a number of at least 0; got"):
            call(budget=budget)


def test_a_locked_rule_keeps_its_words():
    text = """
    IF age > 7 AND age > 6 THEN bad
    IF age > 3 AND age > 5 THEN bad
    IF age > 4 AND age > 5 THEN bad
    OTHERWISE good"""
    rules = bough.parse_rules(text).lock(1)
    found = rules.simplify().rules
    assert found[found.n_rules - 1] == rules[1]
    assert [rule.locked for rule in found].count(True) == 1
    X = {"age": [1.0, 4.0, 5.5, 6.5, 8.0, None]}
    assert (found.predict(X) == rules.predict(X)).all()
    assert rules.simplify({"age": [9.0]}, by="data").rules[1] == rules[1]
    for order in ("none", "any"):
        with pytest.raises(ParameterError, match=r"rule 1 is locked: take order='kept', or unlock it first"):
            rules.simplify(order=order)


def test_rules_that_take_parts_are_simplified_for_complete_rows():
    X, y = bough.datasets.load("penguins").xy()
    rules = bough.PARTClassifier().fit(X, y).rules_
    found = rules.simplify()
    assert found.how == "exact on complete rows"
    assert "rows without missing values" in str(found.rules).splitlines()[0]
    whole = X.dropna()
    assert (found.rules.predict(whole) == rules.predict(whole)).all()


def test_rules_that_stay_keep_their_probabilities():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RIPPERClassifier(random_state=1).fit(X, y)
    rules = clf.rules_
    new = bough.parse_rules("IF bill_length_mm < 35 THEN Adelie", clf)[0]
    edited = rules.lock(0).add(new, 1)
    before, after = rules.predict_proba(X), edited.predict_proba(X)
    taken = edited.apply(X)
    assert (before == after)[taken != 1].all()
    assert (after[taken == 1] == [1, 0, 0]).all()
    assert "no counts" in str(edited.explain(X[taken == 1].iloc[0]))


def test_rules_that_take_parts_are_edited():
    X, y = bough.datasets.load("penguins").xy()
    rules = bough.PARTClassifier().fit(X, y).rules_
    edited = rules.drop(1)
    assert "take rows in parts" in edited.note
    assert edited.counts.tolist() == rules.counts[[0, *range(2, rules.n_rules + 1)]].tolist()
    assert [str(step) for step in edited.log] == ["drop rule 1"]


def test_a_row_in_parts_is_explained_as_it_is_answered():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.PARTClassifier().fit(X, y)
    X = X[:60].copy()
    X.loc[::2, "flipper_length_mm"] = None
    X.loc[::3, "bill_length_mm"] = None
    found = clf.explain(X)
    assert found["answer"].tolist() == clf.predict(X).tolist()
    assert found["text"].str.contains("may take parts of the row").any()
