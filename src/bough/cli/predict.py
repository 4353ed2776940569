"""`bough predict`: the answers of a saved tree for the rows of a file."""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bough.cli.read import is_text, read_table
from bough.errors import DataError, ParameterError
from bough.learn import CARTClassifier, load

__all__ = ["run"]


def run(*, model: str, table: str, output: str, proba: bool, separator: str | None) -> None:
    """Read, predict, write CSV."""
    import polars as pl

    estimator: Any = load(model)
    if proba and not isinstance(estimator, CARTClassifier):
        raise ParameterError("--proba needs a classification tree; this one predicts numbers.")
    levels = {column.name: column.levels for column in estimator.schema_ if column.levels is not None}
    # New rows may look like another type than those of the training: what they say goes by the levels of the model.
    texts = [name for name in levels if is_text(table) and estimator.schema_.named]
    frame = read_table(table, separator, texts)
    if estimator.schema_.named:
        names = estimator.schema_.names
        lacking = [name for name in names if name not in frame.columns]
        if lacking:
            shown = ", ".join(map(repr, lacking[:5])) + (", ..." if len(lacking) > 5 else "")
            raise DataError(
                f"{table} lacks columns that the model asks for: {shown}; it has {', '.join(frame.columns)}."
            )
        frame = {name: frame[name] for name in names}
        frame |= {name: _as_levels(frame[name].to_list(), levels[name]) for name in texts}
    answers: dict[str, Any] = {"prediction": estimator.predict(frame)}
    if proba:
        shares = estimator.predict_proba(frame)
        answers |= {f"probability of {label}": shares[:, place] for place, label in enumerate(estimator.classes_)}
    text = pl.DataFrame(answers).write_csv()
    if output == "-":
        sys.stdout.write(text)
    else:
        Path(output).write_text(text, encoding="utf-8", newline="")


def _as_levels(cells: list[str | None], levels: Sequence[Any]) -> list[Any]:
    """Fields of text as the levels that they name; what names none stays text."""
    by_text: dict[str, Any] = {}
    for level in reversed(levels):  # of two levels that are written alike the first counts
        for text in _spellings(level):
            by_text[text] = level
    by_number = {float(level): level for level in levels if type(level) in (int, float)}

    def level_of(cell: str) -> Any:
        for text in (cell, cell.strip().lower()):
            if text in by_text:
                return by_text[text]
        with contextlib.suppress(ValueError):
            return by_number.get(float(cell), cell)
        return cell

    return [None if cell is None else level_of(cell) for cell in cells]


def _spellings(level: Any) -> list[str]:
    if isinstance(level, bool):
        return ["true", "1"] if level else ["false", "0"]
    if isinstance(level, float) and level.is_integer():
        return [repr(level), str(int(level))]
    return [str(level)]
