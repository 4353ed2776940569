"""What wrong predictions of a grown tree cost, row by row: how folds compare subtrees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.target import Target
from bough.model.answer.classes import decide

__all__ = ["Judge"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Judge:
    """Costs of answers, each row by itself.

    Parameters
    ----------
    columns : list
        The whole table as the kernel takes it.
    target : Target
    spreads : bool
        Whether cases may end in several leaves, in parts.
    absolute : bool
        Whether the cost of a number is its distance, or the square of that.
    """

    columns: Any
    target: Target
    spreads: bool = False
    absolute: bool = False

    def along(self, tree: Any, rows: Array, levels: Floats) -> Floats:
        """The costs under the subtrees of a path: shape (levels, rows), for complexities in units of risk."""
        if not self.spreads:
            last = _core.apply(tree, self._part(rows), 1)
            return self._of_nodes(tree, _core.ends_at(tree, last, levels).reshape(len(levels), len(rows)), rows)
        costs = np.empty((len(levels), len(rows)))
        for place, level in enumerate(levels):
            inner = np.diff(tree.child_begin) > 0
            weak = np.flatnonzero(inner & (tree.complexity <= level)).astype(np.int32)
            costs[place] = self.of(tree.cut(weak)[0] if len(weak) else tree, rows)
        return costs

    def of(self, tree: Any, rows: Array) -> Floats:
        """The costs under a tree."""
        part = self._part(rows)
        if not self.spreads:
            return self._of_nodes(tree, _core.apply(tree, part, 1), rows)
        if self.target.classes is None:
            return self._of_values(_core.spread_values(tree, part, 1), rows)
        shares = _core.spread_probabilities(tree, part, 1)
        return self._of_labels(decide(shares, self.target.costs, 1e-12), rows)

    def _part(self, rows: Array) -> list[tuple[Array, Array | None, int]]:
        return [(data[rows], None if gone is None else gone[rows], kind) for data, gone, kind in self.columns]

    def _of_nodes(self, tree: Any, nodes: npt.NDArray[np.int32], rows: Array) -> Floats:
        if self.target.classes is None:
            return self._of_values(tree.value[nodes], rows)
        return self._of_labels(tree.label[nodes], rows)

    def _of_labels(self, labels: Array, rows: Array) -> Floats:
        scale = self.target.fields["class_scale"]
        costs = 1.0 - np.eye(len(scale)) if self.target.costs is None else self.target.costs
        true = self.target.fields["label"][rows]
        cost: Floats = costs[true, labels] * scale[true]
        return cost

    def _of_values(self, values: Floats, rows: Array) -> Floats:
        off: Floats = values - self.target.fields["value"][rows]
        return np.abs(off) if self.absolute else off * off
