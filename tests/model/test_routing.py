"""One home for what a tree does with values that no test knows: codes, parts of spread cases, columns that are read."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.model.routing import child_shares, columns_read
from bough.recipe import Pairs


@pytest.mark.parametrize(
    ("weights", "parts"),
    [((3.0, 1.0), (0.75, 0.25)), ((2.0, 0.0), (1.0,)), ((0.0, 0.0), ()), ((1.5e308, 1.5e308), (0.5, 0.5))],
)
def test_a_spread_case_goes_by_the_weights_of_the_children(weights, parts):
    builder = _core.TreeBuilder(routing=(False, 4, 0, 0))
    root = builder.add_node(-1, 0, value=0.0, weight=1.0, rows=1)
    builder.add_threshold(0, 0.0)
    for branch, weight in enumerate(weights):
        builder.add_node(root, branch, value=float(branch), weight=weight, rows=1)
    model = bough.CARTRegressor().fit({"x": np.arange(40.0)}, np.arange(40.0))
    tree = model.tree_.with_kernel(builder.freeze())
    assert tuple(part for _, part in child_shares(tree.root)) == parts


def test_columns_read_are_those_of_all_terms_and_of_surrogates_that_are_asked():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.choice(["no", "yes"], 200) for name in ("left", "right", "noise")})
    y = ((frame["left"] == "yes") & (frame["right"] == "yes")).to_numpy()
    pairs = bough.TreeClassifier(search=Pairs(), missing="stop").fit(frame, y)
    assert columns_read(pairs.tree_) == {0, 1}
    x = rng.normal(size=200)
    twins = pd.DataFrame({"x": x, "twin": x + rng.normal(size=200) / 10})
    assert columns_read(bough.CARTClassifier(max_depth=1).fit(twins, x > 0).tree_) == {0, 1}
    assert columns_read(bough.CARTClassifier(max_depth=1, missing="stop").fit(twins, x > 0).tree_) == {0}
