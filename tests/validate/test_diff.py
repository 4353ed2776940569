"""How two trees differ: every place is accounted for, and rows are answered by both."""

import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.recipe import Exhaustive, Surrogates


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


def test_a_tree_does_not_differ_from_itself(penguins):
    X, y = penguins
    model = bough.CARTClassifier(pruning=None).fit(X, y)
    found = bough.diff(model, model.tree_, X)
    assert not found
    assert found.n_same == model.tree_.n_nodes
    assert found.changed == 0
    assert "changed: none" in str(found)


def test_every_node_is_in_one_place(penguins):
    X, y = penguins
    one = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    two = bough.C45Classifier().fit(X, y)
    found = bough.diff(one, two, X)
    only_a = sum(change.change == "only a" for change in found.changes)
    only_b = sum(change.change == "only b" for change in found.changes)
    both = found.n_same + len(found.changes) - only_a - only_b
    assert both + only_a == one.tree_.n_nodes
    assert both + only_b == two.tree_.n_nodes
    expected = np.mean(np.asarray(one.predict(X)) != np.asarray(two.predict(X)))
    assert found.changed == pytest.approx(expected)
    frame = found.to_frame()
    assert len(frame) == len(found.changes)
    trees = {"only b": two.tree_}
    for node, change in zip(frame["node"], found.changes, strict=True):
        assert trees.get(change.change, one.tree_).node(node).path == change.path


def test_kinds_of_change():
    x = np.arange(40.0)
    one = bough.CARTClassifier().fit({"x": x, "z": x % 7}, x > 19)
    two = bough.CARTClassifier().fit({"x": x, "z": x % 7}, x > 24)
    assert [change.change for change in bough.diff(one, two).changes] == ["threshold"]
    level = ["a", "b", "c", "d"] * 10
    one = bough.CARTClassifier().fit({"l": level}, [v in "ab" for v in level])
    two = bough.CARTClassifier().fit({"l": level}, [v in "ac" for v in level])
    assert bough.diff(one, two).changes[0].change == "levels"
    three = bough.CARTClassifier().fit({"l": level}, [v not in "ab" for v in level])
    assert [change.change for change in bough.diff(one, three).changes] == ["missing", "answer", "answer"]
    reg = bough.CARTRegressor().fit({"x": x}, x)
    assert bough.diff(reg, bough.CARTRegressor(max_depth=1).fit({"x": x}, x), {"x": x}).largest > 0


def levelled(seed=1, n=400):
    rng = np.random.default_rng(seed)
    level, x = rng.choice(list("abcd"), n), rng.normal(size=n)
    y = np.where(np.isin(level, ["a", "b"]) ^ (x > 0.5) ^ (rng.random(n) < 0.1), "yes", "no")
    return pd.DataFrame({"l": level, "x": x}), y


def test_branches_correspond_by_what_leads_to_them_not_by_their_numbers():
    X, y = levelled()
    kinds = {"pruning": None, "max_depth": 3, "missing": Surrogates(0, fallback="stop")}
    one = bough.CARTClassifier(**kinds).fit(X, y)
    two = bough.CARTClassifier(**kinds, search=Exhaustive(branch_order="response")).fit(X, y)
    assert one.tree_.root.split.levels == two.tree_.root.split.levels[::-1]
    found = bough.diff(one, two, X)
    assert not found
    assert (found.n_same, found.changed, found.largest) == (15, 0.0, 0.0)
    moved = bough.CARTClassifier(**kinds, search=Exhaustive(branch_order="response")).fit(X.assign(x=X["x"] + 1), y)
    changes = bough.diff(one, moved).changes
    assert {change.change for change in changes} == {"threshold"}
    for change in changes:
        assert change.a[:4] == change.b[:4] == "x <="
        assert float(change.b[4:]) == pytest.approx(float(change.a[4:]) + 1, rel=1e-4)
        assert change.rows_a == change.rows_b == one.tree_.node(change.path).rows


def test_a_level_more_is_a_branch_more():
    level = np.repeat(list("abc"), 40)
    z = np.tile(np.arange(8.0), 15)
    y = np.char.add(level, np.where(z > 3, "+", "-"))
    kinds = {"branching": "per_level", "missing": "fractional", "pruning": None}
    two = bough.TreeClassifier(**kinds).fit({"l": level, "z": z}, y)
    some = level != "c"
    one = bough.TreeClassifier(**kinds).fit({"l": level[some], "z": z[some]}, y[some])
    assert one.tree_.root.split.column == two.tree_.root.split.column == "l"
    found = bough.diff(one, two)
    assert [(c.path, c.change, c.a, c.b) for c in found.changes] == [
        ((), "levels", "", "l = c"),
        ((2,), "only b", "", "z <= 3.5"),
        ((2, 0), "only b", "", "answers c-"),
        ((2, 1), "only b", "", "answers c+"),
    ]
    assert found.n_same == 6
    back = bough.diff(two, one)
    assert [(c.path, c.change) for c in back.changes][:2] == [((), "levels"), ((2,), "only a")]
    assert "only a" in str(back)


def test_nodes_of_one_tree_only_have_the_path_they_have_there():
    X, y = levelled()
    one = bough.CARTClassifier(max_depth=3, pruning=None).fit(X, y)
    two = bough.CARTClassifier(max_depth=3, pruning=None).fit(X.rename(columns={"x": "z"}), y)
    found = bough.diff(one, two)
    trees = {"only a": one.tree_, "only b": two.tree_}
    alone = [change for change in found.changes if change.change in trees]
    assert len(alone) == 24
    for change in alone:
        node = trees[change.change].node(change.path)
        assert node.rows == max(change.rows_a, change.rows_b)


