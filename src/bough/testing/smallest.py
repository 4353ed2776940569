"""The smallest tree: of all binary trees within a depth and a number of leaves the one with the fewest errors, and of
those the one with the fewest leaves.

Finding it is NP-complete, so trees are grown greedily. On small tables it can be found all the same, by branch and
bound: try every first test and every way to share the leaves between its two sides, solve both sides in the same way,
and leave out whatever cannot be better than the best found so far. Beside a tree grown elsewhere it shows what greed
costs. Greedy growth looks one test ahead; this search takes first tests back that lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bough.errors import ParameterError
from bough.testing.node import Node, describe
from bough.testing.problem import Problem
from bough.testing.search import judge, level_subsets, threshold
from bough.testing.splits import Levels, Split, Threshold, send

__all__ = ["smallest_tree"]

Rows = int
"""A set of rows as a whole number: row r is in it if bit r is set. So sets are quick to cut, count and remember."""


def smallest_tree(problem: Problem, *, max_depth: int | None = None, max_leaves: int | None = None) -> Node:
    """The tree of the fewest errors on its own rows, and of all such trees one of the fewest leaves.

    Without limits it errs only where rows are alike in all columns and differ in their class. Tests are thresholds and
    sets of levels, with two branches. For small tables: a few dozen rows, or a depth of three.

    Parameters
    ----------
    problem : Problem
        Classes, no missing values, every row of weight 1.
    max_depth : int, optional
        The most tests on the way to a leaf.
    max_leaves : int, optional

    Returns
    -------
    Node
        The root.

    Examples
    --------
    The class is b where a is 0, and c where a is 1. Alone, b and c tell more than a, and so greedy growth begins with
    one of them:

    >>> from bough.testing import Column, Problem, grow, smallest_tree
    >>> rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] + [(0, 1, 1), (1, 1, 1)]
    >>> columns = [Column("numeric", [row[k] for row in rows]) for k in range(3)]
    >>> problem = Problem(columns, [c if a else b for a, b, c in rows])
    >>> best = smallest_tree(problem)
    >>> best.split.column, len(best.leaves()), len(grow(problem).leaves())
    (0, 4, 6)
    >>> [sum(leaf.risk for leaf in smallest_tree(problem, max_depth=depth).leaves()) for depth in (0, 1, 2)]
    [4.0, 2.0, 0.0]
    """
    _check(problem)
    for name, given, least in (("max_depth", max_depth, 0), ("max_leaves", max_leaves, 1)):
        if given is not None and given < least:
            raise ParameterError(f"{name} is {given}; give a whole number of at least {least}, or None for no limit.")
    search = _Search(problem)
    everything: Rows = (1 << len(problem.y)) - 1
    depth = len(problem.y) if max_depth is None else max_depth
    most = min(len(problem.y) if max_leaves is None else max_leaves, 1 << depth)
    leaves, least = 1, search.errors(everything, depth, 1)
    for allowed in range(2, most + 1):
        if least == search.unavoidable(everything):
            break
        found = search.errors(everything, depth, allowed)
        if found < least:
            leaves, least = allowed, found
    return search.tree(everything, depth, leaves)


class _Search:
    """Which tests there are, and what is known already of sets of rows."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        rows = problem.rows
        self.classes = [_as_set(row for row in rows if problem.y[row] == k) for k in range(problem.n_classes)]
        self.twins = [twins for twins in _alike(problem) if self._of_one_leaf(twins) > 0]
        sides: dict[Rows, Split] = {}  # the rows of branch 0 and the first test that parts them so from the others
        for split in _all_tests(problem):
            first = _as_set(send(problem, split, rows)[0])
            if first not in sides and _as_set(rows) ^ first not in sides:
                sides[first] = split
        self.tests = list(sides.items())
        self.found: dict[tuple[Rows, int, int], tuple[int, tuple[Split, Rows, int] | None]] = {}

    def errors(self, rows: Rows, depth: int, leaves: int) -> int:
        """The fewest errors of any tree for these rows within a depth and a number of leaves."""
        return self.best(rows, depth, leaves)[0]

    def best(self, rows: Rows, depth: int, leaves: int) -> tuple[int, tuple[Split, Rows, int] | None]:
        """The same, and how the best tree begins: its first test, the rows of branch 0, and the leaves for them."""
        leaves = _useful(rows, depth, leaves)
        least = self._of_one_leaf(rows)
        if leaves == 1 or least == 0:
            return least, None
        key = (rows, min(depth, leaves - 1), leaves)
        if key not in self.found:
            self.found[key] = self._branch_and_bound(*key, least)
        return self.found[key]

    def _branch_and_bound(
        self, rows: Rows, depth: int, leaves: int, least: int
    ) -> tuple[int, tuple[Split, Rows, int] | None]:
        begin: tuple[Split, Rows, int] | None = None
        bound = self.bound(rows, leaves)
        below = 1 << (depth - 1)  # leaves that either side can have
        seen = set()
        for side, split in self.tests:
            first, second = rows & side, rows & ~side
            if not first or not second or first in seen or second in seen:
                continue  # no test for these rows, or one that has been tried
            seen.add(first)
            for share in range(max(1, leaves - below), min(leaves - 1, below) + 1):
                others = leaves - share
                if self.bound(first, share) + self.bound(second, others) >= least:
                    continue
                errors = self.errors(first, depth - 1, share)
                if errors + self.bound(second, others) >= least:
                    continue
                errors += self.errors(second, depth - 1, others)
                if errors < least:
                    least, begin = errors, (split, first, share)
                    if least == bound:
                        return least, begin  # none can be better
        return least, begin

    def bound(self, rows: Rows, leaves: int) -> int:
        """No tree of so many leaves errs less: it names so many classes at most, and cannot tell twins apart."""
        counts = sorted((rows & of_class).bit_count() for of_class in self.classes)
        return max(sum(counts[:-leaves]), self.unavoidable(rows))

    def unavoidable(self, rows: Rows) -> int:
        """The errors of every tree: rows that are alike in all columns get the same answer."""
        return sum(self._of_one_leaf(rows & twins) for twins in self.twins)

    def _of_one_leaf(self, rows: Rows) -> int:
        return rows.bit_count() - max((rows & of_class).bit_count() for of_class in self.classes)

    def tree(self, rows: Rows, depth: int, leaves: int, path: tuple[int, ...] = ()) -> Node:
        """The best tree, put together from what was found."""
        members = [row for row in self.problem.rows if rows >> row & 1]
        node = describe(self.problem, members, path)
        begin = self.best(rows, depth, leaves)[1]
        if begin is not None:
            split, first, share = begin
            node.primary = judge(self.problem, members, split)
            parts = ((first, share), (rows & ~first, _useful(rows, depth, leaves) - share))
            node.children = [self.tree(part, depth - 1, own, (*path, k)) for k, (part, own) in enumerate(parts)]
        return node


