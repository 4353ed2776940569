"""The most probable class after smoothing, where that is not the one that a node of the kernel says."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.decisions import decide

__all__ = ["relabelled", "shares_of_root"]

Floats = npt.NDArray[np.float64]


def shares_of_root(tree: Any) -> Floats:
    """The shares of the classes in the training rows, under priors."""
    nodes = np.zeros(1, dtype=np.int32)
    shares = _core.probabilities(tree, nodes)[0]
    whole: Floats = shares / shares.sum()
    return whole


def relabelled(tree: Any, m: float, prior: Floats) -> Any:
    """The tree whose nodes answer with the class that is most probable after smoothing."""
    shares = _core.probabilities(tree, np.arange(len(tree), dtype=np.int32), m, prior)
    label = decide(shares, None, 1e-12).astype(np.int32)
    if (label == tree.label).all():
        return tree
    # What an answer costs follows from it, but the complexities remember the answers that the tree was pruned by.
    scaled = tree.count_weight * tree.class_scale[tree.count_class]
    owner = np.repeat(np.arange(len(tree)), np.diff(tree.count_begin))
    wrong = np.bincount(owner, np.where(tree.count_class == label[owner], 0.0, scaled), len(tree))
    risk = np.where(label == tree.label, tree.risk, wrong)
    return _core.Tree.from_arrays({**tree.to_arrays(), "label": label, "risk": risk}, tree.routing)
