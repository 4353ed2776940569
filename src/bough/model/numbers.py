"""How many decimals a drawing gives its answers and weights, chosen once for the tree."""

from typing import TYPE_CHECKING

import numpy as np

from bough.model.spread import deviations
from bough.model.text import Decimals

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["answer_decimals", "weight_decimals"]


def answer_decimals(tree: "Tree") -> Decimals:
    """Of means or medians, and of what they deviate by: three digits of the spread at the root."""
    value = tree.arrays.value
    if not len(value):
        return Decimals(0)
    spread = deviations(tree)
    if spread is None:
        return Decimals.of(value, scale=float(value.max() - value.min()), digits=3)
    return Decimals.of(np.concatenate([value, spread]), scale=float(spread[0]), digits=3)


def weight_decimals(tree: "Tree") -> Decimals:
    """Of sums of sample weights: none for whole weights, else five digits of their total and at least one decimal."""
    weights = np.concatenate([tree.arrays.weight, tree.arrays.count_weight])
    total = min(float(weights[0]), 9999.0)
    return Decimals.of(weights, scale=total, digits=5, thousands=",")
