"""A sum of terms: weights times the values of numeric columns, the codes of ordered levels, indicators of levels.

A threshold of a sum is a plane across several columns. So there is no set of values of one column that leads to a
branch, and what rests on such sets (merged conditions, exact counterfactuals) must ask `Test.has_cells` first.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.features.feature import Cell, Factor, Number, Product, Side, Sum, Unknown
from bough.table import UNSEEN, Column, format_label, format_text, format_value

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Linear", "LinearTerm", "sum_in_words"]

_MOST_TERMS = 4  # in short words
_DIGITS = 4


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
    """

    column: int
    code: int
    weight: float
    fill: float
    scale: float = 1.0
    origin: int = 0


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
    """

    __slots__ = ("_schema", "terms", "unseen_is_missing", "whole")

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

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "Linear":
        """The sum that a split of the kernel asks."""
        pool: Any = arrays
        number = int(pool.split_feature[split])
        own = slice(pool.lin_begin[number], pool.lin_begin[number + 1])
        lists = (getattr(pool, f"lin_{name}")[own].tolist() for name in LinearTerm._fields)
        whole = bool(len(pool.lin_whole) and pool.lin_whole[number])
        terms = [LinearTerm(*term) for term in zip(*lists, strict=True)]
        return cls(terms, schema, whole=whole, unseen_is_missing=unseen_is_missing)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the terms, that of the weightiest first."""
        return tuple(dict.fromkeys(term.column for term in self._by_weight()))

    @property
    def n_values(self) -> int:
        """A weight for each term."""
        return len(self.terms)

    def _by_weight(self) -> list[LinearTerm]:
        return sorted(self.terms, key=lambda term: -abs(term.weight * term.scale))

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """The weightiest terms with short numbers; exactly, all of them in the order in which they are added."""
        shown = self.terms if exact else self._by_weight()[:_MOST_TERMS]
        text = ""
        for term in shown:
            sign = ("- " if text else "-") if term.weight < 0 else "+ " if text else ""
            weight = repr(abs(term.weight)) if exact else f"{abs(term.weight):.{_DIGITS}g}"
            text += f"{' ' if text else ''}{sign}{weight} {self._term_words(term, quoted=quoted)}"
        left = len(self.terms) - len(shown)
        return f"{text} ... (+{left})" if left else text

    def _term_words(self, term: LinearTerm, *, quoted: bool) -> str:
        column = self._schema[term.column]
        name = format_text(column.name, quoted=quoted)
        if term.code >= 0:
            return f"[{name} = {format_label((column.levels or ())[term.code], quoted=quoted)}]"
        return f"({name} - {format_value(column, term.origin)})" if term.origin else name

    def missing_words(self, *, quoted: bool = True) -> str:
        """That nothing is known of it."""
        names = [format_text(self._schema[column].name, quoted=quoted) for column in self.columns]
        if self.whole or len(names) == 1:
            return f"{' or '.join(names)} is missing"
        return f"{', '.join(names[:-1])} and {names[-1]} are missing"

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """A threshold: all digits, or few."""
        return repr(float(number)) if exact else f"{number:.{_DIGITS}g}"

    def shown(self, number: Number, side: Side) -> Any:
        """A threshold is a number."""
        return float(number)

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The sum; missing also where it is no number (infinite values of both signs)."""
        total, known, gap = 0.0, False, False
        for term in self.terms:
            cell = row[term.column]
            if cell == UNSEEN and self._schema[term.column].kind != "numeric":
                if not self.unseen_is_missing:
                    return "unseen"
                cell = None
            if cell is None:
                gap = True
            else:
                known = True
            total += term.weight * (term.fill if cell is None else self._number(term, cell))
        return "missing" if not known or (gap and self.whole) or math.isnan(total) else total

    def _number(self, term: LinearTerm, cell: Number) -> float:
        """What a known cell counts as."""
        if term.code >= 0:
            return 1.0 if cell == term.code else 0.0
        column = self._schema[term.column]
        if column.kind != "numeric":
            return float(cell)
        if isinstance(cell, float) or (column.dtype == "uint64" and term.origin < 0):
            return float(cell) - float(term.origin)
        return float(cell - term.origin)  # of integers, exact before it is rounded

    def expression(self) -> Sum:
        """The terms as factors."""
        return Sum(
            tuple(
                Product(term.weight, (Factor(term.column, term.code, term.origin),), term.fill) for term in self.terms
            )
        )

    def ask(self, builder: Any) -> None:
        """As terms of a sum."""
        builder.ask_sum(self.terms, whole=self.whole)

    @staticmethod
    def is_asked_by(arrays: "Arrays", split: int) -> bool:
        """Whether a split asks a sum."""
        numbers = getattr(arrays, "split_feature", ())  # empty in trees without sums
        return len(numbers) > 0 and bool(numbers[split] >= 0)

    @staticmethod
    def is_asked(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """The same for many."""
        numbers = getattr(arrays, "split_feature", ())
        return np.asarray(numbers[splits] >= 0) if len(numbers) else np.zeros(len(splits), dtype=bool)

    @staticmethod
    def shares(
        arrays: "Arrays", splits: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The columns of the terms of some sums, how many each, and what part each has in it: |weight x scale|."""
        pool: Any = arrays
        if not len(splits):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        lists = pool.split_feature[splits].astype(np.int64)
        sizes = pool.lin_begin[lists + 1] - pool.lin_begin[lists]
        starts = np.cumsum(sizes) - sizes
        terms = np.repeat(pool.lin_begin[lists] - starts, sizes) + np.arange(sizes.sum())
        size = np.abs(pool.lin_weight[terms] * pool.lin_scale[terms])
        return pool.lin_column[terms].astype(np.int64), sizes, size / np.repeat(np.add.reduceat(size, starts), sizes)


def sum_in_words(terms: Sequence[LinearTerm], schema: Sequence[Column]) -> str:
    """The weightiest terms of a sum with short numbers; empty without terms."""
    return Linear(terms, schema).words() if terms else ""
