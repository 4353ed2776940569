"""Growth against scikit-learn's trees on complete numbers, and the parameters that stop it."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from bough import CARTClassifier, CARTRegressor
from bough.recipe import Exhaustive, Surrogates

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}


def numbers(seed, n=300, columns=5, classes=0):
    """Columns without equal values (single precision, as scikit-learn keeps them), targets without ties."""
    rng = np.random.default_rng(seed)
    X = rng.permuted(np.tile(np.arange(n, dtype=np.float32), (columns, 1)), axis=1).T / 8
    signal = np.sin(X[:, 0] / 5) + X[:, 1] / n * 8 * (X[:, 2] > n / 16) + 0.5 * rng.normal(size=n)
    if not classes:
        return X, signal
    return X, np.searchsorted(np.quantile(signal, np.arange(1, classes) / classes), signal)


def of_sklearn(tree):
    """Column, threshold and rows of each node in preorder; leaves have column -1."""
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        leaf = tree.children_left[node] < 0
        found.append(
            (-1 if leaf else int(tree.feature[node]), float(tree.threshold[node]), int(tree.n_node_samples[node]))
        )
        if not leaf:
            stack += [tree.children_right[node], tree.children_left[node]]
    return found


def of_bough(tree):
    return [
        (-1 if node.is_leaf else node.split.test.column, -2.0 if node.is_leaf else node.split.threshold, node.rows)
        for node in tree.nodes
    ]


def assert_equal_trees(ours, theirs):
    one, other = of_bough(ours.tree_), of_sklearn(theirs.tree_)
    assert [(column, rows) for column, _, rows in one] == [(column, rows) for column, _, rows in other]
    np.testing.assert_allclose([cut for _, cut, _ in one], [cut for _, cut, _ in other], rtol=1e-6)


# Trees down to leaves of one class tie at the bottom, where several columns part the last rows equally well.
STOPPED = [
    {"min_samples_leaf": 12},
    {"max_depth": 4, "min_samples_leaf": 5},
    {"min_samples_split": 60, "min_samples_leaf": 9},
]


@pytest.mark.parametrize("stop", STOPPED, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_trees_of_scikit_learn_for_classes(criterion, classes, stop):
    for seed in range(4):
        X, y = numbers(seed, classes=classes)
        weights = (
            np.random.default_rng(seed).integers(900, 1100, len(y)) / 1024
        )  # no two are equally good, and sums exact
        stop = {"min_samples_split": 2, **stop}
        ours = CARTClassifier(
            criterion=criterion, pruning=None, count_by="rows", **stop, search=Exhaustive(zero_gain=True)
        ).fit(X, y, weights)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **stop).fit(X, y, weights)
        assert_equal_trees(ours, theirs)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("stop", STOPPED, ids=str)
def test_the_trees_of_scikit_learn_for_numbers(stop):
    for seed in range(4):
        X, y = numbers(seed)
        stop = {"min_samples_split": 2, **stop}
        ours = CARTRegressor(pruning=None, **stop).fit(X, y)
        theirs = DecisionTreeRegressor(random_state=0, **stop).fit(X, y)
        assert_equal_trees(ours, theirs)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-6, atol=1e-9)


def test_the_first_split_of_absolute_error_is_as_good_as_that_of_scikit_learn():
    """As good, because a row between two medians may take either side: thresholds tie by nature."""
    for seed in range(4):
        X, y = numbers(seed, n=150)
        ours = CARTRegressor(criterion="absolute_error", **GROWN, max_depth=1).fit(X, y)
        theirs = DecisionTreeRegressor(criterion="absolute_error", max_depth=1).fit(X, y)
        assert np.abs(ours.predict(X) - y).sum() == pytest.approx(np.abs(theirs.predict(X) - y).sum())
        root = ours.tree_.root
        assert root.impurity == pytest.approx(theirs.tree_.impurity[0])
        assert root.impurity - root.split.gain == pytest.approx(np.abs(ours.predict(X) - y).mean())


@pytest.mark.parametrize("classes", [2, 5])
def test_grown_out_every_training_row_is_right(classes):
    X, y = numbers(1, classes=classes)
    ours = CARTClassifier(**GROWN).fit(X, y)
    assert ours.score(X, y) == 1.0
    assert all(
        len([count for count in node.counts.values() if count]) == 1 for node in ours.tree_.nodes if node.is_leaf
    )
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert abs(ours.get_n_leaves() - theirs.get_n_leaves()) <= 0.1 * theirs.get_n_leaves(), "apart from ties"
    X, y = numbers(1)
    ours = CARTRegressor(**GROWN).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), y)
    assert ours.tree_.n_nodes == DecisionTreeRegressor(random_state=0).fit(X, y).tree_.node_count == 2 * len(y) - 1


@pytest.mark.parametrize("most", [2, 3, 5, 9, 17])
def test_best_first_in_the_order_of_scikit_learn(most):
    for seed in range(3):
        X, y = numbers(seed)
        ours = CARTRegressor(**{**GROWN, "min_samples_leaf": 4}, max_leaf_nodes=most).fit(X, y)
        theirs = DecisionTreeRegressor(max_leaf_nodes=most, min_samples_leaf=4, random_state=0).fit(X, y)
        assert_equal_trees(ours, theirs)
        assert ours.get_n_leaves() == most
        X, y = numbers(seed, classes=3)
        weights = np.random.default_rng(seed).integers(900, 1100, len(y)) / 1024
        ours = CARTClassifier(
            pruning=None, min_samples_split=2, min_samples_leaf=4, max_leaf_nodes=most, count_by="rows"
        )
        theirs = DecisionTreeClassifier(max_leaf_nodes=most, min_samples_leaf=4, random_state=0)
        assert_equal_trees(ours.fit(X, y, weights), theirs.fit(X, y, weights))


def test_best_first_without_a_limit_is_depth_first():
    X, y = numbers(0, classes=3)
    one = CARTClassifier(**GROWN).fit(X, y)
    other = CARTClassifier(**GROWN, max_leaf_nodes=10_000).fit(X, y)
    assert of_bough(one.tree_) == of_bough(other.tree_)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_max_depth(depth):
    X, y = numbers(0)
    fitted = CARTRegressor(**GROWN, max_depth=depth).fit(X, y)
    assert fitted.get_depth() == depth
    assert fitted.get_n_leaves() == 2**depth


@pytest.mark.parametrize("least", [1e-4, 0.003, 0.01, 0.05])
def test_min_impurity_decrease_is_that_of_scikit_learn(least):
    for seed in range(3):
        X, y = numbers(seed)
        ours = CARTRegressor(**{**GROWN, "min_samples_leaf": 9}, min_impurity_decrease=least).fit(X, y)
        theirs = DecisionTreeRegressor(min_samples_leaf=9, min_impurity_decrease=least, random_state=0).fit(X, y)
        assert_equal_trees(ours, theirs)
        X, y = numbers(seed, classes=3)
        weights = np.random.default_rng(seed).integers(500, 1500, len(y)) / 1024
        for class_weight in (None, {0: 5.0, 1: 1.0, 2: 0.2}):
            shared = {"min_impurity_decrease": least, "class_weight": class_weight, "min_samples_leaf": 9}
            ours = CARTClassifier(pruning=None, min_samples_split=2, count_by="rows", **shared).fit(X, y, weights)
            theirs = DecisionTreeClassifier(random_state=0, **shared).fit(X, y, weights)
            assert_equal_trees(ours, theirs)


def test_feature_costs_divide_the_gain_when_columns_compete():
    X, y = numbers(2)
    free = CARTRegressor(**GROWN, max_depth=1, search=Exhaustive(max_competitors=4)).fit(X, y).tree_.root
    gains = {split.test.column: split.gain for split in (free.split, *free.competitors)}
    for costs in ([1, 5, 1, 1, 1], [9, 9, 9, 9, 0.5], [2, 2, 2, 2, 2]):
        bound = (
            CARTRegressor(**GROWN, max_depth=1, feature_costs=costs, search=Exhaustive(max_competitors=4))
            .fit(X, y)
            .tree_.root
        )
        ranked = [split.test.column for split in (bound.split, *bound.competitors)]
        assert ranked == sorted(gains, key=lambda column: -gains[column] / costs[column])
        for split in (bound.split, *bound.competitors):
            assert split.gain == pytest.approx(gains[split.test.column]), "the gain itself is told, not its price"


def test_feature_costs_by_name_leave_other_columns_at_one():
    X, y = numbers(2)
    frame = {f"c{k}": X[:, k] for k in range(5)}
    one = CARTRegressor(**GROWN, feature_costs={"c1": 4.0, "c0": 0.5}).fit(frame, y)
    other = CARTRegressor(**GROWN, feature_costs=[0.5, 4, 1, 1, 1]).fit(frame, y)
    assert of_bough(one.tree_) == of_bough(other.tree_)


XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 10)


@pytest.mark.parametrize("values", [(0, 1), (0.1, 0.7), (1e6 + 0.1, 1e6 + 0.3), (1e-9, 3e-9)])
def test_a_split_without_gain_is_none_unless_asked_for(values):
    """Also where rounding makes a gain of nothing."""
    y = np.where(XOR[:, 0] == XOR[:, 1], *values)
    weights = np.where(XOR[:, 0] == XOR[:, 1], 0.3, 0.7)
    for sample_weight in (None, np.full(40, 0.1), weights):
        for criterion in ("squared_error", "absolute_error"):
            fitted = CARTRegressor(criterion=criterion, **GROWN).fit(XOR, y, sample_weight)
            assert fitted.get_n_leaves() == 1
            forced = CARTRegressor(criterion=criterion, **GROWN, search=Exhaustive(zero_gain=True)).fit(
                XOR, y, sample_weight
            )
            np.testing.assert_allclose(forced.predict(XOR), y, rtol=1e-15)
            assert forced.get_n_leaves() == 4
        for criterion in ("gini", "entropy", "misclassification", "twoing"):
            labels = y == values[0]
            assert CARTClassifier(criterion=criterion, **GROWN).fit(XOR, labels, sample_weight).get_n_leaves() == 1
            forced = CARTClassifier(criterion=criterion, **GROWN, search=Exhaustive(zero_gain=True)).fit(
                XOR, labels, sample_weight
            )
            assert forced.score(XOR, labels) == 1.0


def test_many_rows_that_a_column_does_not_tell_apart():
    """Sums over a hundred thousand rows carry rounding; a column that says nothing is still not split."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=50_000) * 1e3 + 1e5
    X = np.repeat([0.0, 1.0], 50_000).reshape(-1, 1)
    y = np.r_[half, rng.permutation(half)]
    assert CARTRegressor(pruning=None).fit(X, y).get_n_leaves() == 1
    assert CARTRegressor(pruning=None).fit({"level": np.repeat(["a", "b"], 50_000)}, y).get_n_leaves() == 1


