"""What the docstrings of models say alike: how rows are given to them, and read."""

from bough.docstrings import with_texts

__all__ = ["of_rows"]

# Marks a method that takes rows, for which `{rows}` is in its docstring, with what it returns below; or `{reading}`.
of_rows = with_texts(
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
reader : str, default="the model"
    Who speaks in messages.

Returns
-------
Rows
""",
)
