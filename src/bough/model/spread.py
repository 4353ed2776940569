"""How far the training rows of a node lie from its answer, in the words of the criterion that grew the tree."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["deviations", "spread_words"]

_WORDS = {
    "squared_error": ("mean", "standard deviation"),
    "absolute_error": ("median", "mean distance from it"),
    "worst_error": ("mean", "largest distance from it"),
}


def spread_words(tree: "Tree") -> tuple[str, str] | None:
    """What a node answers and how its spread is measured; None for classes and where the criterion is not known."""
    return None if tree.is_classifier else _WORDS.get(tree.criterion or "")


def deviations(tree: "Tree", nodes: int | slice = slice(None)) -> npt.NDArray[np.float64] | None:
    """The spread of nodes in the unit of the target; None where `spread_words` has none."""
    if spread_words(tree) is None:
        return None
    impurity = np.asarray(tree.arrays.impurity[nodes])
    return np.sqrt(impurity) if tree.criterion == "squared_error" else impurity
