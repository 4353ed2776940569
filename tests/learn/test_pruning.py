"""Cost-complexity pruning: the sequence by its definition, subtrees without refitting, cross-validation by hand."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit, StratifiedKFold

import bough
from bough import CARTClassifier, CARTRegressor
from bough.errors import DataError, DataWarning, ParameterError
from bough.recipe import Auto, CostComplexity, CrossValidated, ErrorBased, Reading
from bough.testing import Rules, assert_same_tree, random_table, read_tree, to_frame, weakest_link

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
COLUMNS = ["cp", "alpha", "n_leaves", "n_splits", "risk", "cv_risk", "cv_se"]


def random_fit(seed, **parameters):
    """A tree grown out on a random table, and the problem as the oracle takes it."""
    criterion = ["gini", "entropy", "squared_error", "absolute_error"][seed % 4]
    classes = [2, 3, 0, 0][seed % 4]
    rules = Rules(criterion=criterion, subsets="auto")
    weights = ["ones", "integers", "quarters"][seed % 3]
    problem = random_table(np.random.default_rng(seed), 50, classes=classes, weights=weights, rules=rules)
    kind = CARTClassifier if classes else CARTRegressor
    reading = Reading(fractional_weights="as_given")
    return kind(criterion=criterion, reading=reading, **{**GROWN, **parameters}).fit(
        to_frame(problem), problem.y, problem.weights
    ), problem


def noisy(kind, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n), "town": rng.choice(list("abcd"), n)})
    X = X.mask(rng.random(X.shape) < 0.05)
    signal = X["x"].fillna(0) + (X["town"] == "a") + rng.normal(size=n)
    return X, (np.digitize(signal, [0, 1]) if kind is CARTClassifier else signal.to_numpy())


def test_the_path_is_the_sequence_of_weakest_links(budget):
    for seed in range(round(12 * budget)):
        fitted, problem = random_fit(seed)
        root = assert_same_tree(problem, read_tree(fitted.tree_.kernel)).root
        expected = weakest_link(root)[::-1]
        path = fitted.pruning_path_
        total = sum(problem.weights)
        assert list(path.columns) == COLUMNS
        assert path["n_leaves"].tolist() == [subtree.n_leaves for subtree in expected]
        np.testing.assert_allclose(path["alpha"] * total, [subtree.alpha for subtree in expected], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(path["risk"] * total, [s.risk for s in expected], rtol=1e-9, atol=1e-9 * root.risk)
        np.testing.assert_allclose(path["cp"] * root.risk, path["alpha"] * total, rtol=1e-9)
        assert (path["n_splits"] == path["n_leaves"] - 1).all()
        assert path[["cv_risk", "cv_se"]].isna().all(axis=None)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_the_risk_is_what_the_subtrees_lose_on_the_training_rows(kind):
    X, y = noisy(kind)
    fitted = kind(**GROWN).fit(X, y)
    for row in fitted.pruning_path_.itertuples():
        smaller = fitted.pruned(n_leaves=row.n_leaves)
        assert smaller.get_n_leaves() == row.n_leaves
        lost = smaller.predict(X) != y if kind is CARTClassifier else (smaller.predict(X) - y) ** 2
        assert np.mean(lost) == pytest.approx(row.risk)


@pytest.mark.parametrize(("weight", "few"), [(0.1, (1, 3)), (0.1, (3, 3)), (0.7, (3, 3)), (0.3, (3, 1))])
def test_a_split_that_saves_no_risk_is_no_link_whatever_the_sums_of_weights_round_to(weight, few):
    """Both branches answer 0, with 10 and 8 rows of which few are 1: in sums of tenths they seem to save 1e-16."""
    x = np.repeat([0.0, 1.0], [10, 8])
    y = np.r_[np.arange(10) < few[0], np.arange(8) < few[1]].astype(int)
    reading = Reading(fractional_weights="as_given")
    fitted = CARTClassifier(**GROWN, count_by="rows", reading=reading).fit(x[:, None], y, np.full(18, weight))
    assert fitted.get_n_leaves() == 2
    root, *leaves = fitted.tree_.kernel.risk
    assert 0 < abs(root - sum(leaves)) < 1e-14
    assert fitted.tree_.kernel.complexity[0] == 0.0
    assert fitted.pruning_path_["n_leaves"].tolist() == [1]
    assert fitted.pruned(cp=0.0).get_n_leaves() == 1


def same_tree(one, other):
    """Structure, splits and all numbers; rows of equal complexity may be written with another last bit."""
    a, b = one.tree_.kernel.to_arrays(), other.tree_.kernel.to_arrays()
    for name in a:
        if name == "complexity":
            np.testing.assert_allclose(a[name], b[name], rtol=1e-9, atol=1e-12)
        else:
            np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("missing", ["surrogates", "stop"])
def test_a_pruned_tree_is_the_one_that_a_fit_at_that_level_gives(missing, budget):
    for seed in range(round(4 * budget)):
        fitted, problem = random_fit(seed, missing=missing)
        X, y, weights = to_frame(problem), problem.y, problem.weights
        path = fitted.pruning_path_
        between = np.sqrt(path["cp"] * path["cp"].shift(1))[1:-1].tolist()
        for cp in [*between[::2], *path["cp"][::2], 0.013]:
            again = type(fitted)(**{**fitted.get_params(deep=False), "pruning": cp}).fit(X, y, weights)
            smaller = fitted.pruned(cp=cp)
            same_tree(smaller, again)
            np.testing.assert_array_equal(smaller.predict(X), again.predict(X))
            shorter, path_again = smaller.pruning_path_, again.pruning_path_
            assert shorter["n_leaves"].tolist() == path_again["n_leaves"].tolist()
            np.testing.assert_allclose(shorter["risk"], path_again["risk"], rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(shorter["cp"][:-1], path_again["cp"][:-1], rtol=1e-9, atol=1e-12)


def test_the_level_as_cp_as_alpha_and_as_leaves():
    X, y = noisy(CARTClassifier)
    fitted = CARTClassifier(**GROWN).fit(X, y)
    for row in fitted.pruning_path_.itertuples():
        sizes = {
            fitted.pruned(cp=row.cp).get_n_leaves(),
            fitted.pruned(alpha=row.alpha).get_n_leaves(),
            fitted.pruned(n_leaves=row.n_leaves).get_n_leaves(),
        }
        assert sizes == {row.n_leaves}
    sizes = fitted.pruning_path_["n_leaves"].tolist()
    for n_leaves in range(1, max(sizes) + 3):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert fitted.pruned(n_leaves=n_leaves).get_n_leaves() == max(size for size in sizes if size <= n_leaves)
        assert len(said) == (n_leaves not in sizes), "a size that the sequence lacks is said"
    assert fitted.pruned(cp=5.0).get_n_leaves() == 1


def test_pruning_leaves_the_larger_tree_alone():
    X, y = noisy(CARTRegressor)
    fitted = CARTRegressor(**GROWN).fit(X, y)
    before = fitted.predict(X), fitted.get_n_leaves(), fitted.pruning_path_
    smaller = fitted.pruned(n_leaves=3)
    assert type(smaller) is CARTRegressor
    assert smaller.get_params() == fitted.get_params()
    assert smaller.get_n_leaves() <= 3
    assert smaller.pruned(n_leaves=2).get_n_leaves() <= 2
    assert smaller.pruned(cp=0.0).get_n_leaves() == smaller.get_n_leaves()
    np.testing.assert_array_equal(fitted.predict(X), before[0])
    assert fitted.get_n_leaves() == before[1]
    pd.testing.assert_frame_equal(fitted.pruning_path_, before[2])


@pytest.mark.parametrize(
    "arguments",
    [{}, {"cp": 0.1, "alpha": 0.1}, {"cp": -0.1}, {"alpha": np.nan}, {"n_leaves": 0}, {"n_leaves": 2.5}, {"cp": "x"}],
    ids=str,
)
def test_levels_that_make_no_sense(arguments):
    X, y = noisy(CARTClassifier)
    fitted = CARTClassifier().fit(X, y)
    with pytest.raises(ParameterError, match=r"cp|alpha|n_leaves"):
        fitted.pruned(**arguments)


def test_a_larger_complexity_is_a_smaller_tree():
    X, y = noisy(CARTClassifier)
    sizes = [CARTClassifier(pruning=cp).fit(X, y).get_n_leaves() for cp in (0.0, 0.005, 0.01, 0.02, 0.05, 0.2, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def brute_force_cv(kind, X, y, folds, parameters):
    """Breiman et al., section 11.4: alphas between those of the whole tree, each fold's own sequence judged there."""
    whole = kind(**{**parameters, "pruning": 0.0}).fit(X, y).pruning_path_
    alphas = whole["alpha"].to_numpy()
    between = np.sqrt(np.r_[np.inf, alphas[:-1]] * alphas)
    losses = np.zeros((len(alphas), len(y)))
    for train, test in folds:
        fold = kind(**{**parameters, "pruning": 0.0}).fit(X.iloc[train], y[train])
        for row, alpha in enumerate(between):
            answers = fold.pruned(alpha=min(alpha, 1e9)).predict(X.iloc[test])
            losses[row, test] = answers != y[test] if kind is CARTClassifier else (answers - y[test]) ** 2
    return whole, losses.mean(axis=1), losses.std(axis=1) / np.sqrt(len(y))


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("rule", ["min", "1se"])
def test_cross_validation_by_brute_force(kind, rule):
    parameters = {"min_samples_split": 10, "min_samples_leaf": 4}
    for seed in range(2):
        X, y = noisy(kind, seed=seed)
        splitter = StratifiedKFold(5) if kind is CARTClassifier else KFold(5)
        whole, risk, se = brute_force_cv(kind, X, y, splitter.split(X, y), parameters)
        fitted = kind(pruning=CrossValidated(rule, splitter, risk="error"), **parameters).fit(X, y)
        path = fitted.pruning_path_
        assert path["n_leaves"].tolist() == whole["n_leaves"].tolist()
        np.testing.assert_allclose(path["cv_risk"], risk, rtol=1e-9)
        np.testing.assert_allclose(path["cv_se"], se, rtol=1e-9)
        best = int(np.argmin(risk))
        row = best if rule == "min" else int(np.flatnonzero(risk <= risk[best] + se[best])[0])
        assert fitted.get_n_leaves() == whole["n_leaves"][row]
        assert 1 < row + 1 < len(path), "a case in which something is chosen"


