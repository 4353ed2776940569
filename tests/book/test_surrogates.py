"""Ten points that show surrogate splits (Duda, Hart and Stork, section 8.3): agreement, direction, use."""

import numpy as np
import pytest

from bough import CARTClassifier, datasets

STUMP = {"criterion": "entropy", "pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_depth": 1}
TEXT = {**STUMP, "surrogate_direction": "keep", "surrogate_filter": False}


@pytest.fixture
def table():
    return datasets.load_ten_points().xy()


def root_of(table, **parameters):
    return CARTClassifier(**parameters).fit(*table).tree_.root


def test_primary_split(table):
    root = root_of(table, **STUMP)
    assert root.split.describe(0) == "x1 <= 5.5"
    assert root.split.gain == pytest.approx(0.610, abs=5e-4)


def test_surrogates_of_the_text_keep_the_direction(table):
    found = root_of(table, **TEXT).surrogates
    assert [surrogate.describe(0) for surrogate in found] == ["x3 <= 3.5", "x2 <= 3.5"]
    assert [surrogate.agreement for surrogate in found] == pytest.approx([8 / 10, 6 / 10])


def test_the_second_surrogate_is_no_better_than_the_majority(table):
    kept = root_of(table, **TEXT).surrogates
    assert [surrogate.adjusted for surrogate in kept] == pytest.approx([0.5, 0.0])
    dropped = root_of(table, **{**TEXT, "surrogate_filter": True}).surrogates
    assert [surrogate.describe(0) for surrogate in dropped] == ["x3 <= 3.5"]


@pytest.mark.parametrize("surrogate_filter", [True, False])
def test_in_any_direction_x2_reaches_seven(table, surrogate_filter):
    found = root_of(table, **STUMP, surrogate_direction="any", surrogate_filter=surrogate_filter).surrogates
    assert [surrogate.column for surrogate in found] == ["x3", "x2"]
    assert [surrogate.agreement for surrogate in found] == pytest.approx([8 / 10, 7 / 10])
    assert [surrogate.low for surrogate in found] == [0, 1], "high values of x2 go with low values of x1"


def test_weighted_threshold(table):
    assert root_of(table, **STUMP, threshold="weighted").split.threshold == pytest.approx(5.6)
    assert root_of(table, **STUMP, threshold="midpoint").split.threshold == 5.5


def test_patterns_with_missing_values(table):
    fitted = CARTClassifier(**TEXT).fit(*table)
    left, right = (child.id for child in fitted.tree_.root.children)
    patterns = np.array([[np.nan, 2, 4], [np.nan, 2, np.nan], [np.nan, np.nan, np.nan]])
    ends = fitted.apply({name: patterns[:, k] for k, name in enumerate(["x1", "x2", "x3"])})
    assert ends.tolist() == [right, left, left], "by x3; by x2; with the majority, six rows against four"


def test_patterns_without_surrogates(table):
    pattern = {"x1": [np.nan], "x2": [2.0], "x3": [4.0]}
    fitted = CARTClassifier(**STUMP, missing="majority").fit(*table)
    assert fitted.apply(pattern).tolist() == [fitted.tree_.root.children[0].id]
    fitted = CARTClassifier(**STUMP, missing="stop").fit(*table)
    assert fitted.apply(pattern).tolist() == [0]
    np.testing.assert_allclose(fitted.predict_proba(pattern), [[0.5, 0.5]])
