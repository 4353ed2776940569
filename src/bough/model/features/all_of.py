"""A conjunction: the feature that is true where several columns each have a level, or do not have it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.features.feature import Cell, Every, Number, Side, Unknown
from bough.table import UNSEEN, Column, Label, format_label, format_text

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["AllOf", "Term"]

_KIND = 3  # of splits, as the kernel writes them


class Term(NamedTuple):
    """One property that a conjunction asks for: the column has the level or, negated, any other."""

    column: str
    level: Label
    negated: bool


class AllOf:
    """1 where every property holds, 0 where one does not: one known property that fails decides.

    Parameters
    ----------
    coded : sequence of (column, code, negated)
        The properties, by positions in the schema and codes of levels.
    schema : sequence of Column
    """

    __slots__ = ("_schema", "coded")

    has_cells: ClassVar[bool] = True

    def __init__(self, coded: Sequence[tuple[int, int, bool]], schema: Sequence[Column]) -> None:
        self.coded = tuple(coded)
        self._schema = schema

    @classmethod
    def read(cls, arrays: "Arrays", split: int, schema: Sequence[Column], *, unseen_is_missing: bool) -> "AllOf":
        """The conjunction that a split of the kernel asks."""
        number = int(arrays.split_payload[split])
        own = slice(arrays.term_begin[number], arrays.term_begin[number + 1])
        negated = arrays.term_negated[own].astype(bool).tolist()
        return cls(
            list(zip(arrays.term_column[own].tolist(), arrays.term_code[own].tolist(), negated, strict=True)), schema
        )

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the properties, in their order."""
        return tuple(dict.fromkeys(column for column, _, _ in self.coded))

    @property
    def n_values(self) -> int:
        """A level for each property."""
        return len(self.coded)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The properties by name."""
        columns = self._schema
        return tuple(Term(columns[c].name, (columns[c].levels or ())[code], negated) for c, code, negated in self.coded)

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """All properties: ``color = red and shape != long``."""
        return self.condition(holds=True, quoted=quoted)

    def condition(self, *, holds: bool, quoted: bool = True) -> str:
        """All properties, or where they do not all hold, the opposite of one or another."""
        texts = [
            f"{format_text(term.column, quoted=quoted)} {'=' if holds != term.negated else '!='} "
            f"{format_label(term.level, quoted=quoted)}"
            for term in self.terms
        ]
        return (" and " if holds else " or ").join(texts)

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
        for column, code, negated in self.coded:
            cell = row[column]
            if cell is None:
                state = "missing" if state == 1 else state
            elif cell == UNSEEN:
                state = "unseen"
            elif (cell == code) == negated:
                return 0
        return state

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
