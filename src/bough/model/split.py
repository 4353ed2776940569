"""A split as a user reads it: what is asked, what leads to which branch, how good it is, how it was found."""

from typing import TYPE_CHECKING, Any, Literal

from bough.model.features import Term
from bough.model.routing import MISSING
from bough.model.tests import Test, missing_branch, read_test
from bough.table import Label

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Split"]

_ROLES = ("primary", "competitor", "surrogate")
_OF_LEVELS = ("exact", "ordered", "pca", "superclass", "median_order", "mean_order", "greedy")
_OF_SUMS = (
    "discriminant", "perturbation", "coordinate", "quadratic_point", "thermal", "gradient", "sphere", "principal_axis",
    "refined", "network", "written",
)  # fmt: skip
_FOUND = (*_OF_LEVELS, *_OF_SUMS)


class Split:
    """A read-only view of one split of a tree; obtained from a node, never made by hand.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, [0, 0, 0, 1, 1, 1])
    >>> split = clf.tree_.root.split
    >>> split.column, split.threshold, split.side
    ('age', 38.5, 'le')
    >>> split.describe(0), split.describe(1)
    ('age <= 38.5', 'age > 38.5')
    >>> [(other.describe(0), other.gain) for other in clf.tree_.root.competitors]
    [('job = B', 0.5)]
    """

    __slots__ = ("_index", "_test", "_tree")

    def __init__(self, tree: "Tree", index: int) -> None:
        self._tree = tree
        self._index = index
        self._test: Test | None = None

    @property
    def test(self) -> Test:
        """What is asked and how the answers part, as the library works with it; see `bough.model.tests`."""
        if self._test is None:
            as_missing = self._tree.routing[3] == MISSING
            columns = self._tree.schema.columns
            self._test = read_test(self._tree.arrays, self._index, columns, unseen_is_missing=as_missing)
        return self._test

    @property
    def role(self) -> str:
        """What it is to its node: "primary", "competitor" or "surrogate"."""
        return _ROLES[self._tree.arrays.split_role[self._index]]

    @property
    def kind(self) -> str:
        """The form of the test: "threshold", "levels", "intervals" or "conjunction"."""
        return self.test.kind

    @property
    def found(self) -> str:
        """How the search found it: "exact", or the name of the heuristic."""
        return _FOUND[self._tree.arrays.split_found[self._index]]

    @property
    def column(self) -> str:
        """The name of the column that is asked; a conjunction asks more than this one, see `columns`."""
        return self.columns[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that are asked, the weightiest first."""
        return tuple(self._tree.schema.columns[column].name for column in self.test.columns)

    @property
    def threshold(self) -> Any:
        """The threshold as the column has its values: a number, a date or time, a level; None for other kinds.

        A threshold between two dates is the one that says the same: the earlier for ``<=``, the later for ``<``.
        """
        return self.test.threshold

    @property
    def side(self) -> Literal["le", "lt"] | None:
        """Where a value equal to the threshold or an edge belongs: "le" with the lower ones, "lt" with the higher."""
        return self.test.side

    @property
    def low(self) -> int | None:
        """The branch of the values below the threshold, or of the cases for which a conjunction holds; else None."""
        return self.test.low

    @property
    def edges(self) -> tuple[Any, ...] | None:
        """The rising edges between intervals, as the column has its values; None for other kinds."""
        return self.test.edges

    @property
    def interval_branches(self) -> tuple[int, ...] | None:
        """The branch of each interval, lowest first, one more than edges; None for other kinds."""
        return self.test.interval_branches

    @property
    def terms(self) -> tuple[Term, ...] | None:
        """The properties that a conjunction asks for together; None for other kinds."""
        return self.test.terms

    @property
    def levels(self) -> tuple[tuple[Label, ...], ...] | None:
        """The levels that lead to each branch; None for other kinds. A level in none of them was absent in training."""
        return self.test.levels

    @property
    def missing_branch(self) -> int | None:
        """The branch of cases whose value is missing; None if that is left to the routing of the tree."""
        return missing_branch(self._tree.arrays, self._index)

    @property
    def missing_alone(self) -> bool:
        """Whether missing values have a branch to which nothing else leads."""
        return self.test.missing_alone

    @property
    def asks_missing(self) -> bool:
        """Whether the test is whether the value is missing: all known values take one branch."""
        return self.test.asks_missing

    def reaches(self, branch: int) -> bool:
        """Whether some case takes the branch: a surrogate need not lead to all branches of its node."""
        return self.test.leads_to(branch) or self.missing_branch == branch

    @property
    def n_branches(self) -> int:
        """The number of branches that the split tells apart, that of missing values included."""
        return self.test.n_branches

    @property
    def gain(self) -> float | None:
        """The drop of impurity; None for a surrogate."""
        return None if self.role == "surrogate" else float(self._tree.arrays.split_score[self._index])

    @property
    def agreement(self) -> float | None:
        """The share of the rows that a surrogate sends where the primary split does; None for other splits."""
        return float(self._tree.arrays.split_score[self._index]) if self.role == "surrogate" else None

    @property
    def adjusted(self) -> float | None:
        """The agreement of a surrogate beyond that of the majority rule: 0 no better, 1 perfect."""
        adjusted = self._tree.arrays.split_adjusted
        return float(adjusted[self._index]) if self.role == "surrogate" and len(adjusted) else None

    def describe(self, branch: int, *, exact: bool = True, most_levels: int | None = None, ellipsis: str = "…") -> str:
        """The condition that leads to a branch.

        Parameters
        ----------
        branch : int
            The number of the branch, from 0.
        exact : bool, default=True
            Print all digits of a threshold; else a short decimal.
        most_levels : int, optional
            Fold sets with more levels.
        ellipsis : str
            What stands for the folded levels.
        """
        if not 0 <= branch < self.n_branches:
            raise IndexError(f"branch {branch} of a split with {self.n_branches} branches")
        return self.test.words(branch, exact=exact, most_levels=most_levels, ellipsis=ellipsis)

    @property
    def threshold_text(self) -> str:
        """The threshold, the edges, or the thresholds of a conjunction, with all digits; empty for other kinds."""
        return " | ".join(self.test.number_texts())

    def __repr__(self) -> str:
        score = f"gain {self.gain:.6g}" if self.gain is not None else f"agreement {self.agreement:.6g}"
        return f"<{self.role} split: {self.describe(0, exact=False, most_levels=8)}; {score}>"
