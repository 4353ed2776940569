"""Frames with strings and missing values pass through scikit-learn's tools as they are, pandas and polars alike."""

import contextlib
import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, make_friedman1, make_gaussian_quantiles
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.metrics import make_scorer, matthews_corrcoef
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    validation_curve,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags

import bough
from bough import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    datasets,
)
from bough.errors import DataWarning
from bough.recipe import CostComplexity, CrossValidated, Exhaustive, MaxDepth, Surrogates

try:
    import cloudpickle
except ImportError:  # older joblib brings its own
    from joblib.externals import cloudpickle

LIBRARIES = ["pandas", "polars"]


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


@pytest.fixture
def penguins(library):
    """Numbers, strings and missing values of one library; the target as an array."""
    X, y = datasets.load("penguins").xy(library)
    columns = ["island", "sex"]
    X = (
        X.with_columns(pl.col(columns).cast(pl.String))
        if library == "polars"
        else X.astype(dict.fromkeys(columns, "object"))
    )
    return X, y.to_numpy().astype(str)


@pytest.fixture
def friedman(library):
    data = datasets.load("friedman1", n=200, random_state=0)
    X, y = data.xy(library)
    town = np.array(["rome", "oslo", "bern", None], dtype=object)[np.arange(200) % 4]
    X = X.with_columns(pl.Series("town", town)) if library == "polars" else X.assign(town=town)
    return X, y.to_numpy()


def test_the_frame_has_strings_and_missing_values(penguins, library):
    X, _ = penguins
    fitted = CARTClassifier().fit(*penguins)
    kinds = {column.name: column.kind for column in fitted.schema_.columns}
    assert kinds["island"] == kinds["sex"] == "nominal"
    missing = X.null_count().sum_horizontal()[0] if library == "polars" else X.isna().sum().sum()
    assert missing > 10
    assert fitted.score(*penguins) > 0.95


def test_cross_val_score(penguins, friedman):
    assert cross_val_score(CARTClassifier(), *penguins, cv=4).mean() > 0.9
    assert cross_val_score(CARTClassifier(), *penguins, cv=3, scoring=make_scorer(matthews_corrcoef)).mean() > 0.85
    assert cross_val_score(CARTRegressor(), *friedman, cv=4).mean() > 0.3
    assert cross_val_score(CARTClassifier(pruning=CrossValidated(cv=3)), *penguins, cv=StratifiedKFold(3)).mean() > 0.9


def test_cross_validate_returns_estimators_that_know_their_columns(penguins):
    X, y = penguins
    found = cross_validate(CARTClassifier(), X, y, cv=3, return_estimator=True, return_train_score=True)
    for estimator in found["estimator"]:
        assert estimator.feature_names_in_.tolist() == list(X.columns)
    shares = cross_val_predict(CARTClassifier(), X, y, cv=3, method="predict_proba")
    assert shares.shape == (len(y), 3)


def test_grid_search(penguins, library):
    n_jobs = 2 if library == "pandas" else 1  # in other processes once
    grid = {"pruning": [0.3, 0.01], "missing": ["surrogates", "stop"], "criterion": ["gini", "entropy"]}
    search = GridSearchCV(CARTClassifier(), grid, cv=3, n_jobs=n_jobs, error_score="raise").fit(*penguins)
    assert search.best_params_["pruning"] == 0.01
    assert search.best_score_ > 0.9
    assert search.best_estimator_.get_n_leaves() > 2
    assert search.predict(penguins[0]).shape == (len(penguins[1]),)


def test_grid_search_reaches_the_arguments_of_parts(penguins):
    grid = {"missing__max_surrogates": [0, 2], "pruning__cp": [0.3, 0.01], "search__threshold": ["weighted"]}
    search = GridSearchCV(CARTClassifier(pruning=0.01), grid, cv=3, error_score="raise").fit(*penguins)
    best = search.best_estimator_
    assert (best.pruning, best.search) == (CostComplexity(0.01), Exhaustive("weighted"))
    assert best.missing == Surrogates(search.best_params_["missing__max_surrogates"])


