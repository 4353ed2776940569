"""What a validation found: measures with intervals, confusion, curves, calibration; as text and as data frames."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.frame import as_frame
from bough.model.text import amount, class_text
from bough.model.writing import hand_over

__all__ = ["Calibration", "Confusion", "Curve", "Measure", "Report", "as_table", "interval_text", "number_text"]

Floats = npt.NDArray[np.float64]
WORDS = {
    "balanced_accuracy": "balanced accuracy",
    "brier": "Brier score",
    "calibration_error": "calibration error",
    "calibration_by_chance": "... by chance alone",
    "roc_auc": "area under ROC",
    "average_precision": "average precision",
    "mse": "mean squared error",
    "rmse": "root mean squared error",
    "f1": "F1",
    "mae": "mean absolute error",
    "r2": "R squared",
}


@dataclass(frozen=True)
class Measure:
    """A measure with its interval.

    Attributes
    ----------
    name : str
    label : object
        The class it is of; None for a measure of the whole.
    value : float
        The mean of the folds; calibration errors are those of all rows, the mean of the repetitions.
    low, high : float
        The corrected resampled t interval, no narrower than Wilson's if the measure is a share of rows; NaN where
        nothing tells how far chance moves the value: the folds are all equal, or say nothing.
    by_fold : ndarray
        One value a fold; NaN where a fold says nothing. In a mean of classes, a class that some folds lack counts for
        more in the others, so that their values may be above 1.
    """

    name: str
    label: Any
    value: float
    low: float
    high: float
    by_fold: Floats = field(repr=False)


@dataclass(frozen=True)
class Confusion:
    """Rows by true (first axis) and decided class: the mean of the repetitions, with intervals cell by cell."""

    counts: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Curve:
    """A curve of one class against the rest: the mean of the folds at each `x`, with intervals point by point."""

    label: Any
    x: Floats
    y: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Calibration:
    """What was predicted against what came, bin by bin.

    Attributes
    ----------
    label : object
        The class; None for numbers.
    rows : ndarray
        Weight of each bin, the mean of the repetitions.
    predicted, observed : ndarray
        Means: of the probability and the share of the class, or of both numbers.
    low, high : ndarray
        Wilson's interval of the share by the rows of one repetition; for numbers that of the mean.
    """

    label: Any
    rows: Floats
    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Report:
    """How good an estimator is on rows that it has not seen; print it, or take `to_frame()` or `to_html()`.

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
    classes : ndarray or None
        None for numbers.
    support : ndarray or None
        The weight of each class.
    confusion : Confusion or None
    roc, pr : tuple of Curve
        For the positive one of two classes, or for each of more.
    calibration : tuple of Calibration
    """

    name: str
    target: str
    n_rows: int
    folds: str
    level: float
    ratio: float
    measures: tuple[Measure, ...]
    classes: npt.NDArray[Any] | None = None
    support: Floats | None = field(default=None, repr=False)
    confusion: Confusion | None = field(default=None, repr=False)
    roc: tuple[Curve, ...] = field(default=(), repr=False)
    pr: tuple[Curve, ...] = field(default=(), repr=False)
    calibration: tuple[Calibration, ...] = field(default=(), repr=False)

    @property
    def n_folds(self) -> int:
        """How many folds were tested, all repetitions together."""
        return len(self.measures[0].by_fold)

    def __getitem__(self, key: str | tuple[str, Any]) -> Measure:
        name, label = key if isinstance(key, tuple) else (key, None)
        for found in self.measures:
            if found.name == name and (found.label is None if label is None else found.label == label):
                return found
        known = dict.fromkeys(measure.name for measure in self.measures)
        raise KeyError(f"no measure {key!r}; there are {', '.join(known)}, some only with a class")

    def to_frame(self, what: str = "measures") -> Any:
        """Return a data frame.

        Parameters
        ----------
        what : {"measures", "folds", "confusion", "roc", "pr", "calibration"}, default="measures"
            One row a measure; a measure and fold; a true and a decided class; a point of a curve; a bin.

        Returns
        -------
        DataFrame
        """
        tables = {
            "measures": self._measure_columns,
            "folds": self._fold_columns,
            "confusion": self._confusion_columns,
            "roc": lambda: _curve_columns(self.roc, "false_positive_rate", "true_positive_rate"),
            "pr": lambda: _curve_columns(self.pr, "recall", "precision"),
            "calibration": self._calibration_columns,
        }
        if what not in tables:
            raise ParameterError(f"what must be one of {', '.join(map(repr, tables))}; got {what!r}.")
        return as_frame(tables[what]())

    def to_html(self, path: Any = None) -> str:
        """Return a page with tables and curves in one piece: no script, nothing from elsewhere.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write it, too.

        Returns
        -------
        str
        """
        from bough.validate.page import report_page

        page = report_page(self)
        return hand_over(page, path, "page")

    def __str__(self) -> str:
        whole = [found for found in self.measures if found.label is None]
        width = max(len(WORDS.get(found.name, found.name)) for found in whole)
        lines = [*self.headlines(), ""]
        lines += [f"{WORDS.get(found.name, found.name):<{width}}  {interval_text(found)}" for found in whole]
        if self.classes is not None:
            lines += ["", *self._class_lines(), "", *self._confusion_lines()]
        return "\n".join(lines)

    def headlines(self) -> list[str]:
        """What was done, in two lines."""
        return [
            f"{self.name} for {self.target}, {self.n_rows:,} rows: {self.folds}",
            self.interval_line(),
        ]

    def interval_line(self) -> str:
        """What the intervals are."""
        line = (
            f"intervals of {100 * self.level:g}%: corrected resampled t (Nadeau and Bengio) over {self.n_folds} folds"
        )
        return line if self.classes is None else f"{line}; of shares of rows at least Wilson's"

    def class_names(self) -> list[str]:
        """The classes as text."""
        return [] if self.classes is None else [class_text(label) for label in self.classes.tolist()]

    def _class_lines(self) -> list[str]:
        assert self.classes is not None and self.support is not None  # noqa: S101, PT018 (asked only of classes)
        names = [found.name for found in self.measures if found.label is not None]
        heads = [WORDS.get(name, name) for name in dict.fromkeys(names)]
        rows = [["class", "rows", *heads]]
        for label, text, weight in zip(self.classes.tolist(), self.class_names(), self.support.tolist(), strict=True):
            own = [found for found in self.measures if found.label is not None and found.label == label]
            rows.append([_short(text), amount(weight), *map(interval_text, own)])
        return as_table(rows)

    def _confusion_lines(self) -> list[str]:
        assert self.confusion is not None  # noqa: S101 (there is one wherever there are classes)
        names = [_short(name, 16) for name in self.class_names()]
        rows = [["true \\ decided", *names]]
        for name, line in zip(names, self.confusion.counts.tolist(), strict=True):
            rows.append([name, *(f"{count:,.1f}" for count in line)])
        return ["rows by true and decided class, mean of the repetitions", *as_table(rows)]

    def _measure_columns(self) -> dict[str, Any]:
        return {
            "measure": [found.name for found in self.measures],
            "class": [None if found.label is None else class_text(found.label) for found in self.measures],
            "value": [found.value for found in self.measures],
            "low": [found.low for found in self.measures],
            "high": [found.high for found in self.measures],
            "folds": [int(np.isfinite(found.by_fold).sum()) for found in self.measures],
        }

    def _fold_columns(self) -> dict[str, Any]:
        count = self.n_folds
        return {
            "measure": np.repeat([found.name for found in self.measures], count),
            "class": np.repeat(
                np.array([None if found.label is None else class_text(found.label) for found in self.measures], object),
                count,
            ),
            "fold": np.tile(np.arange(count), len(self.measures)),
            "value": np.concatenate([found.by_fold for found in self.measures]),
        }

    def _confusion_columns(self) -> dict[str, Any]:
        if self.confusion is None:
            raise ParameterError("there is no confusion of numbers: what='confusion' is for classes.")
        names = np.array(self.class_names(), dtype=object)
        return {
            "true": np.repeat(names, len(names)),
            "decided": np.tile(names, len(names)),
            "rows": self.confusion.counts.ravel(),
            "low": self.confusion.low.ravel(),
            "high": self.confusion.high.ravel(),
        }

    def _calibration_columns(self) -> dict[str, Any]:
        parts = self.calibration
        labels = [None if part.label is None else class_text(part.label) for part in parts]
        columns: dict[str, Any] = {
            "class": np.repeat(np.array(labels, dtype=object), [len(part.rows) for part in parts])
        }
        for name in ("rows", "predicted", "observed", "low", "high"):
            columns[name] = np.concatenate([getattr(part, name) for part in parts]) if parts else []
        return columns


def _curve_columns(curves: tuple[Curve, ...], x: str, y: str) -> dict[str, Any]:
    labels = np.array([class_text(curve.label) for curve in curves], dtype=object)
    columns: dict[str, Any] = {"class": np.repeat(labels, [len(curve.x) for curve in curves])}
    for name, part in ((x, "x"), (y, "y"), ("low", "low"), ("high", "high")):
        columns[name] = np.concatenate([getattr(curve, part) for curve in curves]) if curves else []
    return columns


def number_text(value: float) -> str:
    """A measure with three or four digits; a dash where there is none."""
    if not np.isfinite(value):
        return "-"
    if value == 0 or 0.001 <= abs(value) < 100:
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{value:,.0f}" if 100 <= abs(value) < 1e7 else f"{value:.3g}"


def interval_text(found: Any) -> str:
    """A value with its interval in brackets."""
    if not np.isfinite(found.low):
        return number_text(found.value)
    return f"{number_text(found.value)} ({number_text(found.low)} to {number_text(found.high)})"


def _short(text: str, most: int = 30) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def as_table(rows: list[list[str]]) -> list[str]:
    """Cells in columns, the first aligned left."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
