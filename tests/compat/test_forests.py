"""`like("ranger")` and `like("randomForest")`: their defaults and conventions, and what is refused by name."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError


def test_defaults_of_ranger():
    classes, numbers = bough.like("ranger"), bough.like("ranger", splitrule="variance")
    assert isinstance(classes, bough.RandomForestClassifier)
    assert isinstance(numbers, bough.RandomForestRegressor)
    assert (classes.n_estimators, classes.max_features, classes.min_samples_split) == (500, "sqrt", 2)
    assert (classes.vote, classes.level_order, classes.constant_columns) == ("majority", "forest", "count")
    assert (numbers.max_features, numbers.min_samples_split) == ("sqrt", 6)
    shares = bough.like("ranger", probability=True, respect_unordered_factors="partition")
    assert (shares.vote, shares.min_samples_split, shares.level_order) == ("mean", 11, "node")


def test_defaults_of_random_forest():
    classes, numbers = bough.like("randomForest"), bough.like("randomForest", "regression")
    assert (classes.n_estimators, classes.max_features, classes.min_samples_split) == (500, "sqrt", 2)
    assert (numbers.max_features, numbers.min_samples_split) == (1 / 3, 6)
    assert bough.like("randomForest", classwt={"a": 3, "b": 1}).priors == {"a": 0.75, "b": 0.25}
    assert bough.like("randomForest", classwt=[3, 1]).fit([[0], [1], [1]], [0, 1, 1]).priors == [0.75, 0.25]


def test_rows_are_drawn_as_asked():
    half = bough.like("ranger", replace=False, num_trees=3).sampling
    assert (half.replacement, half.share) == (False, 0.632)
    assert bough.like("randomForest", sampsize=20).max_samples == 20


@pytest.mark.parametrize(
    ("program", "arguments", "said"),
    [
        ("ranger", {"splitrule": "extratrees"}, "ExtraTreesClassifier"),
        ("ranger", {"splitrule": "hellinger"}, "'gini' or 'variance'"),
        ("ranger", {"respect_unordered_factors": "ignore"}, "levels are no numbers"),
        ("ranger", {"respect_unordered_factors": 3}, "'order' or 'partition'"),
        ("ranger", {"sample_fraction": -1}, "sample_fraction must be"),
        ("ranger", {"replace": "yes"}, "replace must be True or False"),
        ("ranger", {"probability": True, "task": "regression"}, "probability=True is for classification"),
        ("randomForest", {"maxnodes": 5}, "max_leaf_nodes"),
        ("randomForest", {"classwt": [1, 2], "task": "regression"}, "classwt is for classification"),
        ("randomForest", {"mtry": 0}, "mtry must be"),
        ("randomForest", {"classwt": {"a": 1, "b": 0}}, "a positive number for each class"),
    ],
)
def test_what_is_not_imitated_is_said(program, arguments, said):
    with pytest.raises(ParameterError, match=said):
        bough.like(program, **arguments)


def test_arguments_that_are_given_elsewhere():
    with pytest.raises(TypeError, match="random_state"):
        bough.like("ranger", seed=1)
    with pytest.raises(TypeError, match="costs"):
        bough.like("randomForest", cutoff=[0.5, 0.5])


def test_a_node_whose_columns_are_all_constant_is_a_leaf():
    X = np.zeros((200, 40))
    X[:, 0] = np.arange(200)
    stopped = bough.like("ranger", num_trees=20, mtry=1).fit(X, X[:, 0] > 99)
    assert sum(len(tree) == 1 for tree in stopped.forest_) > 10
    assert all(len(tree) > 1 for tree in bough.RandomForestClassifier(n_estimators=20).fit(X, X[:, 0] > 99).forest_)


def test_missing_values_are_refused():
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ValueError, match="missing"):
        bough.like("ranger", num_trees=2).fit(X, y)
