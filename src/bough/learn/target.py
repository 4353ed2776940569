"""The target of a fit: classes or numbers, checked and as the kernel takes them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bough.errors import DataError
from bough.table import build_table, is_missing

__all__ = [
    "Classes",
    "Target",
    "check_lengths",
    "check_range",
    "other_estimator",
    "read_classes",
    "read_numbers",
    "target_name",
]

Array = npt.NDArray[Any]

_BOTH = ("BaggedTrees", "CART", "ExtraTrees", "RandomForest", "Tree")  # algorithms for classes and for numbers
_NO_NUMBER = (str, bytes, np.datetime64, np.timedelta64)  # which float() would read as numbers
_LEAST_ERROR = 1e-290  # still with all its digits


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
    """The classes, as numpy sorts them or as their type declares, the number of each row's class, the rows of each."""

    labels: Array
    codes: npt.NDArray[np.uint32]
    rows: npt.NDArray[np.intp]


def other_estimator(name: str, kind: str) -> str:
    """The estimator of the same algorithm for the other kind of target, or any, in words.

    Parameters
    ----------
    name : str
        The class of the estimator that was asked; empty for none.
    kind : {"classifier", "regressor"}

    Examples
    --------
    >>> other_estimator("RandomForestClassifier", "regressor"), other_estimator("C45Classifier", "regressor")
    ('RandomForestRegressor', 'a regressor')
    """
    stem = name.removesuffix("Classifier").removesuffix("Regressor")
    return f"{stem}{kind.capitalize()}" if stem in _BOTH else f"a {kind}"


def read_classes(y: Any, *, declared: bool = False, unused: bool = False, who: str = "") -> Classes:
    """Classes from any one-dimensional target; missing values are refused.

    Parameters
    ----------
    y : array, series or list
    declared : bool, default=False
        Whether classes come in the order that a categorical type declares, where y has one.
    unused : bool, default=False
        Whether classes count that a categorical type declares but no row has.
    who : str
        The class of the estimator that asks, whose sibling is named where y holds numbers.
    """
    labels, codes = _classes_of_categories(y) or _classes_of_cells(y, who)
    levels = _declared_levels(y) if declared or unused else None
    if levels is not None and unused:
        every = _labels_like(labels, sorted(levels))
        labels, codes = every, np.searchsorted(every, labels)[codes]
    if levels is not None and declared:
        place = {level: at for at, level in enumerate(levels)}
        order = np.argsort([place[label] for label in labels.tolist()], kind="stable")
        labels, codes = labels[order], np.argsort(order)[codes]
    return Classes(labels, codes.astype(np.uint32), np.bincount(codes, minlength=len(labels)))


def _classes_of_categories(y: Any) -> tuple[Array, Array] | None:
    """The same for a categorical series of strings, without a look at every cell; None for anything else."""
    levels = getattr(getattr(y, "dtype", None), "categories", None)
    if levels is None or not hasattr(getattr(y, "cat", None), "codes") or set(map(type, levels)) != {str}:
        return None
    codes = np.asarray(y.cat.codes)
    if len(codes) == 0 or codes.min() < 0:
        return None
    present = np.flatnonzero(np.bincount(codes, minlength=len(levels)))
    labels = np.asarray(levels, dtype=object)[present]
    order = np.argsort(labels)
    place = np.zeros(len(levels), dtype=np.int64)
    place[present[order]] = np.arange(len(order))
    return labels[order], place[codes]


def _classes_of_cells(y: Any, who: str) -> tuple[Array, Array]:
    target = _one_dimension(y)
    _refuse_mixture(y, target)
    if target.dtype.kind in "Mm":
        raise DataError(
            f"y holds dates or durations ({target.dtype}), which are no classes. Make them strings, for example with "
            ".astype(str)."
        )
    if target.dtype.kind == "S":
        raise DataError("y holds bytes, which scikit-learn does not take as labels. Decode them to strings.")
    try:
        return _classes(target)
    except TypeError as error:
        raise DataError(f"y holds values that cannot be sorted ({error}). Make all labels strings.") from error
    except ValueError as error:
        other = other_estimator(who, "regressor")
        raise DataError(f"{error} Use {other} for numbers, or make the classes of y strings.") from error


def _classes(target: Array) -> tuple[Array, Array]:
    """The sorted labels and the code of each row."""
    if target.dtype.kind == "O" and set(map(type, target)) == {str}:  # a dict is faster than sorting all rows
        cells = target.tolist()
        labels = sorted(dict.fromkeys(cells))
        place = {label: code for code, label in enumerate(labels)}
        array = np.empty(len(labels), dtype=object)
        array[:] = labels
        return array, np.fromiter(map(place.__getitem__, cells), dtype=np.int64, count=len(cells))
    check_classification_targets(target)
    found, codes = np.unique(target, return_inverse=True)
    return found, codes


