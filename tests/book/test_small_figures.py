"""Impurities of small counts, and what costs do to decisions and splits: the figures of lectures and texts."""

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier
from bough.recipe import Gini

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


def root_of(x, y, **parameters):
    X = np.asarray(x, dtype=float).reshape(-1, 1)
    return CARTClassifier(**{**GROWN, **parameters}).fit(X, y).tree_.root


@pytest.mark.parametrize(
    ("criterion", "impurity"), [("entropy", 0.469), ("gini", 0.18), ("misclassification", 0.1), ("twoing", 0.18)]
)
def test_ten_against_ninety(criterion, impurity):
    y = np.repeat([0, 1], [10, 90])
    assert root_of(y, y, criterion=criterion).impurity == pytest.approx(impurity, abs=5e-4)


def test_gini_halved_is_the_variance():
    y = np.repeat([0, 1], [10, 90])
    assert root_of(y, y).impurity / 2 == pytest.approx(0.09)
    assert root_of(y, y).impurity / 2 == pytest.approx(y.var())


def test_gini_can_be_halved():
    y = np.repeat([0, 1], [10, 90])
    clf = TreeClassifier(criterion=Gini(halved=True), pruning=None).fit(y.reshape(-1, 1), y)
    assert clf.tree_.root.impurity == pytest.approx(0.09)


def test_fifty_against_fifty():
    y = np.repeat([0, 1], [50, 50])
    assert root_of(y, y, criterion="entropy").impurity == 1.0


@pytest.fixture
def seventy_and_thirty():
    """A node 90/10 with a column that splits it into 70/0 and 20/10."""
    return np.repeat([0, 1], [70, 30]), np.repeat([0, 1], [90, 10])


def test_gini_sees_what_errors_do_not(seventy_and_thirty):
    x, y = seventy_and_thirty
    found = root_of(x, y)
    assert found.impurity == pytest.approx(0.18)
    assert found.impurity - found.split.gain == pytest.approx(0.1333, abs=5e-5)


def test_errors_stay_the_same(seventy_and_thirty):
    x, y = seventy_and_thirty
    found = root_of(x, y, criterion="misclassification")
    assert found.impurity == pytest.approx(0.1)
    assert found.split is None, "nothing is gained"
    forced = root_of(x, y, criterion="misclassification", zero_gain=True, max_depth=1)
    assert forced.impurity - forced.split.gain == pytest.approx(0.1)


def test_the_label_is_the_cheapest_decision():
    # The texts' L[decided][true] is the transpose of costs[true][decided].
    text = np.array([[0.0, 12.0], [1.0, 0.0]])
    x, y = np.zeros(100), np.repeat([0, 1], [90, 10])
    shares = np.array([0.9, 0.1])
    expected = text @ shares
    assert expected.tolist() == pytest.approx([1.2, 0.9])
    fitted = CARTClassifier(costs=text.T, **GROWN).fit(x.reshape(-1, 1), y)
    assert fitted.predict([[0.0]]).tolist() == [expected.argmin()] == [1]
    np.testing.assert_allclose(fitted.predict_proba([[0.0]]), [shares])
    same = CARTClassifier(costs={(0, 1): 1, (1, 0): 12}, **GROWN).fit(x.reshape(-1, 1), y)
    assert same.predict([[0.0]]).tolist() == [1]


def test_weighted_gini_is_the_double_sum_of_costs():
    costs = np.array([[0.0, 2.0, 7.0], [3.0, 0.0, 1.0], [5.0, 4.0, 0.0]])
    y = np.repeat([0, 1, 2], [5, 3, 2])
    p = np.array([0.5, 0.3, 0.2])
    found = root_of(y, y, costs=costs, cost_use="weighted_gini")
    assert found.impurity == pytest.approx(p @ costs @ p)


def test_weighted_gini_of_two_classes_is_gini_times_a_constant():
    y = np.repeat([0, 1], [30, 70])
    found = root_of(y, y, costs=[[0, 7], [2, 0]], cost_use="weighted_gini")
    assert found.impurity == pytest.approx(4.5 * root_of(y, y).impurity)
