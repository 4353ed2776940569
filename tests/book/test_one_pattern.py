"""One pattern at a time: a property d-tuple (text 0, line 13), twenty questions (text 0, line 31; text 2, line 28)."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import DataError


@pytest.fixture(scope="module")
def fruit():
    data = bough.datasets.load_fruit()
    return bough.ID3Classifier().fit(data.data, data.target), pd.DataFrame(data.data)


def test_a_property_tuple_is_answered(fruit):
    """Text 0, line 13: a fruit by the values of its properties, in their order or by name."""
    clf, frame = fruit
    whole = clf.predict(frame)
    for number in range(len(frame)):
        row = frame.iloc[number]
        for one in (dict(row), tuple(row), row):
            answer, proba = clf.predict(one), clf.predict_proba(one)
            assert answer.shape == (1,)
            assert proba.shape == (1, len(clf.classes_))
            assert answer[0] == whole[number]
            np.testing.assert_array_equal(proba[0], clf.predict_proba(frame)[number])
            assert clf.apply(one).tolist() == [clf.apply(frame)[number]]
            assert clf.explain(one).answer == whole[number]


def test_what_is_not_said_is_not_known():
    """Text 0, line 31: only what is asked for has to be known; the rule for missing values decides about the rest."""
    X, y = bough.datasets.load("penguins").xy()
    frame = pd.DataFrame({name: X[name].to_list() for name in X.columns})
    for missing in ("surrogates", "fractional", "stop", "majority_branch"):
        clf = bough.TreeClassifier(missing=missing).fit(frame, y)
        for left in (["flipper_length_mm"], ["island", "bill_length_mm"], list(frame.columns[:-1])):
            row = {name: value for name, value in frame.iloc[0].items() if name not in left}
            full = frame.iloc[[0]].assign(**dict.fromkeys(left, np.nan))
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(clf.predict_proba(row), clf.predict_proba(full))
            assert clf.explain(row).answer == clf.predict(row)[0]


def test_a_model_that_takes_no_missing_value_says_what_it_needs(fruit):
    frame = fruit[1]
    clf = bough.TreeClassifier(missing="refuse").fit(frame, bough.datasets.load_fruit().target)
    with pytest.raises(DataError, match=r"says nothing of 'size', 'taste', which TreeClassifier needs. .*'refuse'"):
        clf.predict({name: frame.iloc[0][name] for name in frame.columns if name not in ("size", "taste")})
    with pytest.raises(DataError, match="did you mean 'color'"):
        clf.predict({"colour": "red"})


def test_numbers_and_bare_arrays_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    reg = bough.CARTRegressor().fit(X, X[:, 0] + X[:, 1])
    assert reg.predict(tuple(X[4])) == reg.predict(X[4:5])
    assert reg.predict({"x0": X[4, 0], "x1": X[4, 1], "x2": X[4, 2]}) == reg.predict(X[4:5])
    with pytest.raises(ValueError, match="Reshape your data"):
        reg.predict(X[4])


def test_every_kind_of_model_takes_one_row(fruit):
    """The row is read by the inputs of the model, so a bare tree takes it, and any other kind."""
    clf, frame = fruit
    row = dict(frame.iloc[3])
    assert clf.tree_.predict(row).tolist() == clf.predict(row).tolist()
    assert clf.tree_.program() is not None
