"""Answers of trees that were grown on bags of other shares of the classes, brought back to those of all rows.

The trees stay what they are: `Sampling(classes="balanced", priors="kept")` only says anew what a row of each class
counts in a leaf. The factors are those of the draw on average, the same for all trees.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.forest_bags import ForestBags
from bough.table import warn

__all__ = ["class_scale", "mean_scale", "scaled_answers", "warn_of_pure_leaves"]

_MIXED = 0.05  # share of the leaves below which next to no answer changes
_SUM = 2.0**32  # above any weight of an answer
_FINE = 2.0**10  # parts of the least factor

Scale = npt.NDArray[np.uint32]


def class_scale(bags: ForestBags, fields: dict[str, Any]) -> Scale | None:
    """By class: what it counts in the answers, in whole numbers; None where answers are as drawn.

    Parameters
    ----------
    bags : ForestBags
    fields : dict
        The target in the kernel's words.
    """
    draws = bags.draws
    if draws is None or draws.own is not None or draws.sampling.priors != "kept" or not fields["classes"]:
        return None
    scale = draws.class_scale(fields["classes"])
    scale /= scale.min()
    heaviest = float(fields["weight"].max()) if "weight" in fields else 1.0
    bag = 2 * heaviest * float(draws.counts(0).sum())  # bags of groups differ in size
    whole: Scale = np.maximum(np.rint(scale * min(_FINE, _SUM / bag / scale.max())), 1.0).astype(np.uint32)
    return whole


def mean_scale(bags: ForestBags, fields: dict[str, Any]) -> float:
    """What a row drawn counts in the answers, mean over the first bag."""
    scale = class_scale(bags, fields)
    return 1.0 if scale is None else float(np.average(scale[fields["label"]], weights=bags.counts(0)))


def warn_of_pure_leaves(kernel: _core.Forest) -> None:
    """Say so where leaves hold rows of one class each, of which no factor changes the shares."""
    counts = kernel.count.reshape(-1, kernel.classes)
    mixed = float((np.count_nonzero(counts, axis=1) > 1).mean())
    if mixed < _MIXED:
        warn(
            f"sampling: priors='kept' brings the shares within leaves back to those of all rows, and {1 - mixed:.0%} "
            "of the leaves hold rows of one class alone, whose share stays 1: set min_samples_leaf to 5 or more."
        )


def scaled_answers(kernel: _core.Forest, known: int, scale: Scale) -> _core.Forest:
    """The forest with what each class counts multiplied in all answers but the first `known`, which were so before."""
    arrays = kernel.arrays()
    count = arrays["count"].reshape(-1, kernel.classes).copy()
    count[known:] *= scale
    arrays |= {"count": count.ravel(), "weight": count.sum(axis=1, dtype=np.uint32)}
    return _core.Forest.from_arrays(arrays, kernel.classes, kernel.node_bytes == 12)
