"""Rule learners side by side with trees: accuracy on the folds that Weka makes, for each table with a record.

    python benchmarks/compare_rules.py                        # all learners, all tables of 50 to 4,000 rows
    python benchmarks/compare_rules.py --only cn2 --tables iris,zoo
    python benchmarks/compare_rules.py --folds 1,2,3,4,5      # further folds, drawn with these seeds; bars are paired
    python benchmarks/compare_rules.py --most-rows 10000      # and larger tables
    python benchmarks/compare_rules.py --simulated            # tables of which the truth is known, ten folds
    python benchmarks/compare_rules.py --speed --jar weka.jar # times, beside Weka's and wittgenstein's (rules_speed.py)
    python benchmarks/compare_rules.py --check                # exit with status 1 if a bar is missed

Needs the shared data (BOUGH_SHARED). What J48 and the rules of C5.0 reached on Weka's folds is read from the records;
on drawn folds our own `like("J48")` stands in, which grows the same trees. Bars are of the mean over all draws of
folds. A learner is a function that returns an estimator: add one, and its name to `CLASSES` or `NUMBERS`.
"""

import argparse
import gzip
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rules_speed import speed
from sklearn.model_selection import KFold, StratifiedKFold

import bough

ORACLE = Path(os.environ.get("BOUGH_SHARED", Path(__file__).parents[2] / "shared")) / "oracle"
LEAST_ROWS = 50
C50 = "C5.0 rules"
# Of 57 to 1,000 rows: those on which C4.5Rules was tried when it was specified.
_SMALL = "breast_cancer credit_g diabetes glass heart iris kyphosis labor monks1_train penguins soybean tic_tac_toe"
FOURTEEN = frozenset([*_SMALL.split(), "votes", "zoo"])

Maker = Callable[[], Any]


def ripper() -> Any:
    """RIPPER with its defaults."""
    return bough.RIPPERClassifier()


def part() -> Any:
    """Rules from partial trees."""
    return bough.PARTClassifier()


def c45_rules() -> Any:
    """The leaves of a tree as rules."""
    return bough.C45RulesClassifier()


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


CLASSES: tuple[Maker, ...] = (ripper, part, c45_rules, cn2, cn2_unordered, cn2_entropy, cn2_wracc)
NUMBERS: tuple[Maker, ...] = (rule_regressor, rule_regressor_covering)
# A learner, the one to compare with, and by how much its mean may be missed.
BARS: tuple[tuple[str, str, float], ...] = (
    ("part", "j48", 0.0),
    ("c45_rules", "j48", 0.0),
    ("c45_rules", C50, 0.5),
    ("cn2", "j48", 0.0),
    ("rule_regressor", "cart", 0.0),
)


@dataclass(frozen=True)
class Table:
    """A table of the records, with the rows of each test fold."""

    name: str
    X: pd.DataFrame
    y: pd.Series
    classes: bool
    folds: list[list[int]]
    recorded: dict[str, float]  # accuracies that other programs reached on these folds

    def drawn(self, seed: int) -> "Table":
        """The same table with folds of our own."""
        kind = StratifiedKFold if self.classes else KFold
        folds = [test.tolist() for _, test in kind(10, shuffle=True, random_state=seed).split(self.X, self.y)]
        return Table(self.name, self.X, self.y, self.classes, folds, {})


