"""Three copies of a row are its weight times three, also in nodes of so few rows that nothing varies within classes."""

import numpy as np
import pytest

from bough import TreeClassifier
from bough.recipe import Curved, Discriminant, Gradient, LinearCombination, Machine, MinRows, Perturb, Quest
from bough.testing.contract import _same_tests

SEARCHES = [
    Curved("ellipsoid"),
    Curved("ellipsoid", full=True),
    Curved("ellipsoid", full=True, perturb=False),
    Curved("sphere"),
    Discriminant(),
    Gradient(),
    LinearCombination(),
    Machine("fact"),
    Machine("fact", linear=False),
    Perturb(restarts=3),
    Quest(linear=True),
]


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
@pytest.mark.parametrize("missing", ["majority_branch", "delete"])
def test_copies_are_weights(search, missing):
    # Of numbers without ties, grown out: what differed were the scatters of equal rows, which are nothing but rounding.
    for seed in range(4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(60, 3))
        y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + 0.4 * random.normal(size=60), [-0.4, 0.6])
        if missing == "delete":
            X[random.random(X.shape) < 0.1] = np.nan
        given = {"search": search, "pruning": None, "stopping": MinRows(6), "missing": missing, "random_state": 0}
        weighted = TreeClassifier(**given).fit(X, y, sample_weight=np.full(60, 3.0))
        copies = TreeClassifier(**given).fit(np.tile(X, (3, 1)), np.tile(y, 3))
        assert _same_tests(weighted, copies)


def test_who_cannot_promise_it_says_so():
    assert Machine("fact").repeatable
    assert Gradient("logistic").repeatable
    assert not Machine("thermal").repeatable
    assert not Gradient("pocket").repeatable
