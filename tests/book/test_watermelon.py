"""The watermelons (Zhou, chapter 4), as far as binary trees show them: Gini, entropy, thresholds."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_competitors": 8}


def best_of_each(X, y, **parameters):
    """The root, and the best split of each column."""
    root = CARTClassifier(**GROWN, **parameters).fit(X, y).tree_.root
    return root, {split.column: split for split in [root.split, *root.competitors]}


def test_entropy_at_the_root():
    root, _ = best_of_each(*datasets.load_watermelon().xy(), criterion="entropy")
    assert root.impurity == pytest.approx(0.9975, abs=5e-5)


def test_gini_at_the_root():
    root, found = best_of_each(*datasets.load_watermelon().xy())
    assert root.impurity == pytest.approx(0.4983, abs=5e-5)
    # Surface has two levels, so that its binary split is the split of the text.
    assert root.impurity - found["surface"].gain == pytest.approx(0.4941, abs=5e-5)


def test_information_gain_of_the_column_of_two_levels():
    _, found = best_of_each(*datasets.load_watermelon().xy(), criterion="entropy")
    assert found["surface"].gain == pytest.approx(0.006, abs=5e-4)


def test_thresholds_of_density_and_sugar():
    _, found = best_of_each(*datasets.load_watermelon("3.0").xy(), criterion="entropy")
    assert found["density"].threshold == pytest.approx(0.3815)
    assert found["density"].gain == pytest.approx(0.262, abs=5e-4)
    assert found["sugar"].threshold == pytest.approx(0.126)
    assert found["sugar"].gain == pytest.approx(0.349, abs=5e-4)


def test_the_root_is_texture_until_numbers_are_offered():
    # Of the three branches of the text a binary split keeps one apart: sugar, a threshold anyway, then gains more.
    for version, root in [("2.0", "texture"), ("3.0", "sugar")]:
        X, y = datasets.load_watermelon(version).xy()
        assert CARTClassifier(criterion="entropy", **GROWN).fit(X, y).tree_.root.split.column == root


def test_inside_clear_texture_density_parts_at_0_3815():
    X, y = datasets.load_watermelon("3.0").xy()
    clear = X["texture"] == "clear"
    root, found = best_of_each(X[clear], y[clear], criterion="entropy")
    assert found["density"].threshold == pytest.approx(0.3815)
    assert found["density"].gain == pytest.approx(0.7642, abs=5e-5) == root.split.gain


def test_a_numeric_column_is_used_again_on_the_same_path():
    x = np.arange(12.0)
    y = np.isin(x, [4, 5, 6, 7])
    tree = CARTClassifier(**GROWN).fit(x.reshape(-1, 1), y).tree_
    upper, lower = (node for node in tree.nodes if node.split)
    assert lower.parent == upper
    assert lower.split.column == upper.split.column


def test_the_id_column_is_taken_if_offered_and_does_not_generalise():
    X, y = datasets.load_watermelon(with_id=True).xy()
    root = CARTClassifier(criterion="entropy", **GROWN).fit(X, y).tree_.root
    assert root.split.column == "id"
    assert root.split.gain == pytest.approx(0.9975, abs=5e-5)
