"""CART: binary trees for classes and numbers, with surrogates, cost-complexity pruning, priors and costs."""

from typing import Any

from bough.errors import ParameterError
from bough.learn.fitting import RecipeClassifier, RecipeRegressor, RecipeTree
from bough.recipe import (
    PARTS,
    AbsoluteError,
    Bayes,
    Binary,
    CostComplexity,
    CrossValidated,
    Exhaustive,
    MaxDepth,
    MaxLeaves,
    Mean,
    Median,
    MinDecrease,
    MinRows,
    Recipe,
    Surrogates,
    WeightedGini,
)
from bough.recipe import parameters as check

__all__ = ["CARTClassifier", "CARTRegressor"]


class _CART(RecipeTree):
    """The recipe, from flat parameters under the names that users know."""

    def _recipe(self) -> Recipe:
        criterion = self._criterion()
        check.choice("threshold", self.threshold, ["midpoint", "weighted"])
        return Recipe(
            branching=self._part(Binary, subsets="subsets"),
            criterion=criterion,
            search=self._part(
                Exhaustive,
                threshold="threshold",
                side="threshold_side",
                ties="ties",
                branch_order="branch_order",
                monotonic_cst="monotonic_cst",
                feature_costs="feature_costs",
                max_competitors="max_competitors",
            ),
            stopping=(
                self._part(
                    MinRows,
                    rows="min_samples_split",
                    leaf="min_samples_leaf",
                    fraction="min_weight_fraction_leaf",
                    count_by="count_by",
                ),
                self._part(MaxDepth, depth="max_depth"),
                self._part(MaxLeaves, leaves="max_leaf_nodes"),
                self._part(MinDecrease, decrease="min_impurity_decrease", zero_gain="zero_gain"),
            ),
            pruning=self._pruning(),
            leaf=self._leaf(criterion),
            missing=self._part(
                Surrogates,
                routing="missing",
                fallback="fallback",
                most="max_surrogates",
                direction="surrogate_direction",
                filter="surrogate_filter",
                base="surrogate_base",
                least="min_surrogate_leaf",
                sets="surrogate_sets",
                majority="majority",
                discount="discount_missing",
            ),
            absent=self.absent,
            unseen=self.unseen,
        )

    def _pruning(self) -> CostComplexity | CrossValidated:
        if isinstance(self.pruning, str):
            if self.pruning != "cv":
                raise ParameterError(
                    "pruning must be None, 'cv' or a number of at least 0, the relative complexity; got "
                    f"{self.pruning!r}."
                )
            return self._part(CrossValidated, rule="rule", cv="cv", complexity="complexity")
        return self._part(CostComplexity, cp="pruning", complexity="complexity")

    def _check_work(self) -> None:
        super()._check_work()
        check.choice("rule", self.rule, ["1se", "min"])
        check.folds("cv", self.cv)
        check.minimum("min_samples_split", self.min_samples_split, 2, 1.0)
        check.minimum("min_samples_leaf", self.min_samples_leaf, 1, 1.0)

    def _criterion(self) -> Any:
        raise NotImplementedError

    def _leaf(self, criterion: Any) -> Any:
        raise NotImplementedError


