"""PMML 4.4: a TreeModel whose predicates fall back by `surrogate`, and `weightedConfidence` where cases are spread.

A predicate is never unknown unless that is what spreads a case: what no test decides ends in True for the child that
takes it and in False for the others; a case that no child takes keeps the answer of the node.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bough.errors import ExportError
from bough.exports.program import END, SPREAD, Among, Between, Condition, Every, Field, Program, Rule, Unseen
from bough.exports.target import Options
from bough.exports.text import check_labels, label_value, refuse_large, unique_names

__all__ = ["field_text", "names_of", "write_pmml"]

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TRUE, _FALSE = "<True/>", "<False/>"
# How a number above an edge is told, or one not above it, by the side that the edge itself belongs to.
_SIGNS = {
    (True, "le"): "greaterThan",
    (True, "lt"): "greaterOrEqual",
    (False, "le"): "lessOrEqual",
    (False, "lt"): "lessThan",
}


@dataclass(frozen=True)
class _Group:
    """Rules in a row that ask the same fields: a test, or a surrogate."""

    rules: tuple[Rule, ...]


_Predicate: TypeAlias = str


def attribute(text: str, what: str = "the name") -> str:
    """Text in double quotes that any XML reader gives back as it was."""
    found = _ILLEGAL.search(text)
    if found:
        raise ExportError(
            f"{what} {text!r:.60} holds {found.group()!r}, a character that XML cannot hold. Rename it, or export to "
            '"json", "python" or "javascript", which can.'
        )
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return '"' + escaped.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;") + '"'


def field_text(field: Field, label: Any) -> str:
    """A level as PMML writes it."""
    value = label_value(label)
    if field.labels == "bool":
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else repr(float(value))


def names_of(program: Program) -> tuple[str, str, list[str]]:
    """The names of the target, of the predicted value and of the probabilities."""
    taken = [field.name for field in program.fields]
    target, prediction, *shares = unique_names(
        [program.target, "prediction", *(f"probability_{label_value(label)}" for label in program.classes)], taken
    )
    return target, prediction, shares


def write_pmml(program: Program, options: Options) -> str:
    """The document."""
    _refuse(program, options)
    return _Writer(program, options).document()


def _refuse(program: Program, options: Options) -> None:
    check_labels(program, "PMML")
    refuse_large(program, "PMML")
    if program.can_fail:
        raise ExportError(
            "PMML has no way that all its readers share to refuse a case, as this model does with missing values or "
            'levels never seen. Export to "python" or "sql", or fit with unseen="missing".'
        )
    if not program.spreads:
        return
    if not program.is_classifier:
        raise ExportError(
            "PMML spreads cases over branches for classes only (weightedConfidence), and this tree answers numbers. "
            'Export to "sql", "python", "javascript" or "c".'
        )
    if options.classes and not _decides_by_shares(program):
        raise ExportError(
            "PMML decides by the weighted confidences where cases are spread, and this model decides by costs, by a "
            'tolerance or by shares before smoothing. Export with output="probability", or to "sql", "python", '
            '"javascript" or "c".'
        )
    for step in program.steps:
        if step.shares and any(rule.then == END and not isinstance(rule.when, Unseen) for rule in step.rules):
            raise ExportError('PMML cannot both spread and stop cases at a node. Export to "sql" or "python".')


def _decides_by_shares(program: Program) -> bool:
    told = program.probabilities[:, list(program.order)]
    rising = list(program.order) == sorted(program.order)
    return rising and bool((abs(told - program.worth) < 1e-12).all()) and program.tolerance <= 1e-12


class _Writer:
    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.target, self.prediction, self.shares = names_of(program)
        self.as_is = {rule.when.field for step in program.steps for rule in step.rules if isinstance(rule.when, Unseen)}
        self.derived: dict[tuple[Condition, ...], str] = {}

    def document(self) -> str:
        nodes = self._nodes()
        kind = "classification" if self.program.is_classifier else "regression"
        strategy = "weightedConfidence" if self.program.spreads else "lastPrediction"
        model = f'<TreeModel modelName="bough" functionName="{kind}" missingValueStrategy="{strategy}" '
        model += 'noTrueChildStrategy="returnLastPrediction" splitCharacteristic="multiSplit">'
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                '<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4">',
                '<Header><Application name="bough"/></Header>',
                self._dictionary(),
                model,
                self._schema(),
                self._output(),
                *self._transformations(),
                nodes,
                "</TreeModel>",
                "</PMML>",
                "",
            ]
        )

    def _dictionary(self) -> str:
        lines = [f'<DataDictionary numberOfFields="{len(self.program.fields) + 1}">']
        for place, field in enumerate(self.program.fields):
            name = attribute(field.name)
            if field.kind != "levels":
                lines.append(f'<DataField name={name} optype="continuous" dataType="double"/>')
                continue
            kind = {"text": "string", "bool": "boolean"}.get(field.labels, "double")
            values = ""
            if place not in self.as_is:  # else every value is valid, and predicates see what was never seen
                values = "".join(f"<Value value={attribute(field_text(field, v), 'the level')}/>" for v in field.levels)
            lines.append(f'<DataField name={name} optype="categorical" dataType="{kind}">{values}</DataField>')
        if self.program.is_classifier:
            values = "".join(
                f"<Value value={attribute(str(label_value(c)), 'the class')}/>" for c in self.program.classes
            )
            about = f'optype="categorical" dataType="string">{values}</DataField>'
        else:
            about = 'optype="continuous" dataType="double"/>'
        return "\n".join([*lines, f"<DataField name={attribute(self.target)} {about}", "</DataDictionary>"])

    def _schema(self) -> str:
        lines = ["<MiningSchema>"]
        for place, field in enumerate(self.program.fields):
            how = ' invalidValueTreatment="asMissing"' if field.kind == "levels" and place not in self.as_is else ""
            lines.append(f"<MiningField name={attribute(field.name)}{how}/>")
        return "\n".join(
            [*lines, f'<MiningField name={attribute(self.target)} usageType="target"/>', "</MiningSchema>"]
        )

    def _output(self) -> str:
        kind = (
            'optype="categorical" dataType="string"'
            if self.program.is_classifier
            else 'optype="continuous" dataType="double"'
        )
        lines = ["<Output>"]
        if self.options.classes:
            lines.append(f'<OutputField name={attribute(self.prediction)} {kind} feature="predictedValue"/>')
        if self.program.is_classifier and self.options.probabilities:
            for name, label in zip(self.shares, self.program.classes, strict=True):
                lines.append(
                    f'<OutputField name={attribute(name)} optype="continuous" dataType="double" feature="probability" '
                    f"value={attribute(str(label_value(label)), 'the class')}/>"
                )
        return "\n".join([*lines, "</Output>"])

    def _transformations(self) -> list[str]:
        """Fields that are missing where a level was absent from a node that spreads its cases."""
        if not self.derived:
            return []
        lines = ["<LocalTransformations>"]
        for known, name in self.derived.items():
            field = self.program.fields[_fields(known[0])[0]]
            kind = "double"
            if field.kind == "levels":
                kind = {"text": "string", "bool": "boolean"}.get(field.labels, "double")
            optype = "categorical" if field.kind == "levels" else "continuous"
            ref = f"<FieldRef field={attribute(field.name)}/>"
            lines.append(
                f'<DerivedField name={attribute(name)} optype="{optype}" dataType="{kind}"><Apply function="if">'
                f"{self._known(known, field, ref, kind)}{ref}</Apply></DerivedField>"
            )
        return [*lines, "</LocalTransformations>"]

    def _known(self, known: Sequence[Condition], field: Field, ref: str, kind: str) -> str:
        """Whether a value is one that the node has a branch for, as a function."""

        def constant(text: str) -> str:
            return f'<Constant dataType="{kind}">{text}</Constant>'

        if field.kind == "levels":
            codes = sorted({code for when in known if isinstance(when, Among) for code in when.codes})
            texts = [attribute(field_text(field, field.levels[code]), "the level")[1:-1] for code in codes]
            return f'<Apply function="isIn">{ref}{"".join(map(constant, texts))}</Apply>'
        ranges = []
        for when in known:
            parts = []
            for edge, words in (
                (when.above if isinstance(when, Between) else None, ("greaterThan", "greaterOrEqual")),
                (when.below if isinstance(when, Between) else None, ("lessOrEqual", "lessThan")),
            ):
                if edge is not None:
                    word = words[0] if edge.side == "le" else words[1]
                    parts.append(f'<Apply function="{word}">{ref}{constant(_number(edge.number))}</Apply>')
            ranges.append(parts[0] if len(parts) == 1 else f'<Apply function="and">{"".join(parts)}</Apply>')
        return ranges[0] if len(ranges) == 1 else f'<Apply function="or">{"".join(ranges)}</Apply>'

    # Nodes

    def _nodes(self) -> str:
        """All nodes, parents around children; written without recursion."""
        lines: list[str] = []
        todo: list[tuple[int, str, float] | str] = [(0, _TRUE, 1.0)]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                lines.append(item)
                continue
            node, predicate, count = item
            lines.append(self._open(node, count) + predicate + self._distribution(node))
            todo.append("</Node>")
            todo += list(reversed(self._children(node)))
        return "\n".join(lines)

    def _open(self, node: int, count: float) -> str:
        if self.program.is_classifier:
            score = attribute(str(label_value(self.program.classes[self.program.label[node]])), "the class")
        else:
            score = f'"{_number(float(self.program.values[node]))}"'
        return f'<Node id="{node}" score={score} recordCount="{count!r}">'

    def _distribution(self, node: int) -> str:
        if not self.program.is_classifier:
            return ""
        return "".join(
            f"<ScoreDistribution value={attribute(str(label_value(label)), 'the class')} "
            f'recordCount="{float(p)!r}" confidence="{float(p)!r}" probability="{float(p)!r}"/>'
            for label, p in zip(self.program.classes, self.program.probabilities[node], strict=True)
        )

    def _children(self, node: int) -> list[tuple[int, str, float]]:
        step = self.program.steps[node]
        counts = dict(step.shares)
        groups = _groups(step.rules)
        if step.otherwise == SPREAD:
            return [(child, self._spreading(groups, child), counts.get(child, 0.0)) for child in step.children]
        told = [(child, self._falling(groups, child, step.otherwise), 1.0) for child in step.children]
        return [(child, predicate, count) for child, predicate, count in told if predicate != _FALSE]

    def _falling(self, groups: Sequence[_Group], child: int, otherwise: int) -> _Predicate:
        """Groups in order: the first that decides says whether the child takes a case."""
        predicate = _TRUE if otherwise == child else _FALSE
        for group in reversed(groups):
            mine = _compound("or", [self._test(rule.when) for rule in group.rules if rule.then == child]) or _FALSE
            if mine != _FALSE and self._decides(group):
                predicate = _surrogate(mine, predicate)
            else:
                open_still = [_surrogate(self._test(rule.when, holds=False), _TRUE) for rule in group.rules]
                rest = _FALSE if predicate == _FALSE else _compound("and", [*open_still, predicate])
                sure = _FALSE if mine == _FALSE else _surrogate(mine, _FALSE)
                predicate = _compound("or", [part for part in (sure, rest) if part != _FALSE]) or _FALSE
        return predicate

    def _spreading(self, groups: Sequence[_Group], child: int) -> _Predicate:
        """Unknown where nothing decides: that is what spreads a case."""
        group = groups[0]
        mine = [rule.when for rule in group.rules if rule.then == child]
        if self._decides(group):
            return _compound("or", [self._test(when) for when in mine]) or _FALSE
        known = tuple(rule.when for rule in group.rules if rule.then != END)
        if any(isinstance(when, Every) for when in known):
            raise ExportError(
                'PMML cannot spread cases that a conjunction does not decide. Export to "sql" or "python".'
            )
        name = self.derived.get(known)
        if name is None:
            taken = [f.name for f in self.program.fields] + [self.target, self.prediction, *self.shares]
            base = self.program.fields[_fields(known[0])[0]].name
            name = unique_names([f"{base}_{len(self.derived)}"], [*taken, *self.derived.values()])[0]
            self.derived[known] = name
        return _compound("or", [self._test(when, name) for when in mine]) or _FALSE

    def _decides(self, group: _Group) -> bool:
        """Whether a group decides every case whose values are known to PMML."""
        first = group.rules[0].when
        if isinstance(first, Between):
            edges = [(r.when.above, r.when.below) for r in group.rules if isinstance(r.when, Between)]
            if len(edges) != len(group.rules):
                return False
            ups = {below for _, below in edges}
            return {above for above, _ in edges} == ups  # each interval begins where another ends
        if isinstance(first, Every):
            return len(group.rules) > 1 and not self.as_is & set(_fields(first))
        covered = {code for r in group.rules if isinstance(r.when, Among) for code in r.when.codes}
        every = len(covered) == len(self.program.fields[first.field].levels)
        unseen = any(isinstance(r.when, Unseen) for r in group.rules)
        return every and (unseen or first.field not in self.as_is)

    def _test(self, condition: Condition, name: str | None = None, *, holds: bool = True) -> _Predicate:
        """A predicate that is true where the condition holds, or where it does not."""
        joined = "and" if holds else "or"
        if isinstance(condition, Every):
            return _compound(joined, [self._test(term, holds=holds) for term in condition.terms]) or (
                _TRUE if holds else _FALSE
            )
        field = self.program.fields[condition.field]
        said = attribute(field.name if name is None else name)
        if isinstance(condition, Between):
            parts = []
            if condition.above is not None:
                sign = _SIGNS[holds, condition.above.side]
                parts.append(_simple(said, sign, _number(condition.above.number)))
            if condition.below is not None:
                sign = _SIGNS[not holds, condition.below.side]
                parts.append(_simple(said, sign, _number(condition.below.number)))
            known = "isNotMissing" if holds else "isMissing"
            return _compound(joined, parts) or f'<SimplePredicate field={said} operator="{known}"/>'
        if isinstance(condition, Among):
            return self._among(field, said, condition.codes, inside=holds)
        return self._among(field, said, range(len(field.levels)), inside=not holds)

    def _among(self, field: Field, said: str, codes: Sequence[int], *, inside: bool) -> _Predicate:
        labels = [field_text(field, field.levels[code]) for code in codes]
        if not labels:
            return _FALSE if inside else _TRUE
        plain = all(label == label.strip() and label and not re.search(r'["\\\s]', label) for label in labels)
        if len(labels) == 1 or not plain:
            each = [
                _simple(said, "equal" if inside else "notEqual", attribute(label, "the level")[1:-1])
                for label in labels
            ]
            return _compound("or" if inside else "and", each)
        listed = " ".join(attribute(label, "the level")[1:-1] for label in labels)
        kind = "string" if field.labels != "number" else "real"
        word = "isIn" if inside else "isNotIn"
        array = f'<Array n="{len(labels)}" type="{kind}">{listed}</Array>'
        return f'<SimpleSetPredicate field={said} booleanOperator="{word}">{array}</SimpleSetPredicate>'


def _number(number: float | int) -> str:
    if not math.isfinite(number):
        raise ExportError('PMML writes no infinite numbers, and this tree has one. Export to "python" or "sql".')
    return repr(float(number))


def _simple(said: str, operator: str, value: str) -> _Predicate:
    return f'<SimplePredicate field={said} operator="{operator}" value="{value}"/>'


def _compound(operator: str, parts: Sequence[_Predicate]) -> _Predicate:
    """Several predicates as one; empty without any. Neutral parts of an `and` are left out."""
    kept = [part for part in parts if not (operator == "and" and part == _TRUE)]
    if not kept:
        return _TRUE if parts else ""
    if len(kept) == 1:
        return kept[0]
    return f'<CompoundPredicate booleanOperator="{operator}">{"".join(kept)}</CompoundPredicate>'


_SURROGATE = '<CompoundPredicate booleanOperator="surrogate">'


def _surrogate(first: _Predicate, rest: _Predicate) -> _Predicate:
    """The first that is known; a chain of them is one list."""
    if rest.startswith(_SURROGATE) and rest.endswith("</CompoundPredicate>"):
        return f"{_SURROGATE}{first}{rest[len(_SURROGATE) :]}"
    return f"{_SURROGATE}{first}{rest}</CompoundPredicate>"


def _groups(rules: Sequence[Rule]) -> list[_Group]:
    groups: list[list[Rule]] = []
    for rule in rules:
        own = set(_fields(rule.when))
        if groups and own <= set(_fields(groups[-1][0].when)):
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return [_Group(tuple(group)) for group in groups]


def _fields(condition: Condition) -> list[int]:
    return [term.field for term in condition.terms] if isinstance(condition, Every) else [condition.field]
