"""The report: every number against scikit-learn or by hand, for any kind of table; text, frames and page."""

import html.parser
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.errors import DataError, ParameterError
from bough.model.wilson import wilson
from bough.recipe import Bayes, Reading
from bough.validate import corrected_interval, report
from bough.view.palette import CLASSES, class_colors


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy("pandas")


@pytest.fixture(scope="module")
def titanic():
    return bough.datasets.load("titanic").xy("pandas")


def folds_of(y, k=5, seed=3):
    return list(StratifiedKFold(k, shuffle=True, random_state=seed).split(np.zeros(len(y)), y))


def test_measures_of_two_classes_are_those_of_scikit_learn(titanic):
    X, y = titanic
    y = np.asarray(y)
    cv = folds_of(y)
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    model = bough.CARTClassifier(pruning=0.001)
    found = report(model, X, y, cv=cv, sample_weight=weights)
    for place, (train, test) in enumerate(cv):
        fitted = clone(model).fit(X.iloc[train], y[train], weights[train])
        truth, answer, w = y[test], fitted.predict(X.iloc[test]), weights[test]
        score = fitted.predict_proba(X.iloc[test])[:, 1]
        hit = truth == "yes"
        expected = {
            "accuracy": metrics.accuracy_score(truth, answer, sample_weight=w),
            "balanced_accuracy": metrics.balanced_accuracy_score(truth, answer, sample_weight=w),
            "brier": metrics.brier_score_loss(hit, score, sample_weight=w),
            "roc_auc": metrics.roc_auc_score(hit, score, sample_weight=w),
            "average_precision": metrics.average_precision_score(hit, score, sample_weight=w),
            "leaves": fitted.get_n_leaves(),
            "depth": fitted.get_depth(),
        }
        for name, value in expected.items():
            assert found[name].by_fold[place] == pytest.approx(value), name
        by_class = metrics.precision_recall_fscore_support(truth, answer, sample_weight=w)
        for code, label in enumerate(["no", "yes"]):
            for part, name in enumerate(["precision", "recall", "f1"]):
                assert found[name, label].by_fold[place] == pytest.approx(by_class[part][code])
    total = sum(
        metrics.confusion_matrix(
            y[test],
            clone(model).fit(X.iloc[train], y[train], weights[train]).predict(X.iloc[test]),
            sample_weight=weights[test],
        )
        for train, test in cv
    )
    assert found.confusion.counts == pytest.approx(total)
    assert (found.confusion.low <= total).all()
    assert (total <= found.confusion.high).all()


