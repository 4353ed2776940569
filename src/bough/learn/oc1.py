"""OC1: nodes ask for a sum of columns whose weights are moved one by one, each exactly."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Part, Perturb
from bough.recipe.looking import Search

__all__ = ["OC1Classifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class OC1Classifier(ObliqueTree, ClassificationTree):
    """A tree of oblique splits (OC1).

    Every node asks for the best test of one column or for a weighted sum of columns, whichever gains more. From the
    best test of one column and from random planes the weights are moved one after the other, each as far as gains most,
    and by jumps along random directions. It pays where classes are parted by planes; on noisy tables it overfits, which
    `Perturb(sparse="backward")` and `CrossValidated(rule="1se")` hold back.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : "perturb" or part, default="perturb"
        `Perturb` has what else is to choose.
    {oblique}
    {classes}

    References
    ----------
    S. K. Murthy, S. Kasif and S. Salzberg, A system for induction of oblique decision trees, Journal of Artificial
    Intelligence Research 2, 1994.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    >>> bough.OC1Classifier(pruning=None, random_state=0).fit(X, y).get_n_leaves()
    2
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"perturb": Perturb()},
        **OBLIQUE_ANSWERS,
    }

    search: str | Search = "perturb"