_SHARED = """\
    threshold : {"midpoint", "weighted"}, default="midpoint"
        Where between two values a threshold lies: in the middle, or at (1 - P) low + P high with P the share sent low.
    threshold_side : {"le", "lt"}, default="le"
        Whether a value equal to the threshold goes low ("le") or high ("lt", as in rpart).
    subsets : {"auto", "exact", "heuristic", "all"}, default="auto"
        How sets of levels are searched where ordering the levels is not exact: completely up to 12 levels and by a
        named heuristic beyond, always completely, or always by the heuristic. Each node says which was used.
        Ordering is exact for two classes and squared error, but minima may shut out the set that it finds: "all"
        searches every set there too. Completely means up to 24 levels.
    ties : {"first", "rounding"}, default="first"
        Which of two candidates whose gains differ by nothing but rounding: the first, or the one that the last bits
        of plainly added sums favour, which also depends on the order of the rows. That is what rpart does.
    max_depth : int or None, default=None
    min_samples_split : int or float, default=20
        A node of less weight is a leaf. An int is a sum of sample weights (see `count_by`), a float in (0, 1] a share.
    min_samples_leaf : int or float, default=7
        Least weight of a branch, counted over the rows whose value is known.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the total weight in a branch.
    min_impurity_decrease : float, default=0.0
        Least drop of impurity of a split, times the node's share of the weight (with class weights, as scikit-learn).
    max_leaf_nodes : int or None, default=None
        Grow best-first up to so many leaves.
    count_by : {"weight", "rows", "all_rows"}, default="weight"
        Whether the minima compare with sums of sample weights or count rows (rpart). With "all_rows" a share is one of
        all rows given, those of weight 0 too (scikit-learn).
    zero_gain : bool, default=False
        Split impure nodes even where no test lowers the impurity, as scikit-learn does.
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        1 where the answer may not fall with the column, -1 where it may not rise, 0 elsewhere.
    pruning : float, "cv" or None, default=0.01
        Relative complexity (rpart's cp) up to which splits are cut; "cv" chooses it by cross-validation; None grows
        out.
    rule : {"1se", "min"}, default="1se"
        With pruning="cv": the smallest tree within one standard error of the best, or the best.
    cv : int, splitter or iterable, default=10
        Folds of pruning="cv"; not shuffled unless `random_state` is given.
    complexity : {"weakest_link", "accounts"}, default="weakest_link"
        Exact weakest-link pruning, or the carried accounts of rpart, which differ in rare trees.
"""

_MISSING = """\
    feature_costs : array of shape (n_features,), dict or None, default=None
        What a column costs to measure: gains are divided by it when columns compete.
    missing : {"surrogate", "majority", "stop"}, default="surrogate"
        Where a case without the value of a split goes: as the surrogates say, to the larger branch, or nowhere: it
        stays and gets the node's own answer. The same in training and prediction. Risks of subtrees are sums over their
        leaves, so that training rows that stay above them count in neither (rpart's account); cross-validated risks
        count every case.
    discount_missing : bool, default=True
        Multiply a gain by the share of the node whose value is known.
    max_surrogates : int, default=5
        Kept at each node, also with another `missing`, where they only inform.
    surrogate_direction : {"any", "keep"}, default="any"
        Whether a surrogate's low values may take the branch of the primary's high values.
    surrogate_filter : bool, default=True
        Drop surrogates that agree no better than sending all cases to the larger branch.
    surrogate_base : {"known", "joint"}, default="known"
        Agreement relative to the rows with the primary value, or to those with both values.
    min_surrogate_leaf : float, default=2
        The least weight (rows with `count_by="rows"`) on either side of a surrogate's threshold.
    surrogate_sets : {"any", "two_disagree"}, default="any"
        Sets of levels as surrogates: any, or only those that are wrong for a weight of at least two (rpart).
    fallback : {"majority", "stop"}, default="majority"
        Where a case goes that no surrogate decides.
    majority : {"known", "routed"}, default="known"
        The larger branch: by weight of the known rows with ties to the first, or as in rpart: ties stay, prediction
        counts the rows sent by all means, and with max_surrogates=0 undecided rows stay while the tree grows.
    absent : {"missing", "majority", "stop"}, default="missing"
        A level that the node did not meet in training.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held.
    unused_levels : {"unseen", "absent"}, default="unseen"
        A level that no training row held, though the type of its column declares it: unseen like any other, or
        absent from every node (rpart); among ordered levels it then has its place in the order.
    empty_rows : {"keep", "drop", "drop_unweighted"}, default="keep"
        Rows that lack every input: kept, left out of the fit, or left out unless sample_weight is given (rpart).
    branch_order : {"value", "response"}, default="value"
        The first branch: the low values, or the side that leans to the first classes or the lower mean (rpart).
    max_competitors : int, default=4
        Runner-up splits kept at each node.
    categorical_features : "from_dtype", list, mask or None, default="from_dtype"
        Numeric columns to read as nominal; strings, bools and categories are nominal anyway.
    ordered_features : dict, list or None, default=None
        Columns with ordered levels: `{"size": ["S", "M", "L"]}`.
    n_jobs : int or None, default=None
        Threads; the result is the same for any number.
    random_state : int, RandomState or None, default=None
        Shuffles the folds of pruning="cv"; nothing else is random.
    verbose : int, default=0
        Progress on standard error.

    Attributes
    ----------
    tree_ : bough.Tree
        The tree: print it, draw it, walk through its nodes.
    schema_ : Schema
        Name, kind, type and levels of each column of the training table.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only where the table had names.
    pruning_path_ : frame
        The nested subtrees, from the root alone to the largest that was looked at: cp, alpha, n_leaves, n_splits, risk,
        cv_risk, cv_se. Risks are means over the training rows, alpha is in their unit and cp relative to the root's.
    pruning_log_ : PruningLog
        What pruning cut and why, in order: the node of the grown tree, what became of it, before and after. Not kept in
        files.
    cp_ : float
        The relative complexity down to which the tree is known: that of the last row of the path.
    feature_importances_ : ndarray
        The share of each column in the gains of the splits; see also `importance_by_name`.
"""


