"""A whole weight is a number of equal rows, other weights are relative, and a row of weight zero is no row."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from bough import C45Classifier, CARTClassifier, CHAIDClassifier, ID3Classifier, TreeClassifier
from bough.recipe import CrossValidated, ErrorBased, Exhaustive, Reading, Surrogates

POLICIES = [
    {"missing": "surrogates"},
    {"missing": Surrogates(fallback="stop", base="joint", filter=False)},
    {"missing": Surrogates(direction="keep", sets="two_disagree", discount=False)},
    {"missing": "majority_branch"},
    {"missing": "stop", "search": Exhaustive("weighted"), "min_impurity_decrease": 0.01},
]


def repeated(X, y, times):
    rows = np.repeat(np.arange(len(y)), times)
    return X.iloc[rows].reset_index(drop=True), y[rows]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_a_weight_is_a_number_of_equal_rows(
    criterion, policy, grown, mixed, assert_same_tree, budget, assert_same_answers
):
    for seed in range(round(3 * budget)):
        X, y = mixed(seed, criterion)
        times = np.random.default_rng(seed).integers(1, 4, len(y))
        estimator = grown(criterion, **policy)
        weighted = grown(criterion, **policy).fit(X, y, sample_weight=times)
        assert_same_tree(estimator.fit(*repeated(X, y, times)), weighted)
        assert_same_answers(estimator, X, weighted, X)


@pytest.mark.parametrize("heaviest", [3, 1000])
@pytest.mark.parametrize("values", ["distinct", "tied", "few", "missing"])
@pytest.mark.parametrize("classes", [0, 2, 4])
def test_weights_are_equal_rows_for_every_scan(classes, values, heaviest, grown, assert_same_tree):
    """Columns without ties are scanned four at a time, others alone or in tables; small weights lie in a byte."""
    rng = np.random.default_rng(classes)
    X = rng.standard_normal((150, 6)).round({"tied": 2, "few": 0}.get(values, 12))
    signal = X[:, 0] * X[:, 1] + X[:, 2] + rng.standard_normal(len(X))
    if values == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    X = pd.DataFrame(X, columns=list("abcdef"))
    y = np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes)) if classes else signal
    times = np.where(rng.random(len(y)) < 0.9, rng.integers(0, 4, len(y)), rng.integers(1, heaviest + 1, len(y)))
    for least in (1, 7):
        estimator = grown("gini" if classes else "squared_error", min_samples_leaf=least, min_samples_split=2 * least)
        weighted = clone(estimator).fit(X, y, sample_weight=times)
        assert_same_tree(estimator.fit(*repeated(X, y, times)), weighted)


def test_three_equal_rows_are_one_of_weight_three(criterion, grown, mixed, assert_same_tree, assert_same_answers):
    X, y = mixed(11, criterion)
    rows = np.full(len(y), 3)
    for pruning in (None, 0.01, 0.1):
        one = grown(criterion, pruning=pruning, min_samples_split=20, min_samples_leaf=7).fit(*repeated(X, y, rows))
        other = grown(criterion, pruning=pruning, min_samples_split=20, min_samples_leaf=7).fit(X, y, rows)
        assert_same_tree(one, other)
        assert_same_answers(one, X, other, X)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing"])
@pytest.mark.parametrize(
    "decisions",
    [
        {"priors": [0.2, 0.3, 0.5]},
        {"priors": "equal", "costs": {(0, 2): 5, (1, 0): 3}},
        {"class_weight": "balanced"},
        {"class_weight": {0: 3.0}, "costs": {(2, 0): 4}},
        {"costs": [[0, 1, 5], [2, 0, 1], [4, 4, 0]], "criterion": "weighted_gini"},
    ],
    ids=str,
)
def test_weights_with_priors_and_costs(criterion, decisions, grown, mixed, assert_same_tree):
    if "criterion" in decisions and criterion != "gini":
        pytest.skip("weighted Gini is a Gini")
    X, y = mixed(5, criterion)
    times = np.random.default_rng(5).integers(1, 4, len(y))
    given = {"criterion": criterion, **decisions}
    one = grown(**given).fit(*repeated(X, y, times))
    other = grown(**given).fit(X, y, sample_weight=times)
    assert_same_tree(one, other)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)


def test_rows_of_weight_zero_are_no_rows(criterion, grown, assert_same_tree, assert_same_answers):
    rng = np.random.default_rng(3)
    n = 80
    X = pd.DataFrame({"x": rng.normal(size=n), "day": rng.integers(0, 5, n), "level": rng.choice(list("abc"), n)})
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    y = X["day"] + rng.integers(0, 3, n) if criterion.endswith("error") else rng.choice(["no", "yes", "maybe"], n)
    y = np.asarray(y)
    one = grown(criterion).fit(X, y)
    # Extreme values, levels and classes of their own, in between the others and at the ends.
    strange = pd.DataFrame({"x": [1e300, -np.inf, 0.0, np.nan], "day": [99, -99, 2, 2], "level": ["zz", "A", "b", "q"]})
    strange_y = np.full(4, 1e9) if criterion.endswith("error") else np.array(["aaa", "zzz", "never", "yes"])
    both = pd.concat([strange, X, strange], ignore_index=True)
    weights = np.r_[np.zeros(4), np.ones(n), np.zeros(4)]
    other = grown(criterion).fit(both, np.r_[strange_y, y, strange_y], sample_weight=weights)
    assert_same_tree(one, other)
    assert_same_answers(one, X, other, X)
    if not criterion.endswith("error"):
        np.testing.assert_array_equal(one.classes_, other.classes_)
        assert other.predict_proba(X).shape == (n, 3)
    np.testing.assert_array_equal(one.tree_.kernel.rows, other.tree_.kernel.rows)
    assert other.predict(strange[2:]).shape == (2,)


def test_rows_of_weight_zero_are_no_rows_in_folds_either(grown, mixed, assert_same_tree):
    for criterion in ("gini", "squared_error"):
        X, y = mixed(2, criterion, n=120)
        parameters = {"pruning": CrossValidated(rule="min", cv=4)}
        one = grown(criterion, **parameters).fit(X, y)
        both, both_y = pd.concat([X[:7], X, X[:9]], ignore_index=True), np.r_[y[:7], y, y[:9]]
        other = grown(criterion, **parameters).fit(both, both_y, np.r_[np.zeros(7), np.ones(120), np.zeros(9)])
        assert_same_tree(one, other)
        pd.testing.assert_frame_equal(one.pruning_path_, other.pruning_path_)


@pytest.mark.parametrize("factor", [0.25, 4.0, 1 / 3, 1e6, 1e-6])
def test_all_weights_times_a_constant(criterion, factor, grown, mixed, assert_same_tree):
    """Minima that are shares, or that count rows, do not notice, whatever else is made of weights."""
    given = {"missing": Surrogates(max_surrogates=0), "reading": Reading(fractional_weights="as_given")}
    for share in ({"min_samples_split": 0.1, "min_samples_leaf": 0.04}, {"count_by": "rows"}):
        X, y = mixed(8, criterion)
        weights = np.random.default_rng(8).integers(1, 4, len(y)).astype(float)
        one = grown(criterion, **given, **share).fit(X, y, weights)
        other = grown(criterion, **given, **share).fit(X, y, weights * factor)
        assert_same_tree(one, other, weight=factor)


def test_weights_of_one_are_no_weights(criterion, grown, mixed, assert_same_tree):
    X, y = mixed(9, criterion)
    for weights in (np.ones(len(y)), 1, 1.0, [1] * len(y), pd.Series(np.ones(len(y)), index=range(5, len(y) + 5))):
        assert_same_tree(grown(criterion).fit(X, y), grown(criterion).fit(X, y, weights))


def test_weights_that_are_not_whole_have_a_mean_of_one(criterion, grown, mixed, assert_same_tree):
    """Over the rows of positive weight: so in any unit they grow the tree of as many rows as take part."""
    X, y = mixed(10, criterion)
    weights = np.random.default_rng(10).uniform(0.2, 3, len(y))
    weights[:5] = 0.0
    by_hand = weights / weights[weights > 0].mean()
    one = grown(criterion).fit(X, y, by_hand)
    assert one.get_n_leaves() > 2
    assert one.tree_.root.weight == pytest.approx(len(y) - 5)
    for unit in (1 / weights.sum(), 1e-6, 1234.5, 2.0**70):
        assert_same_tree(one, grown(criterion).fit(X, y, weights * unit))
    as_they_are = grown(criterion, reading=Reading(fractional_weights="as_given"))
    assert as_they_are.fit(X, y, weights).tree_.root.weight == pytest.approx(weights.sum())
    assert_same_tree(as_they_are.fit(X, y, by_hand), one)


@pytest.mark.parametrize("weight", [0.005, 1 / 3, 0.1 + 0.2, 1e-300, 2.5, 1e300])
def test_equal_weights_that_are_not_whole_are_no_weights(criterion, weight, grown, mixed):
    X, y = mixed(9, criterion)
    plain, fitted = grown(criterion).fit(X, y), grown(criterion).fit(X, y, np.full(len(y), weight))
    assert fitted.tree_ == plain.tree_


@pytest.mark.parametrize("unit", [1.0, 1 / 90, 700.5])
@pytest.mark.parametrize(
    "estimator",
    [
        CARTClassifier(pruning=0.02),
        C45Classifier(min_samples_leaf=4),
        C45Classifier(pruning=ErrorBased(confidence=0.1), leaf="laplace"),
        CHAIDClassifier(min_samples_split=20, min_samples_leaf=5),
        ID3Classifier(bins="entropy_mdl", min_samples_split=10, missing="fractional"),
        TreeClassifier(criterion="entropy", branching="grouped", pruning="description_length"),
        TreeClassifier(stopping=["min_rows", "significance"], leaf="m_estimate", pruning=None),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_no_estimator_notices_the_unit_of_weights(estimator, unit, mixed):
    """Minima, error estimates, chi-squared, description lengths and smoothing all see rows of average weight one."""
    X, y = mixed(3, "gini", n=150)
    y = np.where(X.iloc[:, 0] > X.iloc[:, 0].median(), y, 0)
    weights = np.random.default_rng(3).uniform(0.3, 2, len(y))
    one = clone(estimator).fit(X, y, weights / weights.mean())
    other = clone(estimator).fit(X, y, weights * unit)
    assert one.get_n_leaves() > 1
    assert [node.condition for node in one.tree_] == [node.condition for node in other.tree_]
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-9)


def test_rows_to_prune_by_count_as_in_a_fit(mixed, assert_same_tree):
    X, y = mixed(4, "gini", n=120)
    weights = np.random.default_rng(4).uniform(0.3, 2, len(y)) / 50
    fitted = C45Classifier(pruning="error_based", confidence=0.1).fit(X, y, weights)
    grown = C45Classifier(pruning=None).fit(X, y, weights)
    assert grown.get_n_leaves() > fitted.get_n_leaves() > 1
    how = ErrorBased(confidence=0.1)
    assert_same_tree(grown.pruned(how, X=X, y=y, sample_weight=weights), fitted)


@pytest.mark.parametrize("share", [0.5, 0.3007, 0.1003])
def test_a_minimum_that_is_not_whole_holds_for_whole_weights(share):
    rng = np.random.default_rng(1)
    X, times = rng.normal(size=(701, 3)), rng.integers(1, 3, 701)
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    clf = CARTClassifier(min_samples_split=2, min_samples_leaf=1, min_weight_fraction_leaf=share, pruning=None)
    weighted = clone(clf).fit(X, y, sample_weight=times)
    rows = np.repeat(np.arange(701), times)
    assert weighted.get_n_leaves() == clf.fit(X[rows], y[rows]).get_n_leaves()
    assert min(node.weight for node in weighted.tree_ if node.is_leaf) >= share * times.sum()
