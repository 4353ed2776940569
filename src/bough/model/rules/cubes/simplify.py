"""Minimise: the fewest cubes, and of those the fewest literals, that hold exactly the cells of given ones.

Expanding comes first; it is quick, and stays the answer if the exact search reaches a limit. The exact search takes all
primes of the region, those that are essential, and a cheapest cover of what these leave. Whatever was found is compared
with what was given, by *sharp* in both directions, before it is returned.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bough.model.rules.cubes.cover import cheapest_cover
from bough.model.rules.cubes.cube import absorb, covered, literals, meet, remainder, volume
from bough.model.rules.cubes.expand import expand, irredundant
from bough.model.rules.cubes.layout import Axis, Cube, Layout
from bough.model.rules.cubes.limits import Clock, LimitReached, Limits, Meter
from bough.model.rules.cubes.primes import primes_of
from bough.model.rules.cubes.table import rows_of

__all__ = ["How", "Minimised", "Proof", "minimise", "prove"]

How = Literal["exact", "search", "expand"]


@dataclass(frozen=True)
class Proof:
    """Two unions of cubes compared: what is in one and not in the other, as cubes that are apart.

    Attributes
    ----------
    lost : tuple of Cube
        Cells of the first that the second does not hold.
    added : tuple of Cube
        Cells of the second that are neither in the first nor free.
    """

    lost: tuple[Cube, ...] = ()
    added: tuple[Cube, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether both are equal, free cells aside."""
        return not (self.lost or self.added)


@dataclass(frozen=True)
class Minimised:
    """Cubes that say the same as others.

    Attributes
    ----------
    cubes : tuple of Cube
        Those of most cells first.
    how : {"exact", "search", "expand"}
        "exact": no fewer cubes, and with as many no fewer literals, say the same. "search": the best of an exact search
        that a limit ended. "expand": expanded and made irredundant, and no search found better before a limit.
    stopped : str
        The limit that ended the search; empty if it is exact.
    proof : Proof
    """

    cubes: tuple[Cube, ...]
    how: How
    stopped: str
    proof: Proof


def prove(before: Sequence[Cube], after: Sequence[Cube], space: Sequence[Axis], *, free: Sequence[Cube] = ()) -> Proof:
    """Compare two unions of cubes, by taking each away from the other; free cells may be in either.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, prove
    >>> space = (Axis(3), Axis(3))
    >>> prove([(0b001, 0b010), (0b100, 0b010)], [(0b101, 0b010)], space).holds
    True
    >>> prove([(0b001, 0b010), (0b100, 0b010)], [(0b111, 0b010)], space).added
    ((2, 2),)
    """
    layout = Layout(space, [*before, *after, *free])
    one, other, either = layout.pack_all(before), layout.pack_all(after), layout.pack_all(free)

    def beyond(cubes: list[int], others: list[int]) -> tuple[Cube, ...]:
        left: list[int] = []  # taken away as well, so that cubes that overlap are told once
        for cube in cubes:
            left += remainder(layout, cube, [*others, *either, *left])
        return tuple(layout.unpack(piece) for piece in left)

    return Proof(beyond(one, other), beyond(other, one))


def minimise(
    on: Sequence[Cube],
    space: Sequence[Axis],
    *,
    free: Sequence[Cube] | None = None,
    budget: float = 1.0,
    limits: Limits | None = None,
    clock: Clock = time.thread_time,
) -> Minimised:
    """The fewest cubes, and of those the fewest literals, that hold exactly the cells of the given ones.

    A literal is a mask that is not full. On ordered axes every mask of the result is an interval or the outside of one,
    with or without the cells of missing and never seen values.

    Parameters
    ----------
    on : sequence of Cube
        They may overlap.
    space : sequence of Axis
    free : sequence of Cube, optional
        Cells that the result may hold or not; none if not given.
    budget : float, default=1.0
        Seconds for the exact search, counted in steps so that the result is the same on any machine that is not slow.
    limits : Limits, optional
    clock : callable, optional

    Returns
    -------
    Minimised

    Examples
    --------
    Apple is green and medium, or red and medium; that is medium and not yellow:

    >>> from bough.model.rules.cubes import Axis, minimise
    >>> color, size = Axis(3), Axis(3)  # green, yellow, red; big, medium, small
    >>> found = minimise([(0b001, 0b010), (0b100, 0b010)], (color, size))
    >>> found.cubes, found.how, found.proof.holds
    (((5, 2),), 'exact', True)
    """
    either = () if free is None else free
    cubes, how, stopped = minimised(on, space, either, Meter(limits, budget, clock), Meter(limits, budget, clock))
    proof = prove(on, cubes, space, free=either)
    if not proof.holds:
        raise AssertionError(f"minimised cubes differ from the given ones: {proof}")
    return Minimised(cubes, how, stopped, proof)


