"""Which of several sums of the same terms is the largest: a linear machine, or linear discriminant functions.

Its values are the numbers of the sums. What leads to one of them is that it beats each of the others: the difference of
two sums is a sum, so that a region is an intersection of half-spaces, for those who ask sums alone.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.features.feature import Cell, Listed, Number, Parts, Side, Sum, Unknown
from bough.model.features.linear import Linear, LinearTerm, with_commas
from bough.table import Column, format_text

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Largest", "Rival", "machine_terms"]

_LEVELS = 1  # the kind of splits that ask it
_MOST_COLUMNS = 4
_DIGITS = 4


class Rival(NamedTuple):
    """Two sums against each other: the first wins where the difference is at least the edge."""

    difference: "Difference"
    edge: float


class Difference(Linear):
    """The difference of two sums without their constants; missing where it is not finite."""

    __slots__ = ()

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The sum, if it is finite."""
        value = super().value(row)
        return value if isinstance(value, str) or math.isfinite(value) else "missing"

    def expression(self) -> Sum:
        """The terms as factors."""
        return super().as_sum()._replace(finite=True)


class Largest:
    """The number of the largest of some sums, the lowest of equal ones.

    Parameters
    ----------
    terms : sequence of LinearTerm
        What all sums add; the weight of each is how far its weights lie apart, see `machine_terms`.
    rows : sequence of sequence of float
        By sum: a weight for each term, then a constant.
    schema : sequence of Column
    whole, unseen_is_missing : bool
        As for `Linear`.

    Examples
    --------
    >>> from bough.model.features import LinearTerm
    >>> from bough.model.features.largest import Largest, machine_terms
    >>> from bough.table import Column
    >>> schema = [Column("plas", "numeric", "float64"), Column("age", "numeric", "float64")]
    >>> rows = [[1.0, 0.0, -100.0], [0.0, 2.0, 0.0], [0.0, 0.0, 20.0]]
    >>> terms = machine_terms([LinearTerm(0, -1, 1.0, 120.9), LinearTerm(1, -1, 1.0, 33.0)], rows)
    >>> machine = Largest(terms, rows, schema)
    >>> machine.words(), machine.sum_words(0)
    ('largest of 3 sums of age, plas', '1 plas - 100')
    >>> machine.value([150.0, 5.0]), machine.value([90.0, 50.0]), machine.value([None, None])
    (0, 1, 'missing')
    """

    has_cells: ClassVar[bool] = False

    def __init__(
        self,
        terms: Sequence[LinearTerm],
        rows: Sequence[Sequence[float]],
        schema: Sequence[Column],
        *,
        whole: bool = False,
        unseen_is_missing: bool = True,
    ) -> None:
        self.terms = tuple(terms)
        self.rows = tuple(map(tuple, rows))
        self._schema = schema
        self.whole = whole
        self.unseen_is_missing = unseen_is_missing

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "Largest":
        """The machine that a split of the kernel asks."""
        pool: Any = arrays
        shared = Linear.read(arrays, split, schema, unseen_is_missing=unseen_is_missing)
        number, width = int(pool.split_feature[split]), len(shared.terms) + 1
        flat = pool.mac_weight[pool.mac_begin[number] : pool.mac_begin[number + 1]]
        rows = flat.reshape(-1, width).tolist()
        return cls(shared.terms, rows, schema, whole=shared.whole, unseen_is_missing=unseen_is_missing)

    @cached_property
    def _shared(self) -> Linear:
        """The terms, weighted by how far their weights lie apart."""
        return Linear(self.terms, self._schema, whole=self.whole, unseen_is_missing=self.unseen_is_missing)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the terms, those first that tell the sums apart most."""
        return self._shared.columns

    @property
    def n_values(self) -> int:
        """A weight for each term and a constant, of each sum."""
        return sum(map(len, self.rows))

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """How many sums there are and of what."""
        names = [format_text(self._schema[column].name, quoted=quoted) for column in self.columns]
        shown = names if exact else names[:_MOST_COLUMNS]
        more = f" ... (+{len(names) - len(shown)})" if len(shown) < len(names) else ""
        return f"{self._lead} {', '.join(shown)}{more}"

    @property
    def _lead(self) -> str:
        return f"largest of {len(self.rows)} sums of"

    def listed(self) -> Listed | None:
        """The columns of the sums."""
        names = [format_text(self._schema[column].name, quoted=False) for column in self.columns]
        return Listed(self._lead, with_commas(names), "column")

    def sum_words(self, number: int, *, exact: bool = False, quoted: bool = True) -> str:
        """One of the sums; its weightiest terms with short numbers, or all of them exactly."""
        constant = self.rows[number][-1]
        text = self._sum(number).words(exact=exact, quoted=quoted)
        size = repr(abs(constant)) if exact else f"{abs(constant):.{_DIGITS}g}"
        if not text:
            return f"-{size}" if constant < 0 else size
        return f"{text} {'-' if constant < 0 else '+'} {size}" if constant else text

    def sum_listed(self, number: int) -> Listed | None:
        """One of the sums in pieces, its constant first; None if it has no terms, or is a distance."""
        sums, constant = self._sum(number), self.rows[number][-1]
        listed = sums.listed() if sums.terms and not sums.is_distance else None
        if listed is None or not constant:
            return listed
        first, *others = listed.items
        signed = f"- {first[1:]}" if first.startswith("-") else f"+ {first}"
        return Listed(f"{constant:.{_DIGITS}g}", (signed, *others), listed.noun)

    def _sum(self, number: int) -> Linear:
        """One of the sums without its constant."""
        *weights, _ = self.rows[number]
        terms = [term._replace(weight=weight) for term, weight in zip(self.terms, weights, strict=True) if weight]
        return Linear(terms, self._schema)

    def missing_words(self, *, quoted: bool = True) -> str:
        """That nothing is known of it."""
        return self._shared.missing_words(quoted=quoted)

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """The number of a sum."""
        return str(int(number))

    def shown(self, number: Number, side: Side) -> Any:
        """The number of a sum."""
        return int(number)

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The number of the largest sum; missing also where a sum is not finite."""
        sums = self.sums(row)
        return sums if isinstance(sums, str) else sums.index(max(sums))

    def sums(self, row: Sequence[Cell]) -> list[float] | Unknown:
        """What each sum adds up to for a row; missing where one is not finite."""
        counted = self._shared.counted(row)
        if isinstance(counted, str):
            return counted
        sums = []
        for *weights, constant in self.rows:
            total = 0.0
            for weight, number in zip(weights, counted, strict=True):
                total += weight * number
            sums.append(total + constant)
        return sums if all(map(math.isfinite, sums)) else "missing"

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """What each column adds to the lead of the largest sum before the next one."""
        sums = self.sums(row)
        if isinstance(sums, str) or len(sums) < 2:
            return None
        first, second = sorted(range(len(sums)), key=lambda number: -sums[number])[:2]
        *own, _ = self.rows[first]
        *other, _ = self.rows[second]
        terms = [term._replace(weight=a - b) for term, a, b in zip(self.terms, own, other, strict=True)]
        lead = Difference(terms, self._schema, whole=self.whole, unseen_is_missing=self.unseen_is_missing)
        words = f"{self.sum_words(first)} is largest, {sums[first]:.{_DIGITS}g}"
        words += f", before {self.sum_words(second)} with {sums[second]:.{_DIGITS}g}"
        return Parts(lead.added(row), "lead", sums[first] - sums[second], words)

    @cached_property
    def rivals(self) -> dict[tuple[int, int], Rival]:
        """For each two sums, the lower number first: their difference, and from where on the first wins."""
        found = {}
        for second in range(1, len(self.rows)):
            for first in range(second):
                *own, constant = self.rows[first]
                *other, further = self.rows[second]
                terms = [term._replace(weight=a - b) for term, a, b in zip(self.terms, own, other, strict=True)]
                difference = Difference(terms, self._schema, whole=self.whole, unseen_is_missing=self.unseen_is_missing)
                found[first, second] = Rival(difference, further - constant)
        return found

    def expression(self) -> Sum:
        """The terms, as far as they say what is known of it; `rivals` say which sum wins."""
        return self._shared.as_sum()._replace(finite=True)

    def ask(self, builder: Any) -> None:
        """As terms and the weights of each sum."""
        builder.ask_sum(self.terms, whole=self.whole, machine=[number for row in self.rows for number in row])

    @staticmethod
    def is_asked_by(arrays: "Arrays", split: int) -> bool:
        """Whether a split asks which sum is the largest."""
        return bool(Largest.is_asked(arrays, np.array([split]))[0])

    @staticmethod
    def is_asked(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """The same for many."""
        numbers = getattr(arrays, "split_feature", ())
        if not len(numbers):
            return np.zeros(len(splits), dtype=bool)
        return np.asarray((numbers[splits] >= 0) & (arrays.split_kind[splits] == _LEVELS))

    shares = staticmethod(Linear.shares)


def machine_terms(terms: Sequence[LinearTerm], rows: Sequence[Sequence[float]]) -> list[LinearTerm]:
    """Terms of several sums, with how far their weights lie apart as weight, as the kernel wants it."""
    return [
        term._replace(weight=max(own) - min(own))
        for term, own in zip(terms, zip(*(row[:-1] for row in rows), strict=True), strict=True)
    ]
