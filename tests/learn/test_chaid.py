"""CHAID: merged levels, columns by significance, missing values as a level."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bough
from bough.errors import ParameterError


@pytest.fixture
def titanic():
    return bough.datasets.load("titanic").xy()


def test_the_root_is_the_most_significant_column(titanic):
    X, y = titanic
    clf = bough.CHAIDClassifier(max_competitors=9).fit(X, y)
    p = {}
    for name in X:
        p[name] = stats.chi2_contingency(pd.crosstab(X[name], y), correction=False)[:2]
    assert clf.tree_.root.split.column == max(p, key=lambda name: p[name][0]) == "sex"
    assert clf.tree_.root.split.gain == pytest.approx(p["sex"][0] / len(y))


def test_levels_that_do_not_differ_share_a_branch(titanic):
    female = bough.CHAIDClassifier().fit(*titanic).tree_.root.children[0]
    assert {frozenset(levels) for levels in female.split.levels} == {
        frozenset({"crew", "second"}),
        frozenset({"first"}),
        frozenset({"third"}),
    }


def test_noise_is_no_test():
    random = np.random.default_rng(3)
    X = pd.DataFrame(random.normal(size=(400, 5))).rename(columns=str)
    y = random.integers(0, 2, 400)
    assert bough.CHAIDClassifier().fit(X, y).get_n_leaves() == 1


def test_missing_values_are_a_level_that_merges_with_any():
    random = np.random.default_rng(4)
    x = random.integers(0, 3, 600).astype(float)
    y = (x == 2) ^ (random.random(600) < 0.1)
    x[(x == 2) & (random.random(600) < 0.5)] = np.nan  # what is missing is like 2
    X = pd.DataFrame({"x": pd.Categorical(x)})
    split = bough.CHAIDClassifier().fit(X, y).tree_.root.split
    assert split.levels[split.missing_branch] == (2.0,)


def test_only_neighbours_of_ordered_levels_are_merged():
    sizes = ["S", "M", "L", "XL"]
    size = np.repeat([0, 1, 2, 3], 200)
    y = np.tile(np.arange(200), 4) < np.array([20, 160, 22, 158])[size]
    X = pd.DataFrame({"size": pd.Categorical.from_codes(size, sizes, ordered=True)})
    assert len(bough.CHAIDClassifier().fit(X, y).tree_.root.children) == 4
    X["size"] = X["size"].cat.as_unordered()
    assert len(bough.CHAIDClassifier().fit(X, y).tree_.root.children) == 2


def test_paying_for_the_ways_to_merge_makes_a_test_less_significant():
    random = np.random.default_rng(6)
    X = pd.DataFrame({"x": pd.Categorical(random.integers(0, 12, 300))})
    y = random.integers(0, 2, 300)
    leaves = [
        bough.CHAIDClassifier(bonferroni=pays, min_samples_leaf=1).fit(X, y).get_n_leaves() for pays in (False, True)
    ]
    assert leaves[0] > leaves[1] == 1


def test_the_number_of_branches_can_be_limited(titanic):
    clf = bough.CHAIDClassifier(max_branches=2).fit(*titanic)
    assert all(len(node.children) == 2 for node in clf.tree_.nodes if node.children)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("merge_level", 1.5), ("split_level", -0.1), ("n_bins", 1), ("max_branches", 1), ("unseen", "x")],
)
def test_parameters_that_make_no_sense_are_refused_by_name(titanic, parameter, value):
    with pytest.raises(ParameterError, match=parameter):
        bough.CHAIDClassifier(**{parameter: value}).fit(*titanic)


def test_a_file_gives_the_same_model(titanic, tmp_path):
    X, y = titanic
    clf = bough.CHAIDClassifier().fit(X, y)
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.get_params() == clf.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
