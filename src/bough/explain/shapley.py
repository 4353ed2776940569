"""Exact Shapley values of a tree: the kernel's, in the shape and order of the answers that they explain."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model import Tree

__all__ = ["shapley_values"]

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
    m, prior = (0.0, None) if tree.smoothing is None else tree.smoothing
    values, base = _core.shapley_values(tree.kernel, columns, n_threads, m, prior)
    if tree.classes is None:
        return values[:, :, 0], base[0]
    order = np.argsort(np.asarray(tree.classes), kind="stable")
    if (order[:-1] < order[1:]).all():
        return values, base
    return values[:, :, order], base[order]
