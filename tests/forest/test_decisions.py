"""What classes weigh in a forest, what errors cost, and how rows are drawn by class and weight."""

import pickle

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.recipe import Sampling

FOREST = bough.RandomForestClassifier


@pytest.fixture(scope="module")
def table():
    """Three classes of quite different shares, which one column tells apart a little."""
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 900, p=[0.7, 0.25, 0.05])
    return {"x": rng.random(900) + 0.5 * (y == "b") + 0.8 * (y == "c"), "z": rng.random(900)}, y


def grown(table, **how):
    given = {"n_estimators": 25, "min_samples_leaf": 10, "random_state": 0} | how
    return FOREST(**given).fit(*table)


def mean(clf, X):
    return clf.predict_proba(X).mean(axis=0)


def test_class_weights_are_weights_of_rows(table):
    X, y = table
    by_class = grown(table, class_weight={"b": 2, "c": 5})
    weights = np.select([y == "b", y == "c"], [2, 5], 1)
    by_row = FOREST(n_estimators=25, min_samples_leaf=10, random_state=0).fit(X, y, weights)
    np.testing.assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))


@pytest.mark.parametrize("how", [{"class_weight": "balanced"}, {"priors": "equal"}, {"priors": [1 / 3, 1 / 3, 1 / 3]}])
def test_probabilities_show_priors(table, how):
    X, y = table
    plain, moved = mean(grown(table), X), mean(grown(table, **how), X)
    assert abs(plain[2] - (y == "c").mean()) < 0.02
    assert moved[2] > 1.5 * plain[2]


@pytest.mark.parametrize("kind", [bough.RandomForestClassifier, bough.ExtraTreesClassifier])
def test_costs_decide_and_show_in_no_probability(table, kind):
    X, y = table
    given = {"n_estimators": 25, "min_samples_leaf": 10, "random_state": 0, "bootstrap": True, "oob_score": True}
    plain = kind(**given).fit(X, y)
    costs = np.array([[0, 1, 2], [3, 0, 2], [30, 20, 0]])
    clf = kind(costs=costs, **given).fit(X, y)
    shares = clf.predict_proba(X)
    np.testing.assert_array_equal(shares, plain.predict_proba(X))
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[(shares @ costs).argmin(axis=1)])
    assert (clf.predict(X) == "c").sum() > 3 * (plain.predict(X) == "c").sum() + 20
    told = clf.out_of_bag_
    paid = costs[np.searchsorted(clf.classes_, y), np.searchsorted(clf.classes_, told.prediction.astype(str))]
    assert told.error[-1] == pytest.approx(paid.mean())
    counts = told.confusion().set_index("true").to_numpy()
    assert counts.sum() == len(y)
    assert counts[2, 2] == ((y == "c") & (told.prediction == "c")).sum()


def test_balanced_bags_say_all_classes_alike_unless_their_shares_are_kept(table, tmp_path):
    X, y = table
    drawn = grown(table, sampling="balanced")
    kept = grown(table, sampling=Sampling(classes="balanced", priors="kept"), oob_score=True, n_jobs=2)
    # The same trees; what a class counts in the answers is its share in the table over that in the bags.
    np.testing.assert_array_equal(kept.apply(X), drawn.apply(X))
    size = np.unique(y, return_counts=True)[1]
    leaves = drawn.forest_.kernel.answer.reshape(-1, 3) * size
    expected = leaves / leaves.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(kept.forest_.kernel.answer.reshape(-1, 3), expected, atol=2e-3)
    assert mean(drawn, X)[2] > 0.2
    assert abs(mean(kept, X)[2] - size[2] / len(y)) < 0.03
    # Whatever draws the bags again knows of it, and so do files, members and a warm start.
    assert kept.out_of_bag(X, y).score() == kept.oob_score_
    assert kept.importance("permutation", X=X, y=y).ranking[0] == "x"
    kept.save(tmp_path / "forest.bough")
    np.testing.assert_array_equal(bough.load(tmp_path / "forest.bough").predict_proba(X), kept.predict_proba(X))
    members = np.mean([tree.predict_proba(X) for tree in kept], axis=0)
    np.testing.assert_allclose(members, kept.predict_proba(X))
    longer = kept.set_params(n_estimators=30, warm_start=True).fit(X, y)
    once = grown(table, sampling=Sampling(classes="balanced", priors="kept"), n_estimators=30)
    np.testing.assert_array_equal(longer.predict_proba(X), once.predict_proba(X))


def test_shares_are_kept_for_groups_and_for_weights_in_the_draw(table):
    X, y = table
    weights = np.where(y == "a", 1.5, 1.0)
    by_weight = Sampling(classes="balanced", priors="kept", weights="draw")
    clf = FOREST(n_estimators=25, min_samples_leaf=10, sampling=by_weight).fit(X, y, weights)
    share = weights[y == "c"].sum() / weights.sum()
    assert abs(clf.predict_proba(X)[:, 2].mean() - share) < 0.03
    groups = np.arange(900) // 3
    y = np.repeat(y[::3], 3)  # a group has one class
    X = {"x": X["x"] + (y == "c"), "z": X["z"]}
    kept = Sampling(classes="balanced", priors="kept")
    clf = FOREST(n_estimators=25, min_samples_leaf=10, sampling=kept, oob_score=True).fit(X, y, groups=groups)
    assert abs(clf.predict_proba(X)[:, 2].mean() - (y == "c").mean()) < 0.03
    assert clf.out_of_bag(X, y, groups=groups).score() == clf.oob_score_
    with pytest.raises(DataError, match="other draws"):
        clf.out_of_bag(X, y)


