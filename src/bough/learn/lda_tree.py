"""Linear discriminant trees: nodes ask for a sum of columns, the discriminant of two groups of their classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Discriminant, Part
from bough.recipe.looking import Search

__all__ = ["LDATreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class LDATreeClassifier(ObliqueTree, ClassificationTree):
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

    search: str | Search = "discriminant"
