"""What does a leaf say? Classes and their probabilities, or a number."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model.answer import Answer, ClassAnswer, NumberAnswer
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Bayes", "Laplace", "MEstimate", "Majority", "Mean", "Median"]

Labels = npt.NDArray[Any] | None
Costs = npt.NDArray[np.float64] | None


class Leaf(Part):
    """An answer to the question what a leaf says."""

    slot = "leaf"

    def answer(self, kernel: _core.Tree, classes: Labels, costs: Costs, tolerance: float) -> Answer:
        """What the nodes of a grown and pruned tree say from now on.

        Parameters
        ----------
        kernel : _core.Tree
        classes : ndarray or None
            The labels in the order of the kernel's class numbers.
        costs : ndarray or None
        tolerance : float
            Probabilities that differ by no more are equal; 0: only rounding is forgiven.
        """
        raise NotImplementedError


class ClassLeaf(Leaf):
    """A leaf that says classes."""

    tasks = ("classes",)
    decides_smoothed: ClassVar[bool] = True

    def answer(self, kernel: _core.Tree, classes: Labels, costs: Costs, tolerance: float) -> Answer:
        """Probabilities, smoothed or not, and the class decided by them."""
        assert classes is not None  # noqa: S101 (a leaf of classes is refused where numbers are predicted)
        m = self.smoothing(len(classes))
        smoothing = (m, self.prior_shares(kernel)) if m > 0 else None
        return ClassAnswer(classes, costs, smoothing, self.decides_smoothed, max(tolerance, 1e-12))

    def smoothing(self, classes: int) -> float:
        """The weight of the prior in the probabilities of a leaf."""
        return 0.0

    def prior_shares(self, kernel: _core.Tree) -> npt.NDArray[np.float64]:
        """How the rows of the prior divide among the classes: all alike."""
        size = len(kernel.class_scale)
        return np.full(size, 1.0 / size)


class NumberLeaf(Leaf):
    """A leaf that says a number."""

    tasks = ("numbers",)

    def answer(self, kernel: _core.Tree, classes: Labels, costs: Costs, tolerance: float) -> Answer:
        """The value of each node."""
        return NumberAnswer()


class Majority(ClassLeaf):
    """The most frequent class, and the shares of the classes as probabilities."""


class Bayes(ClassLeaf):
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

    def __init__(self, priors: Any = None, costs: Any = None, class_weight: Any = None) -> None:
        self.priors = priors
        self.costs = costs
        self.class_weight = class_weight


class Laplace(ClassLeaf):
    """The most frequent class; probabilities count one more row of every class in each leaf."""

    # One more row of every class favours none, so that Laplace does not choose.
    decides_smoothed = False

    def smoothing(self, classes: int) -> float:
        """One row of every class."""
        return float(classes)


class MEstimate(ClassLeaf):
    """Probabilities count m more rows, divided among the classes as a prior says; the class is the most probable.

    Parameters
    ----------
    m : float, default=2.0
    prior : {"data", "equal"}, default="data"
        Shares of the classes in the training rows, or all alike.
    """

    def __init__(self, m: float = 2.0, prior: str = "data") -> None:
        self.m = m
        self.prior = prior

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        check.choice(self.label("prior"), self.prior, ["data", "equal"])
        self.smoothing(facts.classes)
        return {}

    def smoothing(self, classes: int) -> float:
        """The rows that are added."""
        return check.share(self.label("m"), self.m, 0.0, np.inf)

    def prior_shares(self, kernel: _core.Tree) -> npt.NDArray[np.float64]:
        """The shares of the classes in the training rows, under priors, or all alike."""
        if self.prior != "data":
            return super().prior_shares(kernel)
        shares = _core.probabilities(kernel, np.zeros(1, dtype=np.int32))[0]
        whole: npt.NDArray[np.float64] = shares / shares.sum()
        return whole


class Mean(NumberLeaf):
    """The mean."""


class Median(NumberLeaf):
    """The median."""
