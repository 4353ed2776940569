"""A routing program run case by case: the plain reading of what its rules say."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.program.cells import Cells
from bough.model.program.derived import Derived
from bough.model.program.program import (
    END,
    FAIL,
    MISSING,
    SPREAD,
    UNSEEN,
    Among,
    Between,
    Condition,
    Field,
    Missing,
    Program,
    Simple,
    choices_of,
    terms_of,
)

__all__ = ["Answers", "decide", "holds", "parts_of", "refuses", "run"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """What cases are told; None where a program was not asked for it, and a mask of cases without an answer."""

    failed: npt.NDArray[np.bool_]
    labels: list[Any] | None = None
    probabilities: Floats | None = None
    values: Floats | None = None


def holds(condition: Condition, fields: Sequence[Field | Derived], row: Sequence[Any]) -> bool:
    """Whether a condition holds for the cells of a case, its sums included."""
    return all(
        any(_holds(choice, fields[term.field], row[term.field]) for choice in choices_of(term))
        for term in terms_of(condition)
    )


def _holds(condition: Simple, field: Field | Derived, cell: Any) -> bool:
    if isinstance(condition, Among):
        return cell in condition.codes
    if isinstance(condition, Missing):
        return _is_missing(field, cell)
    if not isinstance(condition, Between):
        return bool(cell == UNSEEN)
    if _is_missing(field, cell):
        return False
    above, below = condition.above, condition.below
    return (above is None or not above.has_below(cell)) and (below is None or below.has_below(cell))


def _is_missing(field: Field | Derived, cell: Any) -> bool:
    if field.kind == "levels":
        return bool(cell == MISSING)
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def refuses(program: Program, row: Sequence[Any]) -> bool:
    """Whether a case has no answer, whatever the steps say."""
    for field, cell in zip(program.fields, row, strict=True):
        missing = cell == MISSING if field.kind == "levels" else cell is None or math.isinf(cell)
        if program.refuses_missing and missing:
            return True
        if program.refuses_unseen and field.kind == "levels" and cell == UNSEEN:
            return True
    return False


def parts_of(program: Program, row: Sequence[Any]) -> list[tuple[int, float]] | None:
    """The nodes in which the parts of a case end, with their shares; None if it has no answer."""
    if refuses(program, row):
        return None
    row = program.with_sums(row)
    todo, ends = [(0, 1.0)], []
    while todo:
        node, share = todo.pop()
        step = program.steps[node]
        target = next((rule.then for rule in step.rules if holds(rule.when, program.asked, row)), step.otherwise)
        if target == FAIL:
            return None
        if target == END:
            ends.append((node, share))
        elif target == SPREAD:
            todo += [(child, share * part) for child, part in reversed(step.shares)]
        else:
            todo.append((target, share))
    pool = program.pool
    return None if pool is not None and pool.fails and not sum(pool.total[node] for node, _ in ends) > 0 else ends


def decide(worth: Sequence[float], order: Sequence[int], tolerance: float) -> int:
    """The class to decide for: the first that no later one beats by more than the tolerance."""
    best = 0
    for k in range(1, len(worth)):
        if worth[k] > worth[best] + tolerance:
            best = k
    return order[best]


def run(program: Program, cells: Cells) -> Answers:
    """The answers to cases."""
    n = cells.n_cases
    failed = np.zeros(n, dtype=bool)
    labels: list[Any] = [None] * n
    shares = np.full((n, len(program.classes)), np.nan)
    values = np.full(n, np.nan)
    for case in range(n):
        parts = parts_of(program, cells.row(case))
        if parts is None:
            failed[case] = True
        elif not program.is_classifier:
            values[case] = sum(share * program.values[node] for node, share in parts)
        else:
            shares[case] = _summed(program, "probabilities", parts)
            if program.spreads:
                worth = _summed(program, "worth", parts).tolist()
                labels[case] = program.classes[decide(worth, program.order, program.tolerance)]
            else:
                labels[case] = program.classes[program.label[parts[0][0]]]
    if program.is_classifier:
        return Answers(failed, labels, shares)
    return Answers(failed, values=values)


def _summed(program: Program, name: str, parts: Sequence[tuple[int, float]]) -> Floats:
    """What the nodes say in which a case ends, times its parts there."""
    pool, table = program.pool, getattr(program, name)
    if pool is None:
        return np.asarray(sum(share * table[node] for node, share in parts))
    widened = pool.widened(table)
    told = pool.shares(np.asarray(sum(share * widened[node] for node, share in parts)), getattr(pool, name))
    return np.full(table.shape[1], np.nan) if told is None else told
