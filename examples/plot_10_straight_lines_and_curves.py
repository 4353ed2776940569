"""
When a straight line is better than a staircase
===============================================

A tree that asks one column at a time draws a slanted or round boundary as a staircase: each step is a leaf. Where the
boundary is a line or a curve, tests of several columns say it in fewer leaves, and answer new points better.
"""

import matplotlib.pyplot as plt
import numpy as np

import bough
from bough.recipe import Curved, Perturb

shapes = {
    "diagonal": (lambda a, b: a + b > 0, "OC1", Perturb()),
    "wedge": (lambda a, b: (b > 0.7 * a - 0.2) & (b > -1.2 * a - 0.2), "OC1", Perturb()),
    "circle": (lambda a, b: a**2 + b**2 < 0.6, "sphere", Curved("sphere")),
    "parabola": (lambda a, b: b > 1.5 * a**2 - 0.6, "quadratic", Curved("quadratic")),
}


def points(rows, seed):
    a, b = np.random.default_rng(seed).uniform(-1, 1, (2, rows))
    return {"a": a, "b": b}


# %%
# Every tree is grown to the end on 1,000 points, above by tests of one column, below by the kind of test that suits the
# shape; the accuracy is that on 5,000 new points.
table, fresh = points(1000, 0), points(5000, 1)
fig, axes = plt.subplots(2, 4, figsize=(11, 6), layout="constrained", sharex=True, sharey=True)
for column, (name, (inside, kind, search)) in enumerate(shapes.items()):
    y = np.where(inside(**table), "in", "out")
    for ax, label, own in zip(axes[:, column], ("one column", kind), ("exhaustive", search), strict=True):
        tree = bough.TreeClassifier(search=own, pruning=None, stopping=None, random_state=0).fit(table, y)
        bough.plot.regions(tree, table, y, ax=ax, rows=False)
        accuracy = 100 * tree.score(fresh, np.where(inside(**fresh), "in", "out"))
        ax.set_title(f"{name}, {label}\n{tree.get_n_leaves()} leaves, {accuracy:.1f} %", fontsize=9)
plt.show()

# %%
# What a node asks is still a sentence. The sphere measures each column in its standard deviations:
sphere = bough.SphereTreeClassifier(pruning=None).fit(table, np.where(shapes["circle"][0](**table), "in", "out"))
print(sphere.tree_.root.split.describe(0, exact=False))
