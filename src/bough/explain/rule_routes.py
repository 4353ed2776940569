"""A list of rules as the search for counterfactuals goes through it: a node asks a rule; what it leaves goes on.

Nodes 0 to n - 1 ask the n rules; the nodes behind them are ends, one for each rule and the last for the default.
"""

from collections.abc import Iterator, Sequence

from bough.errors import ParameterError
from bough.model.features import Cell
from bough.model.grid import Grid
from bough.model.rules import Literal, Rule, RuleList
from bough.model.tests.cells import Box, Cut, Space
from bough.model.ways import Ends
from bough.table import UNSEEN

__all__ = ["RuleRoutes", "seen"]


def seen(rules: RuleList, cells: Sequence[Cell]) -> list[Cell]:
    """A row as literals see it: a level never seen is missing, unless it counts as a known one."""
    if rules.inputs.unseen == "other":
        return list(cells)
    coded = [column.kind != "numeric" for column in rules.schema.columns]
    return [None if code and cell == UNSEEN else cell for cell, code in zip(cells, coded, strict=True)]


class RuleRoutes:
    """The ways of rows through a list.

    Parameters
    ----------
    rules : RuleList
    row : sequence
        The row whose neighbours are searched, as literals see it. Of a rule the literals that fail for it are asked
        first: what stays as it is then passes the rule in one piece.
    """

    def __init__(self, rules: RuleList, row: Sequence[Cell]) -> None:
        self.rules = rules
        self.columns = rules.inputs.schema.columns
        bins = () if rules.inputs.bins is None else rules.inputs.bins.edges
        self._bins = [None if edges is None else edges.tolist() for edges in bins] or [None] * len(self.columns)
        self._asked = [self._order(rule, row) for rule in rules.rules]

    def _order(self, rule: Rule, row: Sequence[Cell]) -> list[tuple[int, Literal]]:
        """The literals of a rule with their columns, those that fail first."""
        if not all(literal.has_cells for literal in rule.literals):
            return []
        ordered = sorted(rule.literals, key=lambda literal: literal.holds(row, self.rules.place))
        return [(self.rules.place(literal.columns[0]), literal) for literal in ordered]

    def planes(self) -> None:
        """The search is over cells of single columns, which sums have not: they are refused."""
        for rule in self.rules.rules:
            for literal in rule.literals:
                if not literal.has_cells:
                    raise ParameterError(
                        "counterfactuals are searched for column by column, but these rules ask several together: "
                        f"{literal}."
                    )

    def grids(self) -> list[Grid]:
        """The cells of each column as all literals tell them apart."""
        cuts: list[set[Cut]] = [set() for _ in self.columns]
        for asked in self._asked:
            for column, literal in asked:
                cuts[column].update(literal.cuts)
        return [Grid(column, cuts[place], self._bins[place]) for place, column in enumerate(self.columns)]

    def rule_of(self, end: int) -> int:
        """The number of the rule that decides at an end; that of all rules for the default."""
        return end - self.rules.n_rules

    def is_end(self, node: int) -> bool:
        """Whether nothing is asked any more."""
        return node >= self.rules.n_rules

    def outcomes(self, node: int, space: Space[Box], box: Box) -> Iterator[tuple[Box, Ends]]:
        """The parts of a box for which one literal fails, those before it holding, and what the rule covers."""
        n = self.rules.n_rules
        following: Ends = ((node + 1 if node + 1 < n else 2 * n, 1.0),)
        left, unseen = [box], self.rules.inputs.unseen == "other"
        for column, literal in self._asked[node]:
            holding: list[Box] = []
            for part in left:
                held, fails = literal.parted(space, column, part, unseen=unseen)
                holding += held
                yield from ((failing, following) for failing in fails)
            left = holding
        for part in left:
            yield part, ((n + node, 1.0),)
