"""
One point moves, and the tree is another one
============================================

Greedy trees are unstable: two tests of equal worth at the root, and the smallest change decides which subtree
follows. The sixteen points of a textbook figure show it; `bough.validate.stability` measures it on any table.
"""

import matplotlib.pyplot as plt
import numpy as np

import bough

fig, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained", sharey=True)
points = bough.datasets.load_sixteen_points()
moved = bough.datasets.load_sixteen_points(moved=True)
grid = np.linspace(0, 1, 201)
for ax, table, title in zip(axes, [points, moved], ["as printed", "one point moved by 0.04"], strict=True):
    X, y = table.xy()
    tree = bough.CARTClassifier(criterion="entropy", min_samples_split=2, min_samples_leaf=1, pruning=None).fit(X, y)
    print(title)
    print(tree.tree_.draw(surrogates=False))
    x1, x2 = np.meshgrid(grid, grid)
    answer = tree.predict({"x1": x1.ravel(), "x2": x2.ravel()}).reshape(x1.shape)
    ax.contourf(x1, x2, answer == y.max(), levels=1, colors=["#cfe3f5", "#ffe3b0"])
    for label, marker, colour in zip(np.unique(y), "os", ["#3f90da", "#d95f02"], strict=True):
        ax.plot(X["x1"][y == label], X["x2"][y == label], marker, color=colour, label=f"class {label}")
    ax.set(title=title, xlabel="x1", xlim=(0, 1), ylim=(0, 1), aspect="equal")
axes[0].set_ylabel("x2")
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
plt.show()

# %%
# How often each test comes back when the tree is grown on bootstrap samples.

X, y = bough.datasets.load_penguins().xy()
print(bough.validate.stability(bough.CARTClassifier(), X, y, random_state=0))
