"""Rules by brute force: which rows each covers, which one is the first, and what is counted of them, in plain Python.

Slow and obvious. Rows are lists of cells: numbers and codes of levels, None where a value is missing; `place` says where a
column stands in them.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["count_rules", "cover", "first_rules"]


def cover(rules: Sequence[Any], rows: Sequence[Sequence[Any]], place: Callable[[Any], int]) -> list[list[bool]]:
    """For each row, whether each rule covers it: all its literals hold."""
    return [[all(literal.holds(row, place) for literal in rule.literals) for rule in rules] for row in rows]


def first_rules(covered: Sequence[Sequence[bool]]) -> list[int]:
    """For each row the number of the first rule that covers it, the number of rules if none does."""
    return [next((number for number, holds in enumerate(row) if holds), len(row)) for row in covered]


def count_rules(
    covered: Sequence[Sequence[bool]],
    said: Sequence[Any],
    y: Sequence[Any],
    weight: Sequence[float],
    *,
    turn: bool,
    classes: Sequence[Any] = (),
) -> list[dict[str, Any]]:
    """The figures of each rule over the rows that it covers or, in turn, takes; then of the default.

    Parameters
    ----------
    covered : one row of bools a row of the table
    said : what each rule says, and at last the default; None: nothing
    y, weight : one entry a row of the table
    turn : whether a rule counts only what no earlier one covers
    classes : none where numbers are predicted
    """
    first = first_rules(covered)
    total = sum(weight)
    found = []
    for number, answer in enumerate(said):
        if turn or number == len(said) - 1:
            own = [row for row, rule in enumerate(first) if rule == number]
        else:
            own = [row for row in range(len(y)) if covered[row][number]]
        mass = sum(weight[row] for row in own)
        figures: dict[str, Any] = {
            "rows": sum(weight[row] > 0 for row in own),
            "weight": mass,
            "support": mass / total if total > 0 else math.nan,
        }
        told = [(y[row], weight[row]) for row in own]
        figures |= _of_classes(told, answer, y, weight, classes) if classes else _of_numbers(told, mass)
        found.append(figures)
    return found


def _of_numbers(told: Sequence[tuple[float, float]], mass: float) -> dict[str, float]:
    if not mass > 0:
        return {"mean": math.nan, "deviation": math.nan}
    mean = sum(value * weight for value, weight in told) / mass
    return {"mean": mean, "deviation": math.sqrt(sum(weight * (value - mean) ** 2 for value, weight in told) / mass)}


def _of_classes(
    told: Sequence[tuple[Any, float]], answer: Any, y: Sequence[Any], weight: Sequence[float], classes: Sequence[Any]
) -> dict[str, Any]:
    counts = [sum(share for label, share in told if label == each) for each in classes]
    mass = sum(counts)
    figures: dict[str, Any] = {"counts": counts}
    if answer is None:
        return figures | dict.fromkeys(("confidence", "lift", "recall", "laplace"), math.nan)
    right = sum(share for label, share in told if label == answer)
    there = sum(share for label, share in zip(y, weight, strict=True) if label == answer)
    confidence = right / mass if mass > 0 else math.nan
    return figures | {
        "confidence": confidence,
        "lift": confidence / (there / sum(weight)) if there > 0 else math.nan,
        "recall": right / there if there > 0 else math.nan,
        "laplace": (right + 1) / (mass + len(classes)),
    }
