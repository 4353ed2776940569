"""How the values of the tested columns lie in the rows that were given, node by node and class by class."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError
from bough.model import Tree
from bough.model.inputs import Rows
from bough.table import Encoded
from bough.view.holdings import class_numbers
from bough.view.page.content import rounded

__all__ = ["given_rows"]

_BINS = 24
_MOST_LEVELS = 40
_MOST_NODES = 4000  # those with the most rows; below them a distribution says little
_FEWEST_ROWS = 2

Array = npt.NDArray[Any]


def given_rows(tree: Tree, given: Rows, y: Any) -> dict[str, Any]:
    """Return what the page says of given rows: how many reach each node, and how the tested column lies there."""
    encoded, n_rows = given.encoded, len(given)
    group, groups = _groups(tree, y, n_rows)
    indptr, nodes = tree.decision_path(given)
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    reached = np.bincount(nodes, minlength=tree.n_nodes)
    order = np.argsort(nodes, kind="stable")
    begin = np.concatenate([[0], np.cumsum(reached)])
    inner = np.flatnonzero((np.diff(tree.arrays.child_begin) > 0) & (reached >= _FEWEST_ROWS))
    shown = np.sort(inner[np.argsort(-reached[inner], kind="stable")][:_MOST_NODES])
    return {
        "rows": reached.tolist(),
        "groups": groups,
        "lies": {
            str(node): lies
            for node in shown.tolist()
            if (lies := _lies(tree, encoded, node, rows[order[begin[node] : begin[node + 1]]], group, groups))
        },
    }


def _groups(tree: Tree, y: Any, n_rows: int) -> tuple[Array | None, int]:
    """The class of each row, and how many classes there are: one without y, or where numbers are predicted."""
    if y is None:
        return None, 1
    if len(y) != n_rows:
        raise DataError(f"y has {len(y)} entries, but X has {n_rows} rows.")
    return (None, 1) if tree.class_labels is None else (class_numbers(tree, y), len(tree.class_labels))


def _lies(
    tree: Tree, encoded: list[Encoded], node: int, rows: Array, group: Array | None, groups: int
) -> dict[str, Any] | None:
    """The distribution of the tested column in some rows: counts by bin or level, one list for each class."""
    split = tree.nodes[node].split
    if split is None or len(split.test.columns) > 1:
        return None
    number = split.test.column
    column, part = tree.schema.columns[number], encoded[number]
    data = part.data[rows]
    known = ~part.missing[rows] if part.missing is not None else data == data if column.kind == "numeric" else data >= 0
    own = np.zeros(int(known.sum()), dtype=np.int64) if group is None else group[rows][known]
    values, missing = data[known], int((~known).sum())
    if column.kind == "numeric":
        lies = _histogram(values.astype(np.float64), own, groups, missing)
        return lies and lies | {
            "cuts": rounded(np.array([float(cut.value) for cut in split.test.cuts.get(number, ())]), 9)
        }
    levels, place = np.unique(values, return_inverse=True)
    if len(levels) > _MOST_LEVELS or not len(levels):
        return None
    lies = {"missing": missing, "codes": levels.tolist(), "counts": _table(place, own, len(levels), groups)}
    if split.test.known_codes is None or split.test.code_branches is None:
        return lies
    ways = dict(zip(split.test.known_codes.tolist(), split.test.code_branches.tolist(), strict=True))
    return lies | {"ways": [ways.get(code, -1) for code in levels.tolist()]}


def _histogram(values: npt.NDArray[np.float64], own: Array, groups: int, missing: int) -> dict[str, Any] | None:
    finite = np.isfinite(values)
    values, own = values[finite], own[finite]
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    width = high - low
    if not np.isfinite(width):
        return None
    place = np.minimum((values - low) / width * _BINS, _BINS - 1).astype(np.int64) if width > 0 else np.zeros_like(own)
    bins = _BINS if width > 0 else 1
    return {"missing": missing, "range": rounded(np.array([low, high]), 9), "counts": _table(place, own, bins, groups)}


def _table(place: Array, own: Array, bins: int, groups: int) -> list[list[int]]:
    flat = np.bincount(own * bins + place, minlength=groups * bins).reshape(groups, bins)
    return [row.tolist() if row.any() else [] for row in flat]
