"""wittgenstein in a Python of its own: tables out as CSV, times, sizes and answers back."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = ["filled", "is_installed", "run_wittgenstein"]

DRIVER = Path(__file__).parent / "run_wittgenstein.py"


def is_installed(python: str) -> bool:
    """Whether this Python can import it."""
    found = subprocess.run([python, "-c", "import wittgenstein"], capture_output=True, check=False)
    return found.returncode == 0


def filled(X: pd.DataFrame, by: pd.DataFrame) -> pd.DataFrame:
    """Missing cells as the most frequent level, or the median, of the rows to learn."""
    values = {name: by[name].mode().iloc[0] if hasattr(by[name], "cat") else by[name].median() for name in by}
    return X.fillna(values)


def run_wittgenstein(
    python: str, tables: list[tuple[pd.DataFrame, pd.Series, pd.DataFrame]], positive: str, seed: int = 1
) -> Iterator[dict[str, Any]]:
    """For each (X, y, rows to answer) the CPU seconds, rules, conditions, and which rows are positive."""
    with tempfile.TemporaryDirectory() as name:
        jobs = []
        for number, (X, y, rows) in enumerate(tables):
            train, asked = Path(name) / f"{number}.csv", Path(name) / f"{number}.rows.csv"
            X.assign(**{"class of the row": y.to_numpy()}).to_csv(train, index=False)
            rows.to_csv(asked, index=False)
            jobs.append(json.dumps({"train": str(train), "rows": str(asked), "positive": positive, "seed": seed}))
        done = subprocess.run([python, str(DRIVER)], input="\n".join(jobs), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"wittgenstein failed:\n{done.stderr[-2000:]}")
    return map(json.loads, done.stdout.splitlines())
