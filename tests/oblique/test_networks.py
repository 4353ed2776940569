"""Searches that are written in Python: networks, sparse logistic regression, and a user's own.

What an optimiser finds hangs on the machine's arithmetic, so that only robust facts are asked of it.
"""

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import bough
from bough import LDATreeClassifier, NeuralTreeClassifier, TreeClassifier, TreeRegressor
from bough.errors import ParameterError
from bough.recipe import Discriminant, Exhaustive, Layer, MaxDepth, MinRows, Network, SparseLogistic, Written


def circle(n, seed):
    return bough.datasets.load("circle", n=n, random_state=seed).xy()


def mixed(rows=400, seed=0):
    """Numbers of several scales, an ordered and a nominal column, with gaps; three classes along a curve."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": 1e3 * random.normal(size=rows)})
    X["size"] = pd.Categorical(random.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True)
    X["job"] = random.choice(list("uvw"), rows)
    score = X.a**2 + X.b / 1e3 + 0.5 * X["size"].cat.codes + (X.job == "v") + 0.2 * random.normal(size=rows)
    for column in ("a", "b", "job"):
        X.loc[random.random(rows) < 0.1, column] = None
    X.loc[:2] = None
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


def means(terms, target, weights, key):
    """The direction from one mean to the other."""
    one, other = (np.average(terms[target == t], axis=0, weights=weights[target == t]) for t in (0.0, 1.0))
    return other - one


def fourth(terms, target, weights, key):
    """A network of two units along the first term: where it is near 0."""
    leading = np.zeros((2, terms.shape[1]))
    leading[:, 0], leading[:, 1:] = 2.0, 0.01
    return Layer(leading, np.array([2.0, -2.0]), np.array([1.0, -1.0]), 0.5)


SEARCHES = [
    Network(starts=1),
    Network(starts=1, hidden=1, sparse="backward", missing_terms="whole"),
    SparseLogistic(),
    Written(means),
    Written(fourth),
]
NAMES = ["network", "small", "sparse", "means", "fourth"]


@pytest.mark.parametrize("search", SEARCHES, ids=NAMES)
@pytest.mark.parametrize("missing", ["majority_branch", "surrogates", "own_branch", "learned_direction", "fractional"])
def test_training_rows_end_where_growing_sent_them(search, missing):
    X, y = mixed()
    stopping = [MinRows(min_samples_split=20), MaxDepth(4)]
    clf = TreeClassifier(search=search, missing=missing, pruning=None, stopping=stopping, random_state=0).fit(X, y)
    assert any(len(node.split.columns) > 1 for node in clf.tree_ if node.split is not None)
    if missing != "fractional":
        counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
        assert [node.rows for node in clf.tree_] == counts.tolist()


@pytest.mark.parametrize("search", SEARCHES, ids=NAMES)
def test_any_number_of_threads_grows_the_same_tree(search):
    X, y = mixed()
    first, *others = (
        TreeClassifier(search=search, pruning=None, stopping=MaxDepth(2), n_jobs=jobs, random_state=0)
        .fit(X, y)
        .tree_.to_content()
        for jobs in (1, 2, 7)
    )
    assert all(other == first for other in others)


@pytest.mark.parametrize("search", SEARCHES, ids=NAMES)
def test_three_equal_rows_are_one_of_weight_three_and_their_order_is_the_same(search):
    X, y = mixed(200)
    X, y = X.iloc[3:], y[3:]
    grow = TreeClassifier(search=search, pruning=None, stopping=[MaxDepth(3), MinRows(30)], random_state=0)
    weighed = grow.fit(X, y, sample_weight=np.full(len(X), 3.0)).predict(X)
    copies = np.repeat(np.arange(len(X)), 3)
    copied = grow.fit(X.iloc[copies], y[copies]).predict(X)
    shuffled = np.random.default_rng(0).permutation(copies)
    other = grow.fit(X.iloc[shuffled], y[shuffled]).predict(X)
    assert np.mean(weighed == copied) > 0.98
    assert np.mean(weighed == other) > 0.98


def test_a_network_parts_a_circle_by_one_test():
    X, y = circle(1000, 0)
    clf = NeuralTreeClassifier(max_depth=1, pruning=None, random_state=0).fit(X, y)
    split = clf.tree_.root.split
    assert split.found == "network"
    assert sorted(split.columns) == ["x1", "x2"]
    assert clf.score(X, y) > 0.97
    assert clf.score(*circle(2000, 1)) > 0.95
    line = TreeClassifier(search=Discriminant(), stopping=MaxDepth(1), pruning=None).fit(X, y)
    assert clf.score(X, y) > line.score(X, y) + 0.15


def test_scaling_a_number_by_a_power_of_two_changes_nothing():
    X, y = circle(300, 2)
    clf = NeuralTreeClassifier(search=Network(starts=1), pruning=None, max_depth=2, random_state=0)
    plain = clf.fit(X, y).predict_proba(X)
    X = X.assign(x1=X.x1 * 1024)
    assert np.array_equal(clf.fit(X, y).predict_proba(X), plain)


def test_nodes_of_few_rows_ask_the_discriminant():
    X, y = circle(400, 3)
    clf = NeuralTreeClassifier(pruning=None, random_state=0).fit(X, y)
    found = {(node.rows >= 50, node.split.found) for node in clf.tree_ if node.split is not None}
    assert (True, "network") in found
    assert (False, "network") not in found
    small = NeuralTreeClassifier(search=Network(least_rows=500), pruning=None, random_state=0).fit(X, y)
    plain = LDATreeClassifier(pruning=None).fit(X, y)
    assert small.tree_.to_content()["tree"] == plain.tree_.to_content()["tree"]


def test_numbers_are_fitted_too():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.uniform(-1, 1, (400, 2)), columns=["a", "b"])
    y = np.sqrt(X.a**2 + X.b**2) * 1e3 + 5e6
    network = TreeRegressor(search=Network(), stopping=MaxDepth(1), pruning=None, random_state=0).fit(X, y)
    plain = TreeRegressor(search=Exhaustive(), stopping=MaxDepth(1), pruning=None).fit(X, y)
    assert network.tree_.root.split.found == "network"
    assert network.score(X, y) > plain.score(X, y) + 0.2


def test_a_sum_of_sparse_logistic_regression_leaves_columns_out():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(600, 12)), columns=[f"c{k}" for k in range(12)])
    y = X.c3 + X.c7 + 0.5 * random.normal(size=600) > 0
    sizes = []
    for penalty in (0.01, 10.0, 60.0):
        grow = TreeClassifier(search=SparseLogistic(penalty=penalty), stopping=MaxDepth(1), pruning=None)
        split = grow.fit(X, y).tree_.root.split
        assert split.found == "gradient"
        assert set(split.columns[:2]) == {"c3", "c7"}
        sizes.append(len(split.columns))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 12
    assert sizes[-1] == 2


def test_a_users_search_is_asked_once_a_node_with_two_groups():
    X, y = mixed()
    asked = []

    def look(terms, target, weights, key):
        asked.append((len(terms), key))
        assert terms.shape[0] == len(target) == len(weights)
        assert set(target) == {0.0, 1.0}
        assert terms.flags.owndata or terms.base is not None
        assert np.abs(np.average(terms, axis=0, weights=weights)).max() < 0.2  # rows without a value count 0
        return means(terms, target, weights, key)

    clf = TreeClassifier(search=Written(look), stopping=MaxDepth(2), pruning=None, random_state=0).fit(X, y)
    inner = [node for node in clf.tree_ if node.split is not None]
    assert len(asked) == len(inner)
    assert len({key for _, key in asked}) == len(asked)
    assert any(node.split.found == "written" for node in inner)


def test_a_users_network_is_what_it_says():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(300, 2)), columns=["a", "b"])
    clf = TreeClassifier(search=Written(fourth), stopping=MaxDepth(1), pruning=None).fit(X, X.a.abs() < 0.8)
    feature = clf.tree_.root.split.test.feature
    assert clf.tree_.root.split.found == "network"
    assert feature.units == 2
    first = feature.terms[0]
    leading = np.array(feature.numbers[:2]) * first.scale
    np.testing.assert_allclose(leading, 2.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda t, *_: np.ones(t.shape[1] + 1), "one number for each term"),
        (lambda t, *_: np.full(t.shape[1], np.nan), "finite numbers"),
        (lambda *_: "plane", "an array of numbers"),
        (lambda t, *_: Layer(np.ones((2, t.shape[1])), np.ones(3), np.ones(2), 0.0), "Layer of 1 to 64 units"),
        (lambda t, *_: Layer(np.ones((65, t.shape[1])), np.ones(65), np.ones(65), 0.0), "Layer of 1 to 64 units"),
        (lambda t, *_: Layer(np.full((1, t.shape[1]), np.inf), np.ones(1), np.ones(1), 0.0), "finite numbers"),
    ],
)
def test_answers_that_do_not_fit_are_refused(answer, message):
    X, y = circle(100, 0)
    with pytest.raises(ParameterError, match=message):
        TreeClassifier(search=Written(answer)).fit(X, y)


def test_an_error_in_a_users_search_comes_out_as_it_is():
    X, y = circle(100, 0)

    def broken(terms, target, weights, key):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        TreeClassifier(search=Written(broken)).fit(X, y)
    assert TreeClassifier(search=Written(lambda *_: None), stopping=MaxDepth(1)).fit(X, y).tree_.n_leaves == 2


def test_what_cannot_be_is_refused():
    X, y = circle(100, 0)
    for search, message in (
        (Written(), r"Written.find must be a function of \(terms, target, weights, key\)"),
        (Written(3), r"Written.find must be a function of .* got 3"),
        (Network(hidden=65), "Network.hidden must be at most 64"),
        (Network(penalty=-1.0), "Network.penalty"),
        (Network(starts=0), "Network.starts"),
    ):
        with pytest.raises(ParameterError, match=message):
            TreeClassifier(search=search).fit(X, y)
    with pytest.raises(ParameterError, match="is for classes"):
        TreeRegressor(search=SparseLogistic()).fit(X, np.arange(100.0))
    with pytest.raises(ParameterError, match="criterion"):
        TreeRegressor(search=Network(), criterion="absolute_error").fit(X, np.arange(100.0))


def test_files_hold_the_tree_and_not_the_function(tmp_path):
    X, y = circle(200, 0)
    clf = TreeClassifier(search=Written(means), stopping=MaxDepth(2), pruning=None).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.save(tmp_path / "tree.json")
        again = bough.load(tmp_path / "tree.json")
    assert np.array_equal(again.predict(X), clf.predict(X))
    with pytest.raises(ParameterError, match="give it anew"):
        again.fit(X, y)
    neural = NeuralTreeClassifier(pruning=None, max_depth=2, random_state=0).fit(X, y)
    neural.save(tmp_path / "neural.json")
    loaded = bough.load(tmp_path / "neural.json")
    assert type(loaded) is NeuralTreeClassifier
    assert np.array_equal(loaded.predict_proba(X), neural.predict_proba(X))


def test_large_nodes_learn_from_some_of_their_rows():
    X, y = circle(3000, 0)
    sizes = []

    def look(terms, target, weights, key):
        sizes.append(len(terms))

    TreeClassifier(search=Written(look, search_rows=500), stopping=MaxDepth(1), random_state=0).fit(X, y)
    assert 500 <= sizes[0] <= 502


def test_deeper_trees_of_networks_fit_better():
    X, y = bough.datasets.load("two_lines", n=300, random_state=0).xy()
    grow = NeuralTreeClassifier(search=Network(starts=1), pruning=None, random_state=0)
    scores = [grow.set_params(max_depth=depth).fit(X, y).score(X, y) for depth in (1, 2, 4)]
    assert all(one <= other for one, other in pairwise(scores))
    assert scores[-1] > 0.9
