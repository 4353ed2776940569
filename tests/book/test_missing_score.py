"""Does a split that few rows can take count in full? A perfect column of which half is missing, against a good one."""

import pytest

from bough import CARTClassifier, datasets

STUMP = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_depth": 1}


@pytest.mark.parametrize(
    ("discount_missing", "column", "gains"),
    [(True, "x1", {"x1": 0.32, "x2": 0.25}), (False, "x2", {"x1": 0.32, "x2": 0.5})],
)
def test_the_drop_times_the_known_share_or_not(discount_missing, column, gains):
    X, y = datasets.load_missing_score().xy()
    root = CARTClassifier(discount_missing=discount_missing, **STUMP).fit(X, y).tree_.root
    assert root.split.column == column
    found = {split.column: split.gain for split in [root.split, *root.competitors]}
    assert found == pytest.approx(gains)


def test_by_default_missing_values_count():
    assert CARTClassifier().discount_missing
