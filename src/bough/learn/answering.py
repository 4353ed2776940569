"""How a fitted estimator answers beyond what its tree says: what it refuses, smooths, decides by, and reads as bins."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.decisions import decide
from bough.model import Tree
from bough.model.missing import spreads
from bough.model.routing import ERROR, MISSING
from bough.recipe import Laplace
from bough.table import Schema, encode_rows, kernel_columns

__all__ = ["Answering", "answering", "tree_answers"]

Floats = npt.NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Answering:
    """What a writer of another language must know of a model.

    Parameters
    ----------
    schema : Schema
        The columns that are to be given.
    bins : tuple of (ndarray or None)
        The edges of columns that are given as numbers and asked as levels; empty if there are none.
    smoothing : (float, ndarray), optional
        Rows that probabilities count beside those of a node, and how they divide among the classes.
    decides_smoothed : bool
        Whether a case that is spread gets its class by smoothed probabilities.
    tolerance : float
        Probabilities that differ by no more are equal in that choice.
    refuses_missing, refuses_unseen : bool
        Whether a row with such a value is an error, wherever it would go.
    """

    schema: Schema
    bins: tuple[Floats | None, ...] = ()
    smoothing: tuple[float, Floats] | None = None
    decides_smoothed: bool = True
    tolerance: float = _ROUNDING
    refuses_missing: bool = False
    refuses_unseen: bool = False


def answering(model: Any) -> Answering:
    """Of a fitted estimator, or of a tree alone."""
    if isinstance(model, Tree):
        return Answering(model.schema, smoothing=model.smoothing)
    recipe = model._recipe()  # noqa: SLF001 (one of our own)
    refuses = bool(model._refuses_missing())  # noqa: SLF001
    unseen = model.tree_.routing[3]
    return Answering(
        schema=model.schema_,
        bins=tuple(getattr(model, "bins_", ())),
        smoothing=model.tree_.smoothing,
        decides_smoothed=not isinstance(recipe.leaf, Laplace),
        tolerance=max(recipe.tolerance, _ROUNDING),
        refuses_missing=refuses,
        refuses_unseen=unseen == ERROR or (unseen == MISSING and refuses),
    )


def tree_answers(tree: Tree, X: Any) -> tuple[list[Any] | None, Floats | None, Floats | None]:
    """What a tree alone says of rows: labels and probabilities in the order of sorted classes, or values."""
    encoded = encode_rows(tree.schema, X)
    columns = kernel_columns(tree.schema, encoded)
    if tree.classes is None:
        if spreads(tree):
            return None, None, _core.spread_values(tree.kernel, columns)
        return None, None, tree.values(_core.apply(tree.kernel, columns))
    order = np.argsort(np.asarray(tree.classes), kind="stable")
    if not spreads(tree):
        nodes = _core.apply(tree.kernel, columns)
        return tree.labels(nodes).tolist(), tree.probabilities(nodes)[:, order], None
    m, prior = (0.0, None) if tree.smoothing is None else tree.smoothing
    shares = _core.spread_probabilities(tree.kernel, columns, 1, m, prior)
    best = decide(shares, tree.costs, _ROUNDING)
    return np.asarray(tree.classes)[best].tolist(), shares[:, order], None