def test_the_area_is_the_chance_to_rank_a_pair_right(titanic):
    X, y = titanic
    y = np.asarray(y)
    cv = folds_of(y)[:1]
    found = report(bough.CARTClassifier(), X, y, cv=cv)
    train, test = cv[0]
    score = bough.CARTClassifier().fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])[:, 1]
    yes, no = score[y[test] == "yes"], score[y[test] == "no"]
    chance = (yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2
    assert found["roc_auc"].value == pytest.approx(chance)
    assert np.isnan(found["roc_auc"].low)
    # The curve passes through the points of the fold, and its area is that of the measure.
    others, right, _ = metrics.roc_curve(y[test] == "yes", score)
    assert np.interp(0.5, others, right) == pytest.approx(found.roc[0].y[50])


def test_measures_of_more_classes_are_those_of_each_against_the_rest(penguins):
    X, y = penguins
    y = np.asarray(y)
    cv = folds_of(y)
    found = report(bough.CARTClassifier(), X, y, cv=cv)
    for place, (train, test) in enumerate(cv):
        fitted = bough.CARTClassifier().fit(X.iloc[train], y[train])
        shares = fitted.predict_proba(X.iloc[test])
        hit = y[test][:, None] == fitted.classes_
        assert found["brier"].by_fold[place] == pytest.approx(((shares - hit) ** 2).sum(axis=1).mean())
        areas = [metrics.roc_auc_score(hit[:, k], shares[:, k]) for k in range(3)]
        assert [found["roc_auc", label].by_fold[place] for label in fitted.classes_] == pytest.approx(areas)
        assert found["roc_auc"].by_fold[place] == pytest.approx(
            metrics.roc_auc_score(y[test], shares, multi_class="ovr")
        )


def test_measures_of_numbers_are_those_of_scikit_learn():
    X, y = bough.datasets.load("friedman1").xy("pandas")
    cv = list(KFold(4, shuffle=True, random_state=0).split(X))
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    found = report(bough.CARTRegressor(), X, y, cv=cv, sample_weight=weights)
    for place, (train, test) in enumerate(cv):
        answer = bough.CARTRegressor().fit(X.iloc[train], y[train], weights[train]).predict(X.iloc[test])
        w = weights[test]
        mse = metrics.mean_squared_error(y[test], answer, sample_weight=w)
        assert found["mse"].by_fold[place] == pytest.approx(mse)
        assert found["rmse"].by_fold[place] == pytest.approx(np.sqrt(mse))
        assert found["mae"].by_fold[place] == pytest.approx(
            metrics.mean_absolute_error(y[test], answer, sample_weight=w)
        )
        assert found["r2"].by_fold[place] == pytest.approx(metrics.r2_score(y[test], answer, sample_weight=w))
    bins = found.calibration[0]
    assert bins.rows.sum() == pytest.approx(weights.sum())
    assert (bins.rows @ bins.observed) / bins.rows.sum() == pytest.approx(np.average(y, weights=weights))


def test_costs_are_those_of_the_matrix_or_of_the_estimator(titanic):
    X, y = titanic
    costs = {("yes", "no"): 5.0}
    given = report(bough.CARTClassifier(), X, y, costs=costs, random_state=0, n_repeats=1)
    table = given.confusion.counts
    assert given["cost"].value == pytest.approx((table[0, 1] + 5 * table[1, 0]) / len(y), rel=0.01)
    own = report(bough.CARTClassifier(costs=costs), X, y, random_state=0, n_repeats=1)
    assert own["cost"].value < given["cost"].value
    with pytest.raises(KeyError, match="no measure 'cost'"):
        report(bough.CARTClassifier(), X, y, random_state=0, n_repeats=1)["cost"]


def test_the_positive_class_can_be_chosen(titanic):
    X, y = titanic
    one = report(bough.CARTClassifier(), X, y, random_state=0, n_repeats=1)
    other = report(bough.CARTClassifier(), X, y, random_state=0, n_repeats=1, pos_label="no")
    assert (one.roc[0].label, other.roc[0].label) == ("yes", "no")
    assert one["roc_auc"].value == pytest.approx(other["roc_auc"].value)
    assert one["average_precision"].value < other["average_precision"].value


def test_the_calibration_error_does_not_tell_the_size_of_the_folds():
    """Probabilities that are true have about the error that chance gives, in folds of 500 rows and of 20."""
    rng = np.random.default_rng(0)
    chance = rng.uniform(size=2000).round(1)
    y = rng.uniform(size=2000) < chance
    leaf = {"pruning": None, "max_depth": 5}
    for cv in (4, 100):
        found = report(bough.CARTClassifier(**leaf), {"x": chance}, y, cv=cv, n_repeats=1, random_state=0)
        assert found["calibration_error"].value < 2 * found["calibration_by_chance"].value < 0.04
        assert np.isnan([found["calibration_error"].low, *found["calibration_error"].by_fold]).all()


def test_the_calibration_error_by_hand_with_every_row_once(titanic):
    X, y = titanic
    y = np.asarray(y)
    cv = folds_of(y) + folds_of(y, seed=4)
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    found = report(bough.CARTClassifier(), X, y, cv=cv, sample_weight=weights)
    errors, by_chance = [], []
    for repetition in (cv[:5], cv[5:]):
        score = np.zeros(len(y))
        for train, test in repetition:
            fitted = bough.CARTClassifier().fit(X.iloc[train], y[train], weights[train])
            score[test] = fitted.predict_proba(X.iloc[test])[:, 1]

        def error(truth, score=score):
            place = np.minimum((score * 10).astype(int), 9)
            parts = [np.sum((weights * (score - truth))[place == k]) for k in range(10)]
            return np.abs(parts).sum() / weights.sum()

        errors.append(error(y == "yes"))
        rng = np.random.default_rng(1)
        by_chance.append(np.mean([error(rng.uniform(size=len(y)) < score) for _ in range(400)]))
    assert found["calibration_error"].value == pytest.approx(np.mean(errors))
    assert found["calibration_by_chance"].value == pytest.approx(np.mean(by_chance), rel=0.05)


def test_an_interval_is_no_narrower_than_the_rows_behind_a_share_allow():
    """A class of 14 rows that is always found is not certain to be; Wilson's interval of 14 in 14 is (0.785, 1)."""
    x = np.repeat([0.0, 1.0], [14, 60])
    y = np.where(x == 0, "rare", "other")
    found = report(bough.CARTClassifier(), {"x": x}, y, random_state=0)
    for name in ("recall", "precision"):
        measure = found[name, "rare"]
        assert (measure.value, measure.low, measure.high) == pytest.approx((1.0, 0.7847, 1.0), abs=1e-4)
    both = wilson(1.0, 14)[0]
    assert found["f1", "rare"].low == pytest.approx(2 * both / (1 + both))
    assert found["accuracy"].low == pytest.approx(wilson(1.0, 74)[0])
    other = wilson(1.0, 60)[0]
    assert found["balanced_accuracy"].low == pytest.approx(1 - np.hypot(1 - both, 1 - other) / 2)
    assert (found.confusion.low[1] <= [0.0, 14 * both]).all()
    assert (found.confusion.high[1] >= [14 * (1 - both), 14.0]).all()
    for name in ("roc_auc", "average_precision", "brier", "leaves"):  # nothing is said of what no rows are counted for
        assert np.isnan([found[name].low, found[name].high]).all()
    text = str(found)
    assert "1.000 (1.000 to 1.000)" not in text
    assert "1.000 (0.785 to 1.000)" in text


def test_wide_intervals_of_folds_stay_and_weights_count_as_effective_rows(penguins):
    X, y = penguins
    weights = np.where(np.arange(len(y)) % 2 == 0, 1.0, 1e-6)
    found = report(bough.CARTClassifier(), X, y, cv=5, random_state=0, sample_weight=weights)
    for measure in found.measures:
        if measure.name in ("accuracy", "recall"):
            plain = corrected_interval(measure.by_fold, found.ratio, least=0.0, most=1.0)
            held = len(y) if measure.label is None else np.sum(y == measure.label)
            low, high = wilson(measure.value, held / 2)
            assert measure.low == pytest.approx(np.fmin(plain.low, low), abs=0.02)
            assert measure.high == pytest.approx(np.fmax(plain.high, high), abs=0.02)


def test_calibration_counts_rows_once_and_says_what_came(titanic):
    X, y = titanic
    found = report(bough.CARTClassifier(), X, y, random_state=0)
    bins = found.calibration[0]
    assert bins.rows.sum() == pytest.approx(len(y))
    assert (bins.rows @ bins.observed) == pytest.approx((np.asarray(y) == "yes").sum())
    assert ((bins.low <= bins.observed) & (bins.observed <= bins.high)).all()


def test_a_fair_coin_is_inside_the_interval():
    rng = np.random.default_rng(5)
    X, y = {"noise": rng.normal(size=400)}, rng.integers(0, 2, 400)
    found = report(bough.CARTClassifier(pruning=None), X, y, random_state=0)
    for name in ("accuracy", "roc_auc"):
        assert found[name].low < 0.5 < found[name].high


@pytest.mark.parametrize(
    "library", [pd.DataFrame, pl.DataFrame, pa.table, dict, lambda d: {k: list(v) for k, v in d.items()}]
)
def test_any_kind_of_table_gives_the_same(library):
    rng = np.random.default_rng(0)
    columns = {"a": rng.normal(size=80), "b": np.array(["u", "v"] * 40)}
    y = (columns["a"] + rng.normal(size=80) > 0).astype(int)
    found = report(bough.CARTClassifier(), library(columns), y, cv=4, random_state=0)
    assert found["accuracy"].by_fold == pytest.approx(
        report(bough.CARTClassifier(), pd.DataFrame(columns), y, cv=4, random_state=0)["accuracy"].by_fold
    )
    assert found.n_folds == 12


def test_groups_are_kept_together():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(30), 6)
    trait = rng.integers(0, 2, 30)
    X = {"who": rng.normal(size=30)[group], "noise": rng.normal(size=180)}
    y = trait[group]
    model = bough.CARTClassifier(pruning=None, min_samples_leaf=1, min_samples_split=2)
    seen = report(model, X, y, random_state=0)["accuracy"].value
    apart = report(model, X, y, groups=group, random_state=0)
    assert seen > 0.95
    assert apart["accuracy"].value < 0.75
    assert "groups kept together" in apart.folds
    given = report(model, X, y, groups=group, cv=GroupKFold(5))
    assert given.n_folds == 5


