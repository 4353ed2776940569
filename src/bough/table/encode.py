"""From the training table to a schema and to columns as the kernel reads them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.table.choose import choose_kinds
from bough.table.convert import as_labels, present_codes
from bough.table.frame import read_frame
from bough.table.levels import Label, label_key, sorted_order
from bough.table.raw import Array, Labels, Numbers, Raw
from bough.table.schema import Column, Kind, Schema

__all__ = ["Encoded", "Table", "build_table", "kernel_columns", "missing_rows", "weight_array"]


@dataclass(frozen=True)
class Encoded:
    """The values of one column.

    Parameters
    ----------
    data : ndarray of shape (n_rows,)
        Numeric columns: float32 or float64 with NaN where missing, int64 or uint64. Others: int32 codes, -1 missing,
        -2 a level that no training row held. It may share memory with the user's table: never write to it.
    missing : ndarray of bool or None
        Missing rows of an int64 or uint64 column, if there are any.
    """

    data: Array
    missing: Array | None = None


@dataclass(frozen=True)
class Table:
    """A training table: its schema and encoded columns."""

    schema: Schema
    columns: list[Encoded]
    n_rows: int


def kernel_columns(schema: Schema, columns: list[Encoded]) -> list[tuple[Array, Array | None, int]]:
    """Columns as the kernel takes them: data, mask of missing rows, kind."""
    pairs = zip(columns, schema.kind_codes, strict=True)
    return [(column.data, column.missing, kind) for column, kind in pairs]


def missing_rows(column: Encoded) -> npt.NDArray[np.bool_]:
    """Which rows lack the value of a column."""
    if column.missing is not None:
        return np.asarray(column.missing)
    if column.data.dtype.kind == "f":
        return np.asarray(np.isnan(column.data))
    if column.data.dtype == np.int32:
        return np.asarray(column.data == -1)
    return np.zeros(len(column.data), dtype=bool)


def build_table(
    X: Any,
    *,
    categorical_features: Any = "from_dtype",
    ordered_features: Any = None,
    sample_weight: Any = None,
) -> Table:
    """Read a training table.

    Strings, bools and categories are nominal, ordered categories ordered, numbers and times numeric. A column of
    Python objects is numeric if every known value is a number other than a bool, else nominal by type and value.

    Parameters
    ----------
    X : table
        A pandas or polars frame, pyarrow table, Arrow stream, numpy array, dict of columns or list of rows.
    categorical_features : "from_dtype", list of names or positions, mask or None, default="from_dtype"
        Columns to make nominal beyond those that are so by type, each distinct value a level. Where the names of the
        columns are whole numbers, a number is a name.
    ordered_features : dict of levels by column, list of columns or None, default=None
        Columns to make ordered. A dict gives the levels of each, lowest first, and every value must be among them;
        a list names columns of a type that lists its levels, such as a category or an Enum.
    sample_weight : array of shape (n_rows,), optional
        Rows of weight zero have no part in types and levels.

    Returns
    -------
    Table

    Examples
    --------
    >>> from bough.table import build_table
    >>> table = build_table({"age": [41.5, None], "size": ["L", "S"]}, ordered_features={"size": ["S", "M", "L"]})
    >>> [(column.name, column.kind) for column in table.schema]
    [('age', 'numeric'), ('size', 'ordered')]
    >>> table.columns[1].data
    array([2, 0], dtype=int32)
    """
    frame = read_frame(X)
    used = _used_rows(sample_weight, frame.n_rows)
    choice = choose_kinds(frame.names, categorical_features, ordered_features, named=frame.named)
    columns: list[Column] = []
    data: list[Encoded] = []
    for position, name in enumerate(frame.names):
        raw = frame.read(position, used)
        if position in choice.ordered:
            column, encoded = _encode_ordered(raw, name, choice.ordered[position], used)
        elif position in choice.nominal:
            column, encoded = _encode_labels(as_labels(raw, name), name, "nominal", used)
        elif isinstance(raw, Labels):
            column, encoded = _encode_labels(raw, name, "ordered" if raw.ordered else "nominal", used)
        else:
            column, encoded = _encode_numbers(raw, name)
        columns.append(column)
        data.append(encoded)
    return Table(Schema(tuple(columns), frame.named), data, frame.n_rows)


def weight_array(sample_weight: Any) -> Array:
    """Weights of rows as an array of floats; anything but numbers is a DataError."""
    given = np.asarray(sample_weight)
    try:
        if given.dtype.kind in "biufO":
            return given.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise DataError(f"sample_weight must hold a number for each row ({error}).") from error
    raise DataError(f"sample_weight must hold a number for each row; its type is {given.dtype}.")


def _used_rows(sample_weight: Any, n_rows: int) -> Array | None:
    """Rows of positive weight, or None if that is all of them."""
    if sample_weight is None:
        return None
    weight = weight_array(sample_weight)
    if weight.ndim == 0:  # one weight for all
        return None
    if weight.shape != (n_rows,):
        raise DataError(f"sample_weight has the shape {weight.shape}, but X has {n_rows} rows: expected ({n_rows},).")
    used: Array = weight > 0
    return None if used.all() else used


def _encode_numbers(raw: Numbers, name: str) -> tuple[Column, Encoded]:
    return Column(name, "numeric", raw.dtype), Encoded(raw.data, raw.missing)


def _encode_labels(raw: Labels, name: str, kind: Kind, used: Array | None) -> tuple[Column, Encoded]:
    present = present_codes(raw, used)
    if raw.declared:
        levels = tuple(raw.labels)
        unused = np.setdiff1d(np.arange(len(levels)), present, assume_unique=True)
        return Column(name, kind, "levels", levels, tuple(unused.tolist())), Encoded(raw.codes.astype(np.int32))
    held = [raw.labels[code] for code in present]
    order = sorted_order(held)
    code_of = np.full(len(raw.labels) + 1, -1, dtype=np.int32)  # the last entry serves code -1
    code_of[present[order]] = np.arange(len(order))
    return Column(name, kind, "levels", tuple(held[i] for i in order)), Encoded(code_of[raw.codes])


def _encode_ordered(
    raw: Raw, name: str, levels: tuple[Label, ...] | None, used: Array | None
) -> tuple[Column, Encoded]:
    labels = as_labels(raw, name)
    if levels is None:
        if not labels.declared:
            raise ParameterError(
                f"ordered_features names column {name!r}, whose type does not list its levels. "
                f"Give them, lowest first: ordered_features={{{name!r}: [...]}}."
            )
        return _encode_labels(labels, name, "ordered", used)
    listed = {label_key(label): code for code, label in enumerate(levels)}
    code_of = np.array([listed.get(label_key(label), -1) for label in labels.labels] + [-1], dtype=np.int32)
    for code in present_codes(labels, used):
        if code_of[code] < 0:
            raise DataError(
                f"Column {name!r} holds {labels.labels[code]!r:.80}, which is not among its levels in "
                f"ordered_features: {', '.join(map(repr, levels))[:200]}. Add it there, or make it missing."
            )
    return _encode_labels(Labels(code_of[labels.codes], levels, declared=True), name, "ordered", used)
