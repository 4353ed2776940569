"""Extremely randomized trees: forests whose cuts are drawn."""

from typing import Any

from bough.learn.forest import TEXTS
from bough.learn.forest_estimator import ForestClassifier, ForestRegressor
from bough.learn.texts import described

__all__ = ["ExtraTreesClassifier", "ExtraTreesRegressor"]


@described(**TEXTS)
class ExtraTreesClassifier(ForestClassifier):
    """Extremely randomized trees for classes: cuts are drawn, and the best of a few is taken.

    Each node draws one cut for each of a few columns, between the smallest and the largest value it holds, and takes
    the best of these; nominal levels go to either side by chance. The trees are grown on all rows by default.

    Parameters
    ----------
    {trees}
    bootstrap : bool, default=False
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
    P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63, 2006.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.ExtraTreesClassifier(n_estimators=100).fit(X, y)
    >>> bool(clf.score(X, y) > 0.99)
    True
    """

    random_cuts = True

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
        bootstrap: bool = False,
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
class ExtraTreesRegressor(ForestRegressor):
    """Extremely randomized trees for numbers: cuts are drawn, and the best of a few is taken.

    Each node draws one cut for each of a few columns, between the smallest and the largest value it holds, and takes
    the best of these; nominal levels go to either side by chance. The trees are grown on all rows by default.

    Parameters
    ----------
    {trees}
    bootstrap : bool, default=False
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
    P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63, 2006.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.ExtraTreesRegressor(n_estimators=100).fit(X, y)
    >>> bool(reg.score(X, y) > 0.99)
    True
    """

    random_cuts = True

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
        bootstrap: bool = False,
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
