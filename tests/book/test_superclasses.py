"""Twoing over superclasses by any impurity of two classes: Duda, Hart and Stork (0:162, problem 4).

For each division of the classes into two the best test as in a problem of two classes, then the best division.
"""

from itertools import combinations, pairwise

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier, datasets
from bough.errors import ParameterError
from bough.recipe import MaxDepth, Twoing
from bough.testing import check_criterion, entropy, gini, misclassification, superclass_twoing, twoing

IMPURITIES = {"gini": gini, "entropy": entropy, "misclassification": misclassification}
STUMP = {"stopping": MaxDepth(1), "pruning": None}


def counts(y, mask):
    return [int(np.sum(y[mask] == k)) for k in range(max(y) + 1)]


def by_the_text(x, y, impurity):
    """The best drop and its threshold: a search for each supercategory, then the best supercategory."""
    of, classes = IMPURITIES[impurity], range(max(y) + 1)
    values = np.unique(x)
    best = (0.0, None)
    for size in range(1, len(classes)):
        for group in combinations(classes, size):
            inside = np.isin(y, group)
            for low, high in pairwise(values):
                left = x <= low
                drop = of([inside.sum(), (~inside).sum()])
                for side in (left, ~left):
                    drop -= side.mean() * of([(inside & side).sum(), (~inside & side).sum()])
                if drop > best[0] + 1e-9:
                    best = (float(drop), float((low + high) / 2))
    return best


def random_line(rng):
    """A column of few values and three to five classes."""
    rows = int(rng.integers(12, 40))
    x = rng.integers(0, 6, rows).astype(float)
    return x, np.unique(rng.integers(0, rng.integers(3, 6), rows), return_inverse=True)[1].ravel()


@pytest.mark.parametrize("impurity", IMPURITIES)
def test_the_split_of_the_best_supercategory(impurity, budget):
    rng = np.random.default_rng(162)
    for _ in range(max(5, round(25 * budget))):
        x, y = random_line(rng)
        split = TreeClassifier(criterion=Twoing(impurity=impurity), **STUMP).fit({"x": x}, y).tree_.root.split
        drop, threshold = by_the_text(x, y, impurity)
        if threshold is None:
            assert split is None
            continue
        left = x <= split.threshold
        gain = superclass_twoing(counts(y, left), counts(y, ~left), impurity)
        assert gain == pytest.approx(drop, abs=1e-9)
        assert split.gain == pytest.approx(drop / 2 if impurity == "gini" else drop, abs=1e-9)


def test_entropy_takes_another_threshold_in_a_quarter_of_random_tables():
    rng = np.random.default_rng(4)
    differ = 0
    for _ in range(100):
        x, y = rng.permutation(40).astype(float), rng.integers(0, 4, 40)
        cuts = [
            TreeClassifier(criterion=Twoing(impurity=one), **STUMP).fit({"x": x}, y).tree_.root.split.threshold
            for one in ("gini", "entropy")
        ]
        differ += cuts[0] != cuts[1]
    assert 0.15 < differ / 100 < 0.4


@pytest.mark.parametrize("levels", [5, 14])
@pytest.mark.parametrize("impurity", IMPURITIES)
def test_the_best_set_of_levels(impurity, levels):
    """Of few levels every set is looked at, of many the cuts in the orders of all superclasses: the same best."""
    rng = np.random.default_rng(levels)
    x = rng.integers(0, levels, 200)
    y = np.where(rng.random(200) < 0.4, x % 3, rng.integers(0, 3, 200))
    table = np.zeros((levels, 3))
    np.add.at(table, (x, y), 1)
    masks = (np.arange(1, 2 ** (levels - 1))[:, None] >> np.arange(levels)) & 1
    left, whole = masks @ table, table.sum(axis=0)
    best = 0.0
    for k in range(3):  # three classes: a superclass is one class against the others
        drop = _impurities(whole[k], 200, impurity)
        for side in (left, whole - left):
            drop = drop - side.sum(axis=1) / 200 * _impurities(side[:, k], side.sum(axis=1), impurity)
        best = max(best, drop.max())
    clf = TreeClassifier(criterion=Twoing(impurity=impurity), **STUMP).fit({"x": [f"level {k:02}" for k in x]}, y)
    split = clf.tree_.root.split
    assert split.gain == pytest.approx(best / 2 if impurity == "gini" else best)
    assert split.found == "exact"


def _impurities(part, whole, impurity):
    p = part / whole
    if impurity == "gini":
        return 2 * p * (1 - p)
    if impurity == "misclassification":
        return np.minimum(p, 1 - p)
    q = np.clip([p, 1 - p], 1e-300, 1.0)
    return -(q * np.log2(q)).sum(axis=0)


def test_two_classes_are_their_own_superclasses():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    for impurity in ("entropy", "misclassification"):
        one, other = (
            TreeClassifier(criterion=criterion, stopping=MaxDepth(3), pruning=None).fit(X, y).tree_
            for criterion in (Twoing(impurity=impurity), impurity)
        )
        assert [node.split and node.split.threshold for node in one] == [
            node.split and node.split.threshold for node in other
        ]


def test_the_four_classes_on_a_line_are_halved_by_every_impurity():
    X, y = datasets.load_four_classes().xy()
    for impurity in IMPURITIES:
        root = TreeClassifier(criterion=Twoing(impurity=impurity), **STUMP).fit(X, y).tree_.root
        assert root.split.threshold == 2.5
        assert root.superclasses == (("a", "b"), ("c", "d"))


def test_gini_is_cart_s_twoing_as_it_was():
    X, y = datasets.load_four_classes().xy()
    tree = CARTClassifier(criterion=Twoing(impurity="gini"), min_samples_split=2, pruning=None).fit(X, y).tree_
    assert tree == CARTClassifier(criterion="twoing", min_samples_split=2, pruning=None).fit(X, y).tree_
    assert twoing([28, 24, 0, 0], [0, 0, 24, 24]) == pytest.approx(
        superclass_twoing([28, 24, 0, 0], [0, 0, 24, 24], "gini") / 2
    )


@pytest.mark.parametrize("impurity", ["entropy", "misclassification"])
def test_the_laws_of_criteria_hold(impurity, budget):
    check_criterion(TreeClassifier(criterion=Twoing(impurity=impurity)), cases=max(2, round(4 * budget)))


def test_many_classes():
    """Entropy takes any number of classes; errors would need all 2^11 divisions of twelve for every test."""
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=240), np.arange(240) % 12
    assert TreeClassifier(criterion=Twoing(impurity="entropy")).fit({"x": x}, y).get_n_leaves() > 1
    with pytest.raises(ParameterError, match=r"impurity='misclassification'.* 12 .*at most 11.*'entropy'"):
        TreeClassifier(criterion=Twoing(impurity="misclassification")).fit({"x": x}, y)


def test_impurities_are_named():
    with pytest.raises(ParameterError, match="impurity must be"):
        TreeClassifier(criterion=Twoing(impurity="variance")).fit([[0], [1]], [0, 1])
