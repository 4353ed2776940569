"""Cases for programs that ask sums of columns: on both sides of every plane, each level, values missing or unseen.

What brings a case to a node is no box of values there, so that cases are found by moving others: one that came to a
node is moved to either side of what the node asks, by one of the columns of a sum, and comes to its children so.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from bough.model.program.cells import Cells
from bough.model.program.derived import Addend, Derived
from bough.model.program.interpret import holds, refuses
from bough.model.program.program import (
    END,
    MISSING,
    SPREAD,
    UNSEEN,
    Among,
    Between,
    Field,
    Program,
    Simple,
    choices_of,
    terms_of,
)
from bough.model.program.reach import limits_of
from bough.table.temporal import parse_temporal

__all__ = ["Planes", "moved_cases"]

Row: TypeAlias = list[Any]

_ROUNDING = 1e-9  # what another engine's arithmetic may differ by, in parts of the sizes of the terms
_BESIDE = 1e-6  # how near a case is moved to a plane, in the same parts
_LARGE = 1e300  # sums of larger parts may be infinite in one order of adding them
_FEWEST = 2_000
_WITNESSES = 4  # cases from which others are moved at a node
_TRIES = 6  # columns by which a case is moved, until it still comes to the node
_HALVINGS = 20  # towards the edge of a network
_SECONDS_FROM, _SECONDS_TO = -631_152_000, 4_102_444_800  # 1950 and 2100: times that every engine has
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Planes:
    """The planes of a program, and how near cases lie to them.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._edges: list[tuple[Derived, list[float]]] = []
        for number, derived in enumerate(program.derived, start=len(program.fields)):
            asked = [term for term in program.terms if isinstance(term, Between) and term.field == number]
            edges = {float(e.number) for term in asked for e in (term.above, term.below) if e is not None}
            self._edges.append((derived, sorted(edges)))

    def near(self, row: Sequence[Any]) -> bool:
        """Whether a case lies within rounding of a plane, or its finite terms add up to no finite number."""
        row = self._program.with_sums(row)
        sizes = [0.0] * len(row)  # of what sums are made of, where they are rounded
        for number, (derived, edges) in enumerate(self._edges, start=len(self._program.fields)):
            known = [
                (term, [(factor, row[factor.field]) for factor in term.factors])
                for term in derived.terms
                if not term.values and all(row[factor.field] is not None for factor in term.factors)
            ]
            finite = [(term, told) for term, told in known if all(math.isfinite(cell) for _, cell in told)]
            if any(len(term.factors) > 1 for term, _ in known) and len(finite) < len(known):
                return True  # engines differ in what products of infinite values are
            if any(abs(term.weight * _product(told)) > _LARGE for term, told in finite):
                return True
            parts = derived.parts(row)
            if parts is None or len(finite) < len(known):
                continue
            total = sum(parts, derived.constant)
            # The tanh of a sum is as far off as the sum is.
            size = sum(map(abs, parts), abs(derived.constant))
            size += sum(abs(term.weight) * sizes[term.field] for term in derived.terms)
            sizes[number] = size
            if size > _LARGE or any(abs(total - edge) <= _ROUNDING * (size + abs(edge)) for edge in edges):
                return True
        return False


def _product(told: Iterable[tuple[Addend, Any]]) -> float:
    """What known factors count together."""
    return math.prod(factor.number(cell) for factor, cell in told)


def moved_cases(program: Program, budget: int | None, rng: np.random.Generator) -> tuple[Cells, int, int, int]:
    """Make about `budget` cases; also how many ends they came to, and of how many rules they tried both sides."""
    return _Mover(program, rng).made(budget)


