"""A list of rules as a routing program: it answers as the list does, whatever its literals ask."""

import dataclasses
import runpy
from pathlib import Path

import numpy as np
import pytest

from bough.errors import DataError, ExportError
from bough.model.answer import ClassAnswer
from bough.model.bins import Bins
from bough.model.inputs import Inputs
from bough.model.program.cells import cells_of_frame
from bough.model.program.interpret import parts_of, run
from bough.model.program.program import Among, Between, Edge, Either, Every, Missing, Unseen
from bough.model.rules import Bound, Interval, Known, Levels, Rule, RuleList, Sum, SumTerm
from bough.model.rules import Missing as IsMissing
from bough.table import Column, Schema

MADE = runpy.run_path(str(Path(__file__).with_name("rule_makers.py")))
AGE, COUNT, BORN, JOB, SIZE, FLAG = (MADE[name] for name in ("AGE", "COUNT", "BORN", "JOB", "SIZE", "FLAG"))
rule_list, made, rows = MADE["rule_list"], MADE["made"], MADE["rows"]

pytestmark = pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")


@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("classes", [MADE["CLASSES"], ()], ids=["classes", "numbers"])
def test_the_program_answers_as_the_list(unseen, classes, budget):
    for seed in range(max(2, round(10 * budget))):
        rules = made(seed, 25, classes=classes, unseen=unseen)
        X = rows(seed)
        answers = run(rules.program(), cells_of_frame(rules.program(), X))
        if classes:
            assert answers.labels == rules.predict(X).tolist()
            assert np.array_equal(answers.probabilities, rules.predict_proba(X))
        else:
            assert answers.values.tolist() == rules.predict(X).tolist()


@pytest.mark.parametrize("unseen", ["missing", "other"])
def test_the_kernel_decides_by_what_literals_say(unseen):
    rules, X = made(3, 30, unseen=unseen), rows(4)
    assert rules.apply(X).tolist() == MADE["covered"](rules, X)


def condition(literal, unseen="missing"):
    (step, *_) = rule_list([Rule((literal,), "yes")], unseen=unseen).program().steps
    (term,) = step.rules[0].when.terms
    return term


@pytest.mark.parametrize(
    ("literal", "unseen", "expected"),
    [
        (Interval(AGE, low=Bound(3.0, closed=False)), "missing", Between(0, Edge(3.0))),
        (Interval(AGE, high=Bound(3.0, closed=False)), "missing", Between(0, None, Edge(3.0, "lt"))),
        (
            Interval(COUNT, Bound(2, closed=True), Bound(5, closed=True)),
            "missing",
            Between(0, Edge(2, "lt"), Edge(5)),
        ),
        (
            Interval(AGE, Bound(3.0, closed=True), Bound(5.0, closed=True), negated=True, or_missing=True),
            "missing",
            Either((Between(0, None, Edge(3.0, "lt")), Between(0, Edge(5.0)), Missing(0))),
        ),
        (Levels(JOB, (1, 3)), "missing", Among(0, (1,))),  # a level that no row held is one never seen
        (Levels(JOB, (3,)), "missing", Among(0, ())),
        (Levels(JOB, (1,), negated=True), "missing", Among(0, (0, 2, 3))),
        (Levels(JOB, (1,), negated=True), "other", Either((Among(0, (0, 2, 3)), Unseen(0)))),
        (Levels(JOB, (1,), or_missing=True), "missing", Either((Among(0, (1,)), Missing(0), Unseen(0)))),
        (Levels(JOB, (1,), or_missing=True), "other", Either((Among(0, (1,)), Missing(0)))),
        (Interval(SIZE, low=Bound(1, closed=False)), "missing", Among(0, (2, 3))),
        (IsMissing(AGE), "other", Missing(0)),
        (IsMissing(JOB), "missing", Either((Missing(0), Unseen(0)))),
        (IsMissing(JOB), "other", Missing(0)),
        (Known(AGE), "missing", Between(0)),
        (Known(FLAG), "missing", Among(0, (0, 1))),
        (Known(JOB), "other", Either((Among(0, (0, 1, 2, 3)), Unseen(0)))),
    ],
)
def test_each_literal_says_its_condition(literal, unseen, expected):
    assert condition(literal, unseen) == expected


def test_one_step_a_rule_and_the_default_last():
    body = (Interval(AGE, low=Bound(3.0, closed=False)), Levels(JOB, (0,)))
    program = rule_list([Rule(body, "yes"), Rule((Levels(FLAG, (1,)),), "maybe")]).program()
    first, _, second, _, last = program.steps
    assert isinstance(first.rules[0].when, Every)
    assert (first.rules[0].then, first.otherwise, second.rules[0].then, second.otherwise) == (1, 2, 3, 4)
    assert first.asks == "age > 3.0 AND job = A | else"
    assert not last.rules
    assert program.is_list
    assert [program.classes[label] for label in program.label[[1, 3, 4]]] == ["yes", "maybe", "no"]
    assert program.classes == ("maybe", "no", "yes")