def test_the_same_seed_gives_the_same_for_any_number_of_threads(penguins):
    X, y = penguins
    one = report(bough.CARTClassifier(), X, y, random_state=0, n_jobs=1)
    two = report(bough.CARTClassifier(), X, y, random_state=0, n_jobs=2)
    pd.testing.assert_frame_equal(one.to_frame("folds"), two.to_frame("folds"))


def test_other_estimators_are_judged_as_far_as_they_answer():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    found = report(LinearSVC(), X, X[:, 0] > 0, cv=3, random_state=0)
    assert {measure.name for measure in found.measures} == {
        "accuracy",
        "balanced_accuracy",
        "precision",
        "recall",
        "f1",
    }
    assert found.roc == found.calibration == ()
    assert report(LinearRegression(), X, X[:, 0] * 2, cv=3)["r2"].value == pytest.approx(1.0)
    assert "<svg" not in found.to_html()


def test_a_rare_class_is_measured_where_it_occurs():
    X = {"x": np.arange(60.0)}
    y = np.array(["a"] * 30 + ["b"] * 28 + ["c"] * 2)
    found = report(bough.CARTClassifier(), X, y, cv=5, random_state=0)
    assert 0 < np.isfinite(found["recall", "c"].by_fold).sum() < found.n_folds
    assert "c" in str(found)


