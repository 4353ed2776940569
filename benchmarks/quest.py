"""Which column is taken where none tells anything: QUEST against the full search.

    python benchmarks/quest.py                  # 2,000 draws, a minute
    python benchmarks/quest.py --draws 200 --rows 500

The target is noise, the columns are nominal of 2, 4 and 8 levels, normal and exponential. The bar: QUEST takes each of
the five in 16 to 24 % of the draws, while the full search by Gini takes the 8 levels in over 30 % and the 2 levels in
under 5 %.
"""

import argparse

import numpy as np

from bough import TreeClassifier
from bough.recipe import MaxDepth

COLUMNS = ("2 levels", "4 levels", "8 levels", "normal", "exponential")


def draw(seed: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """A table of noise."""
    random = np.random.default_rng(seed)
    levels = [random.integers(0, k, rows) for k in (2, 4, 8)]
    X = np.column_stack([*levels, random.normal(size=rows), random.exponential(size=rows)])
    return X, random.integers(0, 2, rows)


def shares(search: str, draws: int, rows: int) -> np.ndarray:
    """How often each column is at the root."""
    taken = np.zeros(len(COLUMNS))
    clf = TreeClassifier(search=search, stopping=MaxDepth(1), pruning=None, categorical_features=[0, 1, 2])
    for seed in range(draws):
        split = clf.fit(*draw(seed, rows)).tree_.root.split
        taken[int(split.columns[0][1:])] += split is not None
    return taken / draws


def main() -> None:
    """Print the shares and judge the bar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=200)
    given = parser.parse_args()
    found = {search: shares(search, given.draws, given.rows) for search in ("quest", "exhaustive")}
    print(f"{'':12}" + "".join(f"{name:>13}" for name in COLUMNS))
    for search, share in found.items():
        print(f"{search:12}" + "".join(f"{value:13.3f}" for value in share))
    quest, full = found["quest"], found["exhaustive"]
    met = bool((np.abs(quest - 0.2) <= 0.04).all() and full[2] > 0.3 and full[0] < 0.05)
    print("bar", "met" if met else "missed")


if __name__ == "__main__":
    main()
