"""The numbered listing: one line a node, with where each answer of its test leads."""

from typing import TYPE_CHECKING

from bough.model.node import Node

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["listing"]


def listing(tree: "Tree", *, max_nodes: int | None = None) -> str:
    """See `Tree.listing`."""
    n = tree.n_nodes
    shown = n if max_nodes is None else min(n, max(max_nodes, 1))
    lines = [_line(tree.nodes[i]) for i in range(shown)]
    if shown < n:
        lines.append(f"… {n - shown:,} more nodes")
    return "\n".join(lines)


def _line(node: Node) -> str:
    number = node.id + 1
    split = node.split
    if split is None:
        return f"{number} {'class' if node.tree.is_classifier else 'fit'} = {node.answer_text}"
    children = node.children
    ways = [f"{split.describe(branch, exact=False)} then node {child.id + 1}" for branch, child in enumerate(children)]
    branch = node.missing_branch
    otherwise = node.answer_text if branch is None else f"node {children[branch].id + 1}"
    return f"{number} if {' elseif '.join(ways)} else {otherwise}"
