"""What wrong predictions of a grown tree cost, row by row: how folds compare subtrees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.target import Target
from bough.model.answer.classes import decide
from bough.model.node_risk import row_of

__all__ = ["Judge"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Judge:
    """Costs of answers, each row by itself."""

    columns: Any  # the whole table as the kernel takes it
    target: Target
    spreads: bool = False  # whether cases may end in several leaves, in parts
    absolute: bool = False  # whether the cost of a number is its distance, or the square of that
    # What classes are judged by, as `node_risk` has it: what answers cost, or the Brier score or the deviance of
    # probabilities. No class that the tree has met is impossible to the deviance: a node counts one row more, of the
    # shares that all rows have.
    measure: str = "weakest_link"
    row: float = 1.0  # what one row weighs

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
        if self.measure in ("weakest_link", "accounts"):
            return self._of_labels(decide(shares, self.target.costs, 1e-12), rows)
        true = self.target.fields["label"][rows]
        cost: Floats = self._by_class(shares)[np.arange(len(rows)), true] * self._scale(rows)
        return cost

    def _part(self, rows: Array) -> list[tuple[Array, Array | None, int]]:
        return [(data[rows], None if gone is None else gone[rows], kind) for data, gone, kind in self.columns]

    def _of_nodes(self, tree: Any, nodes: npt.NDArray[np.int32], rows: Array) -> Floats:
        if self.target.classes is None:
            return self._of_values(tree.value[nodes], rows)
        if self.measure in ("weakest_link", "accounts"):
            return self._of_labels(tree.label[nodes], rows)
        cost: Floats = self._by_class(self._shares(tree))[nodes, self.target.fields["label"][rows]] * self._scale(rows)
        return cost

    def _shares(self, tree: Any) -> Floats:
        """The probabilities of all nodes, under priors; for the deviance drawn a little to those of the root."""
        mass = np.zeros((len(tree), len(tree.class_scale)))
        node = np.repeat(np.arange(len(tree)), np.diff(tree.count_begin))
        mass[node, tree.count_class] = tree.count_weight * tree.class_scale[tree.count_class]
        if self.measure != "brier":
            mass += mass[0] / mass[0].sum() * row_of(tree) * self.row
        total = mass.sum(axis=1, keepdims=True)
        shares: Floats = mass / np.where(total > 0, total, 1.0)
        return shares

    def _by_class(self, shares: Floats) -> Floats:
        """How far probabilities are off for a row of each class: the same shape."""
        if self.measure == "brier":
            squares: Floats = (shares * shares).sum(axis=1, keepdims=True)
            return squares - 2.0 * shares + 1.0
        off: Floats = -2.0 * np.log(np.maximum(shares, 1e-12))
        return off

    def _scale(self, rows: Array) -> Floats:
        scale: Floats = self.target.fields["class_scale"][self.target.fields["label"][rows]]
        return scale

    def _of_labels(self, labels: Array, rows: Array) -> Floats:
        scale = self.target.fields["class_scale"]
        costs = 1.0 - np.eye(len(scale)) if self.target.costs is None else self.target.costs
        true = self.target.fields["label"][rows]
        cost: Floats = costs[true, labels] * scale[true]
        return cost

    def _of_values(self, values: Floats, rows: Array) -> Floats:
        off: Floats = values - self.target.fields["value"][rows]
        return np.abs(off) if self.absolute else off * off
