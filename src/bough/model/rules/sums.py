"""Literals on several columns at once: a weighted sum with a bound, as oblique trees and experts write them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bough.errors import ParameterError
from bough.model.features import Cell
from bough.model.rules.base import Literal, Place
from bough.model.rules.bound import Bound, between, bound_planes, bounds_text
from bough.model.rules.pool import Pool
from bough.model.rules.spell import label_text, name_text, number_text
from bough.model.tests.cells import Cells, Cut, Grid
from bough.table import Column

if TYPE_CHECKING:
    from bough.model.program.program import Term
    from bough.model.rules.compile import Fields

__all__ = ["Sum", "SumTerm"]


class SumTerm(NamedTuple):
    """A weight times the value of a column, or times 1 where it has a level and 0 elsewhere."""

    weight: float
    column: Column
    code: int = -1


@dataclass(frozen=True, eq=False)
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
    or_missing: bool = False

    def __post_init__(self) -> None:
        if not self.terms:
            raise ParameterError("a sum needs a term.")
        if (self.low is None) == (self.high is None):
            raise ParameterError("a sum is bounded from one side: write two literals for two sides.")
        for weight, column, code in self.terms:
            if not math.isfinite(weight) or not weight:
                raise ParameterError(f"a weight in a sum is finite and not 0; {column.name!r:.60} has {weight!r}.")
            if (code >= 0) == (column.kind == "numeric") or code >= column.n_levels > 0:
                told = f"{column.name!r:.60} is {column.kind}"
                raise ParameterError(f"a sum takes numbers as they are and levels by [name = level]; {told}.")
        terms = tuple(SumTerm(float(weight), column, code) for weight, column, code in self.terms)
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "low", _real(self.low))
        object.__setattr__(self, "high", _real(self.high))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its terms, each once."""
        return tuple({term.column.name: term.column for term in self.terms}.values())

    @property
    def has_cells(self) -> bool:
        """No: several columns decide together."""
        return False

    @property
    def planes(self) -> tuple[tuple[dict[str, float], float, bool], ...]:
        """The plane that it is; levels count as numbers of 0 or 1 of their own."""
        weights: dict[str, float] = {}
        for term in self.terms:
            name = term.column.name if term.code < 0 else f"{term.column.name} = {term.code}"
            weights[name] = weights.get(name, 0.0) + term.weight
        return bound_planes(weights, self.low, self.high)

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

    def _text(self, digits: int | None) -> str:
        """``0.4 * x1 + 0.16 * x2 < 0.11``."""
        terms = _terms_text(self.terms, digits)
        return bounds_text(terms, self.low, self.high, partial(number_text, digits=digits), negated=False)

    def write(self, pool: Pool, place: Place) -> None:
        """As a list of terms and a bound."""
        terms = [(term.weight, place(term.column), term.code) for term in self.terms]
        pool.add_sum(terms, self.low, self.high, or_missing=self.or_missing)

    def cells(self, grid: Grid) -> Cells:
        """Refused: they depend on several columns."""
        raise ParameterError(f"{self} asks several columns together, which have no cells of their own.")

    def condition(self, fields: "Fields") -> "Term":
        """As bounds of a derived field."""
        above = None if self.low is None else Cut(self.low.value, not self.low.closed)
        below = None if self.high is None else Cut(self.high.value, self.high.closed)
        return fields.sum(self.terms, str(self), above, below, missing=self.or_missing)


def _real(bound: Bound | None) -> Bound | None:
    if bound is None:
        return None
    if math.isnan(bound.value):
        raise ParameterError("NaN bounds no sum.")
    return Bound(float(bound.value), bool(bound.closed))


def _terms_text(terms: Sequence[SumTerm], digits: int | None) -> str:
    """The terms with their signs between them."""
    parts = []
    for weight, column, code in terms:
        name = name_text(column.name)
        what = name if code < 0 else f"[{name} = {label_text((column.levels or ())[code])}]"
        parts.append("-" if math.copysign(1.0, weight) < 0 else "+")
        parts.append(f"{number_text(abs(weight), digits)} * {what}")
    return ("-" if parts[0] == "-" else "") + " ".join(parts[1:])
