"""CHAID: levels that do not differ are merged, the column is chosen by its significance, nothing is pruned."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.texts import described
from bough.recipe import ChiSquared, Majority, MaxDepth, Merged, MinRows, OwnBranch, Part, Reading, Unbiased
from bough.recipe import parameters as check
from bough.recipe.recipe import Recipe

__all__ = ["CHAIDClassifier"]


@described()
class CHAIDClassifier(ClassificationTree):
    """A classification tree (CHAID).

    At every node the levels of each column are merged, the two that differ least first, until all that are left differ
    significantly in the classes; the column whose merged levels tell most, by the p-value of Pearson's chi-squared,
    becomes the test. A node is a leaf when no column is significant. Numbers are cut into parts of like weight before
    they are merged with their neighbours, ordered levels are merged with their neighbours, and missing values are one
    more level, which merges with any other.

    Parameters
    ----------
    merge_level : float, default=0.05
        Levels are merged while they differ with a p-value above this.
    split_level : float, default=0.05
        A node is split only by a test whose p-value is at most this.
    bonferroni : bool, default=True
        Whether the p-value of a test pays for the number of ways in which its levels could have been merged.
    n_bins : int, default=10
        Parts into which numbers are cut at each node.
    max_branches : int or None, default=None
        Merge on until there are no more branches.
    max_depth : int or None, default=None
    min_samples_split : int or float, default=30
        A node of less weight is a leaf. An int is a sum of sample weights, a float in (0, 1] a share of the total.
    min_samples_leaf : int or float, default=10
        Least weight of a branch; smaller ones are merged with the one that is most alike.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held: as if missing, the largest branch, the answer of the node where it is asked
        for, or an error.
    {reading}
    max_competitors : int, default=4
        Runner-up splits kept at each node.
    {categorical_features}
    ordered_features : dict, list or None, default=None
        Columns with ordered levels: `{"size": ["S", "M", "L"]}`. Only neighbours are merged.
    {work}

    Attributes
    ----------
    {fitted_classes}
    {importances}

    Notes
    -----
    The gain of a split is Pearson's statistic divided by the weight of the node. Levels that were merged are not parted
    again, which some programs try.

    References
    ----------
    G. V. Kass, An exploratory technique for investigating large quantities of categorical data, Applied Statistics 29,
    1980.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("titanic").xy()
    >>> clf = bough.CHAIDClassifier(max_depth=1).fit(X, y)
    >>> [child.rows for child in clf.tree_.root.children]
    [470, 1731]
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "branching": {"merged": Merged()},
        "criterion": {"chi_squared": ChiSquared()},
        "search": {"unbiased": Unbiased(bonferroni=False)},
        "missing": {"own_branch": OwnBranch()},
    }

    def __init__(
        self,
        *,
        merge_level: float = 0.05,
        split_level: float = 0.05,
        bonferroni: bool = True,
        n_bins: int = 10,
        max_branches: int | None = None,
        max_depth: int | None = None,
        min_samples_split: int | float = 30,
        min_samples_leaf: int | float = 10,
        unseen: str = "missing",
        reading: Reading | None = None,
        max_competitors: int = 4,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.merge_level = merge_level
        self.split_level = split_level
        self.bonferroni = bonferroni
        self.n_bins = n_bins
        self.max_branches = max_branches
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.unseen = unseen
        self.reading = reading
        self.max_competitors = max_competitors
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _recipe(self) -> Recipe:
        return Recipe(
            branching=self._part(Merged, "merge_level", "split_level", "max_branches", "n_bins", "bonferroni"),
            criterion=ChiSquared(),
            # The test has paid for the ways to merge; the number of columns costs nothing (Kass 1980).
            search=self._part(Unbiased, "max_competitors", level="split_level").set_params(bonferroni=False),
            stopping=(
                self._part(MinRows, "min_samples_split", "min_samples_leaf"),
                self._part(MaxDepth, "max_depth"),
            ),
            pruning=None,
            leaf=Majority(),
            missing=OwnBranch(ask=False),
            unseen=check.choice("unseen", self.unseen, ["missing", "majority", "stop", "error"]),
            reading=self._reading(),
        )
