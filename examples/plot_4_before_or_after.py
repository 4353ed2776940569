"""
Pruning before against pruning after
====================================

Pre-pruning splits a node only if that helps on rows that were held back. Post-pruning grows the whole tree and takes
back what does not help on them. The texts say that the first is quicker and the second more accurate. Ten tables of
each kind, drawn from the seeds 0 to 9, with 3,000 rows to learn from, a third of them held back for the decision, and
1,000 fresh rows for the accuracy.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import bough
from bough.recipe import MinRows, ReducedError, Validation

rows, fresh, seeds = 3000, 1000, range(10)
makers = {
    "waveform": lambda seed: bough.datasets.make_waveform(rows + fresh, random_state=seed),
    "LED": lambda seed: bough.datasets.make_led(rows + fresh, noise=0.1, random_state=seed),
    "diagonal": lambda seed: bough.datasets.make_diagonal(rows + fresh, noise=0.1, random_state=seed),
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
        for seed in seeds:
            X, y = make(seed).xy()
            start = time.process_time()
            tree = estimator.fit(X[:rows], y[:rows])
            seconds = time.process_time() - start
            found.append((tree.get_n_leaves(), 100 * tree.score(X[rows:], y[rows:]), 1000 * seconds))
        *means, _ = np.mean(found, axis=0)
        results[name, way] = (*means, np.median([milliseconds for *_, milliseconds in found]))

# %%
# Leaves and accuracy are the same wherever this is run; times are not.

fig, axes = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
place = np.arange(len(makers))
for k, (way, colour) in enumerate(zip(ways, ["#94a4a2", "#ffa90e", "#3f90da"], strict=True)):
    for column, ax in enumerate(axes):
        ax.bar(place + 0.27 * (k - 1), [results[name, way][column] for name in makers], 0.25, color=colour, label=way)
for ax, title in zip(axes, ["leaves", "accuracy on fresh rows, %", "CPU time of a fit, ms"], strict=True):
    ax.set_xticks(place, makers)
    ax.set_title(title, loc="left")
    ax.spines[["top", "right"]].set_visible(False)
axes[1].set_ylim(50, 90)
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
plt.show()

# %%
# The second claim comes out: pruning after is more accurate on every table. The first does not, in seconds. Stopping
# early grows a few nodes where the other grows hundreds, but it asks the held-back rows about every split, and it needs
# the engine of bough that can ask such things, which is slower for each row than the one that grows full trees.

print("table     way        leaves  accuracy, %  time / time of the full tree")
for (name, way), (leaves, accuracy, milliseconds) in results.items():
    ratio = milliseconds / results[name, "full tree"][2]
    print(f"{name:9} {way:9} {leaves:7.1f} {accuracy:12.1f} {ratio:9.1f}")
