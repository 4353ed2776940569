"""Many packed cubes at a time, as arrays: one array for each word of 64 bits.

A layout with an axis of more than 63 cells has no words; its cubes are one array of whole numbers of any size, on which
the same expressions work, if slower.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.rules.cubes.cube import pieces
from bough.model.rules.cubes.layout import Layout
from bough.model.rules.cubes.limits import Meter

__all__ = ["Bulk", "Packed"]

Packed: TypeAlias = tuple[npt.NDArray[Any], ...]
"""Cubes: one array for each word."""

_PAIRS = 1 << 18  # looked at together, so that they stay near the processor
_WORD = (1 << 64) - 1


class Bulk:
    """What is done with many cubes of one layout.

    Parameters
    ----------
    layout : Layout
    meter : Meter
        Told how many pairs of cubes were looked at.
    """

    def __init__(self, layout: Layout, meter: Meter) -> None:
        self.layout = layout
        self.meter = meter
        self.full = self._words(layout.full)
        self.guards = self._words(layout.guards)
        self._price = max(1, layout.words) if layout.words else 24

    def of(self, cubes: Iterable[int]) -> Packed:
        """Packed cubes as arrays."""
        given = list(cubes)
        if not self.layout.words:
            return (np.array(given, dtype=object),)
        return tuple(
            np.array([cube >> 64 * word & _WORD for cube in given], dtype=np.uint64)
            for word in range(self.layout.words)
        )

    def cubes(self, packed: Packed) -> list[int]:
        """Arrays as packed cubes."""
        found = [int(word) for word in packed[0].tolist()]
        for place, words in enumerate(packed[1:], 1):
            found = [low | int(high) << 64 * place for low, high in zip(found, words.tolist(), strict=True)]
        return found

    def joins(self, place: int, new: Packed, known: Packed) -> Packed:
        """Every consensus of a new cube with a known one along a field; not where one contains the other there."""
        field = self._words(self.layout.fields[place])
        found = []
        for rows in self._blocks(len(new[0]), len(known[0])):
            useful: Any = True
            joined = []
            for one, other, own, full, guards in zip(new, known, field, self.full, self.guards, strict=True):
                part = one[rows, None]
                both = part & other
                if own:
                    either = (part | other) & own
                    useful = useful & (either != part & own) & (either != other & own)
                    both = both & (full ^ own) | either
                useful = useful & ((both + full) & guards == guards)
                joined.append(both)
            found.append(self.unique(tuple(word[useful] for word in joined)))
        return self._printable(_joined(found))

    def inside(self, cubes: Packed, others: Packed) -> npt.NDArray[np.bool_]:
        """Which cubes are contained in one of the others."""
        return self._held_by(cubes, others) > 0

    def absorbed(self, *parts: Packed) -> Packed:
        """The cubes that no other one contains, each once."""
        # Those of most cells first: a cube is contained in those before it alone.
        cubes = self.unique(_joined(list(parts)))
        self.meter.work(4 * len(cubes[0]))
        sizes = np.array([cube.bit_count() for cube in self.cubes(cubes)])
        cubes = take(cubes, np.argsort(-sizes, kind="stable"))
        kept = take(cubes, slice(0))
        for start in range(0, len(sizes), 512):
            block = take(cubes, slice(start, start + 512))
            block = take(block, ~self.inside(block, kept))
            kept = _joined([kept, take(block, self._held_by(block, block) == 1)])
        return kept

    def unique(self, cubes: Packed) -> Packed:
        """Each cube once, sorted."""
        if len(cubes) == 1:
            return (np.unique(cubes[0]),)
        order = np.lexsort(cubes)
        cubes = take(cubes, order)
        new = np.zeros(len(order), dtype=bool)
        new[:1] = True
        for word in cubes:
            new[1:] |= word[1:] != word[:-1]
        return take(cubes, new)

    def _held_by(self, cubes: Packed, others: Packed) -> npt.NDArray[np.intp]:
        """How many of the others contain each cube."""
        found = np.zeros(len(cubes[0]), dtype=np.intp)
        for rows in self._blocks(len(found), len(others[0])):
            held: Any = True
            for one, other in zip(cubes, others, strict=True):
                part = one[rows, None]
                held = held & (part & other == part)
            found[rows] = held.sum(axis=1)
        return found

    def _printable(self, cubes: Packed) -> Packed:
        """The cubes, those with holes on ordered axes cut into pieces."""
        holes = np.zeros(len(cubes[0]), dtype=bool)
        for _, shift, size in self.layout.arcs:
            word, bits = divmod(shift, 64) if self.layout.words else (0, shift)
            kind = np.uint64 if self.layout.words else int
            known, one = kind((1 << size) - 1), kind(1)
            mask = cubes[word] >> kind(bits) & known
            starts = mask & (known ^ (mask << one & known | mask >> kind(size - 1)))
            holes |= (starts & (starts - (starts > 0).astype(starts.dtype))) > 0
        if not holes.any():
            return cubes
        cut = []
        for cube in self.cubes(take(cubes, holes)):
            found = pieces(self.layout, cube)
            self.meter.work(200 * (1 + len(found)))
            cut += found
        return _joined([take(cubes, ~holes), self.of(cut)])

    def _blocks(self, rows: int, columns: int) -> Iterator[slice]:
        """Rows by blocks of as many pairs as are looked at together."""
        step = max(1, _PAIRS // max(1, columns))
        for start in range(0, rows if columns else 0, step):
            self.meter.work(self._price * min(step, rows - start) * columns // 12)
            yield slice(start, start + step)

    def _words(self, number: int) -> tuple[Any, ...]:
        if not self.layout.words:
            return (number,)
        return tuple(np.uint64(number >> 64 * word & _WORD) for word in range(self.layout.words))


def take(cubes: Packed, which: Any) -> Packed:
    """Some of the cubes, by an index, a mask or a slice."""
    return tuple(word[which] for word in cubes)


def _joined(parts: list[Packed]) -> Packed:
    return tuple(np.concatenate(words) for words in zip(*parts, strict=True))
