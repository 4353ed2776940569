"""Beam search for rules by brute force: every conjunction that a step can make is judged on its own.

Rows are lists of cells: numbers and codes of levels, None where a value is missing. A condition is a column, what is
asked (``=``, ``!=``, ``<=``, ``>``, ``missing``, ``known``) and a value: a level, or the two neighbours between which a
threshold lies.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from scipy.stats import chi2

__all__ = ["Beam", "BeamRule", "Condition", "best_class_rule"]

_ASKS = ("=", "!=", "<=", ">", "missing", "known")


class Condition(NamedTuple):
    """One condition of a conjunction."""

    column: int
    ask: str
    value: Any = None

    def holds(self, row: Sequence[Any]) -> bool:
        """Whether a row fulfils it."""
        cell = row[self.column]
        if self.ask in ("missing", "known"):
            return (cell is None) == (self.ask == "missing")
        if cell is None:
            return False
        return bool(
            {
                "=": lambda: cell == self.value,
                "!=": lambda: cell != self.value,
                "<=": lambda: cell <= self.value[0],
                ">": lambda: cell >= self.value[1],
            }[self.ask]()
        )


class BeamRule(NamedTuple):
    """The rule that a search has found."""

    conditions: tuple[Condition, ...]
    label: int
    rows: tuple[int, ...]
    quality: float


@dataclass(frozen=True)
class Beam:
    """How to search.

    Parameters
    ----------
    nominal : sequence of bool
        Whether a column has levels rather than numbers.
    asks : sequence of str
        What may be asked.
    """

    nominal: Sequence[bool]
    asks: Sequence[str] = ("=", "<=", ">")
    width: int = 5
    steps: int = 5
    min_weight: float = 1.0
    quality: str = "laplace"
    alpha: float = 0.05
    target: int = -1


def best_class_rule(
    rows: Sequence[Sequence[Any]], y: Sequence[int], weight: Sequence[float], n_classes: int, beam: Beam
) -> BeamRule | None:
    """The best rule that is not by chance, in the rows of positive weight."""
    used = tuple(row for row, mass in enumerate(weight) if mass > 0)
    judge = _Judge(y, weight, n_classes, beam, used)
    members: list[tuple[tuple[Condition, ...], tuple[int, ...]]] = [((), used)]
    best: tuple[tuple[float, int, float], BeamRule] | None = None
    seen: set[tuple[int, ...]] = set()
    for _ in range(beam.steps):
        if best is not None:
            merit = best[0]
            members = [one for one in members if (-judge.bound(one[1]), len(one[0]), -judge.weight(one[1])) < merit]
        made = []
        for place, (conditions, covered) in enumerate(members):
            for order, condition in _conditions(rows, covered, beam):
                kept = tuple(row for row in covered if condition.holds(rows[row]))
                if kept in ((), covered) or judge.weight(kept) < beam.min_weight:
                    continue
                longer = _added(conditions, condition)
                quality = judge.quality(kept)
                made.append(((-quality, len(longer), -judge.weight(kept)), (place, *order), longer, kept))
        made.sort(key=lambda one: one[:2])
        for merit, _, longer, kept in made:
            if (best is None or merit < best[0]) and judge.admits(kept):
                best = merit, BeamRule(longer, judge.label(kept), kept, -merit[0])
                break
        members = []
        for _, _, longer, kept in made:
            if len(members) < beam.width and kept not in seen:
                seen.add(kept)
                members.append((longer, kept))
    return None if best is None else best[1]


def _conditions(
    rows: Sequence[Sequence[Any]], covered: Sequence[int], beam: Beam
) -> list[tuple[tuple[int, int, int], Condition]]:
    """All conditions on what is covered, each with its place: column, what is asked, value."""
    found = []
    for column, nominal in enumerate(beam.nominal):
        values = sorted({rows[row][column] for row in covered} - {None})
        for number, ask in enumerate(_ASKS):
            if ask not in beam.asks or (ask in ("=", "!=")) > nominal or (ask in ("<=", ">") and nominal):
                continue
            if ask in ("=", "!="):
                asked: list[Any] = values
            elif ask in ("<=", ">"):
                asked = list(pairwise(values))
            else:
                asked = [None]
            found += [((column, number, place), Condition(column, ask, value)) for place, value in enumerate(asked)]
    return found


def _added(conditions: tuple[Condition, ...], new: Condition) -> tuple[Condition, ...]:
    """With a condition more; a threshold takes the place of one on its side."""
    same = [place for place, one in enumerate(conditions) if one[:2] == new[:2] and new.ask in ("<=", ">")]
    if not same:
        return (*conditions, new)
    return (*conditions[: same[0]], new, *conditions[same[0] + 1 :])


class _Judge:
    """What covered rows are worth."""

    def __init__(
        self, y: Sequence[int], weight: Sequence[float], n_classes: int, beam: Beam, used: Sequence[int]
    ) -> None:
        self.y, self.w, self.n_classes, self.beam = y, weight, n_classes, beam
        self.prior = self.counts(used)
        self.total = sum(self.prior)

    def counts(self, rows: Sequence[int]) -> list[float]:
        return [sum(self.w[row] for row in rows if self.y[row] == label) for label in range(self.n_classes)]

    def weight(self, rows: Sequence[int]) -> float:
        return sum(self.w[row] for row in rows)

    def label(self, rows: Sequence[int]) -> int:
        counts = self.counts(rows)
        return self.beam.target if self.beam.target >= 0 else counts.index(max(counts))

    def quality(self, rows: Sequence[int]) -> float:
        return self._quality(self.counts(rows), self.label(rows))

    def _quality(self, counts: Sequence[float], label: int) -> float:
        n = sum(counts)
        known: dict[str, Callable[[], float]] = {
            "laplace": lambda: (counts[label] + 1) / (n + self.n_classes),
            "entropy": lambda: sum(c * math.log(c / n) for c in counts if c) / (n * math.log(2)),
            "wracc": lambda: (counts[label] * self.total - n * self.prior[label]) / self.total**2,
        }
        quality = known[self.beam.quality]()
        shifted = quality * 8193.0  # without its last bits, which rounding decides
        return shifted - (shifted - quality)

    def bound(self, rows: Sequence[int]) -> float:
        """The quality of the best part of the rows: those of one class alone."""
        labels = range(self.n_classes) if self.beam.target < 0 else [self.beam.target]
        counts = self.counts(rows)
        pure = [[counts[label] if c == label else 0.0 for c in range(self.n_classes)] for label in labels]
        return max(
            self._quality(one, label) for one, label in zip(pure, labels, strict=True) if sum(one) or len(pure) == 1
        )

    def admits(self, rows: Sequence[int]) -> bool:
        """Better than chance, and by the likelihood ratio not by chance."""
        counts, n, target = self.counts(rows), self.weight(rows), self.beam.target
        if self.beam.quality == "wracc" and not self.quality(rows) > 0:
            return False
        cells = list(zip(counts, self.prior, strict=True))
        if target >= 0:
            if not counts[target] * self.total > n * self.prior[target]:
                return False
            cells = [cells[target], (n - counts[target], self.total - self.prior[target])]
        if self.beam.alpha == 1:
            return True
        ratio = 2 * sum(c * math.log(c / (n * prior / self.total)) for c, prior in cells if c)
        freedom = 1 if target >= 0 else sum(prior > 0 for prior in self.prior) - 1
        return bool(chi2.sf(ratio, freedom) <= self.beam.alpha)
