"""The fit of a forest read again: its rows, and its bags drawn anew.

Forests keep neither, so whatever asks which rows a tree was grown on is given the rows once more.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough import _core
from bough.errors import DataError
from bough.learn.bagged import OTHER_DRAWS
from bough.learn.fit import provenance_of
from bough.learn.forest_bags import ForestBags
from bough.learn.forest_priors import class_scale
from bough.learn.growth import thread_count
from bough.learn.target import Target
from bough.learn.training import Training
from bough.model import Forest
from bough.model.answer import Answer
from bough.table import kernel_columns

if TYPE_CHECKING:
    from bough.learn.forest_estimator import ForestEstimator

__all__ = ["Grown", "Replay", "replay"]


@dataclass(frozen=True)
class Grown:
    """What a forest is grown on: rows with their weights, and the target in the kernel's words."""

    training: Training
    target: Target
    answer: Answer
    fields: dict[str, Any]  # of the kernel's target
    unit: float  # what a weight of 1 is there

    @property
    def columns(self) -> list[Any]:
        """The table as the kernel reads it."""
        return kernel_columns(self.training.table.schema, self.training.table.columns)


@dataclass(frozen=True)
class Replay:
    """A fitted forest with the rows of its fit."""

    model: Forest
    grown: Grown
    bags: ForestBags
    threads: int

    def weights(self, tree: int) -> npt.NDArray[np.int64]:
        """What the rows counted in a tree: how often they were drawn, times their weight in whole numbers."""
        drawn = self.bags.counts(tree).astype(np.int64)
        held = self.grown.fields.get("weight")
        return drawn if held is None else drawn * held

    def need_out_of_bag(self, who: str) -> None:
        """Refuse if no row is out of bag, or if the bags are not those of the fit."""
        self.bags.need_rows_outside(who)
        self.check_bags()

    def check_bags(self) -> None:
        """Refuse bags that are not those of the fit, because its groups were not given."""
        last = len(self.model) - 1
        leaves = _core.forest_leaves(self.model.kernel, self.grown.columns, self.threads, last, last + 1)
        tree = self.model.kernel.tree(last)
        weights, fields = self.weights(last), self.grown.fields
        if (scale := class_scale(self.bags, fields)) is not None:
            weights = weights * scale[fields["label"]]
        held = np.bincount(leaves[:, 0], weights, minlength=len(tree["child"]))
        ends = tree["child"] < 0
        if (held[ends] != self.model.kernel.weight[tree["place"][ends]]).any():
            raise DataError(OTHER_DRAWS)

    def rows_in(self, tree: int) -> npt.NDArray[np.int64]:
        """By node of a tree: how many rows of its bag end there; that it is the bag of the fit is checked."""
        self.check_bags()
        leaves = _core.forest_leaves(self.model.kernel, self.grown.columns, self.threads, tree, tree + 1)[:, 0]
        size = len(self.model.kernel.tree(tree)["child"])
        return np.bincount(leaves[self.weights(tree) > 0], minlength=size).astype(np.int64)

    def leaves(self) -> npt.NDArray[np.uint32]:
        """By row and tree: the number of the leaf in its tree; that the bags are those of the fit is checked."""
        self.check_bags()
        return _core.forest_leaves(self.model.kernel, self.grown.columns, self.threads, 0, len(self.model))


def replay(fitted: "ForestEstimator", X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Replay:
    """Read the rows of the fit again; a DataError says if they are others."""
    check_is_fitted(fitted)
    if y is None:
        raise DataError("y: give the target of the fit too, by which the rows of the fit are known.")
    return _again(type(fitted)(**fitted.fitted_.params), fitted, X, y, sample_weight, groups)


def _again(
    self: "ForestEstimator", fitted: "ForestEstimator", X: Any, y: Any, sample_weight: Any, groups: Any
) -> Replay:
    """The rows as `self` reads them, which has the parameters of the fit."""
    grown = self._read(X, y, sample_weight)
    known = fitted.fitted_.provenance
    if known is not None and known.table != provenance_of(self, grown.training, grown.target).table:
        raise DataError("the trees were grown on another table: give the rows, target and weights of the fit.")
    bags = ForestBags.read(self, grown.training, grown.fields.get("label"), fitted.fitted_.seed, groups)
    return Replay(fitted.model_, grown, bags, thread_count(fitted.n_jobs))
