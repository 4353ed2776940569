"""Priors, class weights and costs: which of them are the same thing, and what each of them may move."""

import numpy as np
import pytest

from bough import CARTClassifier
from bough.recipe import Reading

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
FREE = {"count_by": "rows", "min_samples_split": 8, "min_samples_leaf": 3}  # minima that weights do not touch


@pytest.fixture
def table(mixed):
    def make(seed=0, classes=3, n=120, **parameters):
        return mixed(seed, "gini", n=n, classes=classes, **parameters)

    return make


def shares(y):
    return np.bincount(y) / len(y)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing"])
def test_class_weights_are_sample_weights_of_the_classes(criterion, table, partition):
    """Where nothing is missing: the larger branch and the agreement of surrogates are matters of sample weights."""
    X, y = table(missing=0.0)
    factors = {0: 1.0, 1: 3.0, 2: 0.5}
    one = CARTClassifier(criterion=criterion, pruning=0.005, **FREE, class_weight=factors).fit(X, y)
    other = CARTClassifier(
        criterion=criterion, pruning=0.005, **FREE, reading=Reading(fractional_weights="as_given")
    ).fit(X, y, [factors[label] for label in y])
    assert partition(one, X) == partition(other, X)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(one.pruning_path_.iloc[:, :5], other.pruning_path_.iloc[:, :5], rtol=1e-9)
    np.testing.assert_allclose(one.importance(), other.importance(), rtol=1e-9)


def test_class_weights_do_not_enter_the_minima(table):
    X, y = table()
    fitted = CARTClassifier(class_weight={1: 1000.0}, pruning=None, min_samples_split=30, min_samples_leaf=12).fit(X, y)
    assert min(node.rows for node in fitted.tree_.nodes if node.split) >= 30
    assert min(node.weight for node in fitted.tree_.nodes) >= 12
    assert fitted.tree_.root.weight == len(y)


def test_balanced_is_equal_priors(table, partition):
    X, y = table()
    one = CARTClassifier(class_weight="balanced", **GROWN).fit(X, y)
    for priors in ("equal", [1 / 3, 1 / 3, 1 / 3], {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}):
        other = CARTClassifier(priors=priors, **GROWN).fit(X, y)
        assert partition(one, X) == partition(other, X)
        np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)


def test_class_weights_of_one_change_nothing(table, assert_same_tree):
    X, y = table()
    one = CARTClassifier(**GROWN).fit(X, y)
    assert_same_tree(one, CARTClassifier(class_weight={0: 1, 1: 1, 2: 1}, **GROWN).fit(X, y))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing"])
def test_priors_that_are_the_shares_change_nothing(criterion, table, assert_same_tree, budget):
    for seed in range(round(8 * budget)):
        X, y = table(seed)
        one = CARTClassifier(criterion=criterion, **GROWN).fit(X, y)
        other = CARTClassifier(criterion=criterion, priors=shares(y), **GROWN).fit(X, y)
        assert_same_tree(one, other)
        np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)


def test_costs_of_one_change_nothing(table, assert_same_tree):
    X, y = table()
    one = CARTClassifier(**GROWN).fit(X, y)
    for costs in (1 - np.eye(3), {}, {(0, 1): 1}):
        assert_same_tree(one, CARTClassifier(costs=costs, **GROWN).fit(X, y))


def test_costs_times_a_constant_change_no_decision(table, partition):
    X, y = table()
    costs = np.array([[0, 2, 1], [5, 0, 1], [1, 3, 0]], dtype=float)
    one = CARTClassifier(costs=costs, pruning=0.01).fit(X, y)
    other = CARTClassifier(costs=costs * 7, pruning=0.01).fit(X, y)
    assert partition(one, X) == partition(other, X)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_allclose(one.pruning_path_["cp"], other.pruning_path_["cp"], rtol=1e-9)
    np.testing.assert_allclose(one.pruning_path_["risk"] * 7, other.pruning_path_["risk"], rtol=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "weighted_gini"])
@pytest.mark.parametrize("priors", [None, [0.6, 0.3, 0.1]], ids=str)
def test_predict_minimises_the_expected_cost(criterion, priors, table, budget):
    for seed in range(round(5 * budget)):
        X, y = table(seed)
        costs = np.random.default_rng(seed).integers(1, 9, (3, 3)) * (1.0 - np.eye(3))
        fitted = CARTClassifier(criterion=criterion, costs=costs, priors=priors, **FREE, pruning=None).fit(X, y)
        expected = fitted.predict_proba(X) @ costs
        decided = expected[np.arange(len(y)), fitted.predict(X)]
        np.testing.assert_allclose(decided, expected.min(axis=1), rtol=1e-9, atol=1e-12)


