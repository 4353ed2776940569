"""Importance of columns: what their splits gained, with or without the credit of surrogates."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.features import columns_asked

__all__ = ["column_importance"]

_PRIMARY = 0
_SURROGATE = 2


def column_importance(tree: Any, n_columns: int, *, surrogates: bool) -> npt.NDArray[np.float64]:
    """Sum over nodes of gain times weight, by column; a test that was taken at a loss earns nothing.

    A surrogate earns the node's gain times its adjusted agreement, so that a column masked by another is seen; one
    that is worse than the majority rule, kept on request, earns nothing. Where a test asks several columns, they share
    its gain: those of a conjunction in equal parts.
    """
    owner = np.repeat(np.arange(len(tree)), np.diff(tree.split_begin))
    mass = _node_mass(tree)
    gained = np.zeros(len(tree))
    primary = tree.split_role == _PRIMARY
    gained[owner[primary]] = np.maximum(tree.split_score[primary], 0.0) * mass[owner[primary]]
    columns, splits, share = columns_asked(tree, np.flatnonzero(primary))
    total = np.bincount(columns, weights=gained[owner[splits]] * share, minlength=n_columns)
    if surrogates and len(tree.split_adjusted):
        also = np.flatnonzero(tree.split_role == _SURROGATE)
        columns, splits, share = columns_asked(tree, also)
        credit = gained[owner[splits]] * np.maximum(tree.split_adjusted[splits], 0.0) * share
        total = total + np.bincount(columns, weights=credit, minlength=n_columns)
    return np.asarray(total, dtype=np.float64)


def _node_mass(tree: Any) -> npt.NDArray[np.float64]:
    """Weight of each node as its gain saw it: with priors, class weights and costs."""
    if len(tree.growth_scale) == 0:
        return np.asarray(tree.weight, dtype=np.float64)
    scaled = tree.count_weight * tree.growth_scale[tree.count_class]
    sums = np.add.reduceat(np.r_[scaled, 0.0], tree.count_begin[:-1])
    return np.asarray(sums, dtype=np.float64)
