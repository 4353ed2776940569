"""The search for conjunctions as a part: what it refuses and why, and that `Pairs` is its smallest form."""

import re

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Conjunctions, Pairs


@pytest.fixture
def wide():
    """Six nominal columns of 20 levels, three numbers and an order of four levels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"town{k}": rng.permutation(60) % 20 for k in range(6)}).astype(str)
    for k in range(3):
        X[f"x{k}"] = rng.normal(size=60)
    X["size"] = pd.Categorical(rng.choice(list("abcd"), 60), list("abcd"), ordered=True)
    return X, rng.integers(0, 2, 60)


def refusal(search, X, y):
    with pytest.raises(ParameterError) as refused:
        bough.TreeClassifier(search=search).fit(X, y)
    return str(refused.value)


def test_a_search_of_too_many_tests_is_refused_with_the_count_and_the_columns(wide):
    X, y = wide
    said = refusal(Conjunctions(3, thresholds=8, max_tests=1_000_000), X, y)
    # Properties: six times 40, three times 16, and 6 of the three thresholds between four levels.
    counts = [40] * 6 + [16] * 3 + [6]
    two = sum(a * b for i, a in enumerate(counts) for b in counts[i + 1 :])
    three = sum(
        a * b * c for i, a in enumerate(counts) for j, b in enumerate(counts[i + 1 :], i + 1) for c in counts[j + 1 :]
    )
    assert f"up to {two + three:,} conjunctions of 3 properties would be judged at a node" in said
    assert "at most 1,000,000 are: leave some columns out, take size=2, take fewer thresholds" in said
    assert "'town0' (40), 'town1' (40), 'town2' (40)" in said
    few = refusal(Conjunctions(max_tests=100), X, y)
    assert "at most 100 are: leave some columns out, or raise it by Conjunctions(max_tests=...) and wait." in few
    bough.TreeClassifier(search=Conjunctions(max_tests=24_000), stopping="max_depth").fit(X, y)
    assert "up to 24,000 " in refusal(Conjunctions(max_tests=23_999), X, y)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Conjunctions(4), "Conjunctions.size must be 2 or 3: more properties have too many conjunctions"),
        (Conjunctions(1), "Conjunctions.size must be"),
        (Conjunctions(2.5), "Conjunctions.size must be"),
        (Conjunctions(thresholds=-1), "Conjunctions.thresholds must be"),
        (Conjunctions(thresholds=True), "Conjunctions.thresholds must be"),
        (Conjunctions(max_tests=0), "Conjunctions.max_tests must be"),
    ],
)
def test_wrong_arguments_are_refused(wrong, message, wide):
    assert re.match(message, refusal(wrong, *wide))


def test_pairs_are_conjunctions_of_two_levels(wide):
    X, y = wide
    grown = [
        bough.TreeClassifier(search=search, stopping=None, pruning=None).fit(X[["town0", "town1", "x0"]], y).tree_
        for search in (Pairs(), Conjunctions(), "pairs", "conjunctions")
    ]
    assert all(tree == grown[0] for tree in grown)
    assert list(Pairs().get_params()) == ["max_competitors", "side", "threshold", "zero_gain"]


@pytest.mark.parametrize("missing", ["own_branch", "learned_direction", "most_likely"])
def test_missing_rules_that_know_one_column_are_refused(missing, wide):
    X, y = wide
    with pytest.raises(ParameterError, match=r"does not go with .* a test of several columns"):
        bough.TreeClassifier(search=Conjunctions(3), missing=missing).fit(X[["town0", "town1"]], y)


@pytest.mark.parametrize("criterion", ["absolute_error", "worst_error"])
def test_errors_that_are_no_sums_are_refused(criterion, wide):
    X, y = wide
    with pytest.raises(ParameterError, match="needs sums of squares"):
        bough.TreeRegressor(search=Conjunctions(3), criterion=criterion).fit(X[["town0", "town1"]], y)


def test_where_a_threshold_lies_is_said_as_for_single_columns():
    X = {"a": ["p", "p", "q", "q", "q", "q"], "b": ["r", "r", "r", "r", "s", "s"], "x": [0.0, 4.0, 0.0, 4.0, 0.0, 4.0]}
    y = [0, 1, 0, 0, 0, 0]
    said = {}
    for threshold in ("midpoint", "weighted", "data_value"):
        search = Conjunctions(thresholds=1, threshold=threshold)
        clf = bough.TreeClassifier(search=search, stopping=None, pruning=None).fit(X, y)
        said[threshold] = clf.tree_.root.children[0].condition
    assert said["midpoint"] == "a = p and x > 2"
    assert said["data_value"] == "a = p and x > 0"
    assert said["weighted"] == "a = p and x > 2"
    search = Conjunctions(thresholds=1, side="lt")
    clf = bough.TreeClassifier(search=search, stopping=None, pruning=None).fit(X, y)
    assert clf.tree_.root.children[0].condition == "a = p and x >= 2"
