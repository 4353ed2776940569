"""The open framework: trees of which every question is a parameter, answered by a name or a part."""

from typing import Any, Self, TypeVar

from sklearn.base import is_regressor

from bough.docstrings import with_texts
from bough.errors import ParameterError
from bough.learn.classifier import ClassificationTree
from bough.learn.fitted import Fitted, frozen_params
from bough.learn.regressor import RegressionTree
from bough.learn.texts import described
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Tree
from bough.recipe import AbsoluteError, Mean, Median, Reading
from bough.recipe.recipe import Recipe
from bough.recipe.registry import read_slot

__all__ = ["TreeClassifier", "TreeRegressor"]

AnyTree = TypeVar("AnyTree", bound=TreeEstimator)

# Marks `from_tree`, for which `{from_tree}` is in its docstring; its example stands below.
_of_a_tree = with_texts(
    from_tree="""\
It predicts, explains, draws, exports and saves as any other. Its parameters are the defaults, which have no say in what
the tree answers; a `fit` would grow another tree.

Parameters
----------
tree : bough.Tree

Returns
-------
estimator

Examples
--------
"""
)


def _recipe(self: TreeEstimator) -> Recipe:
    """The slots as a user fills them."""
    slots = ("branching", "criterion", "search", "missing", "reading")
    parts: dict[str, Any] = {slot: read_slot(slot, getattr(self, slot)) for slot in slots}
    pruning = read_slot("pruning", self.pruning)
    return Recipe(
        **{slot: found[0] for slot, found in parts.items()},
        stopping=read_slot("stopping", self.stopping),
        pruning=pruning[0] if pruning else None,
        leaf=_leaf(self.leaf, parts["criterion"][0]),
        absent=self.absent,
        unseen=self.unseen,
    )


def _fitted_with(self: AnyTree, tree: Any) -> AnyTree:
    """An estimator that was just made, fitted with a tree that exists."""
    if not isinstance(tree, Tree):
        raise ParameterError(f"from_tree takes a bough.Tree, such as that of bough.tree_from; got {tree!r:.80}.")
    if tree.is_classifier == is_regressor(self):
        other = "TreeClassifier" if tree.is_classifier else "TreeRegressor"
        raise ParameterError(f"the tree answers with {'classes' if tree.is_classifier else 'numbers'}: use {other}.")
    recipe = self._recipe().frozen()
    fitted = Fitted(frozen_params(self), recipe, recipe.counting(tree.is_classifier))
    self._become(tree, fitted, cp_=0.0)
    return self


def _leaf(given: Any, criterion: Any) -> Any:
    if isinstance(given, str) and given == "auto":
        return Median() if isinstance(criterion, AbsoluteError) else Mean()
    return read_slot("leaf", given)[0]


_SLOTS = """\
    search : str or part, default="exhaustive"
        How tests are looked for: "exhaustive", "unbiased" (first the column, by a test of independence), "pairs" (also
        "a and b", "a or b" for properties of two nominal columns; `Conjunctions` has three and thresholds).
    stopping : str, part, list of them or None, default="min_rows"
        When a node is a leaf: "min_rows", "max_depth", "max_leaves", "max_impurity", "majority_share" (classes),
        "error_threshold" (numbers), "min_gain", "min_decrease", "significance", "gains_so_far",
        "global_criterion", "validation", "layers". None: when it is pure, or no test tells its rows apart; growth goes
        on where no test gains (`zero_gain` of the search).
    pruning : str, part or None, default="cost_complexity"
        How a large tree is made smaller: "auto" (a price of a leaf that suits any table), "cost_complexity",
        "cross_validated", "error_based" (classes), "reduced_error", "merge_leaves", "size_penalty",
        "significant_splits", "description_length" (classes). None: not.
"""

