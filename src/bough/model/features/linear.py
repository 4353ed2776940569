"""A sum of terms: weights times the values of numeric columns, the codes of ordered levels, indicators of levels, or
times the product of two of these.

A threshold of a sum is a plane across several columns, with products a curve. So there is no set of values of one
column that leads to a branch, and what rests on such sets (merged conditions, counterfactuals by cells) must ask
`Test.has_cells` first.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.features.feature import Cell, Factor, Listed, Net, Number, Parts, Product, Side, Sum, Unknown
from bough.table import UNSEEN, Column, format_label, format_text, format_value
from bough.table.temporal import parse_temporal

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["MOST_TERMS", "Linear", "LinearTerm", "sum_in_words", "with_commas"]

MOST_TERMS = 4  # in short words
_DIGITS = 4
_LEVELS = 1  # a set of levels of a list of terms asks which of several sums is the largest: `Largest`


class LinearTerm(NamedTuple):
    """One term of a sum, as the kernel's builder takes it.

    Attributes
    ----------
    column : int
        The position in the schema.
    code : int
        -1: the value of a numeric column, or the code of an ordered level; else 1 for this level, 0 for others.
    weight : float
        In the units of the column.
    fill : float
        What a missing value counts as.
    scale : float
        The standard deviation of the term in the node: for the order in drawings, and for importance.
    origin : int
        Subtracted from a value first, in the column's own type.
    other, other_code, other_origin : int
        The same of the second factor of a product; -1, -1 and 0 where there is none.
    centre, other_centre : float
        Subtracted next from the factors of a product: it is (first - centre) * (second - other_centre).
    """

    column: int
    code: int
    weight: float
    fill: float
    scale: float = 1.0
    origin: int = 0
    other: int = -1
    other_code: int = -1
    other_origin: int = 0
    centre: float = 0.0
    other_centre: float = 0.0

    @property
    def factors(self) -> tuple[Factor, ...]:
        """What is multiplied, or the one thing that counts."""
        first = Factor(self.column, self.code, self.origin, self.centre)
        if self.other < 0:
            return (first,)
        return first, Factor(self.other, self.other_code, self.other_origin, self.other_centre)

    @property
    def is_square(self) -> bool:
        """Whether it is the square of how far a column is from a centre."""
        return self.other == self.column and self.centre == self.other_centre


_FIELDS = LinearTerm._fields[:6]  # of terms of one factor


class Linear:
    """The sum of the terms in their order, in plain doubles, so that a row has the same sum wherever it is asked for.

    Parameters
    ----------
    terms : sequence of LinearTerm
    schema : sequence of Column
    whole : bool, default=False
        Whether one missing term makes the sum missing; else missing terms count what their `fill` says, and the sum is
        missing if all of them are.
    unseen_is_missing : bool, default=True
        Whether a level that no training row held counts as a missing one.

    Examples
    --------
    >>> from bough.model.features import Linear, LinearTerm
    >>> from bough.table import Column
    >>> schema = [Column("plas", "numeric", "float64"), Column("age", "numeric", "float64")]
    >>> score = Linear([LinearTerm(0, -1, 0.62, 120.9, 30.0), LinearTerm(1, -1, -0.2, 33.0, 11.0)], schema)
    >>> score.words()
    '0.62 plas - 0.2 age'
    >>> score.value([100.0, 50.0]), score.value([100.0, None]), score.value([None, None])
    (52.0, 55.4, 'missing')

    Products make a curve of a plane. Squares alone are the squared distance from a centre.

    >>> product = LinearTerm(0, -1, 0.01, 12.0, other=1, centre=120.0, other_centre=33.0)
    >>> Linear([LinearTerm(0, -1, 0.62, 120.9, 30.0), product], schema).words()
    '0.62 plas + 0.01 (plas - 120) * (age - 33)'
    >>> square = LinearTerm(0, -1, 0.01, 900.0, other=0, centre=120.0, other_centre=120.0)
    >>> Linear([square, square._replace(column=1, other=1, centre=33.0, other_centre=33.0)], schema).words()
    'distance to (plas 120, age 33)'
    """

    __slots__ = ("_schema", "is_distance", "terms", "unseen_is_missing", "whole")

    has_cells: ClassVar[bool] = False

    def __init__(
        self,
        terms: Sequence[LinearTerm],
        schema: Sequence[Column],
        *,
        whole: bool = False,
        unseen_is_missing: bool = True,
    ) -> None:
        self.terms = tuple(terms)
        self._schema = schema
        self.whole = whole
        self.unseen_is_missing = unseen_is_missing
        self.is_distance = bool(self.terms) and all(term.is_square and term.weight > 0 for term in self.terms)

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "Linear":
        """The sum that a split of the kernel asks."""
        pool: Any = arrays
        number = int(pool.split_feature[split])
        own = slice(pool.lin_begin[number], pool.lin_begin[number + 1])
        names = LinearTerm._fields if len(getattr(pool, "lin_other", ())) else _FIELDS
        lists = (getattr(pool, f"lin_{name}")[own].tolist() for name in names)
        whole = bool(len(pool.lin_whole) and pool.lin_whole[number])
        terms = [LinearTerm(*term) for term in zip(*lists, strict=True)]
        return cls(terms, schema, whole=whole, unseen_is_missing=unseen_is_missing)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the terms, that of the weightiest first."""
        return tuple(dict.fromkeys(factor.column for term in self._by_weight() for factor in term.factors))

    @property
    def n_values(self) -> int:
        """A weight for each term."""
        return len(self.terms)

    @property
    def is_curved(self) -> bool:
        """Whether some term is a product."""
        return any(term.other >= 0 for term in self.terms)

    def _by_weight(self) -> list[LinearTerm]:
        return sorted(self.terms, key=lambda term: -abs(term.weight * term.scale))

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """The weightiest terms with short numbers; exactly, all of them in the order in which they are added."""
        shown = self.terms if exact else self._by_weight()[:MOST_TERMS]
        left = len(self.terms) - len(shown)
        if self.is_distance and not exact:
            told = ", ".join(self._place_words(term, quoted=quoted) for term in shown)
            return f"distance to ({told}{f', ... (+{left})' if left else ''})"
        text = " ".join(self._signed_words(shown, exact=exact, quoted=quoted))
        return f"{text} ... (+{left})" if left else text

    def listed(self) -> Listed | None:
        """Its terms with their signs; of a distance the places of the columns."""
        terms = self._by_weight()
        if self.is_distance:
            places = [self._place_words(term, quoted=False) for term in terms]
            return Listed("distance to", with_commas(places), "column")
        return Listed("", tuple(self._signed_words(terms, exact=False, quoted=False)), "term")

    def _signed_words(self, terms: Sequence[LinearTerm], *, exact: bool, quoted: bool) -> list[str]:
        """Each of some terms as it stands behind those before it."""
        told: list[str] = []
        for term in terms:
            sign = ("- " if told else "-") if term.weight < 0 else "+ " if told else ""
            weight = repr(abs(term.weight)) if exact else f"{abs(term.weight):.{_DIGITS}g}"
            told.append(f"{sign}{weight} {self._term_words(term, exact=exact, quoted=quoted)}")
        return told

    def _term_words(self, term: LinearTerm, *, exact: bool, quoted: bool) -> str:
        told = [self._factor_words(factor, exact=exact, quoted=quoted) for factor in term.factors]
        return f"{told[0]}^2" if term.is_square else " * ".join(told)

    def _factor_words(self, factor: Factor, *, exact: bool, quoted: bool) -> str:
        column = self._schema[factor.column]
        name = format_text(column.name, quoted=quoted)
        if factor.code >= 0:
            return f"[{name} = {format_label((column.levels or ())[factor.code], quoted=quoted)}]"
        if not factor.origin and not factor.centre:
            return name
        less = f" - {format_value(column, factor.origin)}" if factor.origin else ""
        if factor.centre:
            size = repr(abs(factor.centre)) if exact else f"{abs(factor.centre):.{_DIGITS}g}"
            less += f" {'+' if factor.centre < 0 else '-'} {size}"
        return f"({name}{less})"

    def _place_words(self, term: LinearTerm, *, quoted: bool) -> str:
        """A column and its place in the centre of a distance."""
        column = self._schema[term.column]
        timed = column.kind == "numeric" and parse_temporal(column.dtype) is not None
        if timed or term.origin:
            place = format_value(column, term.origin + round(term.centre))
        else:
            place = f"{term.centre:.{_DIGITS}g}"
        return f"{format_text(column.name, quoted=quoted)} {place}"

    def missing_words(self, *, quoted: bool = True) -> str:
        """That nothing is known of it."""
        names = [format_text(self._schema[column].name, quoted=quoted) for column in self.columns]
        if self.whole or len(names) == 1:
            return f"{' or '.join(names)} is missing"
        return f"{', '.join(names[:-1])} and {names[-1]} are missing"

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """A threshold: all digits, or few; of a distance its root, as the terms add up to its square."""
        if exact:
            return repr(float(number))
        return f"{math.sqrt(max(number, 0.0)) if self.is_distance else number:.{_DIGITS}g}"

    def shown(self, number: Number, side: Side) -> Any:
        """A threshold is a number."""
        return float(number)

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The sum; missing also where it is no number (infinite values of both signs)."""
        counted = self.counted(row)
        if isinstance(counted, str):
            return counted
        total = 0.0
        for term, number in zip(self.terms, counted, strict=True):
            total += term.weight * number
        return "missing" if math.isnan(total) else total

    def counted(self, row: Sequence[Cell]) -> list[float] | Unknown:
        """What each term counts before it is weighted, or why the sum is not known."""
        counted, known, gap = [], False, False
        for term in self.terms:
            value, has = 1.0, True
            for factor in term.factors:
                cell = row[factor.column]
                if cell == UNSEEN and self._schema[factor.column].kind != "numeric":
                    if not self.unseen_is_missing:
                        return "unseen"
                    cell = None
                has = has and cell is not None
                value *= 0.0 if cell is None else self._number(factor, cell)
            known, gap = known or has, gap or not has
            counted.append(value if has else term.fill)
        return "missing" if not known or (gap and self.whole) else counted

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """Weight times (value less fill), by the columns of the terms."""
        value = self.value(row)
        if isinstance(value, str):
            return None
        of = "squared distance" if self.is_distance else "sum"
        words = f"{self.words()} is {self.text(value, 'le', exact=False)}"
        return Parts(self.added(row), of, float(value), words)

    def added(self, row: Sequence[Cell]) -> dict[tuple[int, ...], float]:
        """By the columns of the terms, what a row whose sum is known adds to what the terms count without it."""
        found: dict[tuple[int, ...], float] = {}
        counted = self.counted(row)
        for term, number in zip(self.terms, () if isinstance(counted, str) else counted, strict=True):
            place = tuple(dict.fromkeys(factor.column for factor in term.factors))
            found[place] = found.get(place, 0.0) + term.weight * (number - term.fill)
        return found

    def _number(self, factor: Factor, cell: Number) -> float:
        """What a known cell counts as."""
        if factor.code >= 0:
            return 1.0 if cell == factor.code else 0.0
        column = self._schema[factor.column]
        if column.kind != "numeric":
            number = float(cell)
        elif isinstance(cell, float) or (column.dtype == "uint64" and factor.origin < 0):
            number = float(cell) - float(factor.origin)
        else:
            number = float(cell - factor.origin)  # of integers, exact before it is rounded
        return number - factor.centre

    def expression(self) -> Sum | Net:
        """The terms as factors."""
        return self.as_sum()

    def as_sum(self) -> Sum:
        """The terms as factors of products that are added."""
        return Sum(
            tuple(Product(term.weight, term.factors, term.fill) for term in self.terms),
            self.whole,
            self.unseen_is_missing,
        )

    def ask(self, builder: Any) -> None:
        """As terms of a sum."""
        builder.ask_sum(self.terms, whole=self.whole)

    @staticmethod
    def is_asked_by(arrays: "Arrays", split: int) -> bool:
        """Whether a split asks a sum."""
        return bool(Linear.is_asked(arrays, np.array([split]))[0])

    @staticmethod
    def is_asked(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """The same for many."""
        numbers, units = getattr(arrays, "split_feature", ()), getattr(arrays, "net_hidden", ())
        if not len(numbers):  # empty in trees without sums
            return np.zeros(len(splits), dtype=bool)
        lists = np.asarray(numbers)[splits]
        plain = (np.asarray(units)[lists] == 0) if len(units) else True
        return np.asarray((lists >= 0) & (np.asarray(arrays.split_kind)[splits] != _LEVELS) & plain)

    @staticmethod
    def shares(
        arrays: "Arrays", splits: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The columns of the terms of some sums, how many each, and what part each has in it: |weight x scale|.

        The two columns of a product have half of its part each.
        """
        pool: Any = arrays
        if not len(splits):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        lists = pool.split_feature[splits].astype(np.int64)
        sizes = pool.lin_begin[lists + 1] - pool.lin_begin[lists]
        starts = np.cumsum(sizes) - sizes
        terms = np.repeat(pool.lin_begin[lists] - starts, sizes) + np.arange(sizes.sum())
        size = np.abs(pool.lin_weight[terms] * pool.lin_scale[terms])
        columns, parts = pool.lin_column[terms].astype(np.int64), size / np.repeat(np.add.reduceat(size, starts), sizes)
        if len(getattr(pool, "lin_other", ())) == 0:
            return columns, sizes, parts
        other = pool.lin_other[terms].astype(np.int64)
        twice = other >= 0
        times = 1 + twice
        ends = np.cumsum(times)
        columns, parts = np.repeat(columns, times), np.repeat(parts / times, times)
        columns[ends[twice] - 1] = other[twice]
        return columns, np.add.reduceat(times, starts), parts


def with_commas(names: Sequence[str]) -> tuple[str, ...]:
    """Names as they stand in a list."""
    return (*(f"{name}," for name in names[:-1]), *names[-1:])


def sum_in_words(terms: Sequence[LinearTerm], schema: Sequence[Column]) -> str:
    """The weightiest terms of a sum with short numbers; empty without terms."""
    return Linear(terms, schema).words() if terms else ""