@pytest.mark.parametrize("classes", [True, False])
def test_rows_are_drawn_by_their_weights_on_request(table, classes):
    """Heavy rows are then in more bags, and count no more there; rows of weight 0 are in none."""
    X, y = table
    y = y if classes else X["x"] + X["z"]
    weights = np.where(np.arange(900) < 300, 3.0, 0.5)
    weights[-50:] = 0
    kind = FOREST if classes else bough.RandomForestRegressor
    clf = kind(n_estimators=120, sampling=Sampling(weights="draw"), oob_score=True).fit(X, y, weights)
    kernel = clf.forest_.kernel
    trees = [kernel.tree(number) for number in range(len(clf))]
    assert {int(kernel.weight[tree["place"][tree["child"] < 0]].sum()) for tree in trees} == {850}
    told = clf.out_of_bag(X, y, weights)
    assert told.score() == clf.oob_score_
    assert told.times[:300].mean() < 20 < 70 < told.times[300:850].mean()
    assert (told.times[-50:] == 120).all()
    shares = kind(n_estimators=2, sampling=Sampling(weights="draw"), min_samples_split=0.5).fit(X, y, weights)
    assert max(len(tree) for tree in shares) > 1


@pytest.mark.parametrize(
    "how", [{"class_weight": "balanced"}, {"sampling": Sampling(classes="balanced", priors="kept")}]
)
def test_a_tree_shows_weights_as_they_were_given(table, how, tmp_path):
    """Not the whole numbers in which the kernel adds them."""
    X, y = table
    clf = grown(table, n_estimators=5, **how)
    shares = np.full(3, 1 / 3) if "class_weight" in how else np.unique(y, return_counts=True)[1] / len(y)
    bag = len(y) if "class_weight" in how else 3 * (y == "c").sum()
    for tree in clf:
        root = tree.root
        assert root.rows == pytest.approx(bag, rel=0.2)
        assert root.weight == pytest.approx(sum(root.counts.values()), rel=1e-9)
        np.testing.assert_allclose(list(root.probabilities.values()), shares, atol=0.1)
        assert sum(leaf.rows for leaf in tree if leaf.is_leaf) == root.rows
    for name in ("forest.bough", "forest.json"):
        clf.save(tmp_path / name)
        assert bough.load(tmp_path / name)[2] == clf[2]
    assert pickle.loads(pickle.dumps(clf))[2] == clf[2]
    reg = bough.RandomForestRegressor(n_estimators=3).fit(X, X["z"], np.linspace(0.5, 1.5, 900))
    assert all(750 < tree.root.weight < 1050 for tree in reg)


def test_what_says_two_things_is_refused(table):
    with pytest.raises(ParameterError, match="say two things"):
        grown(table, sampling=Sampling(classes="balanced", priors="kept"), priors="equal")
    with pytest.raises(ParameterError, match="one of them"):
        grown(table, priors="equal", class_weight="balanced")
    reg = bough.RandomForestRegressor(n_estimators=2, sampling=Sampling(weights="draw"), keep_rows=True)
    reg.fit(table[0], table[0]["x"], np.arange(900) + 0.5)
    with pytest.raises(ParameterError, match="drawn one by one"):
        reg.predict_standard_error(table[0])


def test_a_leaf_of_equal_classes_divides_its_vote(tmp_path):
    """Three classes on two values: both leaves are tied, one between two classes, one among three."""
    X, y = {"x": [0, 0, 1, 1, 1]}, ["b", "c", "a", "b", "c"]
    votes = [[0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]]
    for kind in (FOREST, bough.ExtraTreesClassifier):
        clf = kind(n_estimators=4, vote="majority", bootstrap=False).fit(X, y)
        np.testing.assert_allclose(clf.predict_proba({"x": [0, 1]}), votes, rtol=1e-12)
        assert clf.predict({"x": [0, 1]}).tolist() == ["b", "a"]  # equal in all: the first, as everywhere
        clf.save(tmp_path / "forest.bough")
        np.testing.assert_array_equal(bough.load(tmp_path / "forest.bough").predict_proba(X), clf.predict_proba(X))
        assert bough.export(clf, "json").report.cases > 0


def test_majority_votes_lean_to_no_class():
    """Noise alone: two classes whose names are exchanged get each other's votes, out of bag too."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (80, 3)), rng.choice([0, 1], 80)
    one, other = (
        FOREST(n_estimators=30, vote="majority", oob_score=True).fit(X, labels).out_of_bag_ for labels in (y, 1 - y)
    )
    np.testing.assert_allclose(one.votes, other.votes[:, ::-1], rtol=1e-12)


def test_a_forest_of_majority_votes_is_a_program(table):
    X, _ = table
    clf = grown(table, vote="majority", n_estimators=5, costs=[[0, 1, 1], [2, 0, 1], [9, 1, 0]])
    assert bough.export(clf, "python").report.cases > 0
    member = bough.model.Ensemble(list(clf), "majority")
    np.testing.assert_allclose(clf.predict_proba(X), member.predict_proba(X), rtol=1e-12)
    np.testing.assert_array_equal(clf.predict(X), member.predict(X))
