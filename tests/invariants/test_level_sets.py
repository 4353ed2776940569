"""Sets of levels: exact where an order or little work allows it, a named heuristic beyond, and never slow."""

import time
from itertools import combinations

import numpy as np
import pytest

from bough import CARTClassifier, CARTRegressor
from bough.recipe import Binary

STUMP = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "max_depth": 1}


@pytest.fixture
def four_levels():
    """The best two sets leave an absolute error of 36, cuts of the levels in the order of their medians 50."""
    values = {"a": [0] * 50, "b": [10] * 50, "c": [4, 4, 4, 10, 10], "d": [6, 6, 6, 0, 0]}
    level = np.concatenate([[name] * len(found) for name, found in values.items()])
    return {"level": level}, np.concatenate(list(values.values())).astype(float)


def left_over(fitted, X, y):
    return np.abs(y - fitted.predict(X)).sum()


def test_absolute_error_finds_the_best_sets(four_levels):
    X, y = four_levels
    fitted = CARTRegressor(criterion="absolute_error", **STUMP).fit(X, y)
    assert left_over(fitted, X, y) == 36
    split = fitted.tree_.root.split
    assert sorted(split.levels) == [("a", "d"), ("b", "c")]
    assert split.found == "exact"


def test_absolute_error_in_the_order_of_medians(four_levels):
    X, y = four_levels
    fitted = CARTRegressor(criterion="absolute_error", **STUMP, branching=Binary(subsets="heuristic")).fit(X, y)
    assert left_over(fitted, X, y) == 50
    assert fitted.tree_.root.split.found == "median_order"


def test_worst_error_says_how_it_searched():
    X, y = {"level": np.repeat(list("abcd"), 5)}, np.repeat([0.0, 9.0, 1.0, 7.0], 5)
    assert CARTRegressor(criterion="worst_error", **STUMP).fit(X, y).tree_.root.split.found == "exact"
    guessed = CARTRegressor(criterion="worst_error", **STUMP, branching=Binary(subsets="heuristic")).fit(X, y)
    assert guessed.tree_.root.split.found == "mean_order"


def levels_and_classes(seed, levels, classes, n=400):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, n)
    leaning = rng.dirichlet(np.ones(classes), levels)
    y = np.array([rng.choice(classes, p=leaning[code]) for code in codes])
    return {"level": np.array([f"l{code:05d}" for code in codes])}, y


def brute_force(X, y, drop):
    """The largest drop over all sets of levels."""
    names = np.unique(X["level"])
    best = 0.0
    for size in range(1, len(names)):
        for chosen in combinations(names[:-1], size):
            best = max(best, drop(np.isin(X["level"], chosen)))
    return best


def gini(y):
    p = np.bincount(y) / len(y)
    return 1 - (p**2).sum()


def entropy(y):
    p = np.bincount(y) / len(y)
    return -(p[p > 0] * np.log2(p[p > 0])).sum()


@pytest.mark.parametrize(("criterion", "impurity"), [("gini", gini), ("entropy", entropy)])
@pytest.mark.parametrize(("classes", "found"), [(2, "ordered"), (3, "exact"), (5, "exact")])
def test_the_best_set_of_all(criterion, impurity, classes, found):
    for seed in range(3):
        X, y = levels_and_classes(seed, 7, classes)

        def drop(low, y=y):
            return impurity(y) - low.mean() * impurity(y[low]) - (~low).mean() * impurity(y[~low])

        split = CARTClassifier(criterion=criterion, **STUMP).fit(X, y).tree_.root.split
        assert split.gain == pytest.approx(brute_force(X, y, drop))
        assert split.found == found


def test_the_best_set_of_all_for_numbers():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = levels_and_classes(seed, 8, 2)
        y = y + rng.normal(size=len(y))

        def drop(low, y=y):
            return y.var() - low.mean() * y[low].var() - (~low).mean() * y[~low].var()

        split = CARTRegressor(**STUMP).fit(X, y).tree_.root.split
        assert split.gain == pytest.approx(brute_force(X, y, drop))
        assert split.found == "ordered"


