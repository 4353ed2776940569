"""When is a node a leaf? Several answers may be given together: the first that holds stops."""

from typing import Any, ClassVar

import numpy as np

from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part
from bough.recipe.pruners import of_size, significance_options, size_options
from bough.recipe.rows import check_holdout

__all__ = [
    "ErrorThreshold",
    "GainsSoFar",
    "GlobalCriterion",
    "Layers",
    "MajorityShare",
    "MaxDepth",
    "MaxImpurity",
    "MaxLeaves",
    "MinDecrease",
    "MinGain",
    "MinRows",
    "Significance",
    "Validation",
]


class Stopping(Part):
    """An answer to the question when a node is a leaf."""

    slot = "stopping"
    goes_on: ClassVar[bool] = False  # whether nodes are split until it holds, even where no test gains


class MinRows(Stopping):
    """Nodes and branches need so many rows.

    Parameters
    ----------
    min_samples_split : int, float or None, default=20
        A node of less weight is a leaf. An int is a sum of sample weights (see `count_by`), a float in (0, 1] a share
        of the total; None: twice `min_samples_leaf`.
    min_samples_leaf : int, float or None, default=None
        Least weight of a branch, counted over the rows whose value is known; None: a third of `min_samples_split`.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the total weight in a branch, whatever `count_by` says.
    count_by : {"weight", "rows", "all_rows"}, default="weight"
        Whether the minima compare with sums of sample weights or count rows. With "all_rows" a share is one of all rows
        given, those of weight 0 too, and rounded up as the product of doubles comes out (scikit-learn).
    branches : {"all", "two"}, default="all"
        Whether every branch needs `min_samples_leaf`, or only two of them.
    numeric_minimum : {"plain", "share"}, default="plain"
        With "share" both sides of a threshold must hold a tenth of the known weight for each class, between
        `min_samples_leaf` and 25 (C4.5).
    """

    def __init__(
        self,
        min_samples_split: int | float | None = 20,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        count_by: str = "weight",
        branches: str = "all",
        numeric_minimum: str = "plain",
    ) -> None:
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.count_by = count_by
        self.branches = branches
        self.numeric_minimum = numeric_minimum

    @property
    def counts_weights(self) -> bool:
        """Whether weights are taken for numbers of rows: not where rows are counted, nor where minima are shares."""
        shares = isinstance(self.min_samples_split, float) or isinstance(self.min_samples_leaf, float)
        return self.count_by == "weight" and not shares

    def least(self, facts: Facts) -> tuple[float, float]:
        """The least weight (or number of rows) of a node that is split, and of a branch."""
        totals = {"weight": facts.weight, "rows": float(facts.rows), "all_rows": float(facts.all_rows)}
        total = totals[check.choice(self.label("count_by"), self.count_by, list(totals))]
        given, least = self.min_samples_split, self.min_samples_leaf
        name = self.label("min_samples_split")
        if least is None:
            split = check.minimum(name, given, 2, total)
            return split, split / 3 if isinstance(given, float) else max(1.0, float(round(split / 3)))
        leaf = check.minimum(self.label("min_samples_leaf"), least, 0 if self.branches == "two" else 1, total)
        return (2 * leaf if given is None else check.minimum(name, given, 2, total)), leaf

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        split, leaf = self.least(facts)
        by_rows = self.count_by != "weight"
        slack = 1.0 if self.count_by == "all_rows" else facts.slack
        fraction = check.share(self.label("min_weight_fraction_leaf"), self.min_weight_fraction_leaf, 0.0, 0.5)
        options = {
            "min_split_weight": 0.0 if by_rows else split * facts.slack,
            "min_split_rows": int(np.ceil(split * slack)) if by_rows else 2,
            "min_leaf_weight": max(0.0 if by_rows else leaf * facts.slack, fraction * facts.weight * facts.slack),
            "min_leaf_rows": int(np.ceil(leaf * slack)) if by_rows else 1,
            "count_rows": by_rows,
        }
        if check.choice(self.label("branches"), self.branches, ["all", "two"]) == "two":
            options["two_branches"] = True
        if check.choice(self.label("numeric_minimum"), self.numeric_minimum, ["plain", "share"]) == "share":
            options["relative_minimum"] = True
        return options


class MaxDepth(Stopping):
    """No more than so many tests between the root and a leaf.

    Parameters
    ----------
    max_depth : int or None, default=5
        None: no limit.
    """

    def __init__(self, max_depth: int | None = 5) -> None:
        self.max_depth = max_depth

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"max_depth": check.whole(self.label("max_depth"), self.max_depth, 1, none=-1)}


class MaxLeaves(Stopping):
    """Grow best-first up to so many leaves.

    Parameters
    ----------
    max_leaf_nodes : int or None, default=8
        None: no limit.
    """

    def __init__(self, max_leaf_nodes: int | None = 8) -> None:
        self.max_leaf_nodes = max_leaf_nodes

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"max_leaf_nodes": check.whole(self.label("max_leaf_nodes"), self.max_leaf_nodes, 2, none=-1)}


class MaxImpurity(Stopping):
    """A node of this impurity, measured by the criterion, or less is a leaf.

    Parameters
    ----------
    impurity : float, default=0.1
    """

    def __init__(self, impurity: float = 0.1) -> None:
        self.impurity = impurity

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"max_impurity": check.share(self.label("impurity"), self.impurity, 0.0, np.inf)}


class MajorityShare(Stopping):
    """A node is a leaf if at least this share of it is of one class.

    Parameters
    ----------
    share : float, default=0.95
    """

    tasks = ("classes",)

    def __init__(self, share: float = 0.95) -> None:
        self.share = share

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"majority_share": check.share(self.label("share"), self.share, 0.0, 1.0)}


