"""`bough.like`: other programs' arguments become parameters of an ordinary estimator, or are refused in a sentence."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bough
from bough.errors import ParameterError


@pytest.mark.parametrize(
    ("given", "minsplit", "minbucket"),
    [
        ({}, 20, 7),
        ({"minsplit": 10}, 10, 3),
        ({"minbucket": 5}, 15, 5),
        ({"minsplit": 30, "minbucket": 2}, 30, 2),
        ({"minsplit": 2}, 2, 1),
        ({"minsplit": 10.9}, 10, 4),
        ({"minsplit": 0}, 2, 1),
        ({"minbucket": None}, 20, 7),
        ({"minsplit": None}, 20, 7),
        ({"minsplit": 10, "minbucket": None}, 10, 3),
        ({"minsplit": None, "minbucket": 5}, 15, 5),
    ],
)
def test_rparts_minima_follow_from_each_other(given, minsplit, minbucket):
    clf = bough.like("rpart", **given)
    assert (clf.min_samples_split, clf.min_samples_leaf) == (minsplit, minbucket)


def test_none_is_rparts_default():
    names = ["cp", "minsplit", "minbucket", "maxdepth", "maxcompete", "maxsurrogate", "usesurrogate", "split", "xval"]
    assert bough.like("rpart", **dict.fromkeys(names)).get_params() == bough.like("rpart").get_params()
    assert isinstance(bough.like("rpart", method="anova", split=None, prior=None), bough.CARTRegressor)


def test_folds_fill_in_rparts_table_and_leave_its_tree_alone():
    X, y = bough.datasets.load("penguins").xy()
    plain, crossed = (bough.like("rpart", xval=xval).fit(X, y) for xval in (0, 5))
    assert plain.tree_ == crossed.tree_
    table = crossed.cp_table()
    assert list(table) == ["CP", "nsplit", "rel error", "xerror", "xstd"]
    assert plain.cp_table()[["xerror", "xstd"]].isna().all(axis=None)
    root = crossed.tree_.root.risk
    assert table["rel error"].tolist() == pytest.approx((crossed.pruning_path_["risk"] / root).tolist())
    assert table["xerror"].tolist() == pytest.approx((crossed.pruning_path_["cv_risk"] / root).tolist())
    plain.cross_validate_path(X, y, cv=5)
    assert plain.cp_table().equals(table)


@pytest.mark.parametrize(
    ("usesurrogate", "routing", "fallback"),
    [(0, "stop", "stop"), (1, "surrogates", "stop"), (2, "surrogates", "majority")],
)
def test_rparts_use_of_surrogates(usesurrogate, routing, fallback):
    clf = bough.like("rpart", usesurrogate=usesurrogate, surrogatestyle=1, maxsurrogate=3)
    part = clf.missing
    assert (part.routing, part.fallback, part.base, part.max_surrogates) == (routing, fallback, "joint", 3)


def test_the_method_or_criterion_sets_the_task():
    assert isinstance(bough.like("rpart", method="anova"), bough.CARTRegressor)
    assert isinstance(bough.like("rpart", "regression"), bough.CARTRegressor)
    assert isinstance(bough.like("rpart", method="class"), bough.CARTClassifier)
    assert isinstance(bough.like("sklearn", criterion="absolute_error"), bough.CARTRegressor)
    assert bough.like("sklearn", task="regression").criterion == "squared_error"
    assert bough.like("sklearn", criterion="log_loss").criterion == "entropy"
    with pytest.raises(ParameterError, match="contradicts method='class'"):
        bough.like("rpart", task="regression", method="class")


def test_the_result_is_an_ordinary_estimator():
    clf = bough.like("rpart", split="information", prior=[0.5, 0.5], loss=[[0, 1], [5, 0]], cp=0, cost=[1, 2])
    assert clf.criterion == "entropy"
    assert clf.priors == [0.5, 0.5]
    assert clf.costs == [[0, 1], [5, 0]]
    assert clf.feature_costs == [1, 2]
    assert clone(clf).get_params() == clf.get_params()
    assert bough.like("rpart", cp=-1).pruning.cp is None


@pytest.mark.parametrize(
    ("program", "arguments", "sentence"),
    [
        ("rpart", {"minsplt": 10}, "Did you mean 'minsplit'.*Known: cp, minsplit"),
        ("rpart", {"weights": [1]}, "sample_weight"),
        ("rpart", {"control": {}}, "give its entries"),
        ("rpart", {"max_depth": 3}, "Did you mean 'maxdepth'"),
        ("sklearn", {"random_state": 0}, "told apart by rule"),
        ("sklearn", {"cp": 0.1}, "has no argument 'cp'"),
    ],
)
def test_arguments_that_a_program_does_not_have(program, arguments, sentence):
    with pytest.raises(TypeError, match=sentence):
        bough.like(program, **arguments)


@pytest.mark.parametrize(
    ("program", "arguments", "sentence"),
    [
        ("c5.0", {}, "'rpart', 'sklearn'"),
        ("rpart", {"method": "poisson"}, "counts and survival times"),
        ("rpart", {"method": "exp"}, "counts and survival times"),
        ("rpart", {"method": ["user"]}, "only rpart's own methods"),
        ("rpart", {"xval": 1}, "one fold leaves no rows to grow on"),
        ("rpart", {"maxdepth": 31}, "from 1 to 30"),
        ("rpart", {"maxsurrogate": 2}, "set_params\\(missing__max_surrogates=2\\)"),
        ("rpart", {"minbucket": 0}, "at least 1"),
        ("rpart", {"usesurrogate": 3}, "one of 0, 1, 2"),
        ("rpart", {"usesurrogate": True}, "one of 0, 1, 2"),
        ("rpart", {"cp": "small"}, "must be a number"),
        ("rpart", {"split": "twoing"}, "'gini', 'information'"),
        ("rpart", {"task": "regression", "split": "gini"}, "is for classification"),
        ("rpart", {"task": "cluster"}, "'classification' or 'regression'"),
        ("sklearn", {"splitter": "random"}, "not drawn"),
        ("sklearn", {"max_features": "sqrt"}, "all columns"),
        ("sklearn", {"criterion": "friedman_mse"}, "choose one of 'gini'"),
        ("sklearn", {"monotonic_cst": [1]}, "cuts answers off"),
        ("sklearn", {"ccp_alpha": 0.1}, "by impurity"),
        ("sklearn", {"ccp_alpha": 0.1, "task": "regression"}, "pruned\\(alpha"),
        ("sklearn", {"class_weight": "balanced", "min_impurity_decrease": 0.1}, "by their weight"),
        ("sklearn", {"class_weight": "balanced", "task": "regression"}, "is for classification"),
        ("sklearn", {"class_weight": "balanced_rows"}, "must be 'balanced', a mapping or None"),
    ],
)
def test_values_that_are_not_imitated(program, arguments, sentence):
    with pytest.raises(ParameterError, match=sentence):
        bough.like(program, **arguments)


CLASSIFIERS = [
    {},
    {"criterion": "entropy", "max_depth": 4},
    {"min_samples_leaf": 5, "min_samples_split": 0.1},
    {"max_leaf_nodes": 7},
    {"min_impurity_decrease": 0.01},
    {"class_weight": "balanced", "min_samples_leaf": 0.05},
    {"min_weight_fraction_leaf": 0.1},
]
REGRESSORS = [
    {},
    {"criterion": "absolute_error", "max_depth": 4},
    {"min_samples_leaf": 5, "max_leaf_nodes": 9},
    {"min_impurity_decrease": 0.05},
]


def distinct_numbers(seed, n=300):
    """Columns without ties between values, readable as 32-bit floats, so that few candidates are equal."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.permutation(n) for _ in range(4)]).astype(np.float64)
    signal = X[:, 0] + 0.5 * X[:, 1] + n * rng.normal(size=n)
    return X, signal


