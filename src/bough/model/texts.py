"""What the docstrings of several models say alike: rows, pages, the change that is looked for.

A line such as `{page}` stands for a text; see `bough.docstrings`. Estimators say the same of their models.
"""

from bough.docstrings import with_texts

__all__ = ["of_change", "of_model"]

# Marks methods of models, in whose docstrings `{rows}`, `{reading}`, `{reader}` and `{page}` are; estimators have
# `{page}`.
of_model = with_texts(
    rows="""\
Parameters
----------
X : table or Rows
n_threads : int, default=1

Returns
-------
""",
    reading="""\
Parameters
----------
X : table or Rows
    Rows that are read already are taken as they are.
every : bool, default=False
    Read all columns, instead of those that can change an answer.
{reader}
""",
    reader="""\
reader : str, default="the model"
    Who speaks in messages.

Returns
-------
Rows
""",
    path="""\
path : str or path-like, optional
    Where to write it, too.
""",
    page="""\
Returns
-------
str
    The page.
""",
    page_with_rows="""\
Parameters
----------
{path}
X : table of shape (n_rows, n_features), optional
    Rows, such as those of training: the page then shows how the tested columns lie in them.
y : array of shape (n_rows,), optional
    Their classes, to show the rows of X by class.

{page}
""",
)

# Marks what looks for the smallest change that gives a row another answer: `{change}`.
of_change = with_texts(
    change="""\
Parameters
----------
row : row
    As for `explain`, or a table of one row.
to : label or (low, high), optional
    The class to reach, by default any other; for numbers the range to reach, either end None if it is open.
fixed : names of columns
    Columns that may not change.
direction : dict, optional
    Columns that may only go "up" or "down", such as ``{"age": "up"}``; not from a missing value.
n : int, default=1
    How many to return: the best for each set of columns of which none is superfluous.
"""
)