def test_a_heuristic_is_never_better_than_the_exact_search():
    for seed in range(5):
        X, y = levels_and_classes(seed, 9, 4)
        for criterion in ("gini", "entropy", "misclassification", "twoing"):
            exact = (
                CARTClassifier(criterion=criterion, **STUMP, branching=Binary(subsets="exact"))
                .fit(X, y)
                .tree_.root.split
            )
            guess = (
                CARTClassifier(criterion=criterion, **STUMP, branching=Binary(subsets="heuristic"))
                .fit(X, y)
                .tree_.root.split
            )
            assert exact.found == "exact"
            assert guess.gain <= exact.gain * (1 + 1e-12)
            assert guess.gain >= 0.6 * exact.gain


def test_more_levels_than_can_be_enumerated_are_named():
    X, y = levels_and_classes(0, 30, 3)
    assert CARTClassifier(**STUMP).fit(X, y).tree_.root.split.found == "pca"
    with pytest.raises(ValueError, match=r"subsets='exact' would search 2\^29 sets of the levels of 'level'"):
        CARTClassifier(**STUMP, branching=Binary(subsets="exact")).fit(X, y)
    two = CARTClassifier(**STUMP, branching=Binary(subsets="exact")).fit(X, y > 0)
    assert two.tree_.root.split.found == "ordered", "an order is exact for two classes"


def test_twoing_is_exact_by_superclasses_and_says_when_it_is_not():
    X, y = levels_and_classes(0, 30, 3)
    assert CARTClassifier(criterion="twoing", **STUMP).fit(X, y).tree_.root.split.found == "exact"
    X, y = levels_and_classes(0, 30, 12, n=2000)
    assert CARTClassifier(criterion="twoing", **STUMP).fit(X, y).tree_.root.split.found == "superclass"


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
def test_sixty_levels_of_three_classes_take_no_time(criterion):
    X, y = levels_and_classes(1, 60, 3, n=6000)
    start = time.process_time()
    fitted = CARTClassifier(criterion=criterion, pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    assert time.process_time() - start < 5
    assert fitted.get_n_leaves() > 30


@pytest.mark.parametrize(
    ("kind", "criterion"),
    [
        (CARTClassifier, "gini"),
        (CARTClassifier, "twoing"),
        (CARTRegressor, "squared_error"),
        (CARTRegressor, "absolute_error"),
    ],
)
def test_a_hundred_thousand_levels_take_seconds(kind, criterion):
    rng = np.random.default_rng(0)
    n = 200_000
    codes = rng.integers(0, 100_000, n)
    y = codes % 3 if kind is CARTClassifier else (codes % 97) + rng.normal(size=n)
    X = {"level": np.array([f"l{code:06d}" for code in range(100_000)], dtype=object)[codes], "x": rng.normal(size=n)}
    start = time.process_time()
    fitted = kind(criterion=criterion, max_depth=3, pruning=None).fit(X, y)
    assert time.process_time() - start < 20
    assert fitted.score(X, y) > 0.6


def test_all_sets_are_searched_where_minima_shut_out_the_best_order():
    """Two classes: the cut that the order of the shares finds leaves too few rows, another set does not."""
    rng = np.random.default_rng(3)
    better = 0
    for _ in range(40):
        levels = rng.choice(list("abcdef"), 40, p=[0.05, 0.05, 0.1, 0.2, 0.3, 0.3])
        y = rng.random(40) < np.array([{"a": 0.9, "b": 0.1}.get(level, 0.5) for level in levels])
        if y.all() or not y.any():
            continue
        for estimator, target in ((CARTClassifier, y.astype(int)), (CARTRegressor, y + rng.normal(size=40) / 10)):
            minima = {"min_samples_leaf": 12, "min_samples_split": 2, "max_depth": 1, "pruning": None}
            scores = []
            for subsets in ("exact", "all"):
                split = (
                    estimator(branching=Binary(subsets), **minima).fit({"x": levels.tolist()}, target).tree_.root.split
                )
                scores.append(0.0 if split is None else split.gain)
            assert scores[1] >= scores[0] * (1 - 1e-12)
            better += scores[1] > scores[0] * (1 + 1e-9)
    assert better > 0
