"""The cuts of a node of a forest: every one is written down, summed, and scored by the definition.

Sums are Python integers. Scores are fractions, so that a tie is a tie; where the definition compares doubles, the same
expression is computed in floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_float
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, log2

from bough.errors import ParameterError
from bough.testing.forest_draws import WORD, Words, float_above, mix, threshold_between
from bough.testing.forest_problem import ForestCut, ForestProblem

_EXACT_WEIGHT = 2**17

Sums = list[int]
"""The weight of each class; of numbers the weight, and the sum of the values."""

Groups = Mapping[float | None, Sums] | Mapping[float, Sums]
"""What the rows of each value add up to; None: without a value."""


@dataclass(frozen=True)
class Option:
    """A cut of a node.

    Attributes
    ----------
    cut : ForestCut
    low : Sums
        Of the rows that take the low branch.
    apart : Sums or None
        Of rows without a value, where they have a branch of their own.
    scored_low, scored : Sums
        Of the rows by which the cut is judged: those of the low branch, and all.
    values : bool
        Whether both branches hold values, so that an order of the values is one of the branches.
    """

    cut: ForestCut
    low: Sums
    scored_low: Sums
    scored: Sums
    apart: Sums | None = None
    values: bool = True


def added(*sums: Sums) -> Sums:
    """Sums of several groups of rows together."""
    return [sum(places) for places in zip(*sums, strict=True)]


def less(sums: Sums, *parts: Sums | None) -> Sums:
    """What is left of sums without some parts."""
    for part in parts:
        if part is not None:
            sums = [a - b for a, b in zip(sums, part, strict=True)]
    return sums


class Cuts:
    """The rows of a node, what they add up to, and the cuts of a column."""

    def __init__(
        self,
        problem: ForestProblem,
        weight: Sequence[int],
        rows: Sequence[int],
        seed: int,
        places: Mapping[int, Mapping[int, int]],
    ) -> None:
        self.problem = problem
        self.rows = rows
        self._weight = weight
        self._seed = seed
        self._places = places  # by column: the place of each level in the order of the forest
        self.total = self.add(rows)
        self.weight = self.weight_of(self.total)

    def add(self, rows: Sequence[int]) -> Sums:
        """What rows add up to."""
        sums = [0] * (self.problem.classes or 2)
        for row in rows:
            if self.problem.classes:
                sums[self.problem.y[row]] += self._weight[row]
            else:
                sums[0] += self._weight[row]
                sums[1] += self._weight[row] * self.problem.y[row]
        return sums

    def weight_of(self, sums: Sums) -> int:
        """The weight of rows."""
        return sum(sums) if self.problem.classes else sums[0]

    def mean(self, sums: Sums) -> float:
        """The share of class 1 of two, or the mean in fixed point: what constraints are about."""
        return float(sums[1]) / float(self.weight_of(sums))

    @property
    def pure(self) -> bool:
        """Whether all rows have the same target."""
        return len({self.problem.y[row] for row in self.rows}) < 2

    @property
    def answer(self) -> tuple[float, ...]:
        """What a leaf with these rows holds."""
        if self.problem.classes:
            return tuple(self.total)
        mean = float(self.total[1]) / float(self.weight) / self.problem.scale
        return self.problem.offset + mean, self.weight

    # Scores

    def score(self, option: Option) -> Fraction:
        """What is largest at the best cut. A double becomes the fraction that it is, which keeps the order."""
        scored, low = option.scored, option.scored_low
        if self.problem.criterion == "gini" and self.problem.classes and self.problem.missing == "learned":
            n, left = self.weight, self.weight_of(low)
            if n <= _EXACT_WEIGHT:
                return Fraction(_squares(low), left) + Fraction(_squares(less(scored, low)), n - left)
        score = self._double(scored, low)
        if scored != self.total:
            score = score * self._scale(scored) + self._shift(option)
        return Fraction(score)

    def _double(self, total: Sums, low: Sums) -> float:
        """The score of a part of the rows `total`, in doubles."""
        n, left = float(self.weight_of(total)), float(self.weight_of(low))
        right = n - left
        if not self.problem.classes:
            # Both sums are taken from a whole number near the mean of the node, rounded towards zero.
            centre = abs(self.total[1]) // self.weight * (1 if self.total[1] > 0 else -1)
            excess = float(total[1] - centre * total[0]) / n
            d = float(low[1] - centre * low[0]) - left * excess
            return d * d / (left * right)
        if self.problem.criterion == "entropy":
            gain = (_certainty(low) + _certainty(less(total, low))) - _certainty(total)
            return max(0.0, gain)
        if self.problem.classes == 2:
            d = float(low[1]) * n - float(total[1]) * left
            return d * d / (left * right)
        over = float(_squares(low)) * right + float(_squares(less(total, low))) * left
        return over / (left * right)

    def _scale(self, scored: Sums) -> float:
        """What makes the score of some of the rows one of the node."""
        n, known = float(self.weight), float(self.weight_of(scored))
        if not self.problem.classes:
            return known / n
        return n / known if self.problem.classes == 2 and self.problem.criterion == "gini" else 1.0

    def _shift(self, option: Option) -> float:
        scored, many = option.scored, self.problem.classes > 2 and self.problem.criterion == "gini"
        if option.apart is not None:
            if many:
                return float(_squares(option.apart)) / float(self.weight_of(option.apart))
            return self._double(self.total, scored)
        if not many:
            return 0.0
        whole = float(_squares(self.total)) / float(self.weight)
        return whole - float(_squares(scored)) / float(self.weight_of(scored))

    def gain(self, option: Option) -> float:
        """By how much the cut decreases impurity, times weight."""
        score = self._double(option.scored, option.scored_low)
        if option.scored != self.total:
            score = score * self._scale(option.scored) + self._shift(option)
        if not self.problem.classes:
            return score * float(self.weight) / (self.problem.scale * self.problem.scale)
        if self.problem.criterion == "entropy":
            return score
        if self.problem.classes == 2:
            return 2 * score / float(self.weight)
        return max(0.0, score - float(_squares(self.total)) / float(self.weight))

    # Cuts

    def groups(self, number: int) -> dict[float | None, Sums]:
        """What the rows of each value add up to; missing is a value of its own. Drawn cuts see values as floats.

        Where these lose too many of the values, they see the values themselves.
        """
        column = self.problem.columns[number]
        rows: dict[float | None, list[int]] = {}
        for row in self.rows:
            cell = column.cells[row]
            if cell is not None and number in self._places:
                cell = self._places[number][int(cell)]
            if cell is not None and self.problem.random_cuts and not self._is_set(number) and not self._close(number):
                cell = float_above(cell)
            rows.setdefault(cell, []).append(row)
        return {cell: self.add(of) for cell, of in rows.items()}

    def is_constant(self, groups: dict[float | None, Sums]) -> bool:
        """Whether a column has no cut; for rules that leave rows without a value out, these are no value."""
        left_out = None in groups and self.problem.missing in ("majority", "random")
        return len(groups) - left_out < 2

    def options(self, number: int, groups: dict[float | None, Sums], words: Words) -> Iterator[Option]:
        """Every cut of a column that is not constant; of equally good ones the first wins."""
        known = sorted(cell for cell in groups if cell is not None)
        without = groups.get(None)
        learned = self.problem.missing == "learned"
        if self._is_set(number) and (learned or without is None):
            yield from self._level_options(number, groups, words)
        elif without is not None and len(known) == 1:
            yield self._apart(number, groups)
        elif without is None or not learned:
            rest = {cell: sums for cell, sums in groups.items() if cell is not None}
            make = self._level_options if self._is_set(number) else self._value_options
            for option in make(number, rest, words):
                yield option if without is None else self._left_out(option, without)
        else:
            rest = {cell: groups[cell] for cell in known}
            for low, threshold in self._value_cuts(number, rest, words):
                for missing_high, side in ((True, low), (False, added(low, without))):
                    cut = self._cut(number, threshold, missing_high, side, self.total)
                    yield Option(cut, side, side, self.total)
            if not self.problem.random_cuts:
                yield self._apart(number, groups)

    def _is_set(self, number: int) -> bool:
        """Whether a column is cut by sets of levels."""
        return self.problem.columns[number].kind == "nominal" and number not in self._places

    def _apart(self, number: int, groups: dict[float | None, Sums]) -> Option:
        """What is known against what is missing."""
        low = less(self.total, groups[None])
        cut = ForestCut(number, missing_high=True, threshold=inf)
        if self.problem.columns[number].kind == "nominal":
            cut = ForestCut(number, missing_high=True, levels=self.problem.levels[number])
        return Option(cut, low, low, self.total, values=False)

    def _left_out(self, option: Option, without: Sums) -> Option:
        """A cut of the known rows, when others are sent after them or have a branch of their own."""
        if self.problem.missing == "own_branch":
            return Option(option.cut, option.low, option.low, option.scored, without)
        low = option.low if option.cut.missing_high else added(option.low, without)
        return Option(option.cut, low, option.low, option.scored)

    def _value_options(self, number: int, known: Mapping[float, Sums], words: Words) -> Iterator[Option]:
        """Cuts of known values, when nothing is learned of missing ones."""
        scored = added(*known.values())
        for low, threshold in self._value_cuts(number, known, words):
            cut = self._cut(number, threshold, self._missing_side(low, scored), low, scored)
            yield Option(cut, low, low, scored)

    def _value_cuts(self, number: int, known: Mapping[float, Sums], words: Words) -> Iterator[tuple[Sums, float]]:
        """The sums of the low side and the threshold of each cut."""
        values = sorted(known)
        for places, threshold in self._thresholds(values, words, self._close(number)):
            yield added(*(known[cell] for cell in values[:places])), threshold

    def _close(self, number: int) -> Sequence[float]:
        """The values of the table, rising, if floats lose more than one in sixteen of them; else none."""
        if not self.problem.random_cuts or self.problem.columns[number].kind != "numeric":
            return ()
        values = sorted({cell for cell in self.problem.columns[number].cells if cell is not None})
        lost = len(values) - len({float_above(value) for value in values})
        return values if 16 * lost > len(values) else ()

    def _cut(self, number: int, threshold: float, missing_high: bool, low: Sums, scored: Sums) -> ForestCut:
        """A cut at a threshold; of levels that have places, the set beyond it."""
        if number not in self._places:
            return ForestCut(number, missing_high, threshold)
        sides = {level: place > threshold for level, place in self._places[number].items()}
        return self._set(number, sides, missing_high, low, scored)

    def _missing_side(self, low: Sums, scored: Sums) -> bool:
        """Where rows without a value go if nothing is learned of them: whether it is the high branch."""
        left, whole = self.weight_of(low), self.weight_of(scored)
        if self.problem.missing == "random":
            return not Words(mix(self._seed, 2)).is_below(left, whole)
        return 2 * left < whole

    def _set(self, number: int, sides: Mapping[int, bool], missing_high: bool, low: Sums, scored: Sums) -> ForestCut:
        """The set of levels that take the high branch, those that the node has not seen among them."""
        levels = self.problem.levels[number]
        left, whole = self.weight_of(low), self.weight_of(scored)
        words = Words(mix(self._seed, 3))
        high = set()
        for level in range(levels):
            side = sides.get(level)
            if side is None:
                rules = {"majority": 2 * left < whole, "missing": missing_high}
                side = (
                    not words.is_below(left, whole) if self.problem.absent == "random" else rules[self.problem.absent]
                )
            if side:
                high.add(level)
        return ForestCut(number, missing_high, levels=levels, high=frozenset(high))

    def _thresholds(self, known: Sequence[float], words: Words, close: Sequence[float]) -> Iterator[tuple[int, float]]:
        """How many of the values lie low, and the threshold: between all neighbours, or one that is drawn.

        Of values that are close it lies between those of the table next to what is drawn.
        """
        if not self.problem.random_cuts:
            for places in range(1, len(known)):
                yield places, threshold_between(known[places - 1], known[places])
            return
        lowest, highest = known[0], known[-1]
        drawn = lowest + (highest - lowest) * (words.word() / WORD)
        if close:
            below = [value for value in close if value <= drawn and lowest <= value < highest]
            at = max(below, default=lowest) if isfinite(drawn) else lowest
            threshold = threshold_between(at, close[close.index(at) + 1])
            yield sum(cell <= threshold for cell in known), threshold
            return
        at = c_float(drawn).value if isfinite(drawn) else lowest
        threshold = at if lowest <= at < highest else lowest
        yield sum(cell <= threshold for cell in known), threshold

    def _level_options(self, number: int, groups: Groups, words: Words) -> Iterator[Option]:
        """Sets of levels; here missing is a level like the others, and comes last."""
        levels = self.problem.levels[number]
        by_level = {levels if cell is None else int(cell): sums for cell, sums in groups.items()}
        scored = added(*by_level.values())
        for lows in self._drawn_levels(by_level, words) if self.problem.random_cuts else self._level_order(by_level):
            low = added(*(by_level[level] for level in lows))
            missing = levels not in lows if levels in by_level else self._missing_side(low, scored)
            sides = {level: level not in lows for level in by_level}
            yield Option(self._set(number, sides, missing, low, scored), low, low, scored)

    def _level_order(self, by_level: dict[int, Sums]) -> Iterator[list[int]]:
        """The levels of the low branch."""
        order = level_order(self.problem, by_level)
        for places in range(1, len(order)):
            yield order[:places]

    @staticmethod
    def _drawn_levels(by_level: dict[int, Sums], words: Words) -> Iterator[list[int]]:
        """One set: each level present takes a side by the highest bit of a word, again until both have one."""
        lows: list[int] = []
        while not 0 < len(lows) < len(by_level):
            lows = [level for level in sorted(by_level) if words.word() < WORD // 2]
        yield lows


def level_order(problem: ForestProblem, by_level: Mapping[int, Sums]) -> list[int]:
    """Levels by the share of class 1, or by mean; equal ones by code."""
    order = sorted(by_level)
    if problem.classes > 2 and len(order) > 2:
        raise ParameterError(f"{len(order)} levels and {problem.classes} classes; the plain search orders two")
    if problem.classes <= 2:
        weight = {level: sum(sums) if problem.classes else sums[0] for level, sums in by_level.items()}
        order.sort(key=lambda level: Fraction(by_level[level][1], weight[level]))
    return order


def _squares(sums: Sums) -> int:
    return sum(w * w for w in sums)


def _certainty(sums: Sums) -> float:
    """Minus the entropy in bits, times the weight."""
    total = 0.0
    for w in sums:
        total += _bits(w)
    return total - _bits(sum(sums))


def _bits(weight: int) -> float:
    return float(weight) * log2(float(weight)) if weight else 0.0
