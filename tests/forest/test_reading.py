"""A forest that is read: its most typical tree, partial dependence, exports with their size; honest groups."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import PartialDependenceDisplay, partial_dependence
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold, cross_val_predict

import bough
from bough.errors import DataError, DataWarning, ExportError


def test_representative_tree_answers_most_like_the_forest():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=30, max_depth=3).fit(X, y)
    together = clf.predict_proba(X)
    off = [np.mean((tree.predict_proba(X) - together) ** 2) for tree in clf]
    assert np.allclose(clf.forest_.distances(X), off)
    assert str(clf.representative_tree(X)) == str(clf[int(np.argmin(off))])
    X, y = bough.datasets.load("friedman1").xy()
    reg = bough.ExtraTreesRegressor(n_estimators=10).fit(X, y)
    off = [np.mean((tree.predict(X) - reg.predict(X)) ** 2) for tree in reg]
    assert str(reg.representative_tree(X)) == str(reg[int(np.argmin(off))])


def test_members_answer_as_in_the_forest_where_missing_values_have_a_branch_alone():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(["x", "y", "z"], 120), "b": rng.normal(size=120)})
    y = rng.normal(size=120)
    frame.loc[::3, "a"], frame.loc[::4, "b"] = None, np.nan
    for target in (y + frame["a"].isna() + frame["b"].isna(), y - frame["a"].isna() - frame["b"].isna()):
        reg = bough.RandomForestRegressor(n_estimators=20, max_features=None).fit(frame, target)
        mean = np.mean([tree.predict(frame) for tree in reg], axis=0)
        assert np.allclose(mean, reg.predict(frame))


def test_partial_dependence_with_frames():
    pytest.importorskip("matplotlib").use("Agg")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(size=300), "colour": rng.choice(["red", "green"], 300)})
    y = frame["size"] + 2 * (frame["colour"] == "red")
    frame.loc[::9, "colour"] = None
    reg = bough.RandomForestRegressor(n_estimators=30, max_features=None).fit(frame, y)
    found = partial_dependence(reg, frame, ["size"], grid_resolution=5)
    by_hand = [reg.predict(frame.assign(size=value)).mean() for value in found["grid_values"][0]]
    assert np.allclose(found["average"][0], by_hand)
    assert (np.diff(found["average"][0]) > 0).all()
    known = frame.dropna()
    levels = partial_dependence(reg, known, ["colour"], categorical_features=["colour"])
    assert levels["average"][0][1] - levels["average"][0][0] > 1.5
    clf = bough.RandomForestClassifier(n_estimators=10).fit(known, np.where(y[known.index] > 1, "high", "low"))
    shown = PartialDependenceDisplay.from_estimator(
        clf, known, ["size", "colour"], categorical_features=["colour"], response_method="predict_proba"
    )
    assert shown.axes_.size == 2


def test_export_of_a_forest_and_of_a_member():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=4, max_depth=3).fit(X, y)
    for model in (clf, clf[1]):
        assert bough.export(model, "c").report.cases > 100


@pytest.mark.parametrize(
    "estimator", [bough.RandomForestClassifier, bough.ExtraTreesClassifier, bough.RandomForestRegressor]
)
def test_a_whole_forest_goes_to_onnx(estimator):
    pytest.importorskip("onnx")
    X, y = bough.datasets.load("penguins").xy()
    target = y if "Classifier" in estimator.__name__ else np.arange(len(y)) % 7.0
    report = bough.export(estimator(n_estimators=5, max_depth=4).fit(X, target), "onnx", max_cases=200).report
    assert report.cases > 100
    assert report.largest < 1e-12


@pytest.mark.parametrize("target", ["pmml", "excel", "sql", "python", "onnx"])
def test_a_split_by_what_is_missing_says_so_in_every_target(target):
    if target == "onnx":
        pytest.importorskip("onnx")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"ca": rng.random(80), "size": rng.choice(["s", "m"], 80)})
    frame["size"] = pd.Categorical(frame["size"], ["s", "m"], ordered=True)
    frame.loc[::2, "ca"], frame.loc[::3, "size"] = np.nan, None
    y = np.where(frame["ca"].isna(), "a", np.where(frame["size"].isna(), "b", "c"))
    clf = bough.RandomForestClassifier(n_estimators=6).fit(frame, y)
    texts = [str(tree) for tree in clf]
    assert any("ca is missing" in text and "ca is known" in text for text in texts)
    assert any("size is missing" in text for text in texts)
    assert not any("inf" in text for text in texts)
    assert bough.export(clf, target, max_cases=100).report.cases > 50


def test_the_size_of_a_large_export_is_said_before_it_is_written(monkeypatch, tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=10).fit(X, y)
    monkeypatch.setattr("bough.exports.size._LARGE", 100)
    with pytest.warns(DataWarning, match=r"10 trees with \d+ nodes in all are about 0 MB as c"):
        bough.export(clf, "c", verify=False)
    monkeypatch.setattr("bough.exports.size._HUGE", 200)
    with pytest.raises(ExportError, match="nothing is written: grow fewer or smaller trees"):
        bough.export(clf, "c", tmp_path / "forest.c")
    assert not (tmp_path / "forest.c").exists()


def test_a_mean_of_many_trees_is_checked_by_fewer_cases_unless_more_are_asked_for(monkeypatch):
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=4, max_depth=3).fit(X, y)
    assert "max_cases" not in str(bough.export(clf, "python").report)
    monkeypatch.setattr("bough.exports.verify._STEPS", 5_000)
    report = bough.export(clf, "python").report
    assert 50 < report.cases < 200
    assert "about 100 cases for a mean of so many trees, more by max_cases" in str(report)
    assert bough.export(clf, "python", max_cases=400).report.cases > 300
    assert bough.export(clf[0], "python").report.cases > 300


def test_members_tell_rows_and_weight_apart_by_the_rows_of_the_fit():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RandomForestClassifier(n_estimators=3, max_depth=3, max_samples=100).fit(X, y)
    kept = clf[1]
    assert (kept.root.rows, kept.root.weight) == (100, 100)
    assert "a row counts as often as it was drawn" in str(kept)
    member = clf.member(1, X, y)
    tree = member.tree_
    assert tree.root.weight == 100
    assert 60 < tree.root.rows < 100
    assert "as often as it was drawn" not in str(tree)
    assert f"{tree.root.rows} rows of weight 100" in str(tree)
    assert np.array_equal(tree.predict_proba(X), kept.predict_proba(X))
    for node in tree:
        assert node.is_leaf or node.rows == sum(child.rows for child in node.children)
        assert node.rows <= node.weight == kept.node(node.id).weight
    with pytest.raises(DataError, match="another table"):
        clf.member(1, X[:300], y[:300])
    every = bough.ExtraTreesClassifier(n_estimators=1).fit(X, y)
    assert every.member(0, X, y).tree_.root.rows == every[0].root.rows == 344


def test_out_of_bag_error_by_groups_is_that_of_folds_by_groups():
    # Each of 150 people is measured four times, and their own kind of values gives them away.
    rng = np.random.default_rng(0)
    people = np.repeat(np.arange(150), 4)
    X = rng.normal(size=(150, 6))[people] + 0.3 * rng.normal(size=(600, 6))
    ill = rng.random(150) < 1 / (1 + np.exp(-1.5 * X[::4, 0]))
    y = ill[people]
    clf = bough.RandomForestClassifier(n_estimators=150, oob_score=True)
    plain, grouped = clf.fit(X, y).oob_score_, clf.fit(X, y, groups=people).oob_score_
    clf.set_params(oob_score=False)
    folds = accuracy_score(y, cross_val_predict(clf, X, y, cv=GroupKFold(10), groups=people))
    assert abs(grouped - folds) < 0.03  # the standard error of either over 150 people is 0.04
    assert plain - folds > 0.05


def test_what_is_printed_is_short():
    X, y = bough.datasets.load("penguins").xy()
    told = bough.RandomForestClassifier(n_estimators=20, oob_score=True, random_state=0).fit(X, y).out_of_bag_
    assert repr(told) == f"<out of bag: error {told.error[-1]:.4g} on 344 rows, by 20 trees>"
    lines = str(told).splitlines()
    assert lines[0] == f"Out of bag: error {told.error[-1]:.4g} on 344 rows, by 20 trees"
    assert lines[1].split() == ["true", "\\", "decided", "Adelie", "Chinstrap", "Gentoo"]
    assert [[int(cell) for cell in line.split()[1:]] for line in lines[2:]] == told.confusion().iloc[
        :, 1:
    ].to_numpy().tolist()
    A, b = bough.datasets.load("friedman1").xy()
    numbers = bough.RandomForestRegressor(n_estimators=20, oob_score=True, random_state=0).fit(A, b).out_of_bag_
    assert str(numbers) == f"Out of bag: mean squared error {numbers.error[-1]:.4g} on 200 rows, by 20 trees"
