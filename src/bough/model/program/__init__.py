"""The routing program of a model: the one form that exports, verification and the page read.

`program.py` says what a program is, `fields.py` makes its fields of columns, `compile.py` makes a program of a tree and
`join.py` one of several, `interpret.py` runs it in plain Python, and `cases.py`, `reach.py` and `cells.py` make rows
that try every part of it.
"""

from bough.model.program.program import Program

__all__ = ["Program"]
