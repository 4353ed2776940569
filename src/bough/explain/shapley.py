"""Exact Shapley values of a tree or forest: the kernel's, in the shape and order of the answers that they explain."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model import Forest, Split, Tree
from bough.model.features import without_cells
from bough.model.routing import tests_read
from bough.table import Schema

__all__ = ["forest_shapley_values", "no_rows", "shapley_values"]

Floats = npt.NDArray[np.float64]


def shapley_values(tree: Tree, columns: Any, n_threads: int = 1) -> tuple[Floats, Floats]:
    """Values of rows and the base that they add to.

    Parameters
    ----------
    tree : Tree
    columns : list
        The rows as the kernel takes them.
    n_threads : int, default=1
        The values are the same for any number.

    Returns
    -------
    values : ndarray of shape (n_rows, n_columns) or (n_rows, n_columns, n_classes)
        Classes in sorted order, as in `predict_proba`.
    base : ndarray of shape () or (n_classes,)
    """
    boxless = without_cells(tree.arrays, tests_read(tree))
    if len(boxless):
        words = Split(tree, int(boxless[0])).describe(0, exact=False)
        raise ParameterError(
            "Shapley values along the paths of a tree ask whether a column is known at a test, and one that asks "
            f"several together, as {words} does, is neither: they are not defined. Ask for kind='interventional' with "
            "a background, such as 100 rows of the training table."
        )
    m, prior = (0.0, None) if tree.smoothing is None else tree.smoothing
    values, base = _core.shapley_values(tree.kernel, columns, n_threads, m, prior)
    if tree.classes is None:
        return values[:, :, 0], base[0]
    order = np.argsort(np.asarray(tree.classes), kind="stable")
    if (order[:-1] < order[1:]).all():
        return values, base
    return values[:, :, order], base[order]


def forest_shapley_values(forest: Forest, columns: Any, n_threads: int = 1) -> tuple[Floats, Floats]:
    """The mean over the trees of their Shapley values, and of the bases that they add to; see `shapley_values`."""
    if forest.vote == "majority" and forest.is_classifier:
        raise ParameterError(
            "Shapley values explain probabilities, and this forest votes by majority: fit it with vote='mean'."
        )
    values, base = shapley_values(forest[0], columns, n_threads)
    for number in range(1, len(forest)):
        more = shapley_values(forest[number], columns, n_threads)
        values, base = values + more[0], base + more[1]
    return values / len(forest), base / len(forest)


def no_rows(schema: Schema) -> list[Any]:
    """A table without rows, as the kernel takes it: enough for a base."""
    types = [np.float64 if kind == 0 else np.int32 for kind in schema.kind_codes]
    return [(np.empty(0, kind), None, code) for kind, code in zip(types, schema.kind_codes, strict=True)]
