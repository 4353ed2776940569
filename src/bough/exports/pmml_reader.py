"""A reader of PMML trees, written from the standard and not from our writer: who judges where no other reader is."""

import math
import operator
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bough.exports.pmml import write_pmml
from bough.exports.pmml_parts import names_of
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import Program

__all__ = ["TARGET", "PmmlModel", "answers_of", "rows_of"]

_Expression: TypeAlias = Callable[[dict[str, Any]], Any]
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
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


class PmmlModel:
    """A document with one TreeModel, or one RegressionModel for a number."""

    def __init__(self, text: str) -> None:
        root = ET.fromstring(text)  # noqa: S314
        self.model = next(child for child in root if _tag(child) in ("TreeModel", "RegressionModel"))
        self.strategy = self.model.get("missingValueStrategy", "none")
        self.last = self.model.get("noTrueChildStrategy", "returnNullPrediction") == "returnLastPrediction"
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
        derived = [] if local is None else list(local)
        self.kinds = {name: field.kind for name, field in self.fields.items()}
        self.kinds |= {field.get("name"): field.get("dataType") for field in derived}
        self.derived = [(field.get("name"), self.compiled(field[0])) for field in derived]
        self.outputs = list(_child(self.model, "Output"))
        self.computed = {
            field.get("name"): self.compiled(field[0])
            for field in self.outputs
            if field.get("feature") == "transformedValue"
        }

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
        for name, expression in self.derived:
            values[name] = expression(values)
        return values

    def compiled(self, element: Any) -> _Expression:
        """An expression as a function of the values, because it is computed for many cases; None is missing."""
        tag = _tag(element)
        if tag == "FieldRef":
            return operator.itemgetter(element.get("field"))
        if tag == "Constant":
            constant = _cast(element.text or "", element.get("dataType"))
            return lambda values: constant
        if tag == "NormDiscrete":
            return self._norm(element)
        name, parts = element.get("function"), [self.compiled(part) for part in element]
        if name == "if":
            return lambda values: _if(parts, values)
        if name in ("isMissing", "isNotMissing"):
            return lambda values: (parts[0](values) is None) == (name == "isMissing")
        mapped = element.get("mapMissingTo")
        if mapped is not None:
            mapped = mapped == "true" if mapped in ("true", "false") else float(mapped)

        def run(values: dict[str, Any]) -> Any:
            told = [part(values) for part in parts]
            return mapped if mapped is not None and None in told else _applied(name, told)

        return run

    def _norm(self, element: Any) -> _Expression:
        field, mapped = element.get("field"), element.get("mapMissingTo")
        wanted = _cast(element.get("value"), self.kinds[field])
        missing = None if mapped is None else float(mapped)

        def run(values: dict[str, Any]) -> Any:
            value = values[field]
            return missing if value is None else float(value == wanted)

        return run

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

    # Answers

    def answer(self, row: dict[str, Any]) -> dict[str, Any]:
        """The fields of the output; None where there is no answer."""
        values = self.prepare(row)
        predicted, shares = self._table(values) if _tag(self.model) == "RegressionModel" else self._tree(values)
        told: dict[str, Any] = {}
        for field in self.outputs:
            feature, name = field.get("feature"), field.get("name")
            if feature == "predictedValue":
                told[name] = predicted
            elif feature == "probability":
                told[name] = shares.get(field.get("value"))
            else:
                told[name] = self.computed[name](values)
        return told

    def _table(self, values: dict[str, Any]) -> tuple[float | None, dict[str, float]]:
        table = _child(self.model, "RegressionTable")
        total = float(table.get("intercept"))
        for term in table:
            value = values[term.get("name")]
            if value is None:
                return None, {}
            total += float(term.get("coefficient")) * value
        return total, {}

    def _tree(self, values: dict[str, Any]) -> tuple[str | None, dict[str, float]]:
        node = _child(self.model, "Node")
        while True:
            children = [child for child in node if _tag(child) == "Node"]
            told: bool | None = False
            for child in children:
                told = self.holds(child[0], values)
                if told or (told is None and self.strategy == "lastPrediction"):
                    break
            if told:
                node = child
                continue
            if told is False and children and not self.last:
                return None, {}
            found = [part for part in node if _tag(part) == "ScoreDistribution"]
            return node.get("score"), {part.get("value"): float(part.get("probability")) for part in found}


def _cast(text: str, kind: str) -> Any:
    if kind == "double":
        return float(text)
    return text == "true" if kind == "boolean" else text


def _if(parts: Sequence[_Expression], values: dict[str, Any]) -> Any:
    test = parts[0](values)
    if test is None:
        return None
    chosen = parts[1] if test else (parts[2] if len(parts) > 2 else None)
    return None if chosen is None else chosen(values)


def _applied(name: str, told: list[Any]) -> Any:
    """A function of values that are known, but for logic and sums."""
    if name in ("and", "or"):
        return _logic(name, told)
    if name == "sum":
        return sum(value for value in told if value is not None)
    if None in told:
        return None
    if name in _ARITHMETIC:
        return _ARITHMETIC[name](told[0], told[1])
    return _compare(name, told[0], told[1])


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
    model = PmmlModel(text)
    return answers_of([model.answer(row) for row in rows_of(program, cells)], program, options)


def answers_of(told: Sequence[Mapping[str, Any]], program: Program, options: Options) -> Answers:
    """The fields that a reader of PMML answers with, as those of a program."""
    failed = np.zeros(len(told), dtype=bool)
    _, prediction, shares = names_of(program)
    if not program.is_classifier:
        values = [answer[prediction] for answer in told]
        return Answers(failed, values=np.array([math.nan if v is None else float(v) for v in values]))
    said = {str(label_value(label)): label for label in program.classes}
    labels = [said[answer[prediction]] for answer in told] if options.classes else None
    numbers = [[answer[name] for name in shares] for answer in told] if options.probabilities else None
    return Answers(failed, labels, None if numbers is None else np.array(numbers, dtype=np.float64))


TARGET = Target(
    "pmml",
    write_pmml,
    (Judge(lambda _: "a reader of the emitted PMML, by the standard", _run, real=False),),
    note="numbers are doubles",
)
