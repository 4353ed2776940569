"""What a page must know beyond the tree to answer a case as the estimator does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bough.table import Schema

__all__ = ["Answering"]


@dataclass(frozen=True)
class Answering:
    """How an estimator turns the tree into answers, where the tree alone does not say it.

    Parameters
    ----------
    name : str, optional
        The class of the estimator.
    tolerance : float, default=1e-12
        By how much a class must be better than those before it, where a case ends in several nodes.
    smoothed : bool, default=True
        Whether smoothing has a say in that choice.
    refuses_missing : bool, default=False
        Whether a missing value is an error.
    inputs : Schema, optional
        The columns as they are given, where the tree knows them otherwise.
    bins : sequence of arrays or None, optional
        The edges by which numbers given become levels of the tree; None for a column that is not binned.
    """

    name: str | None = None
    tolerance: float = 1e-12
    smoothed: bool = True
    refuses_missing: bool = False
    inputs: Schema | None = None
    bins: Sequence[Any] | None = None
