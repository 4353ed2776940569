"""Pruning by a price that suits any table: the price by its formula, noise, smooth laws, weights, nested subtrees."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln

import bough
from bough import CARTClassifier, CARTRegressor
from bough.errors import DataError, ParameterError
from bough.recipe import Auto, CostComplexity, CrossValidated, Reading

GROWN = {"pruning": None}


def columns(rows, many, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.normal(size=(rows, many)), columns=[f"x{j}" for j in range(many)]), rng


def waves(rows, noise, seed=0):
    X, rng = columns(rows, 4, seed)
    return X, np.sin(2 * X["x0"]) + X["x1"] * (X["x2"] > 0) + noise * rng.normal(size=rows)


def in_turn(counts, shares):
    """-2 log of the chance of classes that are predicted one after the other, from the shares of the whole table on."""
    left = 0.0
    for k, n in enumerate(counts):
        left += sum(math.log(i + shares[k]) for i in range(int(n)))
    return -2 * (left - sum(math.log(i + 1) for i in range(int(sum(counts)))))


def counts_of(tree):
    return np.array([[(node.counts or {}).get(label, 0.0) for label in tree.class_labels] for node in tree])


def best_pruning(tree, cost, price):
    """The leaves of the pruning of least cost and price, by trying both at every node from below."""
    best = {}
    for node in reversed(list(tree)):
        here = cost[node.id] + price
        below = sum(best[child.id][0] for child in node.children) if node.children else math.inf
        leaves = [leaf for child in node.children for leaf in best[child.id][1]] if node.children else []
        best[node.id] = (here, [node.id]) if here <= below * (1 + 1e-12) else (below, leaves)
    return best[0][1]


def test_classes_are_priced_as_the_formula_says():
    X, rng = columns(600, 3, 1)
    y = np.digitize(X["x0"] + (X["x1"] > 0) + 0.7 * rng.normal(size=600), [0, 1])
    grown = CARTClassifier(**GROWN).fit(X, y).tree_
    shares = np.bincount(y) / 600
    cost = np.array([in_turn(counts, shares) for counts in counts_of(grown)])
    left, leaves = 1.0, [0]
    for _ in range(50):  # the price falls with what is left, until both agree
        leaves = best_pruning(grown, cost, 1.5 * math.log(600 * 3) * left)
        left = cost[leaves].sum() / cost[0]
    fitted = CARTClassifier().fit(X, y)
    assert 3 < fitted.get_n_leaves() == len(leaves) < grown.n_leaves
    path = fitted.pruning_path_
    assert path["risk"].iloc[0] * 600 == pytest.approx(cost[0])
    assert path["risk"].iloc[-1] * 600 == pytest.approx(cost[leaves].sum())
    assert path["alpha"].iloc[-1] * 600 == pytest.approx(1.5 * math.log(600 * 3) * left, rel=1e-6)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_numbers_are_priced_as_the_formula_says(criterion):
    X, y = waves(500, 0.5)
    grown = CARTRegressor(criterion=criterion, **GROWN).fit(X, y).tree_
    cost = np.array([node.risk for node in grown]) * 500
    unit = 1.0 if criterion == "squared_error" else math.pi / 4
    left, leaves = cost[0] / 499, [0]
    for _ in range(50):
        leaves = best_pruning(grown, cost, 1.5 * math.log(500 * 4) * unit * left)
        left = cost[leaves].sum() / (500 - len(leaves))
    fitted = CARTRegressor(criterion=criterion).fit(X, y)
    assert 3 < fitted.get_n_leaves() == len(leaves) < grown.n_leaves
    assert fitted.pruning_path_["alpha"].iloc[-1] * 500 == pytest.approx(1.5 * math.log(2000) * unit * left, rel=1e-6)


@pytest.mark.parametrize("rows", [300, 3000])
@pytest.mark.parametrize("classes", [0, 2, 5])
def test_noise_keeps_hardly_a_split(rows, classes):
    sizes = []
    for seed in range(4):
        X, rng = columns(rows, 8, 10 * rows + seed)
        y = rng.integers(0, classes, rows) if classes else rng.normal(size=rows)
        sizes.append((CARTClassifier if classes else CARTRegressor)().fit(X, y).get_n_leaves())
    assert np.mean(sizes) < 1.6
    assert min(sizes) == 1


def test_a_tree_grows_with_its_table():
    sizes = [CARTRegressor().fit(*waves(rows, 0.3)).get_n_leaves() for rows in (300, 3000, 12000)]
    assert sizes[0] * 1.8 < sizes[1] < sizes[2] / 1.8


def test_what_is_free_of_noise_keeps_nearly_all():
    x = np.repeat(np.arange(60.0), 12)
    assert CARTRegressor().fit(x[:, None], np.sin(x)).get_n_leaves() == 60
    assert CARTClassifier().fit(x[:, None], (x // 10 % 3).astype(int)).get_n_leaves() == 6


def test_a_rare_class_is_ranked_where_every_leaf_decides_alike():
    X, rng = columns(6000, 5, 3)
    y = rng.random(6000) < 1 / (1 + np.exp(4.5 - 1.2 * X["x0"] - X["x1"]))
    fitted = CARTClassifier().fit(X, y)
    assert set(fitted.predict(X)) == {False}
    assert fitted.get_n_leaves() > 3
    assert CARTClassifier(pruning=CrossValidated(cv=4, risk="error")).fit(X, y).get_n_leaves() == 1
    assert CARTClassifier(pruning=CrossValidated(cv=4)).fit(X, y).get_n_leaves() > 1


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_a_weight_of_three_is_three_rows(kind):
    X, y = waves(400, 0.4)
    y = (y > 0) if kind is CARTClassifier else y
    times = np.random.default_rng(0).integers(0, 4, 400)
    rows = np.repeat(np.arange(400), times)
    weighted, repeated = kind().fit(X, y, times), kind().fit(X.iloc[rows], y.iloc[rows])
    assert weighted.get_n_leaves() > 3
    np.testing.assert_array_equal(weighted.apply(X), repeated.apply(X))
    np.testing.assert_allclose(weighted.pruning_path_, repeated.pruning_path_, rtol=1e-9)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_where_minima_count_rows_or_are_shares_the_unit_of_weights_is_of_no_matter(kind):
    X, y = waves(400, 0.4)
    y = (y > 0) if kind is CARTClassifier else y
    for minima in ({"count_by": "rows"}, {"min_samples_split": 0.025, "min_samples_leaf": 0.0125}):
        one, other = (kind(**minima).fit(X, y, np.full(400, weight)) for weight in (1.0, 0.001))
        assert one.get_n_leaves() == other.get_n_leaves() > 3
        assert other.pruned(n_leaves=2).get_n_leaves() == 2


def test_class_weights_are_no_rows():
    """That a rare class counts twenty times makes its chances no rarer: noise stays noise."""
    sizes = []
    for seed in range(4):
        X, rng = columns(2000, 6, seed)
        y = rng.random(2000) < 0.04
        sizes += [CARTClassifier(priors="equal").fit(X, y).get_n_leaves()]
        sizes += [CARTClassifier(class_weight={True: 20, False: 10}).fit(X, y).get_n_leaves()]
    assert np.mean(sizes) < 1.6


def test_the_evidence_needs_no_whole_numbers_and_no_second_class():
    X, y = waves(200, 0.4)
    assert CARTClassifier().fit(X, np.zeros(200)).pruning_path_["risk"].tolist() == [0.0]
    weights = np.full(200, 0.7)
    as_given = Reading(fractional_weights="as_given")
    path = CARTClassifier(**GROWN, reading=as_given).fit(X, y > 0, weights).pruned(Auto()).pruning_path_
    shares = np.array([(y <= 0).mean(), (y > 0).mean()])
    root = -2 * (np.sum(gammaln(200 * shares + shares) - gammaln(shares)) - gammaln(201))
    assert path["risk"].iloc[0] * 140 == pytest.approx(0.7 * root)


def test_the_sequence_stays_nested(tmp_path):
    X, y = waves(800, 0.4)
    fitted = CARTClassifier().fit(X, y > 0)
    path = fitted.pruning_path_
    assert fitted.cp_ == path["cp"].iloc[-1]
    assert path["n_leaves"].is_monotonic_increasing
    assert path["alpha"].is_monotonic_decreasing
    assert path["n_leaves"].iloc[-1] == fitted.get_n_leaves()
    fitted.save(tmp_path / "model.json")
    for model in (fitted, bough.load(tmp_path / "model.json")):
        for row in path.itertuples():
            for level in ({"cp": row.cp}, {"alpha": row.alpha}, {"n_leaves": row.n_leaves}):
                smaller = model.pruned(**level)
                assert smaller.get_n_leaves() == row.n_leaves
                pd.testing.assert_frame_equal(smaller.pruning_path_, path.iloc[: row.Index + 1], rtol=1e-9)
    assert "auto: " in str(fitted.pruning_log_)
    assert "evidence (-2 log marginal likelihood)" in str(fitted.pruning_log_)
    node = next(node for node in fitted.tree_ if not node.is_leaf and node.id > 0)
    assert fitted.pruned(alpha=node.complexity).get_n_leaves() < fitted.get_n_leaves()


def test_a_grown_tree_is_priced_later():
    X, y = waves(600, 0.4)
    for kind, target in ((CARTClassifier, y > 0), (CARTRegressor, y)):
        grown = kind(**GROWN).fit(X, target)
        for later in (grown.pruned("auto"), grown.pruned(Auto())):
            assert later.tree_ == kind().fit(X, target).tree_
        assert grown.pruned("auto", price=5.0).get_n_leaves() < grown.pruned("auto").get_n_leaves()


@pytest.mark.parametrize("risk", ["brier", "deviance"])
def test_the_path_of_probabilities_has_their_risk(risk):
    X, y = waves(300, 0.6)
    y = np.digitize(y, [-0.5, 0.5])
    fitted = CARTClassifier(pruning=CostComplexity(0.0, risk=risk)).fit(X, y)
    for row in fitted.pruning_path_.itertuples():
        told = fitted.pruned(n_leaves=row.n_leaves).predict_proba(X)
        loss = {"brier": ((told - np.eye(3)[y]) ** 2).sum(axis=1), "deviance": -2 * np.log(told[np.arange(300), y])}
        assert row.risk == pytest.approx(loss[risk].mean())
    assert fitted.get_n_leaves() > CARTClassifier(pruning=0.0).fit(X, y).get_n_leaves()


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_folds_fill_in_the_path_and_cut_nothing(kind):
    X, y = waves(300, 0.5)
    y = (y > 0) if kind is CARTClassifier else y
    fitted = kind().fit(X, y)
    size, before = fitted.get_n_leaves(), fitted.pruning_path_
    after = fitted.cross_validate_path(X, y, cv=4)
    pd.testing.assert_frame_equal(after, fitted.pruning_path_)
    pd.testing.assert_frame_equal(after.drop(columns=["cv_risk", "cv_se"]), before.drop(columns=["cv_risk", "cv_se"]))
    assert after[["cv_risk", "cv_se"]].notna().all(axis=None)
    assert fitted.get_n_leaves() == size
    assert after["cv_risk"].iloc[-1] < after["cv_risk"].iloc[0]
    with pytest.raises(DataError, match="give the rows that it was fitted to"):
        fitted.cross_validate_path(X[:200], y[:200])


def test_cross_validated_brier_scores_by_hand():
    X, y = waves(120, 0.5)
    y = (y > 0).to_numpy().astype(int)
    folds = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
    pruning = CrossValidated("min", cv=folds, risk="brier")
    path = CARTClassifier(pruning=pruning, max_depth=1).fit(X, y).pruning_path_
    losses = np.zeros((2, 120))
    for train, test in folds:
        stump = CARTClassifier(pruning=None, max_depth=1).fit(X.iloc[train], y[train])
        losses[0, test] = 2 * (y[test] - y[train].mean()) ** 2
        losses[1, test] = 2 * (y[test] - stump.predict_proba(X.iloc[test])[:, 1]) ** 2
    assert path["cv_risk"].tolist() == pytest.approx(losses.mean(axis=1))
    assert path["cv_se"].tolist() == pytest.approx((losses.std(axis=1) / np.sqrt(120)).tolist())


def test_a_sorted_table_is_folded_as_any_other():
    data = bough.datasets.load("titanic")
    X, y = data.xy()
    order = np.argsort(np.asarray(y).astype(str), kind="stable")
    X, y = pd.DataFrame(X).iloc[order], np.asarray(y)[order]
    assert CARTClassifier(pruning="cross_validated").fit(X, y).get_n_leaves() > 2


@pytest.mark.parametrize("pruning", [CostComplexity(risk="brier"), CrossValidated(risk="deviance")])
def test_numbers_have_no_probabilities(pruning):
    with pytest.raises(ParameterError, match="is of the probabilities of classes"):
        CARTRegressor(pruning=pruning).fit(*waves(50, 0.1))


def test_accounts_count_what_answers_cost():
    X, y = waves(50, 0.1)
    with pytest.raises(ParameterError, match="'accounts' are those of rpart"):
        CARTClassifier(pruning=CostComplexity(method="accounts", risk="brier")).fit(X, y > 0)


@pytest.mark.parametrize("levels", [5, 20, 40])
@pytest.mark.parametrize("numbers", [False, True])
def test_sets_of_levels_of_noise_are_not_bought(levels, numbers):
    """The best of 2^(L - 1) sets gains much by chance; thresholds beside them pay no more for it."""
    leaves = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = {f"c{i}": rng.integers(0, levels, 600).astype(str) for i in range(6)}
        y = rng.normal(size=600) if numbers else rng.integers(0, 2, 600)
        leaves.append((CARTRegressor if numbers else CARTClassifier)().fit(X, y).get_n_leaves())
    assert np.mean(leaves) <= 1.5
    signal = rng.normal(size=600)
    y = signal + 0.1 * y if numbers else signal > 0
    beside = (CARTRegressor if numbers else CARTClassifier)().fit({**X, "x": signal}, y)
    assert beside.get_n_leaves() > 1
    assert {node.split.column for node in beside.tree_ if node.split is not None} == {"x"}


@pytest.mark.parametrize("numbers", [False, True])
def test_weights_that_differ_do_not_make_noise_certain(numbers):
    leaves = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, w = rng.normal(size=(600, 6)), rng.exponential(size=600)
        y = rng.normal(size=600) if numbers else rng.integers(0, 2, 600)
        leaves.append((CARTRegressor if numbers else CARTClassifier)().fit(X, y, w).get_n_leaves())
    assert np.mean(leaves) <= 1.5


def test_pruned_by_auto_counts_as_a_fit_does(tmp_path):
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(500, 4)), rng.exponential(size=500)
    y = (X[:, 0] + X[:, 1] + rng.normal(size=500) > 0).astype(int)
    whole = CARTClassifier(pruning=None).fit(X, y, w)
    fitted = CARTClassifier().fit(X, y, w)
    for smaller in (whole.pruned("auto"), whole.pruned(Auto())):
        assert smaller.tree_ == fitted.tree_
        assert smaller.fitted_.complexity == "evidence"
        assert smaller.fitted_.row == fitted.fitted_.row > 1
        for cp in (0.3, 0.1, 0.05, 0.02):
            assert smaller.pruned(cp=cp).get_n_leaves() == fitted.pruned(cp=cp).get_n_leaves()
            assert smaller.pruned("cost_complexity", cp=cp).tree_ == smaller.pruned(cp=cp).tree_
    fitted.save(tmp_path / "model.json")
    assert bough.load(tmp_path / "model.json").fitted_.row == fitted.fitted_.row
