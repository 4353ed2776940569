"""What is given where a tree is needed, and what is said of everything else."""

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.errors import ParameterError
from bough.model.given import tree_of

CLASSES = [0] * 20 + [1] * 20


def test_searches_and_pipelines_say_which_of_their_parts_has_the_tree():
    search = GridSearchCV(bough.CARTClassifier(), {"max_depth": [1, 2]}, cv=2).fit([[k] for k in range(40)], CLASSES)
    with pytest.raises(ParameterError, match="best_estimator_"):
        tree_of(search)
    assert tree_of(search.best_estimator_).n_leaves == 2
    pipeline = make_pipeline("passthrough", bough.CARTClassifier()).fit([[k] for k in range(40)], CLASSES)
    with pytest.raises(ParameterError, match=r"pipeline\[-1\]"):
        bough.draw(pipeline, "axes")


def test_what_is_not_fitted_or_no_tree_is_refused():
    with pytest.raises(ParameterError, match="no model yet: fit it first"):
        tree_of(bough.CARTClassifier())
    with pytest.raises(ParameterError, match="got str"):
        tree_of("tree")


def test_an_estimator_of_another_library_is_not_told_to_be_fitted():
    with pytest.raises(ParameterError, match=r"expected a fitted estimator of bough .* got DecisionTreeClassifier"):
        tree_of(DecisionTreeClassifier().fit([[k] for k in range(40)], CLASSES))
