"""LMDT: a linear machine at a node, a sum of columns for each class that thermal training has found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import MACHINE_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Machine, Part
from bough.recipe.looking import Search

__all__ = ["LMDTClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class LMDTClassifier(ObliqueTree, ClassificationTree):
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

    search: str | Search = "thermal"
