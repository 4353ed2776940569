"""The fitted tree: the kernel's arrays with the schema and the classes that give them meaning."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.table import Schema

__all__ = ["Tree"]


class Tree:
    """A decision tree, read-only.

    Parameters
    ----------
    kernel : _core.Tree
        The flat arrays.
    schema : Schema
        Names, kinds and levels of the columns.
    classes : ndarray or None
        The labels in the order of the kernel's class numbers; None in regression.
    costs : ndarray or None
        What errors cost, [true][decided], where not every error costs 1.
    """

    def __init__(
        self,
        kernel: _core.Tree,
        schema: Schema,
        classes: npt.NDArray[Any] | None = None,
        costs: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.kernel = kernel
        self.schema = schema
        self.classes = classes
        self.costs = costs

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.kernel)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((np.diff(self.kernel.child_begin) == 0).sum())

    @property
    def depth(self) -> int:
        """The largest number of tests between the root and a leaf."""
        return int(self.kernel.depths().max())

    def cut(self, nodes: npt.NDArray[np.int32]) -> Self:
        """A new tree in which the given nodes are leaves."""
        return type(self)(self.kernel.cut(nodes)[0], self.schema, self.classes, self.costs)
