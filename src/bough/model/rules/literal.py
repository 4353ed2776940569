"""Literals, of which a rule is the conjunction: a set of levels, an interval, missing, known, a bound of a sum.

A literal stands alone: it names its column and knows its levels, so that a rule can be printed, compared and moved from
one list to another. On a missing value every literal is false, also a negated one, unless it asks for just that or says
`or_missing`. So the opposite of a literal is not always its negation. There is one class a kind; all that depends on
the kind is a method of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bough.errors import ParameterError
from bough.model.features import Cell
from bough.model.rules.base import Literal, Place
from bough.model.rules.bound import Bound, between, bound_planes, bounds_text, settled, some_between
from bough.model.rules.pool import Pool
from bough.model.rules.spell import label_text, name_text, value_text
from bough.model.rules.sums import Sum, SumTerm
from bough.model.tests.cells import Cells, Cut, Grid, minus, runs_of
from bough.table import UNSEEN, Column

if TYPE_CHECKING:
    from bough.model.program.program import Term
    from bough.model.rules.compile import Fields

__all__ = ["Bound", "Interval", "Known", "Levels", "Literal", "Missing", "Place", "Sum", "SumTerm"]


@dataclass(frozen=True, eq=False)
class _OfColumn(Literal):
    """Asks for the value of one column."""

    column: Column

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column."""
        return (self.column,)


@dataclass(frozen=True, eq=False)
class Levels(_OfColumn):
    """The level is one of a set or, negated, a known one outside of it: ``job = A``, ``job NOT IN {A, C}``.

    Parameters
    ----------
    column : Column
    codes : tuple of int
        The codes of the levels, rising.
    negated : bool, default=False
    or_missing : bool, default=False
    """

    codes: tuple[int, ...]
    negated: bool = False
    or_missing: bool = False

    def __post_init__(self) -> None:
        if self.column.kind == "numeric":
            raise ParameterError(f"the column {self.column.name!r:.60} holds numbers: bound them by <=, <, > or >=.")
        if not self.codes or any(a >= b for a, b in zip(self.codes, self.codes[1:], strict=False)):
            raise ParameterError(f"the levels of {self.column.name!r:.60} must be at least one, each once.")
        if not 0 <= self.codes[0] <= self.codes[-1] < self.column.n_levels:
            known = f"{self.column.name!r:.60} has {self.column.n_levels} levels"
            raise ParameterError(f"{known}; got the codes {self.codes[0]} to {self.codes[-1]}.")

    @property
    def size(self) -> int:
        """The levels that are named."""
        return len(self.codes)

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether the level is in the set, or outside."""
        cell = row[place(self.column)]
        return self.or_missing if cell is None else (cell in self.codes) != self.negated

    def _text(self, digits: int | None) -> str:
        """``job = A`` or ``job IN {A, C}``."""
        name = name_text(self.column.name)
        labels = [label_text((self.column.levels or ())[code]) for code in self.codes]
        if len(labels) == 1:
            return f"{name} {'!=' if self.negated else '='} {labels[0]}"
        return f"{name} {'NOT IN' if self.negated else 'IN'} {{{', '.join(labels)}}}"

    def write(self, pool: Pool, place: Place) -> None:
        """As a set of codes."""
        pool.add_levels(place(self.column), self.codes, negated=self.negated, or_missing=self.or_missing)

    def cells(self, grid: Grid) -> Cells:
        """The levels of the set, or the others."""
        return _turned(runs_of(self.codes), grid, negated=self.negated)

    def condition(self, fields: "Fields") -> "Term":
        """As the levels of which it is true."""
        held = [code for code in range(self.column.n_levels) if (code in self.codes) != self.negated]
        return fields.levels(self.column, held, unseen=self.negated, missing=self.or_missing)


@dataclass(frozen=True, eq=False)
class Interval(_OfColumn):
    """The number, the time or the ordered level lies between two bounds or, negated, outside.

    Parameters
    ----------
    column : Column
    low, high : Bound or None
        At least one of them.
    negated : bool, default=False
        Only of an interval with both bounds.
    or_missing : bool, default=False
    """

    low: Bound | None = None
    high: Bound | None = None
    negated: bool = False
    or_missing: bool = False

    def __post_init__(self) -> None:
        name = self.column.name
        if self.column.kind == "nominal":
            raise ParameterError(f"the levels of {name!r:.60} have no order: ask for them by =, != or IN.")
        low, high = settled(self.low, self.column, low=True), settled(self.high, self.column, low=False)
        if low is None and high is None:
            raise ParameterError(f"an interval of {name!r:.60} needs a bound; ask `IS KNOWN` for any value.")
        if self.negated and (low is None or high is None):
            raise ParameterError(f"the outside of an interval of {name!r:.60} needs two bounds; one turns round.")
        if low is not None and high is not None and not some_between(low, high):
            ends = (value_text(self.column, end.value) for end in (low, high))
            raise ParameterError(f"no value of {name!r:.60} lies between {' and '.join(ends)}.")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def size(self) -> int:
        """The bounds that are written."""
        return (self.low is not None) + (self.high is not None)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """At each bound, before or behind its value."""
        low = () if self.low is None else (Cut(self.low.value, not self.low.closed),)
        return low if self.high is None else (*low, Cut(self.high.value, self.high.closed))

    @property
    def sides(self) -> tuple[Literal, ...]:
        """An interval as what bounds it from below and from above."""
        if self.low is None or self.high is None or self.negated:
            return (self,)
        return replace(self, high=None), replace(self, low=None)

    @property
    def planes(self) -> tuple[tuple[dict[str, float], float, bool], ...]:
        """Its bounds, of a column of numbers."""
        if self.negated or self.column.kind != "numeric":
            return ()
        return bound_planes({self.column.name: 1.0}, self.low, self.high)

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether the value lies between the bounds, or outside."""
        cell = row[place(self.column)]
        if cell is None:
            return self.or_missing
        if cell == UNSEEN and self.column.kind != "numeric":
            return self.negated
        return between(cell, self.low, self.high) != self.negated

    def _text(self, digits: int | None) -> str:
        """``age <= 38.5``, ``age IN (2.5, 7.0]`` or, of a single number, ``age = 7.0``."""
        name = name_text(self.column.name)
        if self.is_point and self.column.levels is None and self.low is not None:
            return f"{name} {'!=' if self.negated else '='} {value_text(self.column, self.low.value, digits)}"
        spell = partial(value_text, self.column, digits=digits)
        return bounds_text(name, self.low, self.high, spell, self.negated)

    @property
    def is_point(self) -> bool:
        """Whether it asks for one value alone, or for all others."""
        return self.low is not None and self.low == self.high and type(self.low.value) is type(self.high.value)

    def write(self, pool: Pool, place: Place) -> None:
        """As two bounds."""
        natural = self.column.dtype == "uint64"
        pool.add_interval(
            place(self.column), self.low, self.high, natural=natural, negated=self.negated, or_missing=self.or_missing
        )

    def cells(self, grid: Grid) -> Cells:
        """From the lower bound to the upper one, or the others."""
        if self.column.kind != "numeric":
            return _turned(runs_of(self._codes), grid, negated=self.negated)
        first = 0 if self.low is None else grid.first_above(self.low.value, strictly=self.low.closed)
        last = grid.size if self.high is None else grid.first_above(self.high.value, strictly=not self.high.closed)
        return _turned(((first, last - 1),) if first < last else (), grid, negated=self.negated)

    @property
    def _codes(self) -> list[int]:
        """The ordered levels between the bounds."""
        return [code for code in range(self.column.n_levels) if between(code, self.low, self.high)]

    def condition(self, fields: "Fields") -> "Term":
        """As numbers between two cuts, or as the ordered levels of which it is true."""
        if self.column.kind != "numeric":
            held = set(self._codes)
            codes = [code for code in range(self.column.n_levels) if (code in held) != self.negated]
            return fields.levels(self.column, codes, unseen=self.negated, missing=self.or_missing)
        above = None if self.low is None else self.cuts[0]
        below = None if self.high is None else self.cuts[-1]
        return fields.number(self.column, above, below, outside=self.negated, missing=self.or_missing)


