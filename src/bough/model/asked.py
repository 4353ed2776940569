"""A tree as explanations and rules ask it: each test and each node is read once, for as many cases as there are.

Columns are those that the user gives: where numbers are cut into bins, the levels of the tree are ranges of them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from bough.model.grid import Grid
from bough.model.node import Node
from bough.model.routing import tests_read
from bough.model.tests import Test, cuts_of
from bough.model.tests.cells import Cut

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Asked", "Place"]


class Place(NamedTuple):
    """A node: what it asks, nothing if it is a leaf, and the nodes below it."""

    test: Test | None
    children: tuple[int, ...]


class Asked:
    """The tests of a tree and the columns that they are about, as the user gives them.

    Parameters
    ----------
    tree : Tree
    """

    def __init__(self, tree: "Tree") -> None:
        self.tree = tree
        self.columns = tree.inputs.schema.columns
        bins = () if tree.inputs.bins is None else tree.inputs.bins.edges
        self._bins = [None if edges is None else edges.tolist() for edges in bins] or [None] * len(self.columns)
        self._places: dict[int, Place] = {}
        self._surrogates: dict[int, tuple[Test, ...]] = {}

    def place(self, node: int) -> Place:
        """What is asked at a node."""
        found = self._places.get(node)
        if found is None:
            view = Node(self.tree, node)
            split = view.split
            test = None if split is None else split.test
            found = self._places[node] = Place(test, tuple(child.id for child in view.children))
        return found

    def asked_at(self, node: int) -> Test:
        """The test of an inner node."""
        test = self.place(node).test
        assert test is not None  # noqa: S101
        return test

    def surrogates(self, node: int) -> tuple[Test, ...]:
        """The tests that are asked at a node where the value is missing."""
        if not self.tree.routing[0]:
            return ()
        if node not in self._surrogates:
            self._surrogates[node] = tuple(split.test for split in Node(self.tree, node).surrogates)
        return self._surrogates[node]

    def is_binned(self, column: int) -> bool:
        """Whether the tree knows a column of numbers as levels."""
        return self._bins[column] is not None

    def grid(self, column: int, cuts: Iterable[Cut] = ()) -> Grid:
        """The cells of a column as some cuts tell them apart."""
        return Grid(self.columns[column], cuts, self._bins[column])

    def grids(self) -> list[Grid]:
        """The cells of each column as all tests tell them apart that can decide over a case."""
        cuts: list[set[Cut]] = [set() for _ in self.columns]
        for column, cut in cuts_of(self.tree.arrays, tests_read(self.tree)):
            cuts[column].add(cut)
        return [self.grid(column, own_cuts) for column, own_cuts in enumerate(cuts)]

    def describe(self, test: Test, branch: int, most_levels: int | None) -> str:
        """The condition that leads to a branch, with short numbers; of numbers in bins, as ranges."""
        column = test.column
        if self.is_binned(column):
            grid = self.grid(column)
            cells = test.cells(branch, {column: grid}) or {}
            text = grid.text(cells.get(column, ()))
            if text:
                return text
        return test.words(branch, exact=False, most_levels=most_levels)
