"""A classification tree: the classes of a target, priors and costs, labels and probabilities of new rows."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from bough.learn import class_methods
from bough.learn.decisions import Decisions, read_decisions
from bough.learn.target import Classes, Target, check_lengths, read_classes
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Tree
from bough.recipe import Bayes, Exhaustive
from bough.recipe.recipe import Recipe

__all__ = ["ClassificationTree", "classes_of_rows"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class ClassificationTree(ClassifierMixin, TreeEstimator):
    """A classifier behind scikit-learn's conventions; subclasses say how its tree is grown."""

    # Set by fit.
    classes_: Array
    n_classes_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    predict = class_methods.predict
    predict_proba = class_methods.predict_proba
    predict_log_proba = class_methods.predict_log_proba

    def _facts(self, model: Any) -> dict[str, Any]:
        return {**super()._facts(model), **class_methods.class_facts(model)}

    def _check_for(self, tree: Tree, recipe: Recipe) -> None:
        super()._check_for(tree, recipe)
        counts = tree.root.counts or {}
        totals = np.array(list(counts.values()))
        self._decisions(recipe, np.asarray(tree.classes), totals, totals)

    def _read_y(self, y: Any, n_rows: int, weights: Floats | None, who: str) -> Classes:
        reading = self._recipe().reading
        declared, unused = reading.class_order == "declared", reading.unused_classes == "keep"
        return classes_of_rows(y, n_rows, weights, declared=declared, unused=unused, who=who)

    def _target(self, read: Classes, weights: Floats | None, name: str) -> Target:
        recipe = self._recipe()
        labels, codes = read.labels, read.codes
        totals = np.bincount(codes, weights=weights, minlength=len(labels)).astype(np.float64)
        decisions = self._decisions(recipe, labels, totals, read.rows)
        fields: dict[str, Any] = {
            "classes": len(labels),
            "label": codes,
            "growth_scale": decisions.growth_scale,
            "class_scale": decisions.class_scale,
        }
        if decisions.costs is not None:
            fields["cost"] = decisions.costs.ravel()
        return Target(fields, labels, decisions.costs, name)

    def _decisions(self, recipe: Recipe, labels: Array, totals: Floats, rows: Array) -> Decisions:
        """How the classes count, from their labels, the weight of the rows of each and their number."""
        leaf = recipe.leaf if isinstance(recipe.leaf, Bayes) else Bayes()
        return read_decisions(
            labels,
            totals,
            rows=rows,
            priors=leaf.priors,
            class_weight=leaf.class_weight,
            costs=leaf.costs,
            cost_use="weighted_gini" if recipe.criterion.weighs_costs else "altered_priors",
            rounding=isinstance(recipe.search, Exhaustive) and recipe.search.ties == "rounding",
        )


def classes_of_rows(
    y: Any, n_rows: int, weights: Floats | None, *, declared: bool, unused: bool = False, who: str = ""
) -> Classes:
    """The classes of rows that take part.

    Parameters
    ----------
    declared : bool
        Whether they come in the order that the type of y declares.
    unused : bool, default=False
        Whether those count too that no row has: only declared ones, and those of rows of weight zero.
    who : str
        The class of the estimator that asks.
    """
    classes = read_classes(y, declared=declared, unused=unused, who=who)
    check_lengths(n_rows, classes.codes)
    if weights is None or unused:
        return classes
    counts = np.bincount(classes.codes, weights=weights, minlength=len(classes.labels))
    present = np.flatnonzero(counts > 0)
    codes = np.minimum(np.searchsorted(present, classes.codes), len(present) - 1).astype(np.uint32)
    return Classes(classes.labels[present], codes, classes.rows[present])