def test_nothing_follows_a_rule_for_all_rows():
    rules = rule_list([Rule((Levels(FLAG, (1,)),), "maybe"), Rule((), "yes"), Rule((IsMissing(AGE),), "no")])
    program = rules.program()
    assert [field.name for field in program.fields] == ["flag"]
    assert len(program.steps) == 3
    assert run(program, cells_of_frame(program, rows(0))).labels == rules.predict(rows(0)).tolist()
    alone = rule_list([Rule((), "yes")]).program()
    assert (alone.fields, len(alone.steps), alone.classes[alone.label[0]]) == ((), 1, "yes")


def test_without_a_default_some_rows_have_no_answer():
    rules = rule_list([Rule((Levels(FLAG, (1,)),), "maybe"), Rule((IsMissing(AGE),), "yes")], None)
    program, X = rules.program(), rows(1)
    assert program.can_fail
    assert program.no_answer == "no rule covers this case, and there is no default"
    assert np.isfinite(program.probabilities).all()
    cells = cells_of_frame(program, X)
    failed = [parts_of(program, cells.row(case)) is None for case in range(cells.n_cases)]
    assert failed == (rules.apply(X) == 2).tolist()
    with pytest.raises(DataError, match="no rule covers it"):
        rules.predict(X)


def test_without_anything_there_is_no_program():
    with pytest.raises(ExportError, match="without rules and without a default"):
        rule_list([], None).program()
    assert len(rule_list([], "yes").program().steps) == 1


def test_probabilities_come_from_counts_and_classes_from_rules():
    counts = np.array([[1.0, 3.0, 0.0], [5.0, 0.0, 5.0]])
    rules = rule_list([Rule((Levels(FLAG, (1,)),), "yes")], "no", counts=counts)
    program = rules.program()
    assert program.probabilities[[1, 2]].tolist() == [[0.0, 0.75, 0.25], [0.5, 0.0, 0.5]]
    assert [program.classes[label] for label in program.label[[1, 2]]] == ["yes", "no"]
    costs = ClassAnswer(np.array(MADE["CLASSES"]), np.array([[0, 1, 5.0], [1, 0, 1], [1, 1, 0]]))
    dear = dataclasses.replace(rules, answer=costs).program()
    assert dear.worth[2].tolist() == [-0.5, -1.0, -2.5]


def test_a_sum_is_a_field_that_is_asked_as_a_column_is():
    rules = rule_list([Rule((Sum((SumTerm(0.5, AGE), SumTerm(2.0, COUNT)), high=Bound(3.0, closed=False)),), "yes")])
    (derived,) = rules.program().derived
    assert [term.weight for term in derived.terms] == [0.5, 2.0]


def test_bins_are_numbers_again():
    inputs = Inputs(Schema((AGE,)), Bins((np.array([1.0, 2.0, 5.0]),)))
    column = inputs.asked.columns[0]
    literals = [Levels(column, (0, 2)), Levels(column, (3,), or_missing=True)]
    rules = RuleList(inputs, ClassAnswer(np.array(["a", "b", "c"])), tuple(map(rule_of, literals, "ab")), "c")
    program = rules.program()
    X = {"age": [0.0, 1.0, 1.5, 2.0, 4.0, 5.0, 5.5, None]}
    assert rules.predict(X).tolist() == list("aaccaabb")
    assert run(program, cells_of_frame(program, X)).labels == list("aaccaabb")


def rule_of(literal, said):
    return Rule((literal,), said)


def test_whatever_the_table_refuses_the_program_does():
    refusing = Inputs(MADE["SCHEMA"], refuses_missing=True)
    rules = dataclasses.replace(rule_list([Rule((Known(JOB),), "yes")]), inputs=refusing)
    assert (rules.program().refuses_missing, rules.program().refuses_unseen) == (True, True)
    unknown = dataclasses.replace(rules, inputs=Inputs(MADE["SCHEMA"], unseen="error"))
    assert (unknown.program().refuses_missing, unknown.program().refuses_unseen) == (False, True)


def test_a_column_of_whole_numbers_keeps_its_digits():
    column = Column("n", "numeric", "uint64")
    literal = Interval(column, low=Bound(2**63 + 1, closed=True))
    rules = RuleList(Inputs(Schema((column,))), ClassAnswer(np.array(["a", "b"])), (Rule((literal,), "a"),), "b")
    X = {"n": np.array([2**63, 2**63 + 1, 2**64 - 1], dtype=np.uint64)}
    program = rules.program()
    assert rules.predict(X).tolist() == run(program, cells_of_frame(program, X)).labels == ["b", "a", "a"]