_REST = """\
    missing : str or part, default="surrogates"
        What happens to missing values: "surrogates", "fractional", "stop", "majority_branch", "own_branch",
        "learned_direction", "most_likely", "delete", "refuse".
    absent : {"missing", "majority", "stop"}, default="missing"
        A level that the node did not meet in training.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held.
    forced_splits : list of dict or None, default=None
        What the first nodes ask: `{"path": (), "column": "age", "threshold": 40}` for the root,
        `{"path": (0,), "column": "job", "levels": [["A"], ["B", "C"]]}` for its first branch, with a list of levels for
        each of any number of branches. `"edges": [18, 65]` makes intervals, a branch each; with `"side": "lt"` a value
        that equals a threshold or an edge lies above it, by default ("le") below. `{"path": (), "all_of": [("size",
        "medium"), ("color", "yellow", True)]}` asks for properties together, here a medium size and not the color
        yellow: the first branch is that of the rows that have them all. Of numbers and ordered columns one side is
        asked: `("age", "<=", 40)` or `("age", ">", 40)`. The threshold of a column of dates is a date. A level that is
        not named counts as absent there; where only a column is given, its best test is taken. They are asked whatever
        stopping says of their nodes, and may leave small or empty branches; only a number of leaves that has no room
        for them is refused. Pruning may cut these nodes as any others: set pruning=None to keep them.
    allowed_columns : dict or None, default=None
        Which columns may be asked at a node and below it: `{(0,): ["age", "job"]}`, by paths as above.
    initial_tree : bough.Tree or None, default=None
        A tree to grow on, such as `estimator.tree_`: its tests are kept (unless pruning cuts them), its leaves are
        grown. Columns are found by name and levels by label; X may have more. Not kept in files.
"""

_TABLE = """\
    {reading}
    {columns}
    random_state : int, RandomState or None, default=None
        Shuffles folds and draws permutations.
    {verbose}

    Attributes
    ----------
    {fitted}
    pruning_log_ : PruningLog
        What pruning did, in order: the node of the grown tree, what became of it, before and after. Not kept in files.
    validation_log_ : ValidationLog
        The splits that `Validation` refused: node, test, errors on the rows kept back before and after. Not kept in
        files.
    pruning_path_ : frame
        The nested subtrees under cost-complexity, from the root alone to the largest that was looked at.
    {cp}
"""


