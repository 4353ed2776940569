"""One growth: the ranked table, target, weights and options of one call of the kernel, which folds repeat."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.table import Table, kernel_columns

__all__ = ["Growth", "rank", "thread_count"]

Floats = npt.NDArray[np.float64]


def thread_count(n_jobs: Any) -> int:
    """The threads that `n_jobs` asks for, never more than there are processors for this process.

    Processors count as far as affinity and the quota of the control group allow. A worker process of joblib may use its
    share of them only, which joblib hands it in the variables that libraries of threads read.
    """
    if n_jobs is not None and (n_jobs == 0 or not isinstance(n_jobs, int | np.integer)):
        raise ParameterError(f"n_jobs must be a whole number other than 0, or None; got {n_jobs!r}.")
    asked = int(joblib.effective_n_jobs(n_jobs))
    if asked == 1:
        return 1  # the usual case: processors need not be counted, for which joblib reads files
    most = int(joblib.cpu_count())
    if multiprocessing.parent_process() is not None:
        with contextlib.suppress(ValueError):
            most = min(most, int(os.environ.get("OMP_NUM_THREADS", most)))
    return max(1, min(asked, most))


def rank(table: Table, used: npt.NDArray[np.bool_] | None, threads: int) -> _core.RankedTable:
    """The columns with the rank of every value, made once for a fit and all its folds."""
    levels = [len(column.levels) if column.levels is not None else 0 for column in table.schema]
    mask = None if used is None else used.astype(np.uint8)
    return _core.rank_table(kernel_columns(table.schema, table.columns), levels, mask, threads)


@dataclass(frozen=True)
class Growth:
    """All that a tree is grown from; folds differ from the whole in the weights only."""

    ranked: _core.RankedTable
    target: dict[str, Any]  # fields of the kernel's target but the weights
    options: dict[str, Any]  # of the kernel by name
    weights: Floats | None  # one a row; rows of weight 0 take no part
    may_ask: bool = True  # whether a row can need a surrogate: a value is missing, or a level may be absent from a node
    kept: npt.NDArray[np.bool_] | None = None  # rows kept back, which are only asked whether a split serves them

    def fields(self, weights: Floats | None) -> dict[str, Any]:
        """The target with weights."""
        return self.target if weights is None else {**self.target, "weight": weights}

    def grow(
        self,
        cp: float,
        *,
        weights: Floats | None = None,
        progress: Callable[[float], None] | None = None,
        cut: bool = True,
        refused: list[Any] | None = None,
        choices: list[Any] | None = None,
    ) -> Any:
        """Grow a tree, cut at the relative complexity `cp`; a negative one cuts nothing.

        With `cut=False` the tree is as it was grown, and its nodes have the complexities that `cp` asks for. `refused`
        gets the splits that rows kept back refuse: see `ValidationLog.read`; `choices` what nodes chose among searches.
        """
        weights = self.weights if weights is None else weights
        options = {**self.options, "cp": cp, "cut": cut}
        if self.kept is not None:
            every = self.every(weights)
            options["validation"] = np.where(self.kept, every, 0.0)
            weights = self.grown_on(every)
        return _core.grow(self.ranked, self.fields(weights), options, progress, refused, choices)

    def refined(
        self, tree: Any, *, weights: Floats | None = None, progress: Callable[[float], None] | None = None
    ) -> Any:
        """The tree with better tests; it never errs more on the rows that it was grown on."""
        weights = self.grown_on(self.weights if weights is None else weights)
        return _core.refine(tree, self.ranked, self.fields(weights), self.options, progress)

    def every(self, weights: Floats | None) -> Floats:
        """One weight a row."""
        return np.ones(self.ranked.n_rows) if weights is None else weights

    def grown_on(self, weights: Floats | None) -> Floats | None:
        """The weights without rows that are kept back."""
        return weights if self.kept is None else np.where(self.kept, 0.0, self.every(weights))

    def with_surrogates(
        self, tree: Any, *, weights: Floats | None = None, progress: Callable[[float], None] | None = None
    ) -> Any:
        """The tree with surrogates at every inner node, if any are wanted."""
        if self.options["max_surrogates"] == 0:
            return tree
        weights = self.grown_on(self.weights if weights is None else weights)
        return _core.add_surrogates(tree, self.ranked, self.fields(weights), self.options, progress)
