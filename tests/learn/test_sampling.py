"""Draws depend on the seed and the number of the member alone, and keep to what is asked of them."""

import numpy as np
import pytest

from bough.errors import DataError, ParameterError
from bough.learn.sampling import columns, counts, mix
from bough.recipe import Sampling


def test_draws_are_fixed():
    """A change of these numbers changes every ensemble that was ever fitted."""
    assert mix(0, 0) == 0xA706DD2F4D197E6F
    assert mix(7, 3) == 0x9AAF21D8296E1E3D
    assert counts(3, 5, 12).tolist() == [1, 0, 1, 1, 1, 1, 1, 1, 0, 3, 1, 1]
    assert columns(0, 0, 10, 3).tolist() == [1, 2, 9]


def test_a_bootstrap_draws_every_row_with_the_same_chance():
    drawn = np.array([counts(1, number, 50) for number in range(2000)])
    assert (drawn.sum(axis=1) == 50).all()
    assert abs(drawn.mean(axis=0) - 1).max() < 0.12  # five standard errors
    assert abs((drawn == 0).mean() - (1 - 1 / 50) ** 50) < 0.005


def test_without_replacement_a_row_is_drawn_once():
    drawn = np.array([counts(1, n, 40, sampling=Sampling(replacement=False, share=0.25)) for n in range(1000)])
    assert drawn.max() == 1
    assert (drawn.sum(axis=1) == 10).all()
    assert abs(drawn.mean(axis=0) - 0.25).max() < 0.07
    assert counts(1, 0, 40, sampling=Sampling(replacement=False, share=7)).sum() == 7
    assert (counts(1, 0, 40, sampling=Sampling(replacement=False)) == 1).all()
    with pytest.raises(DataError, match="41 rows or groups cannot be drawn from 40"):
        counts(1, 0, 40, sampling=Sampling(replacement=False, share=41))


def test_classes_are_drawn_by_their_shares_or_alike():
    classes = np.repeat([0, 1, 2], [50, 30, 20])

    def drawn(**how):
        return np.bincount(classes, counts(0, 0, 100, sampling=Sampling(**how), classes=classes)).tolist()

    assert drawn(classes="stratified") == [50, 30, 20]
    assert drawn(classes="stratified", share=0.5) == [25, 15, 10]
    assert drawn(classes="stratified", share=10) == [5, 3, 2]
    assert drawn(classes="balanced") == [20, 20, 20]
    assert drawn(classes="balanced", replacement=False, share=0.5) == [10, 10, 10]
    with pytest.raises(ParameterError, match="is for classes, not for numbers"):
        counts(0, 0, 100, sampling=Sampling(classes="balanced"))


def test_groups_are_drawn_as_wholes():
    groups = np.array(list("aabbbcdd"))
    drawn = counts(0, 3, 8, groups=groups)
    assert all(len(set(drawn[groups == group])) == 1 for group in "abcd")
    assert sum(drawn[np.searchsorted(groups, list("abcd"))]) == 4
    with pytest.raises(DataError, match="the group 'b' has rows of several classes"):
        counts(0, 0, 8, sampling=Sampling(classes="balanced"), classes=[0, 0, 1, 0, 1, 1, 1, 1], groups=groups)
    with pytest.raises(DataError, match="one group for each of 8 rows"):
        counts(0, 0, 8, groups=[1, 2])


@pytest.mark.parametrize("replacement", [True, False])
def test_weights_draw(replacement):
    weights = np.array([0.0, 1.0, 4.0, 5.0])
    how = Sampling(replacement=replacement, share=1, weights="draw")
    drawn = np.array([counts(2, number, 4, sampling=how, weights=weights) for number in range(3000)])
    assert abs(drawn.mean(axis=0) - weights / 10).max() < 0.04
    alike = np.array([counts(2, n, 4, sampling=Sampling(share=1), weights=weights) for n in range(3000)])
    assert abs(alike.mean(axis=0) - np.array([0, 1, 1, 1]) / 3).max() < 0.04


def test_columns():
    drawn = np.array([columns(0, number, 10, 3) for number in range(2000)])
    assert (np.diff(drawn, axis=1) > 0).all()
    assert abs(np.bincount(drawn.ravel()) / 2000 - 0.3).max() < 0.05
