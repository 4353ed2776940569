"""From flat arrays to literals; with `Pool`, which writes them, the one place that knows kinds by their numbers."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.features import Number
from bough.model.features.numbers import numbers_of
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.table import Column, Schema

__all__ = ["LiteralReader", "bodies_of"]

_CLOSED = 2  # of bounds; 1: open, 0: none


class LiteralReader:
    """Reads literals, one by one, from the arrays that `Pool.arrays` gives.

    Parameters
    ----------
    arrays : dict of ndarray
        As long as they have to be; what their numbers say is judged here and by the literals themselves.
    columns : sequence of Column
        The columns of the table.
    """

    def __init__(self, arrays: dict[str, npt.NDArray[Any]], columns: Sequence[Column]) -> None:
        self._arrays = {name: array.tolist() for name, array in arrays.items()}
        self._columns = columns
        self._ends = {end: numbers_of(arrays[f"{end}_bits"], arrays[f"{end}_type"]) for end in ("low", "high")}
        kinds = arrays["kind"]
        self._place = np.zeros(len(kinds), dtype=np.int64)  # of a list of levels or terms among those of its kind
        for kind in (0, 4):
            own = np.flatnonzero(kinds == kind)
            self._place[own] = np.arange(len(own))
        self._readers: tuple[Callable[[int], Literal], ...] = (
            self._levels,
            self._interval,
            lambda number: Missing(self._column(number)),
            lambda number: Known(self._column(number)),
            self._sum,
        )

    def read(self, number: int) -> Literal:
        """One literal; a ParameterError says what is amiss."""
        kind = self._arrays["kind"][number]
        if kind >= len(self._readers):
            raise ParameterError(f"there are literals of the kinds 0 to {len(self._readers) - 1}; found {kind}.")
        reader: Callable[[int], Literal] = self._readers[kind]
        return reader(number)

    def _column(self, number: int) -> Column:
        return self._at(self._arrays["column"][number])

    def _at(self, index: int) -> Column:
        if not 0 <= index < len(self._columns):
            raise ParameterError(f"there are {len(self._columns)} columns; found number {index}.")
        return self._columns[index]

    def _flags(self, number: int) -> dict[str, bool]:
        return {name: bool(self._arrays[name][number]) for name in ("negated", "or_missing")}

    def _list(self, begin: str, number: int) -> slice:
        place = int(self._place[number])
        return slice(self._arrays[begin][place], self._arrays[begin][place + 1])

    def _levels(self, number: int) -> Literal:
        codes = tuple(self._arrays["set_code"][self._list("set_begin", number)])
        return Levels(self._column(number), codes, **self._flags(number))

    def _interval(self, number: int) -> Literal:
        column = self._column(number)
        low, high = self._bound("low", number), self._bound("high", number)
        for bound in (low, high):
            if column.kind == "ordered" and bound is not None:
                _expect_code(column, bound.value)
        return Interval(column, low, high, **self._flags(number))

    def _bound(self, end: str, number: int) -> Bound | None:
        bound = self._arrays[f"{end}_bound"][number]
        return Bound(self._ends[end][number], bound == _CLOSED) if bound else None

    def _sum(self, number: int) -> Literal:
        own = self._list("lin_begin", number)
        lists = (self._arrays[name][own] for name in ("lin_weight", "lin_column", "lin_code"))
        terms = []
        for weight, index, code in zip(*lists, strict=True):
            column = self._at(index)
            if not -1 <= code < max(column.n_levels, 0 if column.kind == "numeric" else 1):
                raise ParameterError(f"{column.name!r} has {column.n_levels} levels; found the code {code} in a sum.")
            terms.append(SumTerm(weight, column, code))
        low, high = self._bound("low", number), self._bound("high", number)
        return Sum(tuple(terms), low, high, or_missing=self._flags(number)["or_missing"])


def _expect_code(column: Column, value: Number) -> None:
    if not isinstance(value, int) or not 0 <= value < column.n_levels:
        raise ParameterError(
            f"{column.name!r} is bounded by the codes of its {column.n_levels} levels; found {value!r}."
        )


def bodies_of(rules: "_core.Rules", schema: Schema) -> list[tuple[Literal, ...]]:
    """The conjunctions of rules that the kernel has found, in literals of the table's columns."""
    arrays = rules.to_arrays()
    reader = LiteralReader(arrays, schema.columns)
    return [tuple(map(reader.read, range(*ends))) for ends in pairwise(arrays["rule_begin"].tolist())]
