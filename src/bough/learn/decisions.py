"""`priors`, `costs` and `class_weight` read and checked, and what classes weigh in growing and in labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.recipe.parameters import as_number, as_numbers

__all__ = ["Decisions", "read_decisions"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Decisions:
    """What a class weighs, and what a wrong decision costs.

    Parameters
    ----------
    growth_scale : ndarray of shape (n_classes,)
        Factors of the class counts in the choice of splits: priors or class weights, altered by costs.
    class_scale : ndarray of shape (n_classes,)
        Factors in risk and probabilities: priors or class weights, never costs.
    costs : ndarray of shape (n_classes, n_classes) or None
        [true][decided]; None where every error costs 1.
    """

    growth_scale: Floats
    class_scale: Floats
    costs: Floats | None


def read_decisions(
    classes: npt.NDArray[Any],
    counts: Floats,
    *,
    rows: npt.NDArray[Any] | None = None,
    priors: Any,
    class_weight: Any,
    costs: Any,
    cost_use: str,
    rounding: bool = False,
) -> Decisions:
    """Check the parameters against the classes and turn them into factors.

    Parameters
    ----------
    classes : ndarray
        The labels in the order of the class numbers.
    counts : ndarray
        Sum of sample weights of each class.
    rows : ndarray, optional
        Number of rows of each class, those of weight 0 too; by default `counts`.
    rounding : bool, default=False
        Whether the factors of growth carry the rounding that they have in rpart, also where they are 1.
    """
    if priors is not None and class_weight is not None:
        raise ParameterError("priors and class_weight both say what a class weighs: give one of them.")
    scale = np.ones(len(classes))
    shares = counts / counts.sum()
    prior = shares if priors is None else _read_priors(priors, classes)
    if priors is not None:
        with np.errstate(over="ignore"):
            scale = prior * counts.sum() / np.where(counts > 0, counts, counts.sum())
    elif class_weight is not None:
        scale = _read_class_weight(class_weight, classes, counts, counts if rows is None else rows)
    matrix = None if costs is None else _read_costs(costs, classes)
    _check_range(scale, counts, matrix)
    if rounding and class_weight is None:
        return Decisions(_summed_scale(prior, shares, matrix), scale, matrix)
    if matrix is None or cost_use == "weighted_gini":
        return Decisions(scale, scale, matrix)
    # Altered priors: a class counts by what it costs to miss it. The factors keep their weighted mean.
    altered = scale * matrix.sum(axis=1)
    mass = altered @ counts
    # A class alone cannot be missed, and costs nothing.
    return Decisions(altered * (scale @ counts) / mass if mass > 0 else scale, scale, matrix)


def _check_range(scale: Floats, counts: Floats, costs: Floats | None) -> None:
    """Refuse classes so far apart in weight that their factors, or what errors on them cost, cannot be held."""
    with np.errstate(over="ignore"):
        cost = (scale * counts).sum() * (1.0 if costs is None else costs.sum())
    if not (np.isfinite(scale).all() and np.isfinite(cost)):
        raise DataError(
            f"the classes weigh from {counts.min():.3g} to {counts.max():.3g}, too far apart for double precision "
            "under these priors, class weights and costs. Bring the sample weights closer together."
        )


def _summed_scale(prior: Floats, shares: Floats, costs: Floats | None) -> Floats:
    """Altered priors over class shares, each sum made term by term."""
    if len(prior) == 1:
        return np.ones(1)
    matrix = 1.0 - np.eye(len(prior)) if costs is None else costs
    altered = np.zeros(len(prior))
    total = 0.0
    for true, row in enumerate(matrix):
        for cost in row:
            altered[true] += cost * prior[true]
            total += cost * prior[true]
    # A class that no row has, as one that is missing from a sample, counts as it is.
    summed: Floats = np.divide(altered, total * shares, out=np.ones(len(prior)), where=shares > 0)
    return summed


def _by_class(given: Any, classes: npt.NDArray[Any], parameter: str, default: float | None) -> Floats:
    """One number a class, from a mapping by label or a sequence in the order of the class numbers."""
    if isinstance(given, Mapping):
        known = _by_label(classes)
        places = [_class_of(key, known, parameter) for key in given]
        named = {
            place: as_number(f"{parameter}[{key!r}]", value)
            for place, (key, value) in zip(places, given.items(), strict=True)
        }
        lacking = [_plain(label) for place, label in enumerate(classes) if place not in named]
        if lacking and default is None:
            raise ParameterError(f"{parameter} gives nothing for class {lacking[0]!r}. Classes: {_listing(classes)}.")
        values = np.full(len(classes), 0.0 if default is None else default)
        for place, number in named.items():
            values[place] = number
    else:
        values = as_numbers(parameter, given)
        if values.shape != (len(classes),):
            raise ParameterError(
                f"{parameter} must hold one number for each of the {len(classes)} classes; its shape is {values.shape}."
            )
    if not np.isfinite(values).all() or (values < 0).any():
        raise ParameterError(f"{parameter} must hold finite numbers that are not negative; got {values.tolist()}.")
    return values


def _by_label(classes: npt.NDArray[Any]) -> dict[Any, int]:
    return {_plain(label): place for place, label in enumerate(classes)}


def _class_of(label: Any, known: dict[Any, int], parameter: str) -> int:
    """The number of a class that a parameter names."""
    if _plain(label) not in known:
        raise ParameterError(f"{parameter} names {label!r}, which is not a class. Classes: {_listing(list(known))}.")
    return known[_plain(label)]


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _listing(classes: Sequence[Any] | npt.NDArray[Any]) -> str:
    shown = [repr(_plain(label)) for label in classes[:8]]
    return ", ".join(shown) + (", ..." if len(classes) > len(shown) else "")


def _read_priors(priors: Any, classes: npt.NDArray[Any]) -> Floats:
    if isinstance(priors, str):
        if priors != "equal":
            raise ParameterError(f"priors must be 'equal', a mapping or a sequence of probabilities; got {priors!r}.")
        return np.full(len(classes), 1.0 / len(classes))
    values = _by_class(priors, classes, "priors", None)
    if abs(values.sum() - 1.0) > 1e-6:
        raise ParameterError(f"priors must sum to 1; they sum to {values.sum():.6g}.")
    values /= fsum(values)  # as exact as can be: seven times 1/7 is 1
    return values


def _read_class_weight(class_weight: Any, classes: npt.NDArray[Any], counts: Floats, rows: npt.NDArray[Any]) -> Floats:
    if isinstance(class_weight, str):
        if class_weight not in ("balanced", "balanced_rows"):
            raise ParameterError(
                f"class_weight must be 'balanced', 'balanced_rows', a mapping or None; got {class_weight!r}."
            )
        sizes = counts if class_weight == "balanced" else rows
        present = counts > 0
        scale: Floats = sizes.sum() / (present.sum() * np.where(present, sizes, 1.0))
        return scale
    values = _by_class(class_weight, classes, "class_weight", 1.0)
    if not (values * counts > 0).any():
        raise ParameterError("class_weight leaves no class with a positive weight.")
    return values


def _read_costs(costs: Any, classes: npt.NDArray[Any]) -> Floats:
    size = len(classes)
    if isinstance(costs, Mapping):
        matrix = 1.0 - np.eye(size)
        known = _by_label(classes)
        for key, cost in costs.items():
            if not (isinstance(key, tuple) and len(key) == 2):
                raise ParameterError(f"costs must map (true, decided) to a cost; got the key {key!r}.")
            true, decided = (_class_of(label, known, "costs") for label in key)
            matrix[true, decided] = as_number(f"costs[{key!r}]", cost)
    else:
        matrix = as_numbers("costs", costs)
        if matrix.shape != (size, size):
            raise ParameterError(
                f"costs must be {size} x {size}, rows the true class, columns the decided one; its shape is "
                f"{matrix.shape}."
            )
    bad = np.argwhere(~np.isfinite(matrix) | (matrix < 0))
    if len(bad):
        true, decided = (_plain(classes[place]) for place in bad[0])
        raise ParameterError(
            f"costs must be finite and not negative; to decide {decided!r} where {true!r} is true costs "
            f"{matrix[tuple(bad[0])]}."
        )
    if np.diagonal(matrix).any():
        place = int(np.flatnonzero(np.diagonal(matrix))[0])
        raise ParameterError(
            f"a right decision costs nothing, so the diagonal of costs must be 0; for class {_plain(classes[place])!r} "
            f"it is {matrix[place, place]}."
        )
    if size > 1 and (matrix.sum(axis=1) == 0).any():
        label = _plain(classes[int(np.flatnonzero(matrix.sum(axis=1) == 0)[0])])
        raise ParameterError(
            f"costs has a row of zeros: no error on class {label!r} would cost anything. Leave it out of y."
        )
    return matrix
