"""Cost-complexity pruning by its definition, and the accounts that rpart keeps while it grows."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from bough.testing.node import Node

# Links whose strengths differ by no more than this, relatively, are cut together.
TIE = 1e-12


@dataclass(frozen=True)
class Subtree:
    """One tree of the nested sequence: the best one for every alpha from this one up to the next."""

    alpha: float
    n_leaves: int
    risk: float
    cut: frozenset[tuple[int, ...]]  # paths of the nodes that are leaves in it and were not before


def weakest_link(root: Node) -> list[Subtree]:
    """The nested sequence of subtrees, from the whole tree to the root alone.

    The link of a node t is ``g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1)``: what each leaf below it saves. Again
    and again all nodes with the weakest link become leaves, until only the root is left.

    Returns
    -------
    list of Subtree
        The first one is the whole tree at alpha 0. Nodes of the tree get their `complexity`: the alpha at which
        they collapse, or, below a node that collapses earlier or at the same time, the alpha of that node.

    Examples
    --------
    >>> from bough.testing import Column, Problem, grow, weakest_link
    >>> root = grow(Problem([Column("numeric", [1, 2, 3, 4, 5, 6])], [0, 0, 1, 1, 1, 0]))
    >>> [(subtree.alpha, subtree.n_leaves) for subtree in weakest_link(root)]
    [(0.0, 3), (1.0, 2), (2.0, 1)]
    """
    cut: set[tuple[int, ...]] = set()
    for node in root.walk():
        node.complexity = 0.0
    leaves = _leaves(root, cut)
    sequence = [Subtree(0.0, len(leaves), _risk(leaves), frozenset())]
    while root.path not in cut and not root.is_leaf:
        links = {node.path: _link(node, cut) for node in _inner(root, cut)}
        weakest = min(links.values())
        weak = {path for path, link in links.items() if link <= weakest + TIE * max(abs(weakest), root.risk)}
        alpha = max(weakest, sequence[-1].alpha)
        for node in _inner(root, cut):
            if any(node.path[: len(path)] == path for path in weak):
                node.complexity = alpha
        cut |= weak
        leaves = _leaves(root, cut)
        if alpha == sequence[-1].alpha:
            weak |= sequence.pop().cut  # of equally good trees the smallest counts
        sequence.append(Subtree(alpha, len(leaves), _risk(leaves), frozenset(weak)))
    return sequence


def _inner(root: Node, cut: set[tuple[int, ...]]) -> list[Node]:
    """The split nodes of the tree that is left when some nodes are leaves."""
    inner, stack = [], [root]
    while stack:
        node = stack.pop()
        if not node.is_leaf and node.path not in cut:
            inner.append(node)
            stack += reversed(node.children)
    return inner


def _leaves(root: Node, cut: set[tuple[int, ...]]) -> list[Node]:
    """The leaves of the tree that is left when some nodes are leaves."""
    inner = _inner(root, cut)
    paths = {node.path for node in inner}
    return [child for node in inner for child in node.children if child.path not in paths] or [root]


def _risk(leaves: list[Node]) -> float:
    return fsum(leaf.risk for leaf in leaves)


def _link(node: Node, cut: set[tuple[int, ...]]) -> float:
    leaves = _leaves(node, cut)
    return (node.risk - _risk(leaves)) / (len(leaves) - 1)


def pruned(root: Node, alpha: float) -> Node:
    """A copy in which each split node whose complexity is at most alpha is a leaf."""
    copy = _without_subtree(root) if root.complexity <= alpha else _shallow(root)
    copy.children = [pruned(child, alpha) for child in copy.children]
    return copy


def rpart_complexity(root: Node, alpha: float) -> Node:
    """The tree that rpart keeps of a grown one, with the complexity that it shows at each node.

    rpart decides while it returns from the subtrees of a node whether they pay: with hindsight of one step
    only, so that its numbers can differ from those of `weakest_link`.

    Parameters
    ----------
    root : Node
    alpha : float
        The parameter cp times the risk of the root.

    Returns
    -------
    Node
        A copy without the splits that were withdrawn.
    """
    copy, _, _ = _account(root, alpha)
    if not copy.is_leaf:
        _cap(copy, alpha)
    return copy


def _account(node: Node, alpha: float) -> tuple[Node, float, int]:
    """A copy of the subtree, the risk of what it keeps, and its number of splits."""
    if node.is_leaf:
        leaf = _without_subtree(node)
        leaf.complexity = alpha
        return leaf, leaf.risk, 0
    (left, left_risk, left_splits), (right, right_risk, right_splits) = (_account(c, alpha) for c in node.children)
    kept = {"left": (left_risk, left_splits), "right": (right_risk, right_splits)}
    # The side with the smaller complexity is given up first, then perhaps the other.
    order = [("left", left), ("right", right)]
    if right.complexity <= left.complexity:
        order.reverse()
    for side, child in order:
        if _worth(node, kept) <= child.complexity:
            break
        kept[side] = (child.risk, 0)
    complexity = _worth(node, kept)
    if complexity <= alpha:
        leaf = _without_subtree(node)
        leaf.complexity = complexity
        return leaf, leaf.risk, 0
    copy = _shallow(node)
    copy.complexity = complexity
    copy.children = [left, right]
    (r_left, s_left), (r_right, s_right) = kept["left"], kept["right"]
    return copy, r_left + r_right, s_left + s_right + 1


def _worth(node: Node, kept: dict[str, tuple[float, int]]) -> float:
    """What each split of the subtree saves."""
    (r_left, s_left), (r_right, s_right) = kept["left"], kept["right"]
    return (node.risk - (r_left + r_right)) / (s_left + s_right + 1)


def _cap(node: Node, alpha: float) -> None:
    """No node is more complex than its parent."""
    for child in node.children:
        child.complexity = min(child.complexity, max(node.complexity, alpha))
        _cap(child, alpha)


def _shallow(node: Node) -> Node:
    return Node(**vars(node))


def _without_subtree(node: Node) -> Node:
    kept = {**vars(node), "primary": None, "competitors": [], "surrogates": [], "majority": None, "children": []}
    return Node(**kept)
