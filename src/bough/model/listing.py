"""The numbered listing: one line a node, with where each answer of its test leads."""

from typing import TYPE_CHECKING

from bough.model.missing import asks_surrogates, spreads
from bough.model.node import Node
from bough.model.split import Split
from bough.model.text import Decimals

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["listing"]


def listing(tree: "Tree", *, max_nodes: int | None, surrogates: bool) -> str:
    """See `Tree.listing`."""
    n = tree.n_nodes
    shown = n if max_nodes is None else min(n, max(max_nodes, 1))
    decimals, _ = tree.decimals
    lines = [_line(tree.nodes[i], decimals, surrogates) for i in range(shown)]
    if shown < n:
        lines.append(f"… {n - shown:,} more nodes")
    if not surrogates and tree.routing[0] and tree.has_surrogates:
        lines.append("… surrogates, which are asked before else, are not listed")
    return "\n".join(lines)


def _line(node: Node, decimals: Decimals, surrogates: bool) -> str:
    classes = node.tree.is_classifier
    answer = node.answer_text if classes else decimals(node.answer)
    split = node.split
    if split is None:
        return f"{node.id} {'class' if classes else 'fit'} = {answer}"
    asked = [split, *(node.surrogates if surrogates and asks_surrogates(node) else ())]
    tests = " else ".join(_test(test, node) for test in asked)
    branch = node.missing_branch
    nowhere = "refused" if node.tree.refuses_missing else "all of them in parts" if spreads(node.tree) else answer
    otherwise = nowhere if branch is None else f"node {node.children[branch].id}"
    return f"{node.id} {tests} else {otherwise}"


def _test(split: Split, node: Node) -> str:
    children = node.children
    reached = [k for k in range(split.n_branches) if split.reaches(k)]
    ways = [f"{split.describe(k, exact=False)} then node {children[k].id}" for k in reached]
    return "if " + " elseif ".join(ways)
