"""Extremely randomized trees: forests whose cuts are drawn."""

from dataclasses import dataclass

from bough.learn.forest_estimator import ForestClassifier, ForestRegressor
from bough.learn.forest_signature import TEXTS
from bough.learn.texts import described

__all__ = ["ExtraTreesClassifier", "ExtraTreesRegressor"]


@described(**TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesClassifier(ForestClassifier):
    """Extremely randomized trees for classes: cuts are drawn, and the best of a few is taken.

    {drawn_cuts}

    {forest_for_classes}

    {geurts}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.ExtraTreesClassifier(n_estimators=100).fit(X, y)
    >>> bool(clf.score(X, y) > 0.99)
    True
    """

    random_cuts = True
    bootstrap: bool = False


@described(**TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesRegressor(ForestRegressor):
    """Extremely randomized trees for numbers: cuts are drawn, and the best of a few is taken.

    {drawn_cuts}

    {forest_for_numbers}

    {geurts}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.ExtraTreesRegressor(n_estimators=100).fit(X, y)
    >>> bool(reg.score(X, y) > 0.99)
    True
    """

    random_cuts = True
    bootstrap: bool = False
