"""Models of every kind, and tables to fit them on: what exports are tried with."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import bough
from bough.recipe import Bayes, Conjunctions, Intervals, MEstimate, MinRows

SMALL = {"min_samples_split": 2, "min_samples_leaf": 1}
FEW = [MinRows(4, 2)]


def two_costs(y):
    """A cost matrix and priors for any number of classes."""
    k = len(np.unique(np.asarray(y)))
    costs = 1.0 - np.eye(k)
    costs[0] *= 5.0
    return costs


CLASSIFIERS = {
    "cart": lambda y: bough.CARTClassifier(pruning=None, **SMALL),
    "cart-pruned": lambda y: bough.CARTClassifier(),
    "cart-majority": lambda y: bough.CARTClassifier(
        missing="majority_branch", unseen="stop", absent="majority", **SMALL
    ),
    "cart-stop": lambda y: bough.CARTClassifier(missing="stop", absent="stop", unseen="majority", **SMALL),
    "cart-unseen-error": lambda y: bough.CARTClassifier(unseen="error", pruning=None, **SMALL),
    "cart-costs": lambda y: bough.CARTClassifier(costs=two_costs(y), pruning=None, **SMALL),
    "c45": lambda y: bough.C45Classifier(),
    "c45-unpruned-laplace": lambda y: bough.C45Classifier(pruning=None, leaf="laplace"),
    "c45-binary": lambda y: bough.C45Classifier(pruning=None, branching="one_level"),
    "c45-subsets": lambda y: bough.C45Classifier(pruning=None, branching="grouped"),
    "id3": lambda y: bough.ID3Classifier(missing="fractional", unseen="missing"),
    "id3-refuse": lambda y: bough.ID3Classifier(bins="equal_width", n_bins=4, max_depth=3),
    "chaid": lambda y: bough.CHAIDClassifier(),
    "own-branch": lambda y: bough.TreeClassifier(missing="own_branch", pruning=None, stopping=FEW),
    "learned-direction": lambda y: bough.TreeClassifier(missing="learned_direction", pruning=None, stopping=FEW),
    "most-likely": lambda y: bough.TreeClassifier(missing="most_likely", pruning=None, stopping=FEW),
    "intervals": lambda y: bough.TreeClassifier(branching=Intervals(), pruning=None, stopping=FEW),
    "pairs": lambda y: bough.TreeClassifier(
        search="pairs", missing="majority_branch", pruning=None, stopping=FEW, criterion="entropy"
    ),
    "conjunctions": lambda y: bough.TreeClassifier(
        search=Conjunctions(3, thresholds=3), missing="majority_branch", pruning=None, stopping=FEW
    ),
    "m-estimate": lambda y: bough.TreeClassifier(leaf=MEstimate(), pruning=None, stopping=FEW),
    "fractional-costs": lambda y: bough.TreeClassifier(
        branching="per_level", criterion="gain_ratio", leaf=Bayes(costs=two_costs(y)), missing="fractional",
        pruning=None, stopping=FEW,
    ),
}  # fmt: skip
REGRESSORS = {
    "cart": lambda: bough.CARTRegressor(pruning=None, min_samples_split=6, min_samples_leaf=3),
    "cart-stop": lambda: bough.CARTRegressor(missing="stop", pruning=None, min_samples_split=6, min_samples_leaf=3),
    "median": lambda: bough.CARTRegressor(criterion="absolute_error", missing="majority_branch"),
    "fractional": lambda: bough.TreeRegressor(missing="fractional", pruning=None, stopping=[MinRows(10, 5)]),
    "own-branch": lambda: bough.TreeRegressor(missing="own_branch", pruning=None, stopping=[MinRows(10, 5)]),
}
TABLES = (
    "penguins", "titanic", "watermelon", "play_tennis", "fruit", "monks", "balance_scale", "four_classes", "led",
    "waveform",
)  # fmt: skip
NUMBERS = ("friedman1", "friedman2")
DRAWN = ("led", "waveform", *NUMBERS)


def table(name, *, holes=0.08, rows=160):
    """A table of the package with some values taken out, as a pandas frame, and its target."""
    X, y = bough.datasets.load(name, **({"random_state": 0} if name in DRAWN else {})).xy()
    X, y = pd.DataFrame(X), pd.Series(np.asarray(y))
    rng = np.random.default_rng(len(name))
    keep = np.sort(rng.permutation(len(X))[:rows])
    X, y = X.iloc[keep].reset_index(drop=True), y.iloc[keep].reset_index(drop=True)
    if holes:
        for column in X.columns:
            gone = rng.random(len(X)) < holes
            X[column] = X[column].mask(gone)
    return X, y


def fitted(kind, name):
    """A classifier of a kind on a table; one that refuses missing values gets a table without."""
    X, y = table(name, holes=0.0 if "refuse" in kind else 0.08)
    if "refuse" in kind:
        whole = X.notna().all(axis=1)
        X, y = X[whole].reset_index(drop=True), y[whole].reset_index(drop=True)
    return CLASSIFIERS[kind](y).fit(X, y)


def fitted_numbers(kind, name):
    X, y = table(name)
    return REGRESSORS[kind]().fit(X, y)


# Tables that nobody thought of

RANDOM_CLASSIFIERS = [
    lambda: bough.CARTClassifier(pruning=None, **SMALL),
    lambda: bough.CARTClassifier(missing="stop", unseen="majority", **SMALL),
    lambda: bough.C45Classifier(pruning=None),
    lambda: bough.C45Classifier(pruning=None, branching="grouped", leaf="laplace"),
    lambda: bough.ID3Classifier(missing="fractional", unseen="missing"),
    lambda: bough.CHAIDClassifier(),
    lambda: bough.TreeClassifier(missing="own_branch", stopping=None, pruning=None),
    lambda: bough.TreeClassifier(missing="learned_direction", stopping=None, pruning=None),
]
RANDOM_REGRESSORS = [
    lambda: bough.CARTRegressor(pruning=None, **SMALL),
    lambda: bough.TreeRegressor(missing="fractional", stopping=None, pruning=None),
]
LEVELS = st.sampled_from(["a", "b", "it's", 'q"', "é", None])
RANDOM_NUMBERS = st.one_of(st.none(), st.integers(-3, 3).map(float), st.floats(-2, 2, width=32))


@st.composite
def random_models(draw):
    """A model of some kind, fitted on a table with missing values."""
    n = draw(st.integers(6, 30))
    column = lambda of: draw(st.lists(of, min_size=n, max_size=n))  # noqa: E731
    whole = st.integers(0, 5)
    X = {"n": column(RANDOM_NUMBERS), "level": column(LEVELS), "other": column(LEVELS), "whole": column(whole)}
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(RANDOM_REGRESSORS))().fit(X, column(whole))
    make = draw(st.sampled_from(RANDOM_CLASSIFIERS))
    with np.errstate(all="ignore"):
        return make().fit(X, column(st.sampled_from(["yes", "no", "maybe"])))
