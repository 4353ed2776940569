"""Sets of values of one column, as tests tell them apart: numbers fall into cells between cuts, levels are cells.

A set of cells is a tuple of ranges `(first, last)`, rising and apart; cells of levels are their codes.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from bough.model.features import Number, Unknown

__all__ = ["Bound", "Cells", "Cut", "Grid", "Space", "inside", "join", "meet", "minus", "narrowed", "runs_of"]

Cells: TypeAlias = tuple[tuple[int, int], ...]


class Cut(NamedTuple):
    """A place between values: above the number if `after`, else below it."""

    value: Number
    after: bool


class Bound(NamedTuple):
    """All that a branch asks, where it only bounds one column from one side."""

    column: int
    below: bool
    cut: Cut


class Grid(Protocol):
    """The cells of one column."""

    size: int

    @property
    def all(self) -> Cells:
        """Every cell; of levels, those that training rows held."""

    def first_above(self, edge: Number, *, strictly: bool) -> int:
        """The first cell above an edge; `strictly`: a value equal to the edge lies above it."""


Box = TypeVar("Box")


class Space(Protocol[Box]):
    """Boxes of cells, one set a column, in which some columns may stay as a case has them: what a search cuts up."""

    def grid(self, column: int) -> Grid:
        """The cells of a column."""

    def known(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part of a box in which a column has a known value in these cells; None if there is none."""

    def unknown(self, box: Box, column: int) -> Iterable[tuple[Unknown, Box]]:
        """The parts in which a column is missing, or a level never seen, as far as there are any."""

    def outside(self, box: Box, column: int, cells: Cells) -> Box | None:
        """The part in which a column has a known value in none of these cells; None if there is none."""


def meet(a: Cells, b: Cells) -> Cells:
    """The cells that are in both sets."""
    common = []
    i = j = 0
    while i < len(a) and j < len(b):
        first, last = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if first <= last:
            common.append((first, last))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def inside(cell: int, cells: Cells) -> bool:
    """Whether a cell is in a set."""
    return any(first <= cell <= last for first, last in cells)


def minus(a: Cells, b: Cells) -> Cells:
    """The cells of the first set that are not in the second."""
    left = []
    j = 0
    for first, last in a:
        while j < len(b) and b[j][1] < first:
            j += 1
        k, start = j, first
        while k < len(b) and b[k][0] <= last:
            if start < b[k][0]:
                left.append((start, b[k][0] - 1))
            start = b[k][1] + 1
            k += 1
        if start <= last:
            left.append((start, last))
        j = max(j, k - 1)  # the last one met may reach into the next range
    return tuple(left)


def join(a: Cells, b: Cells) -> Cells:
    """The cells that are in one of the sets."""
    runs: list[tuple[int, int]] = []
    for first, last in sorted((*a, *b)):
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(runs[-1][1], last))
        else:
            runs.append((first, last))
    return tuple(runs)


def narrowed(box: Mapping[int, Cells], more: Mapping[int, Cells]) -> dict[int, Cells]:
    """The box in which some columns have to be in further sets of cells, too: what a path asks, test after test."""
    return {**box, **{column: meet(box[column], cells) if column in box else cells for column, cells in more.items()}}


def runs_of(codes: Iterable[int]) -> Cells:
    """Codes as a set of cells."""
    runs: list[list[int]] = []
    for code in sorted(codes):
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return tuple((first, last) for first, last in runs)


Outcomes: TypeAlias = Iterator[tuple[int | Unknown, Box]]
