"""QUEST: the column of a test by its significance, the cut where two normal densities meet."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.recipe import Gini, Part, Quest, Reading
from bough.recipe.missing import Missing
from bough.recipe.recipe import Recipe
from bough.recipe.work import Pruning

__all__ = ["QUESTClassifier"]


@described(oblique=OBLIQUE_TEXT)
class QUESTClassifier(ClassificationTree):
    """A quick, unbiased, efficient statistical tree (QUEST).

    At every node the column is chosen first, by an analysis of variance (nominal columns: by chi-squared) and, where
    that finds nothing, by Levene's test of equal variances; so a column with many values has no advantage over one with
    two. It is cut where two normal densities meet, those of two groups of the classes. With `linear=True` the cut is
    one of their discriminant, a weighted sum of all columns. No criterion is consulted; a large tree is grown and
    pruned.

    Parameters
    ----------
    linear : bool, default=False
        Whether nodes ask for weighted sums of columns.
    alpha : float, default=0.05
        Level of significance in the choice of a column.
    {oblique}
    {classes}

    Notes
    -----
    `TreeClassifier(search=Quest(...))` has what else is to choose, such as how far sums are shrunk.

    References
    ----------
    W.-Y. Loh and Y.-S. Shih, Split selection methods for classification trees, Statistica Sinica 7, 1997.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.QUESTClassifier(random_state=0).fit(X, y)
    >>> bool(clf.score(X, y) > 0.95)
    True
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = OBLIQUE_ANSWERS

    def _recipe(self) -> Recipe:
        return oblique_recipe(self, criterion=Gini(), search=self._part(Quest, "linear", "alpha"))

    def __init__(
        self,
        *,
        linear: bool = False,
        alpha: float = 0.05,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        pruning: float | str | Pruning | None = "cross_validated",
        missing: str | Missing = "majority_branch",
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.linear = linear
        self.alpha = alpha
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.missing = missing
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
