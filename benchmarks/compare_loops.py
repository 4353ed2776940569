"""What the open loop costs against the fast one: the same request grown by both, CPU time of one thread.

python benchmarks/compare_loops.py
"""

import time

import numpy as np

from bough import _core

ROWS, COLUMNS = 100_000, 20


def main() -> None:
    """Grow a full tree with either loop and print both times."""
    random = np.random.default_rng(0)
    X = random.normal(size=(ROWS, COLUMNS))
    label = (X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=ROWS) > 0).astype(np.uint32)
    columns = [(np.ascontiguousarray(column), None, 0) for column in X.T]
    table = _core.rank_table(columns, [0] * COLUMNS, None, 1)
    target = {"classes": 2, "label": label, "growth_scale": np.ones(2), "class_scale": np.ones(2)}
    options = {"criterion": "gini", "missing": "majority", "max_surrogates": 0}
    seconds = {}
    for loop in ("auto", "open"):
        begin = time.process_time()
        tree = _core.grow(table, target, {**options, "loop": loop}, None)
        seconds[loop] = time.process_time() - begin
        print(f"{'fast' if loop == 'auto' else 'open'} loop: {len(tree):,} nodes, {seconds[loop]:.2f} s")
    print(f"the open loop takes {seconds['open'] / seconds['auto']:.0f} times as long")


if __name__ == "__main__":
    main()
