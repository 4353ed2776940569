"""Rule learners side by side with trees: accuracy on the folds that Weka makes, for each table with a record.

    python benchmarks/compare_rules.py                        # all learners, all tables of 50 to 4,000 rows
    python benchmarks/compare_rules.py --only cn2 --tables iris,zoo
    python benchmarks/compare_rules.py --folds 1,2,3,4,5      # further folds, drawn with these seeds
    python benchmarks/compare_rules.py --check                # exit with status 1 if a bar is missed

Needs the shared data (BOUGH_SHARED). What J48 reached on its folds is read from the records; on drawn folds our own
`like("J48")` stands in, which grows the same trees. A learner is a function that returns an estimator: add one, and its
name to `CLASSES` or `NUMBERS`.
"""

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

import bough

ORACLE = Path(os.environ.get("BOUGH_SHARED", Path(__file__).parents[2] / "shared")) / "oracle"
MOST_ROWS = 4000  # unless a table is named
LEAST_ROWS = 50

Maker = Callable[[], Any]


def cn2() -> Any:
    """CN2 with its defaults: ordered, Laplace."""
    return bough.CN2Classifier()


def cn2_unordered() -> Any:
    """CN2 as a set of rules."""
    return bough.CN2Classifier(ordered=False)


def cn2_entropy() -> Any:
    """CN2 of 1989."""
    return bough.CN2Classifier(quality="entropy")


def cn2_wracc() -> Any:
    """CN2 with the weighted relative accuracy."""
    return bough.CN2Classifier(quality="wracc")


def j48() -> Any:
    """The tree to compare classes with."""
    return bough.like("J48")


def rule_regressor() -> Any:
    """Rules for numbers, by the best leaf of a tree again and again."""
    return bough.RuleRegressor()


def rule_regressor_covering() -> Any:
    """Rules for numbers by sequential covering."""
    return bough.RuleRegressor(method="covering")


def cart() -> Any:
    """The tree to compare numbers with."""
    return bough.CARTRegressor(pruning=0.01)


CLASSES: tuple[Maker, ...] = (cn2, cn2_unordered, cn2_entropy, cn2_wracc)
NUMBERS: tuple[Maker, ...] = (rule_regressor, rule_regressor_covering)
# By learner: the one to compare with, and by how much its mean may be missed.
BARS: dict[str, tuple[str, float]] = {"cn2": ("j48", 0.0), "rule_regressor": ("cart", 0.0)}


@dataclass(frozen=True)
class Table:
    """A table of the records, with the rows of each test fold."""

    name: str
    X: pd.DataFrame
    y: pd.Series
    classes: bool
    folds: list[list[int]]
    j48: float | None  # accuracy that Weka's J48 reached on these folds

    def drawn(self, seed: int) -> "Table":
        """The same table with folds of our own."""
        kind = StratifiedKFold if self.classes else KFold
        folds = [test.tolist() for _, test in kind(10, shuffle=True, random_state=seed).split(self.X, self.y)]
        return Table(self.name, self.X, self.y, self.classes, folds, None)


