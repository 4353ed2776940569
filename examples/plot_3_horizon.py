"""
The horizon: a good split behind a useless one
==============================================

Two bits whose exclusive or is the class: no test on one of them gains anything, yet two tests in a row tell all.
Whoever stops at the first node without gain never sees it. Whoever grows first and prunes later does.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score

import bough
from bough.recipe import MinGain, MinRows

rng = np.random.default_rng(3)
rows = 400
X = pd.DataFrame({f"x{i}": rng.random(rows) for i in range(4)})
y = (X["x0"] > 0.5) ^ (X["x1"] > 0.5)
y = np.where(rng.random(rows) < 0.05, ~y, y).astype(int)

# %%
# What each column promises at the root: hardly a hundredth of a bit.

print(bough.candidates(X, y, criterion="gain")[["column", "threshold", "gain"]].to_string(index=False))

# %%
# Stopping at a gain against growing and pruning, for any threshold of gain and of complexity.

thresholds = [0.0, 0.005, 0.01, 0.02, 0.05, 0.1]
size = MinRows(10, 5)
stopped = [
    cross_val_score(
        bough.TreeClassifier(criterion="entropy", stopping=[size, MinGain(gain)], pruning=None), X, y, cv=5
    ).mean()
    for gain in thresholds
]
pruned = [
    cross_val_score(
        bough.CARTClassifier(criterion="entropy", pruning=cp, min_samples_split=10, min_samples_leaf=5), X, y, cv=5
    ).mean()
    for cp in thresholds
]

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(thresholds, 100 * np.array(stopped), "s--", color="#bd1f01", label="stop where the gain is below")
ax.plot(thresholds, 100 * np.array(pruned), "o-", color="#3f90da", label="grow, then prune at this complexity")
ax.axhline(50, color="0.7", linewidth=1)
ax.set_xlabel("threshold")
ax.set_ylabel("cross-validated accuracy, %")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
