"""Which test is best, as far as it is a matter of figures: impurities whose drop is the gain of a test."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part, snake_case
from bough.table import Schema

__all__ = [
    "AbsoluteError",
    "ChiSquared",
    "Entropy",
    "ExpectedCost",
    "GainRatio",
    "Gini",
    "Misclassification",
    "SquaredError",
    "Twoing",
    "Variance",
    "WeightedEntropy",
    "WeightedGini",
    "WorstError",
]

Floats = npt.NDArray[np.float64]


class Criterion(Part):
    """An answer to the question how good a test is."""

    slot = "criterion"
    weighs_costs: ClassVar[bool] = False  # whether costs are part of it, rather than altered priors

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"criterion": snake_case(type(self).__name__)}

    def shown(self) -> str:
        """The name that drawings know."""
        return snake_case(type(self).__name__)

    def impurities(self, nodes: Floats, costs: Floats | None = None) -> Floats:
        """Return the impurity of nodes by the weights of their classes.

        Parameters
        ----------
        nodes : ndarray of shape (n_nodes, n_classes)
        costs : ndarray of shape (n_classes, n_classes), optional
            [true][decided], for a criterion that weighs costs, which needs them.

        Examples
        --------
        >>> import numpy as np
        >>> from bough.recipe import Entropy, Gini, Variance
        >>> nodes = np.array([[10.0, 90.0], [50.0, 50.0]])
        >>> for part in (Entropy(), Gini(), Variance()):
        ...     print(part.impurities(nodes).round(3).tolist())
        [0.469, 1.0]
        [0.18, 0.5]
        [0.09, 0.25]
        """
        if "classes" not in self.tasks:
            raise ParameterError(f"{self.shown()!r} judges numbers: it has no impurity of classes.")
        self._check_costs(costs)
        counts = np.ascontiguousarray(nodes, dtype=np.float64)
        if counts.ndim != 2 or not np.isfinite(counts).all() or (counts < 0).any():
            raise ParameterError("nodes must hold one row a node with the weights of its classes, none below 0.")
        n_rows, n_classes = counts.shape
        matrix = None if costs is None else np.ascontiguousarray(costs, dtype=np.float64).ravel()
        asked = self.options(Facts(Schema(()), n_classes, n_rows, n_rows, float(counts.sum())))
        return _core.impurities(asked, n_classes, counts.ravel(), matrix)

    def _check_costs(self, costs: Any) -> None:
        if self.weighs_costs != (costs is not None):
            does = "needs costs, [true][decided]" if self.weighs_costs else "does not look at costs: leave them out"
            raise ParameterError(f"{self.shown()!r} {does}.")


class Gini(Criterion):
    """Gini impurity, 1 - sum of p².

    Parameters
    ----------
    halved : bool, default=False
        Half of it, as some texts define it, see `Variance`; the trees are the same.
    """

    tasks = ("classes",)

    def __init__(self, halved: bool = False) -> None:
        self.halved = halved

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"criterion": "gini_half" if check.flag(self.label("halved"), self.halved) else "gini"}


class Variance(Criterion):
    """The variance impurity of texts: p1 p2 of two classes, the sum of pi pj over all pairs of more.

    It is half of Gini's impurity and so takes the same tests. Thresholds of impurity and gain are halves, too:
    `MinGain(0.05)` stops here where `MinGain(0.1)` does with `Gini`.
    """

    tasks = ("classes",)

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"criterion": "gini_half"}


class _Information(Criterion):
    """Entropy in bits, with the rules of C4.5 for the choice of a column."""

    tasks = ("classes",)
    choice: str
    threshold_penalty: bool
    many_valued_share: float
    rules: str = "c45"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        share = check.share(self.label("many_valued_share"), self.many_valued_share, 0.0, np.inf)
        return {
            **super().options(facts),
            "choice": check.choice(self.label("choice"), self.choice, ["above_average", "best"]),
            "threshold_penalty": check.flag(self.label("threshold_penalty"), self.threshold_penalty),
            "many_valued_share": share,
            "later_rules": check.choice(self.label("rules"), self.rules, ["c45", "c50"]) == "c50",
        }


class Entropy(_Information):
    """Entropy in bits; its drop is the information gain.

    Parameters
    ----------
    choice : {"best", "above_average"}, default="best"
        Whether all columns compete or only those whose gain is at least the average.
    threshold_penalty : bool, default=False
        Numbers pay for their choice of thresholds: log2 of how many there are, divided by the weight of the node.
    many_valued_share : float, default=0.0
        Nominal columns with at least so many levels to a row stay out of the average gain; 0: none does.
    """

    def __init__(self, choice: str = "best", threshold_penalty: bool = False, many_valued_share: float = 0.0) -> None:
        self.choice = choice
        self.threshold_penalty = threshold_penalty
        self.many_valued_share = many_valued_share


class GainRatio(_Information):
    """Information gain divided by the entropy of the branches themselves (C4.5).

    Parameters
    ----------
    choice : {"above_average", "best"}, default="above_average"
        Whether only columns whose gain is at least the average compete, or all.
    threshold_penalty : bool, default=True
        Numbers pay for their choice of thresholds: log2 of how many there are, divided by the weight of the node.
    many_valued_share : float, default=0.3
        Nominal columns with at least so many levels to a row stay out of the average gain; 0: none does.
    rules : {"c45", "c50"}, default="c45"
        "c50" as the records of C5.0 show: a threshold in a wide gap is cheaper (log2 of the range over the gap, if that
        is less), in nodes of 250 rows a class all columns compete, equal ratios go by gain, groups of levels
        (`Grouped`) pay log2 of the number of ways to make them, and `many_valued_share` is not asked.
    """

    def __init__(
        self,
        choice: str = "above_average",
        threshold_penalty: bool = True,
        many_valued_share: float = 0.3,
        rules: str = "c45",
    ) -> None:
        self.choice = choice
        self.threshold_penalty = threshold_penalty
        self.many_valued_share = many_valued_share
        self.rules = rules


class Twoing(Criterion):
    """Twoing: the classes are divided into two superclasses, and a test is worth what it does for the best division.

    For tests with two branches. The division of a test is looked for among all, at the price of sorting the classes;
    for errors every division is tried, 2^(classes - 1) of them for each test, so that eleven classes are the most.
    Nodes say Gini's impurity of all classes, whatever the superclasses are judged by, so that a gain by entropy may be
    larger than the impurity of its node.

    Parameters
    ----------
    impurity : {"gini", "entropy", "misclassification"}, default="gini"
        Of the two superclasses, whose drop is the gain. Gini's is taken by half, as CART defines twoing,
        ``P_L P_R / 4 (sum of |p_L - p_R|)²``: no division need be looked for. Entropy favours divisions into purer
        branches.
    """

    tasks = ("classes",)

    def __init__(self, impurity: str = "gini") -> None:
        self.impurity = impurity

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        known = ["gini", "entropy", "misclassification"]
        chosen = check.choice(self.label("impurity"), self.impurity, known)
        return {**super().options(facts), **({} if chosen == "gini" else {"twoing_impurity": chosen})}

    def shown(self) -> str:
        """The name that drawings know."""
        return "twoing" if self.impurity == "gini" else f"twoing_{self.impurity}"

    def impurities(self, nodes: Floats, costs: Floats | None = None) -> Floats:
        """Gini's; other impurities are those of two superclasses, which a node alone does not have."""
        if self.impurity != "gini":
            raise ParameterError(
                f"{self.shown()!r} is the impurity of two superclasses, which depend on the test: a node has none."
            )
        return super().impurities(nodes, costs)


class Misclassification(Criterion):
    """The share of rows that are not of the most frequent class."""

    tasks = ("classes",)


class ChiSquared(Criterion):
    """Pearson's chi-squared statistic of branches and classes, divided by the weight of the node."""

    tasks = ("classes",)


class WeightedGini(Criterion):
    """Gini impurity in which every pair of classes counts by the costs of mistaking them; needs Bayes(costs=...)."""

    tasks = ("classes",)
    weighs_costs = True


class WeightedEntropy(Criterion):
    """Entropy in which a class counts by the mean cost of missing it; needs Bayes(costs=...)."""

    tasks = ("classes",)
    weighs_costs = True


class ExpectedCost(Criterion):
    """The cost to expect from the best decision at the node; needs Bayes(costs=...)."""

    tasks = ("classes",)
    weighs_costs = True


class SquaredError(Criterion):
    """The mean squared distance from the mean."""

    tasks = ("numbers",)


class AbsoluteError(Criterion):
    """The mean distance from the median."""

    tasks = ("numbers",)


class WorstError(Criterion):
    """The largest distance from the mean."""

    tasks = ("numbers",)
