"""LMDT: a linear machine at a node, a sum of columns for each class that thermal training has found."""

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

__all__ = ["LMDTClassifier"]


@described(oblique=OBLIQUE_TEXT)
class LMDTClassifier(ClassificationTree):
    """A tree of linear machines (LMDT).

    Every node asks for the best test of one column, or trains a linear machine: a weighted sum of columns for each of
    its classes, of which the largest wins. Training is thermal: rows are corrected one after the other, the less the
    further they lie from where they should be and the longer it has gone on, so that machines settle where classes
    overlap. A node of at most two rows a term gets no machine.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "misclassification"} or part, default="gini"
    search : "thermal" or part, default="thermal"
        `Machine` has what else is to choose; `Machine("thermal", sparse="backward")` drops columns that do not matter.
    {oblique}
    {classes}

    References
    ----------
    C. E. Brodley and P. E. Utgoff, Multivariate decision trees, Machine Learning 19, 1995.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    >>> clf = bough.LMDTClassifier(max_depth=1, pruning=None, random_state=0).fit(X, y)
    >>> bool(clf.score(X, y) > 0.95)
    True
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": MACHINE_CRITERIA,
        "search": {"thermal": Machine("thermal")},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "thermal",
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
