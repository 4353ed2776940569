"""What the laws share: random tables as frames, and what it means that two trees are the same."""

import numpy as np
import pytest

from bough import CARTClassifier, CARTRegressor
from bough.testing import random_table, to_frame

CLASS_CRITERIA = ["gini", "entropy", "misclassification", "twoing"]
VALUE_CRITERIA = ["squared_error", "absolute_error", "worst_error"]
STRUCTURE = ["parent", "split_begin", "split_role", "split_kind", "split_column", "split_low", "set_begin", "set_code"]
STRUCTURE += ["set_branch", "majority", "label", "count_begin", "count_class"]
NUMBERS = ["weight", "impurity", "risk", "complexity", "count_weight", "value", "split_score", "split_adjusted"]


@pytest.fixture(params=CLASS_CRITERIA + VALUE_CRITERIA)
def criterion(request):
    return request.param


@pytest.fixture
def grown():
    """A function of criterion and changed parameters: an estimator that grows out."""

    def make(criterion, **parameters):
        kind = CARTRegressor if criterion.endswith("error") else CARTClassifier
        return kind(
            **{"criterion": criterion, "pruning": None, "min_samples_split": 4, "min_samples_leaf": 2} | parameters
        )

    return make


@pytest.fixture
def mixed():
    """A function of a seed: a frame of numbers, ordered and nominal columns with missing values and ties, a target."""

    def make(seed, criterion, n=60, classes=3, **parameters):
        classes = 0 if criterion.endswith("error") else classes
        problem = random_table(np.random.default_rng(seed), n, classes=classes, max_levels=5, **parameters)
        return to_frame(problem), np.array(problem.y)

    return make


@pytest.fixture
def assert_same_tree():
    """A function of two fitted estimators: they hold the same tree, numbers up to rounding; rows are not compared."""

    def compare(one, other, *, weight=1.0, target=1.0):
        a, b = one.tree_.kernel, other.tree_.kernel
        assert len(a) == len(b)
        for name in STRUCTURE:
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
        np.testing.assert_allclose(thresholds(a), thresholds(b), rtol=1e-9, err_msg="thresholds")
        for name in NUMBERS:
            scale = weight if name in ("weight", "risk", "complexity", "count_weight") else 1.0
            scale *= target if name in ("impurity", "risk", "complexity", "value", "split_score") else 1.0
            left, right = getattr(a, name) * scale, getattr(b, name)
            most = np.abs(right).max(initial=0.0)
            np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9 * most, err_msg=name)

    return compare


def thresholds(kernel):
    """The thresholds of a tree as floats, whatever they are written in."""
    payload = kernel.split_payload[kernel.split_kind == 0]
    types = kernel.split_value_type[kernel.split_kind == 0]
    return np.where(types == 0, payload.view(np.float64), payload.view(np.int64).astype(np.float64))


@pytest.fixture
def partition():
    """A function of an estimator and a table: the sets of rows that end in the same node."""

    def parts(fitted, X):
        ends = fitted.apply(X)
        return {frozenset(np.flatnonzero(ends == node).tolist()) for node in np.unique(ends)}

    return parts


@pytest.fixture
def is_tied():
    """A function of an estimator: whether a runner-up somewhere scores as well as the split that was taken."""

    def ask(fitted, tolerance=1e-9):
        kernel = fitted.tree_.kernel
        for node in range(len(kernel)):
            scores = kernel.split_score[kernel.split_begin[node] : kernel.split_begin[node + 1]]
            roles = kernel.split_role[kernel.split_begin[node] : kernel.split_begin[node + 1]]
            ranked = scores[roles < 2]
            if len(ranked) > 1 and ranked[1] >= ranked[0] * (1 - tolerance):
                return True
        return False

    return ask


@pytest.fixture
def assert_same_answers():
    """A function of two estimators and their tables: the same classes, or the same numbers up to the last bits."""

    def compare(one, X, other, Z):
        left, right = one.predict(X), other.predict(Z)
        if left.dtype.kind == "f":
            np.testing.assert_allclose(left, right, rtol=1e-12)
        else:
            np.testing.assert_array_equal(left, right)

    return compare
