"""The field of a program that is no column but a weighted sum of columns: oblique tests and rules on sums ask it.

A condition asks it as it asks any number, so that writers need one thing more: to write a sum. Terms are added in their
order, in plain doubles, as the model adds them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from bough.table import Column, Label

__all__ = ["Addend", "Derived"]

_MISSING, _UNSEEN = -1, -2  # as program.py numbers levels that are none


@dataclass(frozen=True)
class Addend:
    """A weight times what one field gives; `fill` stands for that where the field is missing.

    A number counts less its `origin`; of levels `values` has what each of them counts: an indicator, or its code. With
    an `other` field the numbers of both, less the `centre` of each, are multiplied, and one that is missing makes the
    product missing; weight and fill of the other say nothing. The field may be a sum that stands before, as a unit of a
    network does.
    """

    field: int
    weight: float
    fill: float
    origin: int = 0
    values: tuple[float, ...] = ()
    centre: float = 0.0
    other: "Addend | None" = None

    @property
    def factors(self) -> tuple["Addend", ...]:
        """What is multiplied: itself, and the other if there is one."""
        return (self,) if self.other is None else (self, self.other)

    def number(self, cell: float | int) -> float:
        """What a known number counts, before it is weighted."""
        less = float(cell) - float(self.origin) if isinstance(cell, float) else float(cell - self.origin)
        return less - self.centre


@dataclass(frozen=True)
class Derived:
    """A sum of terms: a number, or missing. A network is a sum of sums that are squashed.

    Parameters
    ----------
    terms : tuple of Addend
        In the order in which they are added.
    name : str
        The sum in words, for comments.
    whole : bool, default=False
        Whether one missing term makes the sum missing; else a missing term counts its fill, and the sum is missing if
        all of its terms are.
    unseen : {"missing", "unknown", "other"}
        What a level is that no training row held: a missing one; one that makes the sum missing; or a level like any
        other, that counts 0.
    constant : float, default=0.0
        To which the terms are added.
    squashed : bool, default=False
        Whether the field is the tanh of the sum.
    """

    terms: tuple[Addend, ...]
    name: str = ""
    whole: bool = False
    unseen: Literal["missing", "unknown", "other"] = "missing"
    constant: float = 0.0
    squashed: bool = False

    kind: ClassVar[Literal["real"]] = "real"
    levels: ClassVar[tuple[Label, ...]] = ()
    labels: ClassVar[Literal[""]] = ""

    @cached_property
    def column(self) -> Column:
        """A column of such numbers."""
        return Column(self.name, "numeric", "float64")

    def table(self, term: Addend) -> tuple[float, ...]:
        """What each level of a term counts: one never seen, a missing one, then those that have a number.

        NaN makes the sum missing.
        """
        gone = math.nan if self.whole else term.fill
        return ({"missing": gone, "unknown": math.nan, "other": 0.0}[self.unseen], gone, *term.values)

    def parts(self, row: Sequence[Any]) -> list[float] | None:
        """What the terms of a case, with the sums before, add; None where the sum is missing because terms are."""
        parts, known = [], False
        for term in self.terms:
            cell = row[term.field]
            if term.values:
                gone = cell == _MISSING or (cell == _UNSEEN and self.unseen == "missing")
                value = self.table(term)[cell + 2]
            else:
                gone = any(_is_gone(row[factor.field]) for factor in term.factors)
                counted = () if gone else [factor.number(row[factor.field]) for factor in term.factors]
                value = (math.nan if self.whole else term.fill) if gone else math.prod(counted)
            known = known or not gone
            parts.append(term.weight * value)
        return None if not known or any(map(math.isnan, parts)) else parts

    def value(self, row: Sequence[Any]) -> float | None:
        """The sum of a case; None where it is missing or no number, as where infinite terms have both signs."""
        parts = self.parts(row)
        if parts is None:
            return None
        total = self.constant
        for part in parts:
            total += part
        return None if math.isnan(total) else math.tanh(total) if self.squashed else total

    def gaps(self) -> list[tuple[int, ...]]:
        """By term that is missing otherwise than those before: the fields of which one that is missing makes it so."""
        return list(dict.fromkeys(tuple(dict.fromkeys(f.field for f in term.factors)) for term in self.terms))


def _is_gone(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
