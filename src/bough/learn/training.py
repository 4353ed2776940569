"""What every fit reads first: the table, the weights of its rows, the number of threads."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError
from bough.learn.growth import rank
from bough.learn.target import read_weights
from bough.recipe.part import Facts
from bough.table import Schema, Table, build_table, missing_rows

__all__ = ["Training", "read_training"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Training:
    """The inputs of a fit.

    Parameters
    ----------
    table : Table
    weights : ndarray or None
        One a row, None if all are one; rows of weight 0 take no part.
    """

    table: Table
    weights: Floats | None

    @property
    def n_used(self) -> int:
        """How many rows take part."""
        return self.table.n_rows if self.weights is None else int((self.weights > 0).sum())

    @property
    def weight(self) -> float:
        """Sum of the weights."""
        return float(self.table.n_rows) if self.weights is None else float(self.weights.sum())

    def facts(self, classes: int, seed: int = 0) -> Facts:
        """What the parts of a recipe may need to know."""
        return Facts(self.table.schema, classes, self.n_used, self.table.n_rows, self.weight, seed)

    @property
    def may_ask(self) -> bool:
        """Whether a row can lack what a split asks: some value is missing, or levels may be absent from a node."""
        return any(
            column.kind == "nominal" or missing_rows(encoded).any()
            for column, encoded in zip(self.table.schema, self.table.columns, strict=True)
        )

    def ranked(self, threads: int) -> Any:
        """The columns with the rank of every value."""
        return rank(self.table, None if self.weights is None else self.weights > 0, threads)


def read_training(
    X: Any,
    sample_weight: Any,
    *,
    categorical_features: Any = "from_dtype",
    ordered_features: Any = None,
    empty_rows: str = "keep",
    unused_levels: str = "unseen",
) -> Training:
    """Read a frame and weights.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
    sample_weight : array of shape (n_rows,) or None
    categorical_features, ordered_features
        As the estimators take them.
    empty_rows : {"keep", "drop", "drop_unweighted"}, default="keep"
        Whether rows that lack every input take part: yes, no, or only if there are weights.
    unused_levels : {"unseen", "absent"}, default="unseen"
        Whether a declared level that no row holds counts as never seen, or only as absent from every node.
    """
    table = build_table(
        X,
        categorical_features=categorical_features,
        ordered_features=ordered_features,
        sample_weight=sample_weight,
    )
    if unused_levels == "absent":
        columns = tuple(dataclasses.replace(column, unused=()) for column in table.schema)
        table = dataclasses.replace(table, schema=Schema(columns, table.schema.named))
    weights = read_weights(sample_weight, table.n_rows)
    if empty_rows == "drop" or (empty_rows == "drop_unweighted" and sample_weight is None):
        empty = np.ones(table.n_rows, dtype=bool)
        for column in table.columns:
            empty &= missing_rows(column)
        if empty.all():
            raise DataError("every row lacks every input: nothing is left to learn from.")
        if empty.any():
            weights = np.where(empty, 0.0, 1.0 if weights is None else weights)
    return Training(table, weights)
