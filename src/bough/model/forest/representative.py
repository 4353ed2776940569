"""The tree of a forest that answers most like the forest: the one to read if only one is read."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bough.model.forest.forest import Forest

__all__ = ["distances"]


def distances(forest: "Forest", X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
    """By tree: the mean squared difference of what it says and what the forest says to these rows."""
    rows = forest.read(X)
    together = forest.votes(rows, n_threads=n_threads)
    return np.array([np.mean((said - together) ** 2) for said in forest.said(rows, n_threads=n_threads)])
