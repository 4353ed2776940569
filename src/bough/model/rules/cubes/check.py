"""Checks of rules over cells: overlaps with different answers, gaps, rules never reached, duplicates.

All are exact: nothing is sampled, and where a limit ends the work, the findings say which kind may be incomplete.
"""

import time
from collections.abc import Callable, Sequence
from itertools import islice

from bough.model.rules.cubes.cube import covered, meet, remainder
from bough.model.rules.cubes.findings import Duplicate, Findings, Gap, Idle, Overlap, Unreached
from bough.model.rules.cubes.layout import Axis, Cube, Layout
from bough.model.rules.cubes.limits import Clock, LimitReached, Limits, Meter
from bough.model.rules.cubes.simplify import minimised

__all__ = ["check_rules"]


def check_rules(
    rules: Sequence[tuple[Cube, int]],
    space: Sequence[Axis],
    *,
    ordered: bool = True,
    within: Cube | None = None,
    default: int | None = None,
    most: int = 1_000,
    budget: float = 1.0,
    limits: Limits | None = None,
    clock: Clock = time.thread_time,
) -> Findings:
    """Overlaps with different answers, gaps, rules never reached and duplicates.

    Parameters
    ----------
    rules : sequence of (Cube, int)
        Without a default, which would overlap with all of them and fill every gap.
    space : sequence of Axis
    ordered : bool, default=True
        Whether the first match decides. If not, no rule is unreached.
    within : Cube, optional
        Where gaps are looked for, such as all known values; everywhere if not given.
    default : int, optional
        The number of the answer where no rule holds; none if not given.
    most : int, default=1000
        The most findings of a kind.
    budget : float, default=1.0
        Seconds for all of it, counted in steps; each kind of finding has its part.
    limits : Limits, optional
    clock : callable, optional

    Returns
    -------
    Findings

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, check_rules
    >>> rules = [((0b001, 0b111), 0), ((0b011, 0b010), 1), ((0b001, 0b010), 1)]
    >>> found = check_rules(rules, (Axis(3), Axis(3)))
    >>> found.overlaps[0]
    Overlap(first=0, second=1, cube=(1, 2), witness=(0, 1), reached=True)
    >>> [gap.cube for gap in found.gaps]
    [(6, 5), (4, 7)]
    >>> found.unreached
    (Unreached(rule=2, by=(0,), witness=(0, 1)),)
    """
    check = _Check(rules, space, most)
    within = tuple(axis.full for axis in space) if within is None else within
    stopped: dict[str, str] = {}

    def fresh(share: float) -> Meter:
        return Meter(limits, budget, clock, share=share)

    def told(kind: str, look: Callable[[Meter], str], share: float) -> None:
        meter = fresh(share)
        try:
            with meter:
                reason = look(meter)
        except LimitReached as limit:
            reason = str(limit)
        if reason:
            stopped[kind] = reason

    told("overlaps", check.find_overlaps, 0.25)
    told("duplicates", check.find_duplicates, 0.05)
    if ordered:
        told("unreached", lambda meter: check.find_unreached(default is not None, meter), 0.25)
        told("idle", lambda meter: check.find_idle(default, meter), 0.15)
    if default is None:
        told("gaps", lambda meter: check.find_gaps(within, meter, fresh(0.05), fresh(0.1)), 0.15)
    return Findings(
        tuple(check.overlaps),
        tuple(check.gaps),
        tuple(check.unreached),
        tuple(check.duplicates),
        check.empty,
        stopped,
        tuple(check.idle),
        check.default_unreached,
    )


