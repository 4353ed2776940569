"""The splits that rows kept back refused are listed with what these rows said of them."""

import numpy as np
import pytest

import bough
from bough.recipe import Bayes, GlobalCriterion, MinRows, Validation


def grown(kind=bough.TreeClassifier, **more):
    rng = np.random.default_rng(4)
    X = {"a": np.round(rng.normal(size=120), 1), "b": rng.choice(list("pqr"), 120)}
    signal = X["a"] + (X["b"] == "p") + 1.5 * rng.normal(size=120)
    y = (signal > 0.5).astype(int) if kind is bough.TreeClassifier else np.round(signal, 2)
    kept = np.arange(120) % 3 == 1
    model = kind(stopping=[MinRows(4, 2), Validation(kept)], pruning=None, **more).fit(X, y)
    return model, X, y, kept


def taken(model, X, rows, node):
    """Of some rows, those that come to a node."""
    return rows & (model.decision_path(X)[:, [node]].toarray()[:, 0] > 0)


@pytest.mark.parametrize("side", ["le", "lt"])
def test_every_entry_is_a_leaf_whose_split_did_not_serve(side):
    model, X, y, kept = grown(search=bough.recipe.Exhaustive(side=side))
    log = model.validation_log_
    assert len(log) > 1
    nodes = [entry.node for entry in log]
    assert nodes == sorted(set(nodes))
    for (node, test, before, after), split in zip(log, log.splits, strict=True):
        leaf = model.tree_.node(node)
        assert leaf.is_leaf
        assert test == split.describe(0, exact=False)
        assert before <= after
        here = taken(model, X, kept, node)
        assert before == np.count_nonzero(y[here] != leaf.answer)
        low = X["a"] <= (split.threshold or 0) if side == "le" else X["a"] < (split.threshold or 0)
        goes = low if split.column == "a" else np.isin(X["b"], split.levels[0])
        rows = taken(model, X, ~kept, node)
        wrong = 0
        for branch in (goes, ~goes):
            counts = np.bincount(y[rows & branch], minlength=2)
            wrong += np.count_nonzero(y[here & branch] != counts.argmax())
        assert after == wrong


def test_it_is_text_and_a_table():
    model, *_ = grown()
    log = model.validation_log_
    first = log[0]
    said = str(log).splitlines()
    assert said[0] == f"{len(log)} splits were refused by the rows kept back"
    assert said[1] == f"  node {first.node}: {first.test}: errors {first.before:g} -> {first.after:g}"
    assert list(log.to_frame().columns) == ["node", "test", "before", "after"]
    assert len(log.to_frame()) == len(log) == len(log[:])


def test_numbers_and_costs_are_measured_as_they_are_judged():
    model, X, y, kept = grown(bough.TreeRegressor)
    node, _, before, after = model.validation_log_[0]
    here = taken(model, X, kept, node)
    assert model.validation_log_.measure == "squared error"
    assert before == pytest.approx(((y[here] - model.tree_.node(node).answer) ** 2).sum())
    assert after >= before * (1 - 1e-12)
    assert grown(bough.TreeRegressor, criterion="absolute_error")[0].validation_log_.measure == "absolute error"
    assert grown(leaf=Bayes(costs={(0, 1): 3.0}))[0].validation_log_.measure == "cost of errors"


def test_without_such_rows_it_says_so():
    X, y = bough.datasets.load("play_tennis").xy()
    assert str(bough.CARTClassifier().fit(X, y).validation_log_) == (
        "no split was refused: no rows were kept back to judge them"
    )
    easy = bough.TreeClassifier(stopping=Validation(np.arange(8) % 2 == 1), pruning=None)
    easy.fit({"x": [0, 0, 0, 0, 1, 1, 1, 1]}, [0, 0, 0, 0, 1, 1, 1, 1])
    assert str(easy.validation_log_) == "no split was refused by the rows kept back"
    assert len(easy.validation_log_) == 0


def test_a_tree_that_grows_best_first_lists_them_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2)).round(1)
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    stopping = [MinRows(4, 2), Validation(3), bough.recipe.MaxLeaves(6)]
    model = bough.TreeClassifier(stopping=stopping, pruning=None).fit(X, y)
    assert all(model.tree_.node(entry.node).is_leaf for entry in model.validation_log_)
    assert len(model.validation_log_) > 0


def test_nodes_are_those_of_the_tree_that_a_global_criterion_leaves():
    logged = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = {"a": rng.normal(size=200), "b": rng.normal(size=200)}
        y = (X["a"] + 0.8 * rng.normal(size=200) > 0).astype(int)
        rules = [MinRows(4, 2), Validation(np.arange(200) % 3 == 1), GlobalCriterion(0.02, weighted=True)]
        model = bough.TreeClassifier(stopping=rules, pruning=None).fit(X, y)
        nodes = [entry.node for entry in model.validation_log_]
        assert nodes == sorted(set(nodes))
        assert all(model.tree_.node(node).is_leaf for node in nodes)
        logged += len(nodes)
    assert logged
