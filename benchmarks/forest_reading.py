"""What reading a forest costs beside fitting it and predicting with it: quantiles, importance, proximity.

    python benchmarks/forest_reading.py            # a minute or two
    python benchmarks/forest_reading.py --check    # exit with status 1 if a bar is missed

All are CPU times of one thread in the same run, told as ratios, because these travel and seconds do not.
"""

import argparse
import sys

from compare_cart import Case, cpu

import bough

TREES, NEW = 100, 10_000
MOST = 10  # times the mean's, that quantiles may take


def main() -> None:
    """Fit, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check

    case = Case(100_000, "signal", 0, 0)
    X, y = case.make()
    new = case.make(seed=1)[0][:NEW]
    reg = bough.RandomForestRegressor(n_estimators=TREES, n_jobs=1).fit(X, y)
    rows = reg.leaf_rows(X, y)
    mean = min(cpu(lambda: reg.predict(new)) for _ in range(3))
    quantiles = min(cpu(lambda: reg.predict_quantiles(new, leaf_rows=rows)) for _ in range(3))
    about = f"three quantiles of {NEW:,} rows, {case.rows:,} rows trained on"
    print(f"{about}: {quantiles / mean:.1f} times the mean's time")

    case = Case(100_000, "signal", 2, 0)
    X, y = case.make()
    clf = bough.RandomForestClassifier(n_estimators=TREES, n_jobs=1)
    fit = cpu(lambda: clf.fit(X, y))
    for name, ask in {
        "out of bag": lambda: clf.out_of_bag(X, y),
        "importance by permutation": lambda: clf.importance("permutation", X=X, y=y),
        "corrected importance": lambda: clf.importance("corrected", X=X, y=y),
        "10 nearest of 2,000 rows": lambda: clf.neighbours(X[:2000], X[:20_000]),
    }.items():
        print(f"{name}: {cpu(ask) / fit:.2f} times the fit of {TREES} trees with two classes")
    if check and quantiles > MOST * mean:
        sys.exit(f"quantiles take {quantiles / mean:.1f} times the mean's time, more than {MOST}")


if __name__ == "__main__":
    main()
