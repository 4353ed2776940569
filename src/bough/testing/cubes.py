"""Rules over cells by brute force: every cell is listed, every cube is tried. The oracle of exact simplification.

A cube is one bit mask of cells for each axis, a cell one number for each axis, and a rule is a cube with an answer. An
axis is anything with `size`, `ordered`, `missing` and `unseen`, such as `bough.model.rules.cubes.Axis`; for spaces of a
few hundred cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Protocol

from bough.errors import ParameterError

__all__ = [
    "all_cells",
    "answers_of",
    "cells_in",
    "largest_cubes",
    "one_interval",
    "rules_in_turn",
    "smallest_cover",
]

Cube = tuple[int, ...]
Cell = tuple[int, ...]


class AxisLike(Protocol):
    """The cells of one column."""

    @property
    def size(self) -> int:
        """How many there are."""

    @property
    def ordered(self) -> bool:
        """Whether they have an order."""

    @property
    def missing(self) -> int | None:
        """The one of missing values."""

    @property
    def unseen(self) -> int | None:
        """The one of levels never seen."""


def all_cells(space: Sequence[AxisLike]) -> Iterator[Cell]:
    """Every cell of a space."""
    return product(*(range(axis.size) for axis in space))


def cells_in(cube: Cube) -> set[Cell]:
    """The cells of a cube.

    Examples
    --------
    >>> from bough.testing.cubes import cells_in
    >>> sorted(cells_in((0b101, 0b10)))
    [(0, 1), (2, 1)]
    """
    return set(_cells(cube))


def _cells(cube: Cube) -> Iterator[Cell]:
    return product(*([cell for cell in range(mask.bit_length()) if mask >> cell & 1] for mask in cube))


def rules_in_turn(rules: Sequence[tuple[Cube, int]], space: Sequence[AxisLike]) -> dict[Cell, int]:
    """For each cell the number of the first rule that holds there; cells of no rule are left out."""
    taken: dict[Cell, int] = {}
    for number, (cube, _) in enumerate(rules):
        for cell in cells_in(cube):
            taken.setdefault(cell, number)
    return {cell: taken[cell] for cell in all_cells(space) if cell in taken}


def answers_of(rules: Sequence[tuple[Cube, int]], space: Sequence[AxisLike]) -> dict[Cell, int]:
    """What a list of rules answers for each cell, the first match deciding; cells of no rule are left out.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from bough.testing.cubes import answers_of
    >>> axis = SimpleNamespace(size=3, ordered=False, missing=None, unseen=None)
    >>> answers_of([((0b001,), 7), ((0b011,), 8)], [axis])
    {(0,): 7, (1,): 8}
    """
    return {cell: rules[number][1] for cell, number in rules_in_turn(rules, space).items()}


def one_interval(mask: int, axis: AxisLike) -> bool:
    """Whether a mask is one literal: any set, or on an ordered axis an interval of the known cells or its outside."""
    if not axis.ordered:
        return True
    known = [cell for cell in range(axis.size) if cell not in (axis.missing, axis.unseen)]
    held = [mask >> cell & 1 for cell in known]
    # Outside is another run only if both ends are held: changes along the cells are at most two, and that in a circle.
    changes = sum(held[i] != held[i - 1] for i in range(len(held)))
    return changes <= 2


def largest_cubes(region: set[Cell], space: Sequence[AxisLike]) -> set[Cube]:
    """The primes of a region: cubes of one literal an axis that lie inside it and in no other such cube.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from bough.testing.cubes import cells_in, largest_cubes
    >>> axes = [SimpleNamespace(size=3, ordered=False, missing=None, unseen=None)] * 2
    >>> largest_cubes(cells_in((0b001, 0b010)) | cells_in((0b100, 0b010)), axes)
    {(5, 2)}
    """
    masks = [[mask for mask in range(1, 1 << axis.size) if one_interval(mask, axis)] for axis in space]
    inside = {cube for cube in product(*masks) if all(cell in region for cell in _cells(cube))}

    def grows(cube: Cube) -> bool:
        """Whether a larger cube is inside; if one is, so is one that is larger along a single axis."""
        return any(
            mask & cube[k] == cube[k] != mask and (*cube[:k], mask, *cube[k + 1 :]) in inside
            for k in range(len(space))
            for mask in masks[k]
        )

    return {cube for cube in inside if not grows(cube)}


def smallest_cover(
    needed: set[Cell], region: set[Cell], space: Sequence[AxisLike], *, most: int = 200_000
) -> tuple[int, int] | None:
    """The fewest rules, and with so many the fewest literals, that hold for needed cells and for none outside a region.

    Every choice of primes is tried, few first; None if there are more than `most` choices.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from bough.testing.cubes import cells_in, smallest_cover
    >>> axes = [SimpleNamespace(size=3, ordered=False, missing=None, unseen=None)] * 2
    >>> apple = cells_in((0b001, 0b010)) | cells_in((0b100, 0b010))
    >>> smallest_cover(apple, apple, axes)
    (1, 2)
    """
    if not needed <= region:
        raise ParameterError("needed cells lie outside the region: expected a part of it")
    primes = sorted(largest_cubes(region, space))
    cells = [cells_in(cube) & needed for cube in primes]
    tried = 0
    for count in range(len(primes) + 1):
        found = []
        for chosen in combinations(range(len(primes)), count):
            tried += 1
            if tried > most:
                return None
            if needed <= set().union(*(cells[k] for k in chosen)):
                found.append(sum(_literals(primes[k], space) for k in chosen))
        if found:
            return count, min(found)
    return None


def _literals(cube: Cube, space: Sequence[AxisLike]) -> int:
    return sum(mask != (1 << axis.size) - 1 for mask, axis in zip(cube, space, strict=True))
