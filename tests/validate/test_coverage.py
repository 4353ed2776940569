"""The intervals hold the truth about as often as they say: 95 % intervals between 92 and 98 % of the time.

The truth is known because rows are drawn from the leaves of a tree, in each of which it is known what comes: what a
measure is on endless rows is what it is on very many. Seeds are fixed, so that the shares below are what they are.
"""

import numpy as np
import pytest
from scipy import stats

from bough.validate.bootstrap import Cells, bias_corrected
from bough.validate.delong import area_interval, area_of, mean_area
from bough.validate.folds import Trial
from bough.validate.intervals import measure_rows
from bough.validate.lift import ks_distance, lift_of
from bough.validate.measures import Question, measure_folds

MANY = 400_000
DRAWS = 300


def of_two_classes(n, rng):
    """Six leaves: what is predicted in each is a little off what comes."""
    leaf = rng.choice(6, n, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    told = np.array([0.1, 0.25, 0.45, 0.6, 0.75, 0.9])[leaf]
    came = rng.uniform(size=n) < np.array([0.12, 0.2, 0.5, 0.55, 0.8, 0.88])[leaf]
    shares = np.column_stack([1 - told, told])
    return Trial(came.astype(np.intp), (told > 0.5).astype(np.intp), shares, np.ones(n), None, None)


def of_three_classes(n, rng):
    leaf = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    told = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6], [0.4, 0.3, 0.3]])
    came = (rng.uniform(size=n)[:, None] > told[leaf].cumsum(axis=1)).sum(axis=1)
    return Trial(came.clip(0, 2), told[leaf].argmax(axis=1), told[leaf], np.ones(n), None, None)


def of_numbers(n, rng):
    told = np.array([1.0, 2.0, 4.0, 5.0, 9.0])[rng.integers(0, 5, n)]
    return Trial(told + 0.3 + rng.normal(0, 1.5, n), told, None, np.ones(n), None, None)


def weighted(trial, rng):
    """The same rows with weights that have nothing to do with them."""
    n = len(trial.truth)
    return Trial(trial.truth, trial.answer, trial.shares, rng.exponential(size=n), None, None)


def measured(trial, question):
    """What needs no probabilities, by what it is called."""
    plain = Trial(trial.truth, trial.answer, None, trial.weights, None, None)
    values = {key: float(value[0]) for key, value in measure_folds([plain], question).items()}
    return measure_rows(values, plain, question, level=0.95, n_resamples=1, seed=0)


def area(trial, codes):
    return mean_area([area_of(trial.truth == code, trial.shares[:, code], trial.weights) for code in codes])


def coverage(make, n, interval, expected, draws=DRAWS):
    """How often intervals by n rows hold what is expected, one share for each measure."""
    hits = np.zeros(len(expected))
    for seed in range(draws):
        low, high = np.transpose(interval(make(n, np.random.default_rng(seed))))
        hits += (low <= expected) & (expected <= high)
    return hits / draws


def holds(shares):
    return ((shares >= 0.92) & (shares <= 0.98)).all()


def ends_of(names, question):
    def ends(trial):
        found = measured(trial, question)
        return [found[name][1:3] for name in names]

    return ends


def values_of(names, question, trial):
    found = measured(trial, question)
    return np.array([found[name].value for name in names])


@pytest.mark.parametrize("weigh", [False, True], ids=["plain", "weighted"])
def test_of_shares_of_rows_and_costs(weigh):
    question = Question(2, (1,), np.array([[0.0, 1.0], [4.0, 0.0]]))
    names = [("accuracy", None), ("balanced_accuracy", None), ("recall", 1), ("precision", 0), ("f1", 1),
             ("cost", None)]  # fmt: skip
    expected = values_of(names, question, of_two_classes(MANY, np.random.default_rng(1000)))

    def make(n, rng):
        trial = of_two_classes(n, rng)
        return weighted(trial, rng) if weigh else trial

    found = coverage(make, 250, ends_of(names, question), expected)
    assert holds(found), found


