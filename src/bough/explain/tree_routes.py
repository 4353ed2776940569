"""A tree as the search for counterfactuals goes through it."""

from collections.abc import Iterator, Sequence

from bough.model.asked import Asked
from bough.model.features import without_cells
from bough.model.grid import Grid
from bough.model.routing import tests_read
from bough.model.tests.cells import Box, Space
from bough.model.ways import Ends, ways_on
from bough.table import Column

__all__ = ["TreeRoutes"]


class TreeRoutes:
    """The ways of rows down a tree.

    Parameters
    ----------
    asked : Asked
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    @property
    def columns(self) -> Sequence[Column]:
        """The columns as users have them."""
        return self._asked.columns

    def grids(self) -> list[Grid]:
        """The cells of each column as all tests tell them apart that can decide over a row."""
        return self._asked.grids()

    def is_end(self, node: int) -> bool:
        """Whether a node is a leaf."""
        return self._asked.place(node).test is None

    def outcomes(self, node: int, space: Space[Box], box: Box) -> Iterator[tuple[Box, Ends]]:
        """The ways on from a node."""
        return ways_on(self._asked, node, box, space)

    def planes(self) -> Asked | None:
        """The tree, where it asks weighted sums of columns, which have no cells of their own."""
        tree = self._asked.tree
        return self._asked if len(without_cells(tree.arrays, tests_read(tree))) else None
