"""JSON: the routing program itself, one object with everything that is needed to answer a case."""

import json
import math
from typing import Any

import numpy as np

from bough.exports.target import Judge, Options, Target
from bough.model.program.cells import Cells
from bough.model.program.interpret import Answers, run
from bough.model.program.program import (
    Among,
    Between,
    Condition,
    Edge,
    Every,
    Field,
    Program,
    Rule,
    Simple,
    Step,
    Unseen,
)
from bough.table import label_from_json, label_to_json

__all__ = ["TARGET", "write_json"]

_FORMAT = "bough-program"


def write_json(program: Program, options: Options) -> str:
    """The program as text; docs/exports.md says what the fields mean."""
    data: dict[str, Any] = {
        "format": _FORMAT,
        "version": 1,
        "target": program.target,
        "refuses": [
            *(["missing", "infinite"] if program.refuses_missing else []),
            *(["unseen"] if program.refuses_unseen else []),
        ],
        "fields": [_field(field) for field in program.fields],
        "steps": [_step(step) for step in program.steps],
    }
    if program.is_classifier:
        data["classes"] = [label_to_json(_plain(label)) for label in program.classes]
        if program.spreads:
            data["decide"] = {
                "order": list(program.order),
                "tolerance": program.tolerance,
                "worth": [list(map(float, row)) for row in program.worth],
            }
        if options.classes:
            data["label"] = program.label.tolist()
        if options.probabilities:
            data["probabilities"] = [list(map(float, row)) for row in program.probabilities]
    else:
        data["values"] = [_number(value) for value in program.values.tolist()]
    lines = []
    for name, value in data.items():
        if isinstance(value, list) and name in ("fields", "steps", "probabilities"):
            rows = ",\n  ".join(json.dumps(row) for row in value)
            lines.append(f"{json.dumps(name)}: [\n  {rows}\n ]" if value else f"{json.dumps(name)}: []")
        else:
            lines.append(f"{json.dumps(name)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _plain(label: Any) -> Any:
    from bough.table import as_label

    return as_label(label, "target")


def _number(value: float | int) -> Any:
    return value if math.isfinite(value) else str(value)


def _field(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"name": field.name, "kind": field.kind, "dtype": field.column.dtype}
    if field.kind == "levels":
        about["levels"] = [label_to_json(level) for level in field.levels]
    return about


def _step(step: Step) -> dict[str, Any]:
    if not step.rules and not step.children:
        return {"then": step.otherwise}
    about: dict[str, Any] = {
        "rules": [{**_condition(rule.when), "then": rule.then} for rule in step.rules],
        "then": step.otherwise,
        "asks": step.asks,
    }
    if step.shares:
        about["shares"] = [[child, share] for child, share in step.shares]
    return about


def _condition(condition: Condition) -> dict[str, Any]:
    if isinstance(condition, Every):
        return {"every": [_simple(term) for term in condition.terms]}
    return _simple(condition)


def _simple(condition: Simple) -> dict[str, Any]:
    if isinstance(condition, Among):
        return {"field": condition.field, "among": list(condition.codes)}
    if isinstance(condition, Unseen):
        return {"field": condition.field, "unseen": True}
    about: dict[str, Any] = {"field": condition.field}
    if condition.above is not None:
        about[">" if condition.above.side == "le" else ">="] = _number(condition.above.number)
    if condition.below is not None:
        about["<=" if condition.below.side == "le" else "<"] = _number(condition.below.number)
    return about


# The text read back and run


def _read(text: str, program: Program) -> Program:
    data = json.loads(text)
    kinds = {field.name: field for field in program.fields}
    fields = tuple(
        Field(
            kinds[entry["name"]].index,
            entry["name"],
            kinds[entry["name"]].column,
            entry["kind"],
            tuple(label_from_json(level, "$") for level in entry.get("levels", ())),
            kinds[entry["name"]].labels,
        )
        for entry in data["fields"]
    )
    about: dict[str, Any] = {
        "schema": program.schema,
        "fields": fields,
        "steps": tuple(_read_step(entry) for entry in data["steps"]),
        "target": data["target"],
        "refuses_missing": {"missing", "infinite"} <= set(data["refuses"]),
        "refuses_unseen": "unseen" in data["refuses"],
    }
    if "values" in data:
        return Program(values=np.array([float(x) for x in data["values"]]), **about)
    decide = data.get("decide", {"order": [], "tolerance": 0.0, "worth": []})
    count, n = len(data["classes"]), len(data["steps"])
    return Program(
        **about,
        classes=tuple(label_from_json(label, "$") for label in data["classes"]),
        label=np.array(data.get("label", [0] * n), dtype=np.intp),
        probabilities=np.array(data.get("probabilities", [[math.nan] * count] * n)),
        worth=np.array(decide["worth"]),
        order=tuple(decide["order"]),
        tolerance=decide["tolerance"],
    )


def _read_step(entry: dict[str, Any]) -> Step:
    rules = tuple(Rule(_read_condition(rule), rule["then"]) for rule in entry.get("rules", ()))
    shares = tuple((child, share) for child, share in entry.get("shares", ()))
    return Step(rules, entry["then"], shares)


def _read_condition(rule: dict[str, Any]) -> Condition:
    if "every" in rule:
        return Every(tuple(_read_simple(term) for term in rule["every"]))
    return _read_simple(rule)


def _read_simple(rule: dict[str, Any]) -> Simple:
    if "among" in rule:
        return Among(rule["field"], tuple(rule["among"]))
    if "unseen" in rule:
        return Unseen(rule["field"])

    def edge(le: str, lt: str) -> Edge | None:
        if le in rule:
            return Edge(_float(rule[le]), "le")
        return Edge(_float(rule[lt]), "lt") if lt in rule else None

    return Between(rule["field"], edge(">", ">="), edge("<=", "<"))


def _float(value: Any) -> float | int:
    return float(value) if isinstance(value, str) else value


def _run(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    read = _read(text, program)
    answers = run(read, cells)
    if not program.is_classifier:
        return answers
    labels = None
    if options.classes and answers.labels is not None:
        place = {_plain(label): label for label in program.classes}
        labels = [None if label is None else place.get(label, label) for label in answers.labels]
    return Answers(answers.failed, labels, answers.probabilities if options.probabilities else None)


# The format is ours: its reference interpreter is its engine.
TARGET = Target("json", write_json, (Judge(lambda _: "the reference interpreter of the JSON text", _run),))
