"""Comparison on the same folds: the tests of pairs from the folds themselves, text, frames and page."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.errors import ParameterError
from bough.validate import combined_f_test, compare, corrected_t_test, holm, report


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy("pandas")


def test_pairs_are_tested_on_the_folds_that_the_reports_show(penguins):
    X, y = penguins
    trees = {
        "cart": bough.CARTClassifier(),
        "stump": bough.CARTClassifier(max_depth=1),
        "c45": bough.C45Classifier(),
    }
    cv = list(StratifiedKFold(5, shuffle=True, random_state=1).split(X, y))
    found = compare(trees, X, y, cv=cv, random_state=0)
    assert [one.name for one in found.reports] == list(trees)
    ratio = np.mean([len(test) / len(train) for train, test in cv])
    p_values = []
    for pair, (a, b) in zip(found.pairs, [(0, 1), (0, 2), (1, 2)], strict=True):
        apart = found.reports[a]["accuracy"].by_fold - found.reports[b]["accuracy"].by_fold
        expected = corrected_t_test(apart, ratio)
        assert pair.value == pytest.approx(apart.mean())
        assert (pair.t_test.statistic, pair.t_test.p_value) == pytest.approx((expected.statistic, expected.p_value))
        p_values.append(expected.p_value)
    assert [pair.p_holm for pair in found.pairs] == pytest.approx(holm(p_values))
    alone = report(bough.CARTClassifier(), X, y, cv=cv)
    assert found.reports[0]["accuracy"].by_fold == pytest.approx(alone["accuracy"].by_fold)


def test_the_f_test_is_drawn_on_five_times_two_folds(penguins):
    X, y = penguins
    models = [bough.CARTClassifier(), bough.CARTClassifier(max_depth=1)]
    rng = np.random.RandomState(0)
    rng.randint(2**31 - 1, size=1)  # of the repeated folds, drawn first
    halves = []
    for seed in rng.randint(2**31 - 1, size=5).tolist():
        for train, test in StratifiedKFold(2, shuffle=True, random_state=seed).split(X, y):
            right = [
                (model.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test]) == y.iloc[test]).mean()
                for model in models
            ]
            halves.append(right[0] - right[1])
    expected = combined_f_test(np.reshape(halves, (5, 2)))
    pair = compare(models, X, y, cv=3, n_repeats=1, random_state=0).pairs[0]
    assert (pair.f_test.statistic, pair.f_test.p_value) == pytest.approx((expected.statistic, expected.p_value))


def test_an_estimator_does_not_differ_from_itself(penguins):
    found = compare([bough.CARTClassifier(), bough.CARTClassifier()], *penguins, cv=3, n_repeats=1, random_state=0)
    assert [one.name for one in found.reports] == ["CARTClassifier()", "CARTClassifier() (2)"]
    assert (found.pairs[0].value, found.pairs[0].t_test.p_value, found.pairs[0].f_test.p_value) == (0.0, 1.0, 1.0)


def test_a_difference_that_every_fold_shows_alike_is_not_called_certain():
    X, y = {"x": np.tile(np.arange(4.0), 30)}, np.tile(["a", "b", "c", "d"], 30)
    full = {"pruning": None, "min_samples_leaf": 1, "min_samples_split": 2}
    cv = [(np.setdiff1d(np.arange(120), part), part) for part in np.split(np.arange(120), 5)]
    trees = [bough.CARTClassifier(**full), bough.CARTClassifier(**full, max_depth=1)]
    found = compare(trees, X, y, cv=cv, random_state=0)
    pair = found.pairs[0]
    assert pair.value == pytest.approx(0.5)
    assert np.isnan([pair.low, pair.high, pair.t_test.statistic, pair.t_test.p_value, pair.p_holm]).all()
    assert str(found).splitlines()[-1].startswith("-: the folds all show the same difference")
    assert "the folds all show the same difference" in found.to_html()
    assert "-:" not in str(compare(trees[:1] * 2, X, y, cv=cv, random_state=0))


def test_any_measure_can_be_compared_and_numbers_by_their_error():
    X, y = bough.datasets.load("friedman1").xy("pandas")
    trees = [bough.CARTRegressor(), bough.CARTRegressor(max_depth=1)]
    found = compare(trees, X, y, cv=3, n_repeats=1, random_state=0)
    assert found.measure == "mse"
    assert found.pairs[0].value < 0
    assert compare(trees, X, y, measure="leaves", cv=3, n_repeats=1).pairs[0].value > 0
    with pytest.raises(ParameterError, match="measure must be one of 'mse'"):
        compare(trees, X, y, measure="accuracy", cv=3)


def test_all_are_judged_by_the_same_costs(penguins):
    X, y = penguins
    low, high = {("Adelie", "Gentoo"): 2.0}, {("Adelie", "Gentoo"): 50.0}
    plain, told, other = bough.CARTClassifier(), bough.CARTClassifier(costs=low), bough.CARTClassifier(costs=high)
    found = compare([plain, told], X, y, measure="cost", cv=3, n_repeats=1, random_state=0)
    given = compare([plain, told], X, y, measure="cost", costs=low, cv=3, n_repeats=1, random_state=0)
    assert found.pairs[0].value == given.pairs[0].value
    assert "cost" not in compare([told, other], X, y, cv=3, n_repeats=1, random_state=0).measure_names()
    for these in ([told, other], [plain, bough.C45Classifier()]):
        with pytest.raises(ParameterError, match="told none, or different ones: give costs"):
            compare(these, X, y, measure="cost", cv=3)


def test_what_cannot_be_compared_is_said_before_the_work(penguins):
    X, y = penguins
    done = []
    for measure, says in (
        ("acuracy", "got 'acuracy'"),
        ("recall", "got 'recall'"),
        ("mse", "must be one of 'accuracy'"),
        ("calibration_error", "one number of all rows, which no fold tells: compare by 'brier'"),
    ):
        with pytest.raises(ParameterError, match=says):
            compare([bough.CARTClassifier(), bough.C45Classifier()], X, y, measure=measure, progress=done.append)
    assert not done
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.tile([0, 1], 30)
    with pytest.raises(ParameterError, match=r"LinearSVC\(\) does not tell 'brier'"):
        compare([DecisionTreeClassifier(), LinearSVC()], X, y, measure="brier", cv=2, n_repeats=1)
    with pytest.raises(ParameterError, match="read the same: 1, '1'"):
        compare({1: bough.CARTClassifier(), "1": bough.C45Classifier()}, X, y)
    with pytest.raises(bough.errors.DataError, match=r"second cannot be fitted: .*max_depth"):
        compare({"first": bough.CARTClassifier(), "second": bough.CARTClassifier(max_depth=-1)}, X, y, cv=2)


def test_trees_of_scikit_learn_stand_beside_ours():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    found = compare([bough.CARTClassifier(), DecisionTreeClassifier(random_state=0)], X, y, cv=3, random_state=0)
    assert "leaves" in found.measure_names()


def test_text_frames_and_page(penguins, tmp_path):
    trees = {"<b>bold</b>": bough.CARTClassifier(), "other": bough.C45Classifier()}
    told = []
    found = compare(trees, *penguins, cv=2, n_repeats=2, random_state=0, progress=lambda *at: told.append(at))
    assert told == [(k, 28) for k in range(1, 29)]
    assert "[1] - [2]" in str(found)
    assert list(found.to_frame("pairs").columns) == [
        *("first", "second", "difference", "low", "high"),
        *("t", "p", "p_holm", "f_5x2", "p_5x2"),
    ]
    assert set(found.to_frame()["estimator"]) == set(trees)
    page = found.to_html(tmp_path / "page.html")
    assert "<b>" not in page
    assert "&lt;b&gt;bold" in page


@pytest.mark.parametrize(
    ("estimators", "says"),
    [
        ([bough.CARTClassifier()], "at least two"),
        (bough.CARTClassifier(), "must be a list or a dict"),
        ([bough.CARTClassifier(), bough.CARTRegressor()], "all classifiers or all regressors|y must hold numbers"),
        ([bough.CARTClassifier(), "c45"], "expected a classifier or a regressor"),
    ],
)
def test_wrong_estimators_are_named(penguins, estimators, says):
    with pytest.raises(ValueError, match=says):
        compare(estimators, *penguins)