@described(slots=_SLOTS, rest=_REST, table=_TABLE)
class TreeClassifier(ClassificationTree):
    """A classification tree of which every question is a parameter.

    Growing a tree means answering six questions. Each is a parameter here that takes the name of a part, or a part with
    arguments from `bough.recipe`; any answer to one question goes with any answer to another, or is refused with the
    reason. Untouched it is CART as rpart sets it. Grid search reaches the arguments: `pruning__confidence`, and by the
    name of the part those of a list, `stopping__min_rows__min_samples_split`.

    Parameters
    ----------
    branching : str or part, default="binary"
        How many branches a test may have: "binary", "one_level" (one level against the rest), "per_level", "grouped",
        "merged" (as CHAID does), "intervals" (of numbers).
    criterion : str, part or object, default="gini"
        Which test is best: "gini", "variance" (half of it, the same tests), "entropy", "gain_ratio", "twoing",
        "misclassification", "chi_squared", or with costs "weighted_gini", "weighted_entropy", "expected_cost". Or any
        object with a method `score(parent, branches)`: it gets the class weights of a node, shape (k,), and of the
        branches of many candidates, shape (candidates, branches, k), and returns how good each candidate is. Such a
        tree grows in one thread.
    {slots}
    leaf : str or part, default="majority"
        What a leaf says: "majority", "bayes" (priors and costs), "laplace", "m_estimate".
    {rest}
    {table}
    {classes}

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import ErrorBased, MinRows
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.TreeClassifier(
    ...     branching="per_level", criterion="gain_ratio", stopping=[MinRows(4, 2)], pruning=ErrorBased(0.1),
    ...     missing="fractional",
    ... )
    >>> clf.fit(X, y).get_n_leaves()
    9
    >>> clf.set_params(pruning__confidence=0.5, stopping__min_rows__min_samples_split=10).pruning
    ErrorBased(confidence=0.5)
    """

    _recipe = _recipe

    def __init__(
        self,
        *,
        branching: Any = "binary",
        criterion: Any = "gini",
        search: Any = "exhaustive",
        stopping: Any = "min_rows",
        pruning: Any = "cost_complexity",
        leaf: Any = "majority",
        missing: Any = "surrogates",
        absent: str = "missing",
        unseen: str = "missing",
        forced_splits: Any = None,
        allowed_columns: Any = None,
        initial_tree: Any = None,
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.branching = branching
        self.criterion = criterion
        self.search = search
        self.stopping = stopping
        self.pruning = pruning
        self.leaf = leaf
        self.missing = missing
        self.absent = absent
        self.unseen = unseen
        self.forced_splits = forced_splits
        self.allowed_columns = allowed_columns
        self.initial_tree = initial_tree
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    @_of_a_tree
    def from_tree(cls, tree: Tree) -> Self:
        """Return an estimator that is fitted with a tree that exists, such as one of `bough.tree_from`.

        {from_tree}
        >>> import bough
        >>> tree = bough.tree_from({"age <= 38.5": "no", "age > 38.5": "yes", "else": "no"})
        >>> clf = bough.TreeClassifier.from_tree(tree)
        >>> print(clf.explain({"age": 40}).rule, clf.predict({"age": [30, None]}))
        age > 38.5 ['no' 'no']
        """
        return _fitted_with(cls(), tree)


@described(slots=_SLOTS, rest=_REST, table=_TABLE)
class TreeRegressor(RegressionTree):
    """A regression tree of which every question is a parameter.

    Growing a tree means answering six questions. Each is a parameter here that takes the name of a part, or a part with
    arguments from `bough.recipe`; any answer to one question goes with any answer to another, or is refused with the
    reason. Untouched it is CART as rpart sets it. Grid search reaches the arguments: `pruning__cp`, and by the name of
    the part those of a list, `stopping__min_rows__min_samples_split`.

    Parameters
    ----------
    branching : str or part, default="binary"
        How many branches a test may have: "binary", "one_level" (one level against the rest), "per_level", "grouped",
        "merged" (as CHAID does), "intervals" (of numbers).
    criterion : str, part or object, default="squared_error"
        Which test is best: "squared_error", "absolute_error", "worst_error". Or any object with a method
        `score(parent, branches)`: it gets the weight, the sum and the sum of squares of the values of a node, measured
        from a centre, shape (3,), and of the branches of many candidates, shape (candidates, branches, 3), and returns
        how good each candidate is. Such a tree grows in one thread.
    {slots}
    leaf : str or part, default="auto"
        What a leaf says: "mean", "median", "auto": the median with absolute error, else the mean.
    {rest}
    {table}

    Examples
    --------
    >>> import bough
    >>> data = bough.datasets.load("friedman1", n=200, random_state=0)
    >>> reg = bough.TreeRegressor(criterion="absolute_error", stopping=["min_rows", "max_depth"], pruning=None)
    >>> reg.set_params(stopping__max_depth__max_depth=3).fit(data.data, data.target).get_depth()
    3
    """

    _recipe = _recipe

    def __init__(
        self,
        *,
        branching: Any = "binary",
        criterion: Any = "squared_error",
        search: Any = "exhaustive",
        stopping: Any = "min_rows",
        pruning: Any = "cost_complexity",
        leaf: Any = "auto",
        missing: Any = "surrogates",
        absent: str = "missing",
        unseen: str = "missing",
        forced_splits: Any = None,
        allowed_columns: Any = None,
        initial_tree: Any = None,
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.branching = branching
        self.criterion = criterion
        self.search = search
        self.stopping = stopping
        self.pruning = pruning
        self.leaf = leaf
        self.missing = missing
        self.absent = absent
        self.unseen = unseen
        self.forced_splits = forced_splits
        self.allowed_columns = allowed_columns
        self.initial_tree = initial_tree
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    @_of_a_tree
    def from_tree(cls, tree: Tree) -> Self:
        """Return an estimator that is fitted with a tree that exists, such as one of `bough.tree_from`.

        {from_tree}
        >>> import bough
        >>> tree = bough.tree_from({"age <= 38.5": 1.5, "age > 38.5": 2.5})
        >>> bough.TreeRegressor.from_tree(tree).predict({"age": [30, 40]})
        array([1.5, 2.5])
        """
        return _fitted_with(cls(), tree)
