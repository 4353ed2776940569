"""Meet, difference, consensus and volume of packed cubes, and what a list of cubes leaves of a cube.

All that is exact about rules rests on the difference, which logic design calls *sharp*: the part of a cube that another
does not hold, as cubes that are apart. A cube is covered by others if nothing is left when each has been taken away.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from bough.model.rules.cubes.layout import Layout

__all__ = [
    "absorb",
    "consensus",
    "contains",
    "covered",
    "is_cube",
    "literals",
    "meet",
    "pieces",
    "remainder",
    "sharp",
    "volume",
]


def is_cube(layout: Layout, packed: int) -> bool:
    """Whether no field is empty."""
    return (packed + layout.full) & layout.guards == layout.guards


def meet(layout: Layout, a: int, b: int) -> int | None:
    """The cells that are in both cubes; None if there are none."""
    both = a & b
    return both if (both + layout.full) & layout.guards == layout.guards else None


def contains(outer: int, inner: int) -> bool:
    """Whether a cube holds all cells of another."""
    return inner & outer == inner


def literals(layout: Layout, cube: int) -> int:
    """How many axes a cube asks: those whose mask is not full."""
    return (((layout.full ^ cube) + layout.full) & layout.guards).bit_count()


def volume(layout: Layout, cube: int) -> int:
    """How many cells of the space a cube holds."""
    cells = 1
    for mask in layout.unpack(cube):
        cells *= mask.bit_count()
    return cells


def sharp(layout: Layout, a: int, b: int, fields: Sequence[int] | None = None) -> list[int]:
    """The cells of `a` that are not in `b`, as cubes that are apart; the cubes must meet.

    The first piece is what lies outside along the first field, the next one is outside along the second and inside
    along the first, and so on; `fields` gives them another order.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis
    >>> from bough.model.rules.cubes.cube import sharp
    >>> from bough.model.rules.cubes.layout import Layout
    >>> layout = Layout((Axis(2), Axis(2)), [(1, 3), (3, 1)])
    >>> [layout.unpack(piece) for piece in sharp(layout, layout.full, layout.pack((1, 1)))]
    [(2, 3), (1, 2)]
    """
    found = []
    for field in layout.fields if fields is None else fields:
        away = a & field & ~b
        if away:
            found.append(a & ~field | away)
            a &= ~field | b
    return found


def remainder(
    layout: Layout, cube: int, cubes: Iterable[int], tick: Callable[[int], None] | None = None
) -> Iterator[int]:
    """What a cube has beyond all the others, as cubes that are apart; found one by one, as they are asked for.

    Parameters
    ----------
    layout : Layout
    cube : int
    cubes : iterable of int
    tick : callable, optional
        Told how many cubes were looked at in each step; it may end the work by an exception.
    """
    full, guards = layout.full, layout.guards
    stack = [(cube, [c for c in cubes if (c & cube) + full & guards == guards])]
    # Fields that most cubes ask come first: pieces then lie as the cubes do, and few cubes reach into several.
    fields = sorted(layout.fields, key=lambda field: sum(c & field != field for c in stack[0][1]), reverse=True)
    while stack:
        region, near = stack.pop()
        if not near:
            yield region
            continue
        if tick is not None:
            tick(len(near))
        # The one that sticks out least leaves the fewest pieces; none if it holds the region.
        least, best = len(layout.fields) + 1, 0
        for c in near:
            out = ((region & ~c) + full & guards).bit_count()
            if out < least:
                least, best = out, c
                if not out:
                    break
        else:
            stack += [
                (piece, [c for c in near if (c & piece) + full & guards == guards])
                for piece in reversed(sharp(layout, region, best, fields))
            ]


def covered(layout: Layout, cube: int, cubes: Iterable[int], tick: Callable[[int], None] | None = None) -> bool:
    """Whether the others together hold all cells of a cube."""
    return next(remainder(layout, cube, cubes, tick), None) is None


def consensus(layout: Layout, a: int, b: int, place: int) -> int | None:
    """Two cubes joined along one field: the cells of either there, those of both elsewhere; None if that is empty."""
    field = layout.fields[place]
    joined = a & b | (a | b) & field
    return joined if is_cube(layout, joined) else None


def absorb(cubes: Iterable[int], tick: Callable[[int], None] | None = None) -> list[int]:
    """The cubes that no other one contains, each once, in the order given; `tick` as for `remainder`."""
    given = list(dict.fromkeys(cubes))
    by_size = sorted(given, key=int.bit_count, reverse=True)
    kept: list[int] = []
    for cube in by_size:
        if tick is not None:
            tick(1 + len(kept) // 16)
        if not any(cube & other == cube for other in kept):
            kept.append(cube)
    chosen = set(kept)
    return [cube for cube in given if cube in chosen]


def pieces(layout: Layout, cube: int) -> list[int]:
    """The largest cubes inside a cube whose masks can be printed: one interval, or the outside of one, on ordered axes.

    Going round from the last cell of an axis to the first, an interval and the outside of one are both one run.
    """
    found = [cube]
    for place, shift, size in layout.arcs:
        field = layout.fields[place]
        known = ((1 << size) - 1) << shift
        runs = _runs((cube & known) >> shift, size)
        if len(runs) > 1:
            special = cube & field & ~known
            found = [one & ~field | run << shift | special for one in found for run in runs]
    return found


def _runs(mask: int, size: int) -> list[int]:
    """The runs of set bits, where the last bit has the first as its neighbour."""
    full = (1 << size) - 1
    if mask == full:
        return [mask]
    found = []
    starts = mask & ~(mask << 1 | mask >> (size - 1)) & full
    while starts:
        run = start = starts & -starts
        starts ^= start
        at = start
        while True:
            at = at << 1 if at << 1 <= full else 1
            if not mask & at:
                break
            run |= at
        found.append(run)
    return found
