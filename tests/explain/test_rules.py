"""Lists of rules explained: the rule that fired, why those before it did not, and the smallest change of the answer."""

import dataclasses
import itertools
import runpy
from pathlib import Path

import numpy as np
import pytest

from bough.errors import ParameterError
from bough.model.answer import ClassAnswer
from bough.model.bins import Bins
from bough.model.inputs import Inputs
from bough.model.rules import Bound, Interval, Known, Levels, Missing, Rule, RuleList, Sum, SumTerm
from bough.table import Schema

MADE = runpy.run_path(str(Path(__file__).parents[1] / "model" / "rules" / "rule_makers.py"))
AGE, COUNT, JOB, SIZE, FLAG = (MADE[name] for name in ("AGE", "COUNT", "JOB", "SIZE", "FLAG"))
made, rule_list, rows = MADE["made"], MADE["rule_list"], MADE["rows"]

pytestmark = pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")

RULES = [
    Rule((Interval(AGE, low=Bound(38.5, closed=False)), Levels(JOB, (0,))), "yes"),
    Rule((Levels(JOB, (1,), negated=True), Interval(COUNT, high=Bound(3, closed=True))), "maybe", name="few"),
    Rule((Missing(AGE),), "yes"),
]


def test_the_rule_that_fired_and_the_literal_that_failed_in_each_before():
    found = rule_list(RULES).explain({"age": 50.0, "job": "B", "count": 1})
    assert (found.answer, found.number, found.rule) == ("no", None, None)
    assert [failure.number for failure in found.failures] == [0, 1, 2]
    assert [str(failure.literal) for failure in found.failures] == ["job = A", "job != B", "age IS MISSING"]
    assert str(found) == (
        "The answer is no, with probability 100 %, because no rule covers the row.\n"
        "Rule 0 does not cover it: job = A fails, job is B.\n"
        "Rule few does not cover it: job != B fails, job is B.\n"
        "Rule 2 does not cover it: age IS MISSING fails, age is 50."
    )
    fired = rule_list(RULES).explain({"job": "A", "count": 2})
    assert (fired.answer, fired.number, fired.rule) == ("maybe", 1, RULES[1])
    assert str(fired) == (
        "The answer is maybe, with probability 100 %, by rule few: job != B AND count <= 3.\n"
        "Rule 0 does not cover it: age > 38.5 fails, age is missing."
    )


def test_a_level_never_seen_is_told():
    found = rule_list(RULES).explain({"age": 50.0, "job": "Z", "count": 1})
    assert str(found.failures[0]).endswith("job = A fails, job has a level never seen")
    assert rule_list(RULES, unseen="other").explain({"age": 50.0, "job": "Z", "count": 1}).number == 1


def test_counts_give_intervals():
    rules = rule_list(RULES[:1], counts=np.array([[18.0, 2.0, 0.0], [1.0, 4.0, 5.0]]))
    found = rules.explain({"age": 50.0, "job": "A"})
    assert [round(end, 3) for end in found.intervals["yes"]] == [0.699, 0.972]
    assert list(found.probabilities) == ["yes", "no", "maybe"]
    assert "with probability 90 % (95 % interval 70 % to 97 %, Wilson, from training rows of weight 20)" in str(found)
    default = rules.explain({"age": 5.0})
    assert (default.answer, default.probabilities["no"]) == ("no", 0.4)


def test_without_a_default_there_may_be_no_answer():
    found = rule_list(RULES, None).explain({"age": 50.0, "job": "B"})
    assert found.answer is None
    assert str(found).startswith("There is no answer, because no rule covers the row and there is no default.")


@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("classes", [MADE["CLASSES"], ()], ids=["classes", "numbers"])
def test_a_table_has_a_line_for_each_row(unseen, classes):
    rules, X = made(2, 12, classes=classes, unseen=unseen), rows(3, 60)
    frame = rules.explain(X)
    assert list(frame["rule"]) == rules.apply(X).tolist()
    assert list(frame["answer"]) == rules.predict(X).tolist()
    if classes:
        shares = rules.predict_proba(X)
        order = sorted(classes)
        assert list(frame["probability"]) == [shares[k, order.index(said)] for k, said in enumerate(frame["answer"])]


def test_the_level_of_intervals_is_checked():
    with pytest.raises(ParameterError, match=r"level must be a number between 0 and 1, such as 0\.95; got 95"):
        rule_list(RULES).explain({"age": 3.0}, level=95)


# Counterfactuals


def test_the_smallest_change_to_another_answer():
    rules = rule_list(RULES)
    row = {"age": 50.0, "job": "B", "count": 5}
    found = rules.counterfactual(row)
    assert str(found) == "job A instead of B: yes"
    assert found[0].row == {**dict.fromkeys(rules.schema.names), **row, "job": "A"}
    assert str(rules.counterfactual(row, to="maybe")) == (
        'count 3 instead of 5 and job "it\'s" instead of B: maybe'  # with job A the first rule would cover it
    )
    assert rules.counterfactual(row, fixed=["job"]).__len__() == 0
    assert str(rules.counterfactual(row, fixed="job")) == "no change of the free columns gives another class"
    assert [len(one.changes) for one in rules.counterfactual({**row, "age": 20.0}, n=3)] == [2, 2]


