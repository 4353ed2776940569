"""What a page shows, as plain data: the tree in columns of numbers, its words, its routing program and its colours.

Numbers that decide over an answer are exact; those that are only shown are rounded. `web/data.js` reads this.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model import Tree
from bough.model.spread import deviations, spread_words
from bough.model.summary import kind_words, size_words
from bough.model.text import class_text
from bough.table import Column, format_label, format_text
from bough.view.page.boxes import boxes
from bough.view.page.steps import program_of, short
from bough.view.page.words import shown_number, words
from bough.view.palette import class_colors

__all__ = ["content"]


def content(tree: Tree, name: str | None = None, *, whole: bool) -> dict[str, Any]:
    """Return the data of a page; `whole` says that no part of the tree was left out of it."""
    drawn = boxes(tree)
    return {
        "version": 2,
        "head": _head(tree, name, whole),
        "classes": _classes(tree),
        "columns": [_column(*both) for both in zip(tree.schema.columns, tree.inputs.schema.columns, strict=True)],
        "nodes": _nodes(tree),
        "asks": words(tree, drawn["branch"]),
        "program": program_of(tree),
        "boxes": drawn,
    }


def _head(tree: Tree, name: str | None, whole: bool) -> dict[str, Any]:
    spread = spread_words(tree)
    places = tree.decimals[0].places
    target = format_text(tree.target, quoted=False)
    return {
        "target": target,
        "title": f"{kind_words(tree)} for {target}",
        "size": size_words(tree),
        "estimator": name,
        "spread": None if spread is None else spread[1],
        "places": places,
        "whole": whole,
        "surrogates": bool(tree.routing[0]),
        "refuses": tree.inputs.refuses_missing,
    }


def _classes(tree: Tree) -> dict[str, Any] | None:
    answer = tree.class_answer
    if answer is None or tree.class_labels is None:
        return None
    m, prior = (0.0, np.zeros(0)) if tree.smoothing is None else tree.smoothing
    return {
        "text": [class_text(label, quoted=False) for label in tree.class_labels],
        "color": list(class_colors(tree).colors),
        "scale": tree.arrays.class_scale.tolist(),
        "costs": None if tree.costs is None else tree.costs.tolist(),
        "smoothing": [m, np.asarray(prior).tolist()] if m else None,
        "tolerance": answer.tolerance,
        "smoothed": answer.decides_smoothed,
    }


def _column(column: Column, given: Column) -> dict[str, Any]:
    """A column as the tree asks it; what is typed into the page is of the type of `given`."""
    entry: dict[str, Any] = {"name": format_text(column.name, quoted=False), "kind": column.kind, "dtype": given.dtype}
    if column.levels is not None:
        entry["levels"] = [format_label(level, quoted=False) for level in column.levels]
        if column.unused:
            entry["unused"] = list(column.unused)
    return entry


def _nodes(tree: Tree) -> dict[str, Any]:
    arrays = tree.arrays
    nodes: dict[str, Any] = {
        "parent": arrays.parent.tolist(),
        "rows": arrays.rows.tolist(),
        "weight": None if np.array_equal(arrays.weight, arrays.rows) else plain(arrays.weight),
    }
    if tree.is_classifier:
        return nodes | {
            "label": arrays.label.tolist(),
            "count_size": np.diff(arrays.count_begin).tolist(),
            "count_class": arrays.count_class.tolist(),
            "count": plain(arrays.count_weight),
        }
    spread = deviations(tree)
    return nodes | {
        "value": plain(arrays.value),
        "deviation": None if spread is None else rounded(spread),
        "impurity": rounded(arrays.impurity),
    }


def plain(values: npt.NDArray[np.float64]) -> list[Any]:
    """Numbers exactly; a node without a value has null."""
    return [short(number) if math.isfinite(number) else None for number in values.tolist()]


def rounded(values: npt.NDArray[np.float64], digits: int = 6) -> list[Any]:
    """Numbers to be shown."""
    return [shown_number(number, digits) for number in values.tolist()]
