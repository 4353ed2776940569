"""Four classes on a line: Gini cuts off the largest class, twoing parts the four into two superclasses."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets

STUMP = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_depth": 1}
THRESHOLDS = [1.5, 2.5, 3.5]


def drops(criterion):
    """The drop of each of the three thresholds, each offered alone as a column of two values."""
    X, y = datasets.load_four_classes().xy()
    offered = {f"at {cut}": (X["x"] > cut).astype(float).to_numpy() for cut in THRESHOLDS}
    root = CARTClassifier(criterion=criterion, **STUMP).fit(offered, y).tree_.root
    found = {split.column: split.gain for split in [root.split, *root.competitors]}
    return [found[name] for name in offered]


def test_drops_of_gini():
    assert drops("gini") == pytest.approx([0.2688, 0.2503, 0.2435], abs=5e-5)


def test_drops_of_twoing():
    assert drops("twoing") == pytest.approx([0.2016, 0.2496, 0.1824], abs=5e-5)


@pytest.mark.parametrize(("criterion", "threshold"), [("gini", 1.5), ("twoing", 2.5)])
def test_the_split_taken(criterion, threshold):
    fitted = CARTClassifier(criterion=criterion, **STUMP).fit(*datasets.load_four_classes().xy())
    assert fitted.tree_.root.split.threshold == threshold


def test_twoing_is_half_the_gini_drop_of_the_best_superclass():
    X, y = datasets.load_four_classes().xy()
    best = max(
        CARTClassifier(**STUMP).fit(X > 2.5, y.isin(group)).tree_.root.split.gain
        for group in (["a"], ["b"], ["c"], ["d"], ["a", "b"], ["a", "c"], ["a", "d"])
    )
    assert drops("twoing")[1] == pytest.approx(best / 2)


def test_the_same_for_levels():
    X, y = datasets.load_four_classes().xy()
    names = np.array(["north", "east", "south", "west"])
    fitted = CARTClassifier(criterion="twoing", **STUMP).fit({"side": names[X["x"].astype(int) - 1]}, y)
    split = fitted.tree_.root.split
    assert sorted(map(sorted, split.levels)) == [["east", "north"], ["south", "west"]]
    assert split.gain == pytest.approx(0.2496, abs=5e-5)
    assert split.found == "exact"


def test_the_superclasses_are_readable():
    X, y = datasets.load_four_classes().xy()
    twoing = CARTClassifier(criterion="twoing", **STUMP).fit(X, y).tree_.root
    assert twoing.superclasses == (("a", "b"), ("c", "d"))
    gini = CARTClassifier(criterion="gini", **STUMP).fit(X, y).tree_.root
    assert gini.superclasses == (("a",), ("b", "c", "d"))
