"""A test: what a node asks, that is a feature and a partition of its values into branches.

There is one class a kind of partition, each in a file of its own; all that depends on the kind is a method of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough.model.features import Cell, Feature, Listed, Number, Side, Term, Unknown
from bough.model.tests.cells import Bound, Box, Cells, Cut, Grid, Space
from bough.model.tests.conditions import Condition, Rule
from bough.table import Label

__all__ = ["Test"]


class Test(ABC):
    """What a node asks; read from the arrays of a tree by `read_test`.

    Parameters
    ----------
    feature : Feature
        What is asked of a row.
    missing_branch : int or None
        The branch of rows of which the feature is not known; None if that is left to the routing of the tree.
    """

    __test__ = False  # no test of pytest's

    kind: ClassVar[str]
    """The name of the partition in files and drawings."""
    partition: ClassVar[str]
    """What may differ between two tests of the same feature: "threshold", "levels", or the whole "test"."""

    def __init__(self, feature: Feature, missing_branch: int | None = None) -> None:
        self.feature = feature
        self.missing_branch = missing_branch
        self.found = 0  # how the search found it, as the kernel numbers it

    # What is asked

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions in the schema of all columns that are asked, the weightiest first."""
        return self.feature.columns

    @property
    def column(self) -> int:
        """The column that stands for them: the first."""
        return self.feature.columns[0]

    @property
    @abstractmethod
    def leads(self) -> tuple[int, ...]:
        """The branches to which known values lead, each at least once."""

    @property
    def n_branches(self) -> int:
        """The number of branches, that of missing values included."""
        missing = -1 if self.missing_branch is None else self.missing_branch
        return max((*self.leads, missing)) + 1

    @property
    def missing_alone(self) -> bool:
        """Whether missing values have a branch to which nothing else leads."""
        return self.missing_branch is not None and not self.leads_to(self.missing_branch)

    @property
    def asks_missing(self) -> bool:
        """Whether the test is whether the value is missing: all known values take one branch."""
        return self.missing_alone and self.n_branches == 2

    @property
    def n_values(self) -> int:
        """How complex it is: the numbers and levels that are written in it; one if it only asks what is missing."""
        return max(self.feature.n_values + self._n_parting, 1)

    @property
    @abstractmethod
    def _n_parting(self) -> int:
        """How many numbers or levels part the values of the feature."""

    def leads_to(self, branch: int) -> bool:
        """Whether some known value takes the branch."""
        return branch in self.leads

    # Its numbers and levels; None where its kind has no such

    @property
    def raw_threshold(self) -> Number | None:
        """The threshold as the kernel compares it: ticks since 1970 of a time, the code of an ordered level."""
        return None

    @property
    def raw_edges(self) -> tuple[Number, ...] | None:
        """The edges of intervals as the kernel compares them."""
        return None

    @property
    def interval_branches(self) -> tuple[int, ...] | None:
        """The branch of each interval, lowest first."""
        return None

    @property
    def side(self) -> Side | None:
        """Where a value equal to a threshold or an edge belongs."""
        return None

    @property
    def low(self) -> int | None:
        """The branch of the values below a threshold, or of what holds."""
        return None

    @property
    def levels(self) -> tuple[tuple[Label, ...], ...] | None:
        """The levels that lead to each branch."""
        return None

    @property
    def terms(self) -> tuple[Term, ...] | None:
        """The properties that a conjunction asks for."""
        return None

    @property
    def threshold(self) -> Any:
        """The threshold as users have such values."""
        raw, side = self.raw_threshold, self.side
        return None if raw is None or side is None else self.feature.shown(raw, side)

    @property
    def edges(self) -> tuple[Any, ...] | None:
        """The edges of intervals as users have such values."""
        raw = self.raw_edges
        return None if raw is None else tuple(self.feature.shown(edge, self.side or "le") for edge in raw)

    # Where a row goes

    def branch(self, row: Sequence[Cell]) -> int | Unknown:
        """The branch that a row takes by its values, or why it takes none."""
        value = self.feature.value(row)
        return value if isinstance(value, str) else self._branch_of(value)

    @abstractmethod
    def _branch_of(self, value: Number) -> int | Unknown:
        """The branch of a known value."""

    # In words

    def words(
        self,
        branch: int,
        *,
        exact: bool = True,
        short: bool = False,
        quoted: bool = True,
        most_levels: int | None = None,
        ellipsis: str = "…",
    ) -> str:
        """The condition that leads to a branch.

        Parameters
        ----------
        branch : int
        exact : bool, default=True
            Print all digits of a number; else a short decimal.
        short : bool, default=False
            Leave out what is asked, which stands elsewhere: ``<= 38.5``, ``A, C``, ``(2, 5]``; short decimals.
        quoted : bool, default=True
            Put names and levels that could be read as something else into quotes; see `format_text`.
        most_levels : int, optional
            Fold sets with more levels.
        ellipsis : str
            What stands for the folded levels.
        """
        if self.missing_alone and branch == self.missing_branch:
            return "missing" if short else self.feature.missing_words(quoted=quoted)
        if self.asks_missing:
            return "known" if short else f"{self.feature.words(quoted=quoted)} is known"
        how = {"exact": exact and not short, "short": short, "quoted": quoted}
        return self._words(branch, **how, most_levels=most_levels, ellipsis=ellipsis)

    @abstractmethod
    def _words(
        self, branch: int, *, exact: bool, short: bool, quoted: bool, most_levels: int | None, ellipsis: str
    ) -> str:
        """The condition of a branch of known values."""

    def around(self, branch: int) -> tuple[str, str] | None:
        """The words of a branch that is one interval, before and behind what is asked; None for other branches.

        So that the bounds of several tests of one column can be said together: ``("2 <", "<= 5")``, ``("", "> 5")``.
        Levels are not quoted.
        """
        return None

    def title(self) -> str:
        """What is asked, without the branches, as a picture says it: nothing is quoted."""
        return self.feature.words(quoted=False)

    def listed(self, branch: int | None = None) -> Listed | None:
        """What is asked or, short, what leads to a branch, in pieces; None for what is said as a whole."""
        return self.feature.listed() if branch is None else None

    def n_levels(self, branch: int) -> int:
        """How many levels `words` names for a branch; 0 where it names none."""
        return 0

    def number_texts(self) -> list[str]:
        """The numbers that part its values, each as text with all digits."""
        return []

    # As conditions

    @abstractmethod
    def rules(self) -> list[Rule]:
        """What leads where, for known values; in this order: the first that holds decides."""

    def conditions(self, branch: int) -> tuple[Condition, ...]:
        """Any of these leads to the branch."""
        return tuple(rule.when for rule in self.rules() if rule.branch == branch)

    @property
    def known_codes(self) -> npt.NDArray[np.int32] | None:
        """The codes of levels that lead to some branch, where others may lead to none; else None."""
        return None

    @property
    def code_branches(self) -> npt.NDArray[np.int32] | None:
        """The branch of each of `known_codes`."""
        return None

    # As cells of single columns

    @property
    def has_cells(self) -> bool:
        """Whether columns are asked one by one, so that cells of single columns decide; a sum of columns has none."""
        return self.feature.has_cells

    @property
    def cuts(self) -> dict[int, list[Cut]]:
        """Where it parts the numbers of each column; columns that it does not part are left out."""
        return {}

    def bound(self, branch: int) -> Bound | None:
        """What a branch asks, if it only bounds one column from one side; else None."""
        return None

    @abstractmethod
    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """The cells of each column that lead to a branch together; None if no such box says it."""

    def outcomes(self, space: Space[Box], box: Box) -> Iterator[tuple[int | Unknown, Box]]:
        """All that it can find for the rows of a box, each with its part of the box; the parts do not overlap."""
        (column,) = self.columns
        grids = {column: space.grid(column)}
        for branch in range(self.n_branches):
            cells = self.cells(branch, grids) or {}
            smaller = space.known(box, column, cells.get(column, ()))
            if smaller is not None:
                yield branch, smaller
        yield from space.unknown(box, column)

    # Other tests made of it

    @property
    def tells_missing(self) -> bool:
        """Whether a test of its kind can ask just whether the value is missing, see `mapped`."""
        return True

    @abstractmethod
    def mapped(self, to: Callable[[int], int | None], missing: int | None) -> "Test":
        """The test whose branches are others; None: no value that leads there comes here, any branch will do."""

    @abstractmethod
    def write(self, builder: Any, **more: Any) -> None:
        """Add it to the kernel's builder of trees, with more that the split says: role, score and the like."""

    def _more(self, more: dict[str, Any]) -> dict[str, Any]:
        return more if self.missing_branch is None else {**more, "missing": self.missing_branch}
