"""J48, Weka's C4.5 release 8: the steps of growing, collapsing, pruning, predicting and printing put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bough.testing.c45.grow import grow
from bough.testing.c45.node import Node, collapse
from bough.testing.c45.prune import Pessimist, prune
from bough.testing.c45.reduced_error import keep_back, prune_reduced_error
from bough.testing.c45.search import Habits
from bough.testing.c45.table import Table, equal, greater
from bough.testing.c45.text import tree_text


@dataclass(frozen=True)
class Options:
    """The options of J48 under their meaning.

    Parameters
    ----------
    confidence : float, default=0.25
        `-C`, of error-based pruning.
    minimum : float, default=2
        `-M`, the least weight of two branches.
    unpruned : bool, default=False
        `-U`: only collapsed.
    binary : bool, default=False
        `-B`: one level against the rest.
    raising : bool, default=True
        Not `-S`.
    reduced_error : int, optional
        `-R -N folds`: pruned with the last fold of the rows instead.
    laplace : bool, default=False
        `-A`: every class counts one more in the leaves.
    penalty : bool, default=True
        Not `-J`.
    collapsing : bool, default=True
        Not `-O`.
    data_value : bool, default=True
        Not `-doNotMakeSplitPointActualValue`.
    """

    confidence: float = 0.25
    minimum: float = 2.0
    unpruned: bool = False
    binary: bool = False
    raising: bool = True
    reduced_error: int | None = None
    laplace: bool = False
    penalty: bool = True
    collapsing: bool = True
    data_value: bool = True


@dataclass
class J48:
    """A tree grown and pruned as J48 does it.

    Parameters
    ----------
    table : Table
    options : Options, optional

    Examples
    --------
    >>> from bough.testing.c45 import J48, Column, Table
    >>> wind = Column("wind", [0, 0, 0, 1, 1, None], ["weak", "strong"])
    >>> tree = J48(Table([wind], [0, 0, 0, 1, 1, 1], ["yes", "no"]))
    >>> print(tree.text())
    J48 pruned tree
    ------------------
    <BLANKLINE>
    wind = weak: yes (3.6/0.6)
    wind = strong: no (2.4)
    <BLANKLINE>
    Number of Leaves  :     2
    <BLANKLINE>
    Size of the tree :      3
    <BLANKLINE>
    """

    table: Table
    options: Options = Options()

    def __post_init__(self) -> None:
        table, by = self.table, self.options
        habits = Habits(by.minimum, by.binary, by.penalty, by.data_value)
        if by.reduced_error is not None:
            growing, kept_back = keep_back(table, by.reduced_error)
            self.root: Node = grow(table, growing, habits)
            prune_reduced_error(table, self.root, kept_back)
            return
        self.root = grow(table, table.rows, habits)
        if by.collapsing:
            collapse(self.root)
        if not by.unpruned:
            prune(table, self.root, Pessimist(by.confidence), raising=by.raising)

    def probabilities(self, case: Sequence[float | None]) -> list[float]:
        """The probability of each class for the cells of a row, in the order of the columns."""
        answer = [0.0] * len(self.table.classes)
        stack = [(self.root, 1.0)]
        while stack:
            node, weight = stack.pop()
            if node.split is None:
                answer = [a + weight * p for a, p in zip(answer, self._leaf(node.counts), strict=True)]
                continue
            branch = node.split.branch(case[node.split.column])
            if branch is None:
                parts = zip(node.children, node.shares, strict=True)
                stack += [(child, weight * share) for child, share in parts if not child.empty]
            elif node.children[branch].empty:  # nobody came this way: the node itself answers
                answer = [a + weight * p for a, p in zip(answer, self._leaf(node.counts), strict=True)]
            else:
                stack.append((node.children[branch], weight))
        return answer

    def _leaf(self, counts: Sequence[float]) -> list[float]:
        total = sum(counts)
        if self.options.laplace:
            return [(count + 1) / (total + len(counts)) for count in counts]
        return [0.0 if equal(total, 0.0) else count / total for count in counts]

    def predict(self, case: Sequence[float | None]) -> int:
        """The code of the most probable class, the first of equal ones."""
        probabilities = self.probabilities(case)
        best = 0
        for label, probability in enumerate(probabilities):
            if greater(probability, probabilities[best]):
                best = label
        return best

    def text(self) -> str:
        """The tree as Weka prints it."""
        title = f"J48 {'unpruned' if self.options.unpruned else 'pruned'} tree"
        return tree_text(self.table, self.root, title, binary=self.options.binary)
