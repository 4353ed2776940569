"""C4.5: a branch for every level, gain ratio, fractional cases, error-based pruning."""

from typing import Any

from bough.errors import ParameterError
from bough.learn.fitting import RecipeClassifier
from bough.recipe import (
    Entropy,
    ErrorBased,
    Exhaustive,
    Fractional,
    GainRatio,
    Grouped,
    Laplace,
    Majority,
    MaxDepth,
    MinRows,
    OneLevel,
    PerLevel,
    Recipe,
    ReducedError,
)
from bough.recipe import parameters as check

__all__ = ["C45Classifier"]


class C45Classifier(RecipeClassifier):
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
    subsets : bool, default=False
        Join levels into groups, one branch each, where that raises the ratio (C4.5's option -s); not with `binary`.
    rules : {"c45", "c50"}, default="c45"
        Which release's rules: with "c50" the choice of tests and the pruning are as the records of C5.0 show, see
        docs/algorithms/c50.md. Raised branches are then grown on, and leaves of one test with the same answer joined.
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
    global_pruning : bool, default=False
        With rules "c50": at last cut what costs no more than a standard error of the training errors.
    holdout : int, float, array or None, default=3
        Reduced error: one of so many folds is kept back from growing (the last; folds have the classes in like shares
        and nothing is random), or this share of the rows, or the rows themselves, as row numbers or as a mask. None: 3.
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
    pruning_log_ : PruningLog
        What pruning did, in order: the node of the grown tree, "leaf" or "raised", the errors expected (or made on the
        rows kept back) before and after. Not kept in files.
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
        subsets: bool = False,
        rules: str = "c45",
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
        global_pruning: bool = False,
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
        self.subsets = subsets
        self.rules = rules
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
        self.global_pruning = global_pruning
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
        later = check.choice("rules", self.rules, ["c45", "c50"]) == "c50"
        if later and (self.pruning != "error_based" or self.criterion != "gain_ratio"):
            raise ParameterError('rules="c50" needs pruning="error_based" and criterion="gain_ratio".')
        for part in (self._error_based(), self._reduced_error()):
            part.how()
        check.flag("laplace", self.laplace)
        check.minimum("min_samples_leaf", self.min_samples_leaf, 1, 1.0)

    def _recipe(self) -> Recipe:
        check.choice("threshold", self.threshold, ["data_value", "midpoint"])
        check.choice("unseen", self.unseen, ["missing", "stop", "error"])
        by_ratio = check.choice("criterion", self.criterion, ["gain_ratio", "entropy"]) == "gain_ratio"
        return Recipe(
            branching=self._branching(),
            criterion=self._part(
                GainRatio if by_ratio else Entropy,
                choice="choice",
                threshold_penalty="threshold_penalty",
                many_valued_share="many_valued_share",
                **({"rules": "rules"} if by_ratio else {}),
            ),
            search=self._part(
                Exhaustive,
                threshold="threshold",
                value_gap="value_gap",
                tolerance="tolerance",
                max_competitors="max_competitors",
            ),
            stopping=(
                self._part(MinRows, leaf="min_samples_leaf", numeric="numeric_minimum").set_params(
                    rows=None, branches="two"
                ),
                self._part(MaxDepth, depth="max_depth"),
            ),
            pruning=self._pruning(),
            leaf=Laplace() if self.laplace else Majority(),
            missing=Fractional(),
            absent="stop" if self._regrows else "missing",
            unseen=self.unseen,
        )

    @property
    def _regrows(self) -> bool:
        return bool(self.rules == "c50")

    def _branching(self) -> OneLevel | PerLevel | Grouped:
        if check.flag("subsets", self.subsets):
            if self.binary:
                raise ParameterError("binary and subsets contradict each other: give one.")
            return Grouped(declared=self._regrows)
        return OneLevel(declared=True) if check.flag("binary", self.binary) else PerLevel(declared=True)

    def _pruning(self) -> ErrorBased | ReducedError | None:
        if self.pruning == "reduced_error":
            return self._reduced_error()
        part = self._error_based()
        if self.pruning is None:
            part.confidence = None
        return part if self.pruning is not None or self.collapse else None

    def _error_based(self) -> ErrorBased:
        part = self._part(
            ErrorBased, confidence="confidence", raising="raising", collapse="collapse", global_pruning="global_pruning"
        )
        part.regrow = self._regrows
        return part.called(regrow='rules="c50"')

    def _reduced_error(self) -> ReducedError:
        return self._part(ReducedError, holdout="holdout", rule="rule")
