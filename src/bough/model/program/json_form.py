"""A routing program as plain data for JSON, and back; docs/exports.md says what the entries mean."""

import math
from typing import Any

import numpy as np

from bough.model.program.derived import Addend, Derived
from bough.model.program.program import (
    Among,
    Between,
    Condition,
    Edge,
    Either,
    Every,
    Field,
    Missing,
    Program,
    Rule,
    Step,
    Unseen,
)
from bough.table import as_label, label_from_json, label_to_json

__all__ = ["condition_to_json", "derived_to_json", "program_from_json", "program_to_json", "refusals"]

_FORMAT = "bough-program"


def program_to_json(program: Program, *, classes: bool = True, probabilities: bool = True) -> dict[str, Any]:
    """The whole program; of a classifier its classes, its probabilities, or both."""
    data: dict[str, Any] = {
        "format": _FORMAT,
        "version": _version(program),
        "target": program.target,
        "refuses": refusals(program),
        "fields": [_field(field) for field in program.fields],
        "steps": [_step(step) for step in program.steps],
    }
    if program.derived:
        data["derived"] = [derived_to_json(derived) for derived in program.derived]
    if not program.is_classifier:
        data["values"] = [_number(value) for value in program.values.tolist()]
        return data
    data["classes"] = [label_to_json(_label(label)) for label in program.classes]
    if program.spreads:
        data["decide"] = {
            "order": list(program.order),
            "tolerance": program.tolerance,
            "worth": [list(map(float, row)) for row in program.worth],
        }
    if classes:
        data["label"] = program.label.tolist()
    if probabilities:
        data["probabilities"] = [list(map(float, row)) for row in program.probabilities]
    return data


def _label(label: Any) -> Any:
    """A class as plain Python has it."""
    return as_label(label, "target")


def refusals(program: Program) -> list[str]:
    """What has no answer, whatever the steps say."""
    return [
        *(["missing", "infinite"] if program.refuses_missing else []),
        *(["unseen"] if program.refuses_unseen else []),
    ]


def _number(value: float | int) -> Any:
    return value if math.isfinite(value) else str(value)


def _field(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"name": field.name, "kind": field.kind, "dtype": field.column.dtype}
    if field.kind == "levels":
        about["levels"] = [label_to_json(level) for level in field.levels]
    return about


def _version(program: Program) -> int:
    """2 where sums are asked, 3 where they have products or feed networks."""
    products = any(term.other is not None for derived in program.derived for term in derived.terms)
    return 3 if products or program.network else 2 if program.derived else 1


def derived_to_json(derived: Derived) -> dict[str, Any]:
    """A sum of fields."""
    terms: list[dict[str, Any]] = []
    for term in derived.terms:
        told: dict[str, Any] = {"field": term.field, "weight": term.weight, "fill": term.fill}
        told |= {"values": [_number(value) for value in term.values]} if term.values else {}
        told |= {"origin": term.origin} if term.origin else {}
        terms.append(told | ({} if term.other is None else {"centre": term.centre, "times": _factor(term.other)}))
    about = {"terms": terms, "whole": derived.whole, "unseen": derived.unseen, "name": derived.name}
    return about | (
        {"constant": derived.constant, "tanh": derived.squashed} if derived.constant or derived.squashed else {}
    )


def _factor(factor: Addend) -> dict[str, Any]:
    """The second factor of a product."""
    origin = {"origin": factor.origin} if factor.origin else {}
    return {"field": factor.field, **origin, "centre": factor.centre}


def _step(step: Step) -> dict[str, Any]:
    if not step.rules and not step.children:
        return {"then": step.otherwise}
    about: dict[str, Any] = {
        "rules": [{**condition_to_json(rule.when), "then": rule.then} for rule in step.rules],
        "then": step.otherwise,
        "asks": step.asks,
    }
    if step.shares:
        about["shares"] = [[child, share] for child, share in step.shares]
    return about


def condition_to_json(condition: Condition) -> dict[str, Any]:
    """What a rule asks for."""
    if isinstance(condition, Every):
        return {"every": [condition_to_json(term) for term in condition.terms]}
    if isinstance(condition, Either):
        return {"either": [condition_to_json(choice) for choice in condition.choices]}
    if isinstance(condition, Missing):
        return {"field": condition.field, "missing": True}
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


# Back


def program_from_json(data: dict[str, Any], like: Program) -> Program:
    """The program that plain data say; `like` knows the columns of the model, which data do not hold."""
    known = {field.name: field for field in like.fields}
    fields = tuple(
        Field(
            known[entry["name"]].index,
            entry["name"],
            known[entry["name"]].column,
            entry["kind"],
            tuple(label_from_json(level, "$") for level in entry.get("levels", ())),
            known[entry["name"]].labels,
        )
        for entry in data["fields"]
    )
    about: dict[str, Any] = {
        "schema": like.schema,
        "fields": fields,
        "steps": tuple(_read_step(entry) for entry in data["steps"]),
        "target": data["target"],
        "refuses_missing": {"missing", "infinite"} <= set(data["refuses"]),
        "refuses_unseen": "unseen" in data["refuses"],
        "derived": tuple(_read_derived(entry) for entry in data.get("derived", ())),
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


def _read_derived(entry: dict[str, Any]) -> Derived:
    terms = tuple(
        Addend(
            term["field"],
            term["weight"],
            term["fill"],
            term.get("origin", 0),
            tuple(map(float, term.get("values", ()))),
            term.get("centre", 0.0),
            _read_factor(term["times"]) if "times" in term else None,
        )
        for term in entry["terms"]
    )
    more = entry.get("constant", 0.0), entry.get("tanh", False)
    return Derived(terms, entry["name"], entry["whole"], entry["unseen"], *more)


def _read_factor(entry: dict[str, Any]) -> Addend:
    return Addend(entry["field"], 1.0, 0.0, entry.get("origin", 0), centre=entry["centre"])


def _read_step(entry: dict[str, Any]) -> Step:
    rules = tuple(Rule(_read_condition(rule), rule["then"]) for rule in entry.get("rules", ()))
    shares = tuple((child, share) for child, share in entry.get("shares", ()))
    return Step(rules, entry["then"], shares)


def _read_condition(rule: dict[str, Any]) -> Any:
    if "every" in rule:
        return Every(tuple(_read_condition(term) for term in rule["every"]))
    if "either" in rule:
        return Either(tuple(_read_condition(choice) for choice in rule["either"]))
    if "missing" in rule:
        return Missing(rule["field"])
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
