"""CART: binary trees for classes and numbers, with surrogates, cost-complexity pruning, priors and costs."""

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.base import is_classifier

from bough.errors import ParameterError
from bough.learn.classifier import ClassificationTree
from bough.learn.regressor import RegressionTree
from bough.learn.texts import described
from bough.learn.tree_estimator import TreeEstimator
from bough.recipe import (
    AbsoluteError,
    Auto,
    Bayes,
    Binary,
    CostComplexity,
    CrossValidated,
    Entropy,
    Exhaustive,
    Gini,
    MajorityBranch,
    MaxDepth,
    MaxLeaves,
    Mean,
    Median,
    MinDecrease,
    MinRows,
    Misclassification,
    Part,
    Reading,
    SquaredError,
    Stop,
    Surrogates,
    Twoing,
    Variance,
    WeightedGini,
    WorstError,
)
from bough.recipe import parameters as check
from bough.recipe.branching import Branching
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.recipe import Recipe
from bough.recipe.work import Pruning

__all__ = ["CARTClassifier", "CARTRegressor"]

_ANSWERS: dict[str, dict[str, Part]] = {
    "branching": {"binary": Binary()},
    "search": {"exhaustive": Exhaustive()},
    "pruning": {"auto": Auto(), "cost_complexity": CostComplexity(), "cross_validated": CrossValidated()},
    "missing": {"surrogates": Surrogates(), "majority_branch": MajorityBranch(), "stop": Stop()},
}


# What the two have in common: the recipe, from flat parameters under the names that users know, and parts.


