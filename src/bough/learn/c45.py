"""C4.5: a branch for every level, gain ratio, fractional cases, error-based pruning."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bough import _core
from bough.errors import ParameterError
from bough.learn.growth import Growth
from bough.learn.multiway import MultiwayClassifier
from bough.learn.training import Training
from bough.recipe import parameters as check
from bough.recipe.rows import check_holdout, kept_back

__all__ = ["C45Classifier"]


class C45Classifier(MultiwayClassifier):
    """A classification tree (C4.5, release 8).

    Nominal columns are split by level, numbers at thresholds; the test is the one of the largest gain ratio among those
    whose gain is at least average. Cases without the value of a test go down every branch in parts, in training and in
    prediction. The grown tree is pruned by the upper confidence limits of its errors.

    Parameters
    ----------
    criterion : {"gain_ratio", "entropy"}, default="gain_ratio"
        What columns compete by; thresholds of one column always compete by gain.
    choice : {"above_average", "best"}, default="above_average"
        Whether only columns whose gain is at least the average compete, or all.
    binary : bool, default=False
        Split nominal columns into one level and the rest, instead of into all levels.
    threshold : {"data_value", "midpoint"}, default="data_value"
        Where between two values a threshold lies: at the largest value of the training column up to the middle, or in
        the middle.
    threshold_penalty : bool, default=True
        Numbers pay for their choice of thresholds: log2 of how many there are, divided by the weight of the node.
    many_valued_share : float, default=0.3
        Nominal columns with at least so many levels to a row stay out of the average gain; 0: none does.
    max_depth : int or None, default=None
    min_samples_leaf : int or float, default=2
        Least weight of at least two branches, counted over rows whose value is known. An int is a sum of sample
        weights, a float in (0, 1] a share of the total. A node of less than twice this weight is a leaf.
    numeric_minimum : {"share", "plain"}, default="share"
        With "share" both sides of a threshold must hold a tenth of the known weight for each class, between
        `min_samples_leaf` and 25; with "plain" only `min_samples_leaf`.
    pruning : {"error_based", "reduced_error", None}, default="error_based"
        How the grown tree is made smaller: where the errors to expect become no more, where the errors on rows kept
        back become no more, or not at all.
    confidence : float, default=0.25
        Of error-based pruning; the smaller, the smaller the tree.
    raising : bool, default=True
        Error-based pruning may also replace a node by its largest branch.
    collapse : bool, default=True
        First make a leaf of every node whose subtree is no better on the training rows; not with reduced error.
    holdout : int or array, default=3
        Reduced error: one of so many folds is kept back from growing (the last; folds have the classes in like shares
        and nothing is random), or the rows themselves, as row numbers or as a mask.
    rule : {"not_worse", "strict"}, default="not_worse"
        Reduced error: prune where a leaf makes no more errors, or only where it makes fewer.
    laplace : bool, default=False
        Probabilities count one more row of every class in each leaf. Classes are chosen without it.
    unseen : {"missing", "stop", "error"}, default="missing"
        A level that no training row held: as if missing, or the answer of the node where it is asked for, or an error.
    class_order : {"sorted", "declared"}, default="sorted"
        Which of two equally good classes is the label follows `classes_`, or the order in which the type of a
        categorical y declares them.
    unused_classes : {"drop", "keep"}, default="drop"
        Whether classes count that a categorical y declares but no row has.
    tolerance : float, default=0.0
        Weights and gains that differ by no more are equal; with 0 only rounding is forgiven.
    value_gap : float, default=0.0
        Values of a column that are no further apart are not separated.
    max_competitors : int, default=4
        Runner-up splits kept at each node.
    categorical_features : "from_dtype", list, mask or None, default="from_dtype"
        Numeric columns to read as nominal; strings, bools and categories are nominal anyway.
    ordered_features : dict, list or None, default=None
        Columns with ordered levels: `{"size": ["S", "M", "L"]}`. They are split like numbers.
    n_jobs : int or None, default=None
        Threads; the result is the same for any number.
    verbose : int, default=0
        Progress on standard error.

    Attributes
    ----------
    tree_ : bough.Tree
        The tree: print it, draw it, walk through its nodes.
    schema_ : Schema
        Name, kind, type and levels of each column of the training table.
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only where the table had names.
    pruning_log_ : list of tuples
        What pruning did, in order: the path to the node in the grown tree as branch numbers, "leaf" or "raised", the
        errors expected before and after. Not kept in files.
    pruning_path_ : frame
        The nested subtrees of the tree under cost-complexity, from the root alone to the whole.
    feature_importances_ : ndarray
        The share of each column in the gains of the splits; see also `importance_by_name`.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann, 1993.
    J. R. Quinlan, Improved use of continuous attributes in C4.5, Journal of Artificial Intelligence Research 4, 1996.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.C45Classifier().fit(X, y)
    >>> clf.get_n_leaves()
    9
    """

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        choice: str = "above_average",
        binary: bool = False,
        threshold: str = "data_value",
        threshold_penalty: bool = True,
        many_valued_share: float = 0.3,
        max_depth: int | None = None,
        min_samples_leaf: int | float = 2,
        numeric_minimum: str = "share",
        pruning: str | None = "error_based",
        confidence: float = 0.25,
        raising: bool = True,
        collapse: bool = True,
        holdout: Any = 3,
        rule: str = "not_worse",
        laplace: bool = False,
        unseen: str = "missing",
        class_order: str = "sorted",
        unused_classes: str = "drop",
        tolerance: float = 0.0,
        value_gap: float = 0.0,
        max_competitors: int = 4,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.choice = choice
        self.binary = binary
        self.threshold = threshold
        self.threshold_penalty = threshold_penalty
        self.many_valued_share = many_valued_share
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.numeric_minimum = numeric_minimum
        self.pruning = pruning
        self.confidence = confidence
        self.raising = raising
        self.collapse = collapse
        self.holdout = holdout
        self.rule = rule
        self.laplace = laplace
        self.unseen = unseen
        self.class_order = class_order
        self.unused_classes = unused_classes
        self.tolerance = tolerance
        self.value_gap = value_gap
        self.max_competitors = max_competitors
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_work(self) -> None:
        super()._check_work()
        check.choice("pruning", self.pruning, ["error_based", "reduced_error", None])
        if check.share("confidence", self.confidence, 0.0, 1.0) in (0.0, 1.0):
            raise ParameterError(f"confidence must lie between 0 and 1; got {self.confidence!r}.")
        check.flag("raising", self.raising)
        check.flag("collapse", self.collapse)
        check_holdout("holdout", self.holdout)
        check.choice("rule", self.rule, ["not_worse", "strict"])
        check.flag("laplace", self.laplace)

    def _options(self, training: Training) -> dict[str, Any]:
        least = check.minimum("min_samples_leaf", self.min_samples_leaf, 1, training.weight)
        tolerance = check.share("tolerance", self.tolerance, 0.0, 1.0)
        # Sums of weights carry rounding: ten times 0.1 must count as one.
        slack = 1.0 if tolerance else 1.0 - 1e-9
        share = check.choice("numeric_minimum", self.numeric_minimum, ["share", "plain"]) == "share"
        return {
            "criterion": check.choice("criterion", self.criterion, ["gain_ratio", "entropy"]),
            "choice": check.choice("choice", self.choice, ["above_average", "best"]),
            "branching": "one_level" if check.flag("binary", self.binary) else "per_level",
            "declared_branches": True,
            "two_branches": True,
            "threshold": check.choice("threshold", self.threshold, ["data_value", "midpoint"]),
            "threshold_penalty": check.flag("threshold_penalty", self.threshold_penalty),
            "many_valued_share": check.share("many_valued_share", self.many_valued_share, 0.0, np.inf),
            "max_depth": check.whole("max_depth", self.max_depth, 1, none=-1),
            "min_split_weight": 2 * least * slack,
            "min_leaf_weight": least * slack,
            "relative_minimum": share,
            "missing": "fractional",
            "unseen": check.choice("unseen", self.unseen, ["missing", "stop", "error"]),
            "epsilon": tolerance,
            "value_gap": check.share("value_gap", self.value_gap, 0.0, np.inf),
            "max_competitors": check.whole("max_competitors", self.max_competitors, 0),
        }

    def _grow_and_prune(self, growth: Growth, progress: Callable[[float], None] | None) -> tuple[Any, dict[str, Any]]:
        if self.pruning == "reduced_error":
            kernel, log = self._reduce_errors(growth, progress)
        else:
            kernel, log = growth.grow(-1.0, progress=progress), []
            if self.pruning == "error_based" or self.collapse:
                how = {
                    "confidence": self.confidence if self.pruning == "error_based" else None,
                    "raising": self.raising,
                    "collapse": self.collapse,
                    "epsilon": float(self.tolerance),
                }
                fields = growth.fields(growth.weights)
                kernel, log = _core.prune_error_based(kernel, growth.ranked, fields, how, progress)
        return kernel, {"pruning_log_": log}

    def _reduce_errors(self, growth: Growth, progress: Callable[[float], None] | None) -> tuple[Any, list[Any]]:
        weights = np.ones(growth.ranked.n_rows) if growth.weights is None else growth.weights
        kept = kept_back(self.holdout, growth.target["label"], weights > 0)
        growing, pruning = np.where(kept, 0.0, weights), np.where(kept, weights, 0.0)
        kernel = growth.grow(-1.0, weights=growing, progress=progress)
        how = {"rule": self.rule, "epsilon": float(self.tolerance)}
        return _core.prune_reduced_error(kernel, growth.ranked, growth.fields(growing), how, pruning, progress)

    def _smoothing(self) -> float:
        return float(len(self.tree_.kernel.class_scale)) if self.laplace else 0.0

    def _tolerance(self) -> float:
        return max(float(self.tolerance), 1e-12)