@dataclass(frozen=True, eq=False)
class Missing(_OfColumn):
    """The value is missing: ``age IS MISSING``."""

    def or_if_missing(self, holds: bool = True) -> Literal:
        """It asks for that already."""
        return self

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether there is no value."""
        return row[place(self.column)] is None

    def _text(self, digits: int | None) -> str:
        """``age IS MISSING``."""
        return f"{name_text(self.column.name)} IS MISSING"

    def write(self, pool: Pool, place: Place) -> None:
        """As a question without values."""
        pool.add_missing(place(self.column))

    def cells(self, grid: Grid) -> Cells:
        """No known value."""
        return ()

    def condition(self, fields: "Fields") -> "Term":
        """That there is no value."""
        return fields.missing(self.column)


@dataclass(frozen=True, eq=False)
class Known(_OfColumn):
    """The value is known, whatever it is: ``age IS KNOWN``."""

    def or_if_missing(self, holds: bool = True) -> Literal:
        """A literal that always holds says nothing: refused."""
        raise ParameterError(f"{self.text()} OR MISSING always holds: leave it out.")

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether there is a value."""
        return row[place(self.column)] is not None

    def _text(self, digits: int | None) -> str:
        """``age IS KNOWN``."""
        return f"{name_text(self.column.name)} IS KNOWN"

    def write(self, pool: Pool, place: Place) -> None:
        """As a question without values."""
        pool.add_known(place(self.column))

    def cells(self, grid: Grid) -> Cells:
        """All."""
        return ((0, grid.size - 1),)

    def condition(self, fields: "Fields") -> "Term":
        """As any number, or any level."""
        if self.column.kind == "numeric":
            return fields.number(self.column, None, None, outside=False, missing=False)
        return fields.levels(self.column, range(self.column.n_levels), unseen=True, missing=False)


def _turned(cells: Cells, grid: Grid, *, negated: bool) -> Cells:
    """A set of cells, or all others."""
    return minus(((0, grid.size - 1),), cells) if negated else cells
