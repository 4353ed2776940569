"""get_params, set_params, clone and grid search reach into the slots."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import bough
from bough.errors import ParameterError
from bough.recipe import CostComplexity, ErrorBased, Exhaustive, MaxDepth, MinRows, Significance

X, Y = bough.datasets.load("penguins").xy()


def test_a_name_is_replaced_by_its_part_when_a_nested_parameter_is_set():
    clf = bough.TreeClassifier(pruning="error_based")
    assert clf.get_params()["pruning__confidence"] == 0.25
    assert clf.get_params(deep=False)["pruning"] == "error_based"
    clf.set_params(pruning__confidence=0.1)
    assert clf.pruning == ErrorBased(confidence=0.1)


def test_slot_and_nested_parameter_at_once_in_any_order():
    clf = bough.TreeClassifier().set_params(pruning__confidence=0.1, pruning="error_based")
    assert clf.pruning == ErrorBased(confidence=0.1)


def test_members_of_a_list_are_addressed_by_name():
    given = [MinRows(10), "significance"]
    clf = bough.TreeClassifier(stopping=given)
    params = clf.get_params()
    assert params["stopping__min_rows__min_samples_split"] == 10
    assert params["stopping__min_rows"] is given[0]
    assert params["stopping__significance__level"] == 0.05
    clf.set_params(stopping__min_rows__min_samples_split=5, stopping__significance__level=0.01)
    assert clf.stopping == [MinRows(5), Significance(0.01)]
    assert given == [MinRows(10), "significance"], "what the user gave is not changed"
    clf.set_params(stopping__min_rows=MaxDepth(2))
    assert clf.stopping == [MaxDepth(2), Significance(0.01)]


def test_a_part_that_is_given_is_not_changed():
    part = CostComplexity(0.1)
    clf = bough.TreeClassifier(pruning=part).set_params(pruning__cp=0.2)
    assert (part.cp, clf.pruning.cp) == (0.1, 0.2)


@pytest.mark.parametrize(
    "key",
    [
        "pruning__confidence",
        "pruning__cp__x",
        "stopping__max_depth__max_depth",
        "leafs",
        "n_jobs__x",
        "stopping__x",
        "x__y",
    ],
)
def test_unknown_names_are_refused(key):
    with pytest.raises(ParameterError, match=f"Invalid parameter '{key}' for estimator TreeClassifier"):
        bough.TreeClassifier().set_params(**{key: 1})
    with pytest.raises(ParameterError, match="Invalid parameter"):
        bough.TreeClassifier(stopping=["max_depth"]).set_params(stopping__max_depth__rows=1)


def test_clones_are_equal_and_apart():
    clf = bough.TreeClassifier(stopping=[MinRows(10), MaxDepth(3)], pruning=ErrorBased(0.1, raising=False))
    copy = clone(clf)
    assert copy.get_params() == clf.get_params()
    assert copy.pruning is not clf.pruning
    assert str(copy.fit(X, Y).tree_) == str(clf.fit(X, Y).tree_)


def test_grid_search_reaches_parts():
    grid = {"pruning": ["cost_complexity"], "pruning__cp": [0.0, 0.5], "stopping__min_rows__min_samples_split": [5, 40]}
    search = GridSearchCV(bough.TreeClassifier(stopping=["min_rows"]), grid, cv=3).fit(X, Y)
    assert search.best_params_["pruning__cp"] == 0.0
    assert search.best_estimator_.pruning == CostComplexity(0.0)
    parts = GridSearchCV(bough.TreeClassifier(), {"pruning": [None, CostComplexity(0.9)]}, cv=3).fit(X, Y)
    assert parts.best_params_ == {"pruning": None}
    pipe = make_pipeline(bough.TreeClassifier()).set_params(treeclassifier__pruning__cp=0.3)
    assert pipe[-1].pruning == CostComplexity(0.3)


def test_the_untouched_estimators_are_cart_as_rpart_sets_it():
    same = {"pruning": 0.01, "min_samples_split": 20, "min_samples_leaf": 7}
    assert bough.TreeClassifier().fit(X, Y).tree_ == bough.CARTClassifier(**same).fit(X, Y).tree_
    mass = np.nan_to_num(X["body_mass_g"].to_numpy(dtype=float))
    assert bough.TreeRegressor().fit(X, mass).tree_ == bough.CARTRegressor(**same).fit(X, mass).tree_


def test_one_price_prunes_named_and_open_estimators_alike():
    stopping = [MinRows(10, 5)]
    assert (
        bough.TreeClassifier(stopping=stopping, pruning="auto").fit(X, Y).tree_
        == bough.CARTClassifier().fit(X, Y).tree_
    )


def test_a_name_that_is_not_known_changes_nothing():
    clf = bough.TreeClassifier()
    with pytest.raises(ValueError, match="nothing"):
        clf.set_params(leaf="laplace", pruning__nothing=1)
    assert clf.leaf == bough.TreeClassifier().leaf


def test_parts_with_arrays_in_dicts_are_compared():
    costs = {"a": np.array([1.0, 2.0])}
    assert Exhaustive(feature_costs=costs) == Exhaustive(feature_costs={"a": np.array([1.0, 2.0])})
    assert Exhaustive(feature_costs=costs) != Exhaustive(feature_costs={"a": np.array([1.0, 3.0])})


def test_one_rule_may_be_called_by_its_name_as_in_a_list():
    clf = bough.TreeClassifier().set_params(stopping__min_rows__min_samples_split=5)
    assert clf.stopping == MinRows(min_samples_split=5)


def test_a_class_made_from_a_part_is_refused_because_it_would_be_ignored():
    class Mine(Exhaustive):
        pass

    with pytest.raises(ParameterError, match="would be ignored"):
        bough.TreeClassifier(search=Mine()).fit(X, Y)


def test_names_of_parts_with_initials():
    assert bough.TreeClassifier(leaf="m_estimate").fit(X, Y).predict_proba(X).sum() == pytest.approx(len(Y))
