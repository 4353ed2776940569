"""PART (Frank and Witten 1998) as in Weka: a list of rules, each the best leaf of a partial C4.5 tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from bough.testing.c45.gain import bits
from bough.testing.c45.grow import must_stop
from bough.testing.c45.j48 import Options
from bough.testing.c45.node import Node, deal, spread
from bough.testing.c45.prune import SLACK, Pessimist
from bough.testing.c45.search import Habits, Split, best_split
from bough.testing.c45.table import Row, Table, at_least, greater
from bough.testing.c45.text import branch_text, leaf_text


@dataclass(frozen=True)
class Literal:
    """One condition of a rule: a branch of a test, and the share of a row without the value that passes it."""

    split: Split
    branch: int
    share: float


@dataclass(frozen=True)
class Rule:
    """Conditions and the class weights of the leaf they lead to."""

    literals: tuple[Literal, ...]
    counts: tuple[float, ...]

    def cover(self, case: Sequence[float | None]) -> float:
        """The share of a row that the rule takes."""
        share = 1.0
        for literal in self.literals:
            branch = literal.split.branch(case[literal.split.column])
            if branch is None:
                share *= literal.share
            elif branch != literal.branch:
                return 0.0
        return share


@dataclass
class Partial(Node):
    """A node of a partial tree.

    Attributes
    ----------
    grown : list of int
        The branches that were grown, in that order; the others wait, or are too light.
    """

    def __post_init__(self) -> None:
        self.grown: list[int] = []

    def choose(self, minimum: float) -> int | None:
        """The next branch to grow: the first pure one, else the one of the least entropy; None if all are too light."""
        best, least = None, inf
        for branch, counts in enumerate(self.branches):
            if branch in self.grown or greater(minimum, sum(counts)):
                continue
            entropy = bits(counts) / sum(counts)
            if at_least(0.0, entropy):
                return branch
            if greater(least, entropy):
                best, least = branch, entropy
        return best


@dataclass
class Part:
    """Rules learnt as PART learns them.

    Parameters
    ----------
    table : Table
    options : Options, optional
        `confidence`, `minimum`, `unpruned`, `binary`, `penalty` and `data_value`; the others are of J48.

    Examples
    --------
    >>> from bough.testing.c45 import Column, Part, Table
    >>> wind = Column("wind", [0, 0, 0, 1, 1, None], ["weak", "strong"])
    >>> print(Part(Table([wind], [0, 0, 0, 1, 1, 1], ["yes", "no"])).text())
    PART decision list
    ------------------
    <BLANKLINE>
    wind = weak: yes (3.6/0.6)
    <BLANKLINE>
    : no (2.4)
    <BLANKLINE>
    Number of Rules  :      2
    <BLANKLINE>
    """

    table: Table
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        by = self.options
        self._habits = Habits(by.minimum, by.binary, by.penalty, by.data_value)
        self._pessimist = None if by.unpruned else Pessimist(by.confidence)
        self.rules: list[Rule] = []
        rows = self.table.rows
        while rows or not self.rules:
            rule = self._rule(rows)
            self.rules.append(rule)
            left = [(row, weight, 1.0 - rule.cover(self._case(row))) for row, weight in rows]
            rows = [(row, weight * rest) for row, weight, rest in left if greater(rest, 0.0)]

    def _case(self, row: int) -> list[float | None]:
        return [column.cells[row] for column in self.table.columns]

    def _rule(self, rows: Sequence[Row]) -> Rule:
        """Grow a partial tree and take one of its leaves."""
        path = [self._open(rows)]
        while not self._settle(path[-1]):
            node = path[-1]
            if node.split is None:  # a leaf: its parent goes on
                if len(path) == 1:
                    return Rule((), tuple(node.counts))
                path.pop()
                continue
            branch = node.choose(self._habits.minimum)
            assert branch is not None  # noqa: S101 (else it is settled)
            node.grown.append(branch)
            path.append(self._open(deal(self.table, node.rows, node.split, node.shares)[branch]))
        return point_at(path)

    def _open(self, rows: Sequence[Row]) -> Partial:
        """A node with its test."""
        node = Partial(list(rows), self.table.counts(rows))
        if not must_stop(node, self._habits):
            node.split = best_split(self.table, node.rows, self._habits)
        if node.split is not None:
            node.branches = spread(self.table, node.rows, node.split)
        return node

    def _settle(self, node: Partial) -> bool:
        """Whether a node stays a subtree for good; one that does not help becomes a leaf."""
        if node.split is None or node.choose(self._habits.minimum) is not None:
            return False
        if not node.grown or self._prunes(node):
            node.become_leaf()
        return node.split is not None

    def _prunes(self, node: Partial) -> bool:
        if self._pessimist is None:
            return False
        below = sum(map(self._pessimist.expected, node.branches))
        return at_least(below + SLACK, self._pessimist.expected(node.counts))

    def probabilities(self, case: Sequence[float | None]) -> list[float]:
        """The probability of each class for the cells of a row: what each rule takes, times its class shares."""
        answer, rest = [0.0] * len(self.table.classes), 1.0
        for rule in self.rules:
            if not greater(rest, 0.0):
                break
            part = rule.cover(case)
            if greater(part, 0.0):
                total = sum(rule.counts)
                answer = [a + rest * part * count / total for a, count in zip(answer, rule.counts, strict=True)]
                rest *= 1.0 - part
        return answer

    def text(self) -> str:
        """The rules as Weka prints them."""
        return rules_text(self.table, self.rules, binary=self.options.binary)


def point_at(path: Sequence[Partial]) -> Rule:
    """The leaf that a tree points at: from its deepest subtree up, each node points on to the heaviest one."""
    literals: list[Literal] = []
    counts: list[float] = []
    for node in reversed(path):
        weight = [-inf] * len(node.branches)
        for branch in node.grown:
            weight[branch] = sum(node.branches[branch])
        if counts:
            weight[node.grown[-1]] = sum(counts)
        best = 0
        for branch in sorted(node.grown):
            if weight[best] == -inf or greater(weight[branch], weight[best]):
                best = branch
        if not counts or best != node.grown[-1]:
            literals, counts = [], node.branches[best]
        assert node.split is not None  # noqa: S101 (an inner node)
        literals.insert(0, Literal(node.split, best, node.shares[best]))
    return Rule(tuple(literals), tuple(counts))


def rules_text(table: Table, rules: Sequence[Rule], *, binary: bool = False) -> str:
    """The whole print of a list of rules, with the line that counts them."""
    printed = []
    for rule in rules:
        conditions = [branch_text(table, one.split, one.branch, binary=binary) for one in rule.literals]
        printed.append(" AND\n".join(conditions) + leaf_text(table, rule.counts, rule.counts) + "\n\n")
    return f"PART decision list\n{'-' * 18}\n\n{''.join(printed)}Number of Rules  : \t{len(rules)}\n"
