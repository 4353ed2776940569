"""What the docstrings of several estimators say alike: how tables are read and work is done, what a fitted tree has.

A line such as `{columns}` stands for a text; see `bough.docstrings`.
"""

from collections.abc import Callable

from bough.docstrings import Described, with_texts

__all__ = ["described", "of_fit", "of_params", "of_rows"]

_TEXTS = {
    "covering": """\
folds : int, default=3
    One of so many parts of the rows, drawn anew for every rule, is for pruning.
allow : list of kinds of literals, default=("=", "!=", "<=", ">", "missing")
    What rules may ask, out of ``"="``, ``"!="``, ``"in"`` (a set of levels), ``"<="``, ``">"`` and ``"missing"``.
cut_at : {"midpoint", "data_value"}, default="midpoint"
    Where thresholds lie: halfway between two values, or at a value, with >= in place of >.
min_weight : float, default=0.0
    Least weight that a rule takes in its turn.
min_precision : float, default=0.0
    Least share of its class among the rows that a rule takes.
max_literals, max_rules : int or None, default=None
forbidden : list of column names or None, default=None
    Columns that no rule may ask.
required : list of column names or None, default=None
    Columns that every rule asks: they are asked first, and pruning leaves them. Rules for which no such literal gains
    anything are not learnt; locked initial rules stay as they are.
monotonic_cst : dict, list or None, default=None
    By column: 1 where the second of two classes gets likelier with larger values, -1 where it gets unlikelier.
initial_rules : str, RuleList, list of Rule or None, default=None
    Rules to begin with, as text or objects. Those that are `locked` stay as they are, the others may be revised.
class_weight : dict, "balanced" or None, default=None
costs : array or dict, default=None
    What errors cost, [true][decided]: a class counts by what it costs to miss it.
smoothing : float, default=0.0
    Rows of every class that probabilities count besides those that a rule takes; 1 is Laplace's rule.
{unseen_level}
{reading}
draws : Keyed, JavaDraws or None, default=None
    How rows are drawn for pruning: by a key made of `random_state`, or as Weka draws them.
random_state : int, RandomState or None, default=None
    Of the draws; None is a fixed key, so that fits are repeatable.
""",
    "reading": """\
reading : Reading or None, default=None
    What counts of the table beyond its values: declared orders, unused classes and levels, empty rows.
""",
    "categorical_features": """\
categorical_features : "from_dtype", list, mask or None, default="from_dtype"
    Numeric columns to read as nominal, by name or position (a name, where the names are whole numbers); strings, bools
    and categories are nominal anyway.
""",
    "ordered_features": """\
ordered_features : dict, list or None, default=None
    Columns with ordered levels: `{"size": ["S", "M", "L"]}`.
""",
    "columns": """\
{categorical_features}
{ordered_features}
{n_jobs}
""",
    "columns_and_work": """\
{categorical_features}
{ordered_features}
{work}
""",
    "unseen_level": """\
unseen : {"missing", "other", "error"}, default="missing"
    A level that no training row held: as if missing, a level that no rule names, or an error.
""",
    "rule_columns": """\
{unseen_level}
{columns_and_work}
""",
    "rules": """\
rules_ : bough.RuleList
    The rules: print them, check them, simplify them.
{classes_and_features}
""",
    "work": """\
{n_jobs}
{verbose}
""",
    "n_jobs": """\
n_jobs : int or None, default=None
    Threads; the result is the same for any number.
""",
    "verbose": """\
verbose : int, default=0
    Progress on standard error.
""",
    "fitted": """\
{tree}
{features}
""",
    "fitted_classes": """\
{tree}
{classes_and_features}
""",
    "tree": """\
tree_ : bough.Tree
    The tree: print it, draw it, walk through its nodes.
schema_ : Schema
    Name, kind, type and levels of each column of the training table.
""",
    "classes_and_features": """\
{classes}
{features}
""",
    "features": """\
n_features_in_ : int
feature_names_in_ : ndarray
    Only where the table had names.
""",
    "classes": """\
classes_ : ndarray of shape (n_classes,)
n_classes_ : int
""",
    "cp": """\
cp_ : float
    The relative complexity down to which the tree is known: that of the last row of the path.
{importances}
""",
    "importances": """\
feature_importances_ : ndarray
    The share of each column in the gains of the splits; see also `importance`.
""",
}


def described(**own: str) -> Callable[[Described], Described]:
    """Mark an estimator whose docstring names these texts, and its own."""
    return with_texts(**_TEXTS, **own)


# Marks a method that takes rows, for which `{rows}` is in its docstring; what it returns stands below.
of_rows = with_texts(
    rows="""\
Parameters
----------
X : table of shape (n_rows, n_features), or one row
    One row is a dict of single values, of which columns that are left out are not known, a tuple in the order of the
    columns, or a Series with the names of columns; the answer is that to a table of one row.

Returns
-------
"""
)

# Marks `set_params`, for which `{params}` is in its docstring.
of_params = with_texts(
    params="""\
Parameters
----------
**params
    By the names of `get_params`.

Returns
-------
self
"""
)

# Marks a method that fits, for which `{fit}`, `{bagged_fit}`, or `{rows}` and `{weights}` are in its docstring.
of_fit = with_texts(
    fit="""\
Parameters
----------
{rows}
sample_weight : array of shape (n_rows,), optional
    {weights}

Returns
-------
self
""",
    rows="""\
X : table of shape (n_rows, n_features)
    pandas, polars, pyarrow, numpy, dict of columns or any Arrow stream; categories and missing values as they are.
y : array of shape (n_rows,)
    Classes, which are strings, ints, bools or categories; for a regressor numbers.
""",
    weights="""\
Whole numbers are repetitions: weight 3 is three equal rows. Others are relative and are divided by their mean over
the rows of positive weight. Rows of weight 0 take no part.
""",
    bagged_fit="""\
Ctrl-C keeps the trees that are finished, and says how many they are.

Parameters
----------
{rows}
sample_weight : array of shape (n_rows,), optional
    {weights}
    They count in the scores; `Sampling(weights="draw")` draws by them instead.
groups : array of shape (n_rows,), optional
    Rows of one group are in the bag of a tree or out of it as a whole, so that out-of-bag figures are honest where
    rows repeat each other.

Returns
-------
self
""",
)
