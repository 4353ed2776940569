"""Parameters in a model file: those of a fit are read back, those that no fit would take are refused with the place."""

import json

import numpy as np
import pytest

import bough
from bough.errors import ModelFormatError
from bough.recipe import Binary, CrossValidated, Exhaustive, Reading

X = {"x": np.arange(60.0), "town": ["a", "b", "c"] * 20}
Y = ["no"] * 30 + ["yes"] * 30


def written(estimator, path, **changed):
    """The file of a fitted estimator, with other parameters in it."""
    estimator.save(path)
    content = json.loads(path.read_text())
    content["header"]["params"] |= changed
    path.write_text(json.dumps(content, separators=(",", ":")))
    return path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_jobs", "abc"),
        ("n_jobs", 0),
        ("pruning", "often"),
        ("criterion", ["gini"]),
        ("max_depth", -3),
        ("max_depth", 10**30),
        ("min_samples_split", 10**400),
        ("min_impurity_decrease", -1),
        ("pruning", {"name": "cross_validated", "params": {"cv": 1}}),
        ("pruning", {"name": "cross_validated", "params": {"rule": None}}),
        ("pruning", {"name": "error_based", "params": {}}),
        ("missing", "surrogate"),
        ("missing", {"name": "fractional", "params": {}}),
        ("missing", {"name": "surrogates", "params": {"max_surrogates": -1}}),
        ("search", {"name": "exhaustive", "params": {"ties": 3}}),
        ("branching", {"name": "binary", "params": {"subsets": "some"}}),
        ("verbose", "loud"),
        ("random_state", "seed"),
        ("priors", {"dict": [["perhaps", 1]]}),
        ("priors", [0.5, 0.6]),
        ("costs", [[0, 1]]),
        ("class_weight", "even"),
        ("reading", {"name": "reading", "params": {"class_order": "other"}}),
        ("reading", {"name": "reading", "params": {"empty_rows": 3}}),
        ("reading", {"tuple": []}),
        ("feature_costs", [1, 2, 3]),
        ("monotonic_cst", {"dict": [["town", 1]]}),
        ("categorical_features", ["height"]),
        ("ordered_features", 7),
    ],
)
def test_a_parameter_that_no_fit_takes_is_refused(tmp_path, name, value):
    path = written(bough.CARTClassifier().fit(X, Y), tmp_path / "model.json", **{name: value})
    with pytest.raises(ModelFormatError, match=name) as caught:
        bough.load(path)
    assert caught.value.place == f"$.header.params.{name}"


@pytest.mark.parametrize(
    "parameters",
    [
        {"priors": {"yes": 0.1, "no": 0.9}, "costs": {("yes", "no"): 5}, "criterion": "weighted_gini"},
        {"class_weight": "balanced", "min_samples_split": 0.2, "pruning": CrossValidated(cv=3), "verbose": False},
        {"feature_costs": {"town": 2}, "monotonic_cst": {"x": 1}, "categorical_features": ["town"]},
        {"ordered_features": {"town": ["c", "b", "a"]}, "branching": Binary("exact"), "max_leaf_nodes": 3},
        {"search": Exhaustive(ties="rounding"), "reading": Reading(empty_rows="drop"), "n_jobs": -1, "random_state": 3},
    ],
)
def test_parameters_of_a_fit_are_read_back(tmp_path, parameters):
    fitted = bough.CARTClassifier(**parameters).fit(X, Y, sample_weight=np.arange(60.0))
    fitted.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.get_params() == fitted.get_params()
    assert loaded.tree_ == fitted.tree_


def test_a_regression_is_judged_too(tmp_path):
    fitted = bough.CARTRegressor(criterion="absolute_error").fit(X, X["x"])
    with pytest.raises(ModelFormatError, match="criterion"):
        bough.load(written(fitted, tmp_path / "model.json", criterion="gini"))
    fitted.save(tmp_path / "model.json")
    assert "mean distance" in str(bough.load(tmp_path / "model.json").tree_)