def _useful(rows: Rows, depth: int, leaves: int) -> int:
    """How many of the leaves that are allowed a tree can have."""
    return min(leaves, 1 << depth, rows.bit_count())


def _all_tests(problem: Problem) -> Iterator[Split]:
    """Every threshold between two neighbouring values of a column, every way to part the levels of one in two."""
    for number, column in enumerate(problem.columns):
        present = sorted({cell for cell in column.cells if cell is not None})
        if column.kind == "nominal":
            yield from (Levels(number, branches) for branches in level_subsets([int(level) for level in present]))
        else:
            cuts = pairwise(present)
            yield from (Threshold(number, threshold(problem, number, problem.rows, *cut)) for cut in cuts)


def _alike(problem: Problem) -> list[Rows]:
    """Sets of rows that no test tells apart."""
    groups: dict[tuple[float | None, ...], list[int]] = {}
    for row in problem.rows:
        groups.setdefault(tuple(column.cells[row] for column in problem.columns), []).append(row)
    return [_as_set(rows) for rows in groups.values()]


def _as_set(rows: Iterator[int] | list[int]) -> Rows:
    return sum(1 << row for row in rows)


def _check(problem: Problem) -> None:
    if not problem.is_classification:
        raise ParameterError(f"smallest_tree is for classes; criterion {problem.rules.criterion!r} is for numbers.")
    for number, column in enumerate(problem.columns):
        if None in column.cells:
            row = list(column.cells).index(None)
            raise ParameterError(f"column {number} has no value in row {row}; smallest_tree takes complete tables.")
    for row, weight in enumerate(problem.weights):
        if weight != 1:
            raise ParameterError(f"row {row} has weight {weight:g}; smallest_tree counts rows: repeat a row instead.")
