"""Parameters that give one number a class: by label or in order."""

import numpy as np

from bough import CARTClassifier


def test_priors_by_label_are_those_in_order():
    X = {"a": np.arange(60) % 17, "b": np.arange(60) % 7}
    y = np.array(["x", "y", "z"] * 20)
    by_label = CARTClassifier(priors={"z": 0.5, "x": 0.2, "y": 0.3}, min_samples_leaf=1).fit(X, y)
    in_order = CARTClassifier(priors=[0.2, 0.3, 0.5], min_samples_leaf=1).fit(X, y)
    assert by_label.tree_ == in_order.tree_
