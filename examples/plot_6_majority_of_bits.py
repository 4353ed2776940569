"""
A concept that suits trees badly: the majority of bits
======================================================

Whether more than half of n bits are on is one linear test, but a tree has to count: with every bit it nearly doubles.
"""

from math import comb

import matplotlib.pyplot as plt

import bough
from bough.recipe import Exhaustive

bits = [3, 5, 7, 9, 11, 13]
leaves = []
for n in bits:
    X, y = bough.datasets.make_majority_of_bits(n).xy()
    tree = bough.CARTClassifier(
        min_samples_split=2, min_samples_leaf=1, pruning=None, search=Exhaustive(zero_gain=True)
    ).fit(X, y)
    assert tree.score(X, y) == 1.0
    leaves.append(tree.get_n_leaves())

# %%
# Every path ends as soon as (n + 1) / 2 equal bits are seen, so there are twice C(n, (n + 1) / 2) leaves at least.

least = [2 * comb(n, (n + 1) // 2) for n in bits]
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(bits, leaves, "o-", color="#3f90da", label="leaves of the grown tree")
ax.plot(bits, least, "s--", color="#ffa90e", label="2 C(n, (n + 1) / 2)")
ax.set_yscale("log")
ax.set_xticks(bits)
ax.set_xlabel("bits")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
for n, found, bound in zip(bits, leaves, least, strict=True):
    print(f"{n:2} bits: {found:5} leaves, at least {bound}")
