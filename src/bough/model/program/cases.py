"""Cases made to find faults: at every node that can be come to each edge and its neighbours, each level, no value.

A case that is made for a test really comes to it, and is chosen so that the other side of the test answers otherwise.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.model.program.cells import Cells
from bough.model.program.plane_cases import moved_cases
from bough.model.program.program import END, MISSING, UNSEEN, Program
from bough.model.program.reach import Box, Keys, Reach, both, has, without

__all__ = ["Generated", "edge_cases"]

_FEWEST = 2_000  # cases for a small tree
_TRIES, _MOST_TRIES = 8, 100  # rows among which one is looked for that the two sides of a test answer differently
_WORK = 1_000_000  # nodes to lead cases through: seconds, which only very deep trees come to
_BASES = 400


@dataclass(frozen=True)
class Generated:
    """Cases, and what they came to: ends, and tests whose edges or levels were all tried."""

    cells: Cells
    reached: int
    ends: int
    tried: int
    tests: int


@dataclass(frozen=True)
class _Aim:
    """A value that a rule of a node is to be asked with; `beside` is its neighbour across an edge.

    `fails` says that this condition of the rule fails, where all its others hold.
    """

    node: int
    rule: int
    field: int = -1
    key: int = 0
    beside: int | None = None
    fails: bool = False


def edge_cases(program: Program, budget: int | None = None, *, seed: int = 0) -> Generated:
    """Make about `budget` cases; by default enough for every test, and some thousand at least.

    First values of each field by themselves; then what each node asks, tests before surrogates; then cases for ends
    that were not come to, and those with one value of their way missing, unseen or changed. Where sums of columns are
    asked, cases are moved to both sides of their planes.
    """
    if program.derived:
        cells, reached, tried, tests = moved_cases(program, budget, np.random.default_rng(seed))
        return Generated(cells, reached, len(program.ends), tried, tests)
    return _Maker(program, np.random.default_rng(seed)).made(budget)


class _Maker:
    def __init__(self, program: Program, rng: np.random.Generator) -> None:
        self.program, self.rng = program, rng
        self.reach = Reach(program)
        self.plain = [self._plain(number) for number in range(len(program.fields))]
        self.tries = [sorted({*self.plain[number], *self._beside(number)}) for number in range(len(program.fields))]
        domains = self.reach.domains
        fine = [[key for key in keys if has(domains[field], key)] for field, keys in enumerate(self.tries)]
        limits = {self._infinity(field) for field in range(len(fine))}  # one at a time: not every target takes them
        fine = [[key for key in keys if abs(key) not in limits] or keys for keys in fine]
        drawn = [[keys[k] for k in rng.integers(len(keys), size=_BASES)] for keys in fine]
        self.bases = [[column[k] for column in drawn] for k in range(_BASES)]
        self.rows: dict[tuple[int, ...], None] = {}
        self.met: set[int] = set()  # ends that cases came to
        self.taken: set[tuple[int, int]] = set()  # nodes, and rules that took some case there
        self.asked: set[tuple[int, int, int]] = set()  # nodes, and fields and values that some rule there looked at

    def made(self, budget: int | None) -> Generated:
        aims = self._aims()
        count = sum(map(len, aims))
        room = count if budget is None else budget - budget // 5
        budget = max(_FEWEST, count) if budget is None else budget
        steps = 6 * (1 + sum(self.program.depths) / len(self.program.steps))
        room = min(room, max(1, int(_WORK / steps)))
        self._add([self.reach.missing(field) for field in range(len(self.tries))])
        self._singles(max(1, budget // 4))
        room -= 0 if room == count else len(self.rows)
        for wanted in aims:
            some = _some(wanted, max(0, room))
            for aim in some:
                self._aimed(aim)
            room -= len(some)
        self._ends(budget)
        return self._counted()

    def _choose(self, values: Any) -> Any:
        return values[int(self.rng.integers(len(values)))]

    def _add(self, row: list[int]) -> None:
        """Keep a case, and see where it really goes."""
        if tuple(row) in self.rows:
            return
        self.rows[tuple(row)] = None
        if not all(map(has, self.reach.domains, row)):
            return  # it is refused at once
        for node, then, rule in self.reach.passed(row):
            if then == END:
                self.met.add(node)
            self.taken.add((node, rule))
            for terms, _ in self.reach.rules[node][: rule + 1]:
                failing = [field for field, keys in terms if not has(keys, row[field])]
                if len(failing) < 2:  # else what one condition says changes nothing
                    for field in failing or [field for field, _ in terms]:
                        self.asked.add((node, field, row[field]))

    # Values

    def _plain(self, number: int) -> list[int]:
        """The keys of a field to try whatever the tests are."""
        field = self.program.fields[number]
        if field.kind == "levels":
            full = field.labels == "bool" and len(field.levels) == 2  # no other level exists
            return [*([] if full else [UNSEEN]), MISSING, *range(len(field.levels))]
        low, high = self.reach.domains[number][-1]
        cells: tuple[float | int, ...] = (0.0, 1e308, -1e308, math.inf, -math.inf)
        if field.kind != "real":
            more = (1, low, high, 2**53 + 1) if field.kind == "whole" else ()
            cells = tuple(value for value in (0, *more) if low <= value <= high)
        return [self.reach.key(number, cell) for cell in (None, *cells)]

    def _infinity(self, number: int) -> int:
        return self.reach.key(number, math.inf) if self.program.fields[number].kind == "real" else -1

    def _beside(self, number: int) -> set[int]:
        """The keys beside the edges of a number."""
        if self.program.fields[number].kind == "levels":
            return set()
        limits = self.reach.domains[number][-1]
        sets = {keys for rules in self.reach.rules for terms, _ in rules for field, keys in terms if field == number}
        return {key for keys in sets for pair in _edges(keys, *limits) for key in pair}

    def _pick(self, field: int, keys: Keys) -> int:
        """Some key of a set, one worth trying if it holds any."""
        low, high = self._choose(keys)
        known = self.tries[field]
        start, end = bisect_left(known, low), bisect_right(known, high)
        return known[int(self.rng.integers(start, end))] if start < end else self._choose((low, high))

    def _filled(self, box: Box) -> list[int]:
        """Some case whose values a box allows."""
        row = list(self._choose(self.bases))
        for field, keys in box.items():
            if not has(keys, row[field]):
                row[field] = self._pick(field, keys)
        return row

    def _singles(self, most: int) -> None:
        """Values that are not beside an edge, each in some case; in some more if they are refused wherever cases go."""
        plain = [(field, key) for field, keys in enumerate(self.plain) for key in keys]
        plain += [pair for pair in plain if not has(self.reach.domains[pair[0]], pair[1])] * _TRIES
        for field, key in _some(plain, most):
            row = self._filled({})
            row[field] = key
            self._add(row)

    # What the nodes ask

    def _aims(self) -> tuple[list[_Aim], list[_Aim], list[_Aim]]:
        """Edges of tests and what nothing decides; levels of tests; surrogates."""
        edges: list[_Aim] = []
        levels: list[_Aim] = []
        others: list[_Aim] = []
        for node, rules in enumerate(self.reach.rules):
            if not rules:
                continue
            tested = [field for field, _ in rules[0][0]]
            asked = list(self._asked(node))
            edges += [aim for aim in asked if aim.field in tested and aim.beside is not None]
            edges.append(_Aim(node, len(rules)))
            levels += [aim for aim in asked if aim.field in tested and aim.beside is None]
            levels += [
                _Aim(node, 0, field, key)
                for field in tested
                for key in dict.fromkeys((self.reach.missing(field), UNSEEN))
                if has(self.reach.domains[field], key) and (key != UNSEEN or not self._is_number(field))
            ]
            levels += self._failing(node)
            others += [aim for aim in asked if aim.field not in tested]
        return edges, levels, others

    def _is_number(self, field: int) -> bool:
        return self.program.fields[field].kind != "levels"

    def _asked(self, node: int) -> Iterator[_Aim]:
        known = set()
        tested = {field for field, _ in self.reach.rules[node][0][0]}
        box = self.reach.box(node) or {}
        for k, (terms, _) in enumerate(self.reach.rules[node]):
            for field, keys in terms:
                if not self._is_number(field):
                    allowed = box.get(field) if field in tested else None
                    for low, high in both(allowed or self.reach.domains[field], keys):
                        yield from (_Aim(node, k, field, code) for code in range(low, high + 1))
                    continue
                for below, above in _edges(keys, *self.reach.domains[field][-1]):
                    if (field, below) not in known:
                        known.add((field, below))
                        yield _Aim(node, k, field, below, above)
                        yield _Aim(node, k, field, above, below)

    def _failing(self, node: int) -> Iterator[_Aim]:
        """Values for which one condition of a conjunction or of a list of rules fails: what is missing, and levels."""
        for k, (terms, _) in enumerate(self.reach.rules[node]):
            for field, keys in terms if len(terms) > 1 or self.program.is_list else ():
                rest = without(self.reach.domains[field], keys)
                if self._is_number(field):
                    gone = self.reach.missing(field)
                    if has(keys, gone) and rest and not _edges(keys, *self.reach.domains[field][-1]):
                        gone = self._pick(field, rest)  # just what is missing is asked for: some number
                    rest = both(rest, ((gone, gone),))
                for low, high in rest:
                    yield from (_Aim(node, k, field, key, fails=True) for key in range(low, high + 1))

    def _aimed(self, aim: _Aim) -> None:
        """Add a case that comes to a node and is asked there as wanted, if one is found."""
        reach, node = self.reach, aim.node
        if reach.visits > 2 * _WORK:
            return
        box = self._box(aim, reach.box(node))
        if box is None:  # with what is asked before missing, from the root on
            rules = reach.rules[node][: aim.rule]
            fields = {field for terms, _ in rules for field, _ in terms} - {aim.field}
            forced = {field: both(reach.domains[field], ((reach.missing(field),) * 2,)) for field in fields}
            if aim.field >= 0:
                forced[aim.field] = ((aim.key, aim.key),)
            box = self._box(aim, reach.box(node, forced)) if all(forced.values()) else None
        if box is None and aim.field >= 0:  # with what the rule itself asks for, from the root on
            sought = self._box(aim, {}, free=True)
            box = None if sought is None else self._box(aim, reach.box(node, sought))
        if box is None:
            return
        for turn in range(_MOST_TRIES):
            row = self._filled(box)
            then, taken = reach.target(node, row)
            other = self._otherwise(aim, row)
            if then != other and reach.answer(row, node, then) != reach.answer(row, node, other):
                break
            if aim.beside is None and taken != aim.rule and not aim.fails:  # nothing is known, and no other side there
                break
            if turn >= _TRIES and reach.visits > _WORK // 10:  # a large tree: no time for the rarest
                break
        self._add(row)

    def _box(self, aim: _Aim, box: Box | None, *, free: bool = False) -> Box | None:
        """Of a box what asks a rule as wanted, and, unless it is free of that, comes past the rules before."""
        if box is None:
            return None
        reach, rules = self.reach, self.reach.rules[aim.node]
        left = dict(box) if free else reach.before(aim.node, aim.rule, box, aim.field)
        if aim.field >= 0:
            terms = tuple(term for term in rules[aim.rule][0] if term[0] != aim.field)
            return None if left is None else reach.narrowed(left, (*terms, (aim.field, ((aim.key, aim.key),))))
        for terms, _ in rules if left is not None else ():  # nothing decides: what is not known, if that may be
            for field, _ in terms:
                gone = reach.missing(field)
                if left is not None and has(left.get(field, reach.domains[field]), gone):
                    left[field] = ((gone, gone),)
        return left

    def _otherwise(self, aim: _Aim, row: list[int]) -> int:
        """Where a case would go if its node asked a little otherwise."""
        step = self.program.steps[aim.node]
        if aim.field < 0:
            return step.children[0] if step.otherwise < 0 and step.children else END
        if aim.fails:
            return step.rules[aim.rule].then
        if aim.beside is None:
            return self.reach.target(aim.node, row, skip=aim.rule)[0]
        near = list(row)
        near[aim.field] = aim.beside
        return self.reach.target(aim.node, near)[0]

    # Where cases end

    def _ends(self, budget: int) -> None:
        """Cases for ends that were not come to; then some for all, with one value of their way changed."""
        ends = self.program.ends
        lost = [end for end in ends if end not in self.met]
        for end in _some(lost, max(1, budget - len(self.rows))):
            box = self.reach.box(end)
            box = None if box is None else self.reach.before(end, len(self.reach.rules[end]), box)
            if box is not None and self.reach.visits < 2 * _WORK:
                self._add(self._filled(box))
        turns = 0
        while len(self.rows) < budget and turns < 2 * budget and self.reach.visits < 2 * _WORK:
            end = self._choose(ends)
            box = self.reach.box(end) or {}
            row = self._filled(box)
            if box and turns % 4:
                field = self._choose(list(box))
                row[field] = self.reach.missing(field) if turns % 4 == 1 else self._choose(self.tries[field])
            self._add(row)
            turns += 1

    def _counted(self) -> Generated:
        """The cases, and what they came to."""
        reach = self.reach
        tried = tests = 0
        for node, rules in enumerate(reach.rules):
            whole: dict[int, bool] = {}
            for k, (terms, _) in enumerate(rules):
                for field, keys in terms:
                    pairs = _edges(keys, *reach.domains[field][-1]) if self._is_number(field) else []
                    fine = all((node, field, key) in self.asked for pair in pairs for key in pair)
                    fine = fine if pairs else (node, k) in self.taken
                    whole[field] = whole.get(field, True) and fine
            tests, tried = tests + len(whole), tried + sum(whole.values())
        columns = tuple([reach.cell(k, row[k]) for row in self.rows] for k in range(len(self.tries)))
        return Generated(Cells(columns, len(self.rows)), len(self.met), len(self.program.ends), tried, tests)


def _some(items: list[Any], most: int) -> list[Any]:
    """Evenly spaced ones, where there are too many."""
    return items if len(items) <= most else [items[k] for k in np.linspace(0, len(items) - 1, most).astype(int)]


def _edges(keys: Keys, low: int, high: int) -> list[tuple[int, int]]:
    """The last key below and the first above each end of a set inside the limits."""
    pairs = [(start - 1, start) for start, _ in keys if start > low]
    return pairs + [(end, end + 1) for _, end in keys if low <= end < high]  # what is missing lies below all
