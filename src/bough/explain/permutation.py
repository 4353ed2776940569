"""Importance of columns by permutation: how much worse the answers get when the values of a column are shuffled."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model import Tree
from bough.model.routing import columns_read
from bough.table import Encoded

__all__ = ["CLASS_LOSSES", "NUMBER_LOSSES", "class_loss", "number_loss", "permuted_losses"]

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]

CLASS_LOSSES = ("error", "brier", "log_loss")
NUMBER_LOSSES = ("squared_error", "absolute_error")

_LEAST = 1e-15  # a class that happened although it was given no chance costs the logarithm of this


def class_loss(name: str, truth: Array, answers: Array, shares: Floats, weights: Floats | None) -> float:
    """The mean loss of answers and probabilities.

    Parameters
    ----------
    name : {"error", "brier", "log_loss"}
    truth, answers : ndarray of int
        The number of the class of each row, -1 for one that the tree does not know, and of its answer.
    shares : ndarray of shape (n_rows, n_classes)
    weights : ndarray or None
    """
    if name == "error":
        loss = (truth != answers).astype(np.float64)
    else:
        chance = np.where(truth >= 0, shares[np.arange(len(truth)), truth], 0.0)
        brier = (shares**2).sum(axis=1) - 2 * chance + 1
        loss = brier if name == "brier" else -np.log(np.maximum(chance, _LEAST))
    return float(np.average(loss, weights=weights))


def number_loss(name: str, truth: Floats, answers: Floats, weights: Floats | None) -> float:
    """The mean squared or absolute error."""
    apart = np.abs(truth - answers)
    return float(np.average(apart**2 if name == "squared_error" else apart, weights=weights))


def permuted_losses(
    tree: Tree,
    columns: Sequence[Encoded],
    loss: Callable[[list[Encoded]], float],
    *,
    n_repeats: int,
    random: np.random.RandomState,
) -> Floats:
    """By how much the loss grows when a column is shuffled, missing values with the others.

    Returns
    -------
    ndarray of shape (n_columns, n_repeats)
        0 for columns that the tree does not ask. Every column is shuffled in the same orders.
    """
    n_rows = len(columns[0].data)
    base = loss(list(columns))
    grown = np.zeros((len(columns), n_repeats))
    asked = sorted(columns_read(tree))
    for repeat in range(n_repeats):
        order = random.permutation(n_rows)
        for number in asked:
            own = columns[number]
            mask = None if own.missing is None else own.missing[order]
            shuffled = [*columns[:number], Encoded(own.data[order], mask), *columns[number + 1 :]]
            grown[number, repeat] = loss(shuffled) - base
    return grown