class Unproved(NamedTuple):
    """Cubes, how they were found and what ended the search, for a caller who compares them with what was given."""

    cubes: tuple[Cube, ...]
    how: How
    stopped: str


def minimised(on: Sequence[Cube], space: Sequence[Axis], free: Sequence[Cube], quick: Meter, search: Meter) -> Unproved:
    """`minimise` as a part of more: without the proof, and with meters for expanding and for searching."""
    layout = Layout(space, [*on, *free])
    given, either = layout.pack_all(on), layout.pack_all(free)
    with quick:
        needed = wanted = given
        try:
            given, either = absorb(given, quick.scan), absorb(either, quick.scan)
            needed = wanted = given
            if either:
                needed = [piece for cube in given for piece in remainder(layout, cube, either, quick.scan)]
                quick.scan(len(given) * len(needed) // 16)
                wanted = [cube for cube in given if any(meet(layout, cube, piece) is not None for piece in needed)]
        except LimitReached:
            pass  # what is given is more than is needed, and as true
        region = [*given, *either]
        cubes = irredundant(layout, expand(layout, wanted, region, quick), needed, quick)
    how: How = "expand"
    stopped = ""
    try:
        with search:
            found, stopped = _searched(layout, needed, region, cubes, search)
        if not stopped or _cost(layout, found) < _cost(layout, cubes):
            cubes, how = found, "search" if stopped else "exact"
    except LimitReached as limit:
        stopped = str(limit)
    cubes = sorted(cubes, key=lambda cube: (-volume(layout, cube), cube))
    return Unproved(tuple(layout.unpack(cube) for cube in cubes), how, stopped)


def _searched(
    layout: Layout, needed: Sequence[int], region: Sequence[int], start: Sequence[int], meter: Meter
) -> tuple[list[int], str]:
    """The cheapest cover by primes, and the limit that ended its search, if one did."""
    primes = primes_of(layout, region, meter)
    # An irredundant cover holds every essential prime, so the others need not be looked at.
    known = set(primes)
    meter.work(len(start) * len(primes))
    essential = [
        prime
        for prime in start
        if prime in known and not _held(layout, prime, needed, [p for p in primes if p != prime], meter)
    ]
    left = [piece for cube in needed for piece in remainder(layout, cube, essential, meter.scan)]
    meter.scan(len(primes) * len(left))
    useful = [p for p in primes if any(meet(layout, p, piece) is not None for piece in left)]
    one_rule = 1 + len(layout.fields) * (len(start) + 1)  # costs more than all literals of any cover that can be best
    rows = rows_of(layout, useful, left, meter) if left else set()
    cover = cheapest_cover(rows, [one_rule + literals(layout, prime) for prime in useful], meter)
    return [*essential, *(useful[column] for column in cover.columns)], cover.stopped


def _held(layout: Layout, cube: int, needed: Sequence[int], others: Sequence[int], meter: Meter) -> bool:
    """Whether other cubes hold all needed cells of a cube."""
    meter.scan(1 + len(needed) // 16)
    parts = (meet(layout, cube, piece) for piece in needed)
    return all(covered(layout, part, others, meter.scan) for part in parts if part is not None)


def _cost(layout: Layout, cubes: Sequence[int]) -> tuple[int, int]:
    return len(cubes), sum(literals(layout, cube) for cube in cubes)
