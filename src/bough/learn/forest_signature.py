"""What a forest is told: each parameter with its default and what it means, once for all four estimators.

Signatures follow from the bases of an estimator: first how trees grow, then what is said of classes or numbers, then
how tables are read and work is done, as the documentation has them.
"""

from dataclasses import dataclass
from typing import Any

from bough.learn.bagged import TEXTS as BAGGED

__all__ = ["TEXTS", "ClassParameters", "GrowthParameters", "NumberParameters", "TableParameters"]


@dataclass(kw_only=True, eq=False, repr=False)
class GrowthParameters:
    """How trees grow, and on which rows."""

    n_estimators: int = 500
    max_features: int | float | str | None = "sqrt"
    subspace: str = "node"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_impurity_decrease: float = 0.0
    monotonic_cst: Any = None
    bootstrap: bool = True
    max_samples: int | float | None = None
    sampling: Any = None
    oob_score: Any = False


@dataclass(kw_only=True, eq=False, repr=False)
class ClassParameters(GrowthParameters):
    """What forests for classes are told besides."""

    criterion: str = "gini"
    vote: str = "mean"
    class_weight: Any = None
    priors: Any = None
    costs: Any = None


@dataclass(kw_only=True, eq=False, repr=False)
class NumberParameters(GrowthParameters):
    """What forests for numbers are told besides."""

    criterion: str = "squared_error"
    keep_rows: bool = False


@dataclass(kw_only=True, eq=False, repr=False)
class TableParameters:
    """How tables are read, and how work is done."""

    missing: str = "learned"
    absent: str = "majority"
    level_order: str = "node"
    unseen: str = "missing"
    constant_columns: str = "skip"
    categorical_features: Any = "from_dtype"
    ordered_features: Any = None
    warm_start: bool = False
    ccp_alpha: float = 0.0
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0


TEXTS = {
    **BAGGED,
    "random_trees": """\
Each tree is grown to the end on a bootstrap sample. Each node looks at a few columns drawn for it and takes the best
cut of them, found exactly: no bins, level subsets for nominal columns, a side learnt for missing values. The trees
depend on `random_state` and their number alone, whatever the number of threads.
""",
    "drawn_cuts": """\
Each node draws one cut for each of a few columns, between the smallest and the largest value it holds, and takes the
best of these; nominal levels go to either side by chance. The trees are grown on all rows by default.
""",
    "breiman": """\
References
----------
L. Breiman, Random forests, Machine Learning 45, 2001.
""",
    "geurts": """\
References
----------
P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63, 2006.
""",
    "forest_for_classes": """\
Parameters
----------
{trees}
{bags}
{classes_of_forests}
{tables_of_forests}

Attributes
----------
{forest}
{classes_and_features}
""",
    "forest_for_numbers": """\
Parameters
----------
{trees}
{bags}
{numbers_of_forests}
{tables_of_forests}

Attributes
----------
{forest}
{kept_rows}
{features}
""",
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
bootstrap : bool, default=True, and False where cuts are drawn
    Whether the rows of a tree are drawn with replacement; otherwise it is grown on all.
{share_of_rows}
sampling : str, Sampling, counts or None, default=None
    Which rows a tree is grown on, in place of `bootstrap` and `max_samples`: "stratified", "balanced" (every class as
    often as the rarest), a `Sampling(...)` of `bough.recipe`, or counts of your own, a line for each tree.
{judged}
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
    What a tree says: the shares of the classes in its leaf, or the most frequent of them; equally frequent ones divide
    the vote.
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
{warm_start}
ccp_alpha : float, default=0.0
    There for scikit-learn's sake: trees of a forest are not pruned, and other values are refused.
n_jobs : int or None, default=None
    Threads; where `joblib.parallel_config` names a backend of processes, such as "loky", its workers, which grow some
    trees each. The result is the same for any number of either.
{seed}
{verbose}
""",
    "forest": """\
forest_ : bough.model.Forest
    The trees; `clf[i]` is one of them, a `bough.Tree`.
{bagged}
""",
}
