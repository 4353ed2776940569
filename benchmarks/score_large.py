"""Score a CSV file larger than memory: make one of a chosen size, run `bough predict` on it, and print the speed.

    python benchmarks/score_large.py --gigabytes 5

The rows are like those of the adult census table: six columns of numbers, eight of labels, some cells missing. What is
asked for: at least 200,000 rows a second and less than 1 GB at the peak. `--fit adult.csv` also times `bough fit`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

LEVELS = {
    "workclass": (["Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Self-emp-inc", "Federal-gov", None], 7),
    "education": (["HS-grad", "Some-college", "Bachelors", "Masters", "Assoc-voc", "11th", "Doctorate"], 5),
    "marital_status": (["Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed"], 3),
    "occupation": (["Prof-specialty", "Craft-repair", "Exec-managerial", "Sales", "Adm-clerical", None], 4),
    "relationship": (["Husband", "Not-in-family", "Own-child", "Unmarried", "Wife", "Other-relative"], 3),
    "race": (["White", "Black", "Asian-Pac-Islander", "Other"], 9),
    "sex": (["Male", "Female"], 2),
    "native_country": (["United-States", "Mexico", "Philippines", "Germany", "Canada", None], 20),
}
ROWS = 100_000  # rows made at once; the file repeats them


def make_rows(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    columns = {"age": rng.integers(17, 91, ROWS), "fnlwgt": rng.integers(12_000, 1_500_000, ROWS)}
    for name, (levels, skew) in LEVELS.items():
        shares = np.array([skew, *[1] * (len(levels) - 1)]) / (skew + len(levels) - 1)
        columns[name] = pl.Series(levels, dtype=pl.String).gather(rng.choice(len(levels), ROWS, p=shares))
    columns["education_num"] = rng.integers(1, 17, ROWS)
    columns["capital_gain"] = np.where(rng.random(ROWS) < 0.08, rng.integers(100, 100_000, ROWS), 0)
    columns["capital_loss"] = np.where(rng.random(ROWS) < 0.05, rng.integers(100, 4_400, ROWS), 0)
    columns["hours_per_week"] = rng.integers(1, 100, ROWS)
    frame = pl.DataFrame(columns)
    worth = (
        0.03 * frame["age"].to_numpy()
        + 0.25 * frame["education_num"].to_numpy()
        + 2.0 * (frame["marital_status"] == "Married-civ-spouse").to_numpy()
        + 0.0001 * frame["capital_gain"].to_numpy()
        + rng.normal(0, 1, ROWS)
    )
    return frame.with_columns(pl.Series("income", np.where(worth > 6, ">50K", "<=50K")))


def write_large(path: Path, gigabytes: float) -> int:
    """Write rows until the file has the size; return how many."""
    rows = make_rows(1).drop("income")
    block = rows.write_csv(include_header=False).encode()
    count = max(1, round(gigabytes * 1e9 / len(block)))
    with path.open("wb") as file:
        file.write((",".join(rows.columns) + "\n").encode())
        for _ in range(count):
            file.write(block)
    return count * ROWS


def run(*command: str) -> tuple[float, float]:
    """Seconds and peak megabytes of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return time.perf_counter() - start, usage.ru_maxrss / unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--folder", type=Path, default=None, help="where the file is made; a temporary one by default")
    parser.add_argument(
        "--fit", type=Path, default=None, help="a table with the target `income` to time `bough fit` on"
    )
    chosen = parser.parse_args()
    bough = str(Path(sys.executable).parent / "bough")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        small, large, model = (Path(folder) / name for name in ("small.csv", "large.csv", "model.json"))
        make_rows(0).write_csv(small)
        grow = ("--target", "income", "--set", "pruning=0.0005", "--folds", "0", "--quiet", "-o", str(model))
        run(bough, "fit", str(small), *grow)
        rows = write_large(large, chosen.gigabytes)
        seconds, peak = run(
            bough, "predict", str(model), str(large), "--quiet", "-o", str(Path(folder) / "answers.csv")
        )
        size = large.stat().st_size / 1e9
        speed = f"{rows / seconds:,.0f} rows a second, peak {peak:,.0f} MB"
        print(f"scored {rows:,} rows ({size:.2f} GB of CSV) in {seconds:.1f} s: {speed}")
        if chosen.fit is not None:
            seconds, peak = run(bough, "fit", str(chosen.fit), "-t", "income", "-q", "-o", str(model))
            told = "read, fitted, cross-validated, drawn and saved"
            print(f"bough fit {chosen.fit.name}: {seconds:.2f} s ({told}), peak {peak:,.0f} MB")


if __name__ == "__main__":
    main()
