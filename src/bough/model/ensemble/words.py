"""Many trees in a few words: how many, how large, and what they ask."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["in_words"]

_MOST = 12  # names of columns


def in_words(title: str, leaves: npt.NDArray[Any], used: Sequence[str], columns: int, *more: str) -> str:
    """A line each for the title, the sizes of the trees, the columns that they ask, and what else is told."""
    listed = ", ".join(used[:_MOST]) + (", …" if len(used) > _MOST else "")
    lines = [
        title,
        f"leaves: {leaves.min():,} to {leaves.max():,}, {np.median(leaves):,g} in the middle",
        f"columns asked: {len(used):,} of {columns:,}{': ' if used else ''}{listed}",
        *more,
    ]
    return "\n".join(lines)
