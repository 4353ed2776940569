"""ID3Classifier: levels only, bins for numbers, missing values refused or spread, files."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import DataError, ModelFormatError, ParameterError

X, Y = bough.datasets.load("penguins").xy()
KNOWN = X.notna().all(axis=1)
WHOLE, CLASSES = X[KNOWN], Y[KNOWN]


def test_missing_values_are_refused_unless_asked_for():
    with pytest.raises(DataError, match="NaN or another missing value: column 'bill_length_mm', row 3"):
        bough.ID3Classifier().fit(X, Y)
    clf = bough.ID3Classifier().fit(WHOLE, CLASSES)
    with pytest.raises(DataError, match="row 3"):
        clf.predict(X)
    with pytest.raises(DataError, match="infinity: column 'body_mass_g'"):
        clf.predict(WHOLE.assign(body_mass_g=np.inf))
    spread = bough.ID3Classifier(missing="fractional").fit(X, Y)
    np.testing.assert_allclose(spread.predict_proba(X).sum(axis=1), 1.0)


def test_without_bins_numbers_are_refused():
    with pytest.raises(DataError, match="'bill_length_mm' is numeric"):
        bough.ID3Classifier(bins=None).fit(WHOLE, CLASSES)


@pytest.mark.parametrize("bins", ["entropy_mdl", "equal_width", "equal_frequency"])
def test_new_cases_are_binned_like_the_training_rows(bins):
    clf = bough.ID3Classifier(bins=bins).fit(WHOLE, CLASSES)
    assert clf.schema_.columns[2].kind == "numeric"
    assert clf.tree_.schema.columns[2].kind == "nominal"
    assert (clf.predict(WHOLE) == CLASSES.to_numpy()).mean() > 0.95
    for edges in clf.bins_:
        assert edges is None or (np.diff(edges) > 0).all()


def test_bins_are_named_by_their_edges():
    clf = bough.ID3Classifier().fit({"x": np.arange(20.0)}, ["a"] * 10 + ["b"] * 10)
    assert clf.tree_.schema.columns[0].levels == ("up to 9.5", "above 9.5")
    assert clf.predict({"x": [9.5, 9.6]}).tolist() == ["a", "b"]


def test_dates_are_binned_and_named_as_dates():
    days = pd.date_range("2026-01-01", periods=20)
    clf = bough.ID3Classifier().fit(pd.DataFrame({"day": days}), ["a"] * 10 + ["b"] * 10)
    assert clf.tree_.schema.columns[0].levels == ("up to 2026-01-10 12:00:00", "above 2026-01-10 12:00:00")
    assert clf.predict(pd.DataFrame({"day": days[9:11]})).tolist() == ["a", "b"]


def test_ordered_levels_have_a_branch_each():
    size = pd.Categorical(["S", "M", "L"] * 4, categories=["S", "M", "L"], ordered=True)
    clf = bough.ID3Classifier().fit(pd.DataFrame({"size": size}), ["no", "yes", "no"] * 4)
    assert clf.tree_.root.split.levels == (("S",), ("M",), ("L",))
    assert clf.predict(pd.DataFrame({"size": size[:3]})).tolist() == ["no", "yes", "no"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"bins": "kmeans"},
        {"n_bins": 1},
        {"max_depth": 0},
        {"min_samples_split": 1},
        {"missing": "surrogates"},
        {"missing": "surrogate"},
        {"unseen": "majority"},
        {"unseen": "missing"},
        {"max_competitors": -1},
    ],
)
def test_parameters_are_checked(parameters):
    with pytest.raises(ParameterError, match=next(iter(parameters))):
        bough.ID3Classifier(**parameters).fit(WHOLE, CLASSES)


@pytest.fixture
def file(tmp_path):
    bough.ID3Classifier(missing="fractional").fit(X, Y).save(tmp_path / "model.json")
    return tmp_path / "model.json"


def test_files_and_pickles_answer_the_same(file):
    clf = bough.ID3Classifier(missing="fractional").fit(X, Y)
    for other in (bough.load(file), pickle.loads(pickle.dumps(clf))):
        assert other.tree_ == clf.tree_
        assert other.schema_ == clf.schema_
        np.testing.assert_array_equal(other.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("bins", [], r"inputs\.bins"),
        ("bins", [None] * 6, r"inputs\.bins"),
        ("bins", [[1, 2]] * 6, r"inputs\.bins"),
        ("bins", "unsorted", r"inputs\.bins"),
        ("schema", {}, r"inputs\.schema"),
        ("schema", None, r"inputs\.schema"),
    ],
)
def test_files_whose_bins_do_not_fit_are_refused(file, key, value, place):
    model = json.loads(file.read_text())
    if value == "unsorted":
        value = model["inputs"]["bins"]
        column = next(edges for edges in value if edges)
        column.reverse()
    model["inputs"][key] = value
    file.write_text(json.dumps(model, separators=(",", ":")))
    with pytest.raises(ModelFormatError, match=place):
        bough.load(file)


def test_infinite_edges_come_back_from_a_file(tmp_path):
    x = np.array([np.inf, -np.inf, 1.0, 2.0, 3.0, np.inf] * 10).reshape(-1, 1)
    clf = bough.ID3Classifier(missing="fractional").fit(x, list("ababab") * 10)
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.bins_[0], clf.bins_[0])
    np.testing.assert_array_equal(loaded.predict(x), clf.predict(x))