@pytest.mark.parametrize("arguments", CLASSIFIERS, ids=str)
def test_classifiers_like_scikit_learns(arguments):
    X, signal = distinct_numbers(1)
    y = (signal > np.median(signal)).astype(int)
    ours = bough.like("sklearn", **arguments).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **arguments).fit(X, y)
    assert_same_up_to_ties(ours, theirs, X)


@pytest.mark.parametrize("arguments", REGRESSORS, ids=str)
def test_regressors_like_scikit_learns(arguments):
    X, y = distinct_numbers(2)
    ours = bough.like("sklearn", "regression", **arguments).fit(X, y)
    theirs = DecisionTreeRegressor(random_state=0, **arguments).fit(X, y)
    assert_same_up_to_ties(ours, theirs, X)


WEIGHED = [
    {"class_weight": "balanced"},
    {"class_weight": "balanced", "max_leaf_nodes": 9, "criterion": "entropy"},
    {"class_weight": {0: 3.0, 2: 0.5}, "max_depth": 4},
    {"min_samples_leaf": 0.1},
    {"min_samples_leaf": 0.07},  # 0.07 * 300 is a bit more than 21
    {"min_samples_split": 0.3, "min_samples_leaf": 0.02},
    {"class_weight": "balanced", "min_samples_split": 0.25},
    {"min_weight_fraction_leaf": 0.1},
]


