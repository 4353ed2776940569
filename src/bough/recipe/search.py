"""How do we look for the best test: among all tests of a column, after choosing the column, or also among pairs."""

from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part

__all__ = ["Exhaustive", "Pairs", "Unbiased"]


class Search(Part):
    """An answer to the question how tests are looked for."""

    slot = "search"
    threshold: str
    side: str
    zero_gain: bool | None
    max_competitors: int

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        places = ["midpoint", "weighted", "data_value"]
        return {
            "threshold": check.choice(self.label("threshold"), self.threshold, places),
            "threshold_side": check.choice(self.label("side"), self.side, ["le", "lt"]),
            **({} if self.zero_gain is None else {"zero_gain": check.flag(self.label("zero_gain"), self.zero_gain)}),
            "max_competitors": check.whole(self.label("max_competitors"), self.max_competitors, 0),
        }


class Exhaustive(Search):
    """Every test of every column, the best of all.

    Parameters
    ----------
    threshold : {"midpoint", "weighted", "data_value"}, default="midpoint"
        Where between two values a threshold lies: in the middle, at (1 - P) low + P high with P the share sent low,
        or at the largest value of the training column up to the middle.
    side : {"le", "lt"}, default="le"
        Whether a value equal to the threshold goes low ("le") or high ("lt", as in rpart).
    ties : {"first", "rounding"}, default="first"
        Which of two candidates whose gains differ by nothing but rounding: the first, or the one that the last bits
        of plainly added sums favour, which also depends on the order of the rows (rpart).
    branch_order : {"value", "response"}, default="value"
        The first branch: the low values, or the side that leans to the first classes or the lower mean (rpart).
    zero_gain : bool or None, default=None
        Split impure nodes even where no test gains: by the best test all the same, and of equal ones by the first of
        the first column. None: if stopping is None, or asks for an error (`ErrorThreshold`).
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        1 where the answer may not fall with the column, -1 where it may not rise, 0 elsewhere.
    feature_costs : array of shape (n_features,), dict or None, default=None
        What a column costs to measure: gains are divided by it when columns compete.
    value_gap : float, default=0.0
        Values of a column that are no further apart are not separated.
    tolerance : float, default=0.0
        Weights and gains that differ by no more are equal; with 0 only rounding is forgiven.
    max_competitors : int, default=4
        Runner-up tests kept at each node.
    """

    def __init__(
        self,
        threshold: str = "midpoint",
        side: str = "le",
        ties: str = "first",
        branch_order: str = "value",
        zero_gain: bool | None = None,
        monotonic_cst: Any = None,
        feature_costs: Any = None,
        value_gap: float = 0.0,
        tolerance: float = 0.0,
        max_competitors: int = 4,
    ) -> None:
        self.threshold = threshold
        self.side = side
        self.ties = ties
        self.branch_order = branch_order
        self.zero_gain = zero_gain
        self.monotonic_cst = monotonic_cst
        self.feature_costs = feature_costs
        self.value_gap = value_gap
        self.tolerance = tolerance
        self.max_competitors = max_competitors

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        options = {
            **super().options(facts),
            "ties": check.choice(self.label("ties"), self.ties, ["first", "rounding"]),
            "branch_order": check.choice(self.label("branch_order"), self.branch_order, ["value", "response"]),
            "value_gap": check.share(self.label("value_gap"), self.value_gap, 0.0, np.inf),
            "epsilon": check.share(self.label("tolerance"), self.tolerance, 0.0, 1.0),
        }
        if self.feature_costs is not None:
            name = self.label("feature_costs")
            costs = check.by_column(name, self.feature_costs, facts.schema, 1.0)
            if not (np.isfinite(costs) & (costs > 0)).all():
                raise ParameterError(f"{name} must be finite and positive; got {costs.tolist()}.")
            options["feature_cost"] = costs.tolist()
        if self.monotonic_cst is not None:
            options["monotone"] = self._monotone(facts)
        return options

    def _monotone(self, facts: Facts) -> list[int]:
        name = self.label("monotonic_cst")
        given = check.by_column(name, self.monotonic_cst, facts.schema, 0.0)
        if not np.isin(given, (-1, 0, 1)).all():
            raise ParameterError(f"{name} must hold -1, 0 or 1 for each column; got {given.tolist()}.")
        for column, direction in zip(facts.schema, given, strict=True):
            if direction and column.kind == "nominal":
                raise ParameterError(f"{name} constrains {column.name!r}, whose levels have no order.")
        if facts.classes > 2:
            raise ParameterError(f"{name} needs two classes; y has {facts.classes}.")
        return [int(direction) for direction in given]


class Unbiased(Search):
    """First the column by a test of independence, then its best test: columns of many values are not favoured.

    The column is the one of the smallest p-value; where none is small enough the node is a leaf.

    Parameters
    ----------
    test : {"chi_squared", "permutation"}, default="chi_squared"
        Where p-values come from.
    level : float, default=0.05
        The largest p-value with which a node is split.
    bonferroni : bool, default=True
        Multiply p-values by the number of columns.
    resamples : int, default=999
        Permutations.
    threshold, side, zero_gain, max_competitors
        As for `Exhaustive`.
    """

    draws = True

    def __init__(
        self,
        test: str = "chi_squared",
        level: float = 0.05,
        bonferroni: bool = True,
        resamples: int = 999,
        threshold: str = "midpoint",
        side: str = "le",
        zero_gain: bool | None = None,
        max_competitors: int = 4,
    ) -> None:
        self.test = test
        self.level = level
        self.bonferroni = bonferroni
        self.resamples = resamples
        self.threshold = threshold
        self.side = side
        self.zero_gain = zero_gain
        self.max_competitors = max_competitors

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {
            **super().options(facts),
            "search": "unbiased",
            "selection_test": check.choice(self.label("test"), self.test, ["chi_squared", "permutation"]),
            "selection_level": check.share(self.label("level"), self.level, 0.0, 1.0),
            "selection_bonferroni": check.flag(self.label("bonferroni"), self.bonferroni),
            "resamples": check.whole(self.label("resamples"), self.resamples, 1),
            "seed": facts.seed,
        }


class Pairs(Search):
    """Every test of every column, and "a and b", "a or b" for properties (column = level or not) of two columns.

    Parameters
    ----------
    threshold, side, zero_gain, max_competitors
        As for `Exhaustive`.
    """

    def __init__(
        self, threshold: str = "midpoint", side: str = "le", zero_gain: bool | None = None, max_competitors: int = 4
    ) -> None:
        self.threshold = threshold
        self.side = side
        self.zero_gain = zero_gain
        self.max_competitors = max_competitors

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {**super().options(facts), "search": "pairs"}
