"""A tree asked question by question comes to what it predicts: by values or branches, known or not, and back again."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.explain.dialogue import Dialogue
from bough.recipe import Pairs
from bough.table import encode_rows

SETTINGS = [
    {},
    {"missing": "fractional"},
    {"missing": "stop", "branching": "intervals"},
    {"missing": "own_branch", "branching": "per_level"},
    {"missing": "surrogates", "search": Pairs()},
]


def random_frame(rng, n=80):
    frame = pd.DataFrame(
        {
            "x": rng.integers(0, 12, n).astype(float),
            "z": rng.integers(0, 12, n),
            "a": rng.choice(["u", "v", "w"], n),
            "b": rng.choice(["yes", "no"], n),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n), categories=["S", "M", "L"], ordered=True),
        }
    )
    frame.loc[rng.random(n) < 0.1, "x"] = None
    return frame


def play(talk, schema, row, rng):
    """Answer from a row: numbers by their values or by the branch that they take; what is missing is not known."""
    names, before = [], []
    while talk.question is not None:
        question = talk.question
        names.append(question.column.name)
        value = row[question.column.name]
        if value is None or value != value:
            talk.do_not_know()
        else:
            cell = encode_rows(schema, tuple(row[name] for name in schema.names))[question.place].data[0].item()
            taken = question.test.branch([cell if place == question.place else None for place in range(len(schema))])
            if question.ways and isinstance(taken, int) and rng.random() < 0.5:
                talk.choose(taken)
            else:
                talk.tell(cell)
        before.append(question)
        if rng.random() < 0.1:  # changes their mind, and again
            assert talk.back()
            assert talk.question == question
            names.pop()
    return names


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: ", ".join(map(str, setting.values())) or "default")
def test_the_answer_is_that_of_prediction(setting, numbers, budget):
    kind = bough.TreeRegressor if numbers else bough.TreeClassifier
    rng = np.random.default_rng(len(str(setting)))
    frame, more = random_frame(rng), random_frame(rng, max(10, round(25 * budget)))
    y = frame["z"] * (frame["a"] == "u") + rng.normal(size=80)
    model = kind(stopping=None, pruning=None, **setting).fit(frame, y if numbers else (y > 2).to_numpy())
    told = model.predict(more)
    for number, (_, row) in enumerate(more.iterrows()):
        plain = {name: None if value != value or rng.random() < 0.2 else value for name, value in row.items()}
        talk = Dialogue(model.tree_)
        names = play(talk, model.schema_, plain, rng)
        found, expected = talk.explanation(), model.explain(plain)
        assert found.answer == pytest.approx(expected.answer) if numbers else found.answer == expected.answer
        assert found.ends == expected.ends
        assert (found.rule, found.routes) == (expected.rule, expected.routes)
        if not any(value is None for value in plain.values()):
            assert found.answer == pytest.approx(told[number]) if numbers else found.answer == told[number]
        assert talk.n_answers == len(names)


def test_not_to_know_more_keeps_what_was_said():
    frame = {"x": list(range(40)), "a": ["u"] * 40}
    tree = bough.tree_from(
        {"x < 20": {"x < 10": "low", "x >= 10": "middle", "else": "middle"}, "x >= 20": "high", "else": "high"}, frame
    )
    talk = Dialogue(tree)
    talk.choose(0)
    assert [text for _, text in talk.question.ways] == ["x < 10", "x >= 10"]
    talk.do_not_know()
    assert talk.explanation().answer == "middle"
    assert talk.explanation().rule == "x < 20"
    assert talk.back()
    with pytest.raises(ParameterError, match="at odds with an earlier answer, x < 20"):
        talk.tell(30)
    talk.tell(3)
    assert talk.explanation().answer == "low"
    with pytest.raises(ParameterError, match="nothing is asked any more"):
        talk.tell(3)


def test_bins_are_asked_as_ranges_of_numbers():
    rng = np.random.default_rng(2)
    frame = {"x": rng.normal(size=200), "a": rng.choice(["u", "v"], 200)}
    clf = bough.ID3Classifier(bins="equal_frequency").fit(frame, (frame["x"] > 0.3).astype(int))
    for value in (-2.0, 0.0, 0.29, 0.31, 2.0):
        talk = Dialogue(clf.tree_)
        while talk.question is not None:
            assert talk.question.needed
            talk.tell(value if talk.question.column.name == "x" else 0)
        assert talk.explanation().answer == clf.predict({"x": value, "a": "u"})[0]


def test_a_model_that_refuses_missing_values_asks_until_it_knows():
    tree = bough.tree_from({"x < 1": "a", "x >= 1": "b"})
    talk = Dialogue(tree)
    with pytest.raises(ParameterError, match="takes no missing value, and it needs 'x'"):
        talk.do_not_know()
    with pytest.raises(ParameterError, match="'x' is still asked for"):
        talk.explanation()
    assert not talk.back()


def test_a_tree_that_asks_nothing_answers_at_once():
    talk = Dialogue(bough.tree_from("1 class = a", {"x": [1]}))
    assert talk.question is None
    assert talk.explanation().answer == "a"


def test_a_conjunction_uses_an_interval_that_was_told_before():
    tree = bough.tree_from(
        {
            "age <= 40": {"age <= 50 and job = A": "young A", "age > 50 or job != A": "young"},
            "age > 40": {"age <= 30 and job = A": "never", "age > 30 or job != A": "old"},
        },
        {"age": [30.0, 60.0], "job": ["A", "B"]},
    )
    talk = Dialogue(tree)
    talk.choose(1)  # which settles that the age is above 30
    assert talk.question is None
    assert talk.explanation().answer == "old"
    assert talk.back()
    talk.choose(0)  # and here that it is below 50
    assert talk.question.column.name == "job"
    talk.tell(0)
    assert talk.explanation().answer == "young A"
