"""Reduced-error pruning of regression trees: the best of all prunings on the rows kept back, under both rules."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bough import CARTRegressor
from bough.errors import ParameterError
from bough.learn.repruning import growth_of
from bough.recipe import Reading, Surrogates
from bough.recipe.pruners import reduce_errors
from bough.testing import prunings, read_tree
from bough.testing.pruners import choose, held_out_loss, nodes

MANY = 3000


def rows(rng, n):
    x = rng.integers(0, 12, n).astype(float)
    x[rng.random(n) < 0.15] = np.nan
    code = rng.integers(-1, 4, n)
    level = pd.Categorical.from_codes(code, list("abcd"))
    y = np.nan_to_num(x) // 4 + (code == 2) * 3 + rng.integers(0, 4, n)
    return pd.DataFrame({"x": x, "c": level}), y


def cases_of(X):
    x = [None if np.isnan(value) else value for value in X["x"]]
    return list(zip(x, [None if code < 0 else int(code) for code in X["c"].cat.codes], strict=True))


@given(
    st.integers(0, 10**6),
    st.sampled_from(["squared", "absolute"]),
    st.booleans(),
    st.sampled_from(["majority", "stop"]),
    st.booleans(),
)
def test_it_is_the_best_of_all_prunings(seed, error, strict, fallback, weighted):
    rng = np.random.default_rng(seed)
    X, y = rows(rng, 40)
    grown = CARTRegressor(
        pruning=None,
        min_samples_split=4,
        min_samples_leaf=2,
        max_depth=4,
        missing=Surrogates(routing=fallback, max_surrogates=0),
        criterion="absolute_error" if error == "absolute" else "squared_error",
        absent=fallback,
        reading=Reading(fractional_weights="as_given"),
    ).fit(X, y)
    kept_X, kept_y = rows(rng, 15)
    weights = rng.choice([0.5, 1.0, 2.0], len(kept_y)) if weighted else np.ones(len(kept_y))
    kernel, root = grown.tree_.kernel, read_tree(grown.tree_.kernel)
    every = prunings(root)
    assume(len(every) <= MANY)
    growth = growth_of(grown, kept_X, kept_y, weights)
    found, log = reduce_errors(kernel, growth, strict=strict, value_error=error)
    cases = cases_of(kept_X)
    costs = {
        pruning: held_out_loss(root, pruning, cases, kept_y, weights, fallback=fallback, error=error)
        for pruning in every
    }
    best = choose(root, costs, smallest=not strict)
    paths = [path for path, _ in nodes(root)]
    cut = {paths[node] for node in log.node}
    top = frozenset(path for path in cut if not any(path[: len(up)] == up for up in cut if len(up) < len(path)))
    assert costs[top] == pytest.approx(costs[best])
    assert top == best
    # The log's first and last trees differ by what all cuts together saved.
    saved = sum(before - after for _, _, before, after in log)
    assert costs[frozenset()] - costs[best] == pytest.approx(saved)
    assert log.leaves[-1] == np.count_nonzero(np.diff(found.child_begin) == 0)


def test_rows_are_needed(tmp_path):
    X, y = rows(np.random.default_rng(0), 60)
    CARTRegressor(pruning=None).fit(X, y).save(tmp_path / "model.json")
    import bough

    loaded = bough.load(tmp_path / "model.json")
    with pytest.raises(
        ParameterError, match=r"pruning by 'reduced_error' looks at rows, .* keeps none: give X and y, "
    ):
        loaded.pruned("reduced_error")
    with pytest.raises(ParameterError, match="go together"):
        loaded.pruned("reduced_error", X)
    smaller = loaded.pruned("reduced_error", *rows(np.random.default_rng(1), 40))
    assert smaller.get_n_leaves() <= loaded.get_n_leaves()
    assert loaded.pruned("merge_leaves").get_n_leaves() == 1
    assert loaded.pruned("cost_complexity", cp=0.05).get_n_leaves() == loaded.pruned(cp=0.05).get_n_leaves()
