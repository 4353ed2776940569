"""Text 4, lines 163-189 (E. Alpaydin, 9.2.2): what every split of a regression tree gains, by three kinds of error."""

import tracemalloc

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import MaxDepth, MinRows, OneLevel, Stop
from bough.testing import absolute_error, squared_error, weighted_mean, worst_error

ERRORS = {"squared_error": squared_error, "absolute_error": absolute_error, "worst_error": worst_error}


def error(criterion, y, w, branches):
    """The error after a split: by equation 9.14 the mean over all rows, by 9.15 the largest of the branches."""
    each = [ERRORS[criterion](y[branch].tolist(), w[branch].tolist()) for branch in branches]
    if criterion == "worst_error":
        return max(each)
    return weighted_mean(each, [w[branch].sum() for branch in branches])


def table(seed, rows=30, holes=0.2):
    rng = np.random.default_rng(seed)
    X = {"few": rng.integers(0, 4, rows) * 1.0, "many": rng.normal(size=rows), "job": rng.choice(list("abc"), rows)}
    for name in X:
        gone = rng.random(rows) < holes
        X[name] = np.where(gone, np.nan, X[name]) if name != "job" else np.where(gone, None, X[name].astype(object))
    return X, np.round(rng.normal(size=rows) * 4, 2) + 100.5, rng.integers(1, 4, rows).astype(float)


@pytest.mark.parametrize("discount", [True, False])
def test_every_threshold_and_every_set_of_levels_by_definition(discount, budget):
    for seed in range(int(4 * budget) + 1):
        X, y, w = table(seed)
        found = bough.candidates(X, y, w, cuts="all", discount=discount)
        assert set(found["column"]) == {"few", "many", "job"}
        for row in found.to_dict("records"):
            x = X[row["column"]]
            known = np.array([value is not None and value == value for value in x])
            if row["test"] == "threshold":
                branches = [known & (x <= row["threshold"]), known & (x > row["threshold"])]
            else:
                branches = [known & (x == level) for level in "abc"]
            share = w[known].sum() / w.sum()
            assert row["known"] == pytest.approx(share)
            for criterion in ERRORS:
                after = error(criterion, y, w, branches)
                drop = error(criterion, y, w, [known]) - after
                assert row[f"{criterion}_after"] == pytest.approx(after)
                assert row[criterion] == pytest.approx(drop * (share if discount else 1), abs=1e-9)


@pytest.mark.parametrize("criterion", ERRORS)
def test_the_tree_takes_the_best_of_them(criterion, budget):
    for seed in range(int(6 * budget) + 1):
        X, y, w = table(seed)
        del X["job"]
        best = bough.candidates(X, y, w, criterion=criterion).iloc[0]
        assert criterion in best["best_by"].split(", ")
        tree = bough.TreeRegressor(
            criterion=criterion,
            branching=OneLevel(),
            missing=Stop(),
            stopping=[MaxDepth(1), MinRows(2, 1)],
            pruning=None,
        )
        split = tree.fit(X, y, w).tree_.root.split
        if split is None:
            assert best[criterion] <= 1e-9
        else:
            assert (split.column, split.threshold) == (best["column"], pytest.approx(best["threshold"]))
            assert split.gain == pytest.approx(best[criterion])


def test_the_error_may_rise_where_the_worst_one_counts():
    X, y = {"x": [1, 2, 3, 4]}, [0.5, 8.5, 8.5, 0.5]
    found = bough.candidates(X, y, cuts="all")
    assert found["worst_error"].max() <= 0
    assert found["squared_error"].min() >= 0


def test_a_node_of_a_fitted_tree_counts_its_own_rows():
    X, y, _ = table(3, rows=60, holes=0.0)
    model = bough.CARTRegressor(pruning=None, max_depth=1).fit(X, y)
    node = model.tree_.root.children[0]
    rows = model.apply(X) == node.id
    own = {name: x[rows] for name, x in X.items()}
    there = bough.candidates(X, y, model=model, node=node.id)
    assert there["squared_error"].tolist() == pytest.approx(bough.candidates(own, y[rows])["squared_error"].tolist())


def test_what_y_holds_is_told_by_the_model_the_criterion_the_task_or_its_decimals():
    X, whole = {"x": [1, 2, 3, 4]}, [1, 2, 6, 7]
    assert "gain" in bough.candidates(X, whole).columns
    assert "squared_error" in bough.candidates(X, [1.5, 2, 6, 7]).columns
    assert "squared_error" in bough.candidates(X, whole, task="regression").columns
    assert "squared_error" in bough.candidates(X, whole, criterion="worst_error").columns
    model = bough.TreeRegressor().fit(X, whole)
    assert "squared_error" in bough.candidates(X, whole, model=model).columns
    with pytest.raises(
        ParameterError, match="criterion 'gini' is not for numbers, which y holds here: choose one of s"
    ):
        bough.candidates(X, whole, model=model, criterion="gini")
    with pytest.raises(ParameterError, match="task='classification' is not what the model was fitted for"):
        bough.candidates(X, whole, model=model, task="classification")


def test_memory_grows_with_the_rows_and_not_with_rows_times_thresholds():
    def peak(rows):
        rng = np.random.default_rng(0)
        X, y = {"x": rng.normal(size=rows)}, rng.normal(size=rows)
        tracemalloc.start()
        bough.candidates(X, y, cuts="all")
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(100)  # what is loaded once
    assert peak(4000) < 2.6 * peak(2000)
