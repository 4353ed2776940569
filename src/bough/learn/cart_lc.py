"""CART with linear combinations: weights tuned one by one, columns deleted that hardly matter."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import LinearCombination, Part
from bough.recipe.looking import Search

__all__ = ["CARTLCClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class CARTLCClassifier(ObliqueTree, ClassificationTree):
    """A tree of linear combinations (CART).

    Every node asks for the best test of one column or for a weighted sum of columns, whichever gains more. From the
    best test of one column the weights are tuned in turn, and columns whose deletion loses little are deleted.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : "linear_combination" or part, default="linear_combination"
        `LinearCombination` has what else is to choose.
    {oblique}
    {classes}

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth, 1984, section 5.2.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    >>> bough.CARTLCClassifier(pruning=None).fit(X, y).get_n_leaves()
    2
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"linear_combination": LinearCombination()},
        **OBLIQUE_ANSWERS,
    }

    search: str | Search = "linear_combination"
