"""The numbered listing: one line a node, with where each answer of its test leads.

`tree_from` reads it back: what is written exactly comes back without loss, but for tests on sums of columns.
"""

import operator
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from bough.errors import ParameterError
from bough.model.missing import asks_surrogates, spreads
from bough.model.node import Node
from bough.model.split import Split
from bough.model.tests.spell import condition_words, label_words
from bough.model.text import Decimals
from bough.table import as_label

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["listing"]


def listing(
    tree: "Tree",
    *,
    max_nodes: int | None = None,
    surrogates: bool = True,
    exact: bool = False,
    order: Literal["depth", "breadth"] = "depth",
    first: int = 0,
) -> str:
    """List the nodes by their numbers, each with its test or its answer.

    What follows ``else`` is what happens where the value is missing: surrogates are asked in turn, and where none
    decides the case goes to a node, or gets the answer given.

    Parameters
    ----------
    max_nodes : int, optional
        List no more than so many nodes, and say so.
    surrogates : bool, default=True
        List the surrogates; without them a last line says that there are some.
    exact : bool, default=False
        Write thresholds, weights and answers with all their digits and names in full, so that `bough.tree_from`
        gives back the same tests; sums of columns it does not read.
    order : {"depth", "breadth"}, default="depth"
        By depth the numbers are the ids of nodes; by breadth nodes are numbered level by level.
    first : int, default=0
        The number of the root.

    Examples
    --------
    >>> import bough
    >>> tree = bough.tree_from({"x < 1.5": {"x < 0": "no", "x >= 0": "yes"}, "x >= 1.5": "no"})
    >>> print(tree.listing(order="breadth", first=1))
    1 if x < 1.5 then node 2 elseif x >= 1.5 then node 3 else refused
    2 if x < 0 then node 4 elseif x >= 0 then node 5 else refused
    3 class = no
    4 class = no
    5 class = yes
    """
    if order not in ("depth", "breadth"):
        raise ParameterError(f"order must be 'depth' or 'breadth'; got {order!r:.60}.")
    first = operator.index(first)
    n = tree.n_nodes
    shown = n if max_nodes is None else min(n, max(max_nodes, 1))
    nodes = range(n) if order == "depth" else _by_breadth(tree)
    number = {node: first + place for place, node in enumerate(nodes)}
    writer = _Writer(tree.decimals[0], surrogates, exact, number)
    lines = [writer.line(tree.nodes[node]) for node in nodes[:shown]]
    if shown < n:
        lines.append(f"… {n - shown:,} more nodes")
    if not surrogates and tree.routing[0] and tree.has_surrogates:
        lines.append("… surrogates, which are asked before else, are not listed")
    return "\n".join(lines)


def _refused(tree: "Tree") -> str:
    """What is written where missing values are refused: in the whole row, or only where a test asks for them."""
    return "" if not tree.refuses_missing else "refused here" if tree.inputs.only_asked else "refused"


def _by_breadth(tree: "Tree") -> list[int]:
    """The nodes level by level."""
    children, begin = tree.arrays.children, tree.arrays.child_begin
    found: list[int] = []
    todo = deque([0])
    while todo:
        node = todo.popleft()
        found.append(node)
        todo.extend(children[begin[node] : begin[node + 1]].tolist())
    return found


class _Writer:
    """How the nodes of one listing are written."""

    def __init__(self, decimals: Decimals, surrogates: bool, exact: bool, number: Mapping[int, int]) -> None:
        self._decimals = decimals
        self._surrogates = surrogates
        self._exact = exact
        self._number = number

    def line(self, node: Node) -> str:
        """The line of a node."""
        here, answer, split = self._number[node.id], self._answer(node), node.split
        if split is None:
            return f"{here} {'class' if node.tree.is_classifier else 'fit'} = {answer}"
        asked = [split, *(node.surrogates if self._surrogates and asks_surrogates(node) else ())]
        tests = " else ".join(self._test(test, node) for test in asked)
        branch = node.missing_branch
        nowhere = _refused(node.tree) or ("all of them in parts" if spreads(node.tree) else answer)
        otherwise = nowhere if branch is None else f"node {self._number[node.children[branch].id]}"
        return f"{here} {tests} else {otherwise}"

    def _answer(self, node: Node) -> str:
        if not node.tree.is_classifier:
            return repr(node.answer) if self._exact else self._decimals(node.answer)
        label = as_label(node.answer, "target") if self._exact else None
        return node.answer_text if label is None else label_words(label)

    def _test(self, split: Split, node: Node) -> str:
        children = node.children
        reached = [k for k in range(split.n_branches) if split.reaches(k)]
        ways = [f"{self._condition(split, k, node)} then node {self._number[children[k].id]}" for k in reached]
        return "if " + " elseif ".join(ways)

    def _condition(self, split: Split, branch: int, node: Node) -> str:
        if self._exact:
            return condition_words(split.test, branch, node.tree.schema.columns)
        return split.describe(branch, exact=False)
