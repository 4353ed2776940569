"""Axes, cells and cubes, and how cubes are packed into whole numbers.

A space has one axis for each column, and an axis has cells: levels, or intervals between thresholds, and where a column
has them the cells *missing* and *never seen*. A cube is one bit mask of cells for each axis: the cells for which a
conjunction of literals holds. Working on cubes is many unions, meets and tests for emptiness, so inside this package a
cube is one whole number: a field of bits for each axis, with one guard bit above each field. Adding a one to every bit
of all fields carries into the guard of each field that is not empty, so that a single addition tests all axes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bough.errors import ParameterError

__all__ = ["Axis", "Cell", "Cube", "Layout", "Space", "cells_of"]


@dataclass(frozen=True)
class Axis:
    """The cells of one column, numbered from 0.

    Parameters
    ----------
    size : int
        How many cells there are, those of missing and never seen values included.
    ordered : bool, default=False
        Whether the cells have an order, lowest first: thresholds or ordered levels. What is not ordered takes any set
        of cells as one literal; what is ordered, an interval or the outside of one.
    missing : int, optional
        The cell of missing values.
    unseen : int, optional
        The cell of levels that were never seen in training.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis
    >>> Axis(4, ordered=True, missing=3).regular
    (0, 1, 2)
    """

    size: int
    ordered: bool = False
    missing: int | None = None
    unseen: int | None = None

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ParameterError(f"size={self.size} of an axis: expected at least one cell")
        for name, cell in (("missing", self.missing), ("unseen", self.unseen)):
            if cell is not None and not 0 <= cell < self.size:
                raise ParameterError(f"{name}={cell} is no cell of the axis: expected 0 to {self.size - 1}, or None")
        if self.missing is not None and self.missing == self.unseen:
            raise ParameterError(f"missing and unseen are both cell {self.missing}: give each a cell of its own")

    @property
    def regular(self) -> tuple[int, ...]:
        """The cells of known values, in order."""
        return tuple(cell for cell in range(self.size) if cell not in (self.missing, self.unseen))

    @property
    def full(self) -> int:
        """The mask of all cells: no literal."""
        return (1 << self.size) - 1


Space: TypeAlias = tuple[Axis, ...]
Cube: TypeAlias = tuple[int, ...]
Cell: TypeAlias = tuple[int, ...]
"""One cell of each axis, by number."""


class Layout:
    """How the cubes of a space are packed into whole numbers.

    Cells of an axis that no given cube tells apart are packed as one bit, and an axis of one such group has no field:
    so what is searched is no larger than what the rules ask. On ordered axes only neighbours are put together.

    Parameters
    ----------
    space : sequence of Axis
    cubes : iterable of Cube
        All that are to be packed.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis
    >>> from bough.model.rules.cubes.layout import Layout
    >>> layout = Layout((Axis(3), Axis(9, ordered=True)), [(0b001, 0b111111111), (0b111, 0b000001111)])
    >>> layout.groups
    ((1, 6), (15, 496))
    >>> layout.unpack(layout.pack((0b110, 0b000001111)))
    (6, 15)
    """

    def __init__(self, space: Sequence[Axis], cubes: Iterable[Cube]) -> None:
        self.space = tuple(space)
        given = list(dict.fromkeys(cubes))
        for cube in given:
            _check(cube, self.space)
        self.groups = tuple(
            _groups(axis, dict.fromkeys(cube[i] for cube in given)) for i, axis in enumerate(self.space)
        )
        self.axes: list[int] = []
        """The axes that have a field."""
        self.fields: list[int] = []
        """The bits of each field."""
        self.shifts: list[int] = []
        self.arcs: list[tuple[int, int, int]] = []
        """Of each field of an ordered axis: its number, its lowest bit, and how many cells have an order."""
        self.guards = 0
        shift = 0
        for i, (axis, groups) in enumerate(zip(self.space, self.groups, strict=True)):
            if len(groups) == 1:
                continue
            if shift % 64 + len(groups) >= 64 > len(groups):
                shift += -shift % 64  # no field lies across the words that many cubes are worked on in
            if axis.ordered:
                known = sum(1 << cell for cell in axis.regular)
                self.arcs.append((len(self.fields), shift, sum(bool(group & known) for group in groups)))
            self.axes.append(i)
            self.shifts.append(shift)
            self.fields.append(((1 << len(groups)) - 1) << shift)
            shift += len(groups)
            self.guards |= 1 << shift
            shift += 1
        self.full = sum(self.fields)
        self._packed: list[dict[int, int]] = [{} for _ in self.axes]
        self._known = _known(self.space)
        wide = any(field.bit_count() > 63 for field in self.fields)
        self.words = 0 if wide else -(-shift // 64)
        """How many words of 64 bits a cube takes; 0 if a field is wider than one."""

    def pack(self, cube: Cube) -> int:
        """A cube as a whole number; -1 if it is empty."""
        packed = 0
        for mask in cube:
            if not mask:
                return -1
        for i, shift, known in zip(self.axes, self.shifts, self._packed, strict=True):
            own = known.get(cube[i])
            if own is None:
                own = sum(1 << place for place, group in enumerate(self.groups[i]) if cube[i] & group) << shift
                known[cube[i]] = own
            packed |= own
        return packed

    def pack_all(self, cubes: Iterable[Cube]) -> list[int]:
        """The cubes that are not empty, packed."""
        return [packed for cube in cubes if (packed := self.pack(cube)) >= 0]

    def unpack(self, packed: int) -> Cube:
        """A packed cube as one mask for each axis."""
        cube = [axis.full for axis in self.space]
        for i, shift, field in zip(self.axes, self.shifts, self.fields, strict=True):
            if packed & field == field:
                continue
            own = (packed & field) >> shift
            cube[i] = sum(group for place, group in enumerate(self.groups[i]) if own >> place & 1)
        return tuple(cube)

    def cell(self, packed: int) -> Cell:
        """A cell of a packed cube: on each axis the first that holds a known value, if there is one."""
        return _cell(self.unpack(packed), self._known)


def _check(cube: Cube, space: Space) -> None:
    if len(cube) != len(space):
        raise ParameterError(f"a cube has {len(cube)} masks: expected one for each of the {len(space)} axes")
    for i, (mask, axis) in enumerate(zip(cube, space, strict=True)):
        if not 0 <= mask <= axis.full:
            raise ParameterError(f"mask {mask:#b} of axis {i}: expected bits for its {axis.size} cells and no others")


def _groups(axis: Axis, masks: Iterable[int]) -> tuple[int, ...]:
    """The cells that no mask tells apart, as masks; of an ordered axis known cells in their order, then the others."""
    masks = list(masks)
    cells = tuple(range(axis.size))
    if axis.ordered:
        cells = (*axis.regular, *(cell for cell in cells if cell in (axis.missing, axis.unseen)))
    seen: dict[tuple[object, ...], int] = {}
    run = 0
    before: object = None
    for cell in cells:
        kind = tuple(mask >> cell & 1 for mask in masks)
        special = cell in (axis.missing, axis.unseen)
        if axis.ordered:
            run += kind != before and not special  # a new run of neighbours
            before = kind
        key = (kind, "special" if axis.ordered and special else run)
        seen[key] = seen.get(key, 0) | 1 << cell
    return tuple(seen.values())


def cells_of(cubes: Sequence[Cube], space: Sequence[Axis]) -> list[Cell]:
    """For each cube a cell of it, as `Layout.cell` finds it."""
    known = _known(space)
    return [_cell(cube, known) for cube in cubes]


def _known(space: Sequence[Axis]) -> list[int]:
    """The cells of known values of each axis, as masks."""
    return [sum(1 << cell for cell in axis.regular) for axis in space]


def _cell(cube: Cube, known: Sequence[int]) -> Cell:
    return tuple(_first(mask, own) for mask, own in zip(cube, known, strict=True))


def _first(mask: int, known: int) -> int:
    chosen = mask & known or mask
    return (chosen & -chosen).bit_length() - 1
