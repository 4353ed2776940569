"""Bagged trees: each member is what its estimator grows on the rows drawn for it; together they vote."""

import os
import signal
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline

import bough
from bough.errors import DataError, DataWarning, ModelFormatError, ParameterError
from bough.learn import members
from bough.learn.sampling import columns, counts
from bough.recipe import Sampling

# Few trees keep tests quick, and then some rows are in all bags.
pytestmark = pytest.mark.filterwarnings("ignore:.*rows are in the bag of every tree")

BAG = bough.BaggedTreesClassifier


@pytest.fixture(scope="module")
def table():
    """Strings and missing values."""
    return bough.datasets.load("penguins").xy()


@pytest.mark.parametrize(
    "estimator",
    [
        bough.CARTClassifier(),
        bough.C45Classifier(),
        bough.CHAIDClassifier(),
        bough.ID3Classifier(bins="equal_frequency", missing="fractional"),
        bough.TreeClassifier(criterion="entropy", missing="own_branch", pruning=None),
        bough.like("rpart"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_member_is_what_the_estimator_grows_on_its_rows(table, estimator):
    X, y = table
    clf = BAG(estimator, n_estimators=2, random_state=5).fit(X, y)
    assert len(clf) == 2
    for number in range(2):
        drawn = counts(clf.fitted_.seed, number, len(y))
        alone = estimator.fit(X, y, sample_weight=drawn).tree_
        assert [str(node.split) for node in alone] == [str(node.split) for node in clf[number]]
        np.testing.assert_array_equal(alone.arrays.weight, clf[number].arrays.weight)


def test_the_model_is_the_mean_of_its_members(table):
    X, y = table
    clf = BAG(bough.C45Classifier(), n_estimators=5).fit(X, y)
    mean = np.mean([tree.predict_proba(X) for tree in clf], axis=0)
    np.testing.assert_allclose(clf.predict_proba(X), mean, rtol=1e-12)
    assert clf.predict({"island": "Dream"}).shape == (1,)
    assert clf.feature_importances_.sum() == pytest.approx(1.0)


def test_the_same_bits_for_any_number_of_threads_and_by_warm_start(table):
    X, y = table
    how = {"sampling": "stratified", "max_features": 0.7, "random_state": 3}
    whole = BAG(bough.CARTClassifier(), n_estimators=7, oob_score=True, **how).fit(X, y)
    threads = BAG(bough.CARTClassifier(), n_estimators=7, n_jobs=3, **how).fit(X, y)
    assert whole.model_ == threads.model_
    grown = BAG(bough.CARTClassifier(), n_estimators=2, warm_start=True, **how).fit(X, y)
    first = grown[0]
    grown.set_params(n_estimators=7, oob_score=True).fit(X, y)
    assert grown[0] is first
    assert grown.model_ == whole.model_
    np.testing.assert_array_equal(grown.out_of_bag_.votes, whole.out_of_bag_.votes)
    with pytest.raises(DataError, match="these are others"):
        grown.fit(X[10:], y[10:])
    with pytest.raises(ParameterError, match="less than the 7 trees"):
        grown.set_params(n_estimators=3).fit(X, y)


def test_columns_are_drawn_for_each_tree(table):
    X, y = table
    clf = BAG(n_estimators=4, max_features=2).fit(X, y)
    for number, tree in enumerate(clf):
        allowed = {X.columns[place] for place in columns(clf.fitted_.seed, number, X.shape[1], 2)}
        assert set(tree.columns_used) <= allowed
        assert {split.column for node in tree for split in node.surrogates} <= allowed


def test_a_class_or_a_level_that_a_bag_lacks_is_known_to_its_tree():
    X = pd.DataFrame({"k": ["a"] * 30 + ["b"] * 30 + ["rare"], "x": np.arange(61.0)})
    y = np.array([0] * 30 + [1] * 30 + [2])
    for estimator in (bough.CARTClassifier(), bough.C45Classifier(), bough.like("rpart")):
        clf = BAG(estimator, n_estimators=6).fit(X, y)
        assert any(counts(clf.fitted_.seed, number, 61)[60] == 0 for number in range(6))
        assert clf.predict_proba(X).shape == (61, 3)
        np.testing.assert_allclose(clf.predict_proba(X).sum(axis=1), 1.0)
        assert bough.export(clf, "python", max_cases=100).report.cases


def test_weights_are_in_the_scores_or_in_the_draw(table):
    X, y = table
    weights = np.where(np.asarray(y) == "Chinstrap", 3, 1)
    scores = BAG(n_estimators=2).fit(X, y, sample_weight=weights)
    drawn = counts(0, 0, len(y), weights=weights.astype(float))
    assert scores[0].root.weight == (drawn * weights).sum()
    draws = BAG(n_estimators=2, sampling=Sampling(weights="draw")).fit(X, y, sample_weight=weights)
    assert draws[0].root.weight == len(y)


def test_own_counts(table):
    X, y = table
    own = np.ones((3, len(y)), dtype=int)
    own[1, ::2] = 0
    clf = BAG(bough.C45Classifier(), n_estimators=3, sampling=own, oob_score=True)
    with pytest.warns(DataWarning, match="172 of 344 rows are in the bag of every tree"):
        clf.fit(X, y)
    assert clf[0] == bough.C45Classifier().fit(X, y).tree_
    assert clf.out_of_bag_.known.sum() == 172
    with pytest.raises(ParameterError, match=r"whole numbers of shape \(3, 344\)"):
        clf.set_params(sampling=own[:2]).fit(X, y)


def test_balanced_bags_with_votes_brought_back_to_the_priors():
    rng = np.random.default_rng(0)
    X = {"x": rng.normal(size=600)}
    y = (rng.random(600) < 0.1).astype(int)  # which x says nothing of
    leaf = bough.CARTClassifier(max_depth=1, min_samples_leaf=100, pruning=None)

    def share(**how):
        clf = BAG(leaf, n_estimators=20, sampling=Sampling(classes="balanced", **how)).fit(X, y)
        return clf.predict_proba(X)[:, 1].mean()

    assert abs(share() - 0.5) < 0.1
    assert abs(share(priors="kept") - y.mean()) < 0.03


def test_out_of_bag_is_the_mean_of_trees_that_have_not_seen_the_row(table):
    X, y = table
    clf = BAG(bough.C45Classifier(), n_estimators=12, oob_score="neg_log_loss").fit(X, y)
    bags = np.array([counts(0, number, len(y)) == 0 for number in range(12)])
    said = np.array([tree.predict_proba(X) for tree in clf])
    with np.errstate(invalid="ignore"):
        votes = np.einsum("tn,tnk->nk", bags, said) / bags.sum(axis=0)[:, None]
    told = clf.out_of_bag_
    np.testing.assert_allclose(told.votes, votes)
    np.testing.assert_array_equal(told.times, bags.sum(axis=0))
    known = told.known
    right = clf.classes_[votes.argmax(axis=1)][known] == np.asarray(y)[known]
    assert told.score() == pytest.approx(right.mean())
    assert told.error[-1] == pytest.approx(1 - right.mean())
    alone = said[0].argmax(axis=1) != np.searchsorted(clf.classes_, np.asarray(y))
    assert told.error[0] == pytest.approx(alone[bags[0]].mean())
    assert clf.oob_score_ == told.score("neg_log_loss")
    assert told.confusion().iloc[:, 1:].to_numpy().trace() == right.sum()
    again = clf.out_of_bag(X, y)
    np.testing.assert_array_equal(again.votes, told.votes)
    with pytest.raises(DataError, match="another table"):
        clf.out_of_bag(X[1:], y[1:])


def test_rows_that_are_never_out_of_bag_are_nan_and_counted():
    X, y = {"x": list(range(30))}, ["a"] * 15 + ["b"] * 15
    with pytest.warns(DataWarning, match="rows are in the bag of every tree") as caught:
        told = BAG(n_estimators=1, oob_score=True).fit(X, y).out_of_bag_
    assert len(caught) == 1
    assert np.isnan(told.votes[~told.known]).all()
    assert [label is None for label in told.prediction] == list(~told.known)


def test_groups_make_out_of_bag_figures_honest():
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(60), 6)
    X = pd.DataFrame(rng.normal(size=(60, 4))[groups] + 0.01 * rng.normal(size=(360, 4)))
    X.columns = list("abcd")
    y = rng.integers(0, 2, 60)[groups]  # noise, but all rows of a group share it
    clf = BAG(n_estimators=25, oob_score=True)
    plain = clf.fit(X, y).oob_score_
    honest = clf.fit(X, y, groups=groups).oob_score_
    folds = cross_val_score(BAG(n_estimators=25), X, y, cv=GroupKFold(5), groups=groups).mean()
    assert plain > 0.95
    assert abs(honest - folds) < 0.12


def test_regression():
    X, y = bough.datasets.load("friedman1", random_state=0).xy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reg = bough.BaggedTreesRegressor(n_estimators=25, oob_score=True).fit(X, y)
    np.testing.assert_allclose(reg.predict(X), np.mean([tree.predict(X) for tree in reg], axis=0))
    one = cross_val_score(bough.CARTRegressor(), X, y, cv=5).mean()
    assert reg.oob_score_ > one + 0.05
    told = reg.out_of_bag_
    assert told.error[-1] == pytest.approx(np.mean((told.votes - y) ** 2))
    with pytest.raises(DataError, match="no classes to confuse"):
        told.confusion()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_keeps_finished_trees_and_a_warm_start_goes_on(table, monkeypatch, n_jobs):
    X, y = table
    whole = BAG(bough.C45Classifier(), n_estimators=6).fit(X, y)
    grow, lock, done = members.grow_member, threading.Lock(), []

    def interrupted(*given):
        with lock:
            done.append(None)
            if len(done) == 4:
                os.kill(os.getpid(), signal.SIGINT)
        return grow(*given)

    clf = BAG(bough.C45Classifier(), n_estimators=6, warm_start=True, n_jobs=n_jobs)
    monkeypatch.setattr(members, "grow_member", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.warns(DataWarning, match=r"interrupted: . trees? of 6 are grown and kept"):
            clf.fit(X, y)
    except KeyboardInterrupt:  # the signal may come when no tree is finished
        assert n_jobs > 1
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.undo()
    assert clf.fit(X, y).model_ == whole.model_


def test_files_and_members_that_explain(table, tmp_path):
    X, y = table
    clf = BAG(bough.C45Classifier(confidence=0.1), n_estimators=3, sampling="balanced", random_state=4).fit(X, y)
    clf.save(tmp_path / "model.json")
    read = bough.load(tmp_path / "model.json")
    assert type(read) is BAG
    assert read.model_ == clf.model_
    assert read.get_params(deep=False).keys() == clf.get_params(deep=False).keys()
    assert read.estimator.confidence == 0.1
    np.testing.assert_array_equal(read.out_of_bag(X, y).votes, clf.out_of_bag(X, y).votes)
    assert "because" in str(read.member(1).explain(dict(X.iloc[0])))
    with pytest.raises(ParameterError, match=r"no single way that could be told: ask one of them, member\(0\).explain"):
        read.explain(X)
    assert bough.validate.judge(read, X, y)["accuracy"].value > 0.9
    text = (tmp_path / "model.json").read_text()
    (tmp_path / "bad.json").write_text(text.replace('"confidence":0.1', '"confidence":7'))
    with pytest.raises(ModelFormatError, match="confidence"):
        bough.load(tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text(text.replace('{"estimator":"C45Classifier"', '{"estimator":"os"'))
    with pytest.raises(ModelFormatError, match="expected one of CARTClassifier"):
        bough.load(tmp_path / "bad.json")


def test_through_the_tools_of_scikit_learn(table):
    X, y = table
    clf = BAG(bough.C45Classifier(), n_estimators=3)
    grid = GridSearchCV(clf, {"estimator__confidence": [0.1, 0.25], "sampling": ["bootstrap", "balanced"]}, cv=2)
    assert grid.fit(X, y).best_score_ > 0.9
    assert clf.estimator.confidence == 0.25
    assert make_pipeline("passthrough", clf).fit(X, y).score(X, y) > 0.9
    assert CalibratedClassifierCV(clf, cv=2).fit(X, y).predict_proba(X).shape == (344, 3)
    assert BAG().set_params(estimator__max_depth=2).estimator.max_depth == 2
    assert BAG(sampling=Sampling()).set_params(sampling__share=0.5).sampling.share == 0.5
    named = bough.RandomForestClassifier(sampling="balanced").set_params(sampling__share=0.5)
    assert named.sampling == Sampling(classes="balanced", share=0.5)
    assert not any(name.startswith(("criterion__", "missing__")) for name in named.get_params())


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"estimator": bough.CARTRegressor()}, "estimator must learn classes"),
        ({"estimator": bough.RIPPERClassifier()}, "estimator must grow a tree"),
        ({"n_estimators": 0}, "n_estimators must be a whole number of at least 1"),
        ({"sampling": "twice"}, "sampling must be one of 'bootstrap'"),
        ({"sampling": "balanced", "max_samples": 0.5}, "takes the place of bootstrap and max_samples"),
        ({"max_samples": 0.0}, "max_samples must be"),
        ({"max_features": "all"}, "max_features must be one of"),
        ({"vote": "loud"}, "vote must be one of"),
        ({"bootstrap": False, "oob_score": True}, "needs rows that a tree has not seen"),
        ({"oob_score": 3}, "oob_score must be"),
        ({"oob_score": "loudness"}, "oob_score='loudness' is no scorer"),
        ({"oob_score": accuracy_score}, "is no scorer of scikit-learn: .*make_scorer"),
        ({"estimator": bough.C45Classifier(confidence=2)}, "confidence"),
    ],
)
def test_what_no_fit_could_use_is_refused(table, how, words):
    with pytest.raises(ParameterError, match=words):
        BAG(**how).fit(*table)


