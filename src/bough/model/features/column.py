"""The feature that nearly all tests ask: the value of one column as it is."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bough.model.features.feature import Cell, Listed, Number, Parts, Side, Unknown, Value
from bough.model.text import significant
from bough.table import UNSEEN, Column, format_text, format_value, value_of

__all__ = ["ColumnValue", "number_text"]


class ColumnValue:
    """The value of a column: a number, or the code of a level.

    Parameters
    ----------
    index : int
        The position of the column in the schema.
    column : Column
        What the schema says of it.
    """

    __slots__ = ("column", "index")

    has_cells: ClassVar[bool] = True

    def __init__(self, index: int, column: Column) -> None:
        self.index = index
        self.column = column

    @property
    def columns(self) -> tuple[int, ...]:
        """Its own position."""
        return (self.index,)

    @property
    def n_values(self) -> int:
        """None: the value as it is."""
        return 0

    @property
    def is_coded(self) -> bool:
        """Whether its values are codes of levels."""
        return self.column.kind != "numeric"

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """The name of the column."""
        return format_text(self.column.name, quoted=quoted)

    def listed(self) -> Listed | None:
        """It is said as a whole."""
        return None

    def missing_words(self, *, quoted: bool = True) -> str:
        """That the column is missing."""
        return f"{self.words(quoted=quoted)} is missing"

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """A threshold in the words of the column: digits, a date, a level."""
        return number_text(self.column, number, side, exact=exact, quoted=quoted)

    def shown(self, number: Number, side: Side) -> Any:
        """A threshold as the column has its values."""
        return value_of(self.column, number, side=side)

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """The cell of the column."""
        cell = row[self.index]
        if cell is None:
            return "missing"
        return "unseen" if cell == UNSEEN and self.is_coded else cell

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """Nothing is added."""
        return None

    def expression(self) -> Value:
        """The column itself."""
        return Value(self.index)

    def ask(self, builder: Any) -> None:
        """A split asks its column anyway."""


def number_text(column: Column, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
    """A threshold or an edge of a column as text: with all its digits, or as a short decimal."""
    digits = significant(number) if isinstance(number, float) and not exact else None
    return format_value(column, number, side=side, digits=digits, quoted=quoted)
