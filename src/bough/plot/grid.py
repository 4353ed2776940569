"""The cells in which a tree answers alike, over two or three of its columns; all others are held at a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.learn.importance import column_importance
from bough.model import Tree
from bough.model.features import without_cells
from bough.model.routing import tests_read
from bough.plot.values import column_values, predict_at
from bough.table import Column, format_label

__all__ = ["Axis", "chosen_columns", "held_values", "nodes_over", "places"]

_LONGEST = 14.0  # inches of a figure of many lanes


@dataclass(frozen=True)
class Axis:
    """Cells along one axis: their edges, a value inside each, and names if they are lanes."""

    column: Column
    edges: npt.NDArray[np.float64]
    values: npt.NDArray[Any]
    names: list[str] | None

    def inches(self, least: float) -> float:
        """The length of the axis in a figure of its own: room for the names of the lanes."""
        return least if self.names is None else float(np.clip(0.17 * len(self.names) + 1.2, least, _LONGEST))

    @classmethod
    def of(cls, tree: Tree, X: Any, name: str, most: int, steps: int = 100) -> "Axis":
        """The axis of a column: a lane for each level, or cells between thresholds; of more than `most` a grid.

        Where sums are asked, whose edges are slanted, cells are cut into so many steps.
        """
        index = tree.schema.names.index(name)
        column = tree.schema.columns[index]
        if column.levels is not None:
            codes = [code for code in range(column.n_levels) if code not in set(column.unused)]
            labels = [column.levels[code] for code in codes]
            values = np.empty(len(labels), dtype=object)
            values[:] = labels
            edges = np.arange(len(labels) + 1, dtype=np.float64) - 0.5
            return cls(column, edges, values, [format_label(label, quoted=False) for label in labels])
        if column.dtype not in ("float64", "float32", "int64", "uint64"):
            raise ParameterError(f"column {name!r:.80} holds {column.dtype}; plot.regions draws numbers and levels.")
        given = column_values(X, name, index).astype(np.float64)
        known = given[np.isfinite(given)]
        if not len(known):
            raise DataError(f"column {name!r:.80} of X has no finite value, so its axis has no range.")
        low, high = float(known.min()), float(known.max())
        room = 0.04 * (high - low) or 0.5
        low, high = low - room, high + room
        cuts = _cuts(tree, index)
        edges = np.unique(np.concatenate([[low], cuts[(cuts > low) & (cuts < high)], [high]]))
        if len(edges) > most:
            edges = np.linspace(low, high, most)
        if len(without_cells(tree.arrays, tests_read(tree))):  # a plane is no cut of one column
            edges = np.union1d(edges, np.linspace(low, high, steps + 1))
        return cls(column, edges, (edges[:-1] + edges[1:]) / 2, None)


def _cuts(tree: Tree, index: int) -> npt.NDArray[np.float64]:
    """All thresholds of a column."""
    tests = [node.split.test for node in tree if node.split is not None]
    cuts = [float(cut.value) for test in tests for cut in test.cuts.get(index, ())]
    return np.array(cuts, dtype=np.float64)


def chosen_columns(tree: Tree, columns: Sequence[str] | None) -> list[str]:
    """The columns of the axes: two or three as given, or the two of most importance to the tree."""
    names = tree.schema.names
    if columns is None:
        if len(names) < 2:
            raise ParameterError("plot.regions needs two columns; this tree knows one.")
        weight = column_importance(tree.kernel, len(names), surrogates=False)
        return [names[place] for place in np.argsort(-weight, kind="stable")[:2].tolist()]
    wanted = list(columns) if not isinstance(columns, str) else [columns]
    if len(wanted) not in (2, 3) or len(set(wanted)) < len(wanted):
        raise ParameterError(f"columns names two different columns, or three; got {columns!r:.80}.")
    for name in wanted:
        if name not in names:
            raise ParameterError(f"the tree knows no column {name!r:.80}; it knows {', '.join(names)[:200]}.")
    return wanted


def held_values(tree: Tree, X: Any, shown: Sequence[str], at: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the columns that are no axis."""
    for name in at:
        if name not in tree.schema.names or name in shown:
            raise ParameterError(f"at: {name!r:.80} is an axis of the picture or no column of the tree.")
    held: dict[str, Any] = {}
    used = set(tree.columns_used)
    for index, column in enumerate(tree.schema.columns):
        if column.name in shown:
            continue
        if column.name in at:
            held[column.name] = at[column.name]
        elif column.name not in used:
            held[column.name] = (
                None if column.levels is not None or column.dtype not in ("float64", "float32") else np.nan
            )
            if column.levels is None and column.dtype in ("int64", "uint64"):
                held[column.name] = 0
        else:
            held[column.name] = _typical(column, column_values(X, column.name, index))
    return held


def _typical(column: Column, given: npt.NDArray[Any]) -> Any:
    """The lower median of numbers, the most frequent of levels."""
    known = [value for value in given.tolist() if value is not None and value == value]
    if not known:
        raise DataError(f"column {column.name!r:.80} of X has no known value; give one in at={{...}}.")
    if column.levels is None:
        return sorted(known)[(len(known) - 1) // 2]
    counts: dict[Any, int] = {}
    for value in known:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: counts[value])


def nodes_over(tree: Tree, axes: Sequence[Axis], held: Mapping[str, Any]) -> npt.NDArray[np.int32]:
    """The node in which each cell ends; the first axis is the first one of the array."""
    cells = np.meshgrid(*(np.arange(len(axis.values)) for axis in axes), indexing="ij")
    table: dict[str, Any] = {name: np.full(cells[0].size, value, dtype=_dtype(value)) for name, value in held.items()}
    for axis, cell in zip(axes, cells, strict=True):
        table[axis.column.name] = axis.values[cell.ravel()]
    return predict_at(tree, {name: table[name] for name in tree.schema.names}).reshape(cells[0].shape)


def _dtype(value: Any) -> Any:
    return None if isinstance(value, int | float | np.number) and not isinstance(value, bool) else object


def places(tree: Tree, X: Any, axis: Axis, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Where rows stand along an axis; within a lane they are scattered."""
    given = column_values(X, axis.column.name, tree.schema.names.index(axis.column.name))
    if axis.names is None:
        return given.astype(np.float64)
    lane = {format_label(label): place for place, label in enumerate(axis.values)}
    found = [lane.get(format_label(value), np.nan) if _is_label(value) else np.nan for value in given.tolist()]
    return np.array(found, dtype=np.float64) + rng.uniform(-0.32, 0.32, len(found))


def _is_label(value: Any) -> bool:
    return value is not None and value == value  # NaN is the value that is not itself
