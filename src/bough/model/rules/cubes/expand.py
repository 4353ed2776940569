"""Expand and make irredundant: a small cover without a search, the first bound of the exact one and what is left if it
is not finished.

Each cube is raised as far as it stays inside the region, first to whole axes, which drops literals, then cell by cell.
Cubes that the others cover are dropped.
"""

from collections.abc import Iterable, Sequence

from bough.model.rules.cubes.cube import absorb, covered, literals, pieces
from bough.model.rules.cubes.layout import Layout
from bough.model.rules.cubes.limits import LimitReached, Meter

__all__ = ["expand", "irredundant"]


def expand(layout: Layout, cubes: Sequence[int], region: Sequence[int], meter: Meter) -> list[int]:
    """Each cube raised inside the region, without those that a raised one contains.

    Small cubes come first, because no other is likely to contain them. At a limit the rest stay as they are.
    """
    left = [piece for cube in cubes for piece in pieces(layout, cube)]
    found: list[int] = []
    try:
        left = sorted(absorb(left, meter.scan), key=lambda c: (c.bit_count(), c))
        while left:
            meter.scan(1 + len(left) // 16)
            raised = _raised(layout, left[0], region, meter)
            found.append(raised)
            left = [cube for cube in left[1:] if cube & raised != cube]
        return absorb(found, meter.scan)
    except LimitReached:
        return [*dict.fromkeys([*found, *left])]


def _raised(layout: Layout, cube: int, region: Sequence[int], meter: Meter) -> int:
    """A cube made as large as it can be inside a region."""
    for field in sorted(layout.fields, key=lambda field: (cube & field).bit_count() / field.bit_count(), reverse=True):
        added = field & ~cube
        if added and covered(layout, cube & ~field | added, region, meter.scan):
            cube |= field
    for place, field in enumerate(layout.fields):
        grown = True
        while grown:
            grown = False
            for bit in _next_cells(layout, place, cube):
                if not cube & bit and covered(layout, cube & ~field | bit, region, meter.scan):
                    cube |= bit
                    grown = True
    return cube


def _next_cells(layout: Layout, place: int, cube: int) -> list[int]:
    """The cells of a field that a mask may take in: any; on ordered axes neighbours, and missing or unseen values."""
    field = layout.fields[place]
    outside = [1 << i for i in range(field.bit_length()) if field >> i & 1 and not cube >> i & 1]
    for own, shift, size in layout.arcs:
        if own == place:
            known = ((1 << size) - 1) << shift
            mask = cube & known
            beside = mask << 1 | mask >> 1 | mask << (size - 1) | mask >> (size - 1)
            return [bit for bit in outside if not bit & known or not mask or bit & beside]
    return outside


def irredundant(layout: Layout, cubes: Iterable[int], needed: Sequence[int], meter: Meter) -> list[int]:
    """The cubes without those that are not needed, the ones with most literals and fewest cells being dropped first."""
    kept = list(cubes)
    try:
        for cube in sorted(kept, key=lambda c: (-literals(layout, c), c.bit_count(), c)):
            meter.scan(1 + (len(kept) + len(needed)) // 16)
            others = [other for other in kept if other != cube]
            own = [both for one in needed if ((both := one & cube) + layout.full) & layout.guards == layout.guards]
            if all(covered(layout, part, others, meter.scan) for part in own):
                kept = others
    except LimitReached:
        pass
    return kept