def test_each_class_counts_alike_however_few_folds_hold_it():
    """Balanced accuracy is the mean of the recalls that are shown; in folds of one row, too."""
    X = {"x": np.arange(60.0), "z": np.tile([0.0, 1.0, 2.0], 20)}
    y = np.array(["a"] * 30 + ["b"] * 28 + ["c"] * 2)
    for cv in (5, 60):
        found = report(bough.CARTClassifier(), X, y, cv=cv, random_state=0)
        recalls = [found["recall", label].value for label in "abc"]
        assert recalls[2] == 0.0
        assert found["balanced_accuracy"].value == pytest.approx(np.mean(recalls))
    areas = [report(bough.CARTClassifier(), X, y, cv=5, random_state=0)["roc_auc", label].value for label in "abc"]
    whole = report(bough.CARTClassifier(), X, y, cv=5, random_state=0)["roc_auc"].value
    assert whole == pytest.approx(np.mean(areas))
    truth, answer = y, bough.CARTClassifier().fit(X, y).predict(X)
    assert metrics.balanced_accuracy_score(truth, answer) == pytest.approx(np.mean(recalls), abs=0.02)


def test_rows_that_are_tested_again_say_nothing_new(titanic):
    X, y = titanic
    y = np.asarray(y)
    again = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    found = report(bough.CARTClassifier(), X, y, cv=again)
    assert found.folds == "20 folds of RepeatedStratifiedKFold"
    assert found.confusion.counts.sum() == pytest.approx(len(y))
    bins = found.calibration[0]
    assert bins.rows.sum() == pytest.approx(len(y))
    same = report(bough.CARTClassifier(), X, y, cv=list(again.split(X, y)))
    assert same.folds == "20 folds as given"
    one = report(bough.CARTClassifier(), X, y, cv=5, n_repeats=1, random_state=0).calibration[0]
    assert np.min(bins.high - bins.low) > 0.9 * np.min(one.high - one.low)


def test_folds_of_one_row_are_drawn_once():
    found = report(bough.CARTClassifier(), {"x": np.arange(12.0)}, ["a", "b"] * 6, cv=50, n_repeats=3)
    assert (found.n_folds, found.folds) == (12, "12-fold cross-validation (one row each)")
    group = np.repeat(np.arange(4), 3)
    found = report(bough.CARTClassifier(), {"x": np.arange(12.0)}, ["a", "b"] * 6, groups=group)
    assert (found.n_folds, found.folds) == (4, "4-fold cross-validation (one group each), groups kept together")


RARE = np.array(["a"] * 30 + ["b"] * 29 + ["c"])


