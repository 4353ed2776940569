"""CART: binary trees for classes and numbers, with surrogates, cost-complexity pruning, priors and costs."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.advice import warn_of_identifiers, warn_of_light_weights
from bough.learn.base import TreeEstimator
from bough.learn.classifier import ClassTree, classes_of_rows
from bough.learn.decisions import Decisions, read_decisions
from bough.learn.growth import Growth, thread_count
from bough.learn.progress import fold_counter, progress_of
from bough.learn.pruning import PruningPath, choose_row, cross_validate, pruning_path, risk_total, weak_nodes
from bough.learn.target import Target, check_lengths, check_range, read_numbers, target_name
from bough.learn.training import Training, read_training
from bough.model import Tree
from bough.recipe import parameters as check
from bough.table import Table, choose_kinds, kernel_columns

__all__ = ["CARTClassifier", "CARTRegressor"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class _CART(TreeEstimator):
    """The recipe: the answers to the six questions, from flat parameters to the kernel's options."""

    def _fit(self, X: Any, sample_weight: Any, read_target: Callable[[int, Floats | None], Target]) -> Self:
        self._check_work()
        cp = self._cp()
        training = read_training(
            X,
            sample_weight,
            categorical_features=self.categorical_features,
            ordered_features=self.ordered_features,
            empty_rows=check.choice("empty_rows", self.empty_rows, ["keep", "drop", "drop_unweighted"]),
            unused_levels=check.choice("unused_levels", self.unused_levels, ["unseen", "absent"]),
        )
        table, weights = training.table, training.weights
        warn_of_identifiers(table, weights)
        target = read_target(table.n_rows, weights)
        threads = thread_count(self.n_jobs)
        options = self._options(training, target, threads)
        growth = Growth(training.ranked(threads), target.fields, options, weights, training.may_ask)
        with progress_of(self.verbose, type(self).__name__) as progress:
            kernel = growth.grow(cp, progress=progress)
        total = risk_total(kernel)
        path = pruning_path(kernel, total, cp) if self.pruning == "cv" else None
        if path is not None:
            kernel, path = self._choose(growth, kernel, path, total, table, target)
        kernel = growth.with_surrogates(kernel)
        tree = Tree(kernel, table.schema, target.classes, target.costs, target.name)
        level = self._level(kernel, cp) if path is None else float(path.cp[-1])
        self._become(tree, path, level)
        return self

    def _level(self, kernel: Any, cp: float) -> float:
        """The relative complexity of the whole tree: what it was cut at, but accounts know that of a lone root."""
        if self.complexity == "accounts" and len(kernel) == 1 and kernel.risk[0] > 0:
            return float(kernel.complexity[0] / kernel.risk[0])
        return max(cp, 0.0)

    def _check_for(self, tree: Tree) -> None:
        """Judge the parameters that came with a tree in a file as a fit to its columns and classes would."""
        self._check_work()
        self._cp()
        check.choice("empty_rows", self.empty_rows, ["keep", "drop", "drop_unweighted"])
        check.choice("unused_levels", self.unused_levels, ["unseen", "absent"])
        choose_kinds(tree.schema.names, self.categorical_features, self.ordered_features)
        classes = 0 if tree.classes is None else len(tree.classes)
        self._options(Training(Table(tree.schema, [], tree.root.rows), None), Target({"classes": classes}), 1)

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to grow; judged even where this fit does not ask them."""
        check.choice("rule", self.rule, ["1se", "min"])
        check.folds("cv", self.cv)
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", self.random_state)
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def _cp(self) -> float:
        """The relative complexity to grow down to: negative for a tree that is not pruned."""
        check.choice("rule", self.rule, ["1se", "min"])
        if self.pruning is None:
            return -1.0
        if isinstance(self.pruning, str):
            if self.pruning != "cv":
                raise ParameterError(
                    "pruning must be None, 'cv' or a number of at least 0, the relative complexity; got "
                    f"{self.pruning!r}."
                )
            return 0.0
        return check.share("pruning", self.pruning, 0.0, np.inf)

    def _options(self, training: Training, target: Target, threads: int) -> dict[str, Any]:
        table, schema = training.table, training.table.schema
        by_rows = check.choice("count_by", self.count_by, ["weight", "rows"]) == "rows"
        total = float(training.n_used) if by_rows else training.weight
        split = check.minimum("min_samples_split", self.min_samples_split, 2, total)
        leaf = check.minimum("min_samples_leaf", self.min_samples_leaf, 1, total)
        fraction = check.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        if training.weights is not None and not by_rows:
            warn_of_light_weights(split, training.weight, training.n_used, "min_samples_split")
        # Sums of weights carry rounding: ten times 0.1 must count as one.
        slack = 1.0 - 1e-9
        surrogate_direction = check.choice("surrogate_direction", self.surrogate_direction, ["any", "keep"])
        surrogate_base = check.choice("surrogate_base", self.surrogate_base, ["known", "joint"])
        surrogate_sets = check.choice("surrogate_sets", self.surrogate_sets, ["any", "two_disagree"])
        routed = check.choice("majority", self.majority, ["known", "routed"]) == "routed"
        options: dict[str, Any] = {
            "criterion": self._criterion(),
            "threshold": check.choice("threshold", self.threshold, ["midpoint", "weighted"]),
            "threshold_side": check.choice("threshold_side", self.threshold_side, ["le", "lt"]),
            "branch_order": check.choice("branch_order", self.branch_order, ["value", "response"]),
            "subsets": check.choice("subsets", self.subsets, ["auto", "exact", "heuristic", "all"]),
            "complexity": check.choice("complexity", self.complexity, ["weakest_link", "accounts"]),
            "max_depth": check.whole("max_depth", self.max_depth, 1, none=-1),
            "max_leaf_nodes": check.whole("max_leaf_nodes", self.max_leaf_nodes, 2, none=-1),
            "min_split_weight": 0.0 if by_rows else split * slack,
            "min_split_rows": int(np.ceil(split * slack)) if by_rows else 2,
            "min_leaf_weight": max(0.0 if by_rows else leaf * slack, fraction * training.weight * slack),
            "min_leaf_rows": int(np.ceil(leaf * slack)) if by_rows else 1,
            "min_impurity_decrease": check.share("min_impurity_decrease", self.min_impurity_decrease, 0.0, np.inf),
            "zero_gain": check.flag("zero_gain", self.zero_gain),
            "count_rows": by_rows,
            "missing": check.choice("missing", self.missing, ["surrogate", "majority", "stop"]),
            "fallback": check.choice("fallback", self.fallback, ["majority", "stop"]),
            "absent": check.choice("absent", self.absent, ["missing", "majority", "stop"]),
            "unseen": check.choice("unseen", self.unseen, ["missing", "majority", "stop", "error"]),
            "discount_missing": check.flag("discount_missing", self.discount_missing),
            "tie_stops": routed,
            "majority": "routed_rows" if routed else "known_weight",
            "max_surrogates": check.whole("max_surrogates", self.max_surrogates, 0),
            "surrogate_keep_direction": surrogate_direction == "keep",
            "surrogate_beyond_majority": check.flag("surrogate_filter", self.surrogate_filter),
            "surrogate_joint_base": surrogate_base == "joint",
            "surrogate_least": check.share("min_surrogate_leaf", self.min_surrogate_leaf, 0.0, np.inf),
            "surrogate_two_disagree": surrogate_sets == "two_disagree",
            "max_competitors": check.whole("max_competitors", self.max_competitors, 0),
            "ties": self._ties(),
            "threads": threads,
        }
        if self.subsets in ("exact", "all"):
            self._refuse_large_sets(table, target)
        if self.monotonic_cst is not None:
            options["monotone"] = self._monotone(table, target)
        if self.feature_costs is not None:
            costs = check.by_column("feature_costs", self.feature_costs, schema, 1.0)
            if not (np.isfinite(costs) & (costs > 0)).all():
                raise ParameterError(f"feature_costs must be finite and positive; got {costs.tolist()}.")
            options["feature_cost"] = costs.tolist()
        return options

    def _ties(self) -> str:
        ties = str(check.choice("ties", self.ties, ["first", "rounding"]))
        if ties == "rounding" and self._criterion() not in ("gini", "entropy", "squared_error"):
            raise ParameterError("ties='rounding' needs criterion 'gini', 'entropy' or 'squared_error'.")
        if ties == "rounding" and self.monotonic_cst is not None:
            raise ParameterError("ties='rounding' does not go with monotonic_cst.")
        return ties

    def _refuse_large_sets(self, table: Table, target: Target) -> None:
        """Every set of levels is out of reach where there are too many; two classes and means need no enumeration."""
        most = 24
        for column in table.schema:
            if column.kind == "nominal" and column.n_levels > most and self._enumerates(target):
                raise ParameterError(
                    f"subsets={self.subsets!r} would search 2^{column.n_levels - 1} sets of the levels of "
                    f"{column.name!r}; at most {most} levels are searched so. Use subsets='auto'."
                )

    def _monotone(self, table: Table, target: Target) -> list[int]:
        given = check.by_column("monotonic_cst", self.monotonic_cst, table.schema, 0.0)
        if not np.isin(given, (-1, 0, 1)).all():
            raise ParameterError(f"monotonic_cst must hold -1, 0 or 1 for each column; got {given.tolist()}.")
        for column, direction in zip(table.schema, given, strict=True):
            if direction and column.kind == "nominal":
                raise ParameterError(f"monotonic_cst constrains {column.name!r}, whose levels have no order.")
        self._check_monotone(target)
        return [int(direction) for direction in given]

    def _choose(
        self, growth: Growth, kernel: Any, path: PruningPath, total: float, table: Table, target: Target
    ) -> tuple[Any, PruningPath]:
        """The subtree that cross-validation prefers."""
        if len(path) == 1:
            return kernel, path
        columns = kernel_columns(table.schema, table.columns)

        def apply(tree: Any, rows: Array) -> npt.NDArray[np.int32]:
            part = [(data[rows], None if gone is None else gone[rows], kind) for data, gone, kind in columns]
            return _core.apply(tree, part, 1)

        folds = self._folds(growth)
        scale = target.fields.get("class_scale")
        cv_risk, cv_se = cross_validate(
            growth,
            path,
            total,
            folds,
            apply,
            self._loss(target),
            threads=growth.options["threads"],
            scale_of=None if scale is None else scale[target.fields["label"]],
            done=fold_counter(self.verbose, type(self).__name__, len(folds)),
        )
        path = PruningPath(**{**path.columns(), "cv_risk": cv_risk, "cv_se": cv_se})
        row = choose_row(path, self.rule)
        level = float(path.alpha[row]) * total
        weak = weak_nodes(kernel, level)
        return (kernel.cut(weak)[0] if len(weak) else kernel), path

    def _fold(self, rows: Array, train: Any, test: Any) -> tuple[Array, Array]:
        """The rows of a fold by their numbers."""
        places = []
        for given in (train, test):
            part = np.asarray(given)
            part = np.flatnonzero(part) if part.dtype == bool and len(part) == len(rows) else part
            if part.ndim != 1 or part.dtype.kind not in "iu" or not ((part >= 0) & (part < len(rows))).all():
                raise ParameterError(
                    f"cv must give numbers of rows from 0 to {len(rows) - 1}, to train on and to test on; got "
                    f"{given!r:.80}."
                )
            places.append(part)
        return rows[places[0]], rows[places[1]]

    def _folds(self, growth: Growth) -> list[tuple[Array, Array]]:
        """Rows to train on and to test on; folds that are counted out leave rows of weight zero aside."""
        rows = np.arange(growth.ranked.n_rows)
        counted = isinstance(self.cv, (int, np.integer)) and not isinstance(self.cv, bool)
        if counted and growth.weights is not None:
            rows = rows[growth.weights > 0]
        codes = growth.target.get("label")
        classes = None if codes is None else codes[rows]
        splitter = self.cv
        if counted:
            n_splits = min(int(self.cv), len(rows))
            stratified = classes is not None and np.bincount(classes).max() >= n_splits
            shuffle = self.random_state is not None
            kind = StratifiedKFold if stratified else KFold
            splitter = kind(n_splits, shuffle=shuffle, random_state=self.random_state if shuffle else None)
        chosen = check_cv(splitter, classes, classifier=classes is not None)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            folds = [self._fold(rows, *fold) for fold in chosen.split(rows, classes)]
        if not folds:
            raise ParameterError("cv gives no folds.")
        weights = growth.weights if growth.weights is not None else np.ones(growth.ranked.n_rows)
        for number, (train, test) in enumerate(folds):
            for part, work in ((train, "learn from"), (test, "test on")):
                if not weights[part].any():
                    raise DataError(f"cv gives fold {number} no row of positive weight to {work}.")
        return folds

    # What the task decides; see the two classes below.
    def _criterion(self) -> str:
        raise NotImplementedError

    def _enumerates(self, target: Target) -> bool:
        raise NotImplementedError

    def _check_monotone(self, target: Target) -> None:
        raise NotImplementedError

    def _loss(self, target: Target) -> Any:
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
    count_by : {"weight", "rows"}, default="weight"
        Whether the minima compare with sums of sample weights or count rows (rpart).
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
    cp_ : float
        The relative complexity down to which the tree is known: that of the last row of the path.
    feature_importances_ : ndarray
        The share of each column in the gains of the splits; see also `importance_by_name`.
"""


