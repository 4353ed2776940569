"""Corrected importance: what a column gains beyond its shadow, the same values in another order of the rows.

Splits gain by chance, too, and columns with many values by more of it. A shadow gains that much and nothing else, so
the difference of the two tells columns that matter from those that do not. The shadows take part in a forest of their
own: the model does not know them.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.forest_parameters import kernel_options
from bough.learn.forest_replay import Replay
from bough.learn.forest_work import ForestWork
from bough.learn.training import Training
from bough.table import Encoded, Schema, Table

if TYPE_CHECKING:
    from bough.learn.forest_estimator import ForestEstimator

__all__ = ["gain_shares", "shadow_differences"]

Floats = npt.NDArray[np.float64]


def gain_shares(kernel: _core.Forest) -> Floats:
    """By tree and column: its share in the gains of the splits; 0 in trees without a split."""
    gain = np.maximum(kernel.gain.reshape(len(kernel), -1), 0.0)
    total = gain.sum(axis=1, keepdims=True)
    shares: Floats = gain / np.where(total > 0, total, 1.0)
    return shares


def shadow_differences(estimator: "ForestEstimator", again: Replay, seed: int) -> Floats:
    """By tree and column: the share of the column in the gains, less that of its shadow.

    Parameters
    ----------
    estimator : forest
        With the parameters of the fit; as many columns are looked at in a node as there, out of twice as many.
    again : Replay
    seed : int
        Of the order of the rows, which is one for all shadows.

    Returns
    -------
    ndarray of shape (n_trees, n_columns)
    """
    training = _with_shadows(again.grown.training, np.random.default_rng(seed))
    work = ForestWork(training, again.grown.fields, kernel_options(estimator, again.grown), again.bags)
    kernel = _core.Forest()
    if work.grow(kernel, len(again.model), again.threads, None):
        raise KeyboardInterrupt
    shares = gain_shares(kernel)
    size = shares.shape[1] // 2
    difference: Floats = shares[:, :size] - shares[:, size:]
    return difference


def _with_shadows(training: Training, random: np.random.Generator) -> Training:
    """The table with a shadow of each column behind; rows of weight 0, which take no part, lend no values."""
    table = training.table
    used = np.arange(table.n_rows) if training.weights is None else np.flatnonzero(training.weights > 0)
    order = np.arange(table.n_rows)
    order[used] = random.permutation(used)

    def shadow(column: Encoded) -> Encoded:
        return Encoded(column.data[order], None if column.missing is None else column.missing[order])

    columns: Any = (*table.schema, *(dataclasses.replace(one, name=f"shadow of {one.name}") for one in table.schema))
    encoded = [*table.columns, *map(shadow, table.columns)]
    return Training(Table(Schema(columns, table.schema.named), encoded, table.n_rows), training.weights)