@pytest.mark.parametrize(
    "options",
    [
        {"costs": [[0, 1, 5], [1, 0, 5], [9, 9, 0]]},
        {"costs": {("c", "a"): 4, ("a", "b"): 2}},
        {"priors": [0.3, 0.3, 0.4]},
        {"priors": {"a": 0.3, "b": 0.3, "c": 0.4}},
        {"class_weight": {"c": 4}},
    ],
)
def test_a_class_that_no_training_row_has_takes_its_costs_and_priors_along(options):
    X = {"x": np.arange(60.0)}
    model = bough.CARTClassifier(**options)
    found = report(model, X, RARE, cv=5, n_repeats=1, random_state=0)
    assert found["recall", "c"].value == 0.0
    without = report(make_pipeline(model), pd.DataFrame(X), RARE, cv=5, n_repeats=1, random_state=0)
    assert without["accuracy"].by_fold == pytest.approx(found["accuracy"].by_fold)
    parts = bough.TreeClassifier(leaf=Bayes(**options))
    assert "accuracy" in str(report(parts, X, RARE, cv=5, n_repeats=1, random_state=0))


def test_priors_keep_their_proportions_where_a_class_is_absent():
    X, y = {"x": np.tile(np.arange(4.0), 15)}, RARE
    train, test = np.arange(59), np.array([59])
    found = report(bough.CARTClassifier(priors=[0.1, 0.5, 0.4]), X, y, cv=[(train, test), (train[::-1], test)])
    alone = bough.CARTClassifier(priors=[1 / 6, 5 / 6]).fit({"x": X["x"][train]}, y[train])
    shares = alone.predict_proba({"x": X["x"][test]})[0]
    assert found["brier"].value == pytest.approx((shares**2).sum() + 1.0)


def test_the_estimators_costs_are_read_in_the_order_of_its_classes(titanic):
    X, y = titanic
    declared = pd.Series(pd.Categorical(y, categories=["yes", "no"]), name="survived")
    matrix = [[0, 5], [1, 0]]  # declared order: to take a survivor for a victim costs 5
    own = report(
        bough.CARTClassifier(costs=matrix, reading=Reading(class_order="declared")),
        X,
        declared,
        n_repeats=1,
        random_state=0,
    )
    same = report(bough.CARTClassifier(costs={("yes", "no"): 5}), X, y, n_repeats=1, random_state=0)
    assert own["cost"].value == pytest.approx(same["cost"].value)
    table = same.confusion.counts
    assert own["cost"].value == pytest.approx((table[0, 1] + 5 * table[1, 0]) / len(y), rel=0.01)
    parts = bough.TreeClassifier(leaf=Bayes(costs={("yes", "no"): 5}), missing="own_branch")
    assert report(parts, X, y, n_repeats=1, random_state=0)["cost"].value > 0


def test_pipelines_and_searches_weigh_rows_and_tell_their_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = (X[:, 0] + rng.normal(size=150) > 0).astype(int)
    weights = rng.uniform(0.2, 3, 150)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    plain = report(tree, X, y, cv=3, random_state=0, sample_weight=weights)
    piped = report(make_pipeline(FunctionTransformer(), tree), X, y, cv=3, random_state=0, sample_weight=weights)
    assert piped["accuracy"].by_fold == pytest.approx(plain["accuracy"].by_fold)
    assert piped["leaves"].by_fold == pytest.approx(plain["leaves"].by_fold)
    search = GridSearchCV(make_pipeline(tree), {"decisiontreeclassifier__max_depth": [1]}, cv=2)
    assert report(search, X, y, cv=3, random_state=0, sample_weight=weights)["depth"].value == 1.0
    assert report(search, X, y, cv=3).name.startswith("GridSearchCV(cv=2, estimator=Pipeline(steps=[")
    with pytest.raises(ParameterError, match=r"KNeighborsClassifier.fit takes no sample_weight"):
        report(make_pipeline(KNeighborsClassifier()), X, y, sample_weight=weights)


class Brittle(DecisionTreeClassifier):
    """Fails where its rows hold fewer than a hundred."""

    def fit(self, X, y):
        if len(y) < 100:
            raise RuntimeError("too few rows for me")
        return super().fit(X, y)


def test_an_estimator_that_fails_on_a_fold_is_named():
    X, y = np.arange(120.0)[:, None], np.tile([0, 1], 60)
    with pytest.raises(DataError, match=r"Brittle\(\) fails on fold 1 of 2 \(60 training rows\).*too few rows for me"):
        report(Brittle(), X, y, cv=2, n_repeats=1)


