"""FACT: each class of a node has a discriminant function, and a row takes the branch of the largest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import MACHINE_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Machine, Part
from bough.recipe.looking import Search

__all__ = ["FACTClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class FACTClassifier(ObliqueTree, ClassificationTree):
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

    search: str | Search = "fact"
