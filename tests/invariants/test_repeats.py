"""Weights and repeats give the same tree: for every estimator, either engine and every part that counts rows.

Where rows are named (folds, rows kept back) the copies of a row go where the row goes. Folds that are only a number are
no part of this law: they deal out rows, so that copies of a row come into different folds, and a weight into one.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone, is_classifier

from bough import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)
from bough.recipe import (
    CostComplexity,
    CrossValidated,
    DescriptionLength,
    Entropy,
    ErrorBased,
    Exhaustive,
    GainRatio,
    GlobalCriterion,
    Intervals,
    Layers,
    MergeLeaves,
    MinRows,
    MostLikely,
    Pairs,
    ReducedError,
    Significance,
    SignificantSplits,
    SizePenalty,
    Surrogates,
    Unbiased,
    Validation,
)
from bough.testing import random_table, to_frame

OUT = {"min_samples_split": 4, "min_samples_leaf": 2}
LEAST = MinRows(4, 2)
CLASSIFIERS = [
    CARTClassifier(),
    CARTClassifier(pruning=None, **OUT),
    CARTClassifier(criterion="entropy", pruning=CostComplexity(0.02, method="accounts"), **OUT),
    CARTClassifier(criterion="twoing", pruning=CrossValidated(rule="min", cv=3), **OUT),
    CARTClassifier(pruning=0.01, priors="equal", missing=Surrogates(sets="two_disagree", majority="known"), **OUT),
    CARTClassifier(class_weight="balanced", max_leaf_nodes=6, min_impurity_decrease=0.01, pruning=None, **OUT),
    CARTClassifier(min_weight_fraction_leaf=0.1, min_samples_split=0.2, missing="majority_branch", pruning=None),
    C45Classifier(),
    C45Classifier(confidence=0.4, branching="one_level", leaf="laplace"),
    C45Classifier(branching="grouped", pruning=ErrorBased(raising=False)),
    C45Classifier(pruning=ErrorBased(regrow=True), criterion=GainRatio(rules="c50"), absent="stop"),
    C45Classifier(pruning=ReducedError(holdout=3)),
    C45Classifier(pruning=None, criterion=Entropy(threshold_penalty=True, many_valued_share=0.3)),
    CHAIDClassifier(min_samples_split=6, min_samples_leaf=2),
    ID3Classifier(bins="entropy_mdl", missing="fractional"),
    ID3Classifier(bins="equal_frequency", missing="fractional", n_bins=3),
    ID3Classifier(bins="equal_width", missing="fractional", min_samples_split=6),
    TreeClassifier(),
    TreeClassifier(branching="grouped", stopping=LEAST, pruning=DescriptionLength(), missing="own_branch"),
    TreeClassifier(branching="merged", criterion="chi_squared", stopping=LEAST, missing="own_branch", pruning=None),
    TreeClassifier(branching=Intervals(), criterion="entropy", stopping=LEAST, pruning="error_based", missing="stop"),
    TreeClassifier(branching="per_level", criterion="gain_ratio", missing="fractional", pruning="error_based"),
    TreeClassifier(stopping=[LEAST, Significance(0.2)], missing="learned_direction", pruning=None),
    TreeClassifier(stopping=[LEAST, GlobalCriterion(0.005, weighted=True)], leaf="m_estimate", pruning=None),
    TreeClassifier(stopping=LEAST, pruning=SizePenalty(0.01, weighted=True), missing="learned_direction"),
    TreeClassifier(stopping=[LEAST, Validation(3)], missing=MostLikely("class"), pruning=MergeLeaves(0.1)),
    TreeClassifier(stopping=[LEAST, Layers(3)], missing="majority_branch", pruning=None),
    TreeClassifier(search=Unbiased(), stopping=LEAST, pruning=MergeLeaves(0.05, weighted=True), missing="stop"),
    TreeClassifier(search=Pairs(), stopping=LEAST, missing="majority_branch", pruning=DescriptionLength("stochastic")),
]
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(pruning=CrossValidated(cv=3), **OUT),
    CARTRegressor(criterion="absolute_error", pruning=None, **OUT),
    CARTRegressor(criterion="worst_error", max_leaf_nodes=6, pruning=None, **OUT),
    TreeRegressor(),
    TreeRegressor(stopping=[LEAST, Significance(0.2)], branching="grouped", missing="own_branch", pruning=None),
    TreeRegressor(stopping=LEAST, pruning=SignificantSplits(0.01), missing="majority_branch"),
    TreeRegressor(stopping=LEAST, search=Exhaustive("weighted"), pruning=ReducedError(3), missing="learned_direction"),
    TreeRegressor(
        criterion="absolute_error", leaf="median", stopping=LEAST, missing="delete", pruning=MergeLeaves(0.1)
    ),
]


def table(seed, classes):
    """Numbers, ordered and nominal columns with ties and missing values."""
    problem = random_table(np.random.default_rng(seed), 45, classes=classes, max_levels=4)
    return to_frame(problem), np.array(problem.y)


def with_rows(estimator, origin):
    """The estimator with rows in the place of numbers of folds."""
    changes = {}
    for name in estimator.get_params(deep=True):
        last = name.rpartition("__")[2]
        if last == "cv":
            changes[name] = [(np.flatnonzero(origin % 3 != k), np.flatnonzero(origin % 3 == k)) for k in range(3)]
        if last == "holdout":
            changes[name] = origin % 3 == 1
    return clone(estimator).set_params(**changes)


@pytest.mark.parametrize("estimator", CLASSIFIERS + REGRESSORS, ids=lambda made: f"{type(made).__name__}")
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=max(1, settings.default.max_examples // 12))
def test_a_weight_is_a_number_of_equal_rows(estimator, seed):
    X, y = table(seed, 3 if is_classifier(estimator) else 0)
    rows = np.arange(len(y))
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    times[:6] = 1  # in each fold and among the rows kept back there is something
    origin = np.repeat(rows, times)
    weighted = with_rows(estimator, rows).fit(X, y, sample_weight=times)
    repeated = with_rows(estimator, origin).fit(X.iloc[origin].reset_index(drop=True), y[origin])
    one, other = list(weighted.tree_), list(repeated.tree_)
    assert [node.condition for node in one] == [node.condition for node in other]
    np.testing.assert_allclose([node.weight for node in one], [node.weight for node in other], rtol=1e-9)
    np.testing.assert_allclose(answers(weighted, X), answers(repeated, X), rtol=1e-9, atol=1e-9)
    pd.testing.assert_frame_equal(path(weighted), path(repeated), rtol=1e-9)


def answers(fitted, X):
    return fitted.predict_proba(X) if is_classifier(fitted) else fitted.predict(X)


def path(fitted):
    """The path of pruning, where there is one."""
    return pd.DataFrame(fitted.pruning_path_)
