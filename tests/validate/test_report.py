"""The report: every number against scikit-learn or by hand, for any kind of table; text, frames and page."""

import html.parser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import metrics
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.svm import LinearSVC

import bough
from bough.errors import DataError, ParameterError
from bough.validate import report


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
    assert page.tags.count("svg") == 3
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
