"""The conditions of a path, merged: one for each column however often it is asked, such as ``38.5 < age <= 52``."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bough.explain.asked import Asked, Question
from bough.explain.grid import Cells, meet, minus
from bough.model import Tree
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
    asked = Asked(tree)
    taken = [(asked.asked_at(above), int(branch[below])) for above, below in itertools.pairwise(nodes)]
    return merged(asked, taken, most_levels=most_levels)


def merged(asked: Asked, taken: Sequence[tuple[Question, int]], *, most_levels: int | None = 8) -> list[Condition]:
    """The conditions of tests and the branches that were taken by value, in the order in which columns first occur."""
    by_column: dict[int, list[Question]] = {column: [] for question, _ in taken for column in question.columns}
    binding = _binding(taken)
    for question, _ in binding:
        by_column[question.column].append(question)
    grids = {column: asked.grid(column, questions) for column, questions in by_column.items()}
    sets: dict[int, Cells] = {}
    known: set[int] = set()
    others: list[Condition] = []
    for question, branch in binding:
        column = question.column
        if question.terms:
            if branch == question.holds:
                for term, code, negated in question.terms:
                    same: Cells = ((code, code),)
                    cells = minus(grids[term].all, same) if negated else same
                    sets[term] = meet(sets.get(term, grids[term].all), cells)
            else:
                names = tuple(asked.columns[term].name for term in question.columns)
                others.append(Condition(names, f"({question.split.describe(branch)})"))
        elif question.asks_missing:
            known.add(column)
        else:
            grid = grids[column]
            sets[column] = meet(sets.get(column, ((0, grid.size - 1),)), grid.leads_to(question, branch))
    conditions = []
    for column, grid in grids.items():
        name = grid.column.name
        text = grid.text(sets[column], most_levels=most_levels) if column in sets else ""
        if not text and column in known:
            text = f"{format_text(name)} is known"
        if text:
            conditions.append(Condition((name,), text))
    return conditions + list(dict.fromkeys(others))


def _binding(taken: Sequence[tuple[Question, int]]) -> list[tuple[Question, int]]:
    """Of the thresholds that bound a column from one side, the last one; all that are no thresholds."""
    kept: dict[object, tuple[Question, int]] = {}
    for question, branch in taken:
        if question.kind != "threshold":
            kept[question, branch] = (question, branch)
            continue
        below = branch == question.branches[0]
        side = (question.column, below)
        before = kept.get(side)
        if before is None or (question.cuts < before[0].cuts) == below:
            kept[side] = (question, branch)
    return list(kept.values())
