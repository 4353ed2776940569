"""What every fit reads first: the table, the weights of its rows, the number of threads."""

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError
from bough.learn.growth import rank
from bough.learn.weights import read_weights, scaled_weights, warn_of_jump
from bough.recipe.part import Facts
from bough.table import Schema, Table, build_table, missing_rows

__all__ = ["Training", "read_training"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Training:
    """The inputs of a fit."""

    table: Table
    weights: Floats | None  # one a row, None if all are one; rows of weight 0 take no part; see weights.py

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
        rows, schema = self.table.n_rows, self.table.schema
        return Facts(schema, classes, self.n_used, rows, self.weight, bool(self.incomplete), seed)

    @functools.cached_property
    def incomplete(self) -> frozenset[int]:
        """The columns of which some row that takes part lacks the value, by position."""
        used: Any = slice(None) if self.weights is None else self.weights > 0
        return frozenset(i for i, encoded in enumerate(self.table.columns) if missing_rows(encoded)[used].any())

    @property
    def may_ask(self) -> bool:
        """Whether a row can lack what a split asks: some value is missing, or levels may be absent from a node."""
        return bool(self.incomplete) or any(column.kind == "nominal" for column in self.table.schema)

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
    fractional_weights: str = "mean_one",
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
    fractional_weights : {"mean_one", "as_given"}, default="mean_one"
        Whether weights that are not whole numbers are divided by their mean.
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
    if weights is not None and fractional_weights == "mean_one":
        warn_of_jump(weights)
    return Training(table, scaled_weights(weights, fractional_weights))
