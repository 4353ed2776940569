"""Omnivariate trees: every node chooses how much its test may be, by what rows say that the test was not fitted to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.model.choice import kinds_by_depth
from bough.recipe import Omnivariate, Part
from bough.recipe.looking import Search

__all__ = ["OmnivariateTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class OmnivariateTreeClassifier(ObliqueTree, ClassificationTree):
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

    search: str | Search = "omnivariate"

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
