"""Whether a property holds: the test of a feature that is true or false, such as a conjunction."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bough.model.features import AllOf, Number, Term, Unknown
from bough.model.tests.cells import Box, Cells, Grid, Space, meet, minus
from bough.model.tests.conditions import Among, Every, Rule
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
        return self.feature.condition(holds=branch == self.low, quoted=quoted)

    def rules(self) -> list[Rule]:
        """That all properties hold, then each that fails."""
        terms = tuple(Among(column, (code,), negated) for column, code, negated in self.feature.coded)
        fails = [term._replace(negated=not term.negated) for term in terms]
        return [Rule(Every(terms), self.low), *(Rule(term, 1 - self.low) for term in fails)]

    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """The cells in which all properties hold; where one or another fails is no box."""
        if branch != self.low:
            return None
        found: dict[int, Cells] = {}
        for column, code, negated in self.feature.coded:
            cells = minus(grids[column].all, ((code, code),)) if negated else ((code, code),)
            found[column] = meet(found[column], cells) if column in found else cells
        return found

    def outcomes(self, space: Space[Box], box: Box) -> Iterator[tuple[int | Unknown, Box]]:
        """A property that fails decides; else one that is not known makes the whole unknown."""
        open_parts: list[tuple[int | Unknown, Box]] = [(self.low, box)]
        for column, code, negated in self.feature.coded:
            same: Cells = ((code, code),)
            others = minus(((0, space.grid(column).size - 1),), same)
            holds, fails = (others, same) if negated else (same, others)
            following: list[tuple[int | Unknown, Box]] = []
            for state, part in open_parts:
                failing = space.known(part, column, fails)
                if failing is not None:
                    yield 1 - self.low, failing
                holding = space.known(part, column, holds)
                if holding is not None:
                    following.append((state, holding))
                unknown = space.unknown(part, column)
                if unknown is not None:
                    worse = unknown[0] if isinstance(state, int) or unknown[0] == "unseen" else state
                    following.append((worse, unknown[1]))
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
        builder.add_conjunction(list(self.feature.coded), low=self.low, **self._more(more))
