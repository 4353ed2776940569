"""How validations print: measures by their usual names, numbers with three or four digits, cells in columns."""

from collections.abc import Collection
from typing import Any

import numpy as np

__all__ = ["WORDS", "as_table", "interval_text", "measure_word", "number_text", "shortened", "sizes_text"]

WORDS = {
    "balanced_accuracy": "balanced accuracy",
    "brier": "Brier score",
    "calibration_error": "calibration error",
    "calibration_by_chance": "... by chance alone",
    "roc_auc": "area under ROC",
    "average_precision": "average precision",
    "ks": "KS distance",
    "mse": "mean squared error",
    "rmse": "root mean squared error",
    "f1": "F1",
    "mae": "mean absolute error",
    "r2": "R squared",
    "bias": "bias (predicted - true)",
    "psi": "PSI of the leaves",
    "psi_by_chance": "... by chance alone",
}


def measure_word(name: str) -> str:
    """A measure by its usual name."""
    return WORDS.get(name, name)


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


def sizes_text(sizes: Any) -> str:
    """How large what was learnt on samples is."""
    low, middle, high = np.quantile(sizes, [0.05, 0.5, 0.95])
    return f"{middle:.0f} in the median sample (5 % to 95 %: {low:.0f} to {high:.0f})"


def shortened(text: str, most: int = 30) -> str:
    """Text that is not endless."""
    return text if len(text) <= most else text[: most - 1] + "…"


def as_table(rows: list[list[str]], left: Collection[int] = (0,)) -> list[str]:
    """Cells in columns, some aligned left, by default the first."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            f"{cell:<{width}}" if place in left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