class ErrorThreshold(Stopping):
    """A node whose error is small enough is a leaf.

    The error is measured as the criterion says: the root of the mean square, the mean distance from the median, or
    the largest distance from the mean. Nodes of a larger one are split even where no test lowers it (see `zero_gain` of
    the search), so that with WorstError, no other stopping rule and pruning=None no training row is off by more, unless
    rows are that no test tells apart: those of equal inputs.

    Parameters
    ----------
    error : float, default=0.1
        In units of y.
    """

    tasks = ("numbers",)
    goes_on = True

    def __init__(self, error: float = 0.1) -> None:
        self.error = error

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"error_threshold": check.share(self.label("error"), self.error, 0.0, np.inf)}


class MinGain(Stopping):
    """A node is a leaf if its best test gains no more.

    Parameters
    ----------
    gain : float, default=0.01
        Drop of the impurity of the node itself, whatever its size.
    """

    def __init__(self, gain: float = 0.01) -> None:
        self.gain = gain

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"min_gain": check.share(self.label("gain"), self.gain, 0.0, np.inf)}


class MinDecrease(Stopping):
    """A node is a leaf if its best test gains less for the tree.

    Parameters
    ----------
    min_impurity_decrease : float, default=0.001
        Drop of impurity times the node's share of the weight.
    """

    def __init__(self, min_impurity_decrease: float = 0.001) -> None:
        self.min_impurity_decrease = min_impurity_decrease

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        name = "min_impurity_decrease"
        return {name: check.share(self.label(name), self.min_impurity_decrease, 0.0, np.inf)}


class Significance(Stopping):
    """A node is a leaf if its best split may well be chance.

    Parameters
    ----------
    level : float, default=0.05
        The largest p-value with which a node is split.
    test : {"pearson", "one_sided"}, default="pearson"
        Pearson's sum over classes and branches (for numbers: Fisher's F between the branches), or the sum over the
        classes of the first of two branches alone, as Duda, Hart and Stork have it.
    bonferroni : bool, default=False
        Multiply p-values by the number of columns that were candidates.
    """

    def __init__(self, level: float = 0.05, test: str = "pearson", bonferroni: bool = False) -> None:
        self.level = level
        self.test = test
        self.bonferroni = bonferroni

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        given = significance_options(self.level, self.test, self.bonferroni, self.label)
        return {
            "significance": given["level"],
            "significance_test": given["test"],
            "significance_bonferroni": given["bonferroni"],
        }


class GainsSoFar(Stopping):
    """A node is a leaf if its gain is not significantly above the gains of the nodes before it, breadth first.

    Parameters
    ----------
    level : float, default=0.05
    """

    def __init__(self, level: float = 0.05) -> None:
        self.level = level

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"gains_level": check.inside(self.label("level"), self.level)}


@of_size
class GlobalCriterion(Stopping):
    """Grow until J = alpha x size + sum of the impurities of the leaves is least (Duda, Hart and Stork).

    Whole trees are compared, not single splits: the branches of the root are together more impure than the root, and
    only further down the sum falls. The tree grows as far as the other rules let it, and the smallest J on the way
    says where to stop. Pruning by `SizePenalty` finds the least J of all subtrees.

    Parameters
    ----------
    {size}
    weighted : bool, default=False
        Whether the impurity of a leaf counts times its share of the rows. With entropy J is then a description length
        in bits a row. As the texts write it, a small leaf counts as much as a large one.
    order : {"best_first", "layers"}, default="best_first"
        Which trees are compared: after each split, the one that gains most in all first, as `MaxLeaves` grows; or
        after each layer, as `MaxDepth` cuts.

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import GlobalCriterion
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> def leaves(**how):
    ...     return bough.TreeClassifier(stopping=GlobalCriterion(**how), pruning=None).fit(X, y).get_n_leaves()
    >>> [leaves(alpha=alpha, weighted=True) for alpha in (0.002, 0.01, 0.1)]
    [9, 4, 3]
    """

    def __init__(
        self, alpha: float = 0.01, size: str = "nodes", weighted: bool = False, order: str = "best_first"
    ) -> None:
        self.alpha = alpha
        self.size = size
        self.weighted = weighted
        self.order = order

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        options = size_options(self.alpha, self.size, self.weighted, self.label)
        options["size_order"] = check.choice(self.label("order"), self.order, ["best_first", "layers"])
        return options


class Validation(Stopping):
    """A node is split only if that serves rows which are kept back from growing (pre-pruning).

    `validation_log_` of the estimator lists the splits that were refused.

    Parameters
    ----------
    holdout : int, float or array, default=3
        One of so many folds is kept back (nothing is random), or this share of the rows, or the rows themselves, as row
        numbers or as a mask.
    strict : bool, default=True
        Split only where fewer errors are made on them, not where as many.
    """

    def __init__(self, holdout: Any = 3, strict: bool = True) -> None:
        self.holdout = holdout
        self.strict = strict

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options, but for the rows."""
        check_holdout(self.label("holdout"), self.holdout)
        return {"validation_rule": "strict" if check.flag(self.label("strict"), self.strict) else "not_worse"}


class Layers(Stopping):
    """Grow layer by layer as long as the cross-validated error falls: the depth of the least one.

    Parameters
    ----------
    cv : int, splitter or iterable, default=10
        Folds; not shuffled unless the estimator has a `random_state`.
    """

    def __init__(self, cv: Any = 10) -> None:
        self.cv = cv

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing of the kernel: the tree is cut at the depth."""
        check.folds(self.label("cv"), self.cv)
        return {}
