"""Raising re-routes rows by every kind of test: the counts of a raised branch are those of prediction."""

import numpy as np
import pytest

from bough import CARTClassifier, TreeClassifier, _core
from bough.recipe import ErrorBased

MAJORITY = (False, 1, 0, 0)
N = 200


def rows():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 10, N).astype(float)
    x[rng.random(N) < 0.2] = np.nan
    first, second = rng.integers(-1, 4, N).astype(np.int32), rng.integers(-1, 3, N).astype(np.int32)
    columns = [(x, None, 0), (first, None, 2), (second, None, 2)]
    return columns, rng.integers(0, 2, N).astype(np.uint32)


TESTS = {
    "threshold": (2, lambda b: b.add_threshold(0, 4.0, low=1, missing=0)),
    "own branch": (3, lambda b: b.add_threshold(0, 4.0, missing=2)),
    "levels": (3, lambda b: b.add_levels(1, [0, 1, 3], [1, 0, 2], missing=1)),
    "intervals": (3, lambda b: b.add_intervals(0, [2.0, 7.0], [1, 0, 2], missing=2)),
    "below the edge": (2, lambda b: b.add_intervals(0, [2.0, 7.0], [1, 0, 1], side=1, missing=0)),
    "is it missing": (2, lambda b: b.add_intervals(0, [], [0], missing=1)),
    "conjunction": (2, lambda b: b.add_conjunction([(1, 2, False), (2, 0, True)], missing=1)),
    "disjunction": (2, lambda b: b.add_conjunction([(1, 2, True), (2, 0, True)], low=1, missing=0)),
}


@pytest.mark.parametrize("kind", TESTS)
def test_rows_come_down_as_in_prediction(kind):
    columns, y = rows()
    branches, add_test = TESTS[kind]
    builder = _core.TreeBuilder([1.0, 1.0], MAJORITY)
    one = {"label": 0, "counts": [(0, 1.0)], "rows": 1, "weight": 1.0}
    builder.add_node(-1, 0, **one, majority=1)
    builder.add_threshold(0, 3.0, missing=1)
    builder.add_node(0, 0, **one)
    builder.add_node(0, 1, **one, majority=0)
    add_test(builder)
    for branch in range(branches):
        builder.add_node(2, branch, **one)
    grown = builder.freeze()
    ranked = _core.rank_table(columns, [0, 4, 3], None, 1)
    target = {"classes": 2, "label": y, "growth_scale": np.ones(2), "class_scale": np.ones(2)}
    cuts = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    raised, _ = _core.replay_cuts(grown, ranked, target, *cuts, {})
    ends = _core.apply(raised, columns)
    assert raised.rows.tolist()[1:] == np.bincount(ends, minlength=branches + 1).tolist()[1:]
    for node in range(1, branches + 1):
        held = slice(raised.count_begin[node], raised.count_begin[node + 1])
        counts = np.bincount(y[ends == node], minlength=2)
        assert raised.count_weight[held].tolist() == counts[raised.count_class[held]].tolist()


def test_cuts_of_another_tree_are_refused():
    columns, y = rows()
    tree = _core.TreeBuilder([1.0, 1.0], MAJORITY)
    tree.add_node(-1, 0, label=0, counts=[(0, 1.0)], weight=1.0)
    ranked = _core.rank_table(columns, [0, 4, 3], None, 1)
    target = {"classes": 2, "label": y, "growth_scale": np.ones(2), "class_scale": np.ones(2)}
    for node in (0, 7, -1):
        with pytest.raises(_core.InvalidInput, match=r"^cuts: they are not those of this tree"):
            _core.replay_cuts(tree.freeze(), ranked, target, np.array([node], "i4"), np.array([-1], "i4"), {})
        tree = _core.TreeBuilder([1.0, 1.0], MAJORITY)
        tree.add_node(-1, 0, label=0, counts=[(0, 1.0)], weight=1.0)


@pytest.mark.parametrize("missing", ["surrogates", "majority_branch"])
def test_rows_without_a_value_are_sent_as_in_prediction(missing):
    raised = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 5)).round(1)
        y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=150) > 0
        X[rng.random(X.shape) < 0.15] = np.nan
        grown = CARTClassifier(pruning=None, min_samples_split=4, min_samples_leaf=2, missing=missing).fit(X, y)
        smaller = grown.pruned("error_based", X, y)
        raised += int((smaller.pruning_log_.branch >= 0).sum())
        kernel = smaller.tree_.kernel
        leaf = np.diff(kernel.child_begin) == 0
        assert kernel.rows[leaf].tolist() == np.bincount(smaller.apply(X), minlength=len(kernel))[leaf].tolist()
    assert raised > 5


# A first test that is of no use, forced: its large branch holds a (yes) and b (no), its small one c alone (yes), a
# level that the test of the large branch has never met.
WINGS = {"wing": ["east"] * 32 + ["west"] * 3, "ward": ["a"] * 20 + ["b"] * 12 + ["c"] * 3}
WELL = ["yes"] * 20 + ["no"] * 12 + ["yes"] * 3


def of_wings(**given):
    parts = {"branching": "per_level", "stopping": None, "pruning": "error_based", "missing": "fractional"}
    return TreeClassifier(**parts | given, forced_splits=[{"path": (), "column": "wing"}]).fit(WINGS, WELL)


def test_rows_of_a_level_that_the_raised_branch_never_met_go_where_absent_levels_go():
    """To the largest branch, whole, and all of them well; in parts, as rows without a value, some would be wrong."""
    raised = of_wings(absent="majority")
    assert raised.pruning_log_.branch.tolist() == [0]
    assert raised.tree_.root.split.column == "ward"
    assert [child.counts for child in raised.tree_.root.children] == [
        {"no": 0.0, "yes": 23.0},
        {"no": 12.0, "yes": 0.0},
    ]
    assert of_wings(absent="missing").tree_.root.split.column == "wing"


def test_nothing_is_raised_by_itself_where_rows_of_absent_levels_stop():
    assert of_wings(absent="majority", pruning=ErrorBased(raising=False)).tree_.root.split.column == "wing"
    stops = of_wings(absent="stop")
    assert stops.tree_.root.split.column == "wing"
    assert len(stops.pruning_log_) == 0