def test_probabilities_show_priors_and_never_costs(table):
    X, y = table()
    costs = {(0, 1): 20, (2, 1): 7}
    for priors in (None, [0.6, 0.3, 0.1]):
        fitted = CARTClassifier(costs=costs, priors=priors, **FREE, pruning=None).fit(X, y)
        ends = fitted.apply(X)
        scale = np.ones(3) if priors is None else np.array(priors) / shares(y)
        for node in np.unique(ends):
            counts = np.array(list(fitted.tree_.nodes[node].counts.values())) * scale
            found = fitted.predict_proba(X[ends == node])[0]
            np.testing.assert_allclose(found, counts / counts.sum(), rtol=1e-12)


def test_probabilities_at_the_root_are_the_priors(table):
    X, y = table()
    fitted = CARTClassifier(priors=[0.7, 0.2, 0.1], pruning=10.0).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(X[:1]), [[0.7, 0.2, 0.1]], rtol=1e-12)
    fitted = CARTClassifier(priors=[0.7, 0.2, 0.1], costs={(2, 0): 50, (2, 1): 50}, pruning=10.0).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(X[:1]), [[0.7, 0.2, 0.1]], rtol=1e-12)
    assert fitted.predict(X[:1]).tolist() == [2]


def test_weighted_gini_of_two_classes_changes_no_split(table, partition):
    """With two classes it is Gini times a constant: altered priors do the work there."""
    for seed in range(5):
        X, y = table(seed, classes=2)
        plain = CARTClassifier(**GROWN).fit(X, y)
        weighted = CARTClassifier(costs=[[0, 1], [9, 0]], **GROWN, criterion="weighted_gini").fit(X, y)
        altered = CARTClassifier(costs=[[0, 1], [9, 0]], **GROWN).fit(X, y)
        assert partition(plain, X) == partition(weighted, X)
        assert partition(plain, X) != partition(altered, X)


def test_weighted_gini_of_three_classes_changes_splits(table, partition):
    X, y = table()
    plain = CARTClassifier(**FREE, pruning=None).fit(X, y)
    costs = {(0, 1): 9, (1, 0): 9}
    weighted = CARTClassifier(costs=costs, **FREE, pruning=None, criterion="weighted_gini").fit(X, y)
    assert partition(plain, X) != partition(weighted, X)


def test_two_classes_with_costs_are_altered_priors(table, partition):
    """With two classes, costs are priors in growing: pi_k times the cost of missing k."""
    X, y = table(classes=2)
    p = shares(y)
    altered = p * [1.0, 6.0]
    one = CARTClassifier(costs=[[0, 1], [6, 0]], **GROWN).fit(X, y)
    other = CARTClassifier(priors=altered / altered.sum(), **GROWN).fit(X, y)
    assert partition(one, X) == partition(other, X)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_the_relative_cost_of_pruning_follows_the_costs(table):
    X, y = table()
    costs = np.array([[0, 4, 1], [1, 0, 1], [1, 2, 0.0]])
    fitted = CARTClassifier(costs=costs, **GROWN).fit(X, y)
    path = fitted.pruning_path_
    root = min(costs.T @ np.bincount(y)) / len(y)
    assert path["risk"][0] == pytest.approx(root)
    wrong = costs[y, fitted.predict(X)].mean()
    assert path["risk"].iloc[-1] == pytest.approx(wrong)


def test_classes_by_name(table):
    X, y = table(classes=2)
    names = np.array(["ill", "well"])[y]
    costs = {("ill", "well"): 5}
    one = CARTClassifier(costs=costs, priors={"well": 0.9, "ill": 0.1}, **GROWN).fit(X, names)
    other = CARTClassifier(costs=[[0, 5], [1, 0]], priors=[0.1, 0.9], **GROWN).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), np.array(["ill", "well"])[other.predict(X)])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    weights = CARTClassifier(class_weight={"ill": 3}, **GROWN).fit(X, names)
    np.testing.assert_allclose(
        weights.predict_proba(X), CARTClassifier(class_weight={0: 3}, **GROWN).fit(X, y).predict_proba(X)
    )
