"""Literals, of which a rule is the conjunction: a set of levels, an interval, missing, known, a bound of a sum.

A literal stands alone: it names its column and knows its levels, so that a rule can be printed, compared and moved from
one list to another. On a missing value every literal is false, also a negated one, unless it asks for just that or says
`or_missing`. So the opposite of a literal is not always its negation. There is one class a kind; all that depends on the
kind is a method of it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bough.errors import ExportError, ParameterError
from bough.model.features import Cell, Number
from bough.model.rules.pool import Pool
from bough.model.rules.spell import label_text, name_text, number_text, value_text
from bough.model.tests.cells import Cells, Cut, Grid, minus, runs_of
from bough.table import UNSEEN, Column

if TYPE_CHECKING:
    from bough.model.program.program import Term
    from bough.model.rules.compile import Fields

__all__ = ["Bound", "Interval", "Known", "Levels", "Literal", "Missing", "Place", "Sum", "SumTerm"]

Place: TypeAlias = Callable[[Column], int]
"""Where a column stands in the table that is asked."""


class Bound(NamedTuple):
    """The end of an interval; `closed`: the value itself lies inside. Ordered levels count by their code."""

    value: Number
    closed: bool


@dataclass(frozen=True)
class Literal(ABC):
    """One condition of a rule."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns that it asks, each once."""

    @property
    def or_missing(self) -> bool:
        """Whether it also holds where the value is missing."""
        return False

    def or_if_missing(self, holds: bool = True) -> "Literal":
        """The same literal that also holds, or does not, where the value is missing."""
        return replace(self, or_missing=holds)

    @abstractmethod
    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether it holds for a row of cells; a level never seen is one of no set, and `UNSEEN` is its code."""

    @abstractmethod
    def text(self) -> str:
        """As the rule language writes it, with all digits."""

    @abstractmethod
    def write(self, pool: Pool, place: Place) -> None:
        """Add it to the flat arrays that the kernel reads."""

    @abstractmethod
    def condition(self, fields: "Fields") -> "Term":
        """As a condition of a routing program; an ExportError where no program can say it."""

    @property
    def size(self) -> int:
        """How many numbers and levels are written in it, at least one."""
        return 1

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Where it parts the numbers of its column."""
        return ()

    @property
    def has_cells(self) -> bool:
        """Whether it asks one column, so that cells of that column decide; a sum of columns has none."""
        return True

    @abstractmethod
    def cells(self, grid: Grid) -> Cells:
        """The cells of its column whose known values it holds for."""

    def __str__(self) -> str:
        return self.text() + (" OR MISSING" if self.or_missing else "")


@dataclass(frozen=True)
class Levels(Literal):
    """The level is one of a set or, negated, a known one outside of it: ``job = A``, ``job NOT IN {A, C}``.

    Parameters
    ----------
    column : Column
    codes : tuple of int
        The codes of the levels, rising.
    negated : bool, default=False
    or_missing : bool, default=False
    """

    column: Column
    codes: tuple[int, ...]
    negated: bool = False
    or_missing: bool = False  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.column.kind == "numeric":
            raise ParameterError(f"the column {self.column.name!r} holds numbers: bound them by <=, <, > or >=.")
        if not self.codes or any(a >= b for a, b in zip(self.codes, self.codes[1:], strict=False)):
            raise ParameterError(f"the levels of {self.column.name!r} must be at least one, each once.")
        if not 0 <= self.codes[0] <= self.codes[-1] < self.column.n_levels:
            raise ParameterError(f"{self.column.name!r} has {self.column.n_levels} levels; got the code {self.codes[-1]}.")

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column."""
        return (self.column,)

    @property
    def size(self) -> int:
        """The levels that are named."""
        return len(self.codes)

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether the level is in the set, or outside."""
        cell = row[place(self.column)]
        return self.or_missing if cell is None else (cell in self.codes) != self.negated

    def text(self) -> str:
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
        return _turned(runs_of(self.codes), grid, self.negated)

    def condition(self, fields: "Fields") -> "Term":
        """As the levels of which it is true."""
        held = [code for code in range(self.column.n_levels) if (code in self.codes) != self.negated]
        return fields.levels(self.column, held, unseen=self.negated, missing=self.or_missing)


