"""Lists of rules, the first match deciding, made shorter without another answer for any cell.

Three ways. *Answers apart*: what the list decides for each answer is minimised on its own, so that rules of different
answers never overlap and their order is no matter. *Order kept*: from the last rule to the first, neighbours with the
same answer are minimised together; cells that earlier rules decide are free, and so are cells for which the rules after
them say the same. *Any order*: the shorter of that and of the answers apart, put into an order in which the answer that
takes most rules comes last and so, mostly, becomes the rule without a condition.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from bough.errors import ParameterError
from bough.model.rules.cubes.cube import meet, remainder, sharp
from bough.model.rules.cubes.layout import Axis, Cube, Layout
from bough.model.rules.cubes.limits import Clock, LimitReached, Limits, Meter
from bough.model.rules.cubes.simplify import How, minimised

__all__ = ["CubeRule", "Difference", "FixedRule", "MinimisedList", "Order", "differences", "minimise_list"]

Order = Literal["none", "kept", "any"]

_HOW: tuple[How, ...] = ("exact", "search", "expand")
_QUICK, _SEARCH = 0.5, 0.2  # of the budget; the rest, and what is left of these, is for the comparison at the end


class CubeRule(NamedTuple):
    """A rule over cells: where it holds, and the number of its answer."""

    cube: Cube
    answer: int


class FixedRule(CubeRule):
    """A rule that stays as it is."""

    __slots__ = ()


class Difference(NamedTuple):
    """Cells for which two lists of rules say different things; None: no rule holds."""

    cube: Cube
    before: int | None
    after: int | None


@dataclass(frozen=True)
class MinimisedList:
    """A list of rules that answers as another does.

    Attributes
    ----------
    rules : tuple of CubeRule
    how : {"exact", "search", "expand", "given"}
        The least that can be said of every part: as for `Minimised`, each part being minimal beside the others.
        "given": the list is as it was, and in its order, because a limit was reached before it was known what each rule
        decides, or before a shorter list was compared with it on all cells.
    stopped : str
        The limit that ended a search, empty if there was none.
    differences : tuple of Difference
        The comparison of both lists on all cells, always empty: it was looked for, and nothing was found.
    """

    rules: tuple[CubeRule, ...]
    how: How | Literal["given"]
    stopped: str
    differences: tuple[Difference, ...] = ()


def differences(
    before: Sequence[tuple[Cube, int]],
    after: Sequence[tuple[Cube, int]],
    space: Sequence[Axis],
    meter: Meter | None = None,
) -> Iterator[Difference]:
    """The cells for which two lists answer differently, found one by one as cubes that are apart.

    With a `meter` the comparison ends by LimitReached where that says so.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, differences
    >>> space = (Axis(3), Axis(2))
    >>> before = [((1, 3), 0), ((3, 1), 1), ((7, 3), 0)]
    >>> list(differences(before, [((2, 1), 1), ((7, 3), 0)], space))
    []
    >>> list(differences(before, [((7, 1), 1), ((6, 2), 0)], space))
    [Difference(cube=(1, 1), before=0, after=1), Difference(cube=(1, 2), before=0, after=None), \
Difference(cube=(4, 1), before=0, after=1)]
    """
    layout = Layout(space, [cube for cube, _ in (*before, *after)])
    one, other = _packed(layout, before), _packed(layout, after)
    for cube, own, their in _compared(layout, one, other, meter):
        yield Difference(layout.unpack(cube), own, their)
    for cube, own, their in _compared(layout, other, one, meter):
        if their is None:
            yield Difference(layout.unpack(cube), None, own)


def minimise_list(
    rules: Sequence[tuple[Cube, int]],
    space: Sequence[Axis],
    *,
    order: Order = "any",
    budget: float = 1.0,
    limits: Limits | None = None,
    clock: Clock = time.thread_time,
) -> MinimisedList:
    """A shorter list of rules with the same answer for every cell, and none where there was none.

    Parameters
    ----------
    rules : sequence of (Cube, int)
        The first match decides. A `FixedRule` stays, and others are only put together between such rules.
    space : sequence of Axis
    order : {"any", "kept", "none"}, default="any"
        "none": rules of different answers do not overlap, so that their order is no matter. "kept": answers follow each
        other as they do. "any": the shorter of "kept" and of a list by answers; "kept" if equal. Where a rule is fixed
        it has to be "kept".
    budget : float, default=1.0
        Seconds for all that is done, the comparison of both lists among it, counted in steps.
    limits : Limits, optional
    clock : callable, optional

    Returns
    -------
    MinimisedList

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, minimise_list
    >>> space = (Axis(3), Axis(3))  # green, yellow, red; big, medium, small
    >>> rules = [((1, 2), 0), ((4, 2), 0), ((2, 7), 1), ((5, 5), 1)]
    >>> for rule in minimise_list(rules, space).rules:
    ...     print(rule.cube, rule.answer)
    (5, 2) 0
    (7, 7) 1
    >>> for rule in minimise_list(rules, space, order="none").rules:
    ...     print(rule.cube, rule.answer)
    (5, 2) 0
    (7, 5) 1
    (2, 7) 1
    """
    if order not in ("none", "kept", "any"):
        raise ParameterError(f"order={order!r}: expected 'none', 'kept' or 'any'")
    given = tuple(rule if isinstance(rule, CubeRule) else CubeRule(tuple(rule[0]), rule[1]) for rule in rules)
    if order != "kept" and any(isinstance(rule, FixedRule) for rule in given):
        raise ParameterError(f"order={order!r} writes every rule anew, and some are fixed: take order='kept'")

    tries = 3 if order == "any" else 1

    meters: list[Meter] = []

    def meter(share: float) -> Meter:
        meters.append(Meter(limits, budget, clock, share=share / tries))
        return meters[-1]

    def work() -> _Work:
        return _Work(tuple(space), meter(_QUICK), meter(_SEARCH))

    found: list[_Found] = []
    if order != "none":
        found.append(_kept(given, work()))
    if order != "kept":
        apart = _apart(given, work())
        reorder = order == "any" and apart.how != "given"
        found.append(_kept(_by_answers(apart, space), work()) if reorder else apart)
    best = min(found, key=lambda one: _size(one.rules, space))
    if best.rules == given:
        return MinimisedList(given, "given" if best.stopped else best.how, best.stopped)
    left = max(1 - _QUICK - _SEARCH, 1 - sum(one.used for one in meters))
    proof = Meter(limits, budget, clock, share=left)
    try:
        with proof:
            differing = next(differences(given, best.rules, space, proof), None)
    except LimitReached as limit:
        return MinimisedList(given, "given", f"{limit}, before a shorter list was compared on all cells")
    if differing is not None:
        raise AssertionError(f"minimised rules answer differently: {differing}")
    return MinimisedList(best.rules, best.how, best.stopped)


class _Work(NamedTuple):
    space: tuple[Axis, ...]
    quick: Meter
    search: Meter


class _Found(NamedTuple):
    rules: tuple[CubeRule, ...]
    how: How | Literal["given"] = "exact"
    stopped: str = ""


def _apart(rules: Sequence[CubeRule], work: _Work) -> _Found:
    """What is decided for each answer, minimised on its own."""
    layout = Layout(work.space, [rule.cube for rule in rules])
    regions: dict[int, list[Cube]] = {rule.answer: [] for rule in rules}
    try:
        with work.quick:
            for answer, pieces in _turns(layout, _packed(layout, rules), work.quick):
                for piece in pieces:
                    work.quick.scan(len(layout.axes))
                    regions[answer].append(layout.unpack(piece))
    except LimitReached as limit:
        return _Found(tuple(rules), "given", str(limit))
    shorter = {}
    hows: set[How] = {"exact"}
    stopped = ""
    for answer in sorted(
        regions, key=lambda answer: len(regions[answer])
    ):  # so that large ones cannot starve small ones
        one = minimised(regions[answer], work.space, (), work.quick, work.search)
        shorter[answer] = one.cubes
        hows.add(one.how)
        stopped = stopped or one.stopped
    found = tuple(CubeRule(cube, answer) for answer in regions for cube in shorter[answer])
    return _Found(found, max(hows, key=_HOW.index), stopped)


def _by_answers(apart: _Found, space: Sequence[Axis]) -> tuple[CubeRule, ...]:
    """Rules that do not overlap between answers, in an order in which the answer of most rules comes last."""
    parts: dict[int, list[CubeRule]] = {}
    for rule in apart.rules:
        parts.setdefault(rule.answer, []).append(rule)
    return tuple(rule for part in sorted(parts.values(), key=lambda part: _size(part, space)) for rule in part)


def _kept(rules: Sequence[CubeRule], work: _Work) -> _Found:
    """Neighbours with the same answer minimised together, again and again while the list becomes shorter."""
    found = _pass(rules, work)
    while not found.stopped:
        shorter = _pass(found.rules, work)
        if _size(shorter.rules, work.space) >= _size(found.rules, work.space):
            break
        found = shorter
    return found


def _pass(rules: Sequence[CubeRule], work: _Work) -> _Found:
    alike = groupby(rules, lambda rule: (rule.answer, isinstance(rule, FixedRule)))
    blocks = [(answer, fixed, [rule.cube for rule in own]) for (answer, fixed), own in alike]
    before = [rule.cube for rule in rules]
    below: list[CubeRule] = []
    hows: set[How] = {"exact"}
    stopped = ""
    for answer, fixed, cubes in reversed(blocks):
        before = before[: -len(cubes)]
        if fixed:
            below = [*(FixedRule(cube, answer) for cube in cubes), *below]
            continue
        try:
            with work.quick:  # what packing them takes
                work.quick.work(6 * len(work.space) * (len(before) + len(cubes) + len(below)))
        except LimitReached as limit:
            below = [*(CubeRule(cube, answer) for cube in cubes), *below]
            hows.add("expand")
            stopped = stopped or str(limit)
            continue
        free = [*before, *_saying(answer, below, work)]
        one = minimised(cubes, work.space, free, work.quick, work.search)
        below = [*(CubeRule(cube, answer) for cube in one.cubes), *below]
        hows.add(one.how)
        stopped = stopped or one.stopped
    return _Found(tuple(below), max(hows, key=_HOW.index), stopped)


def _saying(answer: int, rules: Sequence[CubeRule], work: _Work) -> list[Cube]:
    """The cells for which a list gives an answer; at a limit those that were found so far."""
    layout = Layout(work.space, [rule.cube for rule in rules])
    others: list[int] = []
    found: list[int] = []
    with suppress(LimitReached), work.quick:
        for cube, own in _packed(layout, rules):
            if own == answer:
                for piece in remainder(layout, cube, others, work.quick.scan):
                    work.quick.scan(len(layout.axes))  # to be packed anew beside others
                    found.append(piece)
            else:
                others.append(cube)
    return [layout.unpack(piece) for piece in found]


def _packed(layout: Layout, rules: Sequence[tuple[Cube, int]]) -> list[tuple[int, int]]:
    """Rules that hold for some cell, with packed cubes."""
    return [(packed, answer) for cube, answer in rules if (packed := layout.pack(cube)) >= 0]


def _turns(
    layout: Layout, rules: Sequence[tuple[int, int]], meter: Meter | None = None
) -> Iterator[tuple[int, Iterator[int]]]:
    """For each rule its answer and the cells that it decides, as cubes that are apart."""
    earlier: list[int] = []
    for cube, answer in rules:
        yield answer, remainder(layout, cube, [*earlier], None if meter is None else meter.scan)
        earlier.append(cube)


def _compared(
    layout: Layout, rules: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]], meter: Meter | None
) -> Iterator[tuple[int, int, int | None]]:
    """Where a list decides and another one says something else, or nothing."""
    for answer, whole in ((answer, piece) for answer, pieces in _turns(layout, rules, meter) for piece in pieces):
        stack = [(whole, 0)]
        while stack:
            piece, start = stack.pop()
            if meter is not None:
                meter.work(12 + len(others) - start)
            for number in range(start, len(others)):
                both = meet(layout, piece, others[number][0])
                if both is not None:
                    if others[number][1] != answer:
                        yield both, answer, others[number][1]
                    stack += [(rest, number + 1) for rest in reversed(sharp(layout, piece, both))]
                    break
            else:
                yield piece, answer, None


def _size(rules: Sequence[CubeRule], space: Sequence[Axis]) -> tuple[int, int]:
    return len(rules), sum(mask != axis.full for rule in rules for mask, axis in zip(rule.cube, space, strict=True))
