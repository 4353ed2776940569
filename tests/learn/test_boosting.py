"""Boosted trees: votes of scikit-learn on the same stumps, Quinlan's confidence, and an end where nothing is gained."""

import os
import signal

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.errors import DataWarning, ParameterError
from bough.learn import members

BOOST = bough.BoostedTreesClassifier


def wrong_rows(tree, X, y):
    return tree.predict(X) != np.asarray(y)


def stump():
    """Grown as scikit-learn grows it."""
    return bough.CARTClassifier(max_depth=1, min_samples_split=2, min_samples_leaf=1, pruning=None)


def data(n_classes):
    return make_classification(
        400, 8, n_informative=5, n_classes=n_classes, n_clusters_per_class=1, flip_y=0.1, random_state=n_classes
    )


@pytest.mark.parametrize(("method", "n_classes"), [("samme", 2), ("samme", 4), ("adaboost_m1", 2)])
def test_votes_are_those_of_scikit_learn_on_the_same_stumps(method, n_classes):
    X, y = data(n_classes)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=10, random_state=0).fit(X, y)
    ours = BOOST(stump(), n_estimators=10, method=method, vote="weight").fit(X, y)
    for mine, other in zip(ours, theirs.estimators_, strict=True):
        assert mine.root.split.column == f"x{other.tree_.feature[0]}"
        assert mine.root.split.threshold == pytest.approx(other.tree_.threshold[0], abs=1e-5)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, atol=1e-9)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, atol=1e-9)
    votes = ours.predict_proba(X)
    scores = (n_classes * votes - 1) / (n_classes - 1)  # theirs: 1 for the class, -1 / (classes - 1) for others
    expected = theirs.decision_function(X)
    np.testing.assert_allclose(2 * scores[:, 1] if n_classes == 2 else scores, expected, atol=1e-9)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_each_tree_is_grown_on_the_weights_that_those_before_it_leave():
    X, y = bough.datasets.load("penguins").xy()
    one = bough.C45Classifier(max_depth=1)
    clf = BOOST(one, n_estimators=3, method="adaboost_m1", same_size=False).fit(X, y)
    weights = np.ones(len(y))
    for tree, error in zip(clf, clf.estimator_errors_, strict=True):
        alone = one.fit(X, y, sample_weight=weights).tree_
        assert [str(node.split) for node in alone] == [str(node.split) for node in tree]
        wrong = tree.predict(X) != np.asarray(y)
        assert error == pytest.approx(weights[wrong].sum() / weights.sum())
        weights = np.where(wrong, weights * (1 - error) / error, weights)
        weights *= len(y) / weights.sum()


def test_halfway_moves_half_and_trees_stay_as_small_as_the_first():
    X, y = bough.datasets.load("tic_tac_toe").xy()
    clf = BOOST(bough.C45Classifier(), n_estimators=4).fit(X, y)
    most = clf[0].n_leaves
    assert [tree.n_leaves <= most for tree in clf] == [True] * 4
    assert max(tree.n_leaves for tree in BOOST(n_estimators=4, same_size=False).fit(X, y)) > 1.3 * most
    wrong, error = wrong_rows(clf[0], X, y), clf.estimator_errors_[0]
    weights = np.where(wrong, 1 + (0.5 - error) / 2 / error, 1 - (0.5 - error) / 2 / (1 - error))
    assert weights.sum() == pytest.approx(len(y))
    assert clf.estimator_errors_[1] == pytest.approx(weights[wrong_rows(clf[1], X, y)].sum() / len(y))


@pytest.mark.parametrize("vote", ["confidence", "weight"])
def test_it_ends_where_one_tree_fits(vote):
    X, y = {"x": list(range(40))}, ["a"] * 20 + ["b"] * 20
    clf = BOOST(vote=vote).fit(X, y)
    assert len(clf) == 1
    assert clf.estimator_errors_.tolist() == [0.0]
    assert (clf.predict(X) == y).all()


def test_it_ends_where_no_tree_is_better_than_guessing():
    X, y = {"x": [0, 0, 0, 0]}, ["a", "b", "a", "b"]
    clf = BOOST(vote="weight").fit(X, y)
    assert len(clf) == 1  # which is all that there is
    assert clf.predict_proba({"x": [0]}).tolist() == [[0.5, 0.5]]  # a leaf of equal classes favours none
    assert BOOST(vote="confidence").fit(X, y).predict_proba({"x": [0]}).tolist() == [[0.5, 0.5]]


def test_without_an_early_stop_rows_are_weighed_anew():
    X, y = {"x": list(range(40))}, ["a"] * 20 + ["b"] * 20
    clf = BOOST(n_estimators=4, early_stopping=False, random_state=1).fit(X, y)
    assert len(clf) == 4
    assert len({tree.root.split.threshold for tree in clf}) > 1
    assert clf.model_ == BOOST(n_estimators=4, early_stopping=False, random_state=1).fit(X, y).model_


def test_boosting_beats_one_tree():
    """The long measurement is benchmarks/compare_boosting.py."""
    X, y = bough.datasets.load("tic_tac_toe").xy()
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    one = cross_val_score(bough.C45Classifier(), X, y, cv=folds).mean()
    assert cross_val_score(BOOST(), X, y, cv=folds).mean() > one + 0.05


def test_monks_are_learned():
    X, y = bough.datasets.load("monks", problem=1).xy()
    train = np.random.default_rng(0).permutation(len(y))[:200]
    clf = BOOST(bough.C45Classifier(branching="grouped")).fit(X.iloc[train], y.iloc[train])
    assert clf.score(X, y) == 1.0


def test_files_grids_and_refusals(tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    grid = GridSearchCV(BOOST(n_estimators=2), {"estimator__confidence": [0.1, 0.5], "vote": ["weight"]}, cv=2)
    clf = grid.fit(X, y).best_estimator_
    clf.save(tmp_path / "model.json")
    read = bough.load(tmp_path / "model.json")
    assert read.model_ == clf.model_
    assert (read.predict(X) == clf.predict(X)).all()
    assert bough.export(read, "sql", max_cases=100).report.cases
    for how, words in (
        ({"method": "l2"}, "method must be one of 'halfway'"),
        ({"vote": "mean"}, "vote must be one of 'confidence'"),
        ({"estimator": bough.CARTRegressor()}, "estimator must learn classes"),
        ({"early_stopping": 3}, "early_stopping must be True or False"),
    ):
        with pytest.raises(ParameterError, match=words):
            BOOST(**how).fit(X, y)


def test_an_interrupt_keeps_finished_trees(monkeypatch):
    X, y = bough.datasets.load("penguins").xy()
    grow, done = members.grow_member, []

    def interrupted(*given):
        done.append(None)
        if len(done) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return grow(*given)

    monkeypatch.setattr(members, "grow_member", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.warns(DataWarning, match="interrupted: 2 trees of at most 5 are grown and kept"):
            clf = BOOST(bough.C45Classifier(max_depth=1), n_estimators=5).fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(clf) == 2
