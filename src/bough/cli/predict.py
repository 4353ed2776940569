"""`bough predict`: the answers of a saved tree for the rows of a file."""

import sys
from pathlib import Path
from typing import Any

from bough.cli.read import read_table
from bough.errors import DataError, ParameterError
from bough.learn import CARTClassifier, load

__all__ = ["run"]


def run(*, model: str, table: str, output: str, proba: bool, separator: str | None) -> None:
    """Read, predict, write CSV."""
    import polars as pl

    estimator: Any = load(model)
    if proba and not isinstance(estimator, CARTClassifier):
        raise ParameterError("--proba needs a classification tree; this one predicts numbers.")
    frame = read_table(table, separator)
    if estimator.schema_.named:
        names = estimator.schema_.names
        lacking = [name for name in names if name not in frame.columns]
        if lacking:
            shown = ", ".join(map(repr, lacking[:5])) + (", ..." if len(lacking) > 5 else "")
            raise DataError(
                f"{table} lacks columns that the model asks for: {shown}; it has {', '.join(frame.columns)}."
            )
        frame = frame.select(names)
    answers: dict[str, Any] = {"prediction": estimator.predict(frame)}
    if proba:
        shares = estimator.predict_proba(frame)
        answers |= {f"probability of {label}": shares[:, place] for place, label in enumerate(estimator.classes_)}
    text = pl.DataFrame(answers).write_csv()
    if output == "-":
        sys.stdout.write(text)
    else:
        Path(output).write_text(text, encoding="utf-8", newline="")
