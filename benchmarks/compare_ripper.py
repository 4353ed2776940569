"""RIPPERClassifier beside `like("JRip")` over many seeds, and beside wittgenstein: accuracy, rules and literals.

    python benchmarks/compare_ripper.py                           # 30 seeds, the recorded folds, 50 to 4,000 rows
    python benchmarks/compare_ripper.py --seeds 3 --tables iris,zoo
    python benchmarks/compare_ripper.py --wittgenstein PYTHON     # the tables of two classes; PYTHON can import it

One seed moves the mean of all tables by almost a point: so both learners run with the same seeds, and the means over
them are compared. wittgenstein refuses missing cells; both sides then get them filled alike. Needs the shared data
(BOUGH_SHARED).
"""

import argparse
import sys
from typing import Any

import numpy as np
import pandas as pd
from compare_rules import ORACLE, Table, tables
from wittgenstein_runs import filled, is_installed, run_wittgenstein

import bough


def ripper(seed: int) -> Any:
    """Ours."""
    return bough.RIPPERClassifier(random_state=seed)


def jrip(seed: int) -> Any:
    """As Weka's."""
    return bough.like("JRip", S=seed)


def parts(table: Table) -> list[tuple[pd.DataFrame, pd.Series, pd.DataFrame, np.ndarray]]:
    """For each fold the rows to learn, the rows to answer and their classes."""
    every = []
    for test in table.folds:
        kept = np.ones(len(table.y), dtype=bool)
        kept[test] = False
        every.append((table.X[kept], table.y[kept], table.X.iloc[test], table.y.iloc[test].to_numpy()))
    return every


def measured(learner: Any, table: Table, seed: int) -> tuple[float, int, int]:
    """Accuracy over the folds in per cent; rules and literals on all rows."""
    right = sum((learner(seed).fit(X, y).predict(rows) == truth).sum() for X, y, rows, truth in parts(table))
    whole = learner(seed).fit(table.X, table.y).rules_
    return 100.0 * right / len(table.y), whole.n_rules, whole.n_literals


def over_seeds(chosen: list[Table], seeds: int) -> None:
    """Print the means over seeds, a line a table."""
    print(f"{'':16}{'ripper: accuracy, rules, literals':>36}{'like JRip':>28}{'difference':>12}")
    sums = np.zeros((len(chosen), seeds, 2, 3))
    for place, table in enumerate(chosen):
        for seed in range(seeds):
            sums[place, seed] = [measured(learner, table, seed + 1) for learner in (ripper, jrip)]
        print(_line(table.name, sums[place].mean(axis=0)), flush=True)
    by_seed = sums.mean(axis=0)
    print(_line("mean", by_seed.mean(axis=0)))
    apart = by_seed[:, 0, 0] - by_seed[:, 1, 0]
    error = apart.std(ddof=1) / seeds**0.5 if seeds > 1 else float("nan")
    print(f"{seeds} seeds: ripper - like JRip = {apart.mean():+.2f} points, standard error over seeds {error:.2f}")


def _line(name: str, pair: np.ndarray) -> str:
    texts = [f"{accuracy:16.2f} {rules:6.1f} {literals:6.1f}" for accuracy, rules, literals in pair]
    return f"{name:16}{texts[0]:>36}{texts[1]}{pair[0, 0] - pair[1, 0]:+12.2f}"


def beside_wittgenstein(chosen: list[Table], python: str) -> None:
    """Print both on the tables of two classes, missing cells filled alike."""
    rows = []
    print(f"{'':16}{'ripper: accuracy, rules, literals':>36}{'wittgenstein':>28}{'difference':>12}")
    for table in chosen:
        if table.y.nunique() != 2:
            continue
        whole = filled(table.X, table.X)
        positive = table.y.value_counts().index[-1]
        split = [(filled(X, X), y, filled(rest, X), truth) for X, y, rest, truth in parts(table)]
        ours = sum((ripper(1).fit(X, y).predict(rest) == truth).sum() for X, y, rest, truth in split)
        rules = ripper(1).fit(whole, table.y).rules_
        jobs = [(X, y, rest) for X, y, rest, _ in split] + [(whole, table.y, whole.iloc[:0])]
        *found, last = run_wittgenstein(python, jobs, positive)
        theirs = sum(
            (np.array(one["positive"]) == (truth == positive)).sum()
            for one, (_, _, _, truth) in zip(found, split, strict=True)
        )
        n = len(table.y) / 100.0
        pair = [[ours / n, rules.n_rules, rules.n_literals], [theirs / n, last["rules"], last["conditions"]]]
        rows.append(pair)
        print(_line(table.name, np.array(pair)), flush=True)
    print(_line("mean", np.array(rows).mean(axis=0)))


def main() -> int:
    """Print the comparison; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--tables", default="", help="tables by name, with commas")
    parser.add_argument("--wittgenstein", metavar="PYTHON", help="a Python that can import it: compare with it instead")
    args = parser.parse_args()
    if not ORACLE.exists():
        print("the shared data are not here: set BOUGH_SHARED", file=sys.stderr)
        return 2
    chosen = [table for table in tables([name for name in args.tables.split(",") if name]) if table.classes]
    if args.wittgenstein is None:
        over_seeds(chosen, args.seeds)
    elif is_installed(args.wittgenstein):
        beside_wittgenstein(chosen, args.wittgenstein)
    else:
        print(f"skipped: {args.wittgenstein} cannot import wittgenstein")
    return 0


if __name__ == "__main__":
    sys.exit(main())
