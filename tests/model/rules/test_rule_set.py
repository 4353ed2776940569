"""Sets of rules: counts, votes and sums of all rules that cover a row."""

import numpy as np
import pytest

from bough.errors import DataError, ModelFormatError, ParameterError
from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.files import read_model, save_model
from bough.model.inputs import Inputs
from bough.model.rules import Bound, Interval, Rule, RuleSet
from bough.model.strict import Limits
from bough.table import Column, Schema

AGE = Column("age", "numeric", "float64")
INPUTS = Inputs(Schema((AGE,)))
CLASSES = ClassAnswer(np.array(["no", "yes"]))
YOUNG, OLD = (Interval(AGE, high=Bound(40.0, True)),), (Interval(AGE, low=Bound(30.0, False)),)
ROWS = {"age": [20.0, 35.0, 50.0, np.nan]}
COUNTS = np.array([[1.0, 3.0], [8.0, 0.0], [5.0, 3.0]])


def classes(default="no", **more):
    return RuleSet(INPUTS, CLASSES, (Rule(YOUNG, "yes"), Rule(OLD, "no")), default, **more)


def test_counts_add_up():
    rules = classes(counts=COUNTS)
    assert rules.predict_proba(ROWS).tolist() == [[0.25, 0.75], [0.75, 0.25], [1.0, 0.0], [0.625, 0.375]]
    assert rules.predict(ROWS).tolist() == ["yes", "no", "no", "no"]


def test_counts_are_smoothed_if_the_answer_is():
    smooth = ClassAnswer(np.array(["no", "yes"]), None, (2.0, np.array([0.5, 0.5])))
    rules = RuleSet(INPUTS, smooth, (Rule(YOUNG, "yes"), Rule(OLD, "no")), "no", counts=COUNTS)
    assert rules.predict_proba(ROWS)[:2].tolist() == [[2 / 6, 4 / 6], [10 / 14, 4 / 14]]


def test_votes_count_by_their_weights():
    rules = classes(combine="vote", weights=np.array([0.9, 0.3]))
    assert rules.predict_proba(ROWS)[1] == pytest.approx([0.25, 0.75])
    assert rules.predict(ROWS).tolist() == ["yes", "yes", "no", "no"]
    assert classes(combine="vote").predict(ROWS).tolist() == ["yes", "no", "no", "no"]  # a tie: the first class


def test_numbers_add_up_to_the_first():
    rules = RuleSet(INPUTS, NumberAnswer(), (Rule(YOUNG, 2.0), Rule(OLD, 0.5)), 10.0, combine="sum")
    assert rules.predict(ROWS).tolist() == [12.0, 12.5, 10.5, 10.0]
    half = RuleSet(
        INPUTS, NumberAnswer(), (Rule(YOUNG, 2.0), Rule(OLD, 0.5)), None, combine="sum", weights=np.array([0.5, 2.0])
    )
    assert half.predict(ROWS).tolist() == [1.0, 2.0, 1.0, 0.0]


def test_a_row_that_nothing_covers_needs_a_default():
    with pytest.raises(DataError, match="row 3"):
        classes(default=None).predict(ROWS)


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ({"combine": "first"}, "combine must be one of"),
        ({"combine": "sum"}, "adds up numbers"),
        ({"combine": "vote", "counts": COUNTS}, "no say"),
        ({"weights": np.ones(2)}, "weights are those"),
        ({"counts": COUNTS[:2]}, "shape"),
    ],
)
def test_what_does_not_go_together_is_refused(more, match):
    with pytest.raises(ParameterError, match=match):
        classes(**more)


def test_equal_sets_say_the_same():
    assert classes(counts=COUNTS) == classes(counts=COUNTS.copy())
    assert classes(counts=COUNTS) != classes(counts=COUNTS + 1)
    assert classes(combine="vote") != classes()


def test_text_says_how_rules_answer_together():
    assert str(classes()).splitlines() == [
        "# the class counts of all rules that cover a row are added up",
        "IF age <= 40.0 THEN yes",
        "IF age > 30.0 THEN no",
        "OTHERWISE no",
    ]


@pytest.mark.parametrize(
    "rules",
    [
        classes(counts=COUNTS),
        classes(default=None, combine="vote", weights=np.array([0.9, 0.3])),
        RuleSet(INPUTS, NumberAnswer(), (Rule(YOUNG, 2.0), Rule(OLD, 0.5)), 10.0, combine="sum"),
    ],
    ids=["counts", "vote", "sum"],
)
def test_a_set_comes_back_from_its_file(rules, tmp_path):
    save_model(tmp_path / "set.json", {}, rules)
    again = read_model(tmp_path / "set.json")[1]
    assert again == rules
    assert again.combine == rules.combine


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda data: data.pop("weight"), "'weight' is missing"),
        (lambda data: data.update(note="hand-made"), "no note and no statistics"),
        (lambda data: data.update(weight=[1.0]), "one for each rule"),
        (lambda data: data["rules"].update(combine="first"), "expected 'counts' or 'vote' or 'sum', found 'first'"),
    ],
)
def test_a_file_that_says_nonsense_is_refused_with_the_place(change, match):
    content = classes(combine="vote").to_content()
    change(content)
    with pytest.raises(ModelFormatError, match=match):
        RuleSet.from_content(content, Limits())
