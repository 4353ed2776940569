"""`bough.like("C5.0")`: the arguments of C5.0Control become parameters, or are refused in a sentence."""

import time

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import ErrorBased, Grouped


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({}, "branching", Grouped(declared=True)),
        ({}, "criterion__rules", "c50"),
        ({}, "pruning__global_pruning", True),
        ({"subset": False}, "branching__declared", True),
        ({"CF": 0.1}, "confidence", 0.1),
        ({"minCases": 5}, "min_samples_leaf", 5),
        ({"noGlobalPruning": True}, "pruning__global_pruning", False),
        ({"CF": None}, "confidence", 0.25),
    ],
)
def test_arguments(given, name, value):
    clf = bough.like("C5.0", **given)
    assert isinstance(clf, bough.C45Classifier)
    assert clf.get_params()[name] == value


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"trials": 10}, "several trees"),
        ({"rules": True}, "rule sets"),
        ({"winnow": True}, "winnowing"),
        ({"fuzzyThreshold": True}, "soft thresholds"),
        ({"sample": 0.5}, "rows to grow on"),
        ({"CF": 1.0}, "CF must be"),
        ({"subset": "yes"}, "subset must be"),
        ({"minCases": 0}, "minCases"),
    ],
)
def test_refused(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        bough.like("C5.0", **given)


def test_arguments_that_belong_elsewhere():
    with pytest.raises(TypeError, match="sample_weight"):
        bough.like("C5.0", weights=[1.0])


def test_global_pruning_needs_to_regrow():
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ParameterError, match="global_pruning needs"):
        bough.C45Classifier(pruning=ErrorBased(global_pruning=True)).fit(X, y)


def test_regrowing_needs_parts_of_rows():
    X, y = bough.datasets.load("penguins").xy()
    pruning = ErrorBased(regrow=True)
    with pytest.raises(ParameterError, match="fractional"):
        bough.TreeClassifier(pruning=pruning, missing="majority_branch").fit(X, y)
    fitted = bough.TreeClassifier(
        branching="per_level", criterion="gain_ratio", pruning=pruning, missing="fractional"
    ).fit(X, y)
    assert fitted.score(X, y) > 0.9


def test_the_tree_counts_its_rows():
    X, y = bough.datasets.load("penguins").xy()
    tree = bough.like("C5.0").fit(X, y).tree_.kernel
    leaf = np.diff(tree.child_begin) == 0
    assert tree.weight[leaf].sum() == pytest.approx(len(y))
    for node in np.flatnonzero(~leaf):
        below = tree.children[tree.child_begin[node] : tree.child_begin[node + 1]]
        assert tree.weight[below].sum() == pytest.approx(tree.weight[node])


def test_weights_count_as_rows_do(tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    once = bough.like("C5.0", minCases=6).fit(X, y, sample_weight=np.full(len(y), 3.0))
    thrice = bough.like("C5.0", minCases=6).fit(
        pd.concat([X] * 3, ignore_index=True), pd.concat([y] * 3, ignore_index=True)
    )
    assert once.get_n_leaves() == thrice.get_n_leaves()
    np.testing.assert_allclose(once.predict_proba(X), thrice.predict_proba(X))
    once.save(tmp_path / "model.json")
    np.testing.assert_array_equal(bough.load(tmp_path / "model.json").predict_proba(X), once.predict_proba(X))


def test_groups_of_levels():
    """An artificial table whose classes are two groups of four levels each."""
    levels = pd.Categorical(list("abcdefgh") * 10)
    X, y = pd.DataFrame({"x": levels}), levels.isin(list("aceg"))
    assert bough.C45Classifier().fit(X, y).get_n_leaves() == 8
    assert bough.C45Classifier(branching="grouped").fit(X, y).get_n_leaves() == 2


@pytest.mark.parametrize("confidence", [None, 0.99])
def test_a_deep_tree_is_regrown_without_recursion(confidence):
    """A chain of tests, each of which parts the heaviest row from the rest."""
    deep = 500
    X, y = {"x": np.arange(deep)}, np.arange(deep) % 2
    weights = np.geomspace(1e9, 1e3, deep)
    tree = bough.TreeClassifier(
        criterion="entropy",
        stopping=None,
        missing="fractional",
        pruning=ErrorBased(confidence=confidence, regrow=True, global_pruning=confidence is None),
    )
    grown = bough.TreeClassifier(criterion="entropy", stopping=None, missing="fractional", pruning=None)
    assert grown.fit(X, y, sample_weight=weights).get_depth() > 450
    tree.fit(X, y, sample_weight=weights)
    assert tree.get_n_leaves() > 1
    assert tree.score(X, y, sample_weight=weights) > 0.99


@pytest.mark.parametrize("global_pruning", [False, True])
def test_regrowing_a_chain_takes_little_longer_than_the_chain_is(global_pruning):
    """Each test parts two rows from the rest: to ask at each what its largest branch errs must not walk that again.

    Nor must the last look at the whole tree, once for each node that it spares.
    """
    n = 1200
    X, y = pd.DataFrame({"x": np.arange(n) * 1.0}), (np.arange(n) // 2) % 2
    clf = bough.like("C5.0").set_params(
        min_samples_leaf=1,
        criterion__threshold_penalty=False,
        pruning__global_pruning=global_pruning,
        numeric_minimum="plain",
    )
    start = time.process_time()
    clf.fit(X, y)
    assert time.process_time() - start < 5.0  # a quarter of a second; walking it again took twelve
    assert (clf.get_n_leaves(), clf.score(X, y)) == (n // 2, 1.0)
