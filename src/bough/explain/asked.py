"""A tree as explanations ask it: each test and each node read once as plain values, for as many cases as there are.

Columns are those that the user gives: where numbers are cut into bins, the levels of the tree are ranges of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bough.explain.grid import Cells, Cut, Grid, runs_of
from bough.model import Node, Split, Tree
from bough.model.routing import tests_read
from bough.model.split import KINDS, SIDES, VALUE_TYPES
from bough.table import UNSEEN

__all__ = ["Asked", "Cell", "Place", "Question"]

Cell = float | int | None  # None: missing; -2 in a column of levels: one never seen


class Question:
    """One split as plain values.

    Attributes
    ----------
    split : Split
        For its words.
    kind : {"threshold", "levels", "intervals", "conjunction"}
    column : int
        Of a conjunction, its first.
    columns : tuple of int
        All that it asks.
    edges, branches : tuple
        Of numbers and ordered levels: the rising edges, and the branch of each interval between them.
    cuts : list of Cut
        The same edges with the side on which a value equal to them lies.
    strictly : bool
        Whether a value equal to an edge lies above it.
    holds : int
        The branch of the cases for which a conjunction holds.
    terms : list of (column, code, negated)
    missing : int or None
        The branch of missing values.
    asks_missing : bool
        Whether it only asks if the value is missing.
    n_branches : int
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self.kind = split.kind
        self.column = split.column_index
        self.terms = split.coded_terms
        self.columns = tuple(dict.fromkeys(column for column, _, _ in self.terms)) or (self.column,)
        self.strictly = split.side == "lt"
        self.holds = split.low or 0
        self.missing = split.missing_branch
        self.asks_missing = split.asks_missing
        self.n_branches = split.n_branches
        self.edges: tuple[float | int, ...] = split.raw_edges or ()
        self.branches: tuple[int, ...] = split.interval_branches or ()
        if self.kind == "threshold":
            assert split.raw_threshold is not None  # noqa: S101
            self.edges, self.branches = (split.raw_threshold,), (self.holds, 1 - self.holds)
        self.cuts = [Cut(edge, not self.strictly) for edge in self.edges]

    @cached_property
    def of_levels(self) -> dict[int, int]:
        """The branch of each level that the test met in training."""
        codes, branches = self.split.level_codes
        return dict(zip(codes.tolist(), branches.tolist(), strict=True))

    @cached_property
    def runs(self) -> dict[int, Cells]:
        """Of a set of levels: the codes that lead to each branch."""
        codes, branches = self.split.level_codes
        return {branch: runs_of(codes[branches == branch].tolist()) for branch in np.unique(branches).tolist()}

    @cached_property
    def decided(self) -> Cells:
        """Of a set of levels: the codes that lead to any branch."""
        return runs_of(self.of_levels)

    def branch_of(self, cells: Sequence[Cell]) -> int | str:
        """The branch that it sends a case to, or "missing", "unseen" or "absent"."""
        if self.terms:
            return self._by_terms(cells)
        cell = cells[self.column]
        if cell is None:
            return "missing"
        if cell == UNSEEN and self.split.schema_column.kind != "numeric":
            return "unseen"
        if self.kind == "levels":
            return self.of_levels.get(int(cell), "absent")
        place = bisect_right(self.edges, cell) if self.strictly else bisect_left(self.edges, cell)
        return self.branches[place]

    def _by_terms(self, cells: Sequence[Cell]) -> int | str:
        """A term that fails decides; else one that is not known makes the whole unknown."""
        state: int | str = self.holds
        for column, code, negated in self.terms:
            cell = cells[column]
            if cell is None:
                state = "missing" if state == self.holds else state
            elif cell == UNSEEN:
                state = "unseen"
            elif (cell == code) == negated:
                return 1 - self.holds
        return state


class Place(NamedTuple):
    """A node: what it asks, nothing if it is a leaf, and the nodes below it."""

    question: Question | None
    children: tuple[int, ...]


class Asked:
    """The questions of a tree and the columns that they are about, as the user gives them.

    Parameters
    ----------
    tree : Tree
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.columns = tree.inputs.schema.columns
        bins = () if tree.inputs.bins is None else tree.inputs.bins.edges
        self._bins = [None if edges is None else edges.tolist() for edges in bins] or [None] * len(self.columns)
        self._questions: dict[int, Question] = {}
        self._places: dict[int, Place] = {}
        self._surrogates: dict[int, tuple[Question, ...]] = {}

    def place(self, node: int) -> Place:
        """What is asked at a node."""
        found = self._places.get(node)
        if found is None:
            view = Node(self.tree, node)
            split = view.split
            question = None if split is None else self.question(split)
            found = self._places[node] = Place(question, tuple(child.id for child in view.children))
        return found

    def asked_at(self, node: int) -> Question:
        """The question of an inner node."""
        question = self.place(node).question
        assert question is not None  # noqa: S101
        return question

    def surrogates(self, node: int) -> tuple[Question, ...]:
        """The questions that are asked at a node where the value is missing."""
        if not self.tree.routing[0]:
            return ()
        if node not in self._surrogates:
            self._surrogates[node] = tuple(self.question(split) for split in Node(self.tree, node).surrogates)
        return self._surrogates[node]

    def question(self, split: Split) -> Question:
        """A split as plain values."""
        if split.index not in self._questions:
            self._questions[split.index] = Question(split)
        return self._questions[split.index]

    def is_binned(self, column: int) -> bool:
        """Whether the tree knows a column of numbers as levels."""
        return self._bins[column] is not None

    def grid(self, column: int, questions: Sequence[Question]) -> Grid:
        """The cells of a column as some questions tell them apart."""
        return self._grid(column, (cut for each in questions for cut in each.cuts))

    def _grid(self, column: int, cuts: Iterable[Cut]) -> Grid:
        return Grid(self.columns[column], cuts, self._bins[column])

    def grids(self) -> list[Grid]:
        """The cells of each column as all questions tell them apart that can decide over a case."""
        cuts: list[set[Cut]] = [set() for _ in self.columns]
        arrays, read = self.tree.arrays, tests_read(self.tree)
        for index in np.flatnonzero(read & (arrays.split_kind == KINDS.index("intervals"))).tolist():
            question = self.question(Split(self.tree, index))
            cuts[question.column].update(question.cuts)
        # Thresholds are many, most of them of surrogates, and few are met by one search: as arrays, not one by one.
        read &= arrays.split_kind == KINDS.index("threshold")
        for number, kind in enumerate(VALUE_TYPES):
            own = np.flatnonzero(read & (arrays.split_value_type == number))
            values = arrays.split_payload[own].view(kind).tolist()
            after = (arrays.split_side[own] == SIDES.index("le")).tolist()
            for column, value, side in zip(arrays.split_column[own].tolist(), values, after, strict=True):
                cuts[column].add(Cut(value, side))
        return [self._grid(column, own_cuts) for column, own_cuts in enumerate(cuts)]

    def describe(self, question: Question, branch: int, most_levels: int | None) -> str:
        """The condition that leads to a branch, with short numbers."""
        if self.is_binned(question.column) and branch in question.runs:
            text = self.grid(question.column, ()).text(question.runs[branch])
            if text:
                return text
        return question.split.describe(branch, exact=False, most_levels=most_levels)