def test_pure_nodes_and_constant_columns_are_leaves():
    X, y = numbers(0, classes=2)
    assert CARTClassifier(**GROWN, search=Exhaustive(zero_gain=True)).fit(X, np.zeros(300)).get_n_leaves() == 1
    assert CARTRegressor(**GROWN, search=Exhaustive(zero_gain=True)).fit(X, np.full(300, 0.1)).get_n_leaves() == 1
    assert CARTClassifier(**GROWN, search=Exhaustive(zero_gain=True)).fit(np.ones_like(X), y).get_n_leaves() == 1
    assert CARTClassifier(**GROWN).fit(np.full(X.shape, np.nan), y).get_n_leaves() == 1


def test_thresholds_lie_between_the_values():
    X, y = numbers(3)
    for threshold in ("midpoint", "weighted"):
        fitted = CARTRegressor(**GROWN, search=Exhaustive(threshold=threshold)).fit(X, y)
        path = fitted.decision_path(X).toarray().astype(bool)
        for node in fitted.tree_.nodes:
            if node.split is None:
                continue
            inside = np.sort(X[path[:, node.id], node.split.test.column]).astype(float)
            place = np.searchsorted(inside, node.split.threshold)
            low, high = inside[place - 1], inside[place]
            share = 0.5 if threshold == "midpoint" else place / len(inside)
            assert node.split.threshold == pytest.approx((1 - share) * low + share * high)


