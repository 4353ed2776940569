"""When a straight line, or a curve, is better than a staircase: 1,000 uniform points, trees grown to the end."""

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier
from bough.recipe import Curved, LinearCombination, Perturb

SHAPES = {
    "diagonal": lambda x: x[:, 0] + x[:, 1] > 0,
    "wedge": lambda x: (x[:, 1] > 0.7 * x[:, 0] - 0.2) & (x[:, 1] > -1.2 * x[:, 0] - 0.2),
    "circle": lambda x: x[:, 0] ** 2 + x[:, 1] ** 2 < 0.6,
    "parabola": lambda x: x[:, 1] > 1.5 * x[:, 0] ** 2 - 0.6,
}
RIGHT = [  # the shape, the search that suits it, the most leaves
    ("diagonal", Perturb(), 2),
    ("diagonal", LinearCombination(), 2),
    ("wedge", Perturb(), 8),
    ("circle", Curved("sphere"), 2),
    ("parabola", Curved("quadratic", perturb=True), 3),
]


def points(rows, seed):
    return np.random.default_rng(seed).uniform(-1, 1, (rows, 2))


@pytest.mark.parametrize(("shape", "search", "leaves"), RIGHT, ids=repr)
def test_the_right_kind_of_test_needs_few_leaves(shape, search, leaves):
    X, fresh = points(1000, 0), points(5000, 1)
    clf = TreeClassifier(search=search, pruning=None, stopping=None, random_state=0).fit(X, SHAPES[shape](X))
    assert clf.get_n_leaves() <= leaves
    assert clf.score(fresh, SHAPES[shape](fresh)) >= 0.99


@pytest.mark.parametrize("shape", SHAPES)
def test_tests_of_one_column_need_a_staircase(shape):
    X = points(1000, 0)
    clf = CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, SHAPES[shape](X))
    assert clf.get_n_leaves() >= (29 if shape == "wedge" else 30)