def test_random_search(friedman):
    search = RandomizedSearchCV(
        CARTRegressor(),
        {"min_samples_leaf": [2, 5, 9, 0.1], "pruning": [0.0, 0.01, 0.1]},
        n_iter=4,
        cv=3,
        random_state=0,
    )
    assert search.fit(*friedman).best_score_ > 0.3


def test_curves(penguins):
    X, y = penguins
    _, _, scores = learning_curve(CARTClassifier(), X, y, cv=3, train_sizes=[0.4, 1.0], shuffle=True, random_state=0)
    assert scores.mean() > 0.8
    _, scores = validation_curve(CARTClassifier(), X, y, param_name="max_depth", param_range=[1, 3], cv=3)
    assert scores[1].mean() > scores[0].mean()


def test_pipeline(penguins):
    X, y = penguins
    pipeline = Pipeline([("as it is", FunctionTransformer()), ("tree", CARTClassifier())]).fit(X, y)
    assert pipeline.score(X, y) > 0.95
    assert pipeline[-1].feature_names_in_.tolist() == list(X.columns)
    pipeline.set_params(tree__pruning=0.5).fit(X, y)
    assert pipeline[-1].get_n_leaves() <= 2
    weights = np.ones(len(y))
    pipeline.fit(X, y, tree__sample_weight=weights)
    search = GridSearchCV(make_pipeline(CARTClassifier()), {"cartclassifier__max_depth": [1, 4]}, cv=3).fit(X, y)
    assert search.best_params_ == {"cartclassifier__max_depth": 4}


def test_column_transformer(penguins, library):
    X, y = penguins
    chosen = ColumnTransformer(
        [("keep", "passthrough", ["island", "bill_length_mm", "sex"])], verbose_feature_names_out=False
    )
    pipeline = make_pipeline(chosen.set_output(transform=library), CARTClassifier()).fit(X, y)
    assert pipeline[-1].feature_names_in_.tolist() == ["island", "bill_length_mm", "sex"]
    assert pipeline[-1].schema_.columns[0].kind == "nominal"
    assert pipeline.score(X, y) > 0.9


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(penguins, method):
    X, y = penguins
    fitted = CalibratedClassifierCV(CARTClassifier(), method=method, cv=3).fit(X, y)
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert fitted.score(X, y) > 0.9


def test_bagging(penguins, friedman, library):
    """BaggingClassifier checks its table with `ensure_all_finite=False, dtype=None` and hands numpy arrays on.

    A frame of strings and numbers becomes an array of objects, whose columns our table reads one by one: numbers stay
    numbers, strings nominal, None and NaN missing. Column names are lost on the way, in scikit-learn.
    """
    X, y = penguins
    fitted = BaggingClassifier(CARTClassifier(pruning=0.0, min_samples_leaf=2), n_estimators=5, random_state=0).fit(
        X, y
    )
    assert fitted.score(X, y) > 0.95
    kinds = [column.kind for column in fitted.estimators_[0].schema_.columns]
    assert kinds == [column.kind for column in CARTClassifier().fit(X, y).schema_.columns]
    some = BaggingClassifier(CARTClassifier(), n_estimators=4, max_features=3, max_samples=0.6, random_state=0).fit(
        X, y
    )
    assert some.score(X, y) > 0.8
    numbers = BaggingRegressor(CARTRegressor(), n_estimators=4, random_state=0).fit(*friedman)
    assert numbers.score(*friedman) > 0.5


