"""What the parts of a drawing hold: rows, class counts or values of the target, of the training rows or of others."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.model import Tree
from bough.model.folding import Part
from bough.model.spread import deviations

__all__ = ["Holdings", "class_numbers"]

_Floats: TypeAlias = npt.NDArray[np.float64]


class Holdings:
    """The rows of each part of a tree: those it was fitted on, or those of a table that is given.

    Parameters
    ----------
    tree : Tree
    X, y : table and array, optional
        Rows to send down the tree, and their target.

    Examples
    --------
    >>> import bough
    >>> from bough.model.folding import fold
    >>> from bough.view.holdings import Holdings
    >>> tree = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25).tree_
    >>> [Holdings(tree).shares(part).tolist() for part in fold(tree)]
    [[0.375, 0.625], [1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, tree: Tree, X: Any = None, y: Any = None) -> None:
        if (X is None) != (y is None):
            raise ParameterError("X and y belong together: give both, or neither to draw the training rows.")
        self.tree = tree
        self.given = X is not None
        if self.given:
            ends = tree.apply(X)
            target = _target(tree, y)
            if len(target) != len(ends):
                raise DataError(f"X has {len(ends)} rows, but y has {len(target)} values.")
            order = np.argsort(ends, kind="stable")
            self._ends, self._sorted = ends[order], target[order]

    def rows(self, part: Part) -> int:
        """The number of rows."""
        if self.given:
            return len(self._own(part))
        return int(self.tree.arrays.rows[list(part.nodes)].sum())

    def weight(self, part: Part) -> float:
        """The weight of the rows: what branches are as wide as."""
        return float(self.rows(part)) if self.given else float(self.tree.arrays.weight[list(part.nodes)].sum())

    def shares(self, part: Part) -> _Floats:
        """The share of each class, by its number: of the rows given, else the probabilities that the tree answers.

        All zero where no row came, though such a node answers as its parent.
        """
        n = len(self.tree.classes) if self.tree.classes is not None else 0
        if self.given:
            counts = np.bincount(self._own(part).astype(np.int64), minlength=n)
            return np.asarray(counts / max(int(counts.sum()), 1), dtype=np.float64)
        nodes = np.array(part.nodes, dtype=np.int32)
        weight = self.tree.arrays.weight[nodes]
        if weight.sum() <= 0:
            return np.zeros(n)
        return np.asarray(np.average(self.tree.probabilities(nodes), axis=0, weights=weight))

    def values(self, part: Part) -> _Floats | None:
        """The target of the rows in ascending order; None if only the training rows are known, which a tree has not."""
        return np.sort(self._own(part)) if self.given else None

    def center(self, part: Part) -> tuple[float, float | None]:
        """The value that the part answers and how far its training rows lie from it; of a group, their mean."""
        arrays = self.tree.arrays
        nodes = list(part.nodes)
        weight, value = arrays.weight[nodes], arrays.value[nodes]
        middle = float(np.average(value, weights=weight)) if weight.sum() > 0 else float(value.mean())
        spread = deviations(self.tree, nodes[0]) if len(nodes) == 1 else None
        return middle, None if spread is None else float(spread)

    def _own(self, part: Part) -> _Floats:
        """The target of the rows that come through the nodes of a part: in preorder they end in one stretch."""
        ends = self.tree.arrays.end
        pieces = [
            self._sorted[slice(*np.searchsorted(self._ends, [node, int(ends[node])]).tolist())] for node in part.nodes
        ]
        return np.concatenate(pieces)


def _target(tree: Tree, y: Any) -> _Floats:
    """The target as numbers: values, or the numbers of classes."""
    if tree.class_labels is not None:
        return class_numbers(tree, y).astype(np.float64)
    try:
        return np.asarray(y, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise DataError("y must be numbers, as the tree predicts them.") from None


def class_numbers(tree: Tree, y: Any) -> npt.NDArray[np.int64]:
    """The number of the class of each row.

    Examples
    --------
    >>> import bough
    >>> from bough.view.holdings import class_numbers
    >>> tree = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 15 + ["yes"] * 25).tree_
    >>> class_numbers(tree, ["yes", "no"]).tolist()
    [1, 0]
    """
    # Lists stay lists: as an array of numpy, labels of several types would be texts, each in the room of the longest.
    flat = np.asarray(y).ravel() if getattr(y, "ndim", 1) > 1 else y
    as_list = getattr(flat, "tolist", None) or getattr(flat, "to_pylist", None)
    target = list(flat) if as_list is None else as_list()
    labels = tree.class_labels or ()
    number = {label: code for code, label in enumerate(labels)}
    codes = np.array([number.get(label, -1) for label in target], dtype=np.int64)
    if (codes < 0).any():
        label = target[int(np.argmax(codes < 0))]
        raise DataError(f"y holds {label!r:.80}, which is none of the classes of the tree: {labels!r:.200}.")
    return codes
