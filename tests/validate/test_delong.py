"""DeLong's variance against the sums over all pairs, the bootstrap and Mann and Whitney's statistic."""

import numpy as np
import pytest
from scipy import stats

from bough.model.wilson import wilson
from bough.validate.delong import area_difference, area_interval, area_of, mean_area


def scores(n, seed, steps=8):
    """A score of few values, as trees have, and a class that it tells something of."""
    rng = np.random.default_rng(seed)
    chance = rng.integers(1, steps, n) / steps
    return rng.uniform(size=n) < chance, chance, rng


def by_pairs(truth, score):
    """The area and its variance as DeLong, DeLong and Clarke-Pearson have them: a sum over all pairs of rows."""
    psi = np.heaviside(score[truth][:, None] - score[~truth], 0.5)
    return psi.mean(), psi.mean(axis=1).var(ddof=1) / truth.sum() + psi.mean(axis=0).var(ddof=1) / (~truth).sum()


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_sum_over_all_pairs(seed):
    truth, score, _ = scores(60, seed)
    found = area_of(truth, score, np.ones(60))
    area, variance = by_pairs(truth, score)
    assert found.value == pytest.approx(area)
    assert found.error**2 == pytest.approx(variance)
    statistic = stats.mannwhitneyu(score[truth], score[~truth]).statistic
    assert found.value == pytest.approx(statistic / truth.sum() / (~truth).sum())


def test_its_error_is_that_of_the_bootstrap():
    truth, score, rng = scores(300, 3)
    found = area_of(truth, score, np.ones(300))
    sides = np.flatnonzero(truth), np.flatnonzero(~truth)
    drawn = []
    for _ in range(1000):
        rows = np.concatenate([rng.choice(side, len(side)) for side in sides])
        drawn.append(area_of(truth[rows], score[rows], np.ones(300)).value)
    assert found.error == pytest.approx(np.std(drawn), rel=0.08)


def test_whole_weights_count_rows_for_the_area():
    truth, score, rng = scores(50, 5)
    weights = rng.integers(1, 4, 50)
    rows = np.repeat(np.arange(50), weights)
    one, many = area_of(truth, score, weights.astype(float)), area_of(truth[rows], score[rows], np.ones(len(rows)))
    assert one.value == pytest.approx(many.value)
    assert one.error > many.error  # but the same row again tells nothing new
    assert area_of(truth, score, np.full(50, 7.0)).error == pytest.approx(area_of(truth, score, np.ones(50)).error)


def test_the_difference_has_the_covariance_of_the_pairs():
    truth, score, rng = scores(80, 7)
    other = score + rng.normal(0, 0.3, 80)
    first, second = (area_of(truth, one, np.ones(80)) for one in (score, other))
    apart = np.heaviside(score[truth][:, None] - score[~truth], 0.5)
    apart = apart - np.heaviside(other[truth][:, None] - other[~truth], 0.5)
    variance = apart.mean(axis=1).var(ddof=1) / truth.sum() + apart.mean(axis=0).var(ddof=1) / (~truth).sum()
    value, low, high, p_value = area_difference(first, second, 0.95)
    assert value == pytest.approx(apart.mean())
    assert (high - low) / 2 == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-6)
    assert p_value == pytest.approx(2 * stats.norm.sf(abs(value) / np.sqrt(variance)))
    assert area_difference(first, first, 0.95)[3] == 1


def test_the_mean_of_classes_knows_that_they_share_rows():
    """Two classes are one another's complement: their areas are one number, and so is its error."""
    truth, score, _ = scores(80, 9)
    areas = [area_of(truth, score, np.ones(80)), area_of(~truth, -score, np.ones(80))]
    assert mean_area(areas).value == pytest.approx(areas[0].value)
    assert mean_area(areas).error == pytest.approx(areas[0].error)


def test_pairs_that_are_all_ranked_right_leave_room_for_chance():
    truth = np.array([True] * 8 + [False] * 20)
    found = area_of(truth, truth.astype(float), np.ones(28))
    assert found.value == 1
    assert area_interval(found, 0.95) == pytest.approx(tuple(map(float, wilson(1.0, 8))))


@pytest.mark.parametrize("seed", range(20))
def test_weights_do_not_make_an_error_by_their_rounding(seed):
    """All pairs right, all wrong, or all equal are so to the last bit, whatever rows weigh."""
    weights = np.random.default_rng(seed).uniform(0.1, 3, 28)
    truth = np.arange(28) < 8
    for score, value in ((truth.astype(float), 1.0), (-truth.astype(float), 0.0), (np.full(28, 0.3), 0.5)):
        found = area_of(truth, score, weights)
        assert found.value == pytest.approx(value, abs=1e-15)
        assert found.error == 0
        low, high = area_interval(found, 0.95)
        if value == 0.5:
            assert np.isnan([low, high]).all()
        else:
            assert found.value == value
            assert high - low > 0.2


def test_a_score_that_is_the_same_for_all_rows_has_half_the_area_for_sure():
    found = area_of(np.arange(10) < 4, np.full(10, 0.4), np.ones(10))
    assert found.value == 0.5
    assert np.isnan(area_interval(found, 0.95)).all()


def test_a_class_without_rows_has_no_area():
    found = area_of(np.zeros(5, dtype=bool), np.arange(5.0), np.ones(5))
    assert np.isnan([found.value, *area_interval(found, 0.95)]).all()
    one = area_of(np.array([True, False, False, False]), np.array([0.5, 0.6, 0.4, 0.3]), np.ones(4))
    assert area_interval(one, 0.95) == pytest.approx(tuple(map(float, wilson(2 / 3, 1))))
