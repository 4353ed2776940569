"""Regression trees whose nodes ask for a sum of columns: the direction of ridge regression."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.oblique import OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.regressor import RegressionTree
from bough.learn.texts import described
from bough.recipe import Discriminant, Part, Perturb, SquaredError
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search

__all__ = ["ObliqueTreeRegressor"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class ObliqueTreeRegressor(ObliqueTree, RegressionTree):
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

    criterion: str | Criterion = "squared_error"
    search: str | Search = "discriminant"
