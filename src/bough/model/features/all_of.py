"""A conjunction: the feature that is true where several columns each have a property.

A property is a level or, negated, any other level; of numbers and ordered levels, a side of a threshold.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.features.column import ColumnValue, number_text
from bough.model.features.feature import Cell, Every, Listed, Number, Parts, Property, Side, Unknown
from bough.model.features.numbers import SIDES, numbers_of
from bough.table import UNSEEN, Column, Label, format_label, format_text, value_of

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["AllOf", "Term"]

_KIND = 3  # of splits, as the kernel writes them
_SIGNS: dict[Side, tuple[str, str]] = {"le": ("<=", ">"), "lt": ("<", ">=")}


class Term(NamedTuple):
    """One property that a conjunction asks for.

    The column has the level or, negated, any other. Where `threshold` is given, the value is to lie below it or,
    negated, above; `side` says where a value equal to it belongs ("le": below).
    """

    column: str
    level: Label | None
    negated: bool
    threshold: Any = None
    side: Side | None = None


class AllOf:
    """1 where every property holds, 0 where one does not: one known property that fails decides.

    Parameters
    ----------
    coded : sequence of Property
        The properties, by positions in the schema and codes of levels.
    schema : sequence of Column
    """

    __slots__ = ("_schema", "coded")

    has_cells: ClassVar[bool] = True

    def __init__(self, coded: Sequence[Property], schema: Sequence[Column]) -> None:
        self.coded = tuple(coded)
        self._schema = schema

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "AllOf":
        """The conjunction that a split of the kernel asks."""
        number = int(arrays.split_payload[split])
        own = slice(arrays.term_begin[number], arrays.term_begin[number + 1])
        negated = arrays.term_negated[own].astype(bool).tolist()
        asked = list(zip(arrays.term_column[own].tolist(), arrays.term_code[own].tolist(), negated, strict=True))
        if not len(arrays.term_bits):
            return cls([Property(*one) for one in asked], schema)
        edges = numbers_of(arrays.term_bits[own], arrays.term_type[own])
        sides = [SIDES[side] for side in arrays.term_side[own].tolist()]
        return cls(
            [
                Property(*one) if one[1] >= 0 else Property(*one, edge, side)
                for one, edge, side in zip(asked, edges, sides, strict=True)
            ],
            schema,
        )

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the properties, in their order."""
        return tuple(dict.fromkeys(asked.column for asked in self.coded))

    @property
    def n_values(self) -> int:
        """A level for each property."""
        return len(self.coded)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The properties by name."""
        return tuple(map(self._term, self.coded))

    def column(self, index: int) -> ColumnValue:
        """One of its columns, as a feature of its own."""
        return ColumnValue(index, self._schema[index])

    def _term(self, asked: Property) -> Term:
        column = self._schema[asked.column]
        if asked.asks_level:
            return Term(column.name, (column.levels or ())[asked.code], asked.negated)
        return Term(column.name, None, asked.negated, value_of(column, asked.edge, side=asked.side), asked.side)

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """All properties: ``color = red and size <= 4.5``."""
        return self.condition(holds=True, exact=exact, quoted=quoted)

    def condition(self, *, holds: bool, exact: bool = False, quoted: bool = True) -> str:
        """All properties, or where they do not all hold, the opposite of one or another."""
        texts = [self._words(asked, holds=holds, exact=exact, quoted=quoted) for asked in self.coded]
        return (" and " if holds else " or ").join(texts)

    def _words(self, asked: Property, *, holds: bool, exact: bool, quoted: bool) -> str:
        """That a property holds, or does not."""
        column, said = self._schema[asked.column], holds != asked.negated
        name = format_text(column.name, quoted=quoted)
        if asked.asks_level:
            return f"{name} {'=' if said else '!='} {format_label((column.levels or ())[asked.code], quoted=quoted)}"
        return f"{name} {_SIGNS[asked.side][not said]} {self._edge_text(asked, exact=exact, quoted=quoted)}"

    def _edge_text(self, asked: Property, *, exact: bool, quoted: bool = True) -> str:
        return number_text(self._schema[asked.column], asked.edge, asked.side, exact=exact, quoted=quoted)

    def number_texts(self) -> list[str]:
        """The thresholds, with all digits."""
        return [self._edge_text(asked, exact=True) for asked in self.coded if not asked.asks_level]

    def listed(self) -> Listed | None:
        """It is said as a whole."""
        return None

    def missing_words(self, *, quoted: bool = True) -> str:
        """That one of the columns is missing."""
        names = [format_text(self._schema[column].name, quoted=quoted) for column in self.columns]
        return f"{' or '.join(names)} is missing"

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """Whether it holds, in a word."""
        return "yes" if number else "no"

    def shown(self, number: Number, side: Side) -> Any:
        """Whether it holds."""
        return bool(number)

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """A property that fails decides; else one that is not known makes the whole unknown."""
        state: Number | Unknown = 1
        for asked in self.coded:
            cell = row[asked.column]
            if cell is None:
                state = "missing" if state == 1 else state
            elif cell == UNSEEN and self._schema[asked.column].kind != "numeric":
                state = "unseen"
            elif not asked.holds(cell):
                return 0
        return state

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """Nothing is added."""
        return None

    def expression(self) -> Every:
        """The properties as they are coded."""
        return Every(self.coded)

    def ask(self, builder: Any) -> None:
        """Nothing is left to say: `Holds`, the one test of it, is added with its properties."""

    @staticmethod
    def is_asked_by(arrays: "Arrays", split: int) -> bool:
        """Whether a split asks a conjunction."""
        return bool(arrays.split_kind[split] == _KIND)

    @staticmethod
    def is_asked(arrays: "Arrays", splits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """The same for many."""
        return np.asarray(arrays.split_kind[splits] == _KIND)

    @staticmethod
    def shares(
        arrays: "Arrays", splits: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The columns that some conjunctions ask, how many each, and what part each has in it: all alike."""
        lists = arrays.split_payload[splits].astype(np.int64)
        sizes = arrays.term_begin[lists + 1] - arrays.term_begin[lists]
        terms = np.repeat(arrays.term_begin[lists] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return arrays.term_column[terms].astype(np.int64), sizes, np.repeat(1.0 / sizes, sizes)
