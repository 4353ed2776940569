"""The direction of the linear discriminant is that of least squares (LMS)."""

import numpy as np
import pytest

from bough import TreeClassifier
from bough.recipe import Discriminant, MaxDepth

STUMP = {"stopping": MaxDepth(1), "pruning": None}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("targets", [(1.0, -1.0), (0.0, 1.0), (300.0, 7.0)])
def test_least_squares_to_any_two_targets_has_the_direction_of_the_discriminant(seed, targets):
    random = np.random.default_rng(seed)
    rows, columns = int(random.integers(60, 200)), int(random.integers(2, 6))
    X = random.normal(size=(rows, columns)) @ random.normal(size=(columns, columns))
    y = (X / X.std(axis=0) @ random.choice([-1.0, 1.0], columns) + 0.3 * random.normal(size=rows) > 0).astype(int)
    weight = random.integers(1, 4, rows).astype(float)
    clf = TreeClassifier(search=Discriminant(shrinkage=0.0), **STUMP).fit(X, y, sample_weight=weight)
    split = clf.tree_.root.split
    root = np.sqrt(weight)
    design = np.column_stack([X, np.ones(rows)])
    lms = np.linalg.lstsq(design * root[:, None], np.where(y == 0, *targets) * root, rcond=None)[0][:-1]
    found = np.array([term.weight for term in split.test.feature.terms])
    cosine = lms @ found / np.linalg.norm(lms) / np.linalg.norm(found)
    assert abs(cosine) == pytest.approx(1.0, abs=1e-8)
    np.testing.assert_allclose(lms / np.linalg.norm(lms) * np.sign(cosine), found / np.linalg.norm(found), atol=1e-8)
