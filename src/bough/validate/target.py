"""The target of a validation: the number of each row's class, or numbers, with the weights of the rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier, is_regressor

from bough.errors import DataError, ParameterError
from bough.learn.decisions import read_decisions
from bough.learn.target import read_classes, read_numbers, target_name
from bough.learn.weights import read_weights
from bough.validate.fitting import innermost, weight_name

__all__ = ["Target", "class_order", "own_costs", "read_costs", "read_target", "row_weights"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
_LEAST = 1e-100  # of a weight that is not 0


@dataclass(frozen=True)
class Target:
    """What is to be predicted.

    Attributes
    ----------
    classes : ndarray or None
        The labels, sorted; None for numbers.
    values : ndarray
        The number of each row's class, or numbers.
    weights : ndarray
    unweighted : bool
        Whether every row weighs 1.
    name : str
    """

    classes: Array | None
    values: Array
    weights: Floats
    unweighted: bool
    name: str

    def __len__(self) -> int:
        return len(self.values)

    @property
    def codes(self) -> Array | None:
        """The number of each row's class; None for numbers."""
        return None if self.classes is None else self.values

    def support(self) -> Floats:
        """The weight of each class."""
        n_classes = 0 if self.classes is None else len(self.classes)
        return np.bincount(self.values, weights=self.weights, minlength=n_classes).astype(np.float64)

    def held_by(self, rows: npt.NDArray[np.intp]) -> set[Any]:
        """The classes that some of the rows have, those of weight zero aside."""
        if self.classes is None:
            raise TypeError("numbers have no classes")
        return set(self.classes[np.unique(self.values[rows[self.weights[rows] > 0]])].tolist())

    def codes_of(self, labels: Any) -> npt.NDArray[np.intp]:
        """The number of the class of each label."""
        if self.classes is None:
            raise TypeError("numbers have no classes")
        place = {label: code for code, label in enumerate(self.classes.tolist())}
        found, inverse = np.unique(np.asarray(labels), return_inverse=True)
        other = next((label for label in found.tolist() if label not in place), None)
        if other is not None:
            raise DataError(f"the answer {other!r:.60} is none of the classes of y.")
        return np.array([place[label] for label in found.tolist()], dtype=np.intp)[inverse]


def read_target(estimator: Any, y: Any, sample_weight: Any) -> Target:
    """Read a target as the estimator means it: classes for a classifier, numbers for a regressor."""
    if not hasattr(estimator, "fit") or not (is_classifier(estimator) or is_regressor(estimator)):
        raise ParameterError(
            f"expected a classifier or a regressor that has the methods of scikit-learn; got {estimator!r:.80}."
        )
    if is_classifier(estimator):
        found = read_classes(y)
        if len(found.labels) < 2:
            raise DataError(
                f"y holds the single class {found.labels[0]!r:.60}: there is nothing to be right or wrong about."
            )
        classes, values = found.labels, found.codes.astype(np.intp)
    else:
        classes, values = None, np.asarray(read_numbers(y), dtype=np.float64)
    weights, unweighted = row_weights(sample_weight, len(values))
    if not unweighted and weight_name(estimator) is None:
        raise ParameterError(
            f"{type(innermost(estimator)).__name__}.fit takes no sample_weight: leave the weights out, or judge an "
            "estimator that weighs rows."
        )
    return Target(classes, values, weights, unweighted, target_name(y))


def row_weights(sample_weight: Any, n_rows: int) -> tuple[Floats, bool]:
    """The weight of each row, and whether all are 1. Squares of weights must neither overflow nor vanish."""
    weights = read_weights(sample_weight, n_rows)
    if weights is None:
        return np.ones(n_rows), True
    held = weights[weights > 0]
    for extreme in (held.max(initial=1.0), held.min(initial=1.0)):
        if not _LEAST <= extreme <= 1 / _LEAST:
            raise DataError(
                f"sample_weight holds {extreme:g}: intervals go by the squares of weights, so each must lie "
                f"between {_LEAST:g} and {1 / _LEAST:g}. Divide all weights by one number: no mean changes."
            )
    return weights, False


def class_order(estimator: Any, y: Any, target: Target) -> Array | None:
    """The classes in the order in which the estimator reads arrays of costs and priors; None for numbers."""
    reading = getattr(innermost(estimator), "reading", None)
    if target.classes is not None and getattr(reading, "class_order", "sorted") == "declared":
        return read_classes(y, declared=True).labels
    return target.classes


def read_costs(costs: Any, target: Target) -> Floats | None:
    """What errors cost, [true][decided] in the order of the sorted classes; None where each costs 1."""
    if target.classes is None and costs is not None:
        raise ParameterError("costs are for classes; this estimator predicts numbers.")
    return None if target.classes is None else _matrix(costs, target.classes)


def own_costs(estimator: Any, y: Any, target: Target) -> Floats | None:
    """The same, as the estimator was told."""
    order = class_order(estimator, y, target)
    told = innermost(estimator).get_params()
    costs = told.get("costs", told.get("leaf__costs"))
    if order is None or costs is None:
        return None
    matrix = _matrix(costs, order)
    place = [order.tolist().index(label) for label in np.asarray(target.classes).tolist()]
    return None if matrix is None else matrix[np.ix_(place, place)]


def _matrix(costs: Any, classes: Array) -> Floats | None:
    return read_decisions(
        classes, np.ones(len(classes)), priors=None, class_weight=None, costs=costs, cost_use="weighted_gini"
    ).costs