def test_of_errors_of_numbers():
    question = Question(0, (), None)
    names = [(name, None) for name in ("mse", "rmse", "mae", "bias", "r2")]
    expected = values_of(names, question, of_numbers(MANY, np.random.default_rng(1000)))
    found = coverage(of_numbers, 150, ends_of(names, question), expected)
    assert holds(found), found


@pytest.mark.parametrize("weigh", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(("make", "codes"), [(of_two_classes, (1,)), (of_three_classes, (0, 1, 2))])
def test_of_areas(make, codes, weigh):
    expected = np.array([area(make(MANY, np.random.default_rng(1000)), codes).value])

    def drawn(n, rng):
        trial = make(n, rng)
        return weighted(trial, rng) if weigh else trial

    found = coverage(drawn, 120, lambda trial: [area_interval(area(trial, codes), 0.95)], expected)
    assert holds(found), found


@pytest.mark.parametrize(("make", "code"), [(of_two_classes, 1), (of_three_classes, 0), (of_three_classes, 2)])
def test_of_the_distance_of_kolmogorov_and_smirnov(make, code):
    expected = ks_distance(make(MANY, np.random.default_rng(1000)), code, 0.95)[:1]
    found = coverage(make, 250, lambda trial: [ks_distance(trial, code, 0.95)[1:]], np.array(expected))
    assert holds(found), found


@pytest.mark.parametrize("weigh", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("steps", [5, 100_000])
def test_of_the_distance_of_a_score_that_tells_nothing(steps, weigh):
    """The largest distance of rows is above 0 by chance, and the interval still holds 0; of few scores more often."""

    def make(n, rng):
        score = rng.integers(0, steps, n) / steps
        came = (rng.uniform(size=n) < 0.4).astype(np.intp)
        trial = Trial(came, came, np.column_stack([1 - score, score]), np.ones(n), None, None)
        return weighted(trial, rng) if weigh else trial

    found = coverage(make, 500, lambda trial: [ks_distance(trial, 1, 0.95)[1:]], np.zeros(1))
    assert found >= 0.92, found
    assert steps == 5 or found <= 0.98, found


def of_a_rising_score(n, rng):
    """As many scores as rows."""
    score = rng.uniform(size=n)
    came = (rng.uniform(size=n) < 0.1 + 0.6 * score**2).astype(np.intp)
    return Trial(came, came, np.column_stack([1 - score, score]), np.ones(n), None, None)


@pytest.mark.parametrize(("make", "code"), [(of_two_classes, 1), (of_three_classes, 2), (of_a_rising_score, 1)])
def test_of_lift(make, code):
    expected = lift_of(code, code, make(MANY, np.random.default_rng(1000)), 0.95).lift[:-1]

    def interval(trial):
        found = lift_of(code, code, trial, 0.95)
        return np.column_stack([found.low, found.high])[:-1]

    found = coverage(make, 250, interval, expected, draws=2000)
    assert holds(found), found


@pytest.mark.parametrize(("make", "codes"), [(of_two_classes, (1,)), (of_three_classes, (0, 1, 2))])
def test_of_average_precision(make, codes):
    def interval(trial):
        cells = Cells(trial.shares, trial.truth, trial.weights)
        draws = cells.drawn_precision(codes, 200, 0).mean(axis=1)
        return [bias_corrected(draws, cells.average_precision(codes).mean(), 0.95)]

    trial = make(MANY, np.random.default_rng(1000))
    expected = Cells(trial.shares, trial.truth, trial.weights).average_precision(codes).mean()
    found = coverage(make, 250, interval, np.array([expected]), draws=200)
    assert holds(found), found


def test_percentiles_without_bias_are_percentiles():
    values = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    low, high = bias_corrected(values, 0.0, 0.9)
    assert (low, high) == pytest.approx((stats.norm.ppf(0.05), stats.norm.ppf(0.95)), abs=5e-3)
    assert np.isnan(bias_corrected(np.ones(100), 1.0, 0.9)).all()
