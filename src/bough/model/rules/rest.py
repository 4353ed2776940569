"""What is left of all rows when the rules of a list have taken theirs, as boxes of cells: is there anything?

Rules of trees cover every row, so that such a list has no default; without knowing that, one could not say it as a
tree, nor export it to where every row is answered.
"""

from typing import TYPE_CHECKING

from bough.model.grid import Grid
from bough.model.rules.cells import Box, CellSpace
from bough.model.rules.rule import Rule
from bough.model.tests.cells import Cut

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["covers_all"]

_MOST = 60_000  # boxes to look at: a second or two


def covers_all(rules: "RuleList") -> bool:
    r"""Return whether some rule covers every row that is not refused; False also where that takes too long to tell.

    Parameters
    ----------
    rules : RuleList

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 38.5 THEN yes\nIF age <= 38.5 OR MISSING THEN no")
    >>> covers_all(rules), covers_all(rules.with_rules(rules.rules[:1]))
    (True, False)
    """
    if not all(literal.has_cells for rule in rules.rules for literal in rule.literals):
        return False
    cuts: list[set[Cut]] = [set() for _ in rules.schema.columns]
    for rule in rules.rules:
        for literal in rule.literals:
            cuts[rules.place(literal.columns[0])].update(literal.cuts)
    grids = [Grid(column, own) for column, own in zip(rules.schema.columns, cuts, strict=True)]
    space = CellSpace(grids, unseen=rules.inputs.unseen == "other", missing=not rules.inputs.refuses_anywhere)
    left: list[Box] = [{}]
    seen = 0
    for rule in rules.rules:
        seen += len(left)
        if seen > _MOST:
            return False
        left = [part for box in left for part in _beyond(rules, rule, space, box)]
    return not left


def _beyond(rules: "RuleList", rule: Rule, space: CellSpace, box: Box) -> list[Box]:
    """The parts of a box that a rule does not cover; they do not overlap."""
    beyond: list[Box] = []
    holding = [box]
    for literal in rule.literals:
        column = rules.place(literal.columns[0])
        following: list[Box] = []
        for part in holding:
            held, fails = literal.parted(space, column, part, unseen=space.unseen)
            following += held
            beyond += fails
        if not following:  # nothing is covered: the box stays whole
            return [box]
        holding = following
    return beyond
