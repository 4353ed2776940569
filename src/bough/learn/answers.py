"""The most probable class after smoothing, where that is not the one that a node of the kernel says."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.decisions import decide

__all__ = ["relabelled", "shares_of_root", "unsmoothed"]

Floats = npt.NDArray[np.float64]


def shares_of_root(tree: Any) -> Floats:
    """The shares of the classes in the training rows, under priors."""
    nodes = np.zeros(1, dtype=np.int32)
    shares = _core.probabilities(tree, nodes)[0]
    whole: Floats = shares / shares.sum()
    return whole


def relabelled(tree: Any, m: float, prior: Floats) -> Any:
    """The tree whose nodes answer with the class that is most probable after smoothing.

    Risks and complexities stay those of the shares: by them trees are pruned, and smoothing comes last.
    """
    shares = _core.probabilities(tree, np.arange(len(tree), dtype=np.int32), m, prior)
    label = decide(shares, None, 1e-12).astype(np.int32)
    if (label == tree.label).all():
        return tree
    return _core.Tree.from_arrays({**tree.to_arrays(), "label": label}, tree.routing)


def unsmoothed(tree: Any) -> Any:
    """The tree with the answers that it was pruned by: the most frequent class of each node."""
    classes = len(tree.class_scale)
    return relabelled(tree, 0.0, np.full(classes, 1.0 / classes))