@dataclass(frozen=True)
class Interval(Literal):
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

    column: Column
    low: Bound | None = None
    high: Bound | None = None
    negated: bool = False
    or_missing: bool = False  # type: ignore[assignment]

    def __post_init__(self) -> None:
        name = self.column.name
        if self.column.kind == "nominal":
            raise ParameterError(f"the levels of {name!r} have no order: ask for them by =, != or IN.")
        low, high = self.low, self.high
        if low is None and high is None:
            raise ParameterError(f"an interval of {name!r} needs a bound; ask `IS KNOWN` for any value.")
        if self.negated and (low is None or high is None):
            raise ParameterError(f"the outside of an interval of {name!r} needs two bounds; one turns round.")
        if any(bound is not None and math.isnan(bound.value) for bound in (low, high)):
            raise ParameterError(f"NaN bounds nothing: {name!r} IS MISSING asks for missing values.")
        if low is not None and high is not None and not _below(low, high):
            raise ParameterError(f"no value of {name!r} lies between {low.value!r} and {high.value!r}.")

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column."""
        return (self.column,)

    @property
    def size(self) -> int:
        """The bounds that are written."""
        return (self.low is not None) + (self.high is not None)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """At each bound, before or behind its value."""
        low = () if self.low is None else (Cut(self.low.value, not self.low.closed),)
        return low if self.high is None else (*low, Cut(self.high.value, self.high.closed))

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether the value lies between the bounds, or outside."""
        cell = row[place(self.column)]
        if cell is None:
            return self.or_missing
        if cell == UNSEEN and self.column.kind != "numeric":
            return self.negated
        return between(cell, self.low, self.high) != self.negated

    def text(self) -> str:
        """``age <= 38.5`` or ``age IN (2.5, 7.0]``."""
        name = name_text(self.column.name)
        return bounds_text(name, self.low, self.high, lambda value: value_text(self.column, value), self.negated)

    def write(self, pool: Pool, place: Place) -> None:
        """As two bounds."""
        natural = self.column.dtype == "uint64"
        pool.add_interval(
            place(self.column), self.low, self.high, natural=natural, negated=self.negated, or_missing=self.or_missing
        )

    def cells(self, grid: Grid) -> Cells:
        """From the lower bound to the upper one, or the others."""
        if self.column.kind != "numeric":
            return _turned(runs_of(self._codes), grid, self.negated)
        first = 0 if self.low is None else grid.first_above(self.low.value, strictly=self.low.closed)
        last = grid.size if self.high is None else grid.first_above(self.high.value, strictly=not self.high.closed)
        return _turned(((first, last - 1),) if first < last else (), grid, self.negated)

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


@dataclass(frozen=True)
class Missing(Literal):
    """The value is missing: ``age IS MISSING``."""

    column: Column

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column."""
        return (self.column,)

    def or_if_missing(self, holds: bool = True) -> Literal:
        """It asks for that already."""
        return self

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether there is no value."""
        return row[place(self.column)] is None

    def text(self) -> str:
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


@dataclass(frozen=True)
class Known(Literal):
    """The value is known, whatever it is: ``age IS KNOWN``."""

    column: Column

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column."""
        return (self.column,)

    def or_if_missing(self, holds: bool = True) -> Literal:
        """A literal that always holds says nothing: refused."""
        raise ParameterError(f"{self.text()} OR MISSING always holds: leave it out.")

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether there is a value."""
        return row[place(self.column)] is not None

    def text(self) -> str:
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


class SumTerm(NamedTuple):
    """A weight times the value of a column, or times 1 where it has a level and 0 elsewhere."""

    weight: float
    column: Column
    code: int = -1


