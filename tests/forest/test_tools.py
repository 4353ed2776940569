"""Frames with strings and missing values pass through scikit-learn's tools as they are, pandas and polars alike."""

import numpy as np
import polars as pl
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bough
from bough.recipe import Sampling

CLASSIFIERS = [bough.RandomForestClassifier, bough.ExtraTreesClassifier]
REGRESSORS = [bough.RandomForestRegressor, bough.ExtraTreesRegressor]


@pytest.fixture(params=["pandas", "polars"])
def library(request):
    return request.param


@pytest.fixture
def penguins(library):
    X, y = bough.datasets.load("penguins").xy(library)
    columns = ["island", "sex"]
    text = (
        X.with_columns(pl.col(columns).cast(pl.String))
        if library == "polars"
        else X.astype(dict.fromkeys(columns, "object"))
    )
    return text, y.to_numpy().astype(str)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_grids_pipelines_and_calibration(kind, penguins):
    X, y = penguins
    through = make_pipeline(FunctionTransformer(), kind(n_estimators=8))
    name = kind.__name__.lower()
    grid = {f"{name}__max_features": [1, "sqrt"], f"{name}__missing": ["learned", "own_branch"]}
    search = GridSearchCV(through, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.93
    assert accuracy_score(y, search.predict(X)) > 0.97
    calibrated = CalibratedClassifierCV(kind(n_estimators=8), cv=3).fit(X, y)
    assert calibrated.score(X, y) > 0.95
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_grids_and_pipelines_for_numbers(kind, penguins, library):
    X, _ = penguins
    mass = X["body_mass_g"].to_numpy()
    known = np.flatnonzero(~np.isnan(mass.astype(float)))
    X = X.drop("body_mass_g") if library == "polars" else X.drop(columns="body_mass_g")
    X, y = (X[known] if library == "polars" else X.iloc[known]), mass[known].astype(float)
    through = make_pipeline(FunctionTransformer(), kind(n_estimators=8))
    assert cross_val_score(through, X, y, cv=KFold(3, shuffle=True, random_state=0)).mean() > 0.6
    search = GridSearchCV(kind(n_estimators=8), {"max_depth": [3, None], "level_order": ["node", "forest"]}, cv=3)
    assert search.fit(X, y).score(X, y) > 0.8


def test_a_grid_reaches_into_the_sampling():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=5, sampling=Sampling())
    search = GridSearchCV(clf, {"sampling__share": [0.3, 1.0], "sampling__classes": [None, "balanced"]}, cv=2).fit(X, y)
    assert search.best_estimator_.sampling.share in (0.3, 1.0)
