"""How many surrogates a node keeps: as many as asked for, and by default more where training rows lack values."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Surrogates

SMALL = {"pruning": None, "min_samples_split": 10, "min_samples_leaf": 5}
ESTIMATORS = [bough.CARTClassifier, bough.CARTRegressor, bough.TreeClassifier]


def related(rows=300, columns=8):
    """Columns of which each imitates the first one, so that every node has surrogates to choose from."""
    rng = np.random.default_rng(0)
    first = rng.normal(size=rows)
    X = pd.DataFrame({f"x{k}": first + 0.1 * k * rng.normal(size=rows) for k in range(columns)})
    return X, (first > 0.2).astype(int)


def most_kept(model):
    return max(len(node.surrogates) for node in model.tree_.nodes)


def grown(kind, **parameters):
    return kind(**({"pruning": None} if kind is bough.TreeClassifier else SMALL), **parameters)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_two_where_no_training_row_lacks_a_value(kind):
    assert most_kept(grown(kind).fit(*related())) == 2


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_five_where_one_does(kind):
    X, y = related()
    X.loc[17, "x6"] = np.nan
    assert most_kept(grown(kind).fit(X, y)) == 5


def test_a_row_that_takes_no_part_does_not_count():
    X, y = related()
    X.loc[17, "x6"] = np.nan
    weights = np.ones(len(X))
    weights[17] = 0
    assert most_kept(bough.CARTClassifier(**SMALL).fit(X, y, weights)) == 2


@pytest.mark.parametrize("most", [0, 1, 3, 7])
def test_a_number_is_kept_to(most):
    assert most_kept(bough.CARTClassifier(**SMALL, missing=Surrogates(most)).fit(*related())) == most


def test_rpart_keeps_five_on_complete_tables_as_well():
    X, y = related()
    assert most_kept(bough.like("rpart", cp=0).fit(X, y.astype(str))) == 5


def test_two_serve_a_case_that_lacks_a_value_later():
    X, y = related()
    model = bough.CARTClassifier(**SMALL).fit(X, y)
    asked = model.tree_.root.split.column
    lacking = X.assign(**{asked: np.nan})
    larger = max(np.mean(y), 1 - np.mean(y))
    assert model.score(lacking, y) > larger + 0.2
    first = model.tree_.root.surrogates[0].column
    assert model.score(lacking.assign(**{first: np.nan}), y) > larger + 0.2


def test_an_error_names_what_is_expected():
    with pytest.raises(ParameterError, match="of at least 0 or 'auto'; got 'all'"):
        bough.CARTClassifier(missing=Surrogates("all")).fit(*related())