def test_folds_of_others_are_checked(penguins):
    X, y = penguins
    every = np.arange(len(y))
    masks = [(every % 2 == 0, every % 2 == 1)]
    rows = [(every[::2], every[1::2])]
    assert report(bough.CARTClassifier(), X, y, cv=masks)["accuracy"].value == pytest.approx(
        report(bough.CARTClassifier(), X, y, cv=rows)["accuracy"].value
    )
    for cv, says in (
        ([1, 2], r"pairs \(train, test\)"),
        ([([0, 1], [999])], "names row 999; there are 344 rows"),
        ([([0, 1], [-1])], "names row -1"),
        ([([0.5, 1], [2])], "must hold numbers of rows"),
        ([(every, every[:3])], "trains and tests on row 0"),
        ([], "gives no folds"),
    ):
        with pytest.raises(ParameterError, match=says):
            report(bough.CARTClassifier(), X, y, cv=cv)


def test_groups_may_be_of_any_type_but_not_missing(penguins):
    X, y = penguins
    groups = pd.Series([1, "1", "b", ("c", 2)] * 86)
    assert report(bough.CARTClassifier(), X, y, groups=groups).n_folds == 4
    for missing in (None, np.nan, pd.NA):
        with pytest.raises(DataError, match="groups is missing in row 3"):
            report(bough.CARTClassifier(), X, y, groups=["a", "b", "c", missing] * 86)


def test_confusion_stands_in_the_middle_of_its_intervals_also_where_folds_are_unequal(titanic):
    X, y = titanic
    every = np.random.default_rng(0).permutation(len(y))
    parts = np.split(every, [100, 400, 1000])
    cv = [(np.setdiff1d(every, part), part) for part in parts]
    found = report(bough.CARTClassifier(), X, y, cv=cv).confusion
    middle = (found.low + found.high) / 2
    inside = (found.low > 0) & (found.high < len(y))
    assert inside.any()
    assert middle[inside] == pytest.approx(found.counts[inside])


def test_calibration_of_numbers_by_students_interval():
    """A bin of few rows has a wide bar, one of a single row none; a constant of any size has a page."""
    x = np.repeat([1.0, 5.0, 100.0], [40, 38, 2])
    y = x + np.random.default_rng(0).normal(size=80)
    model = bough.CARTRegressor(min_samples_leaf=1, min_samples_split=2, max_depth=2)
    found = report(model, {"x": x}, y, cv=[(np.arange(0, 80, 2), np.arange(1, 80, 2))])
    part = found.calibration[0]
    assert part.rows.tolist() == [20, 19, 1]
    for place, value in enumerate([1.0, 5.0]):
        held = y[1::2][x[1::2] == value]
        low, high = stats.t.interval(0.95, len(held) - 1, held.mean(), stats.sem(held))
        assert (part.low[place], part.high[place]) == pytest.approx((low, high))
    assert np.isnan([part.low[2], part.high[2]]).all()
    assert "<svg" in found.to_html()
    for size in (0.0, 1e-20, 1e20):
        assert "<svg" in report(model, {"x": x}, np.full(80, size), cv=2).to_html()


