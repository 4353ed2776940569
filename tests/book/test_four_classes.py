"""Four classes on a line: Gini cuts off the largest class, twoing parts the four into two superclasses."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets
from bough.testing import read_tree

STUMP = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_depth": 1}
THRESHOLDS = [1.5, 2.5, 3.5]


def drops(criterion):
    """The drop of each of the three thresholds, each offered alone as a column of two values."""
    X, y = datasets.load_four_classes().xy()
    offered = {f"at {cut}": (X["x"] > cut).astype(float).to_numpy() for cut in THRESHOLDS}
    fitted = CARTClassifier(criterion=criterion, **STUMP).fit(offered, y)
    root = read_tree(fitted.tree_.kernel)
    found = {split.column: gain for split, gain in [(root.split, root.gain), *root.competitors]}
    return [found[column] for column in range(3)]


def test_drops_of_gini():
    assert drops("gini") == pytest.approx([0.2688, 0.2503, 0.2435], abs=5e-5)


def test_drops_of_twoing():
    assert drops("twoing") == pytest.approx([0.2016, 0.2496, 0.1824], abs=5e-5)


@pytest.mark.parametrize(("criterion", "threshold"), [("gini", 1.5), ("twoing", 2.5)])
def test_the_split_taken(criterion, threshold):
    fitted = CARTClassifier(criterion=criterion, **STUMP).fit(*datasets.load_four_classes().xy())
    assert read_tree(fitted.tree_.kernel).split.value == threshold


def test_twoing_is_half_the_gini_drop_of_the_best_superclass():
    X, y = datasets.load_four_classes().xy()
    best = max(
        read_tree(CARTClassifier(**STUMP).fit(X > 2.5, y.isin(group)).tree_.kernel).gain
        for group in (["a"], ["b"], ["c"], ["d"], ["a", "b"], ["a", "c"], ["a", "d"])
    )
    assert drops("twoing")[1] == pytest.approx(best / 2)


def test_the_same_for_levels():
    X, y = datasets.load_four_classes().xy()
    names = np.array(["north", "east", "south", "west"])
    fitted = CARTClassifier(criterion="twoing", **STUMP).fit({"side": names[X["x"].astype(int) - 1]}, y)
    root = read_tree(fitted.tree_.kernel)
    levels = fitted.schema_.columns[0].levels
    sides = {levels[code]: branch for code, branch in root.split.branches.items()}
    assert sides["north"] == sides["east"] != sides["south"] == sides["west"]
    assert root.gain == pytest.approx(0.2496, abs=5e-5)


def test_the_superclasses_can_be_read():
    fitted = CARTClassifier(criterion="twoing", **STUMP).fit(*datasets.load_four_classes().xy())
    assert fitted.tree_.root.superclasses == (("a", "b"), ("c", "d"))
    assert fitted.tree_.root.children[0].superclasses is None
