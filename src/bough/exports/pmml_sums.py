"""PMML for trees that spread cases over branches: the parts of a case as derived fields, and sums of what they say.

The standard's own word for spread cases, `weightedConfidence`, is understood by no reader that we could run, so the
document says how to compute: the part of a case that comes to each node, by the part of its parent; for each class the
sum of the probabilities where parts end; and which class follows. Multiplication, `if` and sums are known everywhere.
"""

from collections.abc import Sequence
from itertools import chain, count

from bough.exports.pmml_expressions import (
    Expression,
    added,
    all_,
    apply,
    constant,
    derived_field,
    if_,
    level_count,
    reference,
)
from bough.exports.pmml_parts import Frame
from bough.exports.pmml_text import class_text
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

_NESTED = 8  # rules of a node in one field


def write_sums(program: Program, options: Options) -> str:
    """The document."""
    return _Sums(program, options).document()


class _Sums:
    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.frame = Frame(program, options)
        self.taken = set(self.frame.taken)
        self.lines: list[str] = []
        self.part: dict[int, str] = {}  # by node: the field with the part of a case that comes to it; not of the root
        self.ending: list[tuple[int, Expression]] = []
        self.total: dict[tuple[float, ...], Expression] = {}

    def document(self) -> str:
        for node in range(len(self.program.steps)):
            self._node(node)
        if not self.program.is_classifier:
            return self._values()
        told: list[tuple[str, str]] = []
        if self.options.probabilities:
            told = [
                ('feature="transformedValue"', self._said("probabilities", k, f"share_{k}"))
                for k in range(len(self.program.classes))
            ]
        return self._classes(told)

    def _field(self, name: str, expression: Expression) -> Expression:
        """Write a derived field; return how it is referred to."""
        tries = chain([name], (f"{name}_{k}" for k in count(2)))
        new = next(one for one in tries if one.lower() not in self.taken)
        self.taken.add(new.lower())
        self.lines.append(derived_field(new, expression))
        return reference(new)

    # Parts

    def _node(self, node: int) -> None:
        """The parts that end at a node and that go on to its children, by the way that a case takes there."""
        step = self.program.steps[node]
        ways = list(dict.fromkeys([*(rule.then for rule in step.rules), step.otherwise]))
        number = {way: float(k) for k, way in enumerate(ways)}
        way = self._way(node, number)
        shares = dict(step.shares)
        for target in (END, *step.children):
            taken = constant(shares.get(target, 0.0)) if SPREAD in number else constant(0.0)
            if SPREAD in number and len(ways) > 1:
                taken = if_(apply("equal", way, constant(number[SPREAD])), taken, constant(0.0))
            if target in number:
                here = apply("equal", way, constant(number[target]))
                taken = constant(1.0) if len(ways) == 1 else if_(here, constant(1.0), taken)
            if target != END:
                self.part[target] = self._of_part(node, taken, f"part_{target}")
            elif taken != constant(0.0):
                self.ending.append((node, self._of_part(node, taken, f"end_{node}")))

    def _way(self, node: int, number: dict[int, float]) -> Expression:
        """The number of the way that a case takes at a node: by the first rule that holds, else by what is left.

        Some rules at a time are one field, which falls back on that of later ones, so that nothing is nested deeply.
        """
        step = self.program.steps[node]
        way = constant(number[step.otherwise])
        for written, rule in enumerate(reversed(step.rules), start=1):
            way = if_(self._holds(rule.when), constant(number[rule.then]), way)
            if written == len(step.rules) or written % _NESTED == 0:
                way = self._field(f"way_{node}", way) if len(number) > 1 else way
        return way

    def _of_part(self, node: int, taken: Expression, name: str) -> Expression:
        if node == 0:
            return taken if taken == constant(1.0) else self._field(name, taken)
        if taken == constant(1.0):
            return self.part[node]
        return self._field(name, apply("*", self.part[node], taken))

    # Conditions, which are never unknown: of a missing value they are false

    def _holds(self, condition: Condition) -> Expression:
        told = [[self._one(choice) for choice in choices_of(term)] for term in terms_of(condition)]
        return all_([choices[0] if len(choices) == 1 else apply("or", *choices) for choices in told])

    def _one(self, condition: Simple) -> Expression:
        ref = reference(self.frame.names[condition.field])
        if isinstance(condition, Between):
            parts = []
            for edge, words in (
                (condition.above, ("greaterThan", "greaterOrEqual")),
                (condition.below, ("lessOrEqual", "lessThan")),
            ):
                if edge is not None:
                    word = words[0] if edge.side == "le" else words[1]
                    parts.append(apply(word, ref, constant(edge.number), missing="false"))
            if condition.field in self.frame.known:
                return all_([*parts, self._known(condition.field, "greaterThan")])
            return all_(parts or [apply("isNotMissing", ref)])
        if isinstance(condition, Missing):
            if condition.field in self.frame.known:
                return self._known(condition.field, "lessThan")
            return apply("isMissing", ref)
        if isinstance(condition, Among):
            return apply("equal", self._count(condition.field, condition.codes), constant(1.0))
        seen = self._count(condition.field, range(len(self.program.fields[condition.field].levels)))
        return all_([apply("isNotMissing", ref), apply("equal", seen, constant(0.0))])

    def _known(self, place: int, sign: str) -> Expression:
        """Whether a sum is known, or missing."""
        return apply(sign, reference(self.frame.known[place]), constant(0.5))

    def _count(self, place: int, codes: Sequence[int]) -> Expression:
        """1 if a level is one of these, else 0."""
        return level_count(self.program.fields[place], codes)

    # Answers

    def _sum(self, column: Sequence[float], name: str) -> Expression:
        """The sum of what the nodes say in which parts end; columns that are equal have one field."""
        key = tuple(column[node] for node, _ in self.ending)
        if key not in self.total:
            terms = [
                apply("*", constant(number), part)
                for number, (_, part) in zip(key, self.ending, strict=True)
                if number != 0
            ]
            self.total[key] = self._field(name, added(terms))
        return self.total[key]

    def _said(self, table: str, k: int, name: str) -> Expression:
        """What is said of a class: the sum of what nodes say or, of a pool, its share of the total, or the default."""
        total, pool = self._sum(getattr(self.program, table)[:, k].tolist(), name), self.program.pool
        if pool is None:
            return total
        added = self._sum(pool.total.tolist(), "total")
        besides, default = getattr(pool, table)[:, k].tolist()
        share = apply("/", apply("+", total, constant(besides)), apply("+", added, constant(pool.besides)))
        some = apply("greaterThan", added, constant(0.0))
        return self._field(f"pooled_{name}", if_(some, share, constant(default)))

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

    def _choice(self) -> Expression:
        """The number of the chosen class: the first that no later one beats by more than the tolerance."""
        n = len(self.program.classes)
        best, chosen = self._said("worth", 0, "worth_0"), constant(0)
        for k in range(1, n):
            other = self._said("worth", k, f"worth_{k}")
            better = apply("greaterThan", other, apply("+", best, constant(self.program.tolerance)))
            chosen = self._field(f"choice_{k}", if_(better, constant(k), chosen))
            if k + 1 < n:
                best = self._field(f"best_{k}", if_(better, other, best))
        return chosen if chosen.startswith("<FieldRef") else self._field("choice", chosen)

    def _transformations(self) -> list[str]:
        return ["<LocalTransformations>", *self.frame.sums, *self.lines, "</LocalTransformations>"]
