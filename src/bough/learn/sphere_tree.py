"""Trees of spheres: nodes ask for a column, or how far a row is from a centre."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.recipe import Curved, Part, Reading
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["SphereTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
class SphereTreeClassifier(ClassificationTree):
    """A tree of spheres.

    Every node asks for the best test of one column or how far a row is from a centre, whichever gains more. Numbers are
    measured in their standard deviations at the node, or in their ranges. The sphere starts from a discriminant among
    the columns and their common square, or around the mean of a class; then centre and radius are moved while that
    gains. Missing values count as the mean of the node.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : "sphere" or part, default="sphere"
        `Curved` says which curves are looked for: spheres, ellipsoids or any of the second degree.
    {oblique}
    {classes}

    References
    ----------
    R. O. Duda, P. E. Hart and D. G. Stork, Pattern Classification, 2nd edition, Wiley, 2001, section 8.3. E. Alpaydin,
    Introduction to Machine Learning, 4th edition, MIT Press, 2020, section 9.6.

    Examples
    --------
    >>> import bough
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> inside = X[:, 0] ** 2 + X[:, 1] ** 2 < 0.5
    >>> clf = bough.SphereTreeClassifier(random_state=0).fit(X, inside)
    >>> clf.get_n_leaves()
    2
    >>> clf.tree_.root.split.describe(0, exact=False)[:12]
    'distance to '
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"sphere": Curved("sphere")},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "sphere",
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