def test_trees_are_counted(table, capsys):
    BAG(bough.C45Classifier(), n_estimators=2, verbose=1).fit(*table)
    assert "BaggedTreesClassifier: 2 of 2 trees grown in" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [BAG, bough.RandomForestClassifier])
def test_rows_that_cannot_be_drawn_are_refused(table, kind):
    X, y = table
    with pytest.raises(DataError, match="max_samples=345: there are 344 rows"):
        kind(max_samples=345).fit(X, y)
    with pytest.raises(DataError, match="do not fit into a bag"):
        kind(sampling=Sampling(share=2**40)).fit(X, y)
    with pytest.raises(DataError, match="groups: row 1 has none"):
        kind().fit(X, y, groups=["a", None] + ["b"] * 342)
    own = np.zeros((2, 344), dtype=int)
    own[:, 0] = own[0, 1] = 1
    with pytest.raises(DataError, match="line 1 of the counts takes rows of weight 0 alone"):
        kind(n_estimators=2, sampling=own).fit(X, y, np.minimum(np.arange(344), 1))


@pytest.mark.parametrize("kind", [BAG, bough.RandomForestClassifier])
def test_out_of_bag_asks_for_the_groups_of_the_fit(table, kind, tmp_path):
    X, y = table
    groups = np.arange(344) // 3
    clf = kind(n_estimators=3).fit(X, y, groups=groups)
    clf.save(tmp_path / "model.json")
    for one in (clf, bough.load(tmp_path / "model.json")):
        assert one.out_of_bag(X, y, groups=groups).score() > 0.8
        for others in (None, groups[::-1]):
            with pytest.raises(DataError, match="give the groups of the fit"):
                one.out_of_bag(X, y, groups=others)


def test_a_class_may_be_called_true():
    X, y = {"x": [0, 1] * 20}, ["false", "true"] * 20
    confused = BAG(n_estimators=9).fit(X, y).out_of_bag(X, y).confusion()
    assert confused.columns.tolist() == ["true class", "false", "true"]
    assert confused["true class"].tolist() == ["false", "true"]
    assert confused[["false", "true"]].to_numpy().diagonal().sum() == confused[["false", "true"]].to_numpy().sum()
