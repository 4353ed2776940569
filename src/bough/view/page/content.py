"""What a page shows, as plain data: the tree in columns of numbers, its words and its colours.

Numbers that decide where a case goes are exact; those that are only shown are rounded. `web/data.js` reads this.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model import Tree
from bough.model.answer import ClassAnswer
from bough.model.exact import numbers_to_json
from bough.model.features import without_cells
from bough.model.features.column import number_text
from bough.model.routing import tests_read
from bough.model.spread import deviations, spread_words
from bough.model.summary import head
from bough.model.tests import splits_of_edges, splits_of_thresholds
from bough.model.tests.ordered import SIDES
from bough.model.text import class_text
from bough.table import Column, format_label, format_text
from bough.view.page.boxes import boxes
from bough.view.palette import class_colors

__all__ = ["content"]

_SAFE = 2**53  # whole numbers up to here are the same in JavaScript


def content(tree: Tree, name: str | None = None, *, whole: bool) -> dict[str, Any]:
    """Return the data of a page; `whole` says that no part of the tree was left out of it."""
    return {
        "version": 1,
        "head": _head(tree, name, whole),
        "classes": _classes(tree),
        "columns": _columns(tree),
        "routing": [int(part) for part in tree.routing],
        "deciding": _deciding(tree),
        "nodes": _nodes(tree),
        "splits": _splits(tree),
        "boxes": boxes(tree),
    }


def _head(tree: Tree, name: str | None, whole: bool) -> dict[str, Any]:
    words = spread_words(tree)
    places = tree.decimals[0].places
    target = format_text(tree.target)
    title = f"{'Classification' if tree.is_classifier else 'Regression'} tree for {target}"
    return {
        "target": target,
        "title": title,
        "size": head(tree).removeprefix(f"{title}: "),
        "estimator": name,
        "spread": None if words is None else words[1],
        "places": places,
        "whole": whole,
    }


def _classes(tree: Tree) -> dict[str, Any] | None:
    if tree.class_labels is None:
        return None
    m, prior = (0.0, np.zeros(0)) if tree.smoothing is None else tree.smoothing
    return {
        "text": [class_text(label) for label in tree.class_labels],
        "color": list(class_colors(tree).colors),
        "scale": tree.arrays.class_scale.tolist(),
        "costs": None if tree.costs is None else tree.costs.tolist(),
        "smoothing": [m, np.asarray(prior).tolist()] if m else None,
    }


def _deciding(tree: Tree) -> dict[str, Any]:
    """How a class is decided, and what is refused."""
    answer = tree.answer
    by = (answer.tolerance, answer.decides_smoothed) if isinstance(answer, ClassAnswer) else (1e-12, True)
    return {"tolerance": by[0], "smoothed": by[1], "refuses": tree.inputs.refuses_missing}


def _columns(tree: Tree) -> list[dict[str, Any]]:
    inputs = tree.inputs
    bins = [None] * len(inputs.schema) if inputs.bins is None else inputs.bins.edges
    return [_column(*entry) for entry in zip(tree.schema.columns, inputs.schema.columns, bins, strict=True)]


def _column(column: Column, given: Column, edges: Any) -> dict[str, Any]:
    """A column as the tree asks it; what is typed into the page is of the type of `given`."""
    entry: dict[str, Any] = {"name": format_text(column.name), "kind": column.kind, "dtype": given.dtype}
    if column.levels is not None:
        entry["levels"] = [format_label(level) for level in column.levels]
        if column.unused:
            entry["unused"] = list(column.unused)
    if edges is not None:
        entry["bins"] = np.asarray(edges).tolist()
    return entry


def _nodes(tree: Tree) -> dict[str, Any]:
    arrays = tree.arrays
    nodes: dict[str, Any] = {
        "parent": arrays.parent.tolist(),
        "rows": arrays.rows.tolist(),
        "weight": None if np.array_equal(arrays.weight, arrays.rows) else plain(arrays.weight),
        "majority": arrays.majority.tolist(),
        "impurity": rounded(arrays.impurity),
    }
    if tree.is_classifier:
        return nodes | {
            "label": arrays.label.tolist(),
            "count_size": np.diff(arrays.count_begin).tolist(),
            "count_class": arrays.count_class.tolist(),
            "count": plain(arrays.count_weight),
        }
    spread = deviations(tree)
    return nodes | {"value": plain(arrays.value), "deviation": None if spread is None else rounded(spread)}


def _splits(tree: Tree) -> dict[str, Any]:
    """All splits of all nodes; what a split of some kind needs stands in pools, in the order of the splits."""
    arrays = tree.arrays
    if len(without_cells(arrays, tests_read(tree))):
        raise ParameterError("a page knows tests of single columns only, as yet; this tree asks several together.")
    role, kind = arrays.split_role.astype(np.int64), arrays.split_kind.astype(np.int64)
    side, low = arrays.split_side.astype(np.int64), arrays.split_low.astype(np.int64)
    thresholds = splits_of_thresholds(arrays)
    numbers = numbers_to_json(arrays.split_payload[thresholds], arrays.split_value_type[thresholds])
    return {
        "size": np.diff(arrays.split_begin).tolist(),
        "what": (role + 3 * kind + 12 * side + 24 * low).tolist(),
        "column": arrays.split_column.tolist(),
        "score": rounded(arrays.split_score, 5),
        "missing": arrays.split_missing.tolist() if len(arrays.split_missing) else None,
        "threshold": [_safe(number) for number in numbers],
        "threshold_text": _texts(tree, numbers, thresholds),
        "set_size": np.diff(arrays.set_begin).tolist(),
        "set_code": arrays.set_code.tolist(),
        "set_branch": arrays.set_branch.tolist(),
        "edge_size": np.diff(arrays.edge_begin).tolist(),
        "edge": [_safe(edge) for edge in numbers_to_json(arrays.edge_bits, arrays.edge_type)],
        "edge_text": _edge_texts(tree),
        "interval_branch": arrays.interval_branch.tolist(),
        "term_size": np.diff(arrays.term_begin).tolist(),
        "term_column": arrays.term_column.tolist(),
        "term_code": arrays.term_code.tolist(),
        "term_negated": arrays.term_negated.tolist(),
    }


def _texts(tree: Tree, numbers: list[Any], splits: npt.NDArray[np.intp]) -> dict[str, str]:
    """Thresholds that are dates, times or durations in words, by their place in the pool."""
    columns, arrays = tree.schema.columns, tree.arrays
    return {
        str(place): _time_text(columns[column], number, side)
        for place, (number, column, side) in enumerate(
            zip(numbers, arrays.split_column[splits].tolist(), arrays.split_side[splits].tolist(), strict=True)
        )
        if is_time(columns[column])
    }


def _edge_texts(tree: Tree) -> dict[str, str]:
    """The same for the edges of intervals."""
    arrays, columns = tree.arrays, tree.schema.columns
    owners = splits_of_edges(arrays)
    numbers = numbers_to_json(arrays.edge_bits, arrays.edge_type)
    return {
        str(place): _time_text(columns[arrays.split_column[owner]], number, int(arrays.split_side[owner]))
        for place, (number, owner) in enumerate(zip(numbers, owners.tolist(), strict=True))
        if is_time(columns[arrays.split_column[owner]])
    }


def is_time(column: Column) -> bool:
    """Whether the numbers of a column count time."""
    return column.kind == "numeric" and column.dtype.startswith(("date", "time"))


def _time_text(column: Column, number: Any, side: int) -> str:
    return str(number) if isinstance(number, str) else number_text(column, number, SIDES[side], exact=True)


def _safe(number: Any) -> Any:
    """Whole numbers that JavaScript would round are written as text."""
    return str(number) if isinstance(number, int) and abs(number) > _SAFE else short(number)


def short(number: Any) -> Any:
    """A float without a fraction as a whole number, which takes less room."""
    if isinstance(number, float) and number.is_integer() and abs(number) < _SAFE:
        return int(number)
    return number


def plain(values: npt.NDArray[np.float64]) -> list[Any]:
    """Numbers exactly; a node without a value has null."""
    return [short(number) if math.isfinite(number) else None for number in values.tolist()]


def rounded(values: npt.NDArray[np.float64], digits: int = 6) -> list[Any]:
    """Numbers to be shown."""
    return [short(float(f"{number:.{digits}g}")) if math.isfinite(number) else None for number in values.tolist()]
