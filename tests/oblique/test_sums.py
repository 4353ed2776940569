"""Trees that test weighted sums of columns, whatever search finds the weights."""

import numpy as np
import pandas as pd
import pytest

from bough import TreeClassifier
from bough.recipe import Curved, Discriminant, Gradient, LinearCombination, Machine, Omnivariate, Perturb

SEARCHES = [
    Discriminant(),
    Discriminant(sparse="backward", grouping="one_vs_rest"),
    Discriminant(sparse="forward", missing_terms="whole"),
    Perturb(restarts=3),
    LinearCombination(),
    Curved(),
    Curved("quadratic", perturb=False, missing_terms="whole"),
    Curved("sphere"),
    Curved("ellipsoid"),
    Curved("ellipsoid", full=True),
    Curved("principal"),
    Gradient("logistic"),
    Gradient("pocket", passes=5),
    Machine(),
    Machine("thermal"),
    Omnivariate(test_rows=20),
    Discriminant(lookahead=2, beam=2),
]


def mixed(rows=240, seed=0):
    """Numbers of several scales, an ordered and two nominal columns, with gaps; three classes along a plane."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": 1e3 * random.normal(size=rows), "c": random.random(rows)})
    X["size"] = pd.Categorical(random.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True)
    X["job"] = random.choice(list("uvwxyz"), rows)
    X["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 10**9, rows), unit="s")
    score = X.a + X.b / 1e3 + 0.5 * X["size"].cat.codes + (X.job == "v") + 0.3 * random.normal(size=rows)
    for column in ("a", "b", "job"):
        X.loc[random.random(rows) < 0.15, column] = None
    X.loc[:2, ["a", "b", "c", "size", "job"]] = None
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
@pytest.mark.parametrize("missing", ["majority_branch", "surrogates", "own_branch", "learned_direction", "stop"])
def test_training_rows_end_where_growing_sent_them(search, missing):
    X, y = mixed()
    clf = TreeClassifier(search=search, missing=missing, pruning=None, stopping=None).fit(X, y)
    counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
    assert [node.rows for node in clf.tree_] == counts.tolist()
    assert any(len(node.split.columns) > 1 for node in clf.tree_ if node.split is not None)


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
def test_any_number_of_threads_grows_the_same_tree(search):
    X, y = mixed(600)
    trees = [TreeClassifier(search=search, pruning=None, n_jobs=jobs, random_state=0).fit(X, y) for jobs in (1, 2, 7)]
    first, *others = (clf.tree_.to_content() for clf in trees)
    assert all(other == first for other in others)
