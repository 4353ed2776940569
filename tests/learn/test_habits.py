"""Options that exist for parity with rpart: order of classes, ties by rounding, empty rows, undecided rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Exhaustive, Reading, Surrogates

LABELS = ["z", "b", "z", "m"] * 10
X = pd.DataFrame({"a": [1, 2, 3, 4] * 10})


@pytest.mark.parametrize(
    ("y", "order"),
    [
        (pd.Series(pd.Categorical(LABELS, categories=["z", "q", "m", "b"])), ["z", "m", "b"]),
        (pd.Categorical(LABELS, categories=["z", "q", "m", "b"]), ["z", "m", "b"]),
        (pl.Series(LABELS, dtype=pl.Enum(["z", "q", "m", "b"])), ["z", "m", "b"]),
        (pa.array(LABELS).dictionary_encode(), ["z", "b", "m"]),
        (LABELS, ["b", "m", "z"]),
        (np.array(LABELS), ["b", "m", "z"]),
    ],
    ids=["pandas", "categorical", "polars", "pyarrow", "list", "numpy"],
)
def test_classes_come_as_their_type_declares_them(y, order, tmp_path):
    clf = bough.CARTClassifier(min_samples_leaf=1, reading=Reading(class_order="declared")).fit(X, y)
    assert list(clf.tree_.classes) == order
    assert clf.classes_.tolist() == ["b", "m", "z"]
    expected = bough.CARTClassifier(min_samples_leaf=1).fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), expected.predict_proba(X))
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert list(loaded.tree_.classes) == order
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    assert loaded.predict(X).tolist() == clf.predict(X).tolist() == LABELS


def test_arrays_of_priors_and_costs_follow_the_declared_order():
    y = pd.Series(["no", "yes"] * 20).astype(pd.CategoricalDtype(["yes", "no"]))
    nothing = pd.DataFrame({"x": [0] * 40})
    clf = bough.CARTClassifier(priors=[0.9, 0.1], reading=Reading(class_order="declared")).fit(nothing, y)
    assert clf.predict_proba(nothing)[0].tolist() == pytest.approx([0.1, 0.9])
    costs = [[0, 1], [5, 0]]  # a "no" taken for "yes" costs 5
    assert (
        bough.CARTClassifier(costs=costs, reading=Reading(class_order="declared")).fit(nothing, y).predict(nothing)[0]
        == "no"
    )
    assert bough.CARTClassifier(costs=costs).fit(nothing, y).predict(nothing)[0] == "yes"


def test_rows_without_inputs_are_left_out_unless_there_are_weights():
    table = pd.DataFrame({"x": [1.0, 2.0, np.nan], "c": pd.Categorical(["u", "v", None])})
    y = [0, 1, 1]
    for how, unweighted, weighted in [("keep", 3, 3), ("drop", 2, 2), ("drop_unweighted", 2, 3)]:
        clf = bough.CARTClassifier(reading=Reading(empty_rows=how))
        assert clf.fit(table, y).tree_.kernel.rows[0] == unweighted
        assert clf.fit(table, y, sample_weight=[1, 1, 1]).tree_.kernel.rows[0] == weighted


def test_ties_by_rounding_ask_for_sums():
    with pytest.raises(ParameterError, match="ties='rounding' needs criterion"):
        bough.CARTClassifier(criterion="twoing", search=Exhaustive(ties="rounding")).fit(X, LABELS)
    with pytest.raises(ParameterError, match="monotonic_cst"):
        bough.CARTRegressor(monotonic_cst=[1], search=Exhaustive(ties="rounding")).fit(X, X["a"])
    with pytest.raises(ParameterError, match="'first', 'rounding'"):
        bough.CARTRegressor(search=Exhaustive(ties="chance")).fit(X, X["a"])


@pytest.mark.parametrize(("weights", "criterion"), [(None, "gini"), (None, "entropy"), ("some", "gini")])
def test_ties_by_rounding_change_nothing_where_there_are_none(weights, criterion):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=200), "z": rng.normal(size=200), "c": rng.choice(list("abcde"), 200)})
    table.loc[::7, "x"] = np.nan
    y = rng.integers(0, 3, 200)
    sample_weight = None if weights is None else rng.uniform(0.5, 2, 200)
    trees = [
        bough.CARTClassifier(criterion=criterion, min_samples_leaf=12, search=Exhaustive(ties=ties))
        .fit(table, y, sample_weight)
        .tree_
        for ties in ("first", "rounding")
    ]
    assert str(trees[0]) == str(trees[1])
    np.testing.assert_allclose(trees[0].kernel.split_score, trees[1].kernel.split_score, rtol=1e-9)


def test_without_surrogates_undecided_rows_stay_while_growing_and_follow_the_majority_later():
    table = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, np.nan]})
    y = [0, 0, 0, 1, 1, 1]
    options = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": 0.0}
    none, one = (
        bough.CARTClassifier(**options, missing=Surrogates(most, majority="routed")).fit(table, y) for most in (0, 1)
    )
    assert none.tree_.kernel.rows.tolist() == [6, 3, 2]
    assert none.predict(table)[-1] == 0
    assert one.tree_.kernel.rows.tolist() == [6, 4, 2]


def test_a_lone_root_tells_what_its_split_was_worth():
    table = pd.DataFrame({"x": [0] * 10 + [1] * 10})
    y = [0] * 10 + [1] + [0] * 9  # the split lowers the impurity but not the error
    withdrawn = bough.like("rpart").fit(table, y)
    assert withdrawn.get_n_leaves() == 1
    assert withdrawn.pruning_path_["cp"].tolist() == [0.0]
    assert bough.like("rpart", minsplit=30).fit(table, y).pruning_path_["cp"].tolist() == [0.01]
