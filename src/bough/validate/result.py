"""The report of a cross-validation: measures as means of folds, with intervals that know what folds share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bough.validate.findings import Findings, of_findings
from bough.validate.pieces import Columns, label_text

__all__ = ["Report"]


@of_findings
@dataclass(frozen=True, kw_only=True)
class Report(Findings):
    """How good an estimator is on rows that it has not seen; print it, or take `to_frame()` or `to_html()`.

    `to_frame(what)` has "measures" (one row a measure), "folds" (a measure and fold), "confusion" (a true and a decided
    class), "roc" and "pr" (a point of a curve) and "calibration" (a bin).

    Attributes
    ----------
    name : str
        The estimator.
    target : str
    n_rows : int
    folds : str
        How the rows were held back.
    level : float
        Confidence of the intervals.
    ratio : float
        Test rows for each training row, by which the intervals are corrected.
    measures : tuple of Measure
        `report["accuracy"]` and `report["recall", "yes"]` find one.
    {by_class}
    provenance : Provenance or None
        Of the estimator fitted to all rows: the digest of the table, time and version.
    """

    value_word: ClassVar[str] = "mean"
    confusion_note: ClassVar[str] = "rows by true and decided class, mean of the repetitions"

    folds: str
    ratio: float

    @property
    def n_folds(self) -> int:
        """How many folds were tested, all repetitions together."""
        return len(self.measures[0].by_fold)

    def headlines(self) -> list[str]:
        """What was done, on which table, and what the intervals are, in a line each."""
        done = f"{self.name} for {self.target}, {self.n_rows:,} rows: {self.folds}"
        table = [] if self.provenance is None else [self.provenance.table_line]
        return [done, *table, self.interval_line()]

    def interval_line(self) -> str:
        """What the intervals are."""
        line = (
            f"intervals of {100 * self.level:g}%: corrected resampled t (Nadeau and Bengio) over {self.n_folds} folds"
        )
        return line if self.classes is None else f"{line}; of shares of rows at least Wilson's"

    def facts(self) -> dict[str, Any]:
        """What was done, for machines."""
        return {"estimator": self.name, "folds": self.folds, "level": self.level}

    def count_text(self, count: float) -> str:
        """A cell of the confusion matrix, which is a mean."""
        return f"{count:,.1f}"

    def tables(self) -> dict[str, Callable[[], Columns]]:
        """The tables by name."""
        return super().tables() | {"folds": self._fold_columns}

    def left_out(self) -> frozenset[str]:
        """The measures of single folds are too long."""
        return super().left_out() | {"folds"}

    def measure_columns(self) -> Columns:
        """One row a measure, with the number of the folds that tell it."""
        told = [int(np.isfinite(found.by_fold).sum()) for found in self.measures]
        return super().measure_columns() | {"folds": told}

    def _fold_columns(self) -> Columns:
        count = self.n_folds
        labels = np.array([label_text(found.label) for found in self.measures], dtype=object)
        return {
            "measure": np.repeat([found.name for found in self.measures], count),
            "class": np.repeat(labels, count),
            "fold": np.tile(np.arange(count), len(self.measures)),
            "value": np.concatenate([found.by_fold for found in self.measures]),
        }
