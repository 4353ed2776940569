"""PMML 4.4: a TreeModel whose predicates fall back by `surrogate`; `pmml_sums` writes models that spread their cases.

A predicate is never unknown: what no test decides ends in True for the child that takes it and in False for the others;
a case that no child takes keeps the answer of the node. A long list of rules is one node with a child for each rule,
because readers take the first child whose predicate holds; nodes would be nested once a rule.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bough.errors import ExportError
from bough.exports.pmml_parts import Frame
from bough.exports.pmml_sums import write_sums
from bough.exports.pmml_text import attribute, class_text, field_text, number_text
from bough.exports.target import Options
from bough.exports.text import (
    check_labels,
    refuse_large,
    refuse_large_labels,
    refuse_large_origins,
    refuse_networks,
    refuse_uncovered,
)
from bough.model.program.program import (
    END,
    Among,
    Between,
    Condition,
    Either,
    Every,
    Field,
    Missing,
    Program,
    Rule,
    Simple,
    Term,
    Unseen,
    choices_of,
    terms_of,
)

__all__ = ["write_pmml"]

_TRUE, _FALSE = "<True/>", "<False/>"
_NESTED = 8  # a list of rules no longer than this is written as the tree that it is
# How a number above an edge is told, or one not above it, by the side that the edge itself belongs to.
_SIGNS = {
    (True, "le"): "greaterThan",
    (True, "lt"): "greaterOrEqual",
    (False, "le"): "lessOrEqual",
    (False, "lt"): "lessThan",
}


_Predicate: TypeAlias = str


@dataclass(frozen=True)
class _Group:
    """Rules in a row that ask the same fields, a test or a surrogate, as predicates.

    `mine` has by child what sends a case there, `decides` says whether the rules decide every case whose values are
    known to PMML, `undecided` are predicates that hold where no rule does.
    """

    mine: Mapping[int, _Predicate]
    decides: bool
    undecided: tuple[_Predicate, ...]


def write_pmml(program: Program, options: Options) -> str:
    """The document."""
    _refuse(program)
    return write_sums(program, options) if program.spreads else _Writer(program, options).document()


def _refuse(program: Program) -> None:
    refuse_uncovered(program, "PMML")
    check_labels(program, "PMML")
    refuse_large(program, "PMML")
    refuse_large_origins(program, "PMML")
    refuse_networks(program, "PMML")
    refuse_large_labels(program, "PMML", classes=None)
    if program.can_fail:
        raise ExportError(
            "PMML has no way that all its readers share to refuse a case, as this model does with missing values or "
            'levels never seen. Export to "python" or "sql", or fit with unseen="missing".'
        )


class _Writer:
    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.frame = program, Frame(program, options)
        self.as_is = self.frame.as_is

    def document(self) -> str:
        sums = ["<LocalTransformations>", *self.frame.sums, "</LocalTransformations>"] if self.frame.sums else []
        shares = [(f'feature="probability" value={class_text(label)}', "") for label in self.program.classes]
        return self.frame.document(
            f'<TreeModel modelName="bough" functionName="{self.frame.function}" missingValueStrategy="lastPrediction" '
            'noTrueChildStrategy="returnLastPrediction" splitCharacteristic="multiSplit">',
            self.frame.output(shares if self.frame.options.probabilities else []),
            [*sums, self._list() if self.program.is_list and self.program.depth > _NESTED else self._nodes()],
            "</TreeModel>",
        )

    # Nodes

    def _nodes(self) -> str:
        """All nodes, parents around children; written without recursion."""
        lines: list[str] = []
        todo: list[tuple[int, str] | str] = [(0, _TRUE)]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                lines.append(item)
                continue
            node, predicate = item
            lines.append(self._open(node) + predicate + self._distribution(node))
            todo.append("</Node>")
            todo += list(reversed(self._children(node)))
        return "\n".join(lines)

    def _list(self) -> str:
        """A list of rules: the first whose condition holds says the answer."""
        lines = [self._open(0) + _TRUE + self._distribution(0)]
        node, steps, known = 0, self.program.steps, {0}
        while True:
            step = steps[node]
            told = [(rule.then, _surrogate(self._test(rule.when), _FALSE)) for rule in step.rules]
            following = step.otherwise
            last = following == END or not steps[following].rules
            for then, predicate in [*told, (following, _TRUE)] if last else told:
                end = node if then == END else then
                lines.append(f"{self._open(end, named=end not in known)}{predicate}{self._distribution(end)}</Node>")
                known.add(end)
            if last:
                return "\n".join([*lines, "</Node>"])
            node = following

    def _open(self, node: int, *, named: bool = True) -> str:
        if self.program.is_classifier:
            score = class_text(self.program.classes[self.program.label[node]])
        else:
            score = f'"{number_text(float(self.program.values[node]))}"'
        number = f'id="{node}" ' if named else ""
        return f'<Node {number}score={score} recordCount="1.0">'

    def _distribution(self, node: int) -> str:
        if not self.program.is_classifier:
            return ""
        return "".join(
            f"<ScoreDistribution value={class_text(label)} "
            f'recordCount="{float(p)!r}" confidence="{float(p)!r}" probability="{float(p)!r}"/>'
            for label, p in zip(self.program.classes, self.program.probabilities[node], strict=True)
        )

    def _children(self, node: int) -> list[tuple[int, str]]:
        step = self.program.steps[node]
        groups = [self._group(rules) for rules in _groups(step.rules)]
        told = [(child, self._falling(groups, child, step.otherwise)) for child in step.children]
        return [(child, predicate) for child, predicate in told if predicate != _FALSE]

    def _falling(self, groups: Sequence[_Group], child: int, otherwise: int) -> _Predicate:
        """Groups in order: the first that decides says whether the child takes a case."""
        predicate = _TRUE if otherwise == child else _FALSE
        for group in reversed(groups):
            mine = group.mine.get(child, _FALSE)
            if mine != _FALSE and group.decides:
                predicate = _surrogate(mine, predicate)
            else:
                rest = _FALSE if predicate == _FALSE else _compound("and", [*group.undecided, predicate])
                sure = _FALSE if mine == _FALSE else _surrogate(mine, _FALSE)
                predicate = _compound("or", [part for part in (sure, rest) if part != _FALSE]) or _FALSE
        return predicate

    def _group(self, rules: Sequence[Rule]) -> _Group:
        """Everything that is said of a group, once for all children."""
        tests: dict[int, list[_Predicate]] = {}
        for rule in rules:
            tests.setdefault(rule.then, []).append(self._test(rule.when))
        mine = {child: _compound("or", those) for child, those in tests.items()}
        undecided = tuple(_surrogate(self._test(rule.when, holds=False), _TRUE) for rule in rules)
        return _Group(mine, self._decides(rules), undecided)

    def _decides(self, rules: Sequence[Rule]) -> bool:
        """Whether rules decide every case whose values are known to PMML."""
        first = rules[0].when
        if isinstance(first, Between):
            intervals = [r.when for r in rules if isinstance(r.when, Between)]
            return len(intervals) == len(rules) and _cover_numbers(intervals) and not self._is_sum(first.field)
        if isinstance(first, Every):
            return not self.as_is & _fields(first) and all(self._fails(term, rules[1:]) for term in first.terms)
        if isinstance(first, Either | Missing):
            return False
        covered = {code for r in rules if isinstance(r.when, Among) for code in r.when.codes}
        every = len(covered) == len(self.program.fields[first.field].levels)
        unseen = any(isinstance(r.when, Unseen) for r in rules)
        return every and (unseen or first.field not in self.as_is)

    def _presence(self, place: int, *, known: bool) -> _Predicate:
        """Whether a value or a sum is known, or missing."""
        if not self._is_sum(place):
            return _presence(attribute(self.frame.names[place]), known=known)
        return _simple(attribute(self.frame.known[place]), "greaterThan" if known else "lessThan", "0.5")

    def _is_sum(self, place: int) -> bool:
        return place >= len(self.program.fields)

    def _fails(self, term: Term, rules: Sequence[Rule]) -> bool:
        """Whether rules take every known value for which a term of a conjunction fails."""
        if isinstance(term, Between):
            if self._is_sum(term.field):
                return False
            intervals = [r.when for r in rules if isinstance(r.when, Between) and r.when.field == term.field]
            return _cover_numbers([term, *intervals])
        if not isinstance(term, Among):
            return False
        others = [r.when for r in rules if isinstance(r.when, Among) and r.when.field == term.field]
        taken = {code for when in (term, *others) for code in when.codes}
        return len(taken) == len(self.program.fields[term.field].levels)

    def _test(self, condition: Condition, *, holds: bool = True) -> _Predicate:
        """A predicate that is true where the condition holds, or where it does not."""
        joined = "and" if holds else "or"
        if isinstance(condition, Every):
            return _compound(joined, [self._test(term, holds=holds) for term in condition.terms])
        if isinstance(condition, Either):
            return _compound("or" if holds else "and", [self._test(one, holds=holds) for one in condition.choices])
        said = attribute(self.frame.names[condition.field])
        if isinstance(condition, Between):
            parts = []
            if condition.above is not None:
                sign = _SIGNS[holds, condition.above.side]
                parts.append(_simple(said, sign, number_text(condition.above.number)))
            if condition.below is not None:
                sign = _SIGNS[not holds, condition.below.side]
                parts.append(_simple(said, sign, number_text(condition.below.number)))
            present = self._presence(condition.field, known=holds)
            parts += [present] if self._is_sum(condition.field) and parts else []
            return _compound(joined, parts) or present
        if isinstance(condition, Missing):
            return self._presence(condition.field, known=not holds)
        if isinstance(condition, Among):
            return self._among(self.program.fields[condition.field], said, condition.codes, inside=holds)
        field = self.program.fields[condition.field]
        if self.frame.known:  # behind a sum such a rule stands alone, and a missing level must decide it
            listed = self._among(field, said, range(len(field.levels)), inside=not holds)
            return _compound(joined, [_presence(said, known=holds), listed])
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


def _cover_numbers(intervals: Sequence[Between]) -> bool:
    """Whether every known number lies in one of some intervals, each of which begins where another ends."""
    edges = [(each.above, each.below) for each in intervals]
    ups = {below for _, below in edges}
    # That a number is known is never unknown.
    return (None, None) not in edges and None in ups and {above for above, _ in edges} == ups


def _simple(said: str, operator: str, value: str) -> _Predicate:
    return f'<SimplePredicate field={said} operator="{operator}" value="{value}"/>'


def _presence(said: str, *, known: bool) -> _Predicate:
    """Whether a value is known, or missing; that is never unknown."""
    return f'<SimplePredicate field={said} operator="{"isNotMissing" if known else "isMissing"}"/>'


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


def _groups(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules in a row that ask the same fields and, where they lead to several targets, exclude each other."""
    groups: list[list[Rule]] = []
    levels: dict[int, int] = {}  # of the last group, if it is of levels alone: where each leads
    for rule in rules:
        own, when = _fields(rule.when), rule.when
        joins = bool(groups) and own <= _fields(groups[-1][0].when)
        if joins and isinstance(when, Among) and levels:
            joins = all(levels.get(code, rule.then) == rule.then for code in when.codes)
        elif joins:
            joins = all(rule.then == other.then or _apart(when, other.when) for other in groups[-1])
        if not joins:
            groups.append([])
            levels = {}
        if isinstance(when, Among) and (levels or not groups[-1]):
            levels.update(dict.fromkeys(when.codes, rule.then))
        else:
            levels = {}
        groups[-1].append(rule)
    return groups


def _apart(one: Condition, other: Condition) -> bool:
    """Whether no case has both: two of their terms exclude each other."""
    pairs = ((a, b) for a in terms_of(one) for b in terms_of(other) if a.field == b.field)
    return any(all(_exclude(x, y) or _exclude(y, x) for x in choices_of(a) for y in choices_of(b)) for a, b in pairs)


def _exclude(one: Simple, other: Simple) -> bool:
    if isinstance(one, Missing):
        return not isinstance(other, Missing)
    if isinstance(one, Among):
        return isinstance(other, Unseen) or (isinstance(other, Among) and set(one.codes).isdisjoint(other.codes))
    if not isinstance(one, Between) or not isinstance(other, Between) or one.below is None or other.above is None:
        return False
    below, above = one.below, other.above  # the numbers below the one edge end before those above the other begin
    return below.number < above.number or (below.number == above.number and (below.side, above.side) != ("le", "lt"))


def _fields(condition: Condition) -> set[int]:
    return {term.field for term in terms_of(condition)}
