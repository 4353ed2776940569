"""Small promises of the answers to missing values."""

import numpy as np
import pytest

import bough
from bough.errors import ParameterError


def test_fractional_rows_need_not_discount_what_is_unknown():
    X = {"half": [0.0, 0.0, 1.0, 1.0] + [np.nan] * 4, "most": [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0]}
    y = [0, 0, 1, 1, 0, 0, 1, 1]
    columns = {}
    for discount in (True, False):
        missing = bough.recipe.Fractional(discount=discount)
        for criterion in ("gini", "gain_ratio"):
            tree = bough.TreeClassifier(criterion=criterion, missing=missing, stopping="max_depth", pruning=None)
            root = tree.fit(X, y).tree_.root
            columns[discount, criterion] = (root.split.column, round(root.split.gain, 4))
    assert columns[True, "gini"] == ("half", 0.25)
    assert columns[False, "gini"] == ("half", 0.5)
    assert columns[False, "gain_ratio"] == ("half", 1.0)
    with pytest.raises(ParameterError, match=r"Fractional\.discount must be True or False"):
        bough.TreeClassifier(missing=bough.recipe.Fractional(discount="no")).fit(X, y)


def test_most_likely_is_the_lower_of_two_numbers_in_the_middle_and_says_so():
    X, y = {"x": [1.0, 2.0, 4.0, 8.0, np.nan]}, [0, 0, 1, 1, 1]
    missing = bough.recipe.MostLikely()
    tree = bough.TreeClassifier(missing=missing, stopping="max_depth", pruning=None).fit(X, y)
    assert tree.tree_.root.missing_branch == 0, "2, not 4 and not 3"
    assert "the lower one is taken" in bough.recipe.MostLikely.__doc__.replace("\n    ", " ")
