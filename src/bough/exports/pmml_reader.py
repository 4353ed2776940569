"""A reader of PMML trees, written from the standard and not from our writer: who judges where no other reader is."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.exports.cells import Cells, outside
from bough.exports.interpret import Answers
from bough.exports.pmml import write_pmml
from bough.exports.program import Program
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value

__all__ = ["TARGET", "PmmlTree"]

_ARRAY = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _child(element: Any, name: str) -> Any:
    return next((child for child in element if _tag(child) == name), None)


@dataclass(frozen=True)
class _Field:
    kind: str
    valid: frozenset[Any]
    invalid: str


class PmmlTree:
    """A document with one TreeModel."""

    def __init__(self, text: str) -> None:
        root = ET.fromstring(text)  # noqa: S314
        self.model = _child(root, "TreeModel")
        self.strategy = self.model.get("missingValueStrategy", "none")
        self.no_true_child = self.model.get("noTrueChildStrategy", "returnNullPrediction")
        mining = {
            field.get("name"): field.get("invalidValueTreatment", "returnInvalid")
            for field in _child(self.model, "MiningSchema")
            if field.get("usageType", "active") == "active"
        }
        self.fields = {}
        for field in _child(root, "DataDictionary"):
            name, kind = field.get("name"), field.get("dataType")
            if name in mining:
                valid = frozenset(_cast(value.get("value"), kind) for value in field if _tag(value) == "Value")
                self.fields[name] = _Field(kind, valid, mining[name])
        local = _child(self.model, "LocalTransformations")
        self.derived = [] if local is None else list(local)
        self.kinds = {name: field.kind for name, field in self.fields.items()}
        self.kinds |= {field.get("name"): field.get("dataType") for field in self.derived}
        self.root = _child(self.model, "Node")

    # Values

    def prepare(self, row: dict[str, Any]) -> dict[str, Any]:
        """The values that predicates see: None is missing."""
        values: dict[str, Any] = {}
        for name, field in self.fields.items():
            value = row[name]
            if value is not None and field.valid and value not in field.valid:
                if field.invalid == "asMissing":
                    value = None
                elif field.invalid != "asIs":
                    raise ValueError(f"{value!r} is not valid")
            values[name] = value
        for field in self.derived:
            expression = next(child for child in field if _tag(child) in ("Apply", "FieldRef", "Constant"))
            values[field.get("name")] = self.express(expression, values)
        return values

    def express(self, element: Any, values: dict[str, Any]) -> Any:
        """An expression; None is missing."""
        tag = _tag(element)
        if tag == "FieldRef":
            return values[element.get("field")]
        if tag == "Constant":
            return _cast(element.text or "", element.get("dataType"))
        name, parts = element.get("function"), list(element)
        if name == "if":
            test = self.express(parts[0], values)
            if test is None:
                return None
            chosen = parts[1] if test else (parts[2] if len(parts) > 2 else None)
            return None if chosen is None else self.express(chosen, values)
        told = [self.express(part, values) for part in parts]
        if name in ("and", "or"):
            return _logic(name, told)
        if told[0] is None:
            return None
        if name == "isIn":
            return told[0] in told[1:]
        return _compare(name, told[0], told[1])

    # Predicates

    def holds(self, predicate: Any, values: dict[str, Any]) -> bool | None:
        """True, False, or None where it is unknown."""
        tag = _tag(predicate)
        if tag in ("True", "False"):
            return tag == "True"
        if tag == "CompoundPredicate":
            operator = predicate.get("booleanOperator")
            parts = [child for child in predicate if _tag(child) != "Extension"]
            if operator == "surrogate":
                for part in parts:
                    known = self.holds(part, values)
                    if known is not None:
                        return known
                return None
            return _logic(operator, [self.holds(part, values) for part in parts])
        value, kind = values[predicate.get("field")], self.kinds[predicate.get("field")]
        if tag == "SimplePredicate":
            operator = predicate.get("operator")
            if operator in ("isMissing", "isNotMissing"):
                return bool((value is None) == (operator == "isMissing"))
            return None if value is None else _compare(operator, value, _cast(predicate.get("value"), kind))
        if value is None:
            return None
        found = _ARRAY.findall(_child(predicate, "Array").text or "")
        members = {_cast(quoted.replace('\\"', '"') if quoted else plain, kind) for quoted, plain in found}
        return bool((value in members) == (predicate.get("booleanOperator") == "isIn"))

    # Nodes

    def score(self, row: dict[str, Any]) -> tuple[str | None, dict[str, float]]:
        """The score of a case and the confidences of its classes; None if there is none."""
        values = self.prepare(row)
        total: dict[str, float] = {}
        single: str | None = None
        todo, spread = [(self.root, 1.0)], False
        while todo:
            node, weight = todo.pop()
            chosen, shared = self._next(node, values)
            if chosen is not None:
                todo.append((chosen, weight))
                continue
            if shared:
                spread = True
                counts = [float(child.get("recordCount")) for child in shared]
                todo += [(c, weight * n / sum(counts)) for c, n in zip(shared, counts, strict=True) if n > 0]
                continue
            single = node.get("score")
            for part in node:
                if _tag(part) == "ScoreDistribution":
                    label, share = part.get("value"), float(part.get("confidence", part.get("probability")))
                    total[label] = total.get(label, 0.0) + weight * share
        if not spread:
            return single, total
        best: str | None = None
        for label, share in total.items():
            if best is None or share > total[best] + 1e-12:
                best = label
        return best, total

    def _next(self, node: Any, values: dict[str, Any]) -> tuple[Any, list[Any]]:
        """The child that a case goes to, or those that share it; neither where it stays."""
        children = [child for child in node if _tag(child) == "Node"]
        told = []
        for child in children:
            known = self.holds(child[0], values)
            told.append(known)
            if known:
                return child, []
            if known is None and self.strategy == "weightedConfidence":
                rest = [self.holds(other[0], values) for other in children[len(told) :]]
                both = [*told, *rest]
                if not any(both):
                    return None, [c for c, k in zip(children, both, strict=True) if k is None]
                return children[both.index(True)], []
            if known is None and self.strategy == "lastPrediction":
                return None, []
        return None, []


def _cast(text: str, kind: str) -> Any:
    if kind == "double":
        return float(text)
    return text == "true" if kind == "boolean" else text


def _logic(operator: str, parts: list[bool | None]) -> bool | None:
    decisive = operator == "or"
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compare(operator: str, value: Any, other: Any) -> bool:
    if operator in ("equal", "notEqual"):
        return bool((value == other) == (operator == "equal"))
    return bool(
        {
            "lessThan": value < other,
            "lessOrEqual": value <= other,
            "greaterThan": value > other,
            "greaterOrEqual": value >= other,
        }[operator]
    )


def rows_of(program: Program, cells: Cells) -> list[dict[str, Any]]:
    """Cases as a reader of PMML is given them."""
    rows = []
    for case in range(cells.n_cases):
        row: dict[str, Any] = {}
        for field, cell in zip(program.fields, cells.row(case), strict=True):
            value = outside(field, cell)
            if value is not None and (field.kind != "levels" or field.labels == "number"):
                value = float(value)
            row[field.name] = value
        rows.append(row)
    return rows


def _run(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    tree = PmmlTree(text)
    n = cells.n_cases
    failed = np.zeros(n, dtype=bool)
    if not program.is_classifier:
        values = [tree.score(row)[0] for row in rows_of(program, cells)]
        return Answers(failed, values=np.array([math.nan if v is None else float(v) for v in values]))
    said = [str(label_value(label)) for label in program.classes]
    labels, shares = [], []
    for row in rows_of(program, cells):
        best, told = tree.score(row)
        labels.append(program.classes[said.index(best or "")])
        shares.append([told.get(label, 0.0) for label in said])
    return Answers(failed, labels if options.classes else None, np.array(shares) if options.probabilities else None)


TARGET = Target(
    "pmml",
    write_pmml,
    (Judge(lambda _: "a reader of the emitted PMML, by the standard", _run, real=False),),
    note="numbers are doubles",
)
