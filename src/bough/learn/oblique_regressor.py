"""Regression trees whose nodes ask for a sum of columns: the direction of ridge regression."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.oblique import OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.regressor import RegressionTree
from bough.learn.texts import described
from bough.recipe import Discriminant, Part, Perturb, Reading, SquaredError
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["ObliqueTreeRegressor"]


@described(oblique=OBLIQUE_TEXT)
class ObliqueTreeRegressor(RegressionTree):
    """A regression tree of oblique splits.

    Every node asks for the best test of one column or for a weighted sum of columns, whichever lowers the squared error
    more. The weights are those of ridge regression, shrunk as far as the rows of the node ask for, and the sum is cut
    where the criterion gains most. Leaves answer with means.

    Parameters
    ----------
    criterion : "squared_error" or part, default="squared_error"
    search : {"discriminant", "perturb"} or part, default="discriminant"
        `Discriminant(target="mean")` parts the rows above the mean from those below it; `Perturb` moves weights one by
        one.
    {oblique}

    References
    ----------
    A. Dobra and J. Gehrke, SECRET: a scalable linear regression tree algorithm, KDD 2002. A. E. Hoerl and R. W.
    Kennard, Ridge regression: biased estimation for nonorthogonal problems, Technometrics 12, 1970.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1", n=300, random_state=0).xy()
    >>> reg = bough.ObliqueTreeRegressor(random_state=0).fit(X, y)
    >>> bool(reg.score(X, y) > 0.7)
    True
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": {"squared_error": SquaredError()},
        "search": {"discriminant": Discriminant(), "perturb": Perturb()},
        **OBLIQUE_ANSWERS,
    }
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "squared_error",
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
