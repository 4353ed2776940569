"""Trees with a branch for each class: discriminant functions and linear machines, and what both promise."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough import FACTClassifier, LMDTClassifier, TreeClassifier, TreeRegressor
from bough.errors import ParameterError
from bough.recipe import Machine

SEARCHES = [Machine(), Machine(linear=False), Machine("thermal"), Machine("thermal", sparse="backward")]
LINEAR = [search for search in SEARCHES if search.linear]


def bands(rows=300, seed=0):
    """Three classes in stripes across two of four numbers."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(rows, 4)), columns=list("abcd"))
    return X, np.digitize(X.a + X.b, [-0.7, 0.7])


def grown(search, X, y, **more):
    return TreeClassifier(search=search, pruning=None, stopping=None, random_state=0, **more).fit(X, y)


@pytest.mark.parametrize("search", LINEAR, ids=repr)
def test_a_machine_parts_stripes(search):
    X, y = bands()
    clf = grown(search, X, y)
    split = clf.tree_.root.split
    assert (split.kind, split.n_branches) == ("largest", 3)
    assert set(split.columns[:2]) == {"a", "b"}
    new, told = bands(2000, 1)
    assert clf.score(new, told) > 0.9
    if search.sparse:
        assert len(split.columns) < 4


@pytest.mark.parametrize("search", LINEAR, ids=repr)
def test_two_classes_are_parted_by_a_plane(search):
    X, y = bands()
    split = grown(search, X, y > 0).tree_.root.split
    assert (split.kind, split.n_branches, split.found) == (
        "threshold",
        2,
        "thermal" if search.method == "thermal" else "discriminant",
    )
    assert set(split.columns[:2]) == {"a", "b"}


def test_the_functions_of_two_classes_of_equal_spread_meet_half_way():
    X = pd.DataFrame({"a": [0.0, 1, 2, 3, 10, 11, 12, 13], "b": [0.0, 1, 0, 1, 0, 1, 0, 1]})
    clf = grown(Machine(linear=False), X, [0] * 4 + [1] * 4)
    assert (clf.tree_.root.split.column, clf.tree_.root.split.threshold) == ("a", 6.5)


def test_where_means_are_equal_distances_from_them_are_asked():
    random = np.random.default_rng(0)
    narrow, wide = random.normal(size=200), 6 * random.normal(size=200)
    X = pd.DataFrame({"noise": random.normal(size=400), "x": np.concatenate([narrow, wide])})
    split = grown(Machine(linear=False), X, [0] * 200 + [1] * 200).tree_.root.split
    assert (split.column, split.kind, split.interval_branches) == ("x", "intervals", (0, 1, 0))


def test_a_nominal_column_is_asked_for_one_of_its_levels():
    X = pd.DataFrame({"job": list("abc") * 20, "x": np.tile([0.0, 1.0], 30)})
    clf = grown(Machine(linear=False), X, (X.job == "b").astype(int))
    assert [node.condition for node in clf.tree_.root.children] == ["job in {a, c}", "job = b"]


def test_the_functions_are_those_of_the_textbook():
    X, y = bands(150)
    clf = grown(Machine(), X, y)
    rows, codes = X.to_numpy(), y
    values, vectors = np.linalg.eigh(np.corrcoef(rows.T))
    kept = vectors[:, values > 0.05 * values.max()]
    parts = (rows - rows.mean(axis=0)) / rows.std(axis=0) @ kept
    means = np.array([parts[codes == k].mean(axis=0) for k in range(3)])
    within = sum((parts[codes == k] - means[k]).T @ (parts[codes == k] - means[k]) for k in range(3)) / len(rows)
    told = parts @ np.linalg.solve(within, means.T)
    told += -0.5 * np.diag(means @ np.linalg.solve(within, means.T)) + np.log(np.bincount(codes) / len(rows))
    branch = [clf.tree_.root.split.test.branch(row) for row in rows.tolist()]
    assert branch == told.argmax(axis=1).tolist()


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
def test_branches_keep_the_minima(search):
    X, y = bands(400)
    clf = TreeClassifier(search=search, pruning=None, stopping=bough.recipe.MinRows(40, 15), random_state=0).fit(X, y)
    assert min(node.rows for node in clf.tree_) >= 15


@pytest.mark.parametrize("estimator", [FACTClassifier, LMDTClassifier])
@pytest.mark.parametrize("table", ["credit_g", "votes", "hypothyroid"])
def test_tables_as_they_are(estimator, table, tmp_path, shared):
    X = pd.read_csv(shared / "data" / f"{table}.csv", nrows=600)
    y = X.pop("class" if "class" in X else X.columns[-1])
    clf = estimator(pruning=None, max_depth=3, random_state=0).fit(X, y)
    assert any(len(node.split.columns) > 1 for node in clf.tree_ if node.split is not None)
    counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
    assert [node.rows for node in clf.tree_] == counts.tolist()
    clf.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    assert type(loaded) is estimator


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
def test_scaling_by_a_power_of_two_changes_nothing(search):
    X, y = bands()
    first, second = (grown(search, table, y) for table in (X, X * [0.25, 8.0, 1.0, 2.0**20]))
    np.testing.assert_array_equal(first.apply(X), second.apply(X * [0.25, 8.0, 1.0, 2.0**20]))


def test_three_rows_are_a_weight_of_three():
    X, y = bands(120)
    many = pd.concat([X, X, X], ignore_index=True)
    for search in SEARCHES[:2]:
        heavy = TreeClassifier(search=search, pruning=None, stopping=None).fit(X, y, sample_weight=np.full(len(y), 3.0))
        often = TreeClassifier(search=search, pruning=None, stopping=None).fit(many, np.tile(y, 3))
        assert (heavy.predict(X) == often.predict(X)).mean() > 0.99


def test_what_machines_do_not_go_with_is_refused():
    X, y = bands(60)
    with pytest.raises(ParameterError, match="linear=False asks one column"):
        grown(Machine("thermal", linear=False), X, y)
    with pytest.raises(ParameterError, match="drops terms from linear machines"):
        grown(Machine(sparse="backward"), X, y)
    with pytest.raises(ParameterError, match="classes"):
        TreeRegressor(search=Machine()).fit(X, y)
    with pytest.raises(ValueError, match="twoing"):
        TreeClassifier(search=Machine(), criterion="twoing").fit(X, y)
