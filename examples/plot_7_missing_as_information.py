"""
A missing value may be the best predictor
=========================================

Whoever has no income to declare leaves the field empty. If values are missing by chance, surrogates repair what can
be repaired; if they are missing for a reason, a branch of their own, or the question "is it missing?", uses the
reason.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score

import bough

rng = np.random.default_rng(0)
rows = 3000
ways = {
    "surrogates": "surrogates",
    "majority branch": "majority_branch",
    "fractional cases": "fractional",
    "own branch": "own_branch",
    "learned direction": "learned_direction",
}
reasons = np.linspace(0, 1, 6)
accuracy = {way: [] for way in ways}
for reason in reasons:
    y = rng.integers(0, 2, rows)
    income = y + rng.normal(size=rows)
    age = 0.7 * income + rng.normal(size=rows)
    # Thirty in a hundred are missing: by chance, or only where the class is 1.
    by_reason = rng.random(rows) < reason
    gone = np.where(by_reason, (y == 1) & (rng.random(rows) < 0.6), rng.random(rows) < 0.3)
    X = pd.DataFrame({"income": np.where(gone, np.nan, income), "age": age})
    for way, missing in ways.items():
        tree = bough.TreeClassifier(missing=missing, pruning="cost_complexity")
        accuracy[way].append(100 * cross_val_score(tree, X, y, cv=5).mean())

# %%
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
styles = ["o-", "s--", "^:", "D-", "v-."]
colours = ["#3f90da", "#94a4a2", "#a96b59", "#bd1f01", "#ffa90e"]
for (way, points), style, colour in zip(accuracy.items(), styles, colours, strict=True):
    ax.plot(100 * reasons, points, style, color=colour, label=way)
ax.set_xlabel("missing for a reason rather than by chance, %")
ax.set_ylabel("cross-validated accuracy, %")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
