"""Ways to grow a forest beside the plain one, through the estimators: what each promises holds."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError

MISSING = ("learned", "own_branch", "majority", "random")


@pytest.fixture(scope="module")
def table():
    """Numbers, ordered and nominal levels, each with holes; the target depends on all and on the holes."""
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n).round(2),
            "colour": rng.choice(list("abcdefg"), n),
            "grade": rng.integers(0, 5, n).astype(float),
            "noise": rng.normal(size=n),
        }
    )
    signal = frame["size"] + frame["colour"].isin(list("bdf")) + 0.4 * frame["grade"] + 0.3 * rng.normal(size=n)
    for name in ("size", "colour", "grade"):
        frame.loc[rng.random(n) < 0.15, name] = None
    signal += 0.8 * frame["size"].isna()
    return frame, signal.to_numpy()


def fitted(table, kind="RandomForest", classes=True, **parameters):
    frame, signal = table
    estimator = getattr(bough, kind + ("Classifier" if classes else "Regressor"))
    y = np.where(signal > 1.2, "yes", "no") if classes else signal
    return estimator(n_estimators=6, random_state=1, **parameters).fit(frame, y)


VARIANTS = [
    *({"missing": rule} for rule in MISSING[1:]),
    {"missing": "own_branch", "max_leaf_nodes": 9},
    {"missing": "random", "absent": "random", "level_order": "forest"},
    {"absent": "missing", "subspace": "tree", "criterion": "entropy"},
]


@pytest.mark.parametrize("parameters", VARIANTS)
@pytest.mark.parametrize("kind", ["RandomForest", "ExtraTrees"])
def test_members_programs_and_files_answer_as_the_forest_does(table, kind, parameters, tmp_path):
    clf = fitted(table, kind, **parameters)
    fresh = table[0].assign(colour=table[0]["colour"].where(table[0]["noise"] > -1, None))
    expected = clf.predict_proba(fresh)
    np.testing.assert_allclose(np.mean([tree.predict_proba(fresh) for tree in clf], axis=0), expected, atol=1e-12)
    for name in ("forest.json", "forest.bough"):
        clf.save(tmp_path / name)
        read = bough.load(tmp_path / name)
        assert read.get_params() == clf.get_params()
        np.testing.assert_array_equal(read.predict_proba(fresh), expected)
    assert bough.export(clf, "python").report.cases > 100
    assert np.mean(clf.predict(table[0]) == np.where(table[1] > 1.2, "yes", "no")) > 0.7


def test_rows_without_a_value_have_a_branch_of_their_own(table):
    """Below a split that parts missing values off, the known rows are cut by the same column at once."""
    forest = fitted(table, missing="own_branch", classes=False).forest_
    parted = 0
    for number in range(len(forest)):
        tree = forest.kernel.tree(number)
        for node in np.flatnonzero((tree["threshold"] == np.inf) & (tree["child"] >= 0)):
            child = tree["child"][node]
            parted += tree["child"][child] >= 0 and tree["column"][child] == tree["column"][node]
    assert parted > 20


def test_the_side_of_missing_values_is_the_heavier_or_drawn(table):
    """Over many trees, missing values go to both sides of the same stump if drawn, and to one if not."""
    rng = np.random.default_rng(3)
    x = np.r_[np.zeros(70), np.ones(30)]
    X = np.column_stack([np.where(rng.random(100) < 0.2, np.nan, x)])
    for rule, sides in (("majority", {0}), ("random", {0, 1})):
        clf = bough.RandomForestClassifier(n_estimators=60, max_depth=1, bootstrap=False, missing=rule).fit(X, x)
        found = [int(clf.forest_.kernel.tree(number)["missing_high"][0]) for number in range(60)]
        assert set(found) == sides
        # By the shares of the branches: about 30 of 100 go high.
        assert rule == "majority" or 5 < sum(found) < 32


def test_max_leaf_nodes_keeps_the_splits_of_best_first_growth(table):
    """One leaf more is one split more, and splits come by falling gain where no branch gains more than its node."""
    before = None
    for leaves in (2, 3, 4, 7, 12, 10**6):
        reg = fitted(table, classes=False, max_leaf_nodes=leaves)
        sizes = np.diff(reg.forest_.kernel.begin.astype(int)) // 2 + 1
        assert (sizes <= leaves).all()
        assert leaves > 12 or (sizes == leaves).all()
        importance = reg.forest_.kernel.gain.sum()
        assert before is None or importance > before
        before = importance
    whole = fitted(table, classes=False)
    np.testing.assert_array_equal(whole.predict(table[0]), reg.predict(table[0]))


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("classes", [False, True])
def test_monotone_constraints_hold_for_the_mean_and_for_residual_intervals(classes, missing):
    rng = np.random.default_rng(5)
    n = 500
    X = pd.DataFrame(rng.uniform(size=(n, 4)), columns=list("abcd"))
    signal = np.sin(5 * X["a"]) + 2 * X["a"] - X["b"] + X["c"] + 0.5 * rng.normal(size=n)
    X = X.mask(rng.random(X.shape) < 0.1)
    y = signal > signal.median() if classes else signal
    kind = bough.RandomForestClassifier if classes else bough.RandomForestRegressor
    given = {"n_estimators": 15, "max_features": 2, "missing": missing, "random_state": 0}
    free = kind(**given).fit(X, y)
    bound = kind(monotonic_cst={"a": 1, "b": -1}, **given).fit(X, y)
    grid = np.linspace(0, 1, 41)
    others = X.dropna().iloc[:25]

    def steps(model, column, answer):
        said = [answer(model, others.assign(**{column: value})) for value in grid]
        return np.diff(said, axis=0)

    def mean(model, rows):
        return model.predict_proba(rows)[:, 1] if classes else model.predict(rows)

    for column, sign in (("a", 1), ("b", -1)):
        assert (sign * steps(bound, column, mean) >= -1e-12).all()
        assert (sign * steps(free, column, mean) < -1e-3).any()
        if not classes:
            told = bound.out_of_bag(X, y)
            residuals = np.quantile((y - told.prediction)[~np.isnan(told.prediction)], [0.05, 0.95])
            ends = [lambda model, rows, off=off: mean(model, rows) + off for off in residuals]
            assert all((sign * steps(bound, column, end) >= -1e-12).all() for end in ends)


def test_levels_in_the_order_of_the_forest_are_cut_as_numbers(table):
    """All sets of a column are beginnings of one order; sets of nodes are not."""
    for order, nested in (("forest", True), ("node", False)):
        reg = fitted(table, classes=False, level_order=order)
        sets = set()
        for number in range(len(reg)):
            tree = reg.forest_.kernel.tree(number)
            for node in np.flatnonzero(tree["column"] == 1):
                word = int(reg.forest_.kernel.set[tree["place"][node]]) & 0b1111111
                sets.add(frozenset(level for level in range(7) if word >> level & 1))
        assert all(a <= b or b <= a for a in sets for b in sets) == nested


def test_columns_are_drawn_once_for_a_tree(table):
    clf = fitted(table, subspace="tree", max_features=2)
    used = [set(clf.forest_.kernel.tree(number)["column"].tolist()) - {-1} for number in range(len(clf))]
    assert all(len(columns) <= 2 for columns in used)
    assert len(set.union(*used)) > 2


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"criterion": "twoing"}, "grows by 'gini' or 'entropy' or 'log_loss'; BaggedTrees"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes"),
        ({"missing": "surrogate"}, "missing must be one of 'learned', 'own_branch'"),
        ({"absent": "stop"}, "absent must be one of"),
        ({"level_order": "table"}, "level_order must be one of"),
        ({"subspace": "forest"}, "subspace must be one of"),
        ({"monotonic_cst": {"colour": 1}}, "'colour', whose levels have no order"),
        ({"monotonic_cst": {"weight": 1}}, "which X does not have"),
        ({"monotonic_cst": [1, 0, 0, 2]}, "must hold -1, 0 or 1"),
        ({"monotonic_cst": {"size": 1}, "criterion": "entropy"}, "criterion='gini'"),
    ],
)
def test_what_no_forest_can_do_is_refused_with_a_sentence(table, parameters, problem):
    with pytest.raises(ParameterError, match=problem):
        fitted(table, **parameters)


def test_constraints_need_an_order_of_the_classes(table):
    clf = bough.RandomForestClassifier(n_estimators=2, monotonic_cst={"size": 1})
    with pytest.raises(ParameterError, match="needs two classes; y has 3"):
        clf.fit(table[0], np.arange(len(table[1])) % 3)
    with pytest.raises(ParameterError, match="grows by 'squared_error'"):
        fitted(table, classes=False, criterion="gini")
