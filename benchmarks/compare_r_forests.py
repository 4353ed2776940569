"""Forests beside R's randomForest and ranger: out-of-bag error on the recorded tables, and whether it is honest.

    python benchmarks/compare_r_forests.py                     # tables of 150 rows and more, ten seeds
    python benchmarks/compare_r_forests.py --tables iris,glass --seeds 3
    python benchmarks/compare_r_forests.py --check             # exit with status 1 if a bar is missed

Needs the shared data (BOUGH_SHARED). Missing cells are filled in as the records were: the median, or the most frequent
level. Each program's record is the mean of three seeds. Errors are in per cent, or root mean squares; the difference
of the latter is in per cent of the record. The last part takes our own defaults: error out of bag minus that of ten
folds, on the tables of classes of at most 4,000 rows.
"""

import argparse
import sys

import numpy as np
import pandas as pd
from compare_rules import ORACLE, Table, _json, frame, read

import bough

LEAST_ROWS, MOST_ROWS = 150, 4000
RECORDS = {"randomForest": ("randomForest", {}), "ranger_order": ("ranger", {})}
MEAN, MOST = {True: 0.5, False: 2.0}, {True: 1.5, False: 5.0}  # points, or per cent of the error
HONEST = 0.5  # points, mean over the tables


def filled(X: pd.DataFrame) -> pd.DataFrame:
    """Missing cells as `na.roughfix` fills them in; columns without any value, which it cannot, are left out."""
    X = X.dropna(axis=1, how="all")
    fills = {
        name: column.median() if pd.api.types.is_numeric_dtype(column) else column.value_counts(sort=True).index[0]
        for name, column in X.items()
    }
    return X.fillna(fills)


def out_of_bag(maker, X: pd.DataFrame, y: pd.Series, classes: bool, seeds: int) -> float:
    """The mean error over the seeds: in per cent, or the root of the mean square."""
    errors = []
    for seed in range(seeds):
        model = maker().set_params(oob_score=True, random_state=seed, n_jobs=2).fit(X, y)
        error = float(model.out_of_bag_.error[-1])
        errors.append(100 * error if classes else error**0.5)
    return float(np.mean(errors))


def folded(maker, table: Table, X: pd.DataFrame) -> float:
    """The error in per cent over ten folds."""
    wrong = 0
    for test in table.folds:
        kept = np.ones(len(table.y), dtype=bool)
        kept[test] = False
        model = maker().set_params(n_jobs=2).fit(X[kept], table.y[kept])
        wrong += int((model.predict(X[~kept]) != table.y[~kept].to_numpy()).sum())
    return 100 * wrong / len(table.y)


def compare(name: str, seeds: int) -> list[tuple[str, bool, float]]:
    """Print a line for each program; returns program, whether classes, and the difference."""
    X, y, classes = frame(name)
    X, record, found = filled(X), _json("forest", name), []
    for key, (program, arguments) in RECORDS.items():
        there = float(np.mean(record[key]["oob_seeds_1_3"]))
        task = "classification" if classes else "regression"
        trees = {"ntree" if program == "randomForest" else "num_trees": record["_meta"]["ntree"]}
        given = {**arguments, **trees, "mtry": record[key]["mtry"]}
        here = out_of_bag(lambda p=program, t=task, g=given: bough.like(p, t, **g), X, y, classes, seeds)
        off = here - there if classes else 100 * (here / there - 1)
        unit = "points" if classes else "%"
        print(f"{name:16} {program:13} {here:10.3f} {there:10.3f} {off:+7.2f} {unit}", flush=True)
        found.append((program, classes, off))
    return found


def main() -> int:
    """Compare, and check the bars where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    named = [name for name in options.tables.split(",") if name]
    names = sorted(path.name.removesuffix(".json.gz") for path in (ORACLE / "forest").glob("*.json.gz"))
    names = [name for name in names if name in named or (not named and _json("schema", name)["rows"] >= LEAST_ROWS)]
    print(f"{'table':16} {'program':13} {'bough':>10} {'there':>10} {'':>7}")
    found = [one for name in names for one in compare(name, options.seeds)]
    missed = []
    for program in dict.fromkeys(one[0] for one in found):
        for classes in (True, False):
            off = [abs(one[2]) for one in found if one[:2] == (program, classes)]
            if not off:
                continue
            what = "points" if classes else "% of the error"
            print(f"{program}: {len(off)} tables, mean difference {np.mean(off):.2f} {what}, largest {max(off):.2f}")
            if np.mean(off) > MEAN[classes] or max(off) > MOST[classes]:
                missed.append(f"{program}, {what}")
    honest = []
    for name in names:
        X, y, classes = frame(name)
        if classes and len(y) <= MOST_ROWS:
            there = folded(bough.RandomForestClassifier, read(name), X)
            honest.append(out_of_bag(bough.RandomForestClassifier, X, y, classes, 1) - there)
    if honest:
        print(f"defaults: out of bag minus ten folds {np.mean(honest):+.2f} points, mean of {len(honest)} tables")
        if abs(np.mean(honest)) > HONEST:
            missed.append("out of bag against folds")
    for line in missed:
        print("missed:", line)
    return int(options.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
