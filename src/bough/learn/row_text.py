"""A row as Weka writes it in a file: its draws begin with a hash of that text."""

from typing import TYPE_CHECKING

import numpy as np

from bough.table import missing_rows

if TYPE_CHECKING:
    from bough.learn.rule_estimator import RuleTraining

__all__ = ["row_text"]

_ESCAPED = {"\\": "\\\\", "'": "\\'", '"': '\\"', "%": "\\%", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\x1e": "\\u001E"}
_QUOTED = frozenset("{}, ")


def row_text(read: "RuleTraining", row: int) -> str:
    """The cells of a row and its class, parted by commas."""
    cells = []
    for column, encoded in zip(read.schema, read.training.table.columns, strict=True):
        if missing_rows(encoded)[row]:
            cells.append("?")
        elif column.kind == "numeric":
            cells.append(_number_text(float(encoded.data[row])))
        else:
            cells.append(_label_text(str((column.levels or ())[int(encoded.data[row])])))
    return ",".join([*cells, _label_text(str(np.asarray(read.labels).tolist()[int(read.codes[row])]))])


def _number_text(number: float) -> str:
    """At most six decimals, without zeros at the end."""
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _label_text(label: str) -> str:
    """A level, in quotes if it could be read as something else."""
    escaped = "".join(_ESCAPED.get(mark, mark) for mark in label)
    plain = label not in ("", "?") and escaped == label and _QUOTED.isdisjoint(label)
    return label if plain else f"'{escaped}'"
