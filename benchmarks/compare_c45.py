"""C45Classifier side by side with Weka's J48: times of one fit each on the same tables, in one run.

    python benchmarks/compare_c45.py --jar weka.jar            # adult, and 200,000 rows of the mixed table
    python benchmarks/compare_c45.py --jar weka.jar --full     # adult, and 1,000,000 rows: J48 alone takes long
    python benchmarks/compare_c45.py --jar weka.jar --check    # exit with status 1 if a bar is missed

J48 runs in its own Java (a driver beside this file), which times `buildClassifier` alone: the start of Java and reading
are left out. On our side a fit counts from the frame on, one thread. Times are CPU times of the thread that works; wall
times stand beside them. If J48 runs out of 12 GB on a million rows, both take 200,000. adult needs the shared data
(BOUGH_SHARED).
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import bough

BAR = 10.0
LEVELS = [2, 3, 5, 8, 10, 20, 50, 100, 300, 1000]
DRIVER = Path(__file__).parent / "TimeJ48.java"
# Weka reaches into Java's own classes when it starts.
JAVA = ["java", "-Xmx12g", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]


@dataclass(frozen=True)
class Times:
    """Of one fit."""

    cpu: float
    wall: float
    leaves: int
    size: int


def mixed(rows: int, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Ten nominal columns of 2 to 1,000 levels, ten numeric ones, 5 % missing; two classes of equal size.

    The label is an additive effect of every level + x0 + x1 x2 + noise, cut at its median.
    """
    rng = np.random.default_rng(seed)
    score, columns = np.zeros(rows), {}
    for place, levels in enumerate(LEVELS):
        code = rng.integers(0, levels, rows)
        score += 0.3 * rng.normal(size=levels)[code]
        code[rng.random(rows) < 0.05] = -1
        columns[f"n{place}"] = pd.Categorical.from_codes(code, [f"l{level}" for level in range(levels)])
    x = rng.normal(size=(rows, 10))
    score += x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * rng.normal(size=rows)
    x[rng.random(x.shape) < 0.05] = np.nan
    columns |= {f"x{place}": np.ascontiguousarray(x[:, place]) for place in range(10)}
    y = pd.Series(pd.Categorical.from_codes((score > np.median(score)).astype(int), ["l0", "l1"]), name="y")
    return pd.DataFrame(columns), y


def adult() -> tuple[pd.DataFrame, pd.Series] | None:
    """The training table of adult, as the reference results were made from it; None without the shared data."""
    folder = Path(os.environ.get("BOUGH_SHARED", Path(__file__).parents[2] / "shared")) / "oracle"
    if not (folder / "schema" / "adult_train.json.gz").exists():
        return None
    with gzip.open(folder / "schema" / "adult_train.json.gz", "rt", encoding="utf-8") as file:
        schema = json.load(file)
    text = pd.read_csv(folder / "input" / "adult_train.csv.gz", dtype=str, keep_default_na=False)
    columns = {}
    for column in schema["columns"]:
        cells = text[column["name"]].where(text[column["name"]] != "")
        nominal = column["type"] != "numeric"
        columns[column["name"]] = (
            cells.astype(pd.CategoricalDtype(column["levels"])) if nominal else pd.to_numeric(cells).astype(float)
        )
    frame = pd.DataFrame(columns)
    return frame.drop(columns=schema["target"]), frame[schema["target"]]


def ours(estimator, X: pd.DataFrame, y: pd.Series, repeats: int) -> Times:
    """The best of several fits."""
    runs = []
    for _ in range(repeats):
        cpu, wall = time.process_time(), time.perf_counter()
        estimator.fit(X, y)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        runs.append(Times(cpu, wall, estimator.get_n_leaves(), len(estimator.tree_)))
    return min(runs, key=lambda times: times.cpu)


