"""PMML for trees that spread cases over branches: the parts of a case as derived fields, and sums of what they say.

The standard's own word for spread cases, `weightedConfidence`, is understood by no reader that we could run, so the
document says how to compute: the part of a case that comes to each node, by the part of its parent; for each class the
sum of the probabilities where parts end; and which class follows. Multiplication, `if` and sums are known everywhere.
"""

from collections.abc import Sequence
from itertools import chain, count
from typing import TypeAlias

from bough.exports.pmml_parts import Frame, attribute, class_text, field_text, number_text
from bough.exports.target import Options
from bough.model.program.program import (
    END,
    SPREAD,
    Among,
    Between,
    Condition,
    Missing,
    Program,
    Simple,
    choices_of,
    terms_of,
)

__all__ = ["write_sums"]

_Expression: TypeAlias = str
_NESTED = 8  # rules of a node in one field


def write_sums(program: Program, options: Options) -> str:
    """The document."""
    return _Sums(program, options).document()


class _Sums:
    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.frame = Frame(program, options)
        given = [field.name for field in program.fields]
        given += [self.frame.target, self.frame.prediction, *self.frame.shares]
        self.taken = {name.lower() for name in given}
        self.lines: list[str] = []
        self.part: dict[int, str] = {}  # by node: the field with the part of a case that comes to it; not of the root
        self.ending: list[tuple[int, _Expression]] = []
        self.total: dict[tuple[float, ...], _Expression] = {}

    def document(self) -> str:
        for node in range(len(self.program.steps)):
            self._node(node)
        if not self.program.is_classifier:
            return self._values()
        told: list[tuple[str, str]] = []
        if self.options.probabilities:
            told = [
                ('feature="transformedValue"', self._sum(column.tolist(), f"share_{k}"))
                for k, column in enumerate(self.program.probabilities.T)
            ]
        return self._classes(told)

    def _field(self, name: str, expression: _Expression) -> _Expression:
        """Write a derived field; return how it is referred to."""
        tries = chain([name], (f"{name}_{k}" for k in count(2)))
        new = next(one for one in tries if one.lower() not in self.taken)
        self.taken.add(new.lower())
        said = attribute(new)
        self.lines.append(
            f'<DerivedField name={said} optype="continuous" dataType="double">{expression}</DerivedField>'
        )
        return f"<FieldRef field={said}/>"

    # Parts

    def _node(self, node: int) -> None:
        """The parts that end at a node and that go on to its children, by the way that a case takes there."""
        step = self.program.steps[node]
        ways = list(dict.fromkeys([*(rule.then for rule in step.rules), step.otherwise]))
        number = {way: float(k) for k, way in enumerate(ways)}
        way = self._way(node, number)
        shares = dict(step.shares)
        for target in (END, *step.children):
            taken = _constant(shares.get(target, 0.0)) if SPREAD in number else _constant(0.0)
            if SPREAD in number and len(ways) > 1:
                taken = _if(_apply("equal", way, _constant(number[SPREAD])), taken, _constant(0.0))
            if target in number:
                here = _apply("equal", way, _constant(number[target]))
                taken = _constant(1.0) if len(ways) == 1 else _if(here, _constant(1.0), taken)
            if target != END:
                self.part[target] = self._of_part(node, taken, f"part_{target}")
            elif taken != _constant(0.0):
                self.ending.append((node, self._of_part(node, taken, f"end_{node}")))

    def _way(self, node: int, number: dict[int, float]) -> _Expression:
        """The number of the way that a case takes at a node: by the first rule that holds, else by what is left.

        Some rules at a time are one field, which falls back on that of later ones, so that nothing is nested deeply.
        """
        step = self.program.steps[node]
        way = _constant(number[step.otherwise])
        for written, rule in enumerate(reversed(step.rules), start=1):
            way = _if(self._holds(rule.when), _constant(number[rule.then]), way)
            if written == len(step.rules) or written % _NESTED == 0:
                way = self._field(f"way_{node}", way) if len(number) > 1 else way
        return way

    def _of_part(self, node: int, taken: _Expression, name: str) -> _Expression:
        if node == 0:
            return taken if taken == _constant(1.0) else self._field(name, taken)
        if taken == _constant(1.0):
            return self.part[node]
        return self._field(name, _apply("*", self.part[node], taken))

    # Conditions, which are never unknown: of a missing value they are false

    def _holds(self, condition: Condition) -> _Expression:
        told = [[self._one(choice) for choice in choices_of(term)] for term in terms_of(condition)]
        return _all([choices[0] if len(choices) == 1 else _apply("or", *choices) for choices in told])

    def _one(self, condition: Simple) -> _Expression:
        field = self.program.fields[condition.field]
        ref = f"<FieldRef field={attribute(field.name)}/>"
        if isinstance(condition, Between):
            parts = []
            for edge, words in (
                (condition.above, ("greaterThan", "greaterOrEqual")),
                (condition.below, ("lessOrEqual", "lessThan")),
            ):
                if edge is not None:
                    word = words[0] if edge.side == "le" else words[1]
                    parts.append(_apply(word, ref, _constant(edge.number), missing="false"))
            return _all(parts or [_apply("isNotMissing", ref)])
        if isinstance(condition, Missing):
            return _apply("isMissing", ref)
        if isinstance(condition, Among):
            return _apply("equal", self._count(condition.field, condition.codes), _constant(1.0))
        seen = self._count(condition.field, range(len(field.levels)))
        return _all([_apply("isNotMissing", ref), _apply("equal", seen, _constant(0.0))])

    def _count(self, place: int, codes: Sequence[int]) -> _Expression:
        """1 if a level is one of these, else 0. Levels are in attributes, where readers keep spaces and empty texts."""
        field = self.program.fields[place]
        said = attribute(field.name)
        return _added(
            [
                f"<NormDiscrete field={said} value={attribute(field_text(field, field.levels[code]), 'the level')} "
                'mapMissingTo="0"/>'
                for code in codes
            ]
        )

    # Answers

    def _sum(self, column: Sequence[float], name: str) -> _Expression:
        """The sum of what the nodes say in which parts end; columns that are equal have one field."""
        key = tuple(column[node] for node, _ in self.ending)
        if key not in self.total:
            terms = [
                _apply("*", _constant(number), part)
                for number, (_, part) in zip(key, self.ending, strict=True)
                if number != 0
            ]
            self.total[key] = self._field(name, _added(terms))
        return self.total[key]

    def _values(self) -> str:
        value = self._sum(self.program.values.tolist(), "value")
        said = value.removeprefix("<FieldRef ").removesuffix("/>").replace("field=", "name=", 1)
        table = f'<RegressionTable intercept="0"><NumericPredictor {said} coefficient="1"/></RegressionTable>'
        return self.frame.document(
            '<RegressionModel modelName="bough" functionName="regression">',
            self.frame.output([]),
            [*self._transformations(), table],
            "</RegressionModel>",
        )

    def _classes(self, told: Sequence[tuple[str, str]]) -> str:
        """A tree with a leaf for each class, by the number of the class that was chosen."""
        order = self.program.order
        leaves = []
        if self.options.classes:
            chosen = self._choice().replace("<FieldRef ", "").replace("/>", "")
            for k, place in enumerate(order):
                test = f'<SimplePredicate {chosen} operator="lessThan" value="{k + 0.5}"/>'
                test = test if k + 1 < len(order) else "<True/>"
                leaves.append(f"<Node score={class_text(self.program.classes[place])}>{test}</Node>")
        first = class_text(self.program.classes[order[0]])
        return self.frame.document(
            '<TreeModel modelName="bough" functionName="classification" missingValueStrategy="lastPrediction" '
            'noTrueChildStrategy="returnLastPrediction" splitCharacteristic="multiSplit">',
            self.frame.output(told),
            [*self._transformations(), f"<Node score={first}><True/>", *leaves, "</Node>"],
            "</TreeModel>",
        )

    def _choice(self) -> _Expression:
        """The number of the chosen class: the first that no later one beats by more than the tolerance."""
        worth = self.program.worth.T
        best, chosen = self._sum(worth[0].tolist(), "worth_0"), _constant(0)
        for k in range(1, len(worth)):
            other = self._sum(worth[k].tolist(), f"worth_{k}")
            better = _apply("greaterThan", other, _apply("+", best, _constant(self.program.tolerance)))
            chosen = self._field(f"choice_{k}", _if(better, _constant(k), chosen))
            if k + 1 < len(worth):
                best = self._field(f"best_{k}", _if(better, other, best))
        return chosen if chosen.startswith("<FieldRef") else self._field("choice", chosen)

    def _transformations(self) -> list[str]:
        return ["<LocalTransformations>", *self.lines, "</LocalTransformations>"]


def _constant(number: float | int) -> _Expression:
    return f'<Constant dataType="double">{number_text(number)}</Constant>'


def _apply(function: str, *arguments: _Expression, missing: str | None = None) -> _Expression:
    mapped = "" if missing is None else f' mapMissingTo="{missing}"'
    return f'<Apply function="{function}"{mapped}>{"".join(arguments)}</Apply>'


def _if(test: _Expression, then: _Expression, otherwise: _Expression) -> _Expression:
    return then if then == otherwise else _apply("if", test, then, otherwise)


def _all(parts: Sequence[_Expression]) -> _Expression:
    return parts[0] if len(parts) == 1 else _apply("and", *parts)


def _added(terms: Sequence[_Expression]) -> _Expression:
    if not terms:
        return _constant(0.0)
    return terms[0] if len(terms) == 1 else _apply("sum", *terms)
