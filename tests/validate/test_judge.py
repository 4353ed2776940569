"""A model judged on rows: every figure is scikit-learn's or a formula's, and every wrong use says what is wrong."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics

import bough
from bough.errors import DataError, ParameterError
from bough.model.wilson import wilson
from bough.validate import judge
from bough.validate.folds import Trial
from bough.validate.lift import gains_curve, lift_of
from bough.validate.paired import mcnemar


@pytest.fixture(scope="module")
def titanic():
    """A tree, and the rows that it was not fitted to."""
    X, y = bough.datasets.load("titanic").xy("pandas")
    model = bough.CARTClassifier(pruning=0.001).fit(X[::2], y[::2])
    return model, X[1::2], np.asarray(y[1::2])


@pytest.fixture(scope="module")
def penguins():
    X, y = bough.datasets.load("penguins").xy("pandas")
    rows = np.random.default_rng(0).permutation(len(y))
    model = bough.CARTClassifier().fit(X.iloc[rows[:170]], y.iloc[rows[:170]])
    return model, X.iloc[rows[170:]], np.asarray(y.iloc[rows[170:]])


@pytest.fixture(scope="module")
def friedman():
    X, y = bough.datasets.load("friedman1", random_state=0).xy("pandas")
    model = bough.CARTRegressor().fit(X[::2], y[::2])
    return model, X[1::2], np.asarray(y[1::2])


@pytest.fixture(params=[False, True], ids=["plain", "weighted"])
def weights(request):
    return lambda n: np.random.default_rng(n).uniform(0.5, 3, n) if request.param else None


def test_measures_of_two_classes_are_those_of_scikit_learn(titanic, weights):
    model, X, y = titanic
    w = weights(len(y))
    found = judge(model, X, y, w, costs={("yes", "no"): 5})
    answer, score, hit = model.predict(X), model.predict_proba(X)[:, 1], y == "yes"
    assert found["accuracy"].value == model.score(X, y, w)  # to the last bit
    cost = np.where((y == "yes") & (answer == "no"), 5.0, (y != answer).astype(float))
    fpr, tpr, _ = metrics.roc_curve(hit, score, sample_weight=w)
    expected = {
        "balanced_accuracy": metrics.balanced_accuracy_score(y, answer, sample_weight=w),
        "cost": np.average(cost, weights=w),
        "brier": metrics.brier_score_loss(hit, score, sample_weight=w),
        "roc_auc": metrics.roc_auc_score(hit, score, sample_weight=w),
        "average_precision": metrics.average_precision_score(hit, score, sample_weight=w),
        "ks": np.abs(tpr - fpr).max(),
    }
    for name, value in expected.items():
        measure = found[name]
        assert measure.value == pytest.approx(value), name
        assert measure.low < measure.value < measure.high, name
    by_class = metrics.precision_recall_fscore_support(y, answer, sample_weight=w)
    for code, label in enumerate(["no", "yes"]):
        for part, name in enumerate(["precision", "recall", "f1"]):
            assert found[name, label].value == pytest.approx(by_class[part][code])
    assert found.confusion.counts == pytest.approx(metrics.confusion_matrix(y, answer, sample_weight=w))
    assert found.roc[0].y == pytest.approx(np.interp(found.roc[0].x, fpr, tpr))


def test_shares_of_rows_have_wilsons_interval(titanic, weights):
    model, X, y = titanic
    w = weights(len(y))
    found = judge(model, X, y, w, level=0.9)
    every = np.ones(len(y)) if w is None else w
    z = stats.norm.ppf(0.95)
    for measure, rows in (
        (found["accuracy"], np.ones(len(y), dtype=bool)),
        (found["recall", "yes"], y == "yes"),
        (found["precision", "no"], model.predict(X) == "no"),
    ):
        n, p = every[rows].sum() ** 2 / (every[rows] ** 2).sum(), measure.value
        half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        ends = np.array([p + z * z / (2 * n) - half, p + z * z / (2 * n) + half]) / (1 + z * z / n)
        assert (measure.low, measure.high) == pytest.approx(tuple(ends))
        assert measure.method == "Wilson"


def test_means_of_rows_have_students_interval(titanic):
    model, X, y = titanic
    found = judge(model, X, y)
    off = (model.predict_proba(X)[:, 1] - (y == "yes")) ** 2
    ends = stats.t.interval(0.95, len(y) - 1, off.mean(), stats.sem(off))
    assert (found["brier"].low, found["brier"].high) == pytest.approx(ends)


def test_measures_of_more_classes_are_those_of_each_against_the_rest(penguins, weights):
    model, X, y = penguins
    w = weights(len(y))
    found = judge(model, X, y, w)
    shares = model.predict_proba(X)
    hit = y[:, None] == model.classes_
    areas = [metrics.roc_auc_score(hit[:, k], shares[:, k], sample_weight=w) for k in range(3)]
    assert [found["roc_auc", label].value for label in model.classes_] == pytest.approx(areas)
    assert found["roc_auc"].value == pytest.approx(np.mean(areas))
    precisions = [metrics.average_precision_score(hit[:, k], shares[:, k], sample_weight=w) for k in range(3)]
    assert found["average_precision"].value == pytest.approx(np.mean(precisions))
    assert found["brier"].value == pytest.approx(np.average(((shares - hit) ** 2).sum(axis=1), weights=w))
    assert "each class against the rest" in str(found)
    for name in ("roc_auc", "average_precision"):
        assert found[name].low < found[name].value < found[name].high


def test_measures_of_numbers_are_those_of_scikit_learn(friedman, weights):
    model, X, y = friedman
    w = weights(len(y))
    found = judge(model, X, y, w)
    answer = model.predict(X)
    expected = {
        "mse": metrics.mean_squared_error(y, answer, sample_weight=w),
        "rmse": metrics.root_mean_squared_error(y, answer, sample_weight=w),
        "mae": metrics.mean_absolute_error(y, answer, sample_weight=w),
        "bias": np.average(answer - y, weights=w),
        "r2": model.score(X, y, w),
    }
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value), name
        assert found[name].low < value < found[name].high
    assert found["rmse"].low == pytest.approx(np.sqrt(found["mse"].low))
    if w is None:
        ends = stats.t.interval(0.95, len(y) - 1, (answer - y).mean(), stats.sem(answer - y))
        assert (found["bias"].low, found["bias"].high) == pytest.approx(ends)
    bins = found.calibration[0]
    every = np.ones(len(y)) if w is None else w
    assert bins.rows.sum() == pytest.approx(every.sum())
    assert bins.rows @ bins.observed == pytest.approx(every @ y)
    assert bins.rows @ bins.predicted == pytest.approx(every @ answer)


def test_calibration_is_that_of_the_bins(titanic, weights):
    model, X, y = titanic
    w = weights(len(y))
    every = np.ones(len(y)) if w is None else w
    score, hit = model.predict_proba(X)[:, 1], y == "yes"
    found = judge(model, X, y, w)
    place = np.minimum((score * 10).astype(int), 9)
    held = np.unique(place)
    bins = found.calibration[0]
    assert bins.observed == pytest.approx([np.average(hit[place == k], weights=every[place == k]) for k in held])
    off = [abs((every * (score - hit))[place == k].sum()) for k in held]
    assert found["calibration_error"].value == pytest.approx(sum(off) / every.sum())


def test_lift_and_gains_are_those_of_sorted_rows(titanic):
    """Rows with the same score are taken in any order: their mean is what counts."""
    model, X, y = titanic
    score, hit = model.predict_proba(X)[:, 1], y == "yes"
    found = judge(model, X, y).lift[0]
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(400):
        order = np.lexsort([rng.uniform(size=len(y)), -score])
        taken = np.concatenate([[0], np.cumsum(hit[order])]) / hit.sum()
        gains.append(np.interp(found.share * len(y), np.arange(len(y) + 1), taken))
    assert found.gain == pytest.approx(np.mean(gains, axis=0), abs=2e-3)
    assert found.lift == pytest.approx(found.gain / found.share)
    assert found.rate == pytest.approx(found.lift * hit.mean())
    assert found.threshold == pytest.approx(np.sort(score)[::-1][np.ceil(found.share * len(y)).astype(int) - 1])
    assert np.isnan([found.low[-1], found.high[-1]]).all()  # all rows hold the whole class, whatever comes
    low, high = found.low[:-1], found.high[:-1]
    assert ((low < found.lift[:-1]) & (found.lift[:-1] < high)).all()


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.97])
def test_lift_promises_no_more_than_all_rows_of_the_class(chance, weights):
    """No tenth holds more rows of a class than it has rows, nor more than there are, nor fewer than the rest leaves."""
    rng = np.random.default_rng(0)
    for n in (20, 100, 400):
        came = (np.arange(n) < min(max(1, n * chance), n - 1)).astype(np.intp)
        score = np.where(rng.uniform(size=n) < 0.9, came, rng.uniform(size=n))
        w = weights(n)
        w = np.ones(n) if w is None else w
        trial = Trial(came, came, np.column_stack([1 - score, score]), w, None, None)
        found, base = lift_of(1, 1, trial, 0.95), np.average(came, weights=w)
        share, low, high = found.share[:-1], found.low[:-1], found.high[:-1]
        slack = 1 + 1e-12
        assert (high * base <= slack).all()
        assert (high * share <= slack).all()
        assert ((1 - low * share) * base <= (1 - share) * slack + 1e-12).all()
        assert (low <= found.lift[:-1] * slack).all()
        assert (found.lift[:-1] <= high * slack).all()
        gains = gains_curve(found)
        assert np.nanmax(gains.high) <= slack


def test_rows_without_an_order_have_a_lift_of_one_for_sure():
    came = np.arange(50) % 3 == 0
    trial = Trial(came.astype(np.intp), came.astype(np.intp), np.full((50, 2), 0.5), np.ones(50), None, None)
    found = lift_of(1, 1, trial, 0.95)
    assert found.lift == pytest.approx(np.ones(10))
    assert np.isnan([found.low, found.high]).all()


def test_leaves_hold_what_comes_to_them(titanic):
    model, X, y = titanic
    found = judge(model, X, y)
    nodes, tree = model.apply(X), model.tree_
    leaves = [node for node in tree if node.is_leaf]
    assert [leaf.node.id for leaf in found.leaves] == [node.id for node in leaves]
    before = np.array([node.weight for node in leaves]) / tree.root.weight
    now = np.array([(nodes == node.id).mean() for node in leaves])
    assert [leaf.training for leaf in found.leaves] == pytest.approx(before)
    assert [leaf.share for leaf in found.leaves] == pytest.approx(now)
    p, q = np.maximum(before, 0.5 / tree.root.rows), np.maximum(now, 0.5 / len(y))
    assert found["psi"].value == pytest.approx(((q - p) * np.log(q / p)).sum())
    for leaf in found.leaves:
        mine = y[nodes == leaf.node.id] == "yes"
        assert leaf.label == "yes"
        assert leaf.expected == pytest.approx(leaf.node.probabilities["yes"])
        if len(mine):
            assert leaf.value == pytest.approx(mine.mean())
            assert (leaf.low, leaf.high) == pytest.approx(tuple(map(float, wilson(mine.mean(), len(mine)))))


def test_psi_by_chance_is_its_mean_where_nothing_moved():
    rng = np.random.default_rng(1)
    X = {"x": rng.uniform(size=4000)}
    y = (X["x"] * 8).astype(int) % 2
    model = bough.CARTClassifier(pruning=None, max_depth=3).fit(X, y)
    found = []
    for seed in range(30):
        drawn = np.random.default_rng(seed).uniform(size=300)
        found.append(judge(model, {"x": drawn}, (drawn * 8).astype(int) % 2, n_resamples=1))
    # The training rows are one sample for all, whose own part is small beside that of 300 rows.
    assert np.mean([one["psi"].value for one in found]) == pytest.approx(found[0]["psi_by_chance"].value, rel=0.3)


@pytest.mark.parametrize(
    ("missing", "decided"),
    [("surrogates", "surrogate"), ("majority_branch", "majority"), ("stop", "stop"), ("fractional", "parts")],
)
def test_rows_that_did_not_go_by_their_value_are_counted(missing, decided):
    rng = np.random.default_rng(0)
    a = rng.uniform(size=200)
    table = pd.DataFrame({"a": a, "b": a + rng.normal(0, 0.02, 200)})
    y = np.where(a > 0.5, "high", "low")
    given = bough.CARTClassifier if missing == "surrogates" else bough.TreeClassifier
    model = given(missing=missing).fit(table, y)
    new = table.copy()
    new.loc[:4, model.tree_.columns_used[0]] = np.nan
    found = judge(model, new, y)
    asked = model.tree_.columns_used[0]
    assert (asked, "missing", decided, 5) in found.routing
    assert found.to_frame("routing")["rows"].tolist() == [5]
    assert sum(leaf.rows for leaf in found.leaves) == pytest.approx(200)
    assert found["accuracy"].value == model.score(new, y)
    if missing == "stop":
        assert [leaf.rows for leaf in found.leaves if not leaf.node.is_leaf] == [5]


def test_levels_that_no_training_row_held_are_counted():
    model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit({"c": list("aabb" * 5)}, list("xxyy" * 5))
    found = judge(model, {"c": list("abcc")}, list("xyxy"))
    assert found.unseen_levels == {"c": 2}
    assert [one[:2] for one in found.routing] == [("c", "unseen")]


def test_a_class_that_the_model_does_not_know_is_an_error(titanic):
    model, X, y = titanic
    other = y.astype(object).copy()
    other[:30] = "maybe"
    found = judge(model, X, other, costs={("yes", "no"): 5})
    assert found.unseen_classes == ("maybe",)
    assert found.classes.tolist() == ["no", "yes", "maybe"]
    assert found["accuracy"].value == np.mean(model.predict(X) == other)
    assert found["recall", "maybe"].value == 0
    assert found.confusion.counts == pytest.approx(
        metrics.confusion_matrix(other, model.predict(X), labels=["no", "yes", "maybe"])
    )
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(other == "yes", model.predict_proba(X)[:, 1]))
    assert "does not know the class maybe: its 30 rows count as errors" in str(found)


def test_rows_of_one_class_have_no_area(titanic):
    model, X, y = titanic
    found = judge(model, X[y == "yes"], y[y == "yes"])
    assert found["accuracy"].value == model.score(X[y == "yes"], y[y == "yes"])
    for name in ("roc_auc", "average_precision", "ks"):
        assert np.isnan(found[name].value)
    assert found.lift == ()
    assert "all rows are of the class yes: areas, average precision and lift are not defined" in str(found)
    assert found.to_html()
    assert json.loads(found.to_json())["lift"] == []


def test_a_model_that_is_no_tree_is_judged_without_leaves():
    X, y = bough.datasets.load("penguins").xy("pandas")
    one = bough.CARTClassifier(max_depth=2).fit(X, y)
    assert judge(one.tree_, X, y)["accuracy"] == judge(one, X, y)["accuracy"]

    class Wrapped:
        """All that `Model` promises, by a tree that it does not show."""

        kind = "wrapped"
        inputs, answer, target = one.tree_.inputs, one.tree_.answer, "species"
        read, predict, predict_proba = one.tree_.read, one.tree_.predict, one.tree_.predict_proba
        program, to_content, from_content = one.tree_.program, one.tree_.to_content, one.tree_.from_content

    found = judge(Wrapped(), X, y)
    assert found["accuracy"].value == one.score(X, y)
    assert found.leaves == ()
    assert found.routing == ()
    assert "leaves" not in str(found)
    assert found.to_html()


def test_costs_are_those_of_the_model_unless_others_are_given(titanic):
    _, X, y = titanic
    model = bough.CARTClassifier(costs={("yes", "no"): 4}).fit(X, y)
    answer = model.predict(X)
    cost = np.where((y == "yes") & (answer == "no"), 4.0, (y != answer).astype(float))
    assert judge(model, X, y)["cost"].value == pytest.approx(cost.mean())
    given = judge(model, X, y, costs=[[0, 2], [1, 0]])["cost"].value
    assert given == pytest.approx(np.where((y == "no") & (answer == "yes"), 2.0, (y != answer).astype(float)).mean())


def test_costs_of_several_models_are_those_that_all_have(titanic):
    _, X, y = titanic
    plain, dear, dearer = (
        bough.CARTClassifier(costs=costs).fit(X, y) for costs in (None, {("yes", "no"): 4}, {("yes", "no"): 9})
    )
    for models, costs in (([plain, dear], 0), ([dear, plain], 0), ([dear, dearer], 0), ([dear, dear.tree_], 2)):
        found = judge(models, X, y, n_resamples=1).judgements
        assert sum(measure.name == "cost" for one in found for measure in one.measures) == costs


def test_the_stars_of_leaves_are_said_to_come_by_chance_too(titanic):
    model, X, y = titanic
    assert "by chance in about one of 20 leaves" in str(judge(model, X, y))
    assert "by chance in about one of 10 leaves" in str(judge(model, X, y, level=0.9))


def test_the_same_call_gives_the_same_judgement(titanic):
    model, X, y = titanic
    one, two = judge(model, X, y), judge(model, pl.DataFrame(X), list(y))
    assert one.to_json() == two.to_json()
    other = judge(model, X, y, random_state=1)["average_precision"]
    assert other.low != one["average_precision"].low
    assert other.value == one["average_precision"].value


def test_frames_page_and_json_tell_the_same(titanic, friedman):
    for model, X, y in (titanic, friedman):
        found = judge(model, X, y)
        told = json.loads(found.to_json())
        assert told["rows"] == len(y)
        for name in found.tables():
            if name in ("confusion", "roc", "pr") and found.classes is None:
                continue
            assert len(found.to_frame(name)) == len(told[name]), name
        page = found.to_html()
        assert page.count("<h2>") >= 3
        assert "script" not in page
    with pytest.raises(ParameterError, match="what must be one of 'measures', "):
        found.to_frame("nothing")


def test_weights_that_are_alike_change_nothing_but_the_scale(titanic):
    model, X, y = titanic
    one, two = judge(model, X, y), judge(model, X, y, np.full(len(y), 3.0))
    assert [m.value for m in two.measures] == pytest.approx([m.value for m in one.measures], nan_ok=True)
    assert two["roc_auc"].low == pytest.approx(one["roc_auc"].low)
    assert two.n_effective == pytest.approx(len(y))
    heavy = judge(model, X, y, np.random.default_rng(0).uniform(0.1, 4, len(y)))
    assert re.search(r"which their weights make as telling as 8\d\d equal ones", str(heavy))


# Two models on the same rows.


def test_mcnemar_is_the_binomial_test():
    for a, b in ((0, 0), (0, 1), (3, 3), (2, 9), (40, 20)):
        exact, mid = mcnemar(a, b)
        if a + b:
            assert exact == pytest.approx(stats.binomtest(a, a + b).pvalue)
            point = stats.binom.pmf(a, a + b, 0.5)
            assert mid == pytest.approx(exact - point if a != b else 1 - point / 2)
        else:
            assert (exact, mid) == (1, 1)


def test_models_are_compared_on_the_same_rows(penguins):
    model, X, y = penguins
    stump = bough.CARTClassifier(max_depth=1).fit(X, y)
    c45 = bough.C45Classifier().fit(X, y)
    found = judge({"cart": model, "stump": stump, "c45": c45}, X, y)
    assert [(pair.first, pair.second) for pair in found.pairs[::3]] == [
        ("cart", "stump"), ("cart", "c45"), ("stump", "c45"),
    ]  # fmt: skip
    pair = found.pairs[0]
    mine, theirs = model.predict(X) == y, stump.predict(X) == y
    assert pair.value == pytest.approx(mine.mean() - theirs.mean())
    assert pair.p_value == pytest.approx(mcnemar((mine & ~theirs).sum(), (theirs & ~mine).sum())[0])
    assert pair.low < pair.value < pair.high
    assert pair.p_holm >= pair.p_value
    for each, name in zip(found.judgements, ("cart", "stump", "c45"), strict=True):
        assert each.name == name
    assert found.judgements[0]["roc_auc"] == judge(model, X, y)["roc_auc"]
    assert len(found.to_frame("pairs")) == 9
    assert "McNemar" in str(found)
    assert "McNemar" in found.to_html()
    assert {"models", "pairs"} <= set(found.to_dict())


def test_squared_errors_are_compared_by_the_paired_test(friedman):
    model, X, y = friedman
    other = bough.CARTRegressor(max_depth=1).fit(X, y)
    pair = judge([model, other], X, y).pairs[0]
    mine, theirs = (model.predict(X) - y) ** 2, (other.predict(X) - y) ** 2
    assert pair.measure == "mse"
    assert pair.p_value == pytest.approx(stats.ttest_rel(mine, theirs).pvalue)
    ends = stats.ttest_rel(mine, theirs).confidence_interval()
    assert (pair.low, pair.high) == pytest.approx((ends.low, ends.high))


def test_a_model_does_not_differ_from_itself(titanic):
    model, X, y = titanic
    for pair in judge([model, model.tree_], X, y).pairs:
        assert (pair.value, pair.p_value) == (0, 1), pair.measure


def test_weighted_rows_are_compared_by_the_paired_test(titanic):
    model, X, y = titanic
    stump = bough.CARTClassifier(max_depth=1).fit(X, y)
    pair = judge([model, stump], X, y, np.random.default_rng(0).uniform(0.5, 2, len(y))).pairs[0]
    assert (pair.measure, pair.test) == ("accuracy", "paired t")


# What is wrong is said in one sentence.

WRONG = {
    "y is missing in row 2": lambda X, y: (X, [*y[:2], None, *y[3:]]),
    r"X has \d+ rows and y has 5 values": lambda X, y: (X, y[:5]),
    "y is the text 'survived'": lambda X, y: (X, "survived"),
    "y is None": lambda X, y: (X, None),
    "there are no rows to judge the model by": lambda X, y: (X[:0], y[:0]),
    "none of the classes in y is one that the model knows: y holds 0, 1; the model knows no, yes": lambda X, y: (
        X,
        [int(label == "yes") for label in y],
    ),
    "y must have one value for each row": lambda X, y: (X, np.stack([y, y], axis=1)),
    "age": lambda X, y: (X.drop(columns="age"), y),
}


@pytest.mark.parametrize("says", WRONG)
def test_what_is_wrong_with_the_rows_is_said(titanic, says):
    model, X, y = titanic
    with pytest.raises(DataError, match=says):
        judge(model, *WRONG[says](X, list(y)))


def test_what_is_wrong_with_the_call_is_said(titanic, friedman, penguins):
    model, X, y = titanic
    regressor, numbers_X, numbers = friedman
    with pytest.raises(DataError, match="the model predicts numbers, and y holds 'a'"):
        judge(regressor, numbers_X, ["a"] * len(numbers))
    with pytest.raises(ParameterError, match="this CARTClassifier has no model yet: fit it first"):
        judge(bough.CARTClassifier(), X, y)
    with pytest.raises(ParameterError, match="some of the models predict classes and others numbers"):
        judge([bough.CARTRegressor().fit(X, y == "yes"), model], X, y)
    with pytest.raises(ParameterError, match="at least two models; got 1"):
        judge([model], X, y)
    with pytest.raises(ParameterError, match="pos_label must be one of"):
        judge(model, X, y, pos_label="maybe")
    with pytest.raises(ParameterError, match="costs are for classes"):
        judge(regressor, numbers_X, numbers, costs=[[0, 1], [1, 0]])
    with pytest.raises(ParameterError, match="level must be"):
        judge(model, X, y, level=95)
    with pytest.raises(DataError, match="sample_weight must be finite and not negative"):
        judge(model, X, y, -np.ones(len(y)))
    with pytest.raises(ParameterError, match="n_resamples"):
        judge(model, X, y, n_resamples=0)


def test_an_unknown_class_does_not_change_the_scale_of_the_brier_score(titanic):
    model, X, y = titanic
    other = y.copy().astype(object)
    other[0] = "maybe"
    plain, mixed = (judge(model, X, truth)["brier"].value for truth in (y, other))
    score = model.predict_proba(X)
    assert plain == pytest.approx(metrics.brier_score_loss(y, score[:, 1], pos_label="yes"))
    one = ((score[0] ** 2).sum() + 1) / 2 - (score[0, 1] - (y[0] == "yes")) ** 2
    assert mixed == pytest.approx(plain + one / len(y))


def test_a_model_of_one_class_is_judged():
    model = bough.CARTClassifier().fit({"x": [1, 2, 3]}, ["a", "a", "a"])
    alone, mixed = judge(model, {"x": [4, 5]}, ["a", "a"]), judge(model, {"x": [4, 5]}, ["a", "b"])
    assert alone["accuracy"].value == 1.0
    assert mixed["accuracy"].value == 0.5
    assert np.isnan(alone["roc_auc"].value)
    assert alone.to_html()
    assert "does not know the class b" in str(mixed)


@pytest.mark.parametrize("weight", [1e300, 1e-300])
def test_weights_whose_squares_do_not_fit_are_refused(titanic, weight):
    model, X, y = titanic
    with pytest.raises(DataError, match=r"sample_weight holds 1e[+-]300: .* Divide all weights by one number"):
        judge(model, X, y, np.full(len(y), weight))
    with pytest.raises(DataError, match=r"sample_weight holds 1e[+-]300"):
        bough.validate.report(bough.CARTClassifier(), X, y, sample_weight=np.full(len(y), weight), cv=2)


def test_several_judgements_are_json(penguins):
    model, X, y = penguins
    found = judge([model, bough.C45Classifier().fit(X, y)], X, y)
    assert json.loads(found.to_json()).keys() == found.to_dict().keys()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_training_table_is_recognised(frame, weighted):
    X, y = bough.datasets.load("penguins").xy("pandas")
    X, y = X[y.notna()], y[y.notna()].to_numpy()
    w = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    model = bough.CARTClassifier().fit(X, y, sample_weight=w)
    same = frame({name: X[name].astype(object).where(X[name].notna(), None).tolist() for name in X})
    assert "fitted to this very table" in str(judge(model, same, y, w))
    assert "fitted to this very table" not in str(judge(model, X[1:], y[1:], None if w is None else w[1:]))
    numbers = bough.CARTRegressor().fit(X[["bill_depth_mm"]], np.arange(len(y)))
    assert "fitted to this very table" in str(judge(numbers, X[["bill_depth_mm"]], np.arange(len(y))))
