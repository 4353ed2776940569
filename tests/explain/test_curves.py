"""Counterfactuals, Shapley values, importance and words of trees that ask curves."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import Curved


@pytest.fixture
def circle():
    X = np.random.default_rng(0).uniform(-1, 1, (400, 2))
    table = {"a": X[:, 0], "b": X[:, 1], "job": np.where(np.arange(400) % 2, "A", "B")}
    inside = np.where((X**2).sum(axis=1) < 0.6, "in", "out")
    return bough.SphereTreeClassifier(pruning=None).fit(table, inside), table


def test_a_walk_changes_few_columns_and_ends_beside_the_curve(circle):
    clf, table = circle
    row = {"a": 0.1, "b": 0.05, "job": "A"}
    for more in ({}, {"background": table}):
        found = clf.counterfactual(row, to="out", **more)
        assert [change.column for change in found[0].changes] in (["a"], ["b"])
        assert clf.predict({name: [value] for name, value in found[0].row.items()}).tolist() == ["out"]
        near = dict(found[0].row)
        for change in found[0].changes:
            near[change.column] = change.old + 0.98 * (change.new - change.old)
        assert clf.predict({name: [value] for name, value in near.items()}).tolist() == ["in"]
        word = "given" if more else "drawn"
        assert found.limits == f"there may be a smaller change: curves were walked to from {word} rows, not searched"


def test_walks_keep_to_what_may_change(circle):
    clf, table = circle
    row = {"a": 0.1, "b": 0.05, "job": "A"}
    found = clf.counterfactual(row, to="out", fixed=["a"], direction={"b": "down"}, background=table)
    assert [change.column for change in found[0].changes] == ["b"]
    assert found[0].changes[0].new < 0.05
    assert len(clf.counterfactual(row, to="out", bounds={"a": (-0.2, 0.2), "b": (-0.2, 0.2)}, background=table)) == 0
    assert str(clf.counterfactual(row, to="in")[0]) == "the answer is in already"


def test_no_exact_search_is_promised(circle):
    clf, table = circle
    with pytest.raises(ParameterError, match=r"exact=True: the tree asks curves, .* give background="):
        clf.counterfactual({"a": 0.1, "b": 0.05, "job": "A"}, to="out", exact=True)
    plain = bough.CARTClassifier().fit(table, clf.predict(table))
    with pytest.raises(ParameterError, match="background is for trees that ask curves"):
        plain.counterfactual({"a": 0.1, "b": 0.05, "job": "A"}, background=table)
    assert plain.counterfactual({"a": 0.1, "b": 0.05, "job": "A"}, to="out", exact=True).limits == ""


def test_shapley_values_are_interventional(circle):
    clf, table = circle
    rows = {name: values[:3] for name, values in table.items()}
    with pytest.raises(ParameterError, match="interventional"):
        clf.shap_values(rows)
    values = clf.shap_values(rows, kind="interventional", background=table)
    mean = clf.predict_proba(table).mean(axis=0)
    assert np.allclose(values.sum(axis=1), clf.predict_proba(rows) - mean)
    assert np.allclose(values[:, 2], 0.0)


def test_importance_goes_to_both_columns_of_a_product():
    X = np.random.default_rng(0).uniform(-1, 1, (400, 3))
    clf = bough.TreeClassifier(search=Curved(), pruning=None, stopping=None).fit(X, X[:, 0] * X[:, 1] > 0)
    shares = clf.importance()
    assert shares.sum() == pytest.approx(1.0)
    assert shares[:2].min() > 0.3


def test_paths_and_pictures_say_the_curve(circle, tmp_path):
    clf, _ = circle
    text = str(clf.explain({"a": 0.1, "b": 0.05, "job": "A"}))
    assert "distance to (" in text
    assert "distance to (" in bough.draw(clf, "text")
    clf.to_html(tmp_path / "tree.html")
    with pytest.raises(ParameterError, match="multiplies"):
        clf.tree_.rules(missing="known")


def test_an_explanation_says_what_each_column_adds_to_a_sum(circle):
    clf, _ = circle
    told = clf.explain({"a": 0.1, "b": 0.05, "job": "A"})
    (met,) = told.sums
    terms = clf.tree_.root.split.test.feature.terms
    assert met.value == pytest.approx(met.mean + sum(met.parts.values()))
    assert list(met.parts) == ["a", "b"]
    assert met.parts["a"] == pytest.approx(terms[0].weight * ((0.1 - terms[0].centre) ** 2 - terms[0].fill))
    assert str(met) in str(told)
    assert clf.explain({"b": 0.05, "job": "A"}).sums[0].parts["a"] == 0.0
    X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    quadratic = bough.TreeClassifier(search=Curved(), pruning=None, stopping=None).fit(X, X[:, 0] * X[:, 1] > 0)
    assert "x0 * x1" in quadratic.explain({"x0": 0.5, "x1": 0.5}).sums[0].parts
