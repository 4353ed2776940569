"""
How far greedy trees are from the smallest
==========================================

Of all trees that make no error on a table the smallest one is wanted, and finding it is NP-complete; so trees are grown
greedily, each test the best for itself. What does that cost? On small tables `bough.testing.smallest_tree` tries all
trees, by branch and bound, and so can tell.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import bough
from bough.recipe import Exhaustive, MaxDepth
from bough.testing import Column, Problem, smallest_tree


def cart(depth=None):
    """Binary tests by Gini's impurity, grown until all is told, also where the next test alone gains nothing."""
    stopping = None if depth is None else MaxDepth(depth)
    return bough.TreeClassifier(search=Exhaustive(zero_gain=True), stopping=stopping, pruning=None)


def as_problem(X, y):
    """A complete table as the plain search takes it: numbers, or codes of levels."""
    columns = [
        Column("numeric", X[name].tolist())
        if pd.api.types.is_numeric_dtype(X[name])
        else Column("nominal", pd.Categorical(X[name]).codes.tolist())
        for name in X
    ]
    return Problem(columns, pd.Categorical(y).codes.tolist())


def sizes(X, y, depth=None):
    """Errors and leaves of the smallest tree, then of CART."""
    best = smallest_tree(as_problem(X, y), max_depth=depth)
    greedy = cart(depth).fit(X, y)
    wrong = int((greedy.predict(X) != np.asarray(y)).sum())
    return int(sum(leaf.risk for leaf in best.leaves())), len(best.leaves()), wrong, greedy.get_n_leaves()


# %%
# A switch: where a is 0 the class is b, where a is 1 it is c. Alone a tells nothing, so CART does not begin with it,
# and then has to ask for it twice.

rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] + [(0, 1, 1), (1, 1, 1)]
X = pd.DataFrame(rows, columns=list("abc"))
y = np.where(X["a"] == 1, X["c"], X["b"])
print(cart().fit(X, y).tree_.draw())
print("\nThe smallest tree has", sizes(X, y)[1], "leaves: a, then b or c.")

# %%
# All functions of four binary columns are too many to look at; here are 150 drawn at random. Both trees make no error
# on them, and CART has never fewer leaves.

rng = np.random.default_rng(0)
cells = pd.DataFrame([[k >> bit & 1 for bit in range(4)] for k in range(16)], columns=list("abcd"))
found = np.array([sizes(cells, rng.integers(0, 2, 16)) for _ in range(150)])
extra = found[:, 3] - found[:, 1]
more = found[:, 3].sum() / found[:, 1].sum() - 1
print(
    f"{np.mean(extra == 0):.0%} of the trees of CART are as small as can be; they have {more:.0%} more leaves in all:"
)
print(f"{extra.mean():.2f} more on average, and {extra.max()} more at worst.")

# %%
# Under a limit of depth trees err. How much more does CART?

penguins = bough.datasets.load("penguins").frame.dropna().sample(40, random_state=0)
tables = {
    "penguins, 40 rows": (penguins[["bill_length_mm", "bill_depth_mm", "island"]], penguins["sex"]),
    "watermelons": bough.datasets.load("watermelon").select(["color", "root", "sound", "texture"]).xy(),
    "sixteen points": bough.datasets.load("sixteen_points").xy(),
    "diagonal, 40 rows": bough.datasets.make_diagonal(40, noise=0.1, random_state=0).xy(),
    "circle, 40 rows": bough.datasets.make_circle(40, random_state=0).xy(),
}
heads = ["smallest, depth 2", "CART, depth 2", "smallest, depth 3", "CART, depth 3"]
errors = pd.DataFrame(
    [np.ravel([sizes(*table, depth)[:3:2] for depth in (2, 3)]) for table in tables.values()], list(tables), heads
)
errors.loc["all"] = errors.sum()
print(errors.to_string())

# %%
# CART is never better. Grown in full, greed costs about one leaf in seven; under a limit of depth it costs more, as
# there is no room to mend a poor beginning. All this is on training rows: the tree that is smallest for these need not
# be the best for others, and to search all trees takes a time that soon no one has.

fig, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
left.hist(extra, bins=np.arange(extra.max() + 2) - 0.5, color="#3f90da", rwidth=0.85)
left.set_xlabel("leaves of CART beyond the smallest tree")
left.set_ylabel("functions of four columns")
left.xaxis.get_major_locator().set_params(integer=True)
place = np.arange(len(tables))
for number, (name, colour) in enumerate([("smallest", "#94a4a2"), ("CART", "#ffa90e")]):
    wrong = errors.loc[list(tables), f"{name}, depth 3"]
    right.barh(place + 0.2 * (2 * number - 1), wrong, 0.36, color=colour, label=name)
right.set_yticks(place, tables)
right.invert_yaxis()
right.set_xlabel("rows wrong at depth 3")
right.legend(frameon=False)
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)
plt.show()
