"""Partial dependence of forests, trees and rules: against predictions by hand and scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence as other

import bough
from bough.errors import DataError, ParameterError
from bough.explain import partial_dependence


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=200),
            "count": rng.integers(0, 6, 200),
            "colour": rng.choice(["red", "green"], 200),
            "grade": pd.Categorical(rng.choice(["low", "mid", "top"], 200), ["low", "mid", "top"], ordered=True),
        }
    )
    y = frame["size"] + 2 * (frame["colour"] == "red") + frame["grade"].cat.codes + frame["count"]
    frame.loc[::9, "colour"] = None
    frame.loc[::7, "size"] = np.nan
    return frame, y


MODELS = {
    "forest": bough.RandomForestRegressor(n_estimators=10),
    "tree": bough.CARTRegressor(),
    "bagged": bough.BaggedTreesRegressor(n_estimators=3),
    "rules": bough.RuleRegressor(),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_mean_is_that_of_rows_that_are_all_given_the_value(table, name):
    frame, y = table
    reg = MODELS[name].fit(frame, y)
    weights = np.arange(200) % 3
    for column, length in (("size", 21), ("count", 6), ("colour", 3), ("grade", 3)):
        found = partial_dependence(reg, frame, column, grid_resolution=20, sample_weight=weights, individual=True)
        (values,) = found.values  # noqa: PD011 (no frame)
        assert len(values) == length
        assert (values[-1] is None) == (column in ("size", "colour"))
        for value, mean, single in zip(values, found.mean, found.individual.T, strict=True):
            changed = frame.copy()
            if column == "grade":
                changed[column] = pd.Categorical([value] * 200, frame["grade"].cat.categories, ordered=True)
            else:
                changed[column] = [value] * 200
                changed = changed.astype({"size": float, "colour": object})
            answers = reg.predict(changed)
            assert np.allclose(single, answers)
            assert np.isclose(mean, np.average(answers, weights=weights))


def test_bins_are_asked_by_their_numbers(table):
    frame, y = table
    clf = bough.CHAIDClassifier().fit(frame, y > 3)
    found = partial_dependence(clf, frame, "count")
    by_hand = [clf.predict_proba(frame.assign(count=value)).mean(axis=0) for value in found.places[0]]
    assert np.allclose(found.mean, by_hand)
    assert np.ptp(found.mean) > 0.1


def test_two_columns_and_classes_in_their_order(table):
    frame, y = table
    labels = np.array(["b", "c", "a"])[np.digitize(y, [2, 5])]
    clf = bough.RandomForestClassifier(n_estimators=10).fit(frame, labels)
    found = partial_dependence(clf, frame, ["colour", "count"])
    assert found.mean.shape == (3, 6, 3)
    assert found.classes.tolist() == ["a", "b", "c"]
    by_hand = clf.predict_proba(frame.assign(colour="red", count=4)).mean(axis=0)
    assert np.allclose(found.mean[1, 4], by_hand)
    frame_of = found.to_frame()
    assert frame_of.columns.tolist() == ["colour", "count", "p[a]", "p[b]", "p[c]"]
    assert len(frame_of) == 18
    assert len(str(found).splitlines()) == 19
    # A model without its estimator answers the same.
    assert np.array_equal(partial_dependence(clf.forest_, frame, [2, 1]).mean, found.mean)


def test_agrees_with_scikit_learn():
    X, y = bough.datasets.load("friedman1").xy()
    X = X.assign(x1=X["x1"].round(1))
    reg = bough.RandomForestRegressor(n_estimators=10).fit(X, y)
    theirs = other(reg, X, ["x1"], grid_resolution=20, method="brute")
    ours = partial_dependence(reg, X, "x1", grid_resolution=20)
    assert list(ours.places[0]) == theirs["grid_values"][0].tolist()
    assert np.allclose(ours.mean, theirs["average"][0])


def test_what_cannot_be_asked_is_refused(table):
    frame, y = table
    reg = bough.RandomForestRegressor(n_estimators=2).fit(frame, y)
    for columns in ("shape", 4, ["size", "size"], [], [0, 1, 2], True):
        with pytest.raises(ParameterError, match="column"):
            partial_dependence(reg, frame, columns)
    with pytest.raises(ParameterError, match="grid_resolution"):
        partial_dependence(reg, frame, "size", grid_resolution=1)
    with pytest.raises(ParameterError, match="percentiles"):
        partial_dependence(reg, frame, "size", percentiles=(5, 95))
    with pytest.raises(DataError, match="sample_weight"):
        partial_dependence(reg, frame, "size", sample_weight=[1, 2])
    with pytest.raises(ParameterError, match=r"sklearn\.inspection"):
        partial_dependence(object(), frame, "size")