class _Check:
    """The rules packed, and what was found so far; what a limit cuts short stays found."""

    def __init__(self, rules: Sequence[tuple[Cube, int]], space: Sequence[Axis], most: int) -> None:
        self.space = tuple(space)
        self.layout = Layout(space, [cube for cube, _ in rules])
        packed = [(number, self.layout.pack(cube), answer) for number, (cube, answer) in enumerate(rules)]
        self.empty = tuple(number for number, cube, _ in packed if cube < 0)
        self.rules = [rule for rule in packed if rule[1] >= 0]
        self.most = most
        self.overlaps: list[Overlap] = []
        self.gaps: list[Gap] = []
        self.unreached: list[Unreached] = []
        self.duplicates: list[Duplicate] = []
        self.idle: list[Idle] = []
        self.default_unreached = False

    def find_overlaps(self, meter: Meter) -> str:
        layout = self.layout
        for place, (first, cube, answer) in enumerate(self.rules):
            meter.work(len(self.rules) - place)
            earlier = [other for _, other, _ in self.rules[:place]]
            for second, other, their in self.rules[place + 1 :]:
                if their == answer or (both := meet(layout, cube, other)) is None:
                    continue
                if len(self.overlaps) == self.most:
                    return self._full
                left = next(remainder(layout, both, earlier, meter.scan), None)
                witness = layout.cell(both if left is None else left)
                self.overlaps.append(Overlap(first, second, layout.unpack(both), witness, left is not None))
        return ""

    def find_duplicates(self, meter: Meter) -> str:
        seen: dict[tuple[int, int], int] = {}
        for number, cube, answer in self.rules:
            meter.work(1)
            first = seen.setdefault((cube, answer), number)
            if first != number:
                if len(self.duplicates) == self.most:
                    return self._full
                self.duplicates.append(Duplicate(first, number, self.layout.cell(cube)))
        return ""

    def find_unreached(self, has_default: bool, meter: Meter) -> str:
        earlier: list[tuple[int, int]] = []
        for number, cube, _ in self.rules:
            if covered(self.layout, cube, [other for _, other in earlier], meter.scan):
                if len(self.unreached) == self.most:
                    return self._full
                by = self._takers(cube, earlier, meter)
                both = meet(self.layout, cube, by[0][1])
                assert both is not None  # noqa: S101 - a taker meets the rule
                self.unreached.append(Unreached(number, tuple(taker for taker, _ in by), self.layout.cell(both)))
            earlier.append((number, cube))
        if has_default:
            cubes = [other for _, other in earlier]
            self.default_unreached = covered(self.layout, self.layout.full, cubes, meter.scan)
        return ""

    def find_idle(self, default: int | None, meter: Meter) -> str:
        """Rules whose cells get the same answer from later ones."""
        layout, gone = self.layout, {rule.rule for rule in self.unreached}
        cubes = [cube for _, cube, _ in self.rules]
        after = [(cube, answer) for _, cube, answer in self.rules] + [(layout.full, default)]
        for place, (number, cube, answer) in enumerate(self.rules):
            if number in gone:
                continue
            others = [*cubes[:place], *cubes[place + 1 :]]
            meter.scan(len(others) // 16)
            for later in range(place + 1, len(after)):
                their, said = after[later]
                both = meet(layout, cube, their) if said != answer else None
                if both is not None and not covered(layout, both, others[: later - 1], meter.scan):
                    break
            else:
                if len(self.idle) == self.most:
                    return self._full
                own = next(remainder(layout, cube, cubes[:place], meter.scan), cube)
                self.idle.append(Idle(number, layout.cell(own)))
        return ""

    def _takers(self, cube: int, earlier: Sequence[tuple[int, int]], meter: Meter) -> list[tuple[int, int]]:
        """Earlier rules that together hold a cube, first ones first; none that the others make needless."""
        by: list[tuple[int, int]] = []
        for rule in earlier:
            if not covered(self.layout, cube, [other for _, other in by], meter.scan):
                by += [rule] if meet(self.layout, cube, rule[1]) is not None else []
        for rule in reversed(by.copy()):
            others = [other for other in by if other != rule]
            if covered(self.layout, cube, [other for _, other in others], meter.scan):
                by = others
        return by

    def find_gaps(self, within: Cube, meter: Meter, quick: Meter, search: Meter) -> str:
        layout = Layout(self.space, [within, *(self.layout.unpack(cube) for _, cube, _ in self.rules)])
        cubes = [layout.pack(self.layout.unpack(cube)) for _, cube, _ in self.rules]
        whole = layout.pack(within)
        if whole < 0:
            return ""
        pieces: list[int] = []
        try:
            pieces.extend(islice(remainder(layout, whole, cubes, meter.scan), self.most + 1))
            stopped = self._full if len(pieces) > self.most else ""
        except LimitReached as limit:
            stopped = str(limit)
        needed = [layout.unpack(piece) for piece in pieces]
        if stopped:  # as they were found, in small pieces: they are gaps, if not all of them
            small = [Gap(cube, layout.cell(piece)) for cube, piece in zip(needed, pieces, strict=True)]
            self.gaps += small[: self.most]
            return stopped
        outside = [layout.unpack(piece) for piece in remainder(layout, layout.full, [whole])]
        for cube in minimised(needed, self.space, outside, quick, search).cubes:
            packed = layout.pack(cube)
            shown = next(both for piece in pieces if (both := meet(layout, packed, piece)) is not None)
            self.gaps.append(Gap(cube, layout.cell(shown)))
        return ""

    @property
    def _full(self) -> str:
        return f"{self.most:,} findings"