def test_cross_validation_on_six_rows_by_hand():
    # Two folds of three rows. Fold one learns from x = 1, 1, 0 / y = 1, 1, 0 and is right; fold two learns from
    # x = 0, 1, 0 / y = 0, 1, 0 and is right but for the last row, whose label contradicts the rule.
    X = np.array([[0.0], [1.0], [0.0], [1.0], [1.0], [0.0]])
    y = np.array([0, 1, 0, 1, 1, 0])
    folds = [(np.array([3, 4, 5]), np.array([0, 1, 2])), (np.array([0, 1, 2]), np.array([3, 4, 5]))]
    pruning = CrossValidated(cv=folds, rule="min", risk="error")
    fitted = CARTClassifier(pruning=pruning, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    path = fitted.pruning_path_
    assert path["n_leaves"].tolist() == [1, 2]
    assert path["cp"].tolist() == [1.0, 0.0]
    # Without a split fold one says 1 (wrong twice: rows 0 and 2), fold two says 0 (wrong twice: rows 3 and 4).
    assert path["cv_risk"].tolist() == pytest.approx([4 / 6, 0.0])
    assert path["cv_se"].tolist() == pytest.approx([np.sqrt(4 / 6 * 2 / 6 / 6), 0.0])
    assert fitted.get_n_leaves() == 2


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_folds_of_every_form(kind):
    X, y = noisy(kind)
    plain = (StratifiedKFold if kind is CARTClassifier else KFold)(4, shuffle=True, random_state=0)
    expected = kind(pruning=CrossValidated(cv=4)).fit(X, y).pruning_path_
    for cv in (plain, list(plain.split(X, y)), np.int64(4), (fold for fold in plain.split(X, y))):
        pd.testing.assert_frame_equal(kind(pruning=CrossValidated(cv=cv)).fit(X, y).pruning_path_, expected)
    other = kind(pruning=CrossValidated(cv=KFold(4, shuffle=True, random_state=1))).fit(X, y).pruning_path_
    assert not np.allclose(other["cv_risk"], expected["cv_risk"])


def test_a_seed_shuffles_the_folds():
    X, y = noisy(CARTClassifier)
    runs = [
        CARTClassifier(pruning="cross_validated", random_state=seed).fit(X, y).pruning_path_
        for seed in (0, 0, 1, None, None)
    ]
    pd.testing.assert_frame_equal(runs[0], runs[1])
    pd.testing.assert_frame_equal(runs[3], runs[4])
    assert not np.allclose(runs[0]["cv_risk"], runs[2]["cv_risk"])
    pd.testing.assert_frame_equal(runs[0], runs[3])  # shuffled always, and alike if nothing else is said
    state = CARTClassifier(pruning="cross_validated", random_state=np.random.RandomState(0)).fit(X, y).pruning_path_
    pd.testing.assert_frame_equal(runs[0], state)


@pytest.mark.parametrize("cv", [ShuffleSplit(3, test_size=0.1, random_state=0), RepeatedKFold(n_splits=4, n_repeats=3)])
def test_folds_that_do_not_hold_every_row_once(cv):
    """The risk is the mean over the rows that were tested, however often."""
    X, y = noisy(CARTClassifier)
    path = CARTClassifier(pruning=CrossValidated(cv=cv, risk="error")).fit(X, y).pruning_path_
    assert path["cv_risk"][0] == pytest.approx(path["risk"][0], abs=0.15)
    assert (path["cv_risk"] < 1).all()
    tested = sum(len(test) for _, test in cv.split(X))
    p = path["cv_risk"][0]
    assert path["cv_se"][0] == pytest.approx(np.sqrt(p * (1 - p) / tested))


def test_a_splitter_that_needs_groups_is_given_its_folds():
    X, y = noisy(CARTClassifier)
    groups = np.arange(len(y)) // 10
    folds = list(GroupKFold(3).split(X, y, groups))
    assert CARTClassifier(pruning=CrossValidated(cv=folds)).fit(X, y).pruning_path_["cv_risk"].notna().all()


def test_weights_in_cross_validation_are_repeated_rows_of_the_same_fold():
    X, y = noisy(CARTClassifier)
    times = np.random.default_rng(0).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    folds = list(KFold(4).split(X))
    inside = [(np.flatnonzero(np.isin(rows, train)), np.flatnonzero(np.isin(rows, test))) for train, test in folds]
    one = CARTClassifier(pruning=CrossValidated(cv=folds)).fit(X, y, times).pruning_path_
    other = CARTClassifier(pruning=CrossValidated(cv=inside)).fit(X.iloc[rows], y[rows]).pruning_path_
    pd.testing.assert_frame_equal(one, other)


def test_priors_and_costs_in_cross_validation():
    X, y = noisy(CARTClassifier)
    costs = np.array([[0, 1, 4], [1, 0, 1], [6, 1, 0.0]])
    path = CARTClassifier(pruning=CrossValidated(cv=5, risk="error"), costs=costs).fit(X, y).pruning_path_
    assert path["risk"][0] == pytest.approx(min(np.bincount(y) @ costs) / len(y))
    assert path["cv_risk"][0] == pytest.approx(path["risk"][0], rel=0.1)
    path = CARTClassifier(pruning=CrossValidated(cv=5, risk="error"), priors="equal").fit(X, y).pruning_path_
    assert path["risk"][0] == pytest.approx(2 / 3)
    assert path["cv_risk"][0] == pytest.approx(2 / 3, abs=0.02)


def test_more_folds_than_rows_of_a_class():
    X = np.arange(24.0).reshape(-1, 1)
    y = np.repeat([0, 1], [21, 3])
    fitted = CARTClassifier(pruning=CrossValidated(rule="min"), min_samples_split=2, min_samples_leaf=1).fit(X, y)
    assert fitted.get_n_leaves() == 2
    few = CARTClassifier(pruning=CrossValidated(cv=10), min_samples_split=2, min_samples_leaf=1).fit(
        X[:4], [0, 0, 1, 1]
    )
    assert few.pruning_path_["cv_risk"].notna().all()


def test_a_tree_that_cannot_be_split_has_a_path_of_one_row():
    X = np.zeros((30, 1))
    for kind, y in [
        (CARTClassifier, np.arange(30) % 2),
        (CARTRegressor, np.arange(30.0)),
        (CARTRegressor, np.ones(30)),
    ]:
        for pruning in (None, 0.01, "cross_validated"):
            fitted = kind(pruning=pruning).fit(X, y)
            assert len(fitted.pruning_path_) == 1
            assert fitted.pruned(n_leaves=1).get_n_leaves() == 1


def test_folds_that_leave_nothing_to_learn_from():
    X, y = noisy(CARTClassifier)
    everything, nothing = np.arange(len(y)), np.array([], dtype=int)
    with pytest.raises(DataError, match="fold 1 no row of positive weight to learn from"):
        CARTClassifier(pruning=CrossValidated(cv=[(everything, everything), (nothing, everything)])).fit(X, y)
    with pytest.raises(DataError, match="fold 0 no row of positive weight to test on"):
        CARTClassifier(pruning=CrossValidated(cv=[(everything, nothing)])).fit(X, y)


def test_a_larger_subtree_than_cross_validation_kept_is_explained():
    X, y = noisy(CARTClassifier)
    pruning = CrossValidated(cv=5, risk="error")
    fitted = CARTClassifier(pruning=pruning, min_samples_leaf=2, min_samples_split=4).fit(X, y)
    kept, path = fitted.get_n_leaves(), fitted.pruning_path_
    row = path[path["n_leaves"] > kept].iloc[0]
    with pytest.raises(ParameterError, match=f"cut to {kept} leaves when it was fitted.*pruning=") as caught:
        fitted.pruned(n_leaves=int(row["n_leaves"]))
    for level in ({"cp": row["cp"]}, {"alpha": row["alpha"]}):
        with pytest.raises(ParameterError, match="its subtree with"):
            fitted.pruned(**level)
    cp = float(str(caught.value).partition("pruning=")[2].partition(")")[0])
    again = CARTClassifier(pruning=cp, min_samples_leaf=2, min_samples_split=4).fit(X, y)
    assert again.get_n_leaves() == row["n_leaves"]
    for level in ("n_leaves", "cp", "alpha"):
        value = path.loc[path["n_leaves"] == kept, level].item()
        assert fitted.pruned(**{level: value}).get_n_leaves() == kept


def test_more_leaves_than_pruning_left_are_explained():
    X, y = noisy(CARTRegressor)
    fitted = CARTRegressor(pruning=0.05).fit(X, y)
    with pytest.warns(DataWarning, match=r"cut at the relative complexity 0.05. Fit with pruning=None"):
        assert fitted.pruned(n_leaves=50).get_n_leaves() == fitted.get_n_leaves()


def test_a_node_becomes_a_leaf_at_its_complexity():
    X, y = noisy(CARTClassifier)
    fitted = CARTClassifier(**GROWN).fit(X, y)
    tree = fitted.tree_
    assert {node.complexity for node in tree if not node.is_leaf} >= set(fitted.pruning_path_["alpha"][:-1])
    for node in tree.nodes[1:12]:
        if not node.is_leaf:
            assert (
                fitted.pruned(alpha=node.complexity).get_n_leaves()
                < fitted.pruned(alpha=node.complexity * 0.999).get_n_leaves()
            )
    leaves = sum(node.risk for node in tree if node.is_leaf)
    assert leaves == pytest.approx(fitted.pruning_path_["risk"].iloc[-1])
    assert tree.root.risk == pytest.approx(fitted.pruning_path_["risk"].iloc[0])


@pytest.mark.parametrize("level", [{"cp": "x"}, {"cp": np.inf}, {"alpha": -1}, {"n_leaves": 2.5}, {"n_leaves": 10**40}])
def test_levels_that_are_none(level):
    X, y = noisy(CARTClassifier)
    with pytest.raises(ParameterError, match=next(iter(level))):
        CARTClassifier().fit(X, y).pruned(**level)


def test_a_written_tree_in_which_rows_stop_is_pruned_by_errors_without_raising():
    tree = bough.tree_from({"a <= 1": {"b <= 2": "x", "b > 2": "y"}, "a > 1": "y", "else": "x"})
    X, y = {"a": [0, 0, 2, 3, 1, 1], "b": [1, 3, 1, 2, 3, 1]}, ["x", "y", "y", "y", "x", "x"]
    clf = bough.TreeClassifier.from_tree(tree)
    assert clf.pruned("error_based", X, y).get_n_leaves() == clf.pruned(ErrorBased(), X, y).get_n_leaves() == 1
    with pytest.raises(ParameterError, match="raising=True needs a tree in which every row goes on at every test"):
        clf.pruned("error_based", X, y, raising=True)


@pytest.mark.parametrize("part", [Auto(3), CostComplexity(0.02)])
def test_a_tree_that_is_pruned_by_a_part_is_known_as_far_as_one_that_is_fitted_with_it(part):
    X, y = bough.datasets.load("titanic").xy()
    fitted = CARTClassifier(**GROWN | {"pruning": part}).fit(X, y)
    pruned = CARTClassifier(**GROWN).fit(X, y).pruned(part)
    assert pruned.cp_ == pytest.approx(fitted.cp_, rel=1e-12)
    assert pruned.cp_ > 0
    pd.testing.assert_frame_equal(pruned.pruning_path_, fitted.pruning_path_)
    with pytest.warns(DataWarning, match="has 3 leaves, because it was cut at the relative complexity"):
        pruned.pruned(n_leaves=9)
