"""Omnivariate trees: every node chooses how much its test may be, by what rows say that the test was not fitted to."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.model.choice import kinds_by_depth
from bough.recipe import Omnivariate, Part, Reading
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["OmnivariateTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
class OmnivariateTreeClassifier(ClassificationTree):
    """An omnivariate tree.

    Several searches compete at every node, the simplest first: the best test of one column, a weighted sum of columns,
    or what else is given. A more complex one is taken only if it errs significantly less on rows that it was not fitted
    to. `node.choice` of `tree_` has the errors and p-values, which drawings show; files do not keep them.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : "omnivariate" or part, default="omnivariate"
        `Omnivariate` says which searches compete, and at which level of significance.
    {oblique}
    {classes}

    References
    ----------
    O. T. Yildiz and E. Alpaydin, Omnivariate decision trees, IEEE Transactions on Neural Networks 12, 2001. E.
    Alpaydin, Combined 5x2 cv F test for comparing supervised classification learning algorithms, Neural Computation 11,
    1999.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("diagonal", n=400, random_state=0).xy()
    >>> clf = bough.OmnivariateTreeClassifier(random_state=0).fit(X, y)
    >>> clf.tree_.root.choice.kind
    'linear'
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"omnivariate": Omnivariate()},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "omnivariate",
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
        self.criterion = criterion
        self.search = search
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

    def kinds_by_depth(self) -> Any:
        """Return how many tests of each kind stand at each depth: a frame.

        Whether complex tests stand near the root, where there are many rows, as the text says.

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("diagonal", n=400, random_state=0).xy()
        >>> bough.OmnivariateTreeClassifier(random_state=0).fit(X, y).kinds_by_depth().linear.tolist()[0]
        1
        """
        return kinds_by_depth(self.tree_)
