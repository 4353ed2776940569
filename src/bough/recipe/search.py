"""How do we look for the best test: among all tests of a column, after choosing the column, or also of several.

Searches for weighted sums of columns are in `bough.recipe.oblique`.
"""

from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.curved import Curved
from bough.recipe.gradient import Gradient
from bough.recipe.looking import Search
from bough.recipe.machine import Machine
from bough.recipe.network import Network, SparseLogistic, Written
from bough.recipe.oblique import Discriminant, LinearCombination, Perturb
from bough.recipe.omnivariate import Omnivariate
from bough.recipe.part import Facts
from bough.recipe.quest import Quest
from bough.table import Column

__all__ = [
    "Conjunctions",
    "Curved",
    "Discriminant",
    "Exhaustive",
    "Gradient",
    "LinearCombination",
    "Machine",
    "Network",
    "Omnivariate",
    "Pairs",
    "Perturb",
    "Quest",
    "SparseLogistic",
    "Unbiased",
    "Written",
]


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
    lookahead : {1, 2}, default=1
        2: the `beam` best tests of a node are each followed by the best test of one column in every branch, and the one
        that gains most in both levels is taken.
    beam : int, default=5
        How many tests are looked at so; each costs a search of its branches.
    refine : {"alternate"} or None, default=None
        "alternate": once the tree is pruned, the tests of its nodes are improved in turn for the tree as a whole, which
        never errs more on the training rows for it (tree alternating optimisation).

    References
    ----------
    M. A. Carreira-Perpinan and P. Tavallali, Alternating optimization of decision trees, NeurIPS 2018.
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
        lookahead: int = 1,
        beam: int = 5,
        refine: str | None = None,
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
        self.lookahead = lookahead
        self.beam = beam
        self.refine = refine

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
            name = self.label("monotonic_cst")
            options["monotone"] = check.signs(name, self.monotonic_cst, facts.schema, facts.classes)
        return options


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


class Conjunctions(Search):
    """Every test of every column, and "a and b", "a or b" for properties of two or three columns (polythetic tests).

    A property is column = level or any other level; with `thresholds` also column <= threshold or above. All
    conjunctions are tried, with the branches exchanged also all disjunctions. Rows that lack one of the values are left
    out of the score.

    Parameters
    ----------
    size : {2, 3}, default=2
        Most properties of a test, each of another column.
    thresholds : int, default=0
        How many thresholds of a number or an ordered column are properties: all that part its values in the node, or,
        where there are more, so many that part the rows into parts of like weight. 0: levels alone.
    max_tests : int, default=10_000_000
        A table that would have more conjunctions to judge at a node is refused.
    threshold, side, zero_gain, max_competitors
        As for `Exhaustive`.

    Notes
    -----
    A column of L levels has 2 L properties (2 if L is 2), one of T thresholds 2 T. Every two columns, and with size=3
    every three, have the product of their numbers of properties as tests: with d columns of p properties each
    d (d - 1) / 2 p^2 and d (d - 1) (d - 2) / 6 p^3. A test costs about as much as one threshold of one column, so that
    a million take some tenths of a second at every node, less for two classes; besides, every choice of columns looks
    at the rows of the node once and keeps a table of their values together. Ten columns of four levels have 3,000 tests
    with size=2 and 64,000 with size=3; ten columns with eight thresholds 12,000 and 503,000.
    """

    def __init__(
        self,
        size: int = 2,
        thresholds: int = 0,
        max_tests: int = 10_000_000,
        threshold: str = "midpoint",
        side: str = "le",
        zero_gain: bool | None = None,
        max_competitors: int = 4,
    ) -> None:
        self.size = size
        self.thresholds = thresholds
        self.max_tests = max_tests
        self.threshold = threshold
        self.side = side
        self.zero_gain = zero_gain
        self.max_competitors = max_competitors

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options; a search of too many tests is refused."""
        size = check.whole(self.label("size"), self.size, 2)
        if size > 3:
            raise ParameterError(
                f"{self.label('size')} must be 2 or 3: more properties have too many conjunctions to try them all; "
                f"got {size}."
            )
        thresholds = check.whole(self.label("thresholds"), self.thresholds, 0)
        self._refuse_too_many(facts, size, thresholds)
        return {
            **super().options(facts),
            "search": "conjunctions",
            "conjunction_size": size,
            "conjunction_thresholds": thresholds,
        }

    def _refuse_too_many(self, facts: Facts, size: int, thresholds: int) -> None:
        """Count the conjunctions that a node can have, by the levels and thresholds that columns can have."""
        most = check.whole(self.label("max_tests"), self.max_tests, 1)
        properties = {column.name: _properties(column, thresholds, facts.rows) for column in facts.schema}
        counts = list(properties.values())
        # By how many columns are chosen: the sum of the products of their numbers of properties.
        sums = [1, *([0] * size)]
        for count in counts:
            for chosen in range(size, 0, -1):
                sums[chosen] += sums[chosen - 1] * count
        tests = sum(sums[2:])
        if tests <= most:
            return
        first = sorted(properties, key=lambda name: -properties[name])[:3]
        named = ", ".join(f"{name!r} ({properties[name]:,})" for name in first)
        ways = ["leave some columns out"] + ["take size=2"] * (size > 2) + ["take fewer thresholds"] * (thresholds > 1)
        raise ParameterError(
            f"up to {tests:,} conjunctions of {size} properties would be judged at a node, and at most {most:,} are: "
            f"{', '.join(ways)}, or raise it by Conjunctions(max_tests=...) and wait. Most properties have the columns "
            f"{named}."
        )


class Pairs(Conjunctions):
    """Every test of every column, and "a and b", "a or b" for properties (column = level or not) of two columns.

    The same as `Conjunctions()`, which also knows three columns and thresholds.

    Parameters
    ----------
    threshold, side, zero_gain, max_competitors
        As for `Exhaustive`.
    """

    def __init__(
        self, threshold: str = "midpoint", side: str = "le", zero_gain: bool | None = None, max_competitors: int = 4
    ) -> None:
        super().__init__(threshold=threshold, side=side, zero_gain=zero_gain, max_competitors=max_competitors)


def _properties(column: Column, thresholds: int, rows: int) -> int:
    """How many properties a column can have."""
    if column.kind == "nominal":
        return 0 if column.n_levels < 2 else 2 if column.n_levels == 2 else 2 * column.n_levels
    values = rows if column.kind == "numeric" else column.n_levels
    return 2 * max(0, min(thresholds, values - 1))
