"""Nodes, drawings and frames show the probabilities that prediction gives, also where leaves are smoothed."""

import pickle

import numpy as np
import pytest

import bough
from bough.recipe import CostComplexity, CrossValidated, ErrorBased, Laplace, MEstimate, MinRows, ReducedError

X, Y = bough.datasets.load("penguins").xy()
WAYS = ["laplace", "m_estimate", MEstimate(5.0, prior="equal"), Laplace()]


def fitted(leaf, **more):
    return bough.TreeClassifier(leaf=leaf, missing="majority_branch", **more).fit(X, Y)


@pytest.mark.parametrize("leaf", ["majority", *WAYS])
def test_a_node_says_what_predict_proba_says_there(leaf, tmp_path):
    clf = fitted(leaf)
    clf.save(tmp_path / "model.json")
    smaller = (clf.pruned(n_leaves=2), clf.pruned("merge_leaves", max_leaves=2), pickle.loads(pickle.dumps(clf)))
    for model in (clf, bough.load(tmp_path / "model.json"), *smaller):
        shares, answers, frame = model.predict_proba(X), model.predict(X), model.tree_.to_frame()
        ends, first = np.unique(model.apply(X), return_index=True)
        assert (ends.tolist(), first.size) == ([node.id for node in model.tree_ if node.is_leaf], model.get_n_leaves())
        for node, row in zip(ends.tolist(), first.tolist(), strict=True):
            here = model.tree_.node(node)
            assert (here.answer, list(here.probabilities.values())) == (answers[row], shares[row].tolist())
            assert frame[[f"p[{label}]" for label in model.classes_]].iloc[node].tolist() == shares[row].tolist()
            assert frame[[f"n[{label}]" for label in model.classes_]].iloc[node].tolist() == list(here.counts.values())


def test_counts_stay_as_they_were():
    plain, smooth = fitted("majority"), fitted("laplace")
    assert [node.counts for node in plain.tree_] == [node.counts for node in smooth.tree_]
    assert plain.tree_ != smooth.tree_


def test_a_drawing_shows_counts_and_the_probabilities_of_all_classes():
    clf = bough.TreeClassifier(leaf="laplace", stopping=None).fit({"x": [1, 2, 3, 4]}, list("aaab"))
    text = str(clf.tree_)
    assert "probabilities count 2 more rows in every node, all classes alike" in text
    assert "a │ 80 % · 3 rows: a 3 (80 %), b 0 (20 %)" in text
    by_data = bough.TreeClassifier(leaf=MEstimate(1.0), stopping=None).fit({"x": [1, 2, 3, 4]}, list("aaab"))
    assert "probabilities count 1 more row in every node, the classes as in the training rows" in str(by_data.tree_)
    assert "probabilities count" not in str(fitted("majority").tree_)


def test_risks_are_those_that_trees_are_pruned_by():
    # In the leaf with two rows of "b", eight more rows, mostly "a", make "a" the answer; its shares err nowhere.
    table = {"x": [0] * 8 + [1] * 2}
    clf = bough.TreeClassifier(leaf=MEstimate(8.0), stopping=None).fit(table, ["a"] * 8 + ["b"] * 2)
    leaf = clf.tree_.node((1,))
    assert (leaf.answer, leaf.counts, leaf.risk) == ("a", {"a": 0.0, "b": 2.0}, 0.0)
    assert clf.pruning_path_["risk"].iloc[-1] == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_smoothing_comes_after_pruning_in_a_fit_and_later(seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(300, 2))
    y = np.digitize(table[:, 0] + rng.normal(size=300), [0.5, 1.5])
    held = np.arange(300) % 3 == 0
    pulled, size = MEstimate(40.0), MinRows(4, 2)

    def fit(leaf, pruning, rows=slice(None)):
        return bough.TreeClassifier(leaf=leaf, stopping=size, pruning=pruning).fit(table[rows], y[rows])

    for pruning in [CostComplexity(0.02), CrossValidated(rule="min", cv=5), ReducedError(holdout=held), ErrorBased()]:
        plain, smoothed = fit("majority", pruning), fit(pulled, pruning)
        assert [node.condition for node in plain.tree_] == [node.condition for node in smoothed.tree_]
        np.testing.assert_array_equal(plain.pruning_path_["risk"], smoothed.pruning_path_["risk"])
        np.testing.assert_array_equal(plain.pruning_log_.training_error, smoothed.pruning_log_.training_error)
    later = fit(pulled, None, ~held).pruned("reduced_error", table[held], y[held])
    np.testing.assert_array_equal(later.predict(table), fit(pulled, ReducedError(holdout=held)).predict(table))


def test_raised_branches_answer_as_smoothing_says():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(300, 4))
    y = (rng.random(300) < 0.4).astype(int)
    leaf = MEstimate(10.0)
    grown = bough.TreeClassifier(leaf=leaf, missing="majority_branch", pruning=None).fit(table, y)
    smaller = grown.pruned("error_based", table, y, confidence=0.4)
    within = bough.TreeClassifier(leaf=leaf, missing="majority_branch", pruning=ErrorBased(0.4)).fit(table, y)
    np.testing.assert_array_equal(smaller.predict(table), within.predict(table))
    np.testing.assert_array_equal(smaller.predict(table), smaller.predict_proba(table).argmax(axis=1))
