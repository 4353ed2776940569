"""The same place in two trees: which node of one corresponds to a node of the other, as far as they ask the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from bough.model import Node, Split, Tree

__all__ = ["asks", "matched", "pairs", "similarity"]


def asks(split: Split) -> tuple[Any, ...]:
    """What a test is about: the column, or the columns, and the form of the test."""
    return (split.kind, *sorted(split.columns))


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
        children = node.children
        stack += reversed(list(zip(children, _below(node.split, len(children), same), strict=True)))


def _below(split: Split, branches: int, same: Node | None) -> list[Node | None]:
    """The children of the corresponding node to which the corresponding branches lead."""
    if same is None or same.split is None:
        return [None] * branches
    children = same.children
    return [None if place is None else children[place] for place in _places(split, branches, same.split)]


def matched(split: Split, other: Split) -> list[int | None]:
    """The branch of another test that asks the same which corresponds to each branch, none of them twice.

    Of several sets of levels that are most like the same other one, the one that is most like it has it.
    """
    places = _places(split, split.n_branches, other)
    if split.levels is not None and other.levels is not None:
        alike = [likeness for _, likeness in _most_similar(split.levels, other.levels)]
        taken = set()
        for branch in sorted(range(len(alike)), key=lambda branch: -alike[branch]):
            if places[branch] in taken:
                places[branch] = None
            taken.add(places[branch])
    return places


def _places(split: Split, branches: int, other: Split) -> list[int | None]:
    """The branch of another test, on the same column, that corresponds to each branch."""
    levels, other_levels = split.levels, other.levels
    places: list[int | None] = [None] * branches
    if levels is not None and other_levels is not None:
        places = [place for place, _ in _most_similar(levels, other_levels)]
    elif split.low is not None and other.low is not None:
        low, other_low = split.low, other.low
        places = [other_low if branch == low else 1 - other_low for branch in range(branches)]
    elif split.n_branches == other.n_branches:  # the branch of the lowest interval first
        order = (dict.fromkeys(test.interval_branches or ()) for test in (split, other))
        for branch, place in zip(*order, strict=False):
            places[branch] = place
    if split.missing_alone and split.missing_branch is not None:
        places[split.missing_branch] = other.missing_branch if other.missing_alone else None
    return places


def _most_similar(
    branches: Sequence[Sequence[Any]], others: Sequence[Sequence[Any]]
) -> Iterator[tuple[int | None, float]]:
    """For each set of levels, the place of the most similar other one, the first of equals, and how alike the two are.

    That is by Jaccard: shared levels over all levels of both sets. None if no other set shares a level with it.
    """
    place_of = {level: place for place, other in enumerate(others) for level in other}
    for levels in branches:
        shared = Counter(place_of[level] for level in levels if level in place_of)
        likeness = {place: many / (len(levels) + len(others[place]) - many) for place, many in shared.items()}
        best = min(likeness, key=lambda place: (-likeness[place], place), default=None)
        yield best, 0.0 if best is None else likeness[best]


def similarity(split: Split, other: Split) -> float | None:
    """How alike two tests of levels are: the mean Jaccard similarity of their branches, each with its most similar one.

    Only levels count that both tests know, because a level may be absent from a sample. None if the tests are no sets
    of levels, or know no level in common.
    """
    levels, other_levels = split.levels, other.levels
    if levels is None or other_levels is None:
        return None
    common = {level for branch in levels for level in branch} & {x for branch in other_levels for x in branch}
    mine, theirs = ([[x for x in branch if x in common] for branch in test] for test in (levels, other_levels))
    found = [alike for branch, alike in _most_similar(mine, theirs) if branch is not None]
    return sum(found) / len(found) if found else None
