"""Weka's learners in a Java of their own: tables out as ARFF, printed models, probabilities and times back.

All jobs run one after the other in one Java (`RunRules.java`), so that its start counts once; reading is never timed.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

__all__ = ["Job", "Ran", "missing_reason", "run"]

DRIVER = Path(__file__).parent / "RunRules.java"
# Weka reaches into Java's own classes when it starts.
JAVA = ["java", "-Xmx6g", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]


@dataclass(frozen=True)
class Job:
    """A learner, its options, the table to learn and the rows to answer."""

    learner: str  # as Weka names its class
    options: str
    X: pd.DataFrame
    y: pd.Series
    weights: np.ndarray | None = None
    rows: pd.DataFrame | None = None


@dataclass(frozen=True)
class Ran:
    """What Weka made of a job; `error` says why there is no model."""

    cpu: float = 0.0
    wall: float = 0.0
    text: str = ""
    probabilities: np.ndarray | None = None
    error: str = ""


def missing_reason(jar: Path | str | None) -> str:
    """Why Weka cannot run; empty if it can."""
    if shutil.which("java") is None:
        return "there is no java on the path"
    if jar is None or not Path(jar).exists():
        return "no weka.jar; give --jar or set WEKA_JAR (it is in the sdist of python-weka-wrapper3)"
    return ""


def run(jobs: Sequence[Job], jar: Path | str) -> list[Ran]:
    """Run the jobs in order; a table that follows itself is written and read once."""
    with tempfile.TemporaryDirectory() as name:
        folder, lines, paths = Path(name), [], {}
        for number, job in enumerate(jobs):
            key = (id(job.X), id(job.y), id(job.weights))
            if key not in paths:
                paths[key] = folder / f"{number}.arff"
                _write(paths[key], job.X, job.y, job.weights)
            rows = "-"
            if job.rows is not None:
                rows = str(folder / f"{number}.rows.arff")
                _write(Path(rows), job.rows, pd.Series([None] * len(job.rows), dtype=job.y.dtype, name=job.y.name))
            lines.append("\t".join([job.learner, job.options, str(paths[key]), rows, str(folder / f"{number}.out")]))
        (folder / "jobs").write_text("\n".join(lines), encoding="utf-8")
        command = [*JAVA, "-cp", str(jar), str(DRIVER), str(folder / "jobs")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        told = [line for line in done.stdout.splitlines() if line[:1].isdigit() or line.startswith("error")]
        if len(told) != len(jobs):
            raise RuntimeError(f"Weka ended after {len(told)} of {len(jobs)} jobs:\n{done.stderr[-2000:]}")
        return [_read(line, folder / f"{number}.out") for number, line in enumerate(told)]


def _read(line: str, output: Path) -> Ran:
    if line.startswith("error"):
        return Ran(error=line.removeprefix("error "))
    cpu, wall = map(float, line.split())
    text, _, numbers = output.read_text(encoding="utf-8").partition("\n=====\n")
    answers = np.array([list(map(float, row.split())) for row in numbers.splitlines()]) if numbers else None
    return Ran(cpu, wall, text, answers)


def _write(path: Path, X: pd.DataFrame, y: pd.Series, weights: np.ndarray | None = None) -> None:
    columns = [X[name] for name in X] + [y]
    cells = [_cells(column) for column in columns]
    if weights is not None:
        cells.append([f"{{{weight!r}}}" for weight in weights.tolist()])
    with path.open("w", encoding="utf-8", newline=os.linesep) as file:
        file.write("@relation table\n" + "".join(map(_attribute, columns)) + "@data\n")
        file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def _attribute(column: pd.Series) -> str:
    kind = "numeric"
    if hasattr(column, "cat"):
        kind = "{" + ",".join(_quoted(level) for level in column.cat.categories) + "}"
    return f"@attribute {_quoted(column.name)} {kind}\n"


def _cells(column: pd.Series) -> list[str]:
    if hasattr(column, "cat"):
        texts = [*(_quoted(level) for level in column.cat.categories), "?"]
        return [texts[code] for code in column.cat.codes]
    return ["?" if np.isnan(value) else repr(value) for value in column.astype(float).tolist()]


def _quoted(text: object) -> str:
    escaped = str(text).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
