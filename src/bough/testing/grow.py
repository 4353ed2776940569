"""The growing loop: look at a node, split it, grow its branches. And the way of a new case down the tree."""

from __future__ import annotations

from collections.abc import Sequence

from bough.testing.node import Candidate, Node, describe
from bough.testing.problem import Problem
from bough.testing.search import best_splits
from bough.testing.splits import Split, send
from bough.testing.surrogate import surrogates


def grow(problem: Problem) -> Node:
    """The tree that the rules of a problem ask for, by brute force.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    Node
        The root.

    Examples
    --------
    >>> from bough.testing import Column, Problem, Rules, grow
    >>> x = Column("numeric", [1, 2, 3, 4, 5, 6])
    >>> root = grow(Problem([x], [0, 0, 1, 1, 0, 0], rules=Rules(criterion="entropy")))
    >>> [len(leaf.rows) for leaf in root.leaves()]
    [2, 2, 2]
    """
    root = describe(problem, problem.rows)
    _grow(problem, root, root)
    return root


def _grow(problem: Problem, node: Node, root: Node) -> None:
    candidates = examine(problem, node, root)
    if not candidates:
        return
    node.primary, *others = candidates
    node.competitors = others[: problem.rules.max_competitors]
    if problem.rules.missing == "surrogate":
        node.surrogates = surrogates(problem, node.rows, node.primary.split)
    node.majority = majority_branch(problem, node.rows, node.primary.split)
    branches = partition(problem, node)
    node.majority = majority_at_prediction(problem, node, branches)
    for branch, rows in enumerate(branches):
        child = describe(problem, rows, (*node.path, branch))
        node.children.append(child)
        _grow(problem, child, root)


def examine(problem: Problem, node: Node, root: Node) -> list[Candidate]:
    """The best split of each column at a node, the chosen one first; nothing if the node is to be a leaf."""
    if must_stop(problem, node, root):
        return []
    candidates = best_splits(problem, node.rows)
    share = problem.mass(node.rows) / problem.mass(root.rows)
    least = problem.rules.min_impurity_decrease * (1 - problem.rules.tie)
    if candidates and share * candidates[0].gain < least:
        return []
    return candidates


def must_stop(problem: Problem, node: Node, root: Node) -> bool:
    """Whether a node is a leaf without a search: too deep, too small, or of no risk worth the trouble."""
    rules = problem.rules
    return (
        (rules.max_depth is not None and len(node.path) >= rules.max_depth)
        or problem.size(node.rows) < rules.min_samples_split
        or (rules.cp is not None and node.risk <= rules.cp * root.risk)
    )


def majority_branch(problem: Problem, rows: Sequence[int], split: Split) -> int | None:
    """The branch with more of the weight whose value is known; None if such cases are to stop."""
    left, right = (problem.weight(branch) for branch in send(problem, split, rows))
    rules = problem.rules
    # rpart finds the majority together with surrogates, so without them rows stay while the tree grows.
    not_searched = rules.majority_at_prediction == "routed_rows" and rules.max_surrogates == 0
    if not_searched and rules.missing == "surrogate":
        return None
    rounding = rules.tie * (left + right)
    if undecided_stop(problem) or (abs(left - right) <= rounding and rules.majority_tie == "stop"):
        return None
    return 1 if right > left + rounding else 0


def undecided_stop(problem: Problem) -> bool:
    """Whether cases that no split decides stop where they are, rather than follow the majority."""
    rules = problem.rules
    return rules.missing == "stop" or (rules.missing == "surrogate" and rules.fallback == "stop")


def majority_at_prediction(problem: Problem, node: Node, branches: Sequence[Sequence[int]]) -> int | None:
    """The majority branch for new cases: that of growing, or the one that more rows took, by the rules."""
    if problem.rules.majority_at_prediction == "known_weight" or undecided_stop(problem):
        return node.majority
    left, right = (len(branch) for branch in branches)
    return None if left == right else int(right > left)


def partition(problem: Problem, node: Node) -> tuple[list[int], list[int]]:
    """The rows of a node by branch; those that nothing decides stay in the node and are in neither."""
    branches = [next_branch(node, [column.cells[row] for column in problem.columns]) for row in node.rows]
    return (
        [row for row, branch in zip(node.rows, branches, strict=True) if branch == 0],
        [row for row, branch in zip(node.rows, branches, strict=True) if branch == 1],
    )


def next_branch(node: Node, case: Sequence[float | None]) -> int | None:
    """Where a case goes: by the primary split, else by the first surrogate that knows, else with the majority."""
    if node.primary is None:
        return None
    for split in (node.primary.split, *(surrogate.split for surrogate in node.surrogates)):
        branch = split.branch(case[split.column])
        if branch is not None:
            return branch
    return node.majority


def route(root: Node, case: Sequence[float | None]) -> Node:
    """The node where a case ends: a leaf, or the node at which nothing decides.

    Parameters
    ----------
    root : Node
    case : list of numbers
        A value for each column; None is missing. A level that was absent from a node counts as missing there.

    Examples
    --------
    >>> from bough.testing import Column, Problem, grow, route
    >>> root = grow(Problem([Column("numeric", [1, 2, 3, 4])], [0, 0, 0, 1]))
    >>> route(root, [3.4]).answer, route(root, [None]).answer
    (0, 0)
    """
    node = root
    while not node.is_leaf:
        branch = next_branch(node, case)
        if branch is None:
            return node
        node = node.children[branch]
    return node
