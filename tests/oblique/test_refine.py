"""Trees that are improved as a whole: they never err more on the rows that they were grown on."""

import numpy as np
import pytest

import bough
from bough import ObliqueTreeRegressor, OC1Classifier, TreeClassifier, TreeRegressor
from bough.recipe import Curved, Discriminant, Exhaustive, MaxDepth, Perturb

SEARCHES = [
    Exhaustive,
    Discriminant,
    lambda **more: Perturb(restarts=2, **more),
    lambda **more: Curved(perturb=False, **more),
]


def errors(model, X, y):
    return float(np.sum(np.asarray(model.predict(X)) != y))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("missing", ["majority_branch", "surrogates", "learned_direction", "own_branch", "stop"])
def test_training_errors_never_rise(search, missing, budget, mixed):
    for seed in range(max(1, round(3 * budget))):
        X, y = mixed(150, seed)
        recipe = {"stopping": [MaxDepth(3)], "pruning": None, "missing": missing, "random_state": 0}
        plain = TreeClassifier(search=search(), **recipe).fit(X, y)
        better = TreeClassifier(search=search(refine="alternate"), **recipe).fit(X, y)
        assert errors(better, X, y) <= errors(plain, X, y)
        assert better.get_n_leaves() <= plain.get_n_leaves()


@pytest.mark.parametrize("search", SEARCHES)
def test_squared_errors_never_rise(search, budget):
    for seed in range(max(1, round(3 * budget))):
        X, y = bough.datasets.load("friedman1", n=120, random_state=seed).xy()
        plain, better = (
            TreeRegressor(search=one, stopping=[MaxDepth(3)], pruning=None, random_state=0).fit(X, y)
            for one in (search(), search(refine="alternate"))
        )
        assert better.score(X, y) >= plain.score(X, y) - 1e-12


def test_rows_end_in_the_nodes_that_hold_them(mixed):
    X, y = mixed()
    clf = TreeClassifier(search=Discriminant(refine="alternate"), stopping=[MaxDepth(3)], pruning=None).fit(X, y)
    counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
    assert [node.rows for node in clf.tree_] == counts.tolist()


def wedge(rows, seed):
    """Two oblique lines part the square."""
    X = np.random.default_rng(seed).random((rows, 2))
    return X, ((X[:, 1] > 0.5 * X[:, 0] + 0.2) & (X[:, 1] > 1.1 - X[:, 0])).astype(int)


def test_two_lines_are_found_by_four_leaves():
    X, y = wedge(1000, 0)
    clf = OC1Classifier(search=Perturb(refine="alternate"), max_depth=2, pruning=None, random_state=0).fit(X, y)
    new, truth = wedge(5000, 1)
    assert clf.get_n_leaves() <= 4
    assert clf.score(new, truth) >= 0.995


def test_any_number_of_threads_refines_alike(mixed):
    X, y = mixed(300)
    search = Perturb(restarts=2, refine="alternate")
    trees = [
        TreeClassifier(search=search, stopping=[MaxDepth(3)], pruning=None, random_state=0, n_jobs=jobs).fit(X, y).tree_
        for jobs in (1, 2, 7)
    ]
    assert all(tree.to_content() == trees[0].to_content() for tree in trees[1:])


def test_parts_of_rows_are_refused(mixed):
    X, y = mixed()
    with pytest.raises(bough.errors.ParameterError, match="one branch"):
        TreeClassifier(search=Discriminant(refine="alternate"), missing="fractional").fit(X, y)


def test_sums_predict_numbers_better_than_columns_where_the_truth_is_a_sum():
    random = np.random.default_rng(0)
    X, new = random.normal(size=(400, 4)), random.normal(size=(1000, 4))
    plane = np.array([1.0, -1.0, 0.5, 2.0])
    sums = ObliqueTreeRegressor(random_state=0).fit(X, X @ plane)
    single = bough.CARTRegressor(random_state=0).fit(X, X @ plane)
    assert sums.score(new, new @ plane) > single.score(new, new @ plane) + 0.1


def test_looking_ahead_finds_what_no_single_test_shows(budget):
    for seed in range(max(1, round(5 * budget))):
        X = np.random.default_rng(seed).random((300, 4))
        y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
        scores = []
        for ahead in (1, 2):
            search = Exhaustive(lookahead=ahead, beam=4)
            clf = TreeClassifier(search=search, stopping=[MaxDepth(2)], pruning=None).fit(X, y)
            scores.append(clf.score(X, y))
        assert scores[1] >= scores[0]


def test_looking_ahead_takes_the_test_that_gains_most_in_two_levels():
    """Against every column's best test tried at the root by hand."""
    X = np.random.default_rng(3).random((200, 3))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.4)).astype(int)
    ahead = TreeClassifier(search=Exhaustive(lookahead=2), stopping=[MaxDepth(2)], pruning=None).fit(X, y)

    def left(tree):
        return sum(node.impurity * node.weight for node in tree if node.is_leaf)

    tried = []
    for column in range(3):
        by_hand = TreeClassifier(stopping=[MaxDepth(1)], pruning=None).fit(X[:, [column]], y)
        low = X[:, column] <= by_hand.tree_.root.split.threshold
        rest = 0.0
        for side in (low, ~low):
            below = TreeClassifier(stopping=[MaxDepth(1)], pruning=None).fit(X[side], y[side])
            rest += left(below.tree_)
        tried.append(rest)
    assert left(ahead.tree_) == pytest.approx(min(tried))


@pytest.mark.parametrize("search", [Exhaustive(lookahead=3), Exhaustive(lookahead=2, beam=0), Exhaustive(refine="all")])
def test_other_words_are_refused(search, mixed):
    X, y = mixed()
    with pytest.raises(bough.errors.ParameterError, match="Exhaustive"):
        TreeClassifier(search=search).fit(X, y)
