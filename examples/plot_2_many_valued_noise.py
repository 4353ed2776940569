"""
Gain falls for columns with many values
=======================================

Information gain prefers a column of many levels even if it is pure noise; the gain ratio, and the rule of C4.5 that
only tests of at least average gain compete by it, were made against that. A noise column of more and more levels is
added to a table with one real column that predicts 80 % of the classes.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import bough
from bough.recipe import MinRows

levels = [2, 8, 32, 64, 128]
rows, repeats = 200, 20
small = {"stopping": MinRows(2, 1), "pruning": None}
rules = {
    "gain": bough.TreeClassifier(branching="per_level", criterion="entropy", **small),
    "gain ratio": bough.TreeClassifier(branching="per_level", criterion="gain_ratio", **small),
    "Gini, two sets of levels": bough.TreeClassifier(criterion="gini", **small),
    "unbiased tests": bough.TreeClassifier(search="unbiased", **small),
}

rng = np.random.default_rng(0)
chosen = {rule: [] for rule in rules}
for number in levels:
    noise_first = dict.fromkeys(rules, 0)
    for _ in range(repeats):
        y = rng.integers(0, 2, rows)
        real = np.where(rng.random(rows) < 0.8, y, 1 - y)
        table = pd.DataFrame({"noise": rng.integers(0, number, rows), "real": real}).astype(str)
        for rule, tree in rules.items():
            root = tree.fit(table, y).tree_.root
            noise_first[rule] += not root.is_leaf and root.split.column == "noise"
    for rule, times in noise_first.items():
        chosen[rule].append(times / repeats)

# %%
# With 128 levels on 200 rows there are hardly two rows to a level, and plain gain takes the noise.

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
for (rule, share), style in zip(chosen.items(), ["o-", "s--", "^:", "D-."], strict=True):
    ax.plot(levels, 100 * np.array(share), style, label=rule)
ax.set_xscale("log", base=2)
ax.set_xticks(levels, levels)
ax.set_xlabel("levels of the noise column")
ax.set_ylabel("noise is the first test, %")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
