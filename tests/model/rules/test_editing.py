"""An expert's hands on a list: new lists, counted anew, with a log that replays."""

import random
from dataclasses import replace

import pytest

import bough
from bough.errors import ParameterError
from bough.model.rules import Bound, Interval, Rule

X = {"age": [20, 30, 40, 50], "job": ["A", "B", "A", "B"]}
Y = ["no", "no", "yes", "no"]


@pytest.fixture
def rules():
    tree = {"age > 38.5": {"job = A": "yes", "job = B": "no"}, "age <= 38.5": "no"}
    return bough.tree_from(tree).rules()


def test_each_step_gives_a_new_list_and_the_old_one_stays(rules):
    old = rules.score(X, Y)
    rule = Rule((Interval(rules[0].literals[0].column, low=Bound(45, True)),), "yes", origin="expert")
    new = old.add(rule, 0, rows=(X, Y))
    assert old.n_rules == 3
    assert new[0] is rule
    assert new.counts.tolist() == [[1, 0], [0, 1], [0, 0], [2, 0], [0, 0]]
    assert old.add(rule).counts.tolist() == [*old.counts[:3].tolist(), [0, 0], old.counts[3].tolist()]
    assert not old.add(rule).stats
    assert [str(one) for one in old.drop(0, 2)] == [str(old[1])]
    assert old.reorder([2, 0, 1]).rules == (old[2], old[0], old[1])
    assert old.replace(1, rule).rules == (old[0], rule, old[2])
    assert old.lock(1).counts is old.counts  # a lock changes no answer


def test_a_locked_rule_stays(rules):
    locked = rules.lock(0, 1)
    assert [rule.locked for rule in locked] == [True, True, False]
    for call in (lambda: locked.drop(2, 1), lambda: locked.replace(0, rules[2])):
        with pytest.raises(
            ParameterError, match=r"rule [01] is locked: unlock it first, with lock\([01], locked=False\)"
        ):
            call()
    assert locked.lock(1, locked=False).drop(1).n_rules == 2


def test_a_log_replays(rules, budget):
    for seed in range(max(1, round(30 * budget))):
        rng = random.Random(seed)
        edited = rules
        for _ in range(rng.randint(1, 8)):
            what = rng.choice(["add", "drop", "replace", "reorder", "lock", "unlock"])
            places = list(range(edited.n_rules))
            rng.shuffle(places)
            try:
                if what == "add":
                    edited = edited.add(
                        replace(rng.choice(rules.rules), name=f"new {seed}"), rng.randint(0, len(places))
                    )
                elif what == "drop":
                    edited = edited.drop(*places[: rng.randint(1, 2)])
                elif what == "replace":
                    edited = edited.replace(places[0], rng.choice(rules.rules).without(0))
                elif what == "reorder":
                    edited = edited.reorder(places)
                else:
                    edited = edited.lock(places[0], locked=what == "lock")
            except (ParameterError, IndexError):  # locked, or no rule is left
                continue
        again = rules.replay(edited.log, rows=(X, Y))
        assert again == edited
        assert [rule.locked for rule in again] == [rule.locked for rule in edited]
        assert again.log == edited.log
        assert again.counts.shape == (edited.n_rules + 1, 2)


def test_what_is_wrong_is_named(rules):
    for call, message in (
        (lambda: rules.add(rules[0], 4), "0 to 3, before which the new one stands; got 4"),
        (lambda: rules.add("IF"), "expected a bough.Rule"),
        (lambda: rules.drop(3), "there is no rule 3: the list has the rules 0 to 2"),
        (lambda: rules.drop(), "name the rules by their numbers"),
        (lambda: rules.reorder([0, 1]), "each of the rules 0 to 2 once"),
        (lambda: rules.add(Rule((), "perhaps")), "which is none of the classes"),
    ):
        with pytest.raises(ParameterError, match=message):
            call()