def _json(folder: str, name: str) -> Any:
    with gzip.open(ORACLE / folder / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def frame(name: str, like: str = "") -> tuple[pd.DataFrame, pd.Series, bool]:
    """A table as the other programs had it, or with the columns of another one: inputs, target, of classes or not."""
    schema = _json("schema", like or name)
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
    y = table.pop(schema["target"])
    return table, y.astype(str) if classes else y, classes


def read(name: str) -> Table:
    """A table with its folds and its record."""
    X, y, classes = frame(name)
    found = {}
    if classes:
        found["j48"] = _json("weka-3.9.7", name).get("J48", {}).get("cv10_seed1")
        found[C50] = _json("c50", name).get("rules", {}).get("cv10_weka_folds")
    recorded = {program: record["accuracy_percent"] for program, record in found.items() if record}
    return Table(name, X, y, classes, _json("folds", name)["test_folds"], recorded)


def tables(names: list[str], most_rows: int = 4000) -> Iterator[Table]:
    """Those named, or all with a record that are neither tiny nor large."""
    for path in sorted((ORACLE / "folds").glob("*.json.gz")):
        name = path.name.removesuffix(".json.gz")
        schema = ORACLE / "schema" / path.name
        if (names and name not in names) or not schema.exists():
            continue
        if names or LEAST_ROWS <= _json("schema", name)["rows"] <= most_rows:
            yield read(name)


def simulated() -> Iterator[Table]:
    """Tables of which the truth is known: the three monks (the third with noise), LED and waveform."""
    made = {f"monks {k}": bough.datasets.make_monks(k, noise=0.05 * (k == 3), random_state=1) for k in (1, 2, 3)}
    made |= {"LED": bough.datasets.make_led(1000, random_state=1)}
    made |= {"waveform": bough.datasets.make_waveform(1000, random_state=1)}
    for name, dataset in made.items():
        X, y = dataset.xy()
        yield Table(name, X, pd.Series(np.asarray(y).astype(str)), True, [], {}).drawn(1)


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
    """Print a line a table and the means; the means by learner, and of what all tables have a record of."""
    every = {maker.__name__: maker for maker in (against, *makers)}
    only_recorded = [C50] if all(C50 in table.recorded for table in chosen) else []
    names = [*only_recorded, *every]
    print(f"{'':16}" + "".join(f"{name:>26}" for name in names))
    values, sizes = np.zeros((2, len(chosen), len(names)))
    for row, table in enumerate(chosen):
        for column, name in enumerate(names):
            if name in table.recorded:
                values[row, column], sizes[row, column] = table.recorded[name], np.nan
            else:
                values[row, column], sizes[row, column] = loss(every[name], table)
        print(_line(table.name, values[row], sizes[row]), flush=True)
    print(_line("mean", values.mean(axis=0), sizes.mean(axis=0)))
    few = [row for row, table in enumerate(chosen) if table.name in FOURTEEN]
    if len(few) == len(FOURTEEN) < len(chosen):
        print(_line("mean of fourteen", values[few].mean(axis=0), sizes[few].mean(axis=0)))
    return dict(zip(names, values.mean(axis=0).tolist(), strict=True))


def _line(name: str, values: np.ndarray, sizes: np.ndarray) -> str:
    cells = zip(values, sizes, strict=True)
    return f"{name:16}" + "".join(f"{value:16.3f} ({size:5.1f})  " for value, size in cells)


def bars_missed(means: list[dict[str, float]], sign: int) -> list[str]:
    """Print the differences that bars are about, paired and positive where the learner is better; those missed."""
    missed = []
    for name, other, slack in BARS:
        apart = [sign * (one[name] - one[other]) for one in means if name in one and other in one]
        if apart:
            text = f"{name} - {other}: {np.mean(apart):+.3f} in the mean of {len(apart)} draws of folds"
            print(f"{text} (at least {-slack:g} is wanted)")
            missed += [text] if np.mean(apart) < -slack else []
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="learners by name, with commas")
    parser.add_argument("--tables", default="", help="tables by name, with commas")
    parser.add_argument("--folds", default="", help="seeds of further folds, with commas")
    parser.add_argument("--most-rows", type=int, default=4000, help="of tables that are not named")
    parser.add_argument("--simulated", action="store_true", help="tables of which the truth is known")
    parser.add_argument("--speed", action="store_true", help="times instead of accuracy")
    parser.add_argument("--jar", default=os.environ.get("WEKA_JAR"), help="weka.jar, 3.9, for --speed; or WEKA_JAR")
    parser.add_argument("--wittgenstein", metavar="PYTHON", default=sys.executable, help="a Python that can import it")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a bar is missed")
    args = parser.parse_args()
    warnings.filterwarnings("ignore", "The least populated class")  # some classes have fewer rows than there are folds
    if args.speed:
        missed = speed(args.jar, args.wittgenstein)
        return int(args.check and bool(missed))
    if args.simulated:
        asked = tuple(maker for maker in CLASSES if maker.__name__ in args.only.split(",") or not args.only)
        judge(list(simulated()), asked, j48)
        return 0
    if not ORACLE.exists():
        print("the shared data are not here: set BOUGH_SHARED", file=sys.stderr)
        return 2
    only = set(filter(None, args.only.split(",")))
    given = list(tables([name for name in args.tables.split(",") if name], args.most_rows))
    means: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    for seed in (None, *map(int, filter(None, args.folds.split(",")))):
        chosen = given if seed is None else [table.drawn(seed) for table in given]
        print(f"\n{'recorded folds' if seed is None else f'folds of seed {seed}'}; (rules, or leaves)")
        for makers, against, classes in ((CLASSES, j48, True), (NUMBERS, cart, False)):
            asked = tuple(maker for maker in makers if not only or maker.__name__ in only)
            of_kind = [table for table in chosen if table.classes == classes]
            if not asked or not of_kind:
                continue
            start = time.process_time()
            means[classes].append(judge(of_kind, asked, against))
            print(f"{time.process_time() - start:.1f} s of CPU time")
    print()
    missed = bars_missed(means[True], 1) + bars_missed(means[False], -1)
    print("missed: " + "; ".join(missed) if missed else "all bars are reached")
    return int(args.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
