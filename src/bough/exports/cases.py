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
    if len(singles) > budget // 3:
        singles = [singles[k] for k in np.linspace(0, len(singles) - 1, max(1, budget // 3)).astype(int)]
    for place, value in singles:
        row = [_choose(rng, values) for values in tries]
        row[place] = value
        rows.append(tuple(row))
    ends = list(program.ends)
    room = max(1, budget - len(rows))
    aimed = ends if len(ends) <= room else [ends[k] for k in np.linspace(0, len(ends) - 1, room).astype(int)]
    each = max(1, room // max(1, len(aimed)))
    for end in aimed:
        rows += _led_to(program, end, tries, each, rng)
    unique = list(dict.fromkeys(rows))
    columns = tuple([row[k] for row in unique] for k in range(len(program.fields)))
    return Generated(Cells(columns, len(unique)), len(aimed), len(ends))


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
    if field.kind == "real":
        for edge in edges:
            x = float(edge)
            values |= {x, math.nextafter(x, math.inf), math.nextafter(x, -math.inf)}
        values |= {0.0, 1e308, -1e308}
        values |= set() if program.refuses_missing else {math.inf, -math.inf}  # such a model refuses these too
    else:
        low, high = _LIMITS.get(field.column.dtype, (-(2**63), 2**63 - 1))
        for edge in edges:
            whole = math.floor(edge) if math.isfinite(edge) else 0
            values |= {whole - 1, whole, whole + 1}
        if field.kind == "whole":
            values |= {0, 1, low, high, 2**53 + 1}
        values = {value for value in values if low <= value <= high} or {0}
    return [*sorted(values), None]


def _is_full(field: Field) -> bool:
    """Whether no other level exists: both bools were seen."""
    return field.labels == "bool" and len(field.levels) == 2


def _led_to(
    program: Program, end: int, tries: list[list[Any]], count: int, rng: np.random.Generator
) -> list[tuple[Any, ...]]:
    """Cases that reach a node, if the values worth trying allow it, and neighbours that may not."""
    path = program.path(end)
    if len(path) > 200:  # the last steps are what makes it special; the values above are found as they come
        path = [*path[:100], *path[-100:]]
    possible: dict[int, list[Any]] = {}
    for node, child in pairwise(path):
        for rule in program.steps[node].rules:
            if rule.then == child and _narrow(program, rule, possible, tries):
                break
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
    for k in range(count - 1):
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


def _fields(rule: Rule) -> list[int]:
    return [term.field for term in rule.when.terms] if isinstance(rule.when, Every) else [rule.when.field]


def _narrow(program: Program, rule: Rule, possible: dict[int, list[Any]], tries: list[list[Any]]) -> bool:
    """Keep the values for which a rule holds, if there are any."""
    terms: tuple[Any, ...] = rule.when.terms if isinstance(rule.when, Every) else (rule.when,)
    kept: dict[int, list[Any]] = {}
    blank: list[Any] = [None] * len(program.fields)
    for term in terms:
        row = list(blank)
        here = []
        for value in possible.get(term.field, tries[term.field]):
            row[term.field] = value
            single = Every((term,)) if isinstance(term, Among) else term
            if holds(single, row):
                here.append(value)
        if not here:
            return False
        kept[term.field] = here
    possible.update(kept)
    return True