def test_competitors_are_the_best_of_the_other_columns():
    X, y = numbers(4, classes=2)
    fitted = CARTClassifier(**GROWN, search=Exhaustive(max_competitors=3)).fit(X, y)
    root = fitted.tree_.root
    alone = {
        column: CARTClassifier(**GROWN, max_depth=1).fit(X[:, [column]], y).tree_.root.split.gain for column in range(5)
    }
    best = sorted(alone, key=lambda column: -alone[column])
    assert [split.test.column for split in (root.split, *root.competitors)] == best[:4]
    assert [split.gain for split in (root.split, *root.competitors)] == pytest.approx([alone[c] for c in best[:4]])
    assert CARTClassifier(**GROWN, search=Exhaustive(max_competitors=0)).fit(X, y).tree_.root.competitors == ()


def test_neither_competitors_nor_surrogates_change_the_tree():
    X, y = numbers(4, classes=2)
    base = of_bough(CARTClassifier(**GROWN).fit(X, y).tree_)
    for kept in (0, 50):
        parameters = {"search": Exhaustive(max_competitors=kept), "missing": Surrogates(kept)}
        assert of_bough(CARTClassifier(**GROWN, **parameters).fit(X, y).tree_) == base


def test_answers_are_values_of_the_target_where_rows_agree_or_a_median_is_one():
    """To the last bit: 0.1 is answered as 0.1, and whole numbers are whole."""
    X, y = numbers(5)
    y = y.round(1)
    for criterion in ("squared_error", "absolute_error"):
        fitted = CARTRegressor(criterion=criterion, **GROWN, search=Exhaustive(zero_gain=True)).fit(X, y)
        np.testing.assert_array_equal(fitted.predict(X), y)
    median = CARTRegressor(criterion="absolute_error", pruning=None, min_samples_leaf=7).fit(X, y)
    inside = np.unique(np.r_[y, np.add.outer(np.unique(y), np.unique(y)).ravel() / 2])
    assert np.isin(median.predict(X), inside).all()
    whole = CARTRegressor(criterion="absolute_error", pruning=None).fit(X, (y * 7).round() + 1e6)
    assert (whole.predict(X) * 2 % 1 == 0).all()
    mean = CARTRegressor(pruning=None, min_samples_leaf=8).fit(X, np.repeat([3.0, 4.0, 6.0], 100))
    counts = np.array([node.rows for node in mean.tree_.nodes])
    values = np.array([node.answer for node in mean.tree_.nodes])
    np.testing.assert_allclose(values * counts, (values * counts).round(), rtol=1e-15)
