"""E. Alpaydin, decision trees (chapter 9): impurities of many classes, the risk of a decision (worked example 8).

Of example 9, the tree that its rules are read from; the rules themselves are not trees.
"""

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier, TreeRegressor
from bough.recipe import Bayes

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


@pytest.mark.parametrize(("criterion", "impurity"), [("entropy", 1.485), ("gini", 0.62), ("misclassification", 0.5)])
def test_impurities_of_three_classes(criterion, impurity):
    y = np.repeat([0, 1, 2], [5, 3, 2])
    root = CARTClassifier(criterion=criterion, **GROWN).fit(y.reshape(-1, 1), y).tree_.root
    assert root.impurity == pytest.approx(impurity, abs=5e-4)


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


def test_the_risk_of_a_node_is_the_least_over_the_decisions():
    text = np.array([[0.0, 2.0, 7.0], [3.0, 0.0, 1.0], [5.0, 4.0, 0.0]])
    y = np.repeat([0, 1, 2], [5, 3, 2])
    expected = text @ [0.5, 0.3, 0.2]
    clf = TreeClassifier(criterion="expected_cost", leaf=Bayes(costs=text.T), stopping=None, pruning=None)
    root = clf.fit(y.reshape(-1, 1), y).tree_.root
    assert root.impurity == pytest.approx(expected.min())
    assert root.answer == expected.argmin()


def test_the_tree_behind_the_rules():
    rows = [(age, years, job) for age in (30.0, 47.0) for years in (1.0, 4.0) for job in "ABC"]
    X = {name: [row[k] for row in rows] for k, name in enumerate(["age", "years", "job"])}
    by_job, by_years = {"A": 0.4, "B": 0.3, "C": 0.2}, {1.0: 0.6, 4.0: 0.8}
    y = [by_job[job] if age < 40 else by_years[years] for age, years, job in rows]
    reg = TreeRegressor(branching="per_level", stopping=None, pruning=None, missing="stop").fit(X, y)
    tree = reg.tree_
    assert tree.root.split.threshold == 38.5
    leaves = [node for node in tree if node.is_leaf]
    assert [(leaf.parent.condition, leaf.condition, round(leaf.answer, 9)) for leaf in leaves] == [
        ("age <= 38.5", "job = A", 0.4),
        ("age <= 38.5", "job = B", 0.3),
        ("age <= 38.5", "job = C", 0.2),
        ("age > 38.5", "years <= 2.5", 0.6),
        ("age > 38.5", "years > 2.5", 0.8),
    ]
    support = [leaf.weight / tree.root.weight for leaf in leaves]
    assert support == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 4, 1 / 4])
