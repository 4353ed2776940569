"""Class labels in order and as arrays; labels and costs in model files, and arrays compared bit for bit."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ModelFormatError
from bough.model.strict import expect_keys, read_array, show
from bough.table import Label, as_label, label_from_json, label_key, label_to_json, sorted_order

__all__ = ["class_array", "classes_to_json", "read_classes", "read_costs", "same_array", "sorted_labels"]

# Types of class labels: the numpy type, and the Python types that its labels have in the file.
_CLASS_TYPES: dict[str, tuple[Any, tuple[type, ...]]] = {
    "str": (np.str_, (str,)),
    "bytes": (np.bytes_, (bytes,)),
    "bool": (np.bool_, (bool,)),
    **{f"{sign}int{bits}": (np.dtype(f"{sign}int{bits}"), (int,)) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (np.dtype(f"float{bits}"), (float, int)) for bits in (16, 32, 64)},
    "object": (object, ()),
}


def sorted_labels(labels: Iterable[Label]) -> list[Label]:
    """The distinct ones among labels, sorted; of those that are the same, the first."""
    distinct: dict[object, Label] = {}
    for label in labels:
        distinct.setdefault(label_key(label), label)
    found = list(distinct.values())
    return [found[place] for place in sorted_order(found)]


def class_array(labels: Sequence[Label]) -> npt.NDArray[Any]:
    """Class labels in a type of their own, as a fit would have them."""
    if {type(label) for label in labels} in ({str}, {bool}, {int}, {float}, {bytes}):
        made = np.array(labels)
        if made.dtype.kind in "UbifS" and made.tolist() == list(labels):
            return made
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def classes_to_json(classes: npt.NDArray[Any]) -> dict[str, Any]:
    """Labels with their type; a label of another type than a file can hold is a DataError."""
    name = {"U": "str", "S": "bytes", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    plain = classes.tolist()
    labels = [as_label(label, "target") for label in plain]
    for value, label in zip(plain, labels, strict=True):
        if name not in _CLASS_TYPES or label is None or type(label) is not type(value):
            raise DataError(
                f"The class {value!r:.60} of type {type(value).__name__} cannot be written to a model file; "
                "make the classes strings, numbers or booleans."
            )
    return {"type": name, "labels": [label_to_json(label) for label in labels if label is not None]}


def read_classes(data: Any, place: str) -> npt.NDArray[Any]:
    """Read what `classes_to_json` wrote."""
    expect_keys(data, {"type", "labels"}, place)
    if not isinstance(data["type"], str) or data["type"] not in _CLASS_TYPES:
        raise ModelFormatError(
            f"expected one of {', '.join(_CLASS_TYPES)}, found {show(data['type'])}", f"{place}.type"
        )
    kind, allowed = _CLASS_TYPES[data["type"]]
    if not isinstance(data["labels"], list) or not data["labels"]:
        raise ModelFormatError("expected a list of labels, at least one", f"{place}.labels")
    labels = [label_from_json(label, f"{place}.labels[{i}]") for i, label in enumerate(data["labels"])]
    for i, label in enumerate(labels):
        if allowed and type(label) not in allowed:
            raise ModelFormatError(
                f"expected a label of type {data['type']}, found {show(label)}", f"{place}.labels[{i}]"
            )
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    if kind is not object:
        try:
            array = np.array(labels, dtype=kind)
        except OverflowError:
            raise ModelFormatError(f"a label does not fit {data['type']}", f"{place}.labels") from None
    if array.tolist() != labels or len({label_key(label) for label in labels}) < len(labels):
        raise ModelFormatError(f"the labels are not distinct, or not exact as {data['type']}", f"{place}.labels")
    return array


def read_costs(data: Any, size: int, place: str) -> npt.NDArray[np.float64] | None:
    """Read a square matrix of costs, or None."""
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != size:
        raise ModelFormatError(f"expected a list of {size} rows, one for each class", place)
    rows = [read_array(row, np.float64, f"{place}[{i}]") for i, row in enumerate(data)]
    for i, row in enumerate(rows):
        if len(row) != size or (row < 0).any():
            raise ModelFormatError(f"expected {size} numbers of at least 0", f"{place}[{i}]")
    return np.array(rows).reshape(size, size) if size else None


def same_array(a: npt.NDArray[Any] | None, b: npt.NDArray[Any] | None) -> bool:
    """Whether two arrays, or None, are equal in type, shape and entries."""
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and a.shape == b.shape and (a.tobytes() == b.tobytes() or a.tolist() == b.tolist())
