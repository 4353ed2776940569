"""
The size of leaves is the smoothness of the boundary
====================================================

Axis-parallel tests draw a slanted or round boundary as a staircase. Small leaves follow every row, noise included;
large ones follow the middle.
"""

import matplotlib.pyplot as plt
import numpy as np

import bough

grid = np.linspace(0, 1, 201)
tables = {
    "diagonal": bough.datasets.make_diagonal(400, noise=0.1, random_state=1),
    "circle": bough.datasets.make_circle(400, noise=0.1, random_state=1),
}
fresh = {
    "diagonal": bough.datasets.make_diagonal(4000, random_state=2),
    "circle": bough.datasets.make_circle(4000, random_state=2),
}
sizes = [1, 10, 40]
fig, axes = plt.subplots(2, 3, figsize=(8, 5.6), layout="constrained", sharex=True, sharey=True)
for row, (name, table) in zip(axes, tables.items(), strict=True):
    X, y = table.xy()
    low, high = X.min().min(), X.max().max()
    x1, x2 = np.meshgrid(low + (high - low) * grid, low + (high - low) * grid)
    for ax, size in zip(row, sizes, strict=True):
        tree = bough.CARTClassifier(min_samples_split=2 * size, min_samples_leaf=size, pruning=None).fit(X, y)
        answer = tree.predict({"x1": x1.ravel(), "x2": x2.ravel()}).reshape(x1.shape)
        ax.contourf(x1, x2, answer, levels=1, colors=["#cfe3f5", "#ffe3b0"])
        for label, colour in zip([0, 1], ["#3f90da", "#d95f02"], strict=True):
            ax.plot(X["x1"][y == label], X["x2"][y == label], ".", color=colour, markersize=2.5)
        ax.set_aspect("equal")
        accuracy = 100 * tree.score(*fresh[name].xy())
        ax.set_title(f"{name}, leaves of {size} or more\n{tree.get_n_leaves()} leaves, {accuracy:.1f} %", fontsize=9)
plt.show()
