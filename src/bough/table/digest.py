"""The digest of a training table: the same for the same names, values, levels, target and weights, whoever holds them.

What is digested is what bough has read, so that pandas, polars, Arrow and numpy agree: whole numbers count as doubles
where those are exact, times as nanoseconds, nominal levels in the order of their text. The kernel hashes each column
where it lies, at the speed of memory; blake2b takes the hashes with names and levels. It tells tables apart that differ
by accident, not those of somebody who looks for a collision.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.table.encode import Encoded, Table
from bough.table.levels import Label, as_label, label_to_json
from bough.table.schema import Column
from bough.table.temporal import parse_temporal

__all__ = ["table_digest", "target_column"]

_EXACT = 2**53  # from here on doubles do not tell whole numbers apart
_BYTES = 16
_NUMERIC = 0  # the kind as the kernel knows it


def table_digest(table: Table, target: tuple[Column, Encoded], weights: npt.NDArray[np.float64] | None = None) -> str:
    """Return the digest as hexadecimal text.

    Parameters
    ----------
    table : Table
    target : (Column, Encoded)
        Classes as a nominal column, or numbers; its name does not count, because not every array has one.
    weights : ndarray of shape (n_rows,), optional

    Examples
    --------
    >>> from bough.table import build_table, table_digest
    >>> target = build_table({"y": ["no", "yes", "no"]})
    >>> plain = build_table({"age": [41, 52, 60], "sex": ["f", "m", "f"]})
    >>> floats = build_table({"age": [41.0, 52.0, 60.0], "sex": ["f", "m", "f"]})
    >>> about_y = target.schema.columns[0], target.columns[0]
    >>> table_digest(plain, about_y) == table_digest(floats, about_y)
    True
    """
    columns = zip(table.schema, table.columns, strict=True)
    lines = [[column.name, *_hashed(column, encoded)] for column, encoded in columns]
    lines.append(["", *_hashed(*target)])
    if weights is not None:
        lines.append(["weights", _hash(weights)])
    text = "\n".join(map(json.dumps, lines))
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).hexdigest()


def target_column(classes: Sequence[Any] | None, values: npt.NDArray[Any]) -> tuple[Column, Encoded]:
    """The target as `table_digest` takes it: numbers of classes with their labels, or numbers.

    Parameters
    ----------
    classes : sequence of labels, or None for numbers
    values : ndarray of shape (n_rows,)
    """
    if classes is None:
        return Column("", "numeric", "float64"), Encoded(values)
    labels = [as_label(label, "target") for label in classes]
    return Column("", "nominal", "levels", tuple(label for label in labels if label is not None)), Encoded(values)


def _hash(data: npt.NDArray[Any], missing: npt.NDArray[Any] | None = None, **how: Any) -> str:
    return f"{_core.hash_column((data, missing, _NUMERIC), **how):016x}"


def _hashed(column: Column, encoded: Encoded) -> list[Any]:
    """What the values of a column mean, and their hash."""
    if column.levels is not None:
        return _levels(column, encoded.data)
    data, missing = encoded.data, encoded.missing
    meaning = parse_temporal(column.dtype)
    if meaning is not None:
        return ["times", _hash(data, missing, counts=True, scale=meaning.nanoseconds)]
    if data.dtype.kind != "f" and len(data) and (int(data.max()) >= _EXACT or int(data.min()) <= -_EXACT):
        return ["integers", _hash(data, missing, counts=True)]
    return ["numbers", _hash(data, missing)]


def _levels(column: Column, codes: npt.NDArray[Any]) -> list[Any]:
    """Codes of levels; of nominal ones only those of training rows count, in the order of their text."""
    texts = [_text(level) for level in column.levels or ()]
    if column.kind == "ordered":
        return ["ordered", texts, _hash(codes)]
    order = sorted(set(range(len(texts))) - set(column.unused), key=lambda code: texts[code])
    if order != list(range(len(texts))):
        place = np.full(len(texts) + 1, -1, dtype=np.int32)  # the last entry serves the code of a missing level, -1
        place[order] = np.arange(len(order), dtype=np.int32)
        codes = place[codes]
    return ["nominal", [texts[code] for code in order], _hash(codes.astype(np.int32, copy=False))]


def _text(level: Label) -> str:
    whole = isinstance(level, float) and level.is_integer() and abs(level) < _EXACT
    return json.dumps(label_to_json(int(level) if isinstance(level, float) and whole else level))
