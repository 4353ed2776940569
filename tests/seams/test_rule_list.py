"""A model that is no tree: an ordered list of rules predicts, is saved, exported, verified and printed.

It is made here, of what any kind of model may use, and nothing else in the library knows of it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import bough
from bough.errors import ModelFormatError, ParameterError
from bough.model import kinds
from bough.model.answer import Answer, ClassAnswer, NumberAnswer, answer_from_json
from bough.model.files import load_model, save_model
from bough.model.inputs import Inputs
from bough.model.kinds import Model, add_kind
from bough.model.program.fields import edge_of, field_of, level_numbers
from bough.model.program.program import Among, Between, Every, Program, Rule, Step
from bough.model.strict import expect_keys
from bough.table import Column, Schema

LITERALS = {"<=": np.less_equal, ">": np.greater, "=": np.equal}
TARGETS = ["json", "python", "javascript", "c", "sql", "pmml", "onnx", "excel"]


@dataclass(frozen=True)
class RuleList:
    """Rules (literals, what they say) and at last what is said where none holds; a literal on no value fails.

    A literal is a column, a sign and a number or a level; what is said are shares of the classes or a number.
    """

    kind: ClassVar[str] = "rules"

    inputs: Inputs
    answer: Answer
    target: str
    rules: tuple[tuple[tuple[tuple[str, str, Any], ...], Any], ...]
    default: Any

    def read(self, X, *, every=False, reader="the model"):
        asked = {self.inputs.schema.names.index(name) for literals, _ in self.rules for name, _, _ in literals}
        return self.inputs.read(X, only=None if every else asked, reader=reader)

    def _said(self, X):
        rows = self.read(X)
        told = np.array([self.default] * len(rows), dtype=np.float64)
        left = np.ones(len(rows), dtype=bool)
        for literals, says in self.rules:
            holds = left.copy()
            for name, sign, value in literals:
                index = rows.schema.names.index(name)
                column = rows.schema.columns[index]
                wanted = value if sign != "=" else column.levels.index(value)
                with np.errstate(invalid="ignore"):
                    holds &= LITERALS[sign](rows.encoded[index].data, wanted)
            told[holds] = says
            left &= ~holds
        return told

    def predict(self, X, *, n_threads=1):
        said = self._said(X)
        return said if self.answer.classes is None else self.answer.classes[self.answer.decide(said)]

    def predict_proba(self, X, *, n_threads=1):
        return self.answer.sorted_columns(self._said(X))

    def program(self):
        schema = self.inputs.schema
        asked = sorted({schema.names.index(name) for literals, _ in self.rules for name, _, _ in literals})
        fields = tuple(field_of(schema, index) for index in asked)

        def condition(name, sign, value):
            index = schema.names.index(name)
            place = asked.index(index)
            if sign == "=":
                return Among(place, (level_numbers(schema, index)[schema.columns[index].levels.index(value)],))
            edge = edge_of(fields[place], value)
            return Between(place, edge) if sign == ">" else Between(place, None, edge)

        steps, said = [], []
        for literals, says in self.rules:
            end, following = len(steps) + 1, len(steps) + 2
            rule = Rule(Every(tuple(condition(*literal) for literal in literals)), end)
            steps += [Step((rule,), following, (), (end, following), f"{_words(literals)} | else"), Step()]
            said += [self.default, says]
        steps.append(Step())
        said = np.array([*said, self.default], dtype=np.float64)
        about = {"schema": schema, "fields": fields, "steps": tuple(steps), "target": self.target}
        about |= {"title": "An ordered list of rules"}
        if self.answer.classes is None:
            return Program(values=said, **about)
        order = self.answer.order
        place = np.argsort(order)
        return Program(
            classes=tuple(self.answer.classes[order].tolist()),
            label=place[self.answer.decide(said)],
            probabilities=said[:, order],
            worth=said,
            order=tuple(place.tolist()),
            tolerance=self.answer.tolerance,
            **about,
        )

    def to_content(self):
        return {
            "target": self.target,
            "inputs": self.inputs.to_json(),
            "answer": self.answer.to_json(),
            "rules": [{"if": list(map(list, literals)), "then": says} for literals, says in self.rules],
            "default": self.default,
        }

    @classmethod
    def from_content(cls, content, limits):
        expect_keys(content, {"target", "inputs", "answer", "rules", "default"}, "$")
        inputs = Inputs.from_json(content["inputs"], "$.inputs")
        rules = tuple((tuple(map(tuple, rule["if"])), rule["then"]) for rule in content["rules"])
        answer = answer_from_json(content["answer"], "$.answer")
        return cls(inputs, answer, content["target"], rules, content["default"])

    def __str__(self):
        lines = [f"if {_words(literals)}: {says}" for literals, says in self.rules]
        return "\n".join([*lines, f"else: {self.default}"])


def _words(literals):
    return " and ".join(f"{name} {sign} {value}" for name, sign, value in literals)


SCHEMA = Schema(
    (
        Column("age", "numeric", "float64"),
        Column("idle", "numeric", "float64"),
        Column("job", "nominal", "levels", ("cook", "clerk", "smith"), unused=(1,)),
    )
)
BODIES = (
    (("age", ">", 30.0), ("job", "=", "smith")),
    (("age", ">", 20.0), ("age", "<=", 50.0)),
    (("job", "=", "cook"),),
)
X = {
    "age": [40.0, 40.0, 10.0, None, 60.0, 60.0],
    "idle": [0.0] * 6,
    "job": ["smith", "cook", "cook", "smith", None, "miller"],
}


def classes():
    said = ([0.1, 0.9], [0.75, 0.25], [0.5, 0.5])
    answer = ClassAnswer(np.array(["yes", "no"]))
    return RuleList(Inputs(SCHEMA), answer, "buys", tuple(zip(BODIES, said, strict=True)), [0.25, 0.75])


def numbers():
    return RuleList(Inputs(SCHEMA), NumberAnswer(), "pays", tuple(zip(BODIES, (1.5, -2.0, 1 / 3), strict=True)), 7.0)


MODELS = pytest.mark.parametrize("make", [classes, numbers])


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Files know the kind while a test runs."""
    monkeypatch.setattr(kinds, "_KINDS", dict(kinds._KINDS))
    add_kind(RuleList)


