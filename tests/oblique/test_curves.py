"""Curved tests: what each kind asks, that it says the same everywhere, and what is refused."""

import numpy as np
import pytest

import bough
from bough import SphereTreeClassifier, TreeClassifier, TreeRegressor
from bough.errors import ParameterError
from bough.recipe import Curved, MaxDepth

KINDS = [
    Curved(),
    Curved(perturb=False),
    Curved("sphere"),
    Curved("ellipsoid"),
    Curved("ellipsoid", full=True),
    Curved("principal"),
]


def points(rows, columns=2, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (rows, columns))


def grown(search, X, y, **more):
    return TreeClassifier(search=search, pruning=None, stopping=None, **more).fit(X, y)


def test_a_sphere_is_a_distance_in_standard_deviations():
    X = points(500) * [1.0, 100.0] + [0.0, 5000.0]
    y = ((X - [0.2, 5010.0]) ** 2 / [0.2, 2000.0]).sum(axis=1) < 1
    clf = TreeClassifier(search=Curved("sphere"), pruning=None, stopping=MaxDepth(1)).fit(X, y)
    test = clf.tree_.root.split.test
    assert test.words(0, exact=False).startswith("distance to (")
    centre = np.array([term.centre for term in test.feature.terms])
    assert np.allclose(centre, [0.2, 5010.0], atol=[0.1, 10.0])
    far = np.sqrt((((X - centre) / X.std(axis=0)) ** 2).sum(axis=1))
    low = far**2 <= test.raw_threshold
    assert (clf.apply(X) == np.where(low, 1 + test.low, 2 - test.low)).all()
    assert float(test.words(0, exact=False).split()[-1]) == pytest.approx(test.raw_threshold**0.5, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_round_to_the_user_is_one_test(seed):
    # Standard deviations of two columns differ by more than the rows between two circles would bear.
    X, fresh = points(1000, seed=seed) * [8.0, 8.0], points(2000, seed=100 + seed) * [8.0, 8.0]
    clf = grown(Curved("sphere"), X, (X**2).sum(axis=1) < 40.0)
    assert clf.get_n_leaves() == 2
    assert clf.score(fresh, (fresh**2).sum(axis=1) < 40.0) > 0.99


@pytest.mark.parametrize(
    ("search", "inside"),
    [
        (Curved("ellipsoid"), lambda x: (x[:, 0] / 0.9) ** 2 + (x[:, 1] / 0.3) ** 2 < 1),
        (
            Curved("ellipsoid", full=True),
            lambda x: ((x[:, 0] + x[:, 1]) / 1.2) ** 2 + ((x[:, 0] - x[:, 1]) / 0.4) ** 2 < 1,
        ),
        (Curved(), lambda x: x[:, 0] * x[:, 1] > 0.1),
    ],
    ids=["axes", "full", "hyperbola"],
)
def test_each_kind_finds_its_own_curve(search, inside):
    X, fresh = points(1000), points(5000, seed=1)
    clf = grown(search, X, inside(X))
    plain = grown("exhaustive", X, inside(X))
    assert clf.get_n_leaves() < plain.get_n_leaves() / 2
    assert clf.score(fresh, inside(fresh)) > max(0.985, plain.score(fresh, inside(fresh)))


def test_principal_axes_are_those_of_the_rows():
    random = np.random.default_rng(0)
    along, across = random.normal(size=800), 0.1 * random.normal(size=800)
    X = np.column_stack([along + across, along - across])
    split = grown(Curved("principal"), X, along > 0).tree_.root.split
    weights = [term.weight * term.scale for term in split.test.feature.terms]
    assert split.found == "principal_axis"
    assert np.allclose(weights, [0.5**0.5] * 2, atol=0.02)


def test_of_many_columns_the_fifteen_that_tell_most_are_multiplied():
    X = points(600, 20)
    y = X[:, 17] + X[:, 3] ** 2 + X[:, 8] * X[:, 17] > 0.3
    terms = grown(Curved(perturb=False), X, y).tree_.root.split.test.feature.terms
    assert len({factor.column for term in terms for factor in term.factors}) == 15
    assert 17 in {term.column for term in terms}


@pytest.mark.parametrize("search", KINDS, ids=repr)
def test_rows_in_three_copies_are_rows_of_weight_three(search):
    X = points(150, 3)
    y = (X**2).sum(axis=1) + 0.3 * np.random.default_rng(1).normal(size=150) > 1
    more = {"pruning": None, "stopping": None}
    copies = TreeClassifier(search=search, **more).fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    weighted = TreeClassifier(search=search, **more).fit(X, y, sample_weight=np.full(150, 3.0))
    # Pools of rows may round otherwise in the last bits, so that answers are compared, not bits.
    assert (copies.predict(X) == weighted.predict(X)).all()


@pytest.mark.parametrize("search", KINDS, ids=repr)
def test_scaling_by_a_power_of_two_changes_nothing(search):
    X = points(300, 3) + [0.0, 3.0, -1.0]
    y = X[:, 0] * X[:, 1] + X[:, 2] ** 2 > 1
    clf, scaled = grown(search, X, y), grown(search, X * [4.0, 0.125, 1024.0], y)
    fresh = points(1000, 3, seed=3) + [0.0, 3.0, -1.0]
    assert (clf.apply(fresh) == scaled.apply(fresh * [4.0, 0.125, 1024.0])).all()
    assert any(len(node.split.columns) > 1 for node in clf.tree_ if node.split is not None)


@pytest.mark.parametrize("search", KINDS, ids=repr)
def test_files_hold_curves(search, tmp_path):
    X = points(300, 3)
    y = X[:, 0] * X[:, 1] + X[:, 2] ** 2 > 0.3
    clf = SphereTreeClassifier(search=search, pruning=None).fit(X, y)
    clf.save(tmp_path / "model.json")
    again = bough.load(tmp_path / "model.json")
    assert again.tree_.to_content() == clf.tree_.to_content()
    fresh = points(1000, 3, seed=1)
    assert (again.apply(fresh) == clf.apply(fresh)).all()


@pytest.mark.parametrize("name", ["penguins", "titanic", "missing_score"])
def test_tables_are_taken_as_they_are(name):
    X, y = bough.datasets.load(name).xy()
    for search in (Curved("sphere"), Curved(perturb=False)):
        clf = SphereTreeClassifier(search=search, pruning=None, max_depth=3).fit(X, y)
        counts = np.asarray(clf.decision_path(X).sum(axis=0)).ravel()
        assert [node.rows for node in clf.tree_] == counts.tolist()


def test_numbers_are_predicted_along_curves():
    X = points(600)
    y = np.hypot(X[:, 0], X[:, 1])
    curved = TreeRegressor(search=Curved("sphere"), pruning=None, stopping=["max_leaves"]).fit(X, y)
    assert any(
        node.split.test.feature.is_distance for node in curved.tree_ if node.split and len(node.split.columns) > 1
    )


def test_what_goes_together_with_nothing_is_refused():
    X, y = points(50), np.arange(50) % 2
    with pytest.raises(ParameterError, match=r"full=True is for kind='ellipsoid'.* kind is 'sphere'"):
        grown(Curved("sphere", full=True), X, y)
    with pytest.raises(ParameterError, match=r"perturb=True would turn principal axes into any plane"):
        grown(Curved("principal", perturb=True), X, y)
    with pytest.raises(ParameterError, match=r"kind"):
        grown(Curved("cubic"), X, y)
    with pytest.raises(ParameterError, match="sum"):
        TreeRegressor(search=Curved(), criterion="absolute_error").fit(X, y.astype(float))
