"""What every literal is: one condition of a rule, which can be asked, written as text and handed to the kernel."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from bough.model.features import Cell, Unknown
from bough.model.rules.pool import Pool
from bough.model.tests.cells import Box, Cells, Cut, Grid, Space, minus
from bough.table import UNSEEN, Column

if TYPE_CHECKING:
    from bough.model.program.program import Term
    from bough.model.rules.compile import Fields

__all__ = ["Literal", "Place"]

Place: TypeAlias = Callable[[Column], int]
"""Where a column stands in the table that is asked."""


@dataclass(frozen=True, eq=False)
class Literal(ABC):
    """One condition of a rule."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns that it asks, each once."""

    @property
    def or_missing(self) -> bool:
        """Whether it also holds where the value is missing."""
        return False

    def or_if_missing(self, holds: bool = True) -> "Literal":
        """The same literal that also holds, or does not, where the value is missing."""
        changed: dict[str, Any] = {"or_missing": holds}
        return replace(self, **changed)

    @abstractmethod
    def holds(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether it holds for a row of cells; a level never seen is one of no set, and `UNSEEN` is its code."""

    def text(self, digits: int | None = None) -> str:
        """As the rule language writes it: exactly or, for people, with so many significant digits."""
        return self._text(digits) + (" OR MISSING" if self.or_missing else "")

    @abstractmethod
    def _text(self, digits: int | None) -> str:
        """The text without what it says of missing values."""

    @abstractmethod
    def write(self, pool: Pool, place: Place) -> None:
        """Add it to the flat arrays that the kernel reads."""

    @abstractmethod
    def condition(self, fields: "Fields") -> "Term":
        """As a condition of a routing program; an ExportError where no program can say it."""

    @property
    def size(self) -> int:
        """How many numbers and levels are written in it, at least one."""
        return 1

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Where it parts the numbers of its column."""
        return ()

    @property
    def has_cells(self) -> bool:
        """Whether it asks one column, so that cells of that column decide; a sum of columns has none."""
        return True

    @property
    def planes(self) -> "tuple[tuple[dict[str, float], float, bool], ...]":
        """What it asks of numbers: weights by column, the most that their sum may be, and whether it stays below."""
        return ()

    @abstractmethod
    def cells(self, grid: Grid) -> Cells:
        """The cells of its column whose known values it holds for."""

    @property
    def sides(self) -> "tuple[Literal, ...]":
        """The same as literals of one bound each."""
        return (self,)

    def holds_for(self, state: Unknown) -> bool:
        """Whether it holds for a value that is missing, or for a level never seen that is not taken for missing."""
        return self.holds((UNSEEN if state == "unseen" else None,), lambda column: 0)

    def parted(self, space: Space[Box], column: int, box: Box, *, unseen: bool) -> tuple[list[Box], list[Box]]:
        """The parts of a box for which it holds, and for which it fails.

        Parameters
        ----------
        space : Space
        column : int
            Where its column stands.
        box : Box
        unseen : bool
            Whether levels never seen are known ones that are in no set, rather than missing.
        """
        grid = space.grid(column)
        cells = self.cells(grid)
        known, failing = space.known(box, column, cells), space.known(box, column, minus(((0, grid.size - 1),), cells))
        held, fails = ([] if part is None else [part] for part in (known, failing))
        for state, unknown in space.unknown(box, column):
            (held if self.holds_for(state if unseen else "missing") else fails).append(unknown)
        return held, fails

    def __str__(self) -> str:
        return self._written

    # Equal if written alike of the same columns: the text tells 1 from 1.0, TRUE and "1", which Python takes for equal.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return self is other or (self._written == other._written and self.columns == other.columns)

    def __hash__(self) -> int:
        return hash(self._written)

    @cached_property
    def _written(self) -> str:
        return self.text()