@MODELS
def test_it_is_a_model(make):
    assert isinstance(make(), Model)


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
def test_it_predicts():
    assert classes().predict(X).tolist() == ["no", "yes", "yes", "no", "no", "no"]
    assert classes().predict_proba(X)[:3].tolist() == [[0.9, 0.1], [0.25, 0.75], [0.5, 0.5]]
    assert numbers().predict(X).tolist() == [1.5, -2.0, 1 / 3, 7.0, 7.0, 7.0]


@MODELS
@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
def test_a_file_of_it_is_read_by_its_kind(make, tmp_path):
    model = make()
    save_model(tmp_path / "rules.json", {"made": "by hand"}, model)
    header, read = load_model(tmp_path / "rules.json")
    assert (type(read), header) == (RuleList, {"made": "by hand"})
    assert str(read) == str(model)
    assert read.predict(X).tolist() == model.predict(X).tolist()


def test_a_file_of_a_kind_that_is_not_known_says_so(tmp_path, monkeypatch):
    save_model(tmp_path / "rules.json", {}, classes())
    monkeypatch.setattr(kinds, "_KINDS", {"tree": bough.Tree})
    with pytest.raises(ModelFormatError, match=r"\$\.kind.*expected one of tree, found 'rules'"):
        load_model(tmp_path / "rules.json")


@MODELS
@pytest.mark.parametrize("target", TARGETS)
def test_every_target_answers_as_it_does(make, target):
    done = bough.export(make(), target)
    assert done.report.engine
    assert done.report.cases > 30
    assert done.report.source == "edge cases: 4 of 4 tests tried at both sides, 4 of 4 ends reached"
    if target in ("python", "javascript", "c"):
        assert "An ordered list of rules that answers" in done.text


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_drawings_say_that_they_need_a_tree(target):
    with pytest.raises(ParameterError, match="this needs a tree; a model of the kind 'rules' is none"):
        bough.export(classes(), target)


def test_it_is_printed():
    assert str(numbers()).splitlines() == [
        "if age > 30.0 and job = smith: 1.5",
        "if age > 20.0 and age <= 50.0: -2.0",
        "if job = cook: 0.3333333333333333",
        "else: 7.0",
    ]
