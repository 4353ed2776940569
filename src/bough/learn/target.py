"""The target of a fit: classes or numbers, and the weights of the rows, checked and as the kernel takes them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bough.errors import DataError
from bough.table import build_table

__all__ = ["Classes", "Target", "check_lengths", "read_classes", "read_numbers", "read_weights", "target_name"]

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Target:
    """The target as the kernel takes it, and what gives its numbers meaning.

    Parameters
    ----------
    fields : dict
        Of the kernel's target, but for the weights.
    classes : ndarray or None
        The labels in the order of the class numbers.
    costs : ndarray or None
        [true][decided], where not every error costs 1.
    name : str
        What drawings call it: the name of the series it came in.
    """

    fields: dict[str, Any]
    classes: Array | None = None
    costs: npt.NDArray[np.float64] | None = None
    name: str = "y"


@dataclass(frozen=True)
class Classes:
    """The classes that occur, as numpy sorts them or as their type declares, and the number of each row's class."""

    labels: Array
    codes: npt.NDArray[np.uint32]


def read_classes(y: Any, *, declared: bool = False) -> Classes:
    """Classes from any one-dimensional target; missing values are refused.

    Parameters
    ----------
    y : array, series or list
    declared : bool, default=False
        Whether classes come in the order that a categorical type declares, where y has one.
    """
    target = _one_dimension(y)
    check_classification_targets(target)
    try:
        labels, codes = np.unique(target, return_inverse=True)
    except TypeError as error:
        kinds = ", ".join(sorted({type(value).__name__ for value in target}))
        raise DataError(f"y mixes values that have no common order ({kinds}). Make all labels strings.") from error
    if declared:
        order = _declared_order(y, labels)
        labels, codes = labels[order], np.argsort(order)[codes]
    return Classes(labels, codes.astype(np.uint32))


def target_name(y: Any) -> str:
    """The name of a series, "y" for anything else."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def _declared_order(y: Any, labels: Array) -> npt.NDArray[np.intp]:
    """Positions of sorted labels in the order of the levels that the type of y declares."""
    typed = not isinstance(y, np.ndarray) and getattr(y, "ndim", 1) == 1
    levels = build_table({"y": y}).schema.columns[0].levels if typed else None
    if levels is None:
        return np.arange(len(labels))
    place = {level: at for at, level in enumerate(levels)}
    return np.argsort([place[label] for label in labels.tolist()], kind="stable")


def read_numbers(y: Any) -> npt.NDArray[np.float64]:
    """The numbers of a regression target."""
    target = _one_dimension(y)
    try:
        return np.ascontiguousarray(target, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            "y must hold numbers for a regression; found values that are not. Use CARTClassifier for classes."
        ) from error


def read_weights(sample_weight: Any, n_rows: int) -> npt.NDArray[np.float64] | None:
    """Weights as floats, or None if all are one."""
    if sample_weight is None:
        return None
    given = np.asarray(sample_weight, dtype=np.float64)
    weights = np.full(n_rows, float(given)) if given.ndim == 0 else np.ascontiguousarray(column_or_1d(given))
    if len(weights) != n_rows:
        raise DataError(f"sample_weight has {len(weights)} entries but X has {n_rows} rows.")
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise DataError(f"sample_weight must be finite and not negative; row {row} has {weights[row]}.")
    if not (weights > 0).any():
        raise DataError("every sample_weight is zero: no row is left to learn from.")
    return None if (weights == 1).all() else weights


def check_lengths(n_rows: int, y: Array) -> None:
    """The number of targets must be the number of rows."""
    if len(y) != n_rows:
        raise DataError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(y)}]")


def _one_dimension(y: Any) -> Array:
    if y is None:
        raise DataError("This estimator requires y to be passed, but the target y is None.")
    if hasattr(y, "__arrow_c_array__") and not hasattr(y, "__array__"):
        y = y.to_numpy(zero_copy_only=False)
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] > 1:
        raise DataError(
            f"y has {array.shape[1]} columns; trees with several outputs are not supported. Fit one estimator to each "
            f"column. y should be a 1d array, got an array of shape {array.shape} instead."
        )
    target: Array = column_or_1d(array, warn=True)
    if target.dtype.kind == "c":
        raise DataError("Complex data not supported: y holds complex numbers.")
    _refuse_missing(target)
    return target


def _refuse_missing(target: Array) -> None:
    if target.dtype.kind == "f":
        if np.isnan(target).any():
            raise DataError(f"Input y contains NaN (row {int(np.flatnonzero(np.isnan(target))[0])}). Drop such rows.")
        if np.isinf(target).any():
            raise DataError("Input y contains infinity or a value too large for dtype('float64').")
    if target.dtype.kind == "O":
        for row, value in enumerate(target):
            if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
                raise DataError(f"Input y contains NaN (row {row} is missing). Drop such rows.")
