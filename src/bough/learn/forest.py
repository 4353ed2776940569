"""Random forests: many deep trees, each grown on rows and columns drawn for it."""

from typing import Any

from bough.learn.forest_estimator import ForestClassifier, ForestRegressor
from bough.learn.texts import described

__all__ = ["TEXTS", "RandomForestClassifier", "RandomForestRegressor"]

TEXTS = {
    "trees": """\
n_estimators : int, default=500
    How many trees.
max_features : int, float, "sqrt", "log2" or None, default="sqrt"
    Columns that a node looks at, drawn for it: their number, a share in (0, 1], or None: all. A column that is constant
    in the node does not count: see `constant_columns`.
subspace : {"node", "tree"}, default="node"
    Whether columns are drawn for each node, or once for each tree, whose nodes then look at all of these.
max_depth : int or None, default=None
max_leaf_nodes : int or None, default=None
    Leaves of a tree: of all splits those are kept that best-first growth would have taken, by their gain.
min_samples_split, min_samples_leaf : int or float, default=2 and 1
    Least weight of a node that is split, and of a branch; a float is a share of all rows. Rows count as often as they
    are in the bag.
min_impurity_decrease : float, default=0.0
    Least gain of a split, as a share of the weight of the bag.
monotonic_cst : array of shape (n_features,), dict or None, default=None
    1 for columns with whose values answers may not fall, -1 where they may not rise, 0 for the others; a dict names the
    columns. For numbers, and for the probability of the second of two classes. Quantiles of the rows in leaves cannot
    promise it, intervals from out-of-bag residuals do.
""",
    "bags": """\
max_samples : int, float or None, default=None
    Rows to draw: their number, or a share in (0, 1]; None: as many as there are.
sampling : str, Sampling, counts or None, default=None
    Which rows a tree is grown on, in place of `bootstrap` and `max_samples`: "stratified", "balanced" (every class as
    often as the rarest), a `Sampling(...)` of `bough.recipe`, or counts of your own, a line for each tree.
oob_score : bool, str or callable, default=False
    Whether to answer each row by the trees that were not grown on it, and by which scorer of scikit-learn to judge it;
    True: accuracy, or R squared.
""",
    "numbers_of_forests": """\
criterion : {"squared_error"}, default="squared_error"
keep_rows : bool, default=False
    Whether to keep the training rows in the leaves, which `predict_quantiles` and `predict_standard_error` ask for; the
    model itself does not grow.
""",
    "kept_rows": """\
leaf_rows_ : LeafRows
    With `keep_rows`: the training rows in the leaves. Not kept in files; the method `leaf_rows` works it out again.
""",
    "classes_of_forests": """\
criterion : {"gini", "entropy", "log_loss"}, default="gini"
    What splits decrease; the last is scikit-learn's other name for entropy. Gini is the quicker one.
vote : {"mean", "majority"}, default="mean"
    What a tree says: the shares of the classes in its leaf, or the most frequent of them.
class_weight : dict, "balanced" or None, default=None
priors : array, dict or None, default=None
    What classes weigh, in splits and probabilities.
costs : array or dict, default=None
    What errors cost, [true][decided]: the forest decides for the class of least expected cost.
""",
    "tables_of_forests": """\
missing : {"learned", "own_branch", "majority", "random", "refuse"}, default="learned"
    Rows without a value take the branch that is better for them, learnt at each split; or have a branch of their own,
    beside the two of the others. With "majority" and "random" they have no part in the choice of a split and follow the
    heavier branch, or one that is drawn for the node by the weights of the branches. Or they are an error.
absent : {"majority", "missing", "random"}, default="majority"
    Where a nominal level goes that is not in the node: to the heavier branch, where missing values go, or to one drawn
    for it by the weights of the branches.
level_order : {"node", "forest"}, default="node"
    Whether nominal levels are put in order in each node, which for two classes and numbers finds the best of all sets,
    or once for the forest and then cut as numbers, which is quicker; ranger calls it "order".
unseen : {"missing", "error"}, default="missing"
    A level that no training row held: as if missing, or an error.
constant_columns : {"skip", "count"}, default="skip"
    Whether a column that is constant in a node counts as looked at; ranger and randomForest do so.
{categorical_features}
ordered_features : dict, list or None, default=None
    Columns with ordered levels: `{"size": ["S", "M", "L"]}`.
warm_start : bool, default=False
    Whether the next fit to the same rows keeps the trees that are there and adds those that are wanting; the result is
    that of one fit.
ccp_alpha : float, default=0.0
    There for scikit-learn's sake: trees of a forest are not pruned, and other values are refused.
n_jobs : int or None, default=None
    Threads; where `joblib.parallel_config` names a backend of processes, such as "loky", its workers, which grow some
    trees each. The result is the same for any number of either.
random_state : int, RandomState or None, default=None
    Of the draws; None is a fixed key, so that fits are repeatable. A tree is drawn by it and its own number alone.
{verbose}
""",
    "forest": """\
forest_ : bough.model.Forest
    The trees; `clf[i]` is one of them, a `bough.Tree`.
out_of_bag_ : OutOfBag
    With `oob_score`: votes, answers, error by number of trees, any score, the confusion of classes. Not kept in files;
    the method `out_of_bag` works it out again.
oob_score_ : float
    With `oob_score`.
feature_importances_ : ndarray
    The share of each column in the gains of the splits, mean over the trees.
schema_ : Schema
    Name, kind, type and levels of each column of the training table.
""",
}


