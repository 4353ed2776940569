"""After a fit nothing but the model answers: parameters belong to the next fit."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import bough
from bough.recipe import ErrorBased, Laplace

X, Y = bough.datasets.load("penguins").xy()
MODELS = {
    "laplace": (bough.TreeClassifier(leaf="laplace"), {"leaf": "majority"}),
    "fractional": (bough.TreeClassifier(missing="fractional"), {"missing": "stop"}),
    "refuse": (bough.TreeClassifier(missing="majority_branch"), {"missing": "refuse"}),
    "nonsense": (bough.CARTClassifier(), {"criterion": "nonsense"}),
    "unseen": (bough.C45Classifier(), {"unseen": "error", "leaf": "laplace"}),
    "bins": (bough.ID3Classifier(missing="fractional"), {"bins": None, "missing": "refuse"}),
}


@pytest.mark.parametrize("name", MODELS)
def test_set_params_changes_nothing_until_the_next_fit(name, tmp_path):
    given, changes = MODELS[name]
    clf = clone(given).fit(X, Y)
    before = clf.predict_proba(X)
    labels, said = clf.predict(X), str(clf.explain(X[:1]))
    clf.set_params(**changes)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    np.testing.assert_array_equal(clf.predict(X), labels)
    assert str(clf.explain(X[:1])) == said
    nodes = clf.apply(X)
    if name not in ("fractional", "unseen", "bins"):
        np.testing.assert_array_equal(clf.tree_.probabilities(nodes), before)
    clf.save(tmp_path / "model.json")
    np.testing.assert_array_equal(bough.load(tmp_path / "model.json").predict_proba(X), before)
    assert bough.export(clf, "python").report.cases > 0


def test_a_file_has_the_parameters_of_the_fit(tmp_path):
    clf = bough.TreeClassifier(leaf="laplace", pruning=ErrorBased(0.1)).fit(X, Y)
    clf.set_params(leaf="majority", pruning__confidence=0.5)
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.leaf == "laplace"
    assert loaded.pruning == ErrorBased(0.1)


def test_a_part_that_is_changed_after_the_fit_changes_nothing():
    part = ErrorBased(0.1)
    clf = bough.TreeClassifier(pruning=part, leaf=Laplace()).fit(X, Y)
    before = clf.pruned("error_based", X, Y, confidence=0.1).predict_proba(X)
    part.set_params(confidence=3.0)
    np.testing.assert_array_equal(clf.pruned("error_based", X, Y, confidence=0.1).predict_proba(X), before)
    assert clf.fitted_.params["pruning"] == ErrorBased(0.1)


def test_a_tree_alone_answers_as_its_estimator_does():
    for given, _ in MODELS.values():
        clf = clone(given).fit(X, Y)
        np.testing.assert_array_equal(clf.tree_.predict(X), clf.predict(X))
        np.testing.assert_array_equal(clf.tree_.predict_proba(X), clf.predict_proba(X))


def test_what_a_fit_gives_is_asked_for_too_early():
    for name in ("tree_", "schema_", "pruning_path_"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(bough.CARTClassifier(), name)
        assert not hasattr(bough.CARTClassifier(), name)