def test_other_ways_of_missing_values_are_a_change():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = pd.DataFrame({"x": x, "twin": x + rng.normal(size=300) / 5})
    y = x > 0.3
    one = bough.CARTClassifier(max_depth=1).fit(X, y)
    two = bough.CARTClassifier(max_depth=1, missing=Surrogates(max_surrogates=0)).fit(X, y)
    asked = X.assign(x=np.nan)
    found = bough.diff(one, two, asked)
    assert found
    [change] = found.changes
    assert (change.change, change.path) == ("missing", ())
    assert change.a.startswith("asks twin <= ")
    assert change.b.startswith("goes with x <= ")
    assert found.changed == pytest.approx(np.mean(one.predict(asked) != two.predict(asked)))
    assert found.changed > 0.2
    alone = {"branching": "binary", "pruning": None, "stopping": None}
    holes = X.assign(x=X["x"].mask(rng.random(300) < 0.2))
    parts = [bough.TreeClassifier(**alone, missing=way).fit(holes, y) for way in ("own_branch", "majority_branch")]
    assert bough.diff(*parts)
    assert not bough.diff(parts[0], parts[0])


def test_classes_and_targets_that_only_one_knows_are_told():
    X, y = levelled()
    more = pd.Series(np.where((y == "yes") & (X["x"] > 1), "very", y), name="mood")
    kinds = {"pruning": None, "max_depth": 3}
    one, two = bough.CARTClassifier(**kinds).fit(X, y), bough.CARTClassifier(**kinds).fit(X, more)
    for a, b in ((one, two), (one.tree_, two.tree_)):
        found = bough.diff(a, b, X)
        assert found.classes == ((), ("very",))
        assert found.targets == ("y", "mood")
        assert "a predicts y, b predicts mood" in str(found)
        assert "only b knows the class very" in str(found)
        shares, others = one.predict_proba(X), two.predict_proba(X)
        apart = np.abs(np.c_[shares[:, 0], np.zeros(len(X)), shares[:, 1]] - others[:, [0, 1, 2]])
        assert two.classes_.tolist() == ["no", "very", "yes"]
        assert found.largest == pytest.approx(apart.max())
        assert found.changed == pytest.approx(np.mean(one.predict(X) != two.predict(X)))


def test_probabilities_alone_are_told_by_their_largest_difference():
    X, y = levelled()
    one = bough.CARTClassifier(max_depth=1, pruning=None, missing=Surrogates(max_surrogates=0)).fit(X, y)
    two = bough.CARTClassifier(max_depth=1, pruning=None, priors="equal", missing=Surrogates(max_surrogates=0)).fit(
        X, y
    )
    found = bough.diff(one, two, X)
    assert (bool(found), found.changed) == (False, 0.0)
    assert found.largest == pytest.approx(np.abs(one.predict_proba(X) - two.predict_proba(X)).max())
    assert "largest difference of probabilities: 0.0" in str(found)


def test_numbers_that_read_the_same_are_told_with_all_digits():
    x = np.arange(40.0)
    one = bough.CARTRegressor(max_depth=1).fit({"x": x}, x)
    two = bough.CARTRegressor(max_depth=1).fit({"x": x}, x + 1e-9)
    found = bough.diff(one, two, {"x": x})
    assert all(change.a != change.b for change in found.changes)
    assert (found.changed, found.largest) == (1.0, pytest.approx(1e-9, rel=1e-4))
    assert "largest difference of values: 1e-09" in str(found)
    near = bough.CARTClassifier().fit({"x": x + 1e-9}, x > 19)
    [change] = bough.diff(bough.CARTClassifier().fit({"x": x}, x > 19), near).changes
    assert change.a != change.b


def test_rows_have_the_columns_of_both():
    X, y = levelled()
    one = bough.CARTClassifier(max_depth=2).fit(X, y)
    two = bough.CARTClassifier(max_depth=2).fit(X.rename(columns={"x": "z"}), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bough.diff(one, two, X.assign(z=X["x"])).changed == 0.0
    with pytest.raises(bough.errors.DataError, match="b cannot answer X"):
        bough.diff(one, two, X)
    with pytest.raises(bough.errors.ParameterError, match="a fitted estimator of bough"):
        bough.diff(one, DecisionTreeClassifier().fit(X[["x"]], y))


def test_trees_of_different_kinds_are_refused():
    x = np.arange(40.0)
    with pytest.raises(bough.errors.ParameterError, match="two of a kind"):
        bough.diff(bough.CARTClassifier().fit({"x": x}, x > 19), bough.CARTRegressor().fit({"x": x}, x))


def peak_of(work):
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_with_the_nodes_not_with_their_paths(make_chain):
    small = make_chain(1)
    peaks = []
    for depth in (1_000, 8_000):
        chain = make_chain(depth)
        found, peak = peak_of(lambda chain=chain: bough.diff(chain, small))
        assert len(found.changes) >= chain.n_nodes - 2
        assert len(found.to_frame()) == len(found.changes)
        peaks.append(peak)
    assert peaks[1] < 10 * peaks[0]


def test_no_recursion_over_the_depth(make_chain):
    one, two = make_chain(100_000), make_chain(99_999)
    found = bough.diff(one, two)
    assert found
    assert len(str(found).splitlines()) < 60
    assert max(map(len, str(found).splitlines())) < 300
    last = found.changes[-1]
    assert len(last.path) == one.depth
    assert one.node(last.path).id == last.node.id
