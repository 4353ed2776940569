"""Sums whose weights are learnt by descending a loss: logistic regression and the pocket perceptron."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import bough
from bough import TreeClassifier
from bough.errors import ParameterError
from bough.recipe import Gradient, MaxDepth

STUMP = {"stopping": MaxDepth(1), "pruning": None}


def noisy_plane(seed, rows=300, columns=3):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns)) * 10.0 ** random.integers(-2, 3, columns)
    score = (X / X.std(axis=0)) @ random.normal(size=columns)
    return X, (score + 0.5 * random.normal(size=rows) > 0).astype(int)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("penalty", [0.01, 1.0, 30.0])
def test_logistic_weights_are_those_of_scikit_learn(seed, penalty):
    X, y = noisy_plane(seed)
    weight = np.random.default_rng(seed + 100).integers(1, 4, len(y)).astype(float)
    mean = np.average(X, axis=0, weights=weight)
    sd = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    theirs = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=10_000).fit((X - mean) / sd, y, sample_weight=weight)
    clf = TreeClassifier(search=Gradient(penalty=penalty), **STUMP).fit(X, y, sample_weight=weight)
    split = clf.tree_.root.split
    assert split.found == "gradient"
    ours = np.array([term.weight for term in split.test.feature.terms]) * sd
    expected = theirs.coef_[0] / np.linalg.norm(theirs.coef_[0])
    np.testing.assert_allclose(ours * np.sign(ours[0] * expected[0]), expected, atol=1e-5)


@pytest.mark.parametrize("method", ["pocket", "logistic"])
def test_a_plane_is_found(method):
    X, y = bough.datasets.load("diagonal", n=300, random_state=0).xy()
    clf = TreeClassifier(search=Gradient(method), pruning=None, random_state=0).fit(X, y)
    assert clf.get_n_leaves() <= 3
    assert clf.tree_.root.split.gain > 0.45


@pytest.mark.parametrize("seed", range(4))
def test_the_pocket_holds_weights_with_few_errors(seed):
    # A perceptron alone keeps jumping where classes overlap.
    X, y = noisy_plane(seed)
    trees = [TreeClassifier(search=Gradient(m), **STUMP, random_state=0).fit(X, y) for m in ("pocket", "logistic")]
    pocket, logistic = (tree.score(X, y) for tree in trees)
    assert pocket > logistic - 0.03


@pytest.mark.parametrize("method", ["pocket", "logistic"])
def test_any_number_of_threads_and_any_unit_grow_the_same_tree(method):
    X, y = bough.datasets.load("penguins").xy()
    given = {"search": Gradient(method), "pruning": None, "random_state": 0}
    tree = TreeClassifier(**given).fit(X, y).tree_
    for jobs in (2, 7):
        assert TreeClassifier(n_jobs=jobs, **given).fit(X, y).tree_.to_content() == tree.to_content()
    scaled = X.assign(bill_length_mm=X["bill_length_mm"] / 1024)
    assert (
        TreeClassifier(**given).fit(scaled, y).predict(scaled) == TreeClassifier(**given).fit(X, y).predict(X)
    ).all()


def test_another_seed_draws_another_order_of_rows():
    X, y = noisy_plane(0)
    weights = {
        tuple(term.weight for term in clf.tree_.root.split.test.feature.terms)
        for clf in (TreeClassifier(search=Gradient("pocket"), random_state=s, **STUMP).fit(X, y) for s in range(4))
    }
    assert len(weights) > 1


@pytest.mark.parametrize(
    ("search", "why"),
    [
        (Gradient("pocket", penalty=2.0), "method='logistic'"),
        (Gradient("logistic", passes=3), "method='pocket'"),
        (Gradient("descent"), "method"),
        (Gradient(penalty=-1.0), "penalty"),
    ],
)
def test_what_would_be_ignored_is_refused(search, why):
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ParameterError, match=why):
        TreeClassifier(search=search).fit(X, y)


@pytest.mark.parametrize("method", ["pocket", "logistic"])
@pytest.mark.parametrize("name", ["credit_g", "votes", "hypothyroid"])
def test_nominal_and_missing_columns_are_taken_as_they_are(method, name, shared):
    frame = pd.read_csv(shared / "oracle" / "input" / f"{name}.csv.gz")
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    clf = TreeClassifier(search=Gradient(method), stopping=MaxDepth(3), pruning=None, random_state=0).fit(X, y)
    assert clf.score(X, y) > y.value_counts(normalize=True).iloc[0] + 0.02
