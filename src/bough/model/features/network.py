"""A small network of terms: they feed units, and the number is a constant and a weighted sum of the units' tanh.

A threshold of it is a curve across several columns, so that as little can be said of single columns as with sums.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.features.feature import Cell, Listed, Net, Number, Parts, Unit, Unknown
from bough.model.features.linear import Linear, LinearTerm, with_commas
from bough.table import Column, format_text

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Network"]

_MOST_COLUMNS = 4  # in short words
_MOST_UNITS = 64


class Network(Linear):
    """A number that a hidden layer makes of the terms: terms are added in their order, then the units in theirs.

    Parameters
    ----------
    terms : sequence of LinearTerm
        Their weights are worked out: the pull of a term, which is how fast the number can move with it, the sum of
        |weight to a unit x what the unit counts|. It decides the order in words, and importance.
    numbers : sequence of float
        For each term the weights that lead to the units, in the units of the column; the constants of the units; what
        each unit counts; the constant of all.
    units : int
        At most 64.
    schema : sequence of Column
    whole, unseen_is_missing
        As for `Linear`.

    Examples
    --------
    >>> from bough.model.features import LinearTerm, Network
    >>> from bough.table import Column
    >>> schema = [Column("x", "numeric", "float64"), Column("y", "numeric", "float64")]
    >>> terms = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(1, -1, 1.0, 0.5)]
    >>> bump = Network(terms, [1.0, -1.0, 2.0, -2.0, 0.0, 0.0, 0.5, 0.5, 0.25], 2, schema)
    >>> bump.words()
    'network of 2 units on y, x'
    >>> bump.value([1.0, 1.0]), bump.value([None, None])
    (0.25, 'missing')
    """

    __slots__ = ("numbers", "units")

    def __init__(
        self,
        terms: Sequence[LinearTerm],
        numbers: Sequence[float],
        units: int,
        schema: Sequence[Column],
        *,
        whole: bool = False,
        unseen_is_missing: bool = True,
    ) -> None:
        size = (len(terms) + 1) * units + units + 1
        if not 0 < units <= _MOST_UNITS or len(numbers) != size:
            raise ParameterError(
                f"a network of {units} units, 1 to {_MOST_UNITS}, on {len(terms)} terms has {size} numbers; "
                f"got {len(numbers)}."
            )
        self.units = units
        self.numbers = tuple(map(float, numbers))
        pulled = [term._replace(weight=self._pull(place)) for place, term in enumerate(terms)]
        super().__init__(pulled, schema, whole=whole, unseen_is_missing=unseen_is_missing)
        self.is_distance = False

    def _pull(self, term: int) -> float:
        pull = 0.0
        for weight, counts in zip(self._leading(term), self._counts, strict=True):
            pull += abs(weight * counts)
        return pull

    def _leading(self, term: int) -> tuple[float, ...]:
        """The weights from a term to the units; behind the last term: the constants of the units."""
        return self.numbers[term * self.units : (term + 1) * self.units]

    @property
    def _counts(self) -> tuple[float, ...]:
        return self.numbers[-self.units - 1 : -1]

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "Network":
        """The network that a split of the kernel asks."""
        pool: Any = arrays
        number = int(pool.split_feature[split])
        terms = Linear.read(arrays, split, schema, unseen_is_missing=unseen_is_missing)
        numbers = pool.net_weight[pool.net_begin[number] : pool.net_begin[number + 1]].tolist()
        units = int(pool.net_hidden[number])
        return cls(terms.terms, numbers, units, schema, whole=terms.whole, unseen_is_missing=unseen_is_missing)

    @property
    def n_values(self) -> int:
        """All of its numbers."""
        return len(self.numbers)

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """How large it is and what it reads, the weightiest first; exactly, the whole formula."""
        if not exact:
            names = [format_text(self._schema[column].name, quoted=quoted) for column in self.columns]
            left = len(names) - _MOST_COLUMNS
            listed = ", ".join(names[:_MOST_COLUMNS]) + (f" ... (+{left})" if left > 0 else "")
            return f"{self._lead} {listed}"
        text = repr(self.numbers[-1])
        for unit, counts in enumerate(self._counts):
            inner = repr(self._leading(len(self.terms))[unit])
            for place, term in enumerate(self.terms):
                weight = self._leading(place)[unit]
                inner += f" {_signed(weight)} {self._term_words(term, exact=True, quoted=quoted)}"
            text += f" {_signed(counts)} tanh({inner})"
        return text

    @property
    def _lead(self) -> str:
        return f"network of {self.units} {'unit' if self.units == 1 else 'units'} on"

    def listed(self) -> Listed | None:
        """What it reads."""
        names = [format_text(self._schema[column].name, quoted=False) for column in self.columns]
        return Listed(self._lead, with_commas(names), "column")

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The number; missing also where it is none (infinite values)."""
        counted = self.counted(row)
        if isinstance(counted, str):
            return counted
        sums = list(self._leading(len(self.terms)))
        for place, value in enumerate(counted):
            for unit, weight in enumerate(self._leading(place)):
                sums[unit] += weight * value
        number = self.numbers[-1]
        for counts, total in zip(self._counts, sums, strict=True):
            number += counts * math.tanh(total)
        return "missing" if math.isnan(number) else number

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """None: terms are not added up."""
        return None

    def expression(self) -> Net:
        """The sums that feed the units, and what these count."""
        sums = self.as_sum()
        return Net(
            self.numbers[-1],
            tuple(
                Unit(
                    counts,
                    self._leading(len(self.terms))[unit],
                    sums._replace(
                        products=tuple(
                            product._replace(weight=self._leading(place)[unit])
                            for place, product in enumerate(sums.products)
                        )
                    ),
                )
                for unit, counts in enumerate(self._counts)
            ),
        )

    def ask(self, builder: Any) -> None:
        """As a layer behind the terms."""
        builder.ask_network(self.terms, self.units, self.numbers, whole=self.whole)

    @staticmethod
    def is_asked_by(arrays: "Arrays", split: int) -> bool:
        """Whether a split asks a network."""
        return bool(Network.is_asked(arrays, np.array([split]))[0])

    @staticmethod
    def is_asked(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """The same for many."""
        units, numbers = getattr(arrays, "net_hidden", ()), getattr(arrays, "split_feature", ())
        if not len(units):  # empty in trees without networks
            return np.zeros(len(splits), dtype=bool)
        lists = np.asarray(numbers)[splits]
        return np.asarray((lists >= 0) & (np.asarray(units)[lists] > 0))


def _signed(weight: float) -> str:
    """A number behind what it is added to."""
    return f"- {-weight!r}" if weight < 0 else f"+ {weight!r}"
