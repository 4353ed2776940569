"""The conditions of a path, merged: one for each column however often it is asked, such as ``38.5 < age <= 52``."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bough.model import Tree
from bough.model.asked import Asked
from bough.model.tests import Test
from bough.model.tests.cells import Bound, Cells, Cut, narrowed
from bough.table import format_text

__all__ = ["Condition", "merged", "path_of", "rule"]


@dataclass(frozen=True)
class Condition:
    """What a path asks of one column, or of several together.

    Attributes
    ----------
    columns : tuple of str
        One, unless it is that a conjunction does not hold, or about a sum of columns.
    text : str
    """

    columns: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


def path_of(tree: Tree, node: int) -> list[int]:
    """The nodes from the root to a node, both included."""
    parent = tree.arrays.parent
    nodes = [node]
    while (above := int(parent[nodes[-1]])) >= 0:
        nodes.append(above)
    return nodes[::-1]


def rule(tree: Tree, node: int, *, most_levels: int | None = 8) -> list[Condition]:
    """The conditions under which a case whose values are known comes to a node.

    Examples
    --------
    >>> import bough
    >>> from bough.explain.path import rule
    >>> model = bough.CARTRegressor(min_samples_split=2, min_samples_leaf=1, pruning=None)
    >>> tree = model.fit({"x": [1, 2, 3, 4, 5]}, [0.0, 5.0, 1.0, 9.0, 9.0]).tree_
    >>> [str(condition) for condition in rule(tree, tree.n_nodes - 2)]
    ['2.5 < x <= 3.5']
    """
    nodes = path_of(tree, node)
    branch = tree.arrays.branch
    asked = Asked(tree)
    taken = [(asked.asked_at(above), int(branch[below])) for above, below in itertools.pairwise(nodes)]
    return merged(asked, taken, most_levels=most_levels)


def merged(asked: Asked, taken: Sequence[tuple[Test, int]], *, most_levels: int | None = 8) -> list[Condition]:
    """The conditions of tests and the branches that were taken by value, in the order in which columns first occur.

    A condition that is no box of cells (`Test.cells`) is told as it is, after the others.
    """
    cuts: dict[int, list[Cut]] = {column: [] for test, _ in taken for column in test.columns}
    binding = _binding(taken)
    for test, _ in binding:
        for column, own in test.cuts.items():
            cuts[column].extend(own)
    grids = {column: asked.grid(column, own) for column, own in cuts.items()}
    sets: dict[int, Cells] = {}
    known: set[int] = set()
    others: list[Condition] = []
    for test, branch in binding:
        if test.asks_missing:
            known.update(test.columns)
            continue
        box = test.cells(branch, grids)
        if box is None:
            names = tuple(asked.columns[column].name for column in test.columns)
            one_of_several = len(test.conditions(branch)) > 1
            text = test.words(branch) if one_of_several else test.words(branch, exact=False, most_levels=most_levels)
            others.append(Condition(names, f"({text})" if one_of_several else text))
            continue
        sets = narrowed(sets, box)
    conditions = []
    for column, grid in grids.items():
        name = grid.column.name
        text = grid.text(sets[column], most_levels=most_levels) if column in sets else ""
        if not text and column in known:
            text = f"{format_text(name)} is known"
        if text:
            conditions.append(Condition((name,), text))
    return conditions + list(dict.fromkeys(others))


def _binding(taken: Sequence[tuple[Test, int]]) -> list[tuple[Test, int]]:
    """Of the branches that bound a column from one side, the last one; all that do more."""
    kept: dict[object, tuple[Test, int]] = {}
    bounds: dict[tuple[int, bool], Bound] = {}
    for test, branch in taken:
        bound = test.bound(branch)
        if bound is None:
            kept[test, branch] = (test, branch)
            continue
        side = (bound.column, bound.below)
        before = bounds.get(side)
        if before is None or (bound.cut < before.cut) == bound.below:
            bounds[side] = bound
            kept[side] = (test, branch)
    return list(kept.values())