def target_name(y: Any) -> str:
    """The name of a series, "y" for anything else."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def _declared_levels(y: Any) -> tuple[Any, ...] | None:
    """The levels that the type of y declares, in order; None where it declares none."""
    typed = not isinstance(y, np.ndarray) and getattr(y, "ndim", 1) == 1
    return build_table({"y": y}).schema.columns[0].levels if typed else None


def _labels_like(labels: Array, levels: list[Any]) -> Array:
    """Levels as an array of the kind of the labels; strings become as long as needed."""
    if labels.dtype.kind == "O":
        array = np.empty(len(levels), dtype=object)
        array[:] = levels
        return array
    return np.array(levels) if labels.dtype.kind in "UT" else np.array(levels, dtype=labels.dtype)


def read_numbers(y: Any, who: str = "") -> npt.NDArray[np.float64]:
    """The numbers of a regression target; `who` is the class of the estimator that asks, whose sibling is named."""
    target = _one_dimension(y)
    if target.dtype.kind in "biuf":
        return np.ascontiguousarray(target, dtype=np.float64)
    other = next((value for value in target if target.dtype.kind != "O" or isinstance(value, _NO_NUMBER)), None)
    if other is not None:
        instead = other_estimator(who, "classifier")
        raise DataError(f"y must hold numbers for a regression; found {other!r:.80}. Convert it, or use {instead}.")
    try:
        return np.ascontiguousarray(target, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        instead = other_estimator(who, "classifier")
        raise DataError(f"y must hold numbers for a regression ({error}). Use {instead} for classes.") from error


def check_range(value: npt.NDArray[np.float64], weights: npt.NDArray[np.float64] | None, *, squares: bool) -> None:
    """Refuse numbers whose sums of errors, squared or not, cannot be held in double precision."""
    mass = float(len(value)) if weights is None else float(weights.sum())
    used = value if weights is None else value[weights > 0]
    low, high = float(used.min()), float(used.max())
    spread = high - low
    error = spread * spread if squares else spread
    if max(abs(low), abs(high), error) < np.finfo(np.float64).max / max(mass, 1.0) and (
        spread == 0.0 or error > _LEAST_ERROR
    ):
        return
    what = "squares of its differences" if squares else "differences"
    raise DataError(
        f"y ranges from {low!r} to {high!r}: sums of the {what} do not fit into double precision. Multiply y by a "
        "constant that brings it near 1, or divide the weights."
    )


def check_lengths(n_rows: int, y: Array) -> None:
    """The number of targets must be the number of rows."""
    if len(y) != n_rows:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(y)}]. "
            f"X has {n_rows} rows and y has {len(y)} values."
        )


def _one_dimension(y: Any) -> Array:
    if y is None:
        raise DataError("This estimator requires y to be passed, but the target y is None.")
    if isinstance(y, str | bytes):
        raise DataError(
            f"y is the text {y!r:.60}; it must hold the values of the target, one for each row of X. If it names a "
            f"column of a table, pass table[{y!r:.60}] as y and the table without that column as X."
        )
    if hasattr(y, "__arrow_c_array__") and not hasattr(y, "__array__"):
        y = y.to_numpy(zero_copy_only=False)
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] > 1:
        raise DataError(
            f"y has {array.shape[1]} columns; trees with several outputs are not supported. Fit one estimator to each "
            f"column. y should be a 1d array, got an array of shape {array.shape} instead."
        )
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported: y holds complex numbers.")
    try:
        target: Array = column_or_1d(array, warn=True)
    except ValueError as error:
        raise DataError(str(error)) from error
    _refuse_missing(target)
    return target


def _refuse_missing(target: Array) -> None:
    if target.dtype.kind in "fMm":
        missing = np.isnan(target) if target.dtype.kind == "f" else np.isnat(target)
    elif target.dtype.kind != "O" or set(map(type, target)) == {str}:
        return
    else:
        missing = np.fromiter(map(is_missing, target), dtype=bool, count=len(target))
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise DataError(f"Input y contains NaN: row {row} is missing. Drop the rows whose y is not known.")
    if target.dtype.kind == "f" and np.isinf(target).any():
        row = int(np.flatnonzero(np.isinf(target))[0])
        raise DataError(
            "Input y contains infinity or a value too large for dtype('float64'): "
            f"row {row} is {target[row]}. Drop such rows, or replace the value by a number."
        )


def _refuse_mixture(y: Any, target: Array) -> None:
    """Strings and other labels have no common order; numpy would make strings of them all without a word."""
    if target.dtype.kind not in "OUT":
        return
    kinds = set(map(type, y if isinstance(y, list | tuple) else target))
    strings = {kind for kind in kinds if issubclass(kind, str)}
    if strings and kinds - strings:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise DataError(f"y mixes strings with values of other types ({names}). Make all labels strings.")
