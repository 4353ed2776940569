"""Intervals and tests over folds, against scipy and formulas written out."""

import numpy as np
import pytest
from scipy import stats

from bough.errors import ParameterError
from bough.validate import combined_f_test, corrected_interval, corrected_t_test, holm
from bough.validate.resampled import PairedTest


def test_without_correction_it_is_students_interval(budget):
    rng = np.random.default_rng(0)
    for _ in range(max(1, round(20 * budget))):
        values = rng.normal(0.8, 0.1, size=rng.integers(2, 40))
        low, high = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
        assert corrected_interval(values, 0.0, level=0.9) == pytest.approx((values.mean(), low, high))


def test_the_correction_adds_the_share_of_test_rows_to_the_variance():
    values = np.array([0.7, 0.9, 0.8, 0.85])
    found = corrected_interval(values, 1 / 3)
    half = stats.t.ppf(0.975, 3) * np.sqrt((1 / 4 + 1 / 3) * values.var(ddof=1))
    assert found == pytest.approx((values.mean(), values.mean() - half, values.mean() + half))


def test_folds_that_say_nothing_are_left_out_and_the_interval_ends_where_the_measure_does():
    assert corrected_interval([0.9, np.nan, 1.0], 0.1) == pytest.approx(corrected_interval([0.9, 1.0], 0.1))
    assert corrected_interval([0.9, 1.0], 0.1, most=1.0).high == 1.0
    alone = corrected_interval([0.9], 0.1)
    assert alone.value == 0.9
    assert np.isnan([alone.low, alone.high]).all()


def test_without_correction_it_is_the_paired_t_test():
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.8, 0.1, 10), rng.normal(0.75, 0.1, 10)
    expected = stats.ttest_rel(a, b)
    found = corrected_t_test(a - b, 0.0)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    corrected = corrected_t_test(a - b, 1 / 9)
    assert corrected.statistic == pytest.approx(expected.statistic * np.sqrt((1 / 10) / (1 / 10 + 1 / 9)))


def test_the_corrected_t_test_takes_chance_for_a_difference_no_more_often_than_it_says():
    """Two learners that are equally good, on folds that share training rows; the plain test errs far more often."""
    rng = np.random.default_rng(2)
    plain, corrected, runs = 0, 0, 400
    for _ in range(runs):
        rows = rng.normal(size=60)
        apart = []
        for _ in range(10):  # random halves: the difference of a fold is noise of its rows plus that of training
            order = rng.permutation(60)
            apart.append(rows[order[:12]].mean() - rows[order[12:]].mean() * 0.5)
        apart = np.array(apart)
        plain += corrected_t_test(apart, 0.0).p_value < 0.05
        corrected += corrected_t_test(apart, 12 / 48).p_value < 0.05
    assert corrected < plain


def test_folds_that_all_say_the_same_tell_no_variance():
    """Nothing speaks against learners that never differ; a constant difference may be certain or chance."""
    same = corrected_interval([0.9, 0.9, 0.9], 0.1)
    assert same.value == pytest.approx(0.9)
    assert np.isnan([same.low, same.high]).all()
    assert corrected_t_test([0.0, 0.0, 0.0], 0.1) == PairedTest(0.0, 1.0)
    assert combined_f_test(np.zeros((5, 2))) == PairedTest(0.0, 1.0)
    rounded = np.array([0.9, 0.8, 0.7, 0.6]) - np.array([0.8, 0.7, 0.6, 0.5])
    assert np.ptp(rounded) > 0
    for test in (
        *(corrected_t_test(apart, 0.1) for apart in ([0.1, 0.1, 0.1], rounded)),
        combined_f_test(np.full((5, 2), 0.1)),
        combined_f_test(np.repeat([[0.1], [0.2], [0.3], [0.1], [0.2]], 2, axis=1)),
    ):
        assert np.isnan([test.statistic, test.p_value]).all()
    assert np.isnan(corrected_t_test([0.1], 0.1).p_value)
    assert np.isnan(combined_f_test(np.full((5, 2), np.nan)).p_value)


def test_the_combined_f_test_by_its_formula():
    rng = np.random.default_rng(3)
    p = rng.normal(0.02, 0.02, (5, 2))
    total, variance = 0.0, 0.0
    for first, second in p:
        total += first**2 + second**2
        mean = (first + second) / 2
        variance += (first - mean) ** 2 + (second - mean) ** 2
    found = combined_f_test(p)
    assert found.statistic == pytest.approx(total / (2 * variance))
    assert found.p_value == pytest.approx(stats.f.sf(total / (2 * variance), 10, 5))
    with pytest.raises(ParameterError, match=r"shape \(5, 2\)"):
        combined_f_test(p.T)


def test_holm_against_its_definition():
    given = np.array([0.01, 0.04, 0.03, 0.005])
    order = np.argsort(given)
    expected = np.empty(4)
    running = 0.0
    for rank, place in enumerate(order):
        running = max(running, (4 - rank) * given[place])
        expected[place] = min(running, 1.0)
    assert holm(given) == pytest.approx(expected)
    assert holm([np.nan, 0.5]).tolist()[1] == 0.5
