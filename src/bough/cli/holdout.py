"""A hold-out: rows of a table that are drawn by chance and kept away from fitting, to judge the model by them."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.cli.labelled import Labelled
from bough.cli.training import Training
from bough.errors import DataError

__all__ = ["held_rows", "hold_out"]


def hold_out(training: Training, share: float, seed: int) -> tuple[Training, Labelled]:
    """The rows to fit to, and the share of them that is held out.

    Of classes each gives that share, as nearly as whole rows allow; a class keeps at least one row to be learned from.
    """
    classes = training.task == "classification"
    codes = training.y.rank("dense").to_numpy().astype(np.intp) if classes else np.ones(training.X.height, np.intp)
    held = held_rows(codes, share, seed)
    if not held.any() or held.all():
        raise DataError(
            f"--holdout {share:g} of {training.X.height:,} rows leaves none to "
            f"{'fit to' if held.any() else 'judge by'}: take another share, or judge by cross-validation (--folds)."
        )
    parts: list[dict[str, Any]] = []
    for rows in (~held, held):
        part = {"X": training.X.filter(rows), "y": training.y.filter(rows)}
        parts.append(part | {"weights": None if training.weights is None else training.weights[rows]})
    return replace(training, **parts[0]), Labelled(**parts[1])


def held_rows(codes: npt.NDArray[np.intp], share: float, seed: int) -> npt.NDArray[np.bool_]:
    """Which rows are held out: of each class its share, rounded down, and what lacks by the largest remainders."""
    rows = np.bincount(codes)
    exact = share * rows
    counts = np.minimum(np.floor(exact), np.maximum(rows - 1, 0)).astype(np.intp)
    lacking = round(share * len(codes)) - int(counts.sum())
    for code in np.argsort(counts - exact, kind="stable").tolist():
        if lacking > 0 and counts[code] < rows[code] - 1:
            counts[code] += 1
            lacking -= 1
    order = np.random.default_rng(seed).permutation(len(codes))
    held = np.zeros(len(codes), dtype=bool)
    for code in np.flatnonzero(counts).tolist():
        held[order[codes[order] == code][: counts[code]]] = True
    return held
