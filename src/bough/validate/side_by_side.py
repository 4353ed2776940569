"""Several results on the same rows side by side, and their differences in pairs: text, data frames and page."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from bough.validate.findings import Findings
from bough.validate.pieces import Columns, Measure
from bough.validate.tabled import Tabled
from bough.validate.words import as_table, interval_text, measure_word

__all__ = ["Cell", "SideBySide", "cell_text"]

# Of a row of differences: text, or a value with its interval (`value`, `low`, `high`).
Cell = Any


class SideBySide(Tabled):
    """Results side by side; subclasses say which and how they were compared."""

    whose: ClassVar[str] = "estimator"  # what the results are of, at the head of a column
    pair_words: ClassVar[tuple[int, ...]] = ()  # the cells of a pair that hold words, which are aligned left

    @property
    def results(self) -> Sequence[Findings]:
        """What was found of each."""
        raise NotImplementedError

    def headlines(self) -> list[str]:
        """What was done, in a few lines."""
        raise NotImplementedError

    def notes(self) -> list[str]:
        """What is to be said below."""
        return []

    def pair_title(self) -> str:
        """What the pairs differ in."""
        return "differences"

    def pair_heads(self) -> list[str]:
        """The heads of the columns of the pairs."""
        raise NotImplementedError

    def pair_cells(self) -> list[tuple[str, str, list[Cell]]]:
        """The names of the first and the second, and the cells of the pair."""
        raise NotImplementedError

    def pair_columns(self) -> Columns:
        """The pairs as columns of a data frame."""
        raise NotImplementedError

    def measure_names(self) -> list[str]:
        """The measures of the whole that any of the results has."""
        return list(dict.fromkeys(found.name for one in self.results for found in one.whole()))

    def measure_cells(self) -> list[tuple[str, list[Measure | None]]]:
        """Each measure of the whole, in words, with what each of the results has of it."""
        every = [{found.name: found for found in one.whole()} for one in self.results]
        return [(measure_word(name), [own.get(name) for own in every]) for name in self.measure_names()]

    def tables(self) -> dict[str, Callable[[], Columns]]:
        """The tables by name."""
        return {"measures": self._measure_columns, "pairs": self.pair_columns}

    def page(self) -> str:
        """The page of both tables."""
        from bough.validate.page import side_by_side_page

        return side_by_side_page(self)

    def __str__(self) -> str:
        place = {one.name: number for number, one in enumerate(self.results, start=1)}
        rows = [["", *(f"[{number}]" for number in place.values())]]
        rows += [[name, *map(cell_text, own)] for name, own in self.measure_cells()]
        pairs = [["", *self.pair_heads()]]
        pairs += [
            [f"[{place[first]}] - [{place[second]}]", *map(cell_text, cells)]
            for first, second, cells in self.pair_cells()
        ]
        lines = [*self.headlines(), "", *(f"[{number}] {name}" for name, number in place.items())]
        lines += ["", *as_table(rows), "", self.pair_title()]
        lines += as_table(pairs, (0, *(place + 1 for place in self.pair_words)))
        return "\n".join(lines + self.notes())

    def _measure_columns(self) -> Columns:
        rows = [(one.name, found) for one in self.results for found in one.whole()]
        return {
            self.whose: [name for name, _ in rows],
            "measure": [found.name for _, found in rows],
            "value": [found.value for _, found in rows],
            "low": [found.low for _, found in rows],
            "high": [found.high for _, found in rows],
        }


def cell_text(cell: Cell) -> str:
    """A cell as text; a dash where there is nothing."""
    return "-" if cell is None else cell if isinstance(cell, str) else interval_text(cell)
