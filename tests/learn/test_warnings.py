"""Warnings about data that can be used but look like a mistake: once each, naming the column, quiet elsewhere."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from bough import CARTClassifier, CARTRegressor
from bough.errors import DataWarning
from bough.recipe import CrossValidated


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


def test_weights_too_light_to_split_anything():
    X = table()
    weights = np.full(100, 0.01)
    with pytest.warns(DataWarning, match="less than min_samples_split=20.*average 1.*count_by='rows'") as caught:
        fitted = CARTRegressor().fit(X, X["x"], weights)
    assert len(caught) == 1
    assert fitted.get_n_leaves() == 1
    for parameters in ({"count_by": "rows"}, {"min_samples_split": 0.1, "min_samples_leaf": 0.05}):
        assert CARTRegressor(**parameters).fit(X, X["x"], weights).get_n_leaves() > 1


def test_weights_that_sum_to_the_least_number_of_rows_are_heavy_enough():
    X = table(40)
    assert CARTRegressor().fit(X, X["x"], np.full(40, 0.5)).get_n_leaves() > 1
    with pytest.warns(DataWarning, match="sums to less than min_samples_split=20"):
        CARTRegressor().fit(X, X["x"], np.full(40, 0.499))


def test_too_few_rows_are_not_the_fault_of_the_weights():
    assert CARTRegressor().fit(table(10), np.arange(10), np.full(10, 0.5)).get_n_leaves() == 1


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