@described(**TEXTS)
class RandomForestClassifier(ForestClassifier):
    """A random forest for classes: trees on bootstrap samples that look at few columns a node, and vote.

    Each tree is grown to the end on a bootstrap sample. Each node looks at a few columns drawn for it and takes the
    best cut of them, found exactly: no bins, level subsets for nominal columns, a side learnt for missing values. The
    trees depend on `random_state` and their number alone, whatever the number of threads.

    Parameters
    ----------
    {trees}
    bootstrap : bool, default=True
        Whether the rows of a tree are drawn with replacement; otherwise it is grown on all.
    {bags}
    {classes_of_forests}
    {tables_of_forests}

    Attributes
    ----------
    {forest}
    {classes_and_features}

    References
    ----------
    L. Breiman, Random forests, Machine Learning 45, 2001.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=100, oob_score=True).fit(X, y)
    >>> bool(clf.oob_score_ > 0.97)
    True
    >>> clf.predict(X[:2]).tolist()
    ['Adelie', 'Adelie']
    >>> clf[0].root.split.column in clf.feature_names_in_
    True
    """

    def __init__(
        self,
        *,
        n_estimators: int = 500,
        max_features: int | float | str | None = "sqrt",
        subspace: str = "node",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_impurity_decrease: float = 0.0,
        monotonic_cst: Any = None,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        sampling: Any = None,
        oob_score: Any = False,
        criterion: str = "gini",
        vote: str = "mean",
        class_weight: Any = None,
        priors: Any = None,
        costs: Any = None,
        missing: str = "learned",
        absent: str = "majority",
        level_order: str = "node",
        unseen: str = "missing",
        constant_columns: str = "skip",
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.subspace = subspace
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.monotonic_cst = monotonic_cst
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.sampling = sampling
        self.oob_score = oob_score
        self.criterion = criterion
        self.vote = vote
        self.class_weight = class_weight
        self.priors = priors
        self.costs = costs
        self.missing = missing
        self.absent = absent
        self.level_order = level_order
        self.unseen = unseen
        self.constant_columns = constant_columns
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


@described(**TEXTS)
class RandomForestRegressor(ForestRegressor):
    """A random forest for numbers: trees on bootstrap samples that look at few columns a node, averaged.

    Each tree is grown to the end on a bootstrap sample. Each node looks at a few columns drawn for it and takes the
    best cut of them, found exactly: no bins, level subsets for nominal columns, a side learnt for missing values. The
    trees depend on `random_state` and their number alone, whatever the number of threads.

    Parameters
    ----------
    {trees}
    bootstrap : bool, default=True
        Whether the rows of a tree are drawn with replacement; otherwise it is grown on all.
    {bags}
    {numbers_of_forests}
    {tables_of_forests}

    Attributes
    ----------
    {forest}
    {kept_rows}
    {features}

    References
    ----------
    L. Breiman, Random forests, Machine Learning 45, 2001.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=100, oob_score=True).fit(X, y)
    >>> bool(reg.oob_score_ > 0.6)
    True
    """

    def __init__(
        self,
        *,
        n_estimators: int = 500,
        max_features: int | float | str | None = "sqrt",
        subspace: str = "node",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_impurity_decrease: float = 0.0,
        monotonic_cst: Any = None,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        sampling: Any = None,
        oob_score: Any = False,
        criterion: str = "squared_error",
        keep_rows: bool = False,
        missing: str = "learned",
        absent: str = "majority",
        level_order: str = "node",
        unseen: str = "missing",
        constant_columns: str = "skip",
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.subspace = subspace
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.monotonic_cst = monotonic_cst
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.sampling = sampling
        self.oob_score = oob_score
        self.criterion = criterion
        self.keep_rows = keep_rows
        self.missing = missing
        self.absent = absent
        self.level_order = level_order
        self.unseen = unseen
        self.constant_columns = constant_columns
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