def _recipe(self: TreeEstimator) -> Recipe:
    check.minimum("min_samples_split", self.min_samples_split, 2, 1.0)
    check.minimum("min_samples_leaf", self.min_samples_leaf, 1, 1.0)
    criterion = self._slot("criterion")
    if criterion.weighs_costs and self.costs is None:
        raise ParameterError(f"criterion={self.criterion!r} weighs the costs of errors: give costs.")
    return Recipe(
        branching=self._slot("branching"),
        criterion=criterion,
        search=self._filled(self._slot("search"), monotonic_cst=None, feature_costs=None),
        stopping=(
            self._part(MinRows, "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "count_by"),
            self._part(MaxDepth, "max_depth"),
            self._part(MaxLeaves, "max_leaf_nodes"),
            self._part(MinDecrease, "min_impurity_decrease"),
        ),
        pruning=_pruning(self),
        leaf=_leaf(self, criterion),
        missing=self._slot("missing"),
        absent=self.absent,
        unseen=self.unseen,
        reading=self._reading(),
    )


def _pruning(self: TreeEstimator) -> Pruning | None:
    if self.pruning is None:
        return None
    if check.is_number(self.pruning):
        return CostComplexity(self.pruning).called(cp="pruning")
    if not isinstance(self.pruning, str | Part):
        raise ParameterError(
            "pruning must be 'auto', a number of at least 0 (the relative complexity), 'cross_validated', a part such "
            f"as CrossValidated(cv=5), or None; got {self.pruning!r:.80}."
        )
    part: Pruning = self._slot("pruning")
    return part


def _leaf(self: TreeEstimator, criterion: Any) -> Any:
    """Classes by priors and costs; the number that the criterion measures distances from."""
    if is_classifier(self):
        return self._part(Bayes, "priors", "costs", "class_weight")
    return Median() if isinstance(criterion, AbsoluteError) else Mean()


_SHARED = """\
    branching : "binary" or part, default="binary"
        Two branches. `Binary(subsets="exact")` says how sets of levels are searched.
    search : "exhaustive" or part, default="exhaustive"
        Every test of every column. `Exhaustive` says where between two values a threshold lies, which of equal
        candidates wins, how many runner-up splits are kept.
    max_depth : int or None, default=None
    min_samples_split : int or float, default=10
        A node of less weight is a leaf. An int is a sum of sample weights (see `count_by`), a float in (0, 1] a share.
    min_samples_leaf : int or float, default=5
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
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        1 where the answer may not fall with the column, -1 where it may not rise, 0 elsewhere.
    pruning : "auto", float, "cross_validated", "cost_complexity", part or None, default="auto"
        "auto": a split stays if it gains more than chance would give the best of all cuts, at any size of table; see
        `bough.recipe.Auto`. A number is the relative complexity (rpart's cp) up to which splits are cut, such as 0.01;
        "cross_validated" chooses it by cross-validation, with `CrossValidated(rule="min", cv=5)` in another way; None
        grows out.
"""

_MISSING = """\
    feature_costs : array of shape (n_features,), dict or None, default=None
        What a column costs to measure: gains are divided by it when columns compete.
    missing : {"surrogates", "majority_branch", "stop"} or part, default="surrogates"
        Where a case without the value of a split goes: as the surrogates say, to the larger branch, or nowhere: it
        stays and gets the node's own answer. `Surrogates` says how many there are (five at a node if a training row
        lacks a value, else two), and what else is to know of them.
        The same in training and prediction. Risks of subtrees are sums over their leaves, so that training rows that
        stay above them count in neither (rpart's account); cross-validated risks count every case.
    absent : {"missing", "majority", "stop"}, default="missing"
        A level that the node did not meet in training.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held.
    reading : Reading or None, default=None
        What counts of the table beyond its values: declared orders, unused levels, empty rows.
    {columns}
    random_state : int, RandomState or None, default=None
        Shuffles the folds of cross-validated pruning; nothing else is random.
    {verbose}

    Attributes
    ----------
    {fitted}
    pruning_path_ : frame
        The nested subtrees, from the root alone to the largest that was looked at: cp, alpha, n_leaves, n_splits, risk,
        cv_risk, cv_se. Risks are means over the training rows of what the tree is pruned by, alpha is in their unit and
        cp relative to the root's. For numbers it is their error; for classes under pruning="auto" the deviance of each
        row predicted by those before it in its leaf, under a number what answers cost. `cross_validate_path` fills in
        the last two.
    pruning_log_ : PruningLog
        What pruning cut and why, in order: the node of the grown tree, what became of it, before and after. Not kept in
        files.
    {cp}
"""


@described(shared=_SHARED, missing=_MISSING)
class CARTClassifier(ClassificationTree):
    """A classification tree (CART).

    Binary splits of numbers, ordered and nominal levels by impurity, surrogates for missing values, priors and costs,
    cost-complexity pruning. The untouched estimator grows with the table and keeps what chance does not explain;
    `pruned(n_leaves=8)` gives a small tree of the same nested sequence. Parts come from `bough.recipe`; grid search
    reaches their arguments: `missing__max_surrogates`.

    Parameters
    ----------
    criterion : {"gini", "variance", "entropy", "misclassification", "twoing", "weighted_gini"} or part, default="gini"
        "variance" is half of Gini's impurity and takes the same tests. "weighted_gini" weighs every pair of classes by
        the costs of mistaking them; the others see costs as altered priors. Labels and pruning always minimise
        expected cost.
    {shared}
    priors : dict, array of shape (n_classes,), "equal" or None, default=None
        Probabilities of the classes, instead of their shares in the data.
    costs : dict, array of shape (n_classes, n_classes) or None, default=None
        What errors cost: `{(true, decided): cost}`, other errors 1, or an array [true][decided] in the order of
        `confusion_matrix` and of rpart's loss (some texts print the transpose).
    class_weight : dict, "balanced", "balanced_rows" or None, default=None
        Factors of the classes; not together with priors. "balanced" gives all classes the same weight in all;
        "balanced_rows" does so for rows of weight 1, whatever their weights are (scikit-learn).
    {missing}
    {classes}

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth, 1984.

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import CrossValidated
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier().fit(X, y)
    >>> clf.get_n_leaves(), clf.pruned(n_leaves=4).get_n_leaves()
    (8, 4)
    >>> bough.CARTClassifier(pruning=CrossValidated(cv=5)).set_params(pruning__rule="min").pruning
    CrossValidated(cv=5, rule='min')
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": {
            "gini": Gini(),
            "variance": Variance(),
            "entropy": Entropy(),
            "misclassification": Misclassification(),
            "twoing": Twoing(),
            "weighted_gini": WeightedGini(),
        },
        **_ANSWERS,
    }
    _recipe = _recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        branching: str | Branching = "binary",
        search: str | Search = "exhaustive",
        max_depth: int | None = None,
        min_samples_split: int | float = 10,
        min_samples_leaf: int | float = 5,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        count_by: str = "weight",
        monotonic_cst: Any = None,
        pruning: float | str | Pruning | None = "auto",
        priors: Any = None,
        costs: Any = None,
        class_weight: Any = None,
        feature_costs: Any = None,
        missing: str | Missing = "surrogates",
        absent: str = "missing",
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.branching = branching
        self.search = search
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.count_by = count_by
        self.monotonic_cst = monotonic_cst
        self.pruning = pruning
        self.priors = priors
        self.costs = costs
        self.class_weight = class_weight
        self.feature_costs = feature_costs
        self.missing = missing
        self.absent = absent
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


@described(shared=_SHARED, missing=_MISSING)
class CARTRegressor(RegressionTree):
    """A regression tree (CART).

    Binary splits of numbers, ordered and nominal levels, surrogates for missing values, cost-complexity pruning. The
    untouched estimator grows with the table and keeps what chance does not explain; `pruned(n_leaves=8)` gives a small
    tree of the same nested sequence. Parts come from `bough.recipe`; grid search reaches their arguments:
    `missing__max_surrogates`.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "worst_error"} or part, default="squared_error"
        Leaves answer with the mean; under absolute error with the median. worst_error lowers the largest
        distance of a row from the mean of its branch and is pruned by squared error.
    {shared}
    {missing}

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

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": {
            "squared_error": SquaredError(),
            "absolute_error": AbsoluteError(),
            "worst_error": WorstError(),
        },
        **_ANSWERS,
    }
    _recipe = _recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "squared_error",
        branching: str | Branching = "binary",
        search: str | Search = "exhaustive",
        max_depth: int | None = None,
        min_samples_split: int | float = 10,
        min_samples_leaf: int | float = 5,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        count_by: str = "weight",
        monotonic_cst: Any = None,
        pruning: float | str | Pruning | None = "auto",
        feature_costs: Any = None,
        missing: str | Missing = "surrogates",
        absent: str = "missing",
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.branching = branching
        self.search = search
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.count_by = count_by
        self.monotonic_cst = monotonic_cst
        self.pruning = pruning
        self.feature_costs = feature_costs
        self.missing = missing
        self.absent = absent
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
