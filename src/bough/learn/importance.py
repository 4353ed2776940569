"""Importance of columns: what their splits gained, with or without the credit of surrogates."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["column_importance"]

_PRIMARY = 0
_SURROGATE = 2
_CONJUNCTION = 3

Ints: TypeAlias = npt.NDArray[np.int64]


def column_importance(tree: Any, n_columns: int, *, surrogates: bool) -> npt.NDArray[np.float64]:
    """Sum over nodes of gain times weight, by column.

    A surrogate earns the node's gain times its adjusted agreement, so that a column masked by another is seen; one
    that is worse than the majority rule, kept on request, earns nothing. The columns of a conjunction share its gain
    in equal parts.
    """
    owner = np.repeat(np.arange(len(tree)), np.diff(tree.split_begin))
    mass = _node_mass(tree)
    gained = np.zeros(len(tree))
    primary = tree.split_role == _PRIMARY
    gained[owner[primary]] = tree.split_score[primary] * mass[owner[primary]]
    columns, splits, share = _columns_asked(tree, np.flatnonzero(primary))
    total = np.bincount(columns, weights=gained[owner[splits]] * share, minlength=n_columns)
    if surrogates and len(tree.split_adjusted):
        also = np.flatnonzero(tree.split_role == _SURROGATE)
        columns, splits, share = _columns_asked(tree, also)
        credit = gained[owner[splits]] * np.maximum(tree.split_adjusted[splits], 0.0) * share
        total = total + np.bincount(columns, weights=credit, minlength=n_columns)
    return np.asarray(total, dtype=np.float64)


def _columns_asked(tree: Any, splits: Ints) -> tuple[Ints, Ints, npt.NDArray[np.float64]]:
    """The columns that splits ask, with the split of each and its share in it: terms of a conjunction count alike."""
    joint = tree.split_kind[splits] == _CONJUNCTION
    plain, rest = splits[~joint], splits[joint]
    lists = tree.split_payload[rest].astype(np.int64)
    sizes = tree.term_begin[lists + 1] - tree.term_begin[lists]
    terms = np.repeat(tree.term_begin[lists] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    columns = np.r_[tree.split_column[plain], tree.term_column[terms]].astype(np.int64)
    return columns, np.r_[plain, np.repeat(rest, sizes)], np.r_[np.ones(len(plain)), np.repeat(1.0 / sizes, sizes)]


def _node_mass(tree: Any) -> npt.NDArray[np.float64]:
    """Weight of each node as its gain saw it: with priors, class weights and costs."""
    if len(tree.growth_scale) == 0:
        return np.asarray(tree.weight, dtype=np.float64)
    scaled = tree.count_weight * tree.growth_scale[tree.count_class]
    sums = np.add.reduceat(np.r_[scaled, 0.0], tree.count_begin[:-1])
    return np.asarray(sums, dtype=np.float64)
