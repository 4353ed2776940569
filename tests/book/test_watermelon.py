"""The watermelons (Zhou, chapter 4), as far as binary trees show them: Gini, entropy, thresholds."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets
from bough.testing import read_tree

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_competitors": 8}


def best_of_each(X, y, **parameters):
    """Root, and the best split of each column with its gain."""
    fitted = CARTClassifier(**GROWN, **parameters).fit(X, y)
    root = read_tree(fitted.tree_.kernel)
    names = fitted.feature_names_in_
    return root, {names[split.column]: (split, gain) for split, gain in [(root.split, root.gain), *root.competitors]}


def test_entropy_at_the_root():
    root, _ = best_of_each(*datasets.load_watermelon().xy(), criterion="entropy")
    assert root.impurity == pytest.approx(0.9975, abs=5e-5)


def test_gini_at_the_root():
    root, found = best_of_each(*datasets.load_watermelon().xy())
    assert root.impurity == pytest.approx(0.4983, abs=5e-5)
    # Surface has two levels, so that its binary split is the split of the text.
    assert root.impurity - found["surface"][1] == pytest.approx(0.4941, abs=5e-5)


def test_information_gain_of_the_column_of_two_levels():
    _, found = best_of_each(*datasets.load_watermelon().xy(), criterion="entropy")
    assert found["surface"][1] == pytest.approx(0.006, abs=5e-4)


def test_thresholds_of_density_and_sugar():
    _, found = best_of_each(*datasets.load_watermelon("3.0").xy(), criterion="entropy")
    density, gain = found["density"]
    assert density.value == pytest.approx(0.3815)
    assert gain == pytest.approx(0.262, abs=5e-4)
    sugar, gain = found["sugar"]
    assert sugar.value == pytest.approx(0.126)
    assert gain == pytest.approx(0.349, abs=5e-4)


def test_the_root_is_texture_until_numbers_are_offered():
    # Of the three branches of the text a binary split keeps one apart: sugar, a threshold anyway, then gains more.
    for version, root in [("2.0", "texture"), ("3.0", "sugar")]:
        X, y = datasets.load_watermelon(version).xy()
        fitted = CARTClassifier(criterion="entropy", **GROWN).fit(X, y)
        assert fitted.feature_names_in_[fitted.tree_.kernel.split_column[0]] == root


def test_inside_clear_texture_density_parts_at_0_3815():
    X, y = datasets.load_watermelon("3.0").xy()
    clear = X["texture"] == "clear"
    root, found = best_of_each(X[clear], y[clear], criterion="entropy")
    split, gain = found["density"]
    assert split.value == pytest.approx(0.3815)
    assert gain == pytest.approx(0.7642, abs=5e-5) == root.gain


def test_a_numeric_column_is_used_again_on_the_same_path():
    x = np.arange(12.0)
    y = np.isin(x, [4, 5, 6, 7])
    kernel = CARTClassifier(**GROWN).fit(x.reshape(-1, 1), y).tree_.kernel
    inner = np.flatnonzero(np.diff(kernel.child_begin))
    assert len(inner) == 2
    assert kernel.parent[inner[1]] == inner[0]
    assert set(kernel.split_column[kernel.split_role == 0]) == {0}


def test_the_id_column_is_taken_if_offered_and_does_not_generalise():
    table = datasets.load_watermelon(with_id=True)
    fitted = CARTClassifier(criterion="entropy", **GROWN).fit(*table.xy())
    kernel = fitted.tree_.kernel
    assert fitted.feature_names_in_[kernel.split_column[0]] == "id"
    assert kernel.split_score[0] == pytest.approx(0.9975, abs=5e-5)
