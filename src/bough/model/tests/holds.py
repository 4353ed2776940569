"""Whether a property holds: the test of a feature that is true or false, such as a conjunction."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bough.model.features import AllOf, Number, Property, Term, Unknown
from bough.model.features.numbers import SIDES
from bough.model.tests.cells import Box, Cells, Cut, Grid, Space, meet, minus
from bough.model.tests.conditions import Among, Between, Every, Rule
from bough.model.tests.test import Test

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Holds"]


class Holds(Test):
    """Two branches: one for the rows for which a conjunction holds, the other for those for which it does not.

    Parameters
    ----------
    feature : AllOf
    low : int
        The branch of what holds; 1 - low is that of the rest.
    missing_branch : int or None
    """

    kind = "conjunction"
    number = 3  # as the kernel writes kinds
    partition = "test"

    feature: AllOf

    def __init__(self, feature: AllOf, low: int, missing_branch: int | None = None) -> None:
        super().__init__(feature, missing_branch)
        self._low = low

    @classmethod
    def read(cls, arrays: "Arrays", split: int, feature: AllOf, missing: int | None) -> "Holds":
        """The test of a split of the kernel."""
        return cls(feature, int(arrays.split_low[split]), missing)

    @property
    def leads(self) -> tuple[int, ...]:
        """Both."""
        return (0, 1)

    @property
    def _n_parting(self) -> int:
        return 0  # it holds or it does not

    @property
    def low(self) -> int:
        """The branch of what holds."""
        return self._low

    @property
    def terms(self) -> tuple[Term, ...]:
        """The properties that are asked for together."""
        return self.feature.terms

    def _branch_of(self, value: Number) -> int | Unknown:
        return self.low if value else 1 - self.low

    def _words(
        self, branch: int, *, exact: bool, short: bool, quoted: bool, most_levels: int | None, ellipsis: str
    ) -> str:
        if short:
            return "yes" if branch == self.low else "no"
        return self.feature.condition(holds=branch == self.low, exact=exact, quoted=quoted)

    def number_texts(self) -> list[str]:
        """The thresholds of its properties."""
        return self.feature.number_texts()

    def rules(self) -> list[Rule]:
        """That all properties hold, then each that fails."""
        holds, fails = (
            [self._condition(asked._replace(negated=asked.negated != turned)) for asked in self.feature.coded]
            for turned in (False, True)
        )
        return [Rule(Every(tuple(holds)), self.low), *(Rule(term, 1 - self.low) for term in fails)]

    def _condition(self, asked: Property) -> Between | Among:
        """A property as a condition on its column."""
        if asked.asks_level:
            return Among(asked.column, (asked.code,), asked.negated)
        value = self.feature.column(asked.column)
        if value.is_coded:
            return Among(asked.column, tuple(filter(asked.holds, range(value.column.n_levels))))
        above, below = (asked.edge, None) if asked.negated else (None, asked.edge)
        return Between(value, above, below, asked.side)

    @property
    def cuts(self) -> dict[int, list[Cut]]:
        """The thresholds of its properties."""
        found: dict[int, list[Cut]] = {}
        for asked in self.feature.coded:
            if not asked.asks_level:
                found.setdefault(asked.column, []).append(Cut(asked.edge, asked.side == "le"))
        return found

    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """The cells in which all properties hold; where one or another fails is no box."""
        if branch != self.low:
            return None
        found: dict[int, Cells] = {}
        for asked in self.feature.coded:
            grid = grids[asked.column]
            holds = _cells(asked, grid)
            cells = meet(grid.all, holds) if asked.asks_level and asked.negated else holds
            found[asked.column] = meet(found[asked.column], cells) if asked.column in found else cells
        return found

    def outcomes(self, space: Space[Box], box: Box) -> Iterator[tuple[int | Unknown, Box]]:
        """A property that fails decides; else one that is not known makes the whole unknown."""
        open_parts: list[tuple[int | Unknown, Box]] = [(self.low, box)]
        for asked in self.feature.coded:
            column, grid = asked.column, space.grid(asked.column)
            holds = _cells(asked, grid)
            fails = minus(((0, grid.size - 1),), holds)
            following: list[tuple[int | Unknown, Box]] = []
            for state, part in open_parts:
                failing = space.known(part, column, fails)
                if failing is not None:
                    yield 1 - self.low, failing
                holding = space.known(part, column, holds)
                if holding is not None:
                    following.append((state, holding))
                for found, unknown in space.unknown(part, column):
                    worse = found if isinstance(state, int) or found == "unseen" else state
                    following.append((worse, unknown))
            open_parts = following
        yield from open_parts

    @property
    def tells_missing(self) -> bool:
        """Whether one or another of several columns is missing is no test."""
        return False

    def mapped(self, to: Callable[[int], int | None], missing: int | None) -> Test:
        """The same properties; of branches that become one, that of what holds is kept apart."""
        holds, fails = to(self.low), to(1 - self.low)
        low = holds if holds is not None else 1 - (fails or 0)
        return Holds(self.feature, low, missing)

    def write(self, builder: Any, **more: Any) -> None:
        """As a conjunction."""
        terms = [
            (*asked[:3],) if asked.asks_level else (*asked[:4], SIDES.index(asked.side)) for asked in self.feature.coded
        ]
        builder.add_conjunction(terms, low=self.low, **self._more(more))


def _cells(asked: Property, grid: Grid) -> Cells:
    """The cells of a column that have a property; all its levels count."""
    if asked.asks_level:
        holds: Cells = ((asked.code, asked.code),)
    else:
        place = min(grid.first_above(asked.edge, strictly=asked.side == "lt"), grid.size)
        holds = ((0, place - 1),) if place > 0 else ()
    return minus(((0, grid.size - 1),), holds) if asked.negated else holds
