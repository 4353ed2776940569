"""
Pruning before against pruning after
====================================

Pre-pruning keeps a split only if it helps on rows held back; post-pruning grows the whole tree and takes back what
does not help. The first is quicker and smaller, the second sees further. Ten tables of each kind, a third of the rows
held back for the decision, and fresh rows for the accuracy.
"""

import matplotlib.pyplot as plt
import numpy as np

import bough
from bough.recipe import MinRows, ReducedError, Validation

makers = {
    "waveform": lambda seed: bough.datasets.make_waveform(600),
    "LED": lambda seed: bough.datasets.make_led(600, noise=0.1),
    "diagonal": lambda seed: bough.datasets.make_diagonal(600, noise=0.1),
}
size = MinRows(4, 2)
ways = {
    "full tree": bough.TreeClassifier(stopping=size, pruning=None),
    "before": bough.TreeClassifier(stopping=[size, Validation(holdout=3)], pruning=None),
    "after": bough.TreeClassifier(stopping=size, pruning=ReducedError(holdout=3)),
}
results = {}
for name, make in makers.items():
    for way, estimator in ways.items():
        found = []
        for seed in range(10):
            X, y = make(seed).xy()
            tree = estimator.fit(X.iloc[:300], y[:300])
            found.append((tree.get_n_leaves(), 100 * tree.score(X.iloc[300:], y[300:])))
        results[name, way] = np.mean(found, axis=0)

# %%
fig, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
place = np.arange(len(makers))
for k, (way, colour) in enumerate(zip(ways, ["#94a4a2", "#ffa90e", "#3f90da"], strict=True)):
    for column, ax in enumerate(axes):
        ax.bar(place + 0.27 * (k - 1), [results[name, way][column] for name in makers], 0.25, color=colour, label=way)
for ax, title in zip(axes, ["leaves", "accuracy on fresh rows, %"], strict=True):
    ax.set_xticks(place, makers)
    ax.set_title(title, loc="left")
    ax.spines[["top", "right"]].set_visible(False)
axes[1].set_ylim(50, 90)
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
plt.show()
