"""The pieces of what a validation found: a measure, a confusion matrix, a curve, calibration by bins, a table."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.text import class_text
from bough.validate.words import interval_text, shortened

__all__ = [
    "Calibration",
    "Columns",
    "Confusion",
    "Curve",
    "Measure",
    "Section",
    "as_records",
    "curve_columns",
    "label_text",
    "repeated",
]

Floats = npt.NDArray[np.float64]
Columns = dict[str, Any]


@dataclass(frozen=True)
class Measure:
    """A measure with its interval.

    Attributes
    ----------
    name : str
    label : object
        The class it is of; None for a measure of the whole.
    value : float
        Of a report the mean of the folds, but for calibration errors: those are of all rows, the mean of the
        repetitions. Of a judgement that of all rows.
    low, high : float
        Of a report the corrected resampled t interval, no narrower than Wilson's if the measure is a share of rows; of
        a judgement see `method`. NaN where nothing tells how far chance moves the value.
    by_fold : ndarray
        Of a report one value a fold; NaN where a fold says nothing. In a mean of classes, a class that some folds lack
        counts for more in the others, so that their values may be above 1. Empty in a judgement.
    method : str
        How the interval was made; empty where there is none.
    """

    name: str
    label: Any
    value: float
    low: float
    high: float
    by_fold: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    method: str = ""


@dataclass(frozen=True)
class Confusion:
    """Rows by true (first axis) and decided class, with intervals cell by cell; of a report the mean of repetitions."""

    counts: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Curve:
    """A curve of one class against the rest, with intervals point by point; of a report the mean of the folds."""

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
class Section:
    """A table of a validation, as text and on a page.

    Attributes
    ----------
    title : str
    notes : list of str
        What is to be known of it.
    heads : list of str
    rows : list of lists
        Cells that are text, or values with an interval.
    words : tuple of int
        The columns that hold words, which are aligned left.
    shown : int or None
        So many rows are printed; a page has all.
    """

    title: str
    notes: list[str]
    heads: list[str]
    rows: list[list[Any]]
    words: tuple[int, ...] = (0,)
    shown: int | None = None

    def text_rows(self) -> list[list[str]]:
        """The heads and the rows that are printed."""
        rows = [
            [shortened(cell, 80) if isinstance(cell, str) else interval_text(cell) for cell in row]
            for row in self.rows[: self.shown]
        ]
        more = len(self.rows) - len(rows)
        last = [[f"… {more:,} more", *[""] * (len(self.heads) - 1)]] if more else []
        return [self.heads, *rows, *last]


def as_records(columns: Columns) -> list[dict[str, Any]]:
    """The rows of a table, for machines."""
    lists = [value.tolist() if hasattr(value, "tolist") else value for value in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def label_text(label: Any) -> str | None:
    """A class as text; None where there is none."""
    return None if label is None else class_text(label)


def repeated(parts: Any, sizes: list[int]) -> npt.NDArray[Any]:
    """The class of each part as text, as often as the part has rows."""
    return np.repeat(np.array([label_text(part.label) for part in parts], dtype=object), sizes)


def curve_columns(curves: tuple[Curve, ...], x: str, y: str) -> Columns:
    """The points of curves, one below the other."""
    columns: Columns = {"class": repeated(curves, [len(curve.x) for curve in curves])}
    for name, part in ((x, "x"), (y, "y"), ("low", "low"), ("high", "high")):
        columns[name] = np.concatenate([getattr(curve, part) for curve in curves]) if curves else []
    return columns