def weka(X: pd.DataFrame, y: pd.Series, jar: Path, repeats: int) -> Times | None:
    """The best of several fits of J48 in one Java; None if it runs out of memory."""
    with tempfile.TemporaryDirectory() as folder:
        header, data = Path(folder) / "header", Path(folder) / "data"
        columns = [X[name] for name in X.columns] + [y]
        levels = [len(c.cat.categories) if hasattr(c, "cat") else 0 for c in columns]
        header.write_text("\n".join(map(str, levels)))
        cells = np.empty((len(y), len(columns)), dtype="<f8")
        for place, column in enumerate(columns):
            cells[:, place] = column.cat.codes if hasattr(column, "cat") else column
            if hasattr(column, "cat"):
                cells[cells[:, place] < 0, place] = np.nan
        cells.tofile(data)
        command = [*JAVA, "-cp", str(jar), str(DRIVER), str(header), str(data), str(repeats)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        if "OutOfMemoryError" in run.stderr:
            return None
        raise RuntimeError(f"J48 failed:\n{run.stderr[-2000:]}")
    runs = [[float(part) for part in line.split()] for line in run.stdout.splitlines() if line[:1].isdigit()]
    wall, cpu, leaves, size = min(runs, key=lambda entry: entry[1])
    return Times(cpu, wall, int(leaves), int(size))


def compare(name: str, X: pd.DataFrame, y: pd.Series, jar: Path, repeats: int) -> float | None:
    """Print a row; returns how many times faster `C45Classifier()` is, None if J48 ran out of memory."""
    theirs = weka(X, y, jar, repeats)
    if theirs is None:
        return None
    # The second is there to show that both grow the same tree.
    mine, like = ours(bough.C45Classifier(), X, y, repeats), ours(bough.like("J48"), X, y, repeats)
    same = "equal" if (like.leaves, like.size) == (theirs.leaves, theirs.size) else "NOT EQUAL"
    print(
        f"| {name} | {mine.cpu:.2f} ({mine.wall:.2f}) | {like.cpu:.2f} ({like.wall:.2f}) "
        f"| {theirs.cpu:.2f} ({theirs.wall:.2f}) | **{theirs.cpu / mine.cpu:.1f}** ({theirs.wall / mine.wall:.1f}) "
        f"| {theirs.cpu / like.cpu:.1f} ({theirs.wall / like.wall:.1f}) | {theirs.leaves:,} leaves, {same} |",
        flush=True,
    )
    return theirs.cpu / mine.cpu


def main() -> int:
    """Print the table; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, default=os.environ.get("WEKA_JAR"), help="weka.jar, 3.9; or WEKA_JAR")
    parser.add_argument("--full", action="store_true", help="a million rows of the mixed table")
    parser.add_argument("--rows", type=int, help="so many rows of the mixed table; 0: none")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 if a ratio is below {BAR:g}")
    parser.add_argument("--repeats", type=int, default=3, help="fits of adult, of which the best counts")
    options = parser.parse_args()
    if shutil.which("java") is None:
        print("skipped: there is no java on the path")
        return 0
    if options.jar is None or not Path(options.jar).exists():
        print("skipped: no weka.jar; give --jar or set WEKA_JAR (it is in the sdist of python-weka-wrapper3)")
        return 0

    print("CPU seconds (wall seconds)")
    print("| table | C45Classifier() | like('J48') | J48 | C45 faster by | like faster by | J48's tree, like's |")
    print("|---|---|---|---|---|---|---|")
    ratios = {}
    table = adult()
    if table is None:
        print("adult is left out: no shared data; set BOUGH_SHARED")
    else:
        ratios["adult"] = compare(f"adult, {len(table[1]):,} rows", *table, options.jar, options.repeats)
    rows = options.rows if options.rows is not None else 1_000_000 if options.full else 200_000
    for size in [rows] + [200_000] * (rows > 200_000) if rows else []:
        ratios["mixed"] = compare(f"mixed, {size:,} x 20", *mixed(size), options.jar, 1)
        if ratios["mixed"] is not None:
            break
        print(f"| mixed, {size:,} x 20 | | | J48 ran out of 12 GB | | | |", flush=True)
    missed = [name for name, ratio in ratios.items() if ratio is None or ratio < BAR]
    print(f"\n{sys.platform}, Python {sys.version.split()[0]}, bough {bough.__version__}")
    print("command: python " + " ".join(["benchmarks/compare_c45.py", *sys.argv[1:]]))
    for name in missed:
        print(f"{name}: MISSED, at least {BAR:g} is wanted")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