class _Mover:
    def __init__(self, program: Program, rng: np.random.Generator) -> None:
        self.program, self.rng = program, rng
        self.rows: dict[tuple[Any, ...], None] = {}
        self.witnesses: list[list[Row]] = [[] for _ in program.steps]
        self.met: set[int] = set()
        self.taken: set[tuple[int, int]] = set()
        self.passed_by: set[tuple[int, int]] = set()
        self.limits = [self._limits(field) for field in program.fields]
        self.draws = [self._draw(number) for number in range(len(program.fields))]

    def made(self, budget: int | None) -> tuple[Cells, int, int, int]:
        rules = [(node, k) for node, step in enumerate(self.program.steps) for k in range(len(step.rules))]
        budget = max(_FEWEST, 8 * len(rules)) if budget is None else budget
        self._add([self._gone(field) for field in self.program.fields])
        for _ in range(max(20, budget // 20)):
            self._add([draw() for draw in self.draws])
        for row in self._singles():
            if len(self.rows) < max(20, budget // 4):
                self._add(row)
        share = max(4, budget // (2 * max(1, len(rules))))
        for node, step in enumerate(self.program.steps):
            if step.rules and self.witnesses[node]:
                self._at(node, share * len(step.rules))
        met = [node for node, step in enumerate(self.program.steps) if step.rules and self.witnesses[node]]
        turns = 0
        while met and len(self.rows) < budget and turns < 2 * budget:
            turns += 1
            self._at(met[int(self.rng.integers(len(met)))], 2)
        tried = sum(rule in self.taken and rule in self.passed_by for rule in rules)
        rows = list(self.rows)
        columns = tuple([row[k] for row in rows] for k in range(len(self.program.fields)))
        return Cells(columns, len(rows)), len(self.met), tried, len(rules)

    # Values

    def _gone(self, field: Field) -> Any:
        return MISSING if field.kind == "levels" else None

    def _limits(self, field: Field) -> tuple[float, float]:
        """The numbers that a field can hold, of times those that every engine has."""
        if field.kind in ("real", "levels"):
            return -math.inf, math.inf
        if field.kind == "whole":
            return limits_of(field)
        meaning = parse_temporal(field.column.dtype)
        assert meaning is not None  # noqa: S101
        if meaning.unit == "D":
            return _SECONDS_FROM // 86_400, _SECONDS_TO // 86_400
        per = _PER_SECOND[meaning.unit]
        if meaning.family == "time":
            return 0, 86_400 * per - 1
        return _SECONDS_FROM * per, _SECONDS_TO * per

    def _fitting(self, place: int, number: float) -> Any:
        """A number as the field can hold it."""
        low, high = self.limits[place]
        if self.program.fields[place].kind == "real":
            return float(number)
        return int(min(max(number, low), high)) if math.isfinite(number) else int(low if number < 0 else high)

    def _draw(self, place: int) -> Callable[[], Any]:
        """Draws of a field: a level, or a number about the fills of the sums that ask it and the edges of tests."""
        field = self.program.fields[place]
        if field.kind == "levels":
            full = field.labels == "bool" and len(field.levels) == 2  # no other level exists
            codes = [*range(len(field.levels)), *range(len(field.levels)), MISSING, *([] if full else [UNSEEN])]
            return lambda: codes[int(self.rng.integers(len(codes)))]
        centres: list[tuple[float | int, float]] = []
        for derived in self.program.derived:
            for term in derived.terms:
                for factor in () if term.values else term.factors:
                    if factor.field == place:
                        middle = term.fill if term.other is None else factor.centre
                        wide = 1.0 + abs(middle)
                        centres.append((factor.origin + (0 if math.isinf(wide) else round(middle)), min(wide, 1e100)))
        for asked in self.program.terms:
            if isinstance(asked, Between) and asked.field == place:
                edges = [e.number for e in (asked.above, asked.below) if e is not None and math.isfinite(e.number)]
                centres += [(edge, 1.0) for edge in edges]
        centres = centres or [(0, 10.0)]

        def draw() -> Any:
            if self.rng.random() < 0.1:
                return None
            centre, wide = centres[int(self.rng.integers(len(centres)))]
            step = float(self.rng.normal()) * wide * float(self.rng.choice([0.3, 1.0, 10.0]))
            return self._fitting(place, centre + (step if field.kind == "real" else round(step)))

        return draw

    def _singles(self) -> Iterator[Row]:
        """Each level, and numbers that are missing, zero or large, in some case."""
        for place, field in enumerate(self.program.fields):
            if field.kind == "levels":
                full = field.labels == "bool" and len(field.levels) == 2
                values: list[Any] = [MISSING, *([] if full else [UNSEEN]), *range(len(field.levels))]
            elif field.kind == "real":
                values = [None, 0.0, 1e308, -1e308, math.inf, -math.inf]
            else:
                values = [None, *(self._fitting(place, x) for x in (0, *self.limits[place]))]
            for value in values:
                row = [draw() for draw in self.draws]
                row[place] = value
                yield row

    # Ways

    def _add(self, row: Row) -> list[int]:
        """Keep a case and see where it goes; return the nodes that it came through."""
        if tuple(row) in self.rows:
            return []
        self.rows[tuple(row)] = None
        if refuses(self.program, row):
            return []
        steps, whole = self.program.steps, self.program.with_sums(row)
        todo, through = [0], []
        while todo:
            node = todo.pop()
            through.append(node)
            if len(self.witnesses[node]) < _WITNESSES:
                self.witnesses[node].append(row)
            step, then = steps[node], steps[node].otherwise
            for k, rule in enumerate(step.rules):
                if holds(rule.when, self.program.asked, whole):
                    self.taken.add((node, k))
                    then = rule.then
                    break
                self.passed_by.add((node, k))
            if then == END:
                self.met.add(node)
            elif then == SPREAD:
                todo += [child for child, _ in step.shares]
            elif then >= 0:
                todo.append(then)
        return through

    def _at(self, node: int, most: int) -> None:
        """Move cases that came to a node to either side of what it asks."""
        asked = [c for rule in self.program.steps[node].rules for t in terms_of(rule.when) for c in choices_of(t)]
        made = 0
        while made < most:
            base = self.witnesses[node][int(self.rng.integers(len(self.witnesses[node])))]
            condition = asked[int(self.rng.integers(len(asked)))]
            for _ in range(_TRIES):
                row = self._moved(base, condition)
                made += 1
                if node in self._add(row):
                    break

    def _moved(self, base: Row, condition: Simple) -> Row:
        row, place = list(base), condition.field
        if place >= len(self.program.fields):
            return self._across(row, self.program.derived[place - len(self.program.fields)], condition)
        field = self.program.fields[place]
        if isinstance(condition, Between):
            edges = [e.number for e in (condition.above, condition.below) if e is not None]
            if edges:
                edge = edges[int(self.rng.integers(len(edges)))]
                side = int(self.rng.integers(3)) - 1
                near = math.nextafter(edge, side * math.inf) if side and field.kind == "real" else edge + side
                row[place] = self._fitting(place, near)
                return row
        elif isinstance(condition, Among) and condition.codes and self.rng.random() < 0.5:
            row[place] = condition.codes[int(self.rng.integers(len(condition.codes)))]
            return row
        row[place] = self.draws[place]() if self.rng.random() < 0.7 else self._gone(field)
        return row

    def _across(self, row: Row, derived: Derived, condition: Simple) -> Row:
        """A case with a sum beside an edge or well beyond it, or with some of its terms missing or drawn anew."""
        first = derived.terms[0].field - len(self.program.fields)
        if first >= 0:
            return self._between(row, derived, self.program.derived[first].terms, condition)
        turn = self.rng.random()
        if turn < 0.1:  # nothing is known of it
            for term in derived.terms if turn < 0.06 else self._some(derived.terms):
                for factor in term.factors:
                    row[factor.field] = self._gone(self.program.fields[factor.field])
            return row
        levels = [term for term in derived.terms if term.values]
        if levels and turn < 0.4:
            place = levels[int(self.rng.integers(len(levels)))].field
            row[place] = self.draws[place]()
        numbers = [term for term in derived.terms if not term.values]
        edges = (
            [e for e in (condition.above, condition.below) if e is not None] if isinstance(condition, Between) else []
        )
        parts = derived.parts(row)
        if not numbers or not edges or parts is None or not all(map(math.isfinite, parts)):
            for term in self._some(derived.terms):
                for factor in term.factors:
                    row[factor.field] = self.draws[factor.field]()
            return row
        edge = float(edges[int(self.rng.integers(len(edges)))].number)
        size = sum(map(abs, parts)) + abs(edge)
        away = size * (_BESIDE if self.rng.random() < 0.6 else float(self.rng.exponential()))
        wanted = edge + (away if self.rng.random() < 0.5 else -away)
        if any(term.other is not None for term in derived.terms):
            return self._along(row, numbers, wanted - sum(parts))
        term = numbers[int(self.rng.integers(len(numbers)))]
        rest = sum(part for other, part in zip(derived.terms, parts, strict=True) if other is not term)
        number = (wanted - rest) / term.weight
        if self.program.fields[term.field].kind == "real":
            row[term.field] = self._fitting(term.field, number + term.origin)
        elif math.isfinite(number):  # the whole number on the wanted side
            up = (wanted > edge) == (term.weight > 0)
            row[term.field] = self._fitting(term.field, (math.ceil(number) if up else math.floor(number)) + term.origin)
        return row

    def _along(self, row: Row, numbers: Sequence[Addend], more: float) -> Row:
        """A case with a sum that is larger by so much: one column moves, by which the sum is a parabola or a line."""
        places = sorted({factor.field for term in numbers for factor in term.factors if row[factor.field] is not None})
        if not places:
            return row
        place = places[int(self.rng.integers(len(places)))]
        bend = slope = 0.0
        for term in numbers:
            if any(row[factor.field] is None for factor in term.factors):
                continue
            counts = [factor.number(row[factor.field]) for factor in term.factors]
            moves = [float(factor.field == place) for factor in term.factors]
            if term.other is None:
                slope += term.weight * moves[0]
            else:
                bend += term.weight * moves[0] * moves[1]
                slope += term.weight * (counts[0] * moves[1] + counts[1] * moves[0])
        root = slope * slope + 4.0 * bend * more
        half = slope + math.copysign(math.sqrt(max(root, 0.0)), slope)
        if half == 0.0 or (bend != 0.0 and self.rng.random() < 0.5):
            move = -half / (2.0 * bend) if bend else 0.0
        else:
            move = 2.0 * more / half
        if not math.isfinite(move) or root < 0.0:
            row[place] = self.draws[place]()
        elif self.program.fields[place].kind == "real":
            row[place] = self._fitting(place, row[place] + move)
        else:
            row[place] = self._fitting(place, row[place] + (math.ceil(move) if move > 0 else math.floor(move)))
        return row

    def _between(self, row: Row, network: Derived, terms: Sequence[Addend], condition: Simple) -> Row:
        """A case with some terms of a network missing or drawn anew, or between the two beside an edge."""
        other, turn = list(row), self.rng.random()
        for term in terms if turn < 0.06 else self._some(terms):
            for place in {factor.field for factor in term.factors}:
                other[place] = self._gone(self.program.fields[place]) if turn < 0.1 else self.draws[place]()
        edges = [condition.above, condition.below] if isinstance(condition, Between) else []
        told = [edge.number for edge in edges if edge is not None]
        if turn < 0.5 or not told:
            return other
        edge = told[int(self.rng.integers(len(told)))]
        number = len(self.program.fields) + self.program.derived.index(network)
        for _ in range(_HALVINGS):
            middle = list(other)
            for place in {factor.field for term in terms if not term.values for factor in term.factors}:
                middle[place] = self._middle(place, row[place], other[place])
            near, value = (self.program.with_sums(case)[number] for case in (row, middle))
            if near is None or value is None:
                break
            row, other = (middle, other) if (near < edge) == (value < edge) else (row, middle)
        return other

    def _middle(self, place: int, one: Any, other: Any) -> Any:
        """The middle of two numbers; the other where there is none."""
        if one is None or other is None or not (math.isfinite(one) and math.isfinite(other)):
            return other
        step = (other - one) / 2
        return self._fitting(place, one + (step if isinstance(one, float) else round(step)))

    def _some(self, terms: Sequence[Any]) -> list[Any]:
        return [term for term in terms if self.rng.random() < 0.5] or [terms[int(self.rng.integers(len(terms)))]]