@dataclass(frozen=True)
class Sum(Literal):
    """A weighted sum of columns lies between two bounds; false if any of its terms is missing.

    Parameters
    ----------
    terms : tuple of SumTerm
        In the order in which they are added.
    low, high : Bound or None
        At least one of them.
    or_missing : bool, default=False
    """

    terms: tuple[SumTerm, ...]
    low: Bound | None = None
    high: Bound | None = None
    or_missing: bool = False  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if not self.terms:
            raise ParameterError("a sum needs a term.")
        if (self.low is None) == (self.high is None):
            raise ParameterError("a sum is bounded from one side: write two literals for two sides.")
        for term in self.terms:
            if not math.isfinite(term.weight):
                raise ParameterError(f"the weight of {term.column.name!r} in a sum must be finite, not {term.weight!r}.")
            if (term.code >= 0) == (term.column.kind == "numeric"):
                raise ParameterError(
                    f"a sum takes numbers as they are and levels by [name = level]; {term.column.name!r} is "
                    f"{term.column.kind}."
                )

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its terms, each once."""
        return tuple(dict.fromkeys(term.column for term in self.terms))

    @property
    def size(self) -> int:
        """The weights and the bound."""
        return len(self.terms) + 1

    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether the sum, in plain doubles from the first term to the last, lies on the side of the bound."""
        total = 0.0
        for term in self.terms:
            cell = row[place(term.column)]
            if cell is None:
                return self.or_missing
            total += term.weight * (float(cell) if term.code < 0 else float(cell == term.code))
        return not math.isnan(total) and between(total, self.low, self.high)

    def text(self) -> str:
        """``0.4 * x1 + 0.16 * x2 < 0.11``."""
        return bounds_text(" + ".join(map(_term_text, self.terms)), self.low, self.high, number_text, negated=False)

    def write(self, pool: Pool, place: Place) -> None:
        """As a list of terms and a bound."""
        terms = [(term.weight, place(term.column), term.code) for term in self.terms]
        pool.add_sum(terms, self.low, self.high, or_missing=self.or_missing)

    @property
    def has_cells(self) -> bool:
        """It asks several columns together."""
        return False

    def cells(self, grid: Grid) -> Cells:
        """Refused: they depend on several columns."""
        raise ParameterError(f"{self} asks several columns together, which have no cells of their own.")

    def condition(self, fields: "Fields") -> "Term":
        """Refused: programs ask columns one by one."""
        raise ExportError(f"a rule asks {self}: exports know conditions on single columns only, as yet.")


def between(value: Number, low: Bound | None, high: Bound | None) -> bool:
    """Whether a value lies between two bounds, in exact arithmetic."""
    above = low is None or value > low.value or (low.closed and value == low.value)
    return above and (high is None or value < high.value or (high.closed and value == high.value))


def bounds_text(
    asked: str, low: Bound | None, high: Bound | None, spell: Callable[[Number], str], negated: bool
) -> str:
    """Bounds as text: a comparison of one, an interval of two."""
    if low is not None and high is not None:
        ends = f"{'[' if low.closed else '('}{spell(low.value)}, {spell(high.value)}{']' if high.closed else ')'}"
        return f"{asked} {'NOT IN' if negated else 'IN'} {ends}"
    if high is not None:
        return f"{asked} {'<=' if high.closed else '<'} {spell(high.value)}"
    assert low is not None
    return f"{asked} {'>=' if low.closed else '>'} {spell(low.value)}"


def _turned(cells: Cells, grid: Grid, negated: bool) -> Cells:
    """A set of cells, or all others."""
    return minus(((0, grid.size - 1),), cells) if negated else cells


def _below(low: Bound, high: Bound) -> bool:
    return low.value < high.value or (low.value == high.value and low.closed and high.closed)


def _term_text(term: SumTerm) -> str:
    name = name_text(term.column.name)
    what = name if term.code < 0 else f"[{name} = {label_text((term.column.levels or ())[term.code])}]"
    return f"{number_text(term.weight)} * {what}"