def test_ensembles_of_other_kinds(penguins):
    X, y = penguins
    trees = [("gini", CARTClassifier()), ("entropy", CARTClassifier(criterion="entropy", max_depth=2))]
    for voting in ("hard", "soft"):
        assert VotingClassifier(trees, voting=voting).fit(X, y).score(X, y) > 0.9
    assert StackingClassifier(trees, final_estimator=CARTClassifier(), cv=3).fit(X, y).score(X, y) > 0.9
    assert OneVsRestClassifier(CARTClassifier(class_weight="balanced")).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    "base",
    [
        CARTClassifier(max_depth=2),
        C45Classifier(min_samples_leaf=20),
        CHAIDClassifier(max_depth=2),
        ID3Classifier(max_depth=1, bins="equal_frequency", n_bins=8),
        TreeClassifier(stopping=["min_rows", MaxDepth(2)], missing="stop"),
    ],
    ids=lambda base: type(base).__name__,
)
def test_boosting_by_sample_weights(base):
    """The weights of AdaBoost sum to one; minima, error estimates and chi-squared must see rows all the same."""
    X, y = make_gaussian_quantiles(n_samples=800, n_features=4, n_classes=2, random_state=0)
    alone = clone(base).fit(X[:500], y[:500]).score(X[500:], y[500:])
    boosted = AdaBoostClassifier(base, n_estimators=30, random_state=0).fit(X[:500], y[:500])
    assert len(boosted.estimators_) == 30
    assert boosted.score(X[500:], y[500:]) > alone + 0.05
    assert boosted.score(X[500:], y[500:]) > 0.75


def test_boosting_of_numbers():
    X, y = make_friedman1(600, random_state=0)
    base = CARTRegressor(max_depth=3)
    alone = clone(base).fit(X[:400], y[:400]).score(X[400:], y[400:])
    boosted = AdaBoostRegressor(base, n_estimators=20, random_state=0).fit(X[:400], y[:400])
    assert boosted.score(X[400:], y[400:]) > alone + 0.1


def test_weights_that_sum_to_one_in_other_ensembles():
    """Bagging draws rows by them or passes them on, calibration passes on those of each fold."""
    X, y = load_breast_cancer(return_X_y=True)
    weights = np.random.default_rng(0).uniform(0.2, 3, len(y))
    weights /= weights.sum()
    bagged = BaggingClassifier(CARTClassifier(), n_estimators=5, random_state=0).fit(X, y, sample_weight=weights)
    assert bagged.score(X, y) > 0.95
    calibrated = CalibratedClassifierCV(CARTClassifier(), cv=3).fit(X, y, sample_weight=weights)
    assert calibrated.score(X, y) > 0.93
    assert min(one.estimator.get_n_leaves() for one in calibrated.calibrated_classifiers_) > 1


def test_permutation_importance(penguins, library):
    """Polars frames reach the estimator as arrays of objects: scikit-learn permutes only what has `iloc` in place.

    So names are lost and columns go by position, of which we warn; the result is the same.
    """
    X, y = penguins
    fitted = CARTClassifier().fit(X, y)
    told = pytest.warns(DataWarning, match="feature names") if library == "polars" else contextlib.nullcontext()
    with told:
        found = permutation_importance(fitted, X, y, n_repeats=3, random_state=0).importances_mean
    asked = fitted.importance("surrogates") > 0
    assert (found[~asked] == 0).all()
    assert found[asked].max() > 0.2
    if library == "polars":
        same = permutation_importance(fitted, X.to_pandas(), y, n_repeats=3, random_state=0).importances_mean
        np.testing.assert_allclose(found, same)


def test_partial_dependence(friedman, library):
    X, y = friedman
    fitted = CARTRegressor().fit(X, y)
    if library == "polars":
        # scikit-learn's partial_dependence reads numpy dtypes and assigns into its table: polars frames allow neither.
        with pytest.raises((AttributeError, TypeError)):
            partial_dependence(fitted, X, ["x4"])
        X = X.to_pandas()
    found = partial_dependence(fitted, X, ["x4"], grid_resolution=5)["average"]
    assert found.shape == (1, 5)
    assert found[0, -1] > found[0, 0]


def test_selection_by_importance(friedman, library):
    X, y = friedman
    numbers = X.drop("town") if library == "polars" else X.drop(columns="town")
    chosen = SelectFromModel(CARTRegressor()).fit(numbers, y)
    assert 1 <= chosen.get_support().sum() < numbers.shape[1]
    assert set(chosen.get_feature_names_out()) <= set(numbers.columns)


def test_a_transformed_target(friedman):
    X, y = friedman
    fitted = TransformedTargetRegressor(CARTRegressor(), func=np.log, inverse_func=np.exp).fit(X, y + 30)
    assert fitted.score(X, y + 30) > 0.5