def brute(rules, row, to):
    """The fewest columns, and among these the fewest ranks, by trying all cells of all columns."""
    names = [column.name for column in rules.schema.columns if column.name in rules.columns_used]
    values = {
        "age": [-3.0, -1.5, -1.0, 0.0, 0.05, 0.1, 1.0, 2.5, 5.0, 7.0, 20.0, 38.5, 50.0],
        "count": [-5, -2, -1, 0, 1, 2, 3, 5, 9, 12],
        "job": ["A", "B", "it's", "é"],
        "size": ["S", "M", "L", "XL"],
        "flag": [False, True],
    }
    for size in range(len(names) + 1):
        ranks = []
        for changed in itertools.combinations(names, size):
            tried = list(itertools.product(*(values[name] for name in changed)))
            table = {name: [row[name]] * len(tried) for name in rules.schema.names}
            table |= {name: [one[k] for one in tried] for k, name in enumerate(changed)}
            said = rules.predict(table)
            right = (said == to) if to is not None else (said != rules.predict(row)[0])
            ranks += [
                sum(rank(rules, name, row[name], value) for name, value in zip(changed, one, strict=True))
                for one, fine in zip(tried, right, strict=True)
                if fine
            ]
        if ranks:
            return size, min(ranks)
    return None


def rank(rules, name, old, new):
    """The bounds of rules, or ordered levels, between two values; 1 where there is no order."""
    column = rules.schema.columns[rules.schema.names.index(name)]
    if old is None or column.kind == "nominal" or old == "XXL":
        return 1
    if column.kind == "ordered":
        return abs(column.levels.index(old) - column.levels.index(new))
    literals = [literal for rule in rules for literal in rule.literals if literal.columns == (column,)]
    cuts = {cut for literal in literals for cut in literal.cuts}
    passed = [sum(v > cut.value or (v == cut.value and not cut.after) for cut in cuts) for v in (old, new)]
    return abs(passed[0] - passed[1])


@pytest.mark.parametrize("unseen", ["missing", "other"])
def test_no_smaller_change_exists(unseen, budget):
    found_sizes = []
    for seed in range(max(4, round(12 * budget))):
        rules = made(seed, 6, most=3, unseen=unseen)
        rng = np.random.default_rng(seed)
        if "born" in rules.columns_used:
            keep = [rule for rule in rules.rules if "born" not in [column.name for column in rule.columns]]
            rules = rules.with_rules(keep, rules.default)
        table = rows(seed, 4)
        for k in range(4):
            row = {name: values[k] for name, values in table.items()}
            to = [None, *MADE["CLASSES"]][int(rng.integers(4))]
            found = rules.counterfactual(row, to=to)
            expected = brute(rules, row, to)
            assert ((len(found[0].changes), found[0].rank) if len(found) else None) == expected, (seed, k, to)
            if len(found):
                assert rules.predict(found[0].row)[0] == found[0].answer
                found_sizes.append(expected)
    assert len(set(found_sizes)) > 1


def test_a_list_of_fifty_rules_is_searched_in_no_time():
    rules = made(5)
    table = rows(6, 10)
    for k in range(10):
        row = {name: values[k] for name, values in table.items()}
        for to in MADE["CLASSES"]:
            found = rules.counterfactual(row, to=to)
            assert rules.predict(found[0].row)[0] == to


def test_a_row_without_an_answer_gets_one():
    rules = rule_list(RULES, None)
    found = rules.counterfactual({"age": 50.0, "job": "B", "count": 5})
    assert str(found) == "job A instead of B: yes"


def test_columns_may_go_one_way_only():
    rules = rule_list([Rule((Interval(AGE, Bound(10.0, closed=True), Bound(20.0, closed=True)),), "yes")])
    assert str(rules.counterfactual({"age": 30.0}, direction={"age": "down"})) == "age 20 instead of 30: yes"
    assert not len(rules.counterfactual({"age": 30.0}, direction={"age": "up"}))
    with pytest.raises(ParameterError, match="must be 'up' or 'down'"):
        rules.counterfactual({"age": 30.0}, direction={"age": "left"})
    with pytest.raises(ParameterError, match="n must be a whole number of at least 1; got 0"):
        rules.counterfactual({"age": 30.0}, n=0)


def test_numbers_are_reached_by_range():
    rules = rule_list([Rule((Known(FLAG), Interval(SIZE, low=Bound(2, closed=True))), 5.0)], 1.0, classes=())
    found = rules.counterfactual({"flag": True, "size": "S"}, to=(4, None))
    assert (str(found), found[0].rank) == ("size L instead of S: 5", 2)


def test_sums_are_refused_by_what_they_ask():
    rules = rule_list([Rule((Sum((SumTerm(0.5, AGE), SumTerm(1.0, COUNT)), low=Bound(3.0, closed=True)),), "yes")])
    with pytest.raises(ParameterError, match=r"ask several together: 0\.5 \* age \+ 1\.0 \* count >= 3\.0"):
        rules.counterfactual({"age": 1.0, "count": 0})
    assert str(rules.explain({"age": 1.0})).endswith("fails, age is 1 and count is missing.")


def test_bins_are_searched_as_numbers():
    inputs = Inputs(Schema((AGE,)), Bins((np.array([1.0, 2.0, 5.0]),)))
    column = inputs.asked.columns[0]
    rules = RuleList(inputs, ClassAnswer(np.array(["a", "c"])), (Rule((Levels(column, (2,)),), "a"),), "c")
    found = rules.counterfactual({"age": 7.0})
    assert (found[0].answer, found[0].changes[0].condition) == ("a", "2 < age <= 5")
    assert dataclasses.replace(rules, rules=()).counterfactual({"age": 7.0}).__len__() == 0
