"""Any number of threads gives the same bits, in the tree and in its predictions."""

import numpy as np
import pandas as pd
import pytest

import bough.learn.estimator
import bough.learn.fit
from bough import CARTClassifier, CARTRegressor
from bough.recipe import CrossValidated, Surrogates
from bough.testing import random_table, to_frame

CRITERIA = ["gini", "entropy", "misclassification", "twoing", "squared_error", "absolute_error", "worst_error"]


@pytest.fixture(autouse=True)
def as_many_as_asked(monkeypatch):
    """Also more threads than there are processors."""
    for module in (bough.learn.estimator, bough.learn.fit):
        monkeypatch.setattr(module, "thread_count", lambda n_jobs: n_jobs or 1)


def bits(fitted, X):
    """Everything that a fitted tree says, as bytes."""
    arrays = {**fitted.tree_.kernel.to_arrays(), "predict": np.asarray(fitted.predict(X)), "apply": fitted.apply(X)}
    path = fitted.pruning_path_
    arrays |= {f"path {name}": path[name].to_numpy() for name in path}
    return {name: (array.dtype.str, array.tobytes()) for name, array in arrays.items()}


def assert_same_bits(estimator, X, y, weights, threads):
    one = bits(estimator.set_params(n_jobs=1).fit(X, y, weights), X)
    for number in threads:
        other = bits(estimator.set_params(n_jobs=number).fit(X, y, weights), X)
        assert one.keys() == other.keys()
        assert [name for name in one if one[name] != other[name]] == []


def test_fifty_random_tables(budget):
    for seed in range(round(50 * budget)):
        rng = np.random.default_rng(seed)
        criterion = CRITERIA[seed % len(CRITERIA)]
        classes = 0 if criterion.endswith("error") else int(rng.integers(2, 5))
        weights = ["ones", "integers", "reals", "zeros"][seed % 4]
        problem = random_table(rng, int(rng.integers(20, 300)), numeric=4, classes=classes, weights=weights)
        estimator = (CARTClassifier if classes else CARTRegressor)(
            criterion=criterion,
            pruning=[None, 0.01, CrossValidated(cv=3)][seed % 3],
            min_samples_split=2,
            min_samples_leaf=1,
            max_leaf_nodes=[None, None, 9][int(rng.integers(3))],
            missing=["surrogates", "majority_branch", "stop"][int(rng.integers(3))],
        )
        assert_same_bits(estimator, to_frame(problem), problem.y, problem.weights, threads=[2, 3, 7])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_tables_that_are_cut_into_blocks(criterion):
    """Above some ten thousand rows the columns of a node are shared among threads, below it the subtrees are."""
    rng = np.random.default_rng(1)
    n = 60_000
    X = pd.DataFrame({f"x{k}": rng.normal(size=n) for k in range(4)})
    X["few"] = rng.integers(0, 20, n)
    X["town"] = pd.Categorical.from_codes(rng.integers(0, 300, n), [f"t{k}" for k in range(300)])
    X.loc[rng.random(n) < 0.05, "x0"] = np.nan
    y = X["x1"] + X["x2"] * X["x3"] + (X["few"] % 3) + X["town"].cat.codes % 7 + rng.normal(size=n)
    if criterion != "squared_error":
        y = np.digitize(y, [4.0])
    estimator = (CARTRegressor if criterion == "squared_error" else CARTClassifier)(
        criterion=criterion, pruning=None, min_samples_split=10, min_samples_leaf=3, missing=Surrogates(2)
    )
    assert_same_bits(estimator, X, y, None, threads=[2, 5])


def test_n_jobs_means_what_it_means_elsewhere(monkeypatch):
    monkeypatch.undo()
    X, y = np.arange(60.0).reshape(-1, 1), np.repeat([0, 1], 30)
    for n_jobs in (None, 1, 2, -1, -2, 64):
        assert CARTClassifier(n_jobs=n_jobs).fit(X, y).score(X, y) == 1.0
    with pytest.raises(ValueError, match="n_jobs"):
        CARTClassifier(n_jobs=0).fit(X, y)
