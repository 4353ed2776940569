"""The table of tests: weights, and what is refused. Its figures are those of the texts: tests/book."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError


@pytest.fixture
def melons():
    return bough.datasets.load("watermelon").xy()


def test_weights_count_as_rows(melons):
    X, y = melons
    once = bough.candidates(X, y)
    thrice = bough.candidates(X, y, np.full(17, 3.0))
    assert list(thrice["gain"]) == pytest.approx(list(once["gain"]))
    assert list(thrice["chi_squared"]) == pytest.approx([3 * value for value in once["chi_squared"]])


def test_criteria_that_do_not_go_with_so_many_branches_have_no_best(melons):
    table = bough.candidates(*melons)
    best_by = dict(zip(table["column"], table["best_by"], strict=True))
    assert "twoing" not in best_by["color"], "which has three branches"


def test_what_makes_no_sense_is_refused(melons):
    X, y = melons
    with pytest.raises(ParameterError, match="criterion must be one of"):
        bough.candidates(X, y, criterion="beauty")
    with pytest.raises(ParameterError, match="model="):
        bough.candidates(X, y, node=1)
    with pytest.raises(DataError, match="17 rows"):
        bough.candidates(X, y[:5])


def test_a_node_that_is_not_there_is_a_wrong_parameter():
    X, y = bough.datasets.load("play_tennis").xy()
    clf = bough.CARTClassifier(pruning=None, min_samples_split=2).fit(X, y)
    n = clf.tree_.n_nodes
    with pytest.raises(
        ParameterError, match=rf"no node 99: it has {n} nodes, and its ids are 0 to {n - 1}\."
    ) as caught:
        bough.candidates(X, y, model=clf, node=99)
    assert isinstance(caught.value, IndexError)
    with pytest.raises(ParameterError, match=r"no node at \(0, 7\): the node \(0,\) has"):
        bough.candidates(X, y, model=clf, node=(0, 7))
