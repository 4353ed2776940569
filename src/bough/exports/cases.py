"""Cases made to find faults: each edge and its neighbours, each level, no value, unseen levels, along every path."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from bough.exports.cells import Cells
from bough.exports.interpret import holds
from bough.exports.program import END, MISSING, UNSEEN, Among, Between, Every, Field, Program, Rule

__all__ = ["Generated", "edge_cases"]

_ROUNDS = 12
_LIMITS = {"int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}


@dataclass(frozen=True)
class Generated:
    """Cases, and how many of the nodes in which a case can end were aimed at."""

    cells: Cells
    aimed: int
    ends: int


def edge_cases(program: Program, budget: int, *, seed: int = 0) -> Generated:
    """Make up to about `budget` cases.

    First a case for each value worth trying of each field; then for each node in which a case can end some that are
    led there, as they are and with one field of the path missing, unseen or at an edge.
    """
    rng = np.random.default_rng(seed)
    tries = [_worth_trying(program, number) for number in range(len(program.fields))]
    rows: list[tuple[Any, ...]] = [tuple(_nothing(field) for field in program.fields)]
    singles = [(place, value) for place, values in enumerate(tries) for value in values]
    for place, value in _some(singles, max(1, budget // 3)):
        row = [_choose(rng, values) for values in tries]
        row[place] = value
        rows.append(tuple(row))
    ends = list(program.ends)
    room = max(1, budget - len(rows))
    probes = _probes(program, tries, room // 2, rng)
    room -= len(probes)
    aimed = _some(ends, room)
    each = max(1, room // max(1, len(aimed)))
    for end in aimed:
        rows += _led_to(program, end, tries, each, rng)
    rows += probes
    unique = list(dict.fromkeys(rows))
    columns = tuple([row[k] for row in unique] for k in range(len(program.fields)))
    return Generated(Cells(columns, len(unique)), len(aimed), len(ends))


def _some(items: list[Any], most: int) -> list[Any]:
    """Evenly spaced ones, where there are too many."""
    return items if len(items) <= most else [items[k] for k in np.linspace(0, len(items) - 1, most).astype(int)]


def _nothing(field: Field) -> Any:
    return MISSING if field.kind == "levels" else None


def _choose(rng: np.random.Generator, values: list[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def _worth_trying(program: Program, number: int) -> list[Any]:
    """All values at which something could change."""
    field = program.fields[number]
    if field.kind == "levels":
        return [*range(len(field.levels)), MISSING, *([] if _is_full(field) else [UNSEEN])]
    edges = {
        edge.number
        for step in program.steps
        for rule in step.rules
        if isinstance(rule.when, Between) and rule.when.field == number
        for edge in (rule.when.above, rule.when.below)
        if edge is not None
    }
    values: set[Any] = set()
    for edge in edges:
        values |= _near(field, edge)
    if field.kind == "real":
        values |= {0.0, 1e308, -1e308}
        values |= set() if program.refuses_missing else {math.inf, -math.inf}  # such a model refuses these too
    elif field.kind == "whole":
        low, high = _LIMITS[field.column.dtype]
        values |= {value for value in (0, 1, low, high, 2**53 + 1) if low <= value <= high}
    return [*sorted(values or {0}), None]


def _near(field: Field, edge: float | int) -> set[Any]:
    """A number and its neighbours, as the column can hold them."""
    if field.kind == "real":
        x = float(edge)
        return {x, math.nextafter(x, math.inf), math.nextafter(x, -math.inf)}
    whole = math.floor(edge) if math.isfinite(edge) else 0
    low, high = _LIMITS.get(field.column.dtype, _LIMITS["int64"])
    return {value for value in (whole - 1, whole, whole + 1) if low <= value <= high}


def _is_full(field: Field) -> bool:
    """Whether no other level exists: both bools were seen."""
    return field.labels == "bool" and len(field.levels) == 2


def _possible(program: Program, end: int, tries: list[list[Any]]) -> dict[int, list[Any]]:
    """The values worth trying that lead to a node, by field; of rules that contradict each other the later give in."""
    path = list(program.path(end))
    if len(path) > 200:  # the first and the last steps; what lies between is left to chance
        path = [*path[:100], *path[-100:]]
    possible: dict[int, list[Any]] = {}
    bounds: dict[int, Between] = {}
    for node, child in pairwise(path):
        for rule in program.steps[node].rules:
            if rule.then == child and _narrow(program, rule, possible, bounds, tries):
                break
    return possible


def _led_to(
    program: Program, end: int, tries: list[list[Any]], count: int, rng: np.random.Generator
) -> list[tuple[Any, ...]]:
    """Cases that reach a node, if the values worth trying allow it, and neighbours that may not."""
    possible = _possible(program, end, tries)
    asked = list(possible) or list(range(len(tries)))
    rows = []
    base = [_choose(rng, values) for values in tries]
    for place, values in possible.items():
        base[place] = _choose(rng, values)
    stop = program.steps[end]
    if stop.otherwise == END and stop.rules:  # a case that nothing decides at the node itself
        for rule in stop.rules:
            for place in _fields(rule):
                base[place] = _nothing(program.fields[place])
    rows.append(tuple(base))
    for k in range(count - 1 if asked else 0):
        row = list(base)
        place = asked[k % len(asked)]
        turn = (k // len(asked)) % 3
        if turn == 0:
            row[place] = _nothing(program.fields[place])
        elif turn == 1:
            row[place] = UNSEEN if UNSEEN in tries[place] else _choose(rng, tries[place])
        else:
            for other in range(len(row)):
                row[other] = _choose(rng, possible.get(other, tries[other]))
        rows.append(tuple(row))
    return rows


def _probes(program: Program, tries: list[list[Any]], most: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """At each node each of its rules with every value that it names, where what is asked before is missing."""
    rules = [(node, k) for node, step in enumerate(program.steps) for k in range(len(step.rules))]
    wanted: list[tuple[int, int, int, Any]] = []
    for node, k in _some(rules, most):
        rule = program.steps[node].rules[k]
        for place in _fields(rule):
            values = tries[place]
            if isinstance(rule.when, Between):
                edges = [edge.number for edge in (rule.when.above, rule.when.below) if edge is not None]
                values = [value for edge in edges for value in _near(program.fields[place], edge)]
            wanted += [(node, k, place, value) for value in values]
    if len(wanted) > most:
        wanted = [wanted[k] for k in np.sort(rng.permutation(len(wanted))[:most])]
    elif wanted:  # once more with other values beside, while there is room
        wanted *= min(_ROUNDS, most // len(wanted))
    leads: dict[int, dict[int, list[Any]]] = {}
    rows = []
    for node, k, place, value in wanted:
        if node not in leads:
            leads[node] = _possible(program, node, tries)
        row = [_choose(rng, leads[node].get(p, values)) for p, values in enumerate(tries)]
        for rule in program.steps[node].rules[:k]:
            for before in _fields(rule):
                row[before] = _nothing(program.fields[before])
        for other in _fields(program.steps[node].rules[k]):
            row[other] = _choose(rng, tries[other])
        row[place] = value
        rows.append(tuple(row))
    return rows


def _fields(rule: Rule) -> list[int]:
    return [term.field for term in rule.when.terms] if isinstance(rule.when, Every) else [rule.when.field]


def _narrow(
    program: Program,
    rule: Rule,
    possible: dict[int, list[Any]],
    bounds: dict[int, Between],
    tries: list[list[Any]],
) -> bool:
    """Keep the values for which a rule holds, if there are any."""
    if isinstance(rule.when, Between):
        place = rule.when.field
        tight = _tighter(bounds.get(place, Between(place)), rule.when)
        near: set[Any] = {0}
        for edge in (tight.above, tight.below):
            near |= set() if edge is None else _near(program.fields[place], edge.number)
        row = [None] * len(program.fields)
        kept = [value for value in sorted(near) if holds(tight, [*row[:place], value, *row[place + 1 :]])]
        if kept:
            possible[place], bounds[place] = kept, tight
        return bool(kept)
    terms = rule.when.terms if isinstance(rule.when, Every) else (rule.when,)
    levels: dict[int, list[Any]] = {}
    for term in terms:
        wanted = set(term.codes) if isinstance(term, Among) else {UNSEEN}
        levels[term.field] = [code for code in possible.get(term.field, tries[term.field]) if code in wanted]
    if not all(levels.values()):
        return False
    possible.update(levels)
    return True


def _tighter(a: Between, b: Between) -> Between:
    """Both of two conditions on a number; at equal edges either, because the neighbours are tried."""
    above = max((c.above for c in (a, b) if c.above is not None), key=lambda edge: edge.number, default=None)
    below = min((c.below for c in (a, b) if c.below is not None), key=lambda edge: edge.number, default=None)
    return Between(a.field, above, below)
