"""The conditions of a path, merged: one for each column however often it is asked, such as ``38.5 < age <= 52``."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bough.explain.grid import Cells, Grid, meet, without
from bough.model import Node, Split, Tree
from bough.table import format_text

__all__ = ["Condition", "merged", "path_of", "rule"]


@dataclass(frozen=True)
class Condition:
    """What a path asks of one column, or of several together.

    Attributes
    ----------
    columns : tuple of str
        One, unless it is that a conjunction does not hold.
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
    taken = [(Node(tree, above), int(branch[below])) for above, below in itertools.pairwise(nodes)]
    return merged(tree, taken, most_levels=most_levels)


def merged(tree: Tree, taken: Sequence[tuple[Node, int]], *, most_levels: int | None = 8) -> list[Condition]:
    """The conditions of tests and the branches that were taken by value, in the order in which columns first occur."""
    tests = [(node.split, branch) for node, branch in taken]
    asked: dict[int, list[Split]] = {}
    for split, _ in tests:
        assert split is not None  # noqa: S101
        for column in dict.fromkeys(column for column, _, _ in split.coded_terms) or (split.column_index,):
            asked.setdefault(column, []).append(split)
    grids = {column: Grid(tree.schema.columns[column], splits) for column, splits in asked.items()}
    sets: dict[int, Cells] = {}
    known: set[int] = set()
    others: list[Condition] = []
    for split, branch in tests:
        assert split is not None  # noqa: S101
        column = split.column_index
        if split.kind == "conjunction":
            if branch == split.low:
                for term, code, negated in split.coded_terms:
                    cells = without(grids[term].all, code) if negated else ((code, code),)
                    sets[term] = meet(sets.get(term, grids[term].all), cells)
            else:
                names = tuple(dict.fromkeys(term.column for term in split.terms or ()))
                others.append(Condition(names, f"({split.describe(branch)})"))
        elif split.asks_missing:
            known.add(column)
        else:
            grid = grids[column]
            sets[column] = meet(sets.get(column, ((0, grid.size - 1),)), grid.leads_to(split, branch))
    conditions = []
    for column, grid in grids.items():
        name = grid.column.name
        text = grid.text(sets[column], most_levels=most_levels) if column in sets else ""
        if not text and column in known:
            text = f"{format_text(name)} is known"
        if text:
            conditions.append(Condition((name,), text))
    return conditions + list(dict.fromkeys(others))
