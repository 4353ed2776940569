"""FACT: each class of a node has a discriminant function, and a row takes the branch of the largest."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import MACHINE_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.recipe import Machine, Part, Reading
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["FACTClassifier"]


@described(oblique=OBLIQUE_TEXT)
class FACTClassifier(ClassificationTree):
    """A tree with a branch for each class, by linear discriminant functions (FACT).

    Every class of a node has a discriminant function on the principal components of its columns, and a row takes the
    branch of the largest. No criterion is searched, so that growing is quick and columns of many values are not
    favoured; the criterion says what a test gains, for drawings and pruning. `Machine("fact", linear=False)` asks one
    column at a node, cut into intervals.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "misclassification"} or part, default="gini"
    search : "fact" or part, default="fact"
        `Machine` has what else is to choose.
    {oblique}
    {classes}

    References
    ----------
    W.-Y. Loh and N. Vanichsetakul, Tree-structured classification via generalized discriminant analysis, Journal of the
    American Statistical Association 83, 1988.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.FACTClassifier(max_depth=1, pruning=None).fit(X, y)
    >>> clf.get_n_leaves(), clf.tree_.root.split.kind
    (3, 'largest')
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": MACHINE_CRITERIA,
        "search": {"fact": Machine("fact")},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "fact",
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
