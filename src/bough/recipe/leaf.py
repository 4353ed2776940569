"""What does a leaf say? Classes and their probabilities, or a number."""

from typing import Any

import numpy as np

from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Bayes", "Laplace", "MEstimate", "Majority", "Mean", "Median"]


class Leaf(Part):
    """An answer to the question what a leaf says."""

    slot = "leaf"

    def smoothing(self, classes: int) -> float:
        """The weight of the prior in the probabilities of a leaf."""
        return 0.0


class Majority(Leaf):
    """The most frequent class, and the shares of the classes as probabilities."""

    tasks = ("classes",)


class Bayes(Leaf):
    """The class of least expected cost, with probabilities under given priors.

    Parameters
    ----------
    priors : dict, array of shape (n_classes,), "equal" or None, default=None
        Probabilities of the classes, instead of their shares in the data.
    costs : dict, array of shape (n_classes, n_classes) or None, default=None
        What errors cost: `{(true, decided): cost}`, other errors 1, or an array [true][decided]. Criteria that do not
        weigh costs themselves see the classes with priors altered by them.
    class_weight : dict, "balanced", "balanced_rows" or None, default=None
        Factors of the classes; not together with priors. "balanced" gives all classes the same weight in all;
        "balanced_rows" does so for rows of weight 1, whatever their weights are (scikit-learn).
    """

    tasks = ("classes",)

    def __init__(self, priors: Any = None, costs: Any = None, class_weight: Any = None) -> None:
        self.priors = priors
        self.costs = costs
        self.class_weight = class_weight


class Laplace(Leaf):
    """The most frequent class; probabilities count one more row of every class in each leaf."""

    tasks = ("classes",)

    def smoothing(self, classes: int) -> float:
        """One row of every class."""
        return float(classes)


class MEstimate(Leaf):
    """Probabilities count m more rows, divided among the classes as a prior says; the class is the most probable.

    Parameters
    ----------
    m : float, default=2.0
    prior : {"data", "equal"}, default="data"
        Shares of the classes in the training rows, or all alike.
    """

    tasks = ("classes",)

    def __init__(self, m: float = 2.0, prior: str = "data") -> None:
        self.m = m
        self.prior = prior

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        check.choice(self._name("prior"), self.prior, ["data", "equal"])
        self.smoothing(facts.classes)
        return {}

    def smoothing(self, classes: int) -> float:
        """The rows that are added."""
        return check.share(self._name("m"), self.m, 0.0, np.inf)


class Mean(Leaf):
    """The mean."""

    tasks = ("numbers",)


class Median(Leaf):
    """The median."""

    tasks = ("numbers",)