class CARTClassifier(ClassTree, _CART):  # noqa: D101 (composed below, so that shared parameters have one text)
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
    class_weight : dict, "balanced" or None, default=None
        Factors of the classes; not together with priors.
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

    def _read_target(self, y: Any, n_rows: int, weights: Floats | None) -> Target:
        declared = check.choice("class_order", self.class_order, ["sorted", "declared"]) == "declared"
        classes = classes_of_rows(y, n_rows, weights, declared=declared)
        labels, codes = classes.labels, classes.codes
        totals = np.bincount(codes, weights=weights, minlength=len(labels)).astype(np.float64)
        decisions = self._decisions(labels, totals)
        fields: dict[str, Any] = {
            "classes": len(labels),
            "label": codes,
            "growth_scale": decisions.growth_scale,
            "class_scale": decisions.class_scale,
        }
        if decisions.costs is not None:
            fields["cost"] = decisions.costs.ravel()
        return Target(fields, labels, decisions.costs, target_name(y))

    def _decisions(self, labels: Array, totals: Floats) -> Decisions:
        """How the classes count, from their labels and the weight of the rows of each."""
        check.choice("cost_use", self.cost_use, ["altered_priors", "weighted_gini"])
        if self.cost_use == "weighted_gini" and (self.costs is None or self.criterion != "gini"):
            raise ParameterError("cost_use='weighted_gini' needs costs and criterion='gini'.")
        return read_decisions(
            labels,
            totals,
            priors=self.priors,
            class_weight=self.class_weight,
            costs=self.costs,
            cost_use=self.cost_use,
            rounding=self.ties == "rounding",
        )

    def _check_for(self, tree: Tree) -> None:
        check.choice("class_order", self.class_order, ["sorted", "declared"])
        super()._check_for(tree)
        counts = tree.root.counts or {}
        self._decisions(np.asarray(tree.classes), np.array(list(counts.values())))

    def _criterion(self) -> str:
        chosen = check.choice("criterion", self.criterion, ["gini", "entropy", "misclassification", "twoing"])
        return "weighted_gini" if self.cost_use == "weighted_gini" else str(chosen)

    def _enumerates(self, target: Target) -> bool:
        classes = target.fields["classes"]
        # Twoing goes by superclasses instead, of which there are 2^(classes - 1).
        return self.subsets == "all" or (classes > 2 and (self.criterion != "twoing" or classes > 11))

    def _check_monotone(self, target: Target) -> None:
        if target.fields["classes"] > 2:
            raise ParameterError(f"monotonic_cst needs two classes; y has {target.fields['classes']}.")

    def _loss(self, target: Target) -> Any:
        codes = target.fields["label"]
        scale = target.fields["class_scale"]
        costs = 1.0 - np.eye(len(scale)) if target.costs is None else target.costs

        def loss(tree: Any, nodes: npt.NDArray[np.int32], rows: Array) -> Floats:
            true = codes[rows]
            cost: Floats = costs[true[np.newaxis, :], tree.label[nodes]] * scale[true][np.newaxis, :]
            return cost

        return loss


