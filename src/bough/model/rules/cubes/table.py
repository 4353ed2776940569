"""The covering table: which primes hold which cells of the region that is to be covered.

Cells that the same primes hold are one row, so rows are found without listing cells: axis by axis, a set of primes that
are still possible is kept for each choice of cells so far, and equal sets are one.
"""

from collections.abc import Sequence

from bough.model.rules.cubes.layout import Layout
from bough.model.rules.cubes.limits import LimitReached, Meter

__all__ = ["rows_of"]

_BITS = 1 << 30  # of memory for rows, as bits


def rows_of(layout: Layout, primes: Sequence[int], needed: Sequence[int], meter: Meter) -> set[int]:
    """For the cells of the needed cubes the primes that hold them, as bit sets; each once."""
    cubes = [*primes, *needed]
    sides = len(primes)
    rows = {(1 << len(cubes)) - 1}
    most = min(meter.limits.cells, _BITS // max(1, len(cubes)))
    for field in sorted(layout.fields, key=int.bit_count):
        holding = set()
        meter.work(3 * len(cubes) * field.bit_count())
        for place in range(field.bit_length()):
            bit = 1 << place
            if field & bit:
                holding.add(sum(1 << k for k, cube in enumerate(cubes) if cube & bit))
        found = set()
        for held in holding:
            meter.work(6 * len(rows) * (1 + len(cubes) // 512))
            found.update([row & held for row in rows if row & held >> sides << sides])
            if len(found) > most:
                raise LimitReached(f"{most:,} cells")
        rows = found
    below = (1 << sides) - 1
    return {row & below for row in rows}
