"""Primes: the largest cubes inside the union of some cubes, found by iterated consensus with absorption.

One field after another, cubes are joined along it (the cells of either there, those of both elsewhere) until nothing
new comes. Any cube inside the union that has one cell on each field still to come is then inside one of those found, so
one pass over the fields is enough. On ordered axes a joined mask may have holes; its largest printable pieces take its
place. That misses none: the cubes that make up an interval, taken in order, join to intervals.
"""

from collections.abc import Iterable

from bough.model.rules.cubes.bulk import Bulk, take
from bough.model.rules.cubes.cube import absorb, pieces
from bough.model.rules.cubes.layout import Layout
from bough.model.rules.cubes.limits import LimitReached, Meter

__all__ = ["primes_of"]


def primes_of(layout: Layout, cubes: Iterable[int], meter: Meter) -> list[int]:
    """The largest printable cubes inside the union of packed cubes, those of most cells first.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis
    >>> from bough.model.rules.cubes.layout import Layout
    >>> from bough.model.rules.cubes.limits import Meter
    >>> from bough.model.rules.cubes.primes import primes_of
    >>> cubes = [(0b001, 0b010), (0b100, 0b010)]  # green and medium, red and medium
    >>> layout = Layout((Axis(3), Axis(3)), cubes)
    >>> [layout.unpack(prime) for prime in primes_of(layout, layout.pack_all(cubes), Meter())]
    [(5, 2)]
    """
    given = absorb(piece for cube in cubes for piece in pieces(layout, cube))
    # Fields that few cubes ask come first: along them little joins, and what joins is large on the others.
    asked = [sum(cube & field != field for cube in given) for field in layout.fields]
    bulk = Bulk(layout, meter)
    known = bulk.of(given)
    _check(len(given), meter)
    for place in sorted(range(len(asked)), key=asked.__getitem__):
        new = known
        while len(new[0]):
            before = known
            known = bulk.absorbed(bulk.joins(place, new, before), before)
            new = take(known, ~bulk.inside(known, before))
            _check(len(known[0]), meter)
    return sorted(bulk.cubes(known), key=lambda cube: (-cube.bit_count(), cube))


def _check(count: int, meter: Meter) -> None:
    if count > meter.limits.primes:
        raise LimitReached(f"{meter.limits.primes:,} primes")