class CARTRegressor(RegressorMixin, _CART):  # noqa: D101
    __doc__ = (
        """A regression tree (CART).

    Binary splits of numbers, ordered and nominal levels, surrogates for missing values, cost-complexity pruning. The
    untouched estimator prunes at a relative complexity of 0.01 and gives a readable tree.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "worst_error"}, default="squared_error"
        Leaves answer with the mean; under absolute error with the median. worst_error lowers the largest
        |y - mean of its branch| and is pruned by squared error.
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            pandas, polars, pyarrow, numpy, dict of columns or any Arrow stream; categories and missing values as they
            are.
        y : array of shape (n_rows,)
            Numbers.
        sample_weight : array of shape (n_rows,), optional
            Rows of weight 0 take no part.

        Returns
        -------
        self
        """

        def read(n_rows: int, weights: Floats | None) -> Target:
            value = read_numbers(y)
            check_lengths(n_rows, value)
            check_range(value, weights, squares=self.criterion != "absolute_error")
            return Target({"classes": 0, "value": value}, name=target_name(y))

        return self._fit(X, sample_weight, read)

    def predict(self, X: Any) -> Floats:
        """Return the answer for each row: the mean, or under absolute error the median, of the node where it ends.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        nodes = self._nodes(X)
        return self.tree_.kernel.value[nodes]

    def _criterion(self) -> str:
        return str(check.choice("criterion", self.criterion, ["squared_error", "absolute_error", "worst_error"]))

    def _enumerates(self, target: Target) -> bool:
        return self.subsets == "all" or self.criterion != "squared_error"

    def _check_monotone(self, target: Target) -> None:
        if self.criterion == "worst_error":
            raise ParameterError("monotonic_cst needs criterion 'squared_error' or 'absolute_error'.")

    def _loss(self, target: Target) -> Any:
        values = target.fields["value"]
        absolute = self.criterion == "absolute_error"

        def loss(tree: Any, nodes: npt.NDArray[np.int32], rows: Array) -> Floats:
            off: Floats = tree.value[nodes] - values[rows][np.newaxis, :]
            return np.abs(off) if absolute else off * off

        return loss
