"""Warnings about data that can be used but look like a mistake: once each, naming the column, quiet elsewhere."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from bough import CARTClassifier, CARTRegressor
from bough.errors import DataWarning
from bough.recipe import CrossValidated, Reading


def table(n=100):
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=n), "town": rng.choice(["Ulm", "Bonn", "Kiel"], n)})


def test_a_column_of_identifiers_is_named():
    X = table().assign(passenger=[f"P{i:03}" for i in range(100)])
    with pytest.warns(DataWarning, match="Column 'passenger' has nearly as many levels as there are rows") as caught:
        CARTClassifier().fit(X, X["x"] > 0)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "column",
    [
        [f"P{i % 50}" for i in range(100)],  # each twice
        [None] * 60 + [f"P{i % 30}" for i in range(40)],
        list(range(100)),  # numbers are cut, not told apart
    ],
)
def test_other_columns_are_not_taken_for_identifiers(column):
    CARTClassifier().fit(table().assign(z=column), table()["x"] > 0)


def test_identifiers_of_a_few_rows_are_no_news():
    CARTClassifier().fit({"name": [f"P{i}" for i in range(20)]}, [0, 1] * 10)


def test_a_few_weights_that_are_not_whole_beside_many_that_are():
    """One of them makes all weights relative: whoever meant repetitions is told, once for a fit with all its folds."""
    X = table()
    weights = np.where(np.arange(100) < 3, 2.5, 3.0)
    with pytest.warns(
        DataWarning, match="most entries of sample_weight are whole numbers, but not all.*round"
    ) as caught:
        fitted = CARTRegressor(pruning=CrossValidated(cv=3)).fit(X, X["x"], weights)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert fitted.tree_.root.weight == pytest.approx(100)
    CARTRegressor().fit(X, X["x"], weights / weights.mean())  # as the warning says
    assert CARTRegressor().fit(X, X["x"], weights.round()).tree_.root.weight == weights.round().sum()


@pytest.mark.parametrize(
    "weights",
    [
        np.full(100, 0.01),  # they sum to one
        np.random.default_rng(0).uniform(200, 4000, 100),  # a survey
        np.random.default_rng(0).uniform(200, 4000, 100).round(1),  # some are whole by chance
        np.where(np.arange(100) < 5, 0.7, 1.0),  # a mean of nearly one: it matters little
        np.arange(1, 101),
        np.full(100, 500),  # a table of counts
        np.arange(100) / 0.1 * 0.1,  # whole up to rounding
    ],
)
def test_other_weights_are_no_news(weights):
    X = table()
    assert CARTRegressor().fit(X, X["x"], weights).get_n_leaves() > 1


def test_whole_weights_of_a_survey():
    X = table(300)
    weights = np.random.default_rng(0).integers(100, 4000, 300)
    with pytest.warns(DataWarning, match="whole numbers, with a mean of 20 or more.*divide.*as_given") as caught:
        heavy = CARTRegressor().fit(X, X["x"], weights)
    assert len(caught) == 1
    counts = CARTRegressor(reading=Reading(fractional_weights="as_given")).fit(X, X["x"], weights)
    assert counts.tree_ == heavy.tree_
    light = CARTRegressor(pruning=None).fit(X, X["x"], weights / weights.mean())
    assert min(node.rows for node in light.tree_) > 1


def test_too_few_rows_are_not_the_fault_of_the_weights():
    assert CARTRegressor().fit(table(9), np.arange(9), np.full(9, 0.5)).get_n_leaves() == 1


def test_a_column_written_otherwise_than_in_training_is_named():
    X = table()
    fitted = CARTClassifier().fit(X, X["town"])
    with pytest.warns(DataWarning, match="'town' holds mostly levels that no training row held") as caught:
        fitted.predict(X.assign(town=X["town"].str.upper()))
    assert len(caught) == 1
    assert "('KIEL', 'ULM', 'BONN'; in training 'Bonn', 'Kiel', 'Ulm')" in str(caught[0].message)
    with pytest.warns(DataWarning, match="'ulm'"):
        fitted.tree_.apply({"x": [0.0], "town": ["ulm"]})


def test_a_few_new_levels_are_what_the_policy_is_for():
    X = table()
    new = X.assign(town=np.where(np.arange(100) < 50, "Jena", X["town"]))
    CARTClassifier().fit(X, X["town"]).predict(new)
    for unseen in ("majority", "stop"):
        CARTClassifier(unseen=unseen).fit(X, X["town"]).predict(X.assign(town="Jena"))


def test_cross_validation_with_rare_levels_stays_quiet():
    X = table().assign(street=[f"S{i % 50}" for i in range(100)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cross_val_score(CARTClassifier(pruning=CrossValidated(cv=3)), X, X["x"] > 0, cv=5)
