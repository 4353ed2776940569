"""Trees of spheres: nodes ask for a column, or how far a row is from a centre."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Curved, Part
from bough.recipe.looking import Search

__all__ = ["SphereTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class SphereTreeClassifier(ObliqueTree, ClassificationTree):
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

    search: str | Search = "sphere"