def some_without_weight(seed, n=300):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.3, 0.0, rng.gamma(0.7, size=n) + 0.01)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("arguments", WEIGHED, ids=str)
def test_weights_and_rows_of_weight_zero_count_as_in_scikit_learn(arguments, seed):
    X, signal = distinct_numbers(seed)
    weights = some_without_weight(seed)
    y = np.digitize(signal, np.quantile(signal, [0.5, 0.85]))
    ours = bough.like("sklearn", **arguments).fit(X, y, weights)
    theirs = DecisionTreeClassifier(random_state=0, **arguments).fit(X, y, weights)
    assert_same_up_to_ties(ours, theirs, X)
    shallow = arguments | {"max_depth": 2}
    ours = bough.like("sklearn", **shallow).fit(X, y, weights)
    theirs = DecisionTreeClassifier(random_state=0, **shallow).fit(X, y, weights)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9, atol=1e-12)


def test_classes_all_of_whose_rows_weigh_nothing_are_balanced_as_in_scikit_learn():
    X, signal = distinct_numbers(5)
    y = np.digitize(signal, np.quantile(signal, [0.2, 0.4, 0.8]))
    weights = np.where(y == 1, 0.0, some_without_weight(5))
    ours = bough.like("sklearn", class_weight="balanced", max_depth=3).fit(X, y, weights)
    theirs = DecisionTreeClassifier(random_state=0, class_weight="balanced", max_depth=3).fit(X, y, weights)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X)[:, [0, 2, 3]], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("arguments", [{"min_samples_leaf": 0.1}, {"min_samples_split": 0.3}], ids=str)
def test_shares_are_of_all_rows_in_regression_too(arguments):
    X, y = distinct_numbers(6)
    weights = some_without_weight(6)
    ours = bough.like("sklearn", "regression", **arguments).fit(X, y, weights)
    theirs = DecisionTreeRegressor(random_state=0, **arguments).fit(X, y, weights)
    assert_same_up_to_ties(ours, theirs, X)


def assert_same_up_to_ties(ours, theirs, X):
    """Walk both trees together; where the splits differ, both gain the same."""
    kernel, other = ours.tree_.kernel, theirs.tree_
    pairs, walked = [(0, 0)], 0
    while pairs:
        a, b = pairs.pop()
        walked += 1
        assert kernel.rows[a] == other.n_node_samples[b]
        leaf = kernel.child_begin[a] == kernel.child_begin[a + 1]
        if leaf and kernel.impurity[a] == 0 and 0 < other.impurity[b] < 1e-14:
            continue  # under weights scikit-learn splits pure nodes whose impurity is not 0 by rounding
        assert leaf == (other.children_left[b] == -1), f"node {a}"
        if leaf:
            continue
        split = kernel.split_begin[a]
        threshold = kernel.split_payload[split : split + 1].view(np.float64)[0]
        if (kernel.split_column[split], threshold) != (other.feature[b], other.threshold[b]):
            left, right = other.children_left[b], other.children_right[b]
            weight = other.weighted_n_node_samples
            below = (weight[left] * other.impurity[left] + weight[right] * other.impurity[right]) / weight[b]
            assert kernel.split_score[split] == pytest.approx(other.impurity[b] - below, rel=1e-9, abs=1e-12)
            continue
        children = kernel.children[kernel.child_begin[a] : kernel.child_begin[a + 1]]
        pairs += [(children[0], other.children_left[b]), (children[1], other.children_right[b])]
    assert walked > len(kernel) / 3


def test_classes_in_the_order_of_their_type_decide_ties():
    X = pd.DataFrame({"x": [0, 0, 1, 1]})
    y = pd.Series(["b", "a", "b", "a"]).astype(pd.CategoricalDtype(["b", "a"]))
    assert bough.like("rpart").fit(X, y).predict(X).tolist() == ["b"] * 4
    assert bough.CARTClassifier().fit(X, y).predict(X).tolist() == ["a"] * 4
    fitted = bough.like("rpart", prior=[0.75, 0.25]).fit(X, y)
    assert fitted.classes_.tolist() == ["a", "b"]
    assert fitted.predict_proba(X)[0].tolist() == [0.25, 0.75]