class CARTClassifier(_CART, RecipeClassifier):  # noqa: D101 (composed below, so that shared parameters have one text)
    __doc__ = (
        """A classification tree (CART).

    Binary splits of numbers, ordered and nominal levels by impurity, surrogates for missing values, priors and costs,
    cost-complexity pruning. The untouched estimator prunes at a relative complexity of 0.01 and gives a readable tree.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification", "twoing"}, default="gini"
"""
        + _SHARED
        + """\
    priors : dict, array of shape (n_classes,), "equal" or None, default=None
        Probabilities of the classes, instead of their shares in the data.
    costs : dict, array of shape (n_classes, n_classes) or None, default=None
        What errors cost: `{(true, decided): cost}`, other errors 1, or an array [true][decided] in the order of
        `confusion_matrix` and of rpart's loss (some texts print the transpose).
    cost_use : {"altered_priors", "weighted_gini"}, default="altered_priors"
        How costs enter the choice of splits. Labels and pruning always minimise expected cost.
    class_weight : dict, "balanced", "balanced_rows" or None, default=None
        Factors of the classes; not together with priors. "balanced" gives all classes the same weight in all;
        "balanced_rows" does so for rows of weight 1, whatever their weights are (scikit-learn).
    class_order : {"sorted", "declared"}, default="sorted"
        Which of two equally good classes is the label, and which way branches lean, follows `classes_`, or the order
        in which the type of a categorical y declares them (rpart); so do arrays of priors and costs. `classes_` and
        the columns of `predict_proba` are sorted either way.
"""
        + _MISSING
        + """\
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth, 1984.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier().fit(X, y)
    >>> clf.get_n_leaves()
    4
    """
    )

    def __init__(
        self,
        *,
        criterion: str = "gini",
        threshold: str = "midpoint",
        threshold_side: str = "le",
        subsets: str = "auto",
        ties: str = "first",
        max_depth: int | None = None,
        min_samples_split: int | float = 20,
        min_samples_leaf: int | float = 7,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        count_by: str = "weight",
        zero_gain: bool = False,
        monotonic_cst: Any = None,
        pruning: float | str | None = 0.01,
        rule: str = "1se",
        cv: Any = 10,
        complexity: str = "weakest_link",
        priors: Any = None,
        costs: Any = None,
        cost_use: str = "altered_priors",
        class_weight: Any = None,
        class_order: str = "sorted",
        feature_costs: Any = None,
        missing: str = "surrogate",
        discount_missing: bool = True,
        max_surrogates: int = 5,
        surrogate_direction: str = "any",
        surrogate_filter: bool = True,
        surrogate_base: str = "known",
        min_surrogate_leaf: float = 2,
        surrogate_sets: str = "any",
        fallback: str = "majority",
        majority: str = "known",
        absent: str = "missing",
        unseen: str = "missing",
        unused_levels: str = "unseen",
        empty_rows: str = "keep",
        branch_order: str = "value",
        max_competitors: int = 4,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.threshold = threshold
        self.threshold_side = threshold_side
        self.subsets = subsets
        self.ties = ties
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.count_by = count_by
        self.zero_gain = zero_gain
        self.monotonic_cst = monotonic_cst
        self.pruning = pruning
        self.rule = rule
        self.cv = cv
        self.complexity = complexity
        self.priors = priors
        self.costs = costs
        self.cost_use = cost_use
        self.class_weight = class_weight
        self.class_order = class_order
        self.feature_costs = feature_costs
        self.missing = missing
        self.discount_missing = discount_missing
        self.max_surrogates = max_surrogates
        self.surrogate_direction = surrogate_direction
        self.surrogate_filter = surrogate_filter
        self.surrogate_base = surrogate_base
        self.min_surrogate_leaf = min_surrogate_leaf
        self.surrogate_sets = surrogate_sets
        self.fallback = fallback
        self.majority = majority
        self.absent = absent
        self.unseen = unseen
        self.unused_levels = unused_levels
        self.empty_rows = empty_rows
        self.branch_order = branch_order
        self.max_competitors = max_competitors
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _criterion(self) -> Any:
        name = check.choice("criterion", self.criterion, ["gini", "entropy", "misclassification", "twoing"])
        if check.choice("cost_use", self.cost_use, ["altered_priors", "weighted_gini"]) == "altered_priors":
            return PARTS["criterion"][name]()
        if self.costs is None or name != "gini":
            raise ParameterError("cost_use='weighted_gini' needs costs and criterion='gini'.")
        return WeightedGini()

    def _leaf(self, criterion: Any) -> Any:
        return self._part(Bayes, priors="priors", costs="costs", class_weight="class_weight")


class CARTRegressor(_CART, RecipeRegressor):  # noqa: D101
    __doc__ = (
        """A regression tree (CART).

    Binary splits of numbers, ordered and nominal levels, surrogates for missing values, cost-complexity pruning. The
    untouched estimator prunes at a relative complexity of 0.01 and gives a readable tree.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "worst_error"}, default="squared_error"
        Leaves answer with the mean; under absolute error with the median. worst_error lowers the largest
        distance of a row from the mean of its branch and is pruned by squared error.
"""
        + _SHARED
        + _MISSING
        + """\

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth, 1984.

    Examples
    --------
    >>> import bough
    >>> data = bough.datasets.load("friedman1", n=200, random_state=0)
    >>> reg = bough.CARTRegressor(max_depth=3).fit(data.data, data.target)
    >>> reg.get_depth()
    3
    """
    )

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        threshold: str = "midpoint",
        threshold_side: str = "le",
        subsets: str = "auto",
        ties: str = "first",
        max_depth: int | None = None,
        min_samples_split: int | float = 20,
        min_samples_leaf: int | float = 7,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        count_by: str = "weight",
        zero_gain: bool = False,
        monotonic_cst: Any = None,
        pruning: float | str | None = 0.01,
        rule: str = "1se",
        cv: Any = 10,
        complexity: str = "weakest_link",
        feature_costs: Any = None,
        missing: str = "surrogate",
        discount_missing: bool = True,
        max_surrogates: int = 5,
        surrogate_direction: str = "any",
        surrogate_filter: bool = True,
        surrogate_base: str = "known",
        min_surrogate_leaf: float = 2,
        surrogate_sets: str = "any",
        fallback: str = "majority",
        majority: str = "known",
        absent: str = "missing",
        unseen: str = "missing",
        unused_levels: str = "unseen",
        empty_rows: str = "keep",
        branch_order: str = "value",
        max_competitors: int = 4,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.threshold = threshold
        self.threshold_side = threshold_side
        self.subsets = subsets
        self.ties = ties
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.count_by = count_by
        self.zero_gain = zero_gain
        self.monotonic_cst = monotonic_cst
        self.pruning = pruning
        self.rule = rule
        self.cv = cv
        self.complexity = complexity
        self.feature_costs = feature_costs
        self.missing = missing
        self.discount_missing = discount_missing
        self.max_surrogates = max_surrogates
        self.surrogate_direction = surrogate_direction
        self.surrogate_filter = surrogate_filter
        self.surrogate_base = surrogate_base
        self.min_surrogate_leaf = min_surrogate_leaf
        self.surrogate_sets = surrogate_sets
        self.fallback = fallback
        self.majority = majority
        self.absent = absent
        self.unseen = unseen
        self.unused_levels = unused_levels
        self.empty_rows = empty_rows
        self.branch_order = branch_order
        self.max_competitors = max_competitors
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _criterion(self) -> Any:
        names = ["squared_error", "absolute_error", "worst_error"]
        return PARTS["criterion"][check.choice("criterion", self.criterion, names)]()

    def _leaf(self, criterion: Any) -> Any:
        return Median() if isinstance(criterion, AbsoluteError) else Mean()
