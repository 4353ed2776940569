"""Random forests: many deep trees, each grown on rows and columns drawn for it."""

from dataclasses import dataclass

from bough.learn.forest_estimator import ForestClassifier, ForestRegressor
from bough.learn.forest_signature import TEXTS
from bough.learn.texts import described

__all__ = ["RandomForestClassifier", "RandomForestRegressor"]


@described(**TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestClassifier(ForestClassifier):
    """A random forest for classes: trees on bootstrap samples that look at few columns a node, and vote.

    {random_trees}

    {forest_for_classes}

    {breiman}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=100, oob_score=True).fit(X, y)
    >>> bool(clf.oob_score_ > 0.97)
    True
    >>> clf.predict(X[:2]).tolist()
    ['Adelie', 'Adelie']
    >>> clf[0].root.split.column in clf.feature_names_in_
    True
    """

    bootstrap: bool = True


@described(**TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestRegressor(ForestRegressor):
    """A random forest for numbers: trees on bootstrap samples that look at few columns a node, averaged.

    {random_trees}

    {forest_for_numbers}

    {breiman}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=100, oob_score=True).fit(X, y)
    >>> bool(reg.oob_score_ > 0.6)
    True
    """

    bootstrap: bool = True