def copies(estimator):
    """The estimator after each way to copy or store one."""
    file = io.BytesIO()
    joblib.dump(estimator, file)
    file.seek(0)
    yield copy.copy(estimator)
    yield copy.deepcopy(estimator)
    yield joblib.load(file)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(estimator, protocol))
    yield pickle.loads(cloudpickle.dumps(estimator))


@pytest.mark.parametrize("pruning", [0.01, CrossValidated(cv=3), None])
def test_copies_are_the_same(penguins, pruning):
    X, y = penguins
    fitted = CARTClassifier(pruning=pruning, costs={("Adelie", "Gentoo"): 3}).fit(X, y)
    for again in copies(fitted):
        assert again.get_params() == fitted.get_params()
        assert again.tree_ == fitted.tree_
        np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
        pd.testing.assert_frame_equal(again.pruning_path_, fitted.pruning_path_)
        assert again.pruned(n_leaves=2).get_n_leaves() <= 2


def test_copies_of_unfitted_estimators():
    for estimator in (CARTClassifier(max_depth=3), CARTRegressor(criterion="absolute_error")):
        for again in copies(estimator):
            assert again.get_params() == estimator.get_params()
            assert not hasattr(again, "tree_")


def test_model_files_keep_everything(penguins, tmp_path):
    X, y = penguins
    fitted = CARTClassifier(pruning=CrossValidated(cv=3)).fit(X, y)
    fitted.save(tmp_path / "model.json")
    again = bough.load(tmp_path / "model.json")
    assert again.get_params() == fitted.get_params()
    assert again.tree_ == fitted.tree_
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(again.importance(), fitted.importance())
    pd.testing.assert_frame_equal(again.pruning_path_, fitted.pruning_path_)


def test_clone_and_set_params(penguins):
    fitted = CARTClassifier(max_depth=2, priors={"Adelie": 0.4, "Gentoo": 0.3, "Chinstrap": 0.3}).fit(*penguins)
    fresh = clone(fitted)
    assert not hasattr(fresh, "tree_")
    assert fresh.get_params() == fitted.get_params()
    assert fresh.set_params(max_depth=1).fit(*penguins).get_depth() == 1
    assert fitted.get_depth() == 2
    assert clone(CARTRegressor(monotonic_cst=[1, 0])).monotonic_cst == [1, 0]


def test_html_and_text_of_estimators(penguins):
    fitted = CARTClassifier(max_depth=2).fit(*penguins)
    html = fitted._repr_html_()
    assert "CARTClassifier" in html
    assert "Fitted" in html
    assert "Not fitted" in CARTClassifier()._repr_html_()
    assert repr(CARTClassifier(max_depth=2, pruning=None)) == "CARTClassifier(max_depth=2, pruning=None)"
    hostile = CARTClassifier(criterion="<script>alert(1)</script>")._repr_html_()
    assert "<script>alert" not in hostile
    pipeline = make_pipeline(FunctionTransformer(), CARTRegressor())
    assert "CARTRegressor" in pipeline._repr_html_()


def test_tags():
    assert is_classifier(CARTClassifier())
    assert is_regressor(CARTRegressor())
    for estimator in (CARTClassifier(), CARTRegressor()):
        tags = get_tags(estimator)
        assert tags.input_tags.allow_nan
        assert tags.input_tags.string
        assert tags.input_tags.categorical
        assert not tags.input_tags.sparse
        assert tags.target_tags.required
        assert not tags.target_tags.multi_output
    assert get_tags(CARTClassifier()).classifier_tags.multi_class


def test_a_model_fitted_on_one_library_predicts_from_the_other():
    tables = {name: datasets.load("penguins").xy(name) for name in LIBRARIES}
    fits = {name: CARTClassifier().fit(*table) for name, table in tables.items()}
    assert fits["pandas"].tree_ == fits["polars"].tree_
    for fitted in fits.values():
        answers = [fitted.predict(X).tolist() for X, _ in tables.values()]
        assert answers[0] == answers[1]
