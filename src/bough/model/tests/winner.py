"""Which sum wins: each of several sums of columns that compete leads to a branch (`bough.model.features.largest`)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bough.model.features import Listed, Number, Unknown
from bough.model.features.largest import Largest
from bough.model.tests.cells import Cells, Grid
from bough.model.tests.conditions import Between, Condition, Every, Rule
from bough.model.tests.test import Test

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Winner"]


class Winner(Test):
    """The branch of each sum, in the order of the sums.

    Parameters
    ----------
    feature : Largest
    branches : sequence of int
    missing_branch : int or None
    """

    kind = "largest"
    partition = "test"

    feature: Largest

    def __init__(self, feature: Largest, branches: Sequence[int], missing_branch: int | None = None) -> None:
        super().__init__(feature, missing_branch)
        self.branches = tuple(branches)

    @classmethod
    def read(cls, arrays: "Arrays", split: int, feature: Largest, missing: int | None) -> "Winner":
        """Written as a set of levels, one for each sum."""
        place = int(arrays.split_payload[split])
        return cls(feature, arrays.set_branch[arrays.set_begin[place] : arrays.set_begin[place + 1]].tolist(), missing)

    @property
    def leads(self) -> tuple[int, ...]:
        """The branch of each sum."""
        return self.branches

    @property
    def _n_parting(self) -> int:
        return 0

    def _branch_of(self, value: Number) -> int | Unknown:
        return self.branches[int(value)]

    def _words(
        self, branch: int, *, exact: bool, short: bool, quoted: bool, most_levels: int | None, ellipsis: str
    ) -> str:
        """The sums that win there."""
        own = [number for number, to in enumerate(self.branches) if to == branch]
        texts = [self.feature.sum_words(number, exact=exact, quoted=quoted) for number in own]
        if not texts:
            return f"{self.feature.words(quoted=quoted)} in {{}}"
        joined = " or ".join(texts)
        return f"largest: {joined}" if short else f"{joined} is largest"

    def listed(self, branch: int | None = None) -> Listed | None:
        """What is asked; of a branch that one sum leads to, that sum."""
        if branch is None:
            return super().listed()
        own = [number for number, to in enumerate(self.branches) if to == branch]
        listed = self.feature.sum_listed(own[0]) if len(own) == 1 else None
        return None if listed is None else listed._replace(lead=f"largest: {listed.lead}".rstrip())

    def rules(self) -> list[Rule]:
        """A sum wins where it beats those before it, and is at least as large as those behind."""
        count, rivals = len(self.branches), self.feature.rivals
        found = []
        for number, branch in enumerate(self.branches):
            terms: list[Between] = []
            for other in range(count):
                if other == number:
                    continue
                difference, edge = rivals[min(number, other), max(number, other)]
                terms.append(
                    Between(difference, edge, None, "lt") if number < other else Between(difference, None, edge, "lt")
                )
            when: Condition = Every(tuple(terms)) if len(terms) > 1 else terms[0]
            found.append(Rule(when, branch))
        return found

    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """No box of cells says it."""
        return None

    def mapped(self, to: Callable[[int], int | None], missing: int | None) -> Test:
        """The same sums with other branches; one that does not come takes that of the first that does."""
        branches = [to(branch) for branch in self.branches]
        some = next(branch for branch in branches if branch is not None)
        return Winner(self.feature, [some if branch is None else branch for branch in branches], missing)

    def write(self, builder: Any, **more: Any) -> None:
        """As a level for each sum."""
        about = self._more(more) | {"found": self.found}
        builder.add_levels(self.column, list(range(len(self.branches))), list(self.branches), **about)
        self.feature.ask(builder)
