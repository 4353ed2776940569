"""Linear discriminant trees: nodes ask for a sum of columns, the discriminant of two groups of their classes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.recipe import Discriminant, Part, Reading
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["LDATreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
class LDATreeClassifier(ClassificationTree):
    """A linear discriminant tree.

    Every node asks for the best test of one column or for a weighted sum of columns, whichever gains more. The weights
    are those of Fisher's discriminant between two groups of the classes, shrunk as far as the rows of the node ask for,
    so that sums stay sensible in small nodes. Nominal columns enter by indicators of their levels, missing values count
    as the mean of the node.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : "discriminant" or part, default="discriminant"
        `Discriminant` says how classes are grouped, how far to shrink, and whether sums are made sparse.
    {oblique}
    {classes}

    References
    ----------
    O. T. Yildiz and E. Alpaydin, Linear discriminant trees, ICML 2000. H. Guo and S. B. Gelfand, Classification trees
    with neural network feature extraction, IEEE Transactions on Neural Networks 3, 1992.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("balance_scale").xy()
    >>> clf = bough.LDATreeClassifier(random_state=0).fit(X, y)
    >>> bool(clf.score(X, y) > 0.9)
    True
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"discriminant": Discriminant()},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "discriminant",
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
