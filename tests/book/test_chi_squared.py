"""Is a split better than chance? (Duda, Hart and Stork, section 8.3.3): the text's sum and Pearson's."""

import numpy as np
import pytest
from scipy import stats

from bough import TreeClassifier
from bough.recipe import Significance

# A node 90/10 of which one branch gets 20/10, the other 70/0.
BRANCHES = {"20/10 first": np.array([[20, 10], [70, 0]]), "70/0 first": np.array([[70, 0], [20, 10]])}


def rows_of(branches):
    x = np.repeat([0, 0, 1, 1], branches.ravel()).reshape(-1, 1).astype(float)
    return x, np.repeat([0, 1, 0, 1], branches.ravel())


def splits_at(branches, statistic, *, test):
    """Whether a level just beyond the p-value of the statistic lets the split pass, and one just below does not."""
    p = stats.chi2.sf(statistic, 1)
    found = []
    for level in (p * 0.999, p * 1.001):
        clf = TreeClassifier(stopping=[Significance(level=level, test=test)], pruning=None, missing="majority_branch")
        found.append(clf.fit(*rows_of(branches)).get_n_leaves() > 1)
    return found == [False, True]


@pytest.mark.parametrize(("way", "statistic"), [("20/10 first", 18.148), ("70/0 first", 7.778)])
def test_the_sum_of_the_text_looks_at_the_first_branch(way, statistic):
    left = BRANCHES[way][0]
    expected = left.sum() / 100 * np.array([90, 10])
    exact = ((left - expected) ** 2 / expected).sum()
    assert exact == pytest.approx(statistic, abs=5e-4)
    assert splits_at(BRANCHES[way], exact, test="one_sided")


@pytest.mark.parametrize("way", BRANCHES)
def test_pearsons_sum_looks_at_both(way):
    exact = stats.chi2_contingency(BRANCHES[way], correction=False).statistic
    assert exact == pytest.approx(25.926, abs=5e-4)
    assert splits_at(BRANCHES[way], exact, test="pearson")


def test_critical_values():
    assert stats.chi2.isf([0.05, 0.01], 1).tolist() == pytest.approx([3.841, 6.635], abs=5e-4)
