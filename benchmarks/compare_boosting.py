"""Boosted C4.5 trees side by side with one tree and with C5.0: accuracy on the recorded folds and test tables.

    python benchmarks/compare_boosting.py                    # all tables of classes of 150 to 4,000 rows, adult, monks
    python benchmarks/compare_boosting.py --tables iris,zoo
    python benchmarks/compare_boosting.py --more             # other ways to boost and to bag beside it
    python benchmarks/compare_boosting.py --check            # exit with status 1 if a bar is missed

Needs the shared data (BOUGH_SHARED). What C5.0 reached with ten trials is read from the records.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from compare_rules import ORACLE, Table, _json, frame, tables

import bough

LEAST_ROWS, MOST_ROWS = 150, 4000
GAIN = 1.5  # points above one tree, mean over the tables
TESTS = {"adult": 86.3, "monks1": 100.0}  # least accuracy in per cent on the test table

Maker = Callable[[], Any]


def c45() -> Any:
    """The tree to compare with."""
    return bough.C45Classifier()


def boosted() -> Any:
    """Ten trials by confidence."""
    return bough.BoostedTreesClassifier()


def m1() -> Any:
    """The same by AdaBoost.M1."""
    return bough.BoostedTreesClassifier(method="adaboost_m1")


def by_weight() -> Any:
    """The same with votes by weight."""
    return bough.BoostedTreesClassifier(vote="weight")


def no_stop() -> Any:
    """The same without an early stop."""
    return bough.BoostedTreesClassifier(early_stopping=False)


def unpruned() -> Any:
    """The same with trees that are not pruned."""
    return bough.BoostedTreesClassifier(bough.C45Classifier(pruning=None))


def bagged() -> Any:
    """Fifty C4.5 trees."""
    return bough.BaggedTreesClassifier(bough.C45Classifier())


def grouped() -> Any:
    """The same with levels in groups, as C5.0 has them unless told otherwise."""
    return bough.BoostedTreesClassifier(bough.C45Classifier(branching="grouped"))


MAKERS: tuple[Maker, ...] = (c45, boosted, grouped)
MORE: tuple[Maker, ...] = (m1, by_weight, no_stop, unpruned, bagged)


def accuracy(maker: Maker, table: Table) -> float:
    """In per cent, over all folds."""
    right = 0
    for test in table.folds:
        kept = np.ones(len(table.y), dtype=bool)
        kept[test] = False
        model = maker().fit(table.X[kept], table.y[kept])
        right += int((model.predict(table.X.iloc[test]) == table.y.iloc[test].to_numpy()).sum())
    return 100.0 * right / len(table.y)


def recorded(name: str) -> float:
    """What C5.0 reached with ten trials."""
    found = _json("c50", name).get("boost10", {}).get("test") or {}
    return float(found.get("accuracy_percent", np.nan))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="", help="tables by name, with commas")
    parser.add_argument("--more", action="store_true", help="other ways to boost and to bag beside it")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a bar is missed")
    args = parser.parse_args()
    if not ORACLE.exists():
        print("the shared data are not here: set BOUGH_SHARED", file=sys.stderr)
        return 2
    makers = MAKERS + (MORE if args.more else ())
    named = [name for name in args.tables.split(",") if name]
    chosen = [t for t in tables(named) if t.classes and (named or LEAST_ROWS <= len(t.y) <= MOST_ROWS)]
    missed = []
    start = time.process_time()
    print(f"{'':16}" + "".join(f"{maker.__name__:>11}" for maker in makers) + f"{'C5.0':>11}")
    lines = []
    for table in chosen:
        lines.append([accuracy(maker, table) for maker in makers])
        print(f"{table.name:16}" + "".join(f"{value:11.2f}" for value in lines[-1]), flush=True)
    means = np.mean(lines, axis=0)
    print(f"{'mean':16}" + "".join(f"{value:11.2f}" for value in means))
    if means[1] - means[0] < GAIN:
        missed.append(f"boosting gains {means[1] - means[0]:.2f} points, not {GAIN}")
    for name, least in {} if named else TESTS.items():
        X, y, _ = frame(f"{name}_train")
        Z, z, _ = frame(f"{name}_test", f"{name}_train")
        reached = [100.0 * float((maker().fit(X, y).predict(Z) == z.to_numpy()).mean()) for maker in makers]
        shown = [*reached, recorded(f"{name}_train")]
        print(f"{name + ', test':16}" + "".join(f"{value:11.2f}" for value in shown), flush=True)
        if max(reached[1:]) < least:
            missed.append(f"{name}: {max(reached[1:]):.2f}, not {least}")
    print(f"{time.process_time() - start:.1f} s of CPU time\n" + ("\n".join(missed) or "all bars are reached"))
    return int(args.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
