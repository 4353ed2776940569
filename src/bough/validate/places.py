"""The same place in two trees: which node of one corresponds to a node of the other, as far as they ask the same."""

from collections.abc import Iterator
from typing import Any

from bough.model import Node, Split, Tree

__all__ = ["asks", "pairs", "similarity"]


def asks(split: Split) -> tuple[Any, ...]:
    """What a test is about: the column, or the columns, and the form of the test."""
    columns = tuple(sorted({term.column for term in split.terms})) if split.terms else (split.column,)
    return (split.kind, *columns)


def pairs(tree: Tree, other: Tree) -> Iterator[tuple[Node, Node | None]]:
    """The inner nodes of a tree, each with the node of the other tree at the same place if that asks the same.

    Two nodes are at the same place if they are reached by the same columns and branches: low values, or the most
    similar set of levels.
    """
    stack: list[tuple[Node, Node | None]] = [(tree.root, other.root)]
    while stack:
        node, place = stack.pop()
        if node.split is None:
            continue
        same = (
            place if place is not None and place.split is not None and asks(place.split) == asks(node.split) else None
        )
        yield node, same
        below = [_child(node.split, branch, same) for branch in range(len(node.children))]
        stack += reversed(list(zip(node.children, below, strict=True)))


def _child(split: Split, branch: int, same: Node | None) -> Node | None:
    """The child of the corresponding node to which the corresponding branch leads."""
    if same is None or same.split is None:
        return None
    place: int | None
    if split.missing_alone and branch == split.missing_branch:
        place = same.split.missing_branch if same.split.missing_alone else None
    elif split.levels is not None and same.split.levels is not None:
        place = _most_similar(split.levels[branch], same.split.levels)
    elif split.low is not None and same.split.low is not None:
        place = same.split.low if branch == split.low else 1 - same.split.low
    else:  # intervals from the lowest on
        place = branch if split.n_branches == same.split.n_branches else None
    return None if place is None else same.children[place]


def _most_similar(levels: tuple[Any, ...], branches: tuple[tuple[Any, ...], ...]) -> int | None:
    """The branch whose set of levels is most like another, None if none shares a level with it."""
    likeness = [jaccard(set(levels), set(branch)) for branch in branches]
    best = max(range(len(branches)), key=lambda place: likeness[place])
    return best if likeness[best] > 0 else None


def jaccard(a: set[Any], b: set[Any]) -> float:
    """Shared levels over all levels of both sets.

    Examples
    --------
    >>> jaccard({"a", "b"}, {"b", "c"})
    0.3333333333333333
    """
    return len(a & b) / len(a | b) if a | b else 0.0


def similarity(split: Split, other: Split) -> float | None:
    """How alike two tests of levels are: the mean Jaccard similarity of their branches, each with its most similar one.

    Only levels count that both tests know, because a level may be absent from a sample. None if the tests are no sets
    of levels, or know no level in common.
    """
    if split.levels is None or other.levels is None:
        return None
    common = {level for branch in split.levels for level in branch} & {x for branch in other.levels for x in branch}
    mine = [set(branch) & common for branch in split.levels]
    theirs = [set(branch) & common for branch in other.levels]
    found = [max(jaccard(branch, candidate) for candidate in theirs) for branch in mine if branch]
    return sum(found) / len(found) if found else None
