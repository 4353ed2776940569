"""Which values bring a case to a node of a program: for each field the set that is left by the tests on the way.

Values are keys here: whole numbers in the order of the values, so that neighbours differ by one. A set of keys is a
tuple of closed intervals; what is missing is a key of its own, below all others.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from bough.model.program.program import (
    END,
    FAIL,
    MISSING,
    SPREAD,
    UNSEEN,
    Among,
    Between,
    Condition,
    Edge,
    Field,
    Missing,
    Program,
    Simple,
    Term,
    choices_of,
    terms_of,
)

__all__ = ["Box", "Keys", "Reach", "both", "has", "limits_of", "without"]

Keys: TypeAlias = tuple[tuple[int, int], ...]
Box: TypeAlias = dict[int, Keys]  # by field; of others any value is allowed
Terms: TypeAlias = tuple[tuple[int, Keys], ...]

_GONE = -(2**70)  # a number that is missing
_SEARCHED = 200_000  # nodes to go through for boxes of nodes that were not found on the way
_SIGN = 2**63
_LIMITS = {"int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}


def has(keys: Keys, key: int) -> bool:
    """Whether a key is in a set."""
    for low, high in keys:  # noqa: SIM110 (a loop is twice as fast as any(), and this is asked most)
        if low <= key <= high:
            return True
    return False


def both(a: Keys, b: Keys) -> Keys:
    """What two sets share."""
    shared = [(max(low, start), min(high, end)) for low, high in a for start, end in b]
    return tuple(sorted(part for part in shared if part[0] <= part[1]))


def without(a: Keys, b: Keys) -> Keys:
    """What is in the first set only."""
    for start, end in b:
        rest = [(low, min(high, start - 1)) for low, high in a] + [(max(low, end + 1), high) for low, high in a]
        a = tuple(sorted(part for part in rest if part[0] <= part[1]))
    return a


def limits_of(field: Field) -> tuple[int, int]:
    """The least and the largest number of a column of whole numbers."""
    return _LIMITS[field.column.dtype]


def _joined(intervals: Iterable[tuple[int, int]]) -> Keys:
    """Intervals as a set: those that overlap or touch become one."""
    runs: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if runs and low <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(high, runs[-1][1]))
        else:
            runs.append((low, high))
    return tuple(runs)


def _runs(codes: Iterable[int]) -> Keys:
    return _joined((code, code) for code in codes)


def _real_key(x: float) -> int:
    bits = int(struct.unpack("<q", struct.pack("<d", x))[0])
    return bits if bits >= 0 else -(bits + _SIGN)


def _real(key: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", key if key >= 0 else -key - _SIGN))[0])


class Reach:
    """The rules of a program on keys, and the way of cases through it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.domains = [self._domain(number) for number in range(len(program.fields))]
        self.rules: list[list[tuple[Terms, int]]] = [
            [(self._terms(rule.when), rule.then) for rule in step.rules] for step in program.steps
        ]
        self.visits = 0  # nodes that cases were led through: the work done
        self._says = _answers(program)
        self._boxes: list[Box | None] = [{}]
        parents = program.parents
        for node in range(1, len(program.steps)):
            above = self._boxes[parents[node]]
            box = None if above is None else self._onward(parents[node], node, above)
            if box is None and above is not None and self.visits < _SEARCHED:
                box = self._sought(parents[node], node)
            self._boxes.append(box)

    # Keys and values

    def key(self, field: int, cell: Any) -> int:
        """The key of a cell."""
        kind = self.program.fields[field].kind
        if kind == "levels":
            return int(cell)
        if cell is None:
            return _GONE
        return _real_key(float(cell)) if kind == "real" else int(cell)

    def cell(self, field: int, key: int) -> Any:
        """The cell of a key."""
        kind = self.program.fields[field].kind
        if kind == "levels":
            return key
        if key == _GONE:
            return None
        return _real(key) if kind == "real" else key

    def missing(self, field: int) -> int:
        """The key of no value."""
        return MISSING if self.program.fields[field].kind == "levels" else _GONE

    def _domain(self, number: int) -> Keys:
        """All keys that a column can hold and that are not refused at once."""
        field, refuses = self.program.fields[number], self.program.refuses_missing
        if field.kind == "levels":
            full = field.labels == "bool" and len(field.levels) == 2  # no other level exists
            codes = set(range(len(field.levels))) | {MISSING, UNSEEN}
            codes -= {MISSING} if refuses else set()
            return _runs(codes - ({UNSEEN} if full or self.program.refuses_unseen else set()))
        gone: Keys = () if refuses else ((_GONE, _GONE),)
        if field.kind == "real":
            most = _real_key(math.inf) - refuses  # such a model refuses infinity, too
            return (*gone, (-most, most))
        if field.kind == "whole":
            return (*gone, limits_of(field))
        marks = [0]  # times that exist: from the first edge to the last
        for term in self.program.terms:
            if isinstance(term, Between) and term.field == number:
                marks += [_last_below(field, edge) for edge in (term.above, term.below) if edge is not None]
        return (*gone, (min(marks) - 1, max(marks) + 2))

    def _terms(self, when: Condition) -> Terms:
        """A condition as sets of keys, one a field, all of which must hold."""
        sets: Box = {}
        for term in terms_of(when):
            keys = self._any(term)
            sets[term.field] = both(sets[term.field], keys) if term.field in sets else keys
        return tuple(sets.items())

    def _any(self, when: Term) -> Keys:
        """The keys for which one of some alternatives holds."""
        return _joined(interval for choice in choices_of(when) for interval in self._keys(choice))

    def _keys(self, when: Simple) -> Keys:
        """The keys for which a simple condition holds."""
        if isinstance(when, Between):
            field = self.program.fields[when.field]
            low, high = self.domains[when.field][-1]
            if when.above is not None:
                low = max(low, _last_below(field, when.above) + 1)
            if when.below is not None:
                high = min(high, _last_below(field, when.below))
            return ((low, high),) if low <= high else ()
        if isinstance(when, Among):
            return _runs(when.codes)
        key = self.missing(when.field) if isinstance(when, Missing) else UNSEEN
        return ((key, key),)

    # Ways

    def target(self, node: int, row: Sequence[int], skip: int = -1) -> tuple[int, int]:
        """Where a case goes on from a node, and by which rule; one may be skipped."""
        for k, (terms, then) in enumerate(self.rules[node]):
            for field, keys in terms:
                if not has(keys, row[field]):
                    break
            else:
                if k != skip:
                    return then, k
        return self.program.steps[node].otherwise, len(self.rules[node])

    def answer(self, row: Sequence[int], node: int, target: int) -> Any:
        """What a case is told that goes from a node to a target; two that compare equal are the same answer."""
        steps = self.program.steps
        todo, ends = [(node, target, 1.0)], []
        while todo:
            node, target, share = todo.pop()
            self.visits += 1
            if target == FAIL:
                return None
            if target == END:
                ends.append((node, share))
            elif target == SPREAD:
                todo += [(child, self.target(child, row)[0], share * part) for child, part in steps[node].shares]
            else:
                todo.append((target, self.target(target, row)[0], share))
        if len(ends) == 1:
            return self._says[ends[0][0]]
        sums = [sum(share * self._says[node][k] for node, share in ends) for k in range(len(self._says[0]))]
        return tuple(f"{x:.9g}" for x in sums)

    def passed(self, row: Sequence[int]) -> list[tuple[int, int, int]]:
        """The nodes that a case goes through, where it goes from each, and by which rule."""
        todo, through = [0], []
        while todo:
            node = todo.pop()
            self.visits += 1
            then, rule = self.target(node, row)
            through.append((node, then, rule))
            if then == SPREAD:
                todo += [child for child, _ in self.program.steps[node].shares]
            elif then >= 0:
                todo.append(then)
        return through

    def box(self, node: int, forced: Box | None = None) -> Box | None:
        """Values that bring a case to a node, some of them given; None if none were found."""
        if forced is None:
            return self._boxes[node]
        box: Box | None = forced
        for above, below in pairwise(self.program.path(node)):
            self.visits += 1
            if box is None:
                return None
            box = self._onward(above, below, box)
        return box

    def before(self, node: int, rule: int, box: Box, free: int = -1) -> Box | None:
        """Of the values that come to a node those that no rule before one takes; rules that ask a free field may."""
        left: Box | None = dict(box)
        for terms, _ in self.rules[node][:rule]:
            if left is not None and free not in (field for field, _ in terms):
                left = self._refused(terms, left)
        return left

    def _onward(self, node: int, child: int, box: Box) -> Box | None:
        """Values that go on to a child: by the first rule that leads there and leaves some."""
        step = self.program.steps[node]
        for k, (terms, then) in enumerate(self.rules[node]):
            if then == child:
                taken = self.narrowed(box, terms)
                taken = None if taken is None else self.before(node, k, taken)
                if taken is not None:
                    return taken
        last = step.otherwise
        if last == child or (last == SPREAD and any(child == part for part, _ in step.shares)):
            return self.before(node, len(self.rules[node]), box)
        return None

    def _sought(self, node: int, child: int) -> Box | None:
        """Values that go on to a child, if what the rules above refuse first is what a rule here asks for."""
        for k, (terms, then) in enumerate(self.rules[node]):
            forced = self.narrowed({}, terms) if then == child else None
            box = None if forced is None else self.box(node, forced)
            box = None if box is None else self.before(node, k, box)
            if box is not None:
                return box
        return None

    def narrowed(self, box: Box, terms: Terms) -> Box | None:
        """Of a box the values for which all terms hold."""
        left = dict(box)
        for field, keys in terms:
            left[field] = both(left.get(field, self.domains[field]), keys)
            if not left[field]:
                return None
        return left

    def _refused(self, terms: Terms, box: Box) -> Box | None:
        """Of a box values for which one of the terms does not hold."""
        for field, keys in terms:
            rest = without(box.get(field, self.domains[field]), keys)
            if rest:
                return {**box, field: rest}
        return None


def _last_below(field: Field, edge: Edge) -> int:
    """The key of the largest value below an edge."""
    if field.kind == "real":
        return _real_key(float(edge.number)) - (edge.side == "lt")
    if math.isinf(edge.number):
        return 2**65 if edge.number > 0 else -(2**65)
    return math.floor(edge.number) if edge.side == "le" else math.ceil(edge.number) - 1


def _answers(program: Program) -> list[tuple[float, ...]]:
    """What each node says, as numbers."""
    if not program.is_classifier:
        return [(value,) for value in program.values.tolist()]
    shares = program.probabilities.tolist()
    return [(float(label), *row) for label, row in zip(program.label.tolist(), shares, strict=True)]