def _json(folder: str, name: str) -> Any:
    with gzip.open(ORACLE / folder / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def read(name: str) -> Table:
    """A table as the other programs had it."""
    schema = _json("schema", name)
    text = pd.read_csv(ORACLE / "input" / f"{name}.csv.gz", dtype=str, keep_default_na=False)
    columns = {}
    for column in schema["columns"]:
        cells = text[column["name"]].where(text[column["name"]] != "")
        nominal = column["type"] != "numeric"
        columns[column["name"]] = (
            cells.astype(pd.CategoricalDtype(column["levels"])) if nominal else pd.to_numeric(cells).astype(float)
        )
    table = pd.DataFrame(columns)
    classes = schema["task"] == "classification"
    record = _json("weka-3.9.7", name).get("J48", {}).get("cv10_seed1") if classes else None
    y = table.pop(schema["target"])
    folds = _json("folds", name)["test_folds"]
    return Table(name, table, y.astype(str) if classes else y, classes, folds, record and record["accuracy_percent"])


def tables(names: list[str]) -> Iterator[Table]:
    """Those named, or all with a record that are neither tiny nor large."""
    for path in sorted((ORACLE / "folds").glob("*.json.gz")):
        name = path.name.removesuffix(".json.gz")
        schema = ORACLE / "schema" / path.name
        if (names and name not in names) or not schema.exists():
            continue
        if names or LEAST_ROWS <= _json("schema", name)["rows"] <= MOST_ROWS:
            yield read(name)


def loss(maker: Maker, table: Table) -> tuple[float, float]:
    """The accuracy in per cent over all folds, or the error relative to that of the mean; and the rules on all rows."""
    right = 0
    squares = spread = 0.0
    for test in table.folds:
        kept = np.ones(len(table.y), dtype=bool)
        kept[test] = False
        model = maker().fit(table.X[kept], table.y[kept])
        answers, truth = model.predict(table.X.iloc[test]), table.y.iloc[test].to_numpy()
        if table.classes:
            right += int((answers == truth).sum())
        else:
            squares += float(((answers - truth) ** 2).sum())
            spread += float(((table.y[kept].mean() - truth) ** 2).sum())
    whole = maker().fit(table.X, table.y)
    size = len(whole.rules_) if hasattr(whole, "rules_") else whole.get_n_leaves()
    return (100.0 * right / len(table.y), size) if table.classes else ((squares / spread) ** 0.5, size)


def judge(chosen: list[Table], makers: tuple[Maker, ...], against: Maker) -> dict[str, float]:
    """Print a line a table and the means; the means by learner."""
    every = (against, *makers)
    print(f"{'':16}" + "".join(f"{maker.__name__:>26}" for maker in every))
    sums = {maker.__name__: [] for maker in every}
    sizes = {maker.__name__: [] for maker in every}
    for table in chosen:
        line = f"{table.name:16}"
        for maker in every:
            recorded = maker is j48 and table.j48 is not None
            value, size = (table.j48, float("nan")) if recorded else loss(maker, table)
            sums[maker.__name__].append(value)
            sizes[maker.__name__].append(size)
            line += f"{value:16.3f} ({size:5.0f})  "
        print(line, flush=True)
    means = {name: float(np.mean(values)) for name, values in sums.items()}
    print(f"{'mean':16}" + "".join(f"{means[m.__name__]:16.3f} ({np.mean(sizes[m.__name__]):5.1f})  " for m in every))
    return means


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="learners by name, with commas")
    parser.add_argument("--tables", default="", help="tables by name, with commas")
    parser.add_argument("--folds", default="", help="seeds of further folds, with commas")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a bar is missed")
    args = parser.parse_args()
    if not ORACLE.exists():
        print("the shared data are not here: set BOUGH_SHARED", file=sys.stderr)
        return 2
    only = set(filter(None, args.only.split(",")))
    given = list(tables([name for name in args.tables.split(",") if name]))
    missed = []
    for seed in (None, *map(int, filter(None, args.folds.split(",")))):
        chosen = given if seed is None else [table.drawn(seed) for table in given]
        print(f"\n{'recorded folds' if seed is None else f'folds of seed {seed}'}; (rules, or leaves)")
        for makers, against, classes in ((CLASSES, j48, True), (NUMBERS, cart, False)):
            asked = tuple(maker for maker in makers if not only or maker.__name__ in only)
            of_kind = [table for table in chosen if table.classes == classes]
            if not asked or not of_kind:
                continue
            start = time.process_time()
            means = judge(of_kind, asked, against)
            print(f"{time.process_time() - start:.1f} s of CPU time")
            for name, (other, slack) in BARS.items():
                if name in means:
                    behind = (means[other] - means[name]) * (1 if classes else -1)
                    if behind > slack:
                        missed.append(f"{name} is behind {other} by {behind:.3f}")
    print("\n" + ("\n".join(missed) or "all bars are reached"))
    return int(args.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