def test_progress_is_told(penguins):
    told = []
    report(
        bough.CARTClassifier(), *penguins, cv=3, n_repeats=2, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(k, 6) for k in range(1, 7)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"cv": 1}, "cv must be a whole number of at least 2"),
        ({"cv": KFold(3), "n_repeats": 2}, "brings its own folds"),
        ({"n_repeats": 0}, "n_repeats must be"),
        ({"level": 1.0}, "level must be"),
        ({"pos_label": "Gentoo"}, "pos_label is for two classes"),
        ({"costs": [[0, 1], [1, 0]]}, "costs must be 3 x 3"),
        ({"groups": [1, 2]}, "groups has the shape"),
        ({"groups": [1] * 344}, "only 1 rows or groups"),
        ({"sample_weight": [-1.0] * 344}, "must be finite and not negative"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
def test_wrong_options_are_named(penguins, options, says):
    with pytest.raises((ParameterError, DataError), match=says):
        report(bough.CARTClassifier(), *penguins, **options)


def test_wrong_estimators_and_targets_are_named(penguins):
    X, y = penguins
    with pytest.raises(ParameterError, match="expected a classifier or a regressor"):
        report("cart", X, y)
    with pytest.raises(DataError, match="single class"):
        report(bough.CARTClassifier(), X, ["a"] * len(y))
    with pytest.raises(ParameterError, match="costs are for classes"):
        report(bough.CARTRegressor(), {"x": [1.0, 2.0] * 20}, [1.0, 2.0] * 20, costs=[[0, 1], [1, 0]])
    with pytest.raises(ParameterError, match="what must be one of"):
        report(bough.CARTClassifier(), X, y, cv=2).to_frame("tree")


class Page(html.parser.HTMLParser):
    """What a page loads or runs, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href") or name.startswith("on")]

    def handle_data(self, data):
        self.text += data


HOSTILE = ["</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "a\nb\x00c", "😀", "x" * 10**6]


def test_hostile_labels_do_no_harm(tmp_path):
    rng = np.random.default_rng(0)
    y = np.array(HOSTILE, dtype=object)[rng.integers(0, len(HOSTILE), 100)]
    X = pd.DataFrame({"</td><script>": rng.normal(size=100)})
    found = report(bough.CARTClassifier(), X, pd.Series(y, name="<b>y</b>"), cv=2, random_state=0)
    text = found.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
    page = Page(text)
    assert not {"script", "img", "b"} & set(page.tags)
    assert not page.links
    assert len(text) < 200_000
    assert "😀" in page.text
    assert len(str(found)) < 20_000


def test_the_page_shows_tables_and_curves(penguins):
    page = Page(report(bough.CARTClassifier(), *penguins, cv=3, random_state=0).to_html())
    assert page.tags.count("figure") == 3
    assert page.tags.count("polyline") == 6
    for word in ("Brier score", "Confusion", "Gentoo", "Precision and recall", "Calibration"):
        assert word in page.text


def test_the_page_of_many_classes_numbers_its_columns():
    rng = np.random.default_rng(0)
    X = {"x": rng.uniform(0, 9, 400)}
    y = [f"a class with a long name {int(value)}" for value in X["x"]]
    text = report(bough.CARTClassifier(), X, y, cv=2, n_repeats=1, random_state=0).to_html()
    page = Page(text)
    assert "9. a class with a long name 8" in page.text
    assert '<th scope="col">9</th>' in text
    assert "polygon" not in page.tags
    assert page.tags.count("th") > 2 * 9  # rows are named for those who listen to tables


def strokes(text):
    """The colour and the dash of each curve of a page."""
    return re.findall(r'<polyline [^>]*stroke="([^"]*)" stroke-width="2"(?: stroke-dasharray="([^"]*)")?', text)


def test_of_many_classes_the_most_frequent_are_drawn_each_in_its_own_way():
    rng = np.random.default_rng(0)
    code = rng.choice(12, 600, p=np.arange(1, 13) / 78)
    text = report(bough.CARTClassifier(), {"x": code + rng.normal(size=600) / 4}, code, cv=2, random_state=0).to_html()
    drawn = strokes(text)
    assert len(drawn) == 16
    for figure in (drawn[:8], drawn[8:]):
        assert len({color for color, _ in figure}) == len({dash for _, dash in figure}) == 8
    key = text.partition('<ul class="key">')[2].partition("</ul>")[0]
    often = np.argsort(-np.bincount(code), kind="stable")
    assert re.findall(r"</svg>(\d+)</li>", key) == [str(label) for label in often[:8]]
    assert "4 rarer classes are not drawn" in key


def test_a_class_has_the_colour_that_it_has_in_the_tree(titanic):
    X, y = titanic
    assert class_colors(bough.CARTClassifier().fit(X, y).tree_).colors[1] == CLASSES[1]
    text = report(bough.CARTClassifier(), X, y, cv=2, random_state=0).to_html()
    assert set(strokes(text)) == {("var(--class-1)", "")}
    assert f"--class-1: {CLASSES[1]};" in text  # on dark paper; on white it is darkened


def test_figures_are_no_wider_than_the_screen(titanic):
    text = report(bough.CARTClassifier(), *titanic, cv=2, random_state=0).to_html()
    assert "svg { max-width: 100%; height: auto; }" in text
    assert "figure { display: inline-block; margin: .5rem 1rem .5rem 0; max-width: 100%;" in text
