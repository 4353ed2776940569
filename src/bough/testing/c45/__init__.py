"""C4.5 as in Weka's J48, and Id3, in plain Python: branches for many levels, gain ratio, fractional rows, pruning.

Each module is one step: `gain`, `search`, `grow`, `node` (rows in fractions, collapse), `prune`, `reduced_error`,
`text`; `j48`, `id3` and `part`, rules from partial trees, put them together.
"""

from __future__ import annotations

from bough.testing.c45.frame import cases_of, table_of
from bough.testing.c45.id3 import Id3, id3_text
from bough.testing.c45.j48 import J48, Options
from bough.testing.c45.kernel import read_rules, read_tree
from bough.testing.c45.node import Node
from bough.testing.c45.part import Literal, Part, Rule, rules_text
from bough.testing.c45.prune import Pessimist
from bough.testing.c45.search import Split
from bough.testing.c45.table import Column, Table
from bough.testing.c45.text import tree_text

__all__ = [
    "J48",
    "Column",
    "Id3",
    "Literal",
    "Node",
    "Options",
    "Part",
    "Pessimist",
    "Rule",
    "Split",
    "Table",
    "cases_of",
    "id3_text",
    "read_rules",
    "read_tree",
    "rules_text",
    "table_of",
    "tree_text",
]
