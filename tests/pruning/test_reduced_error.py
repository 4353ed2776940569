"""Reduced-error pruning of the kernel against the plain Python one, on random tables, and by hand."""

import numpy as np
import pytest

from bough import _core
from bough.model import PruningLog
from bough.testing.c45 import J48, Options
from bough.testing.c45.grow import grow
from bough.testing.c45.reduced_error import keep_back
from bough.testing.c45.search import Habits

SPREAD = (False, 4, 0, 0)


def prune_reduced_error(tree, *more):
    """The kernel's tree, and its log as tuples."""
    pruned, steps = _core.prune_reduced_error(tree, *more)
    return pruned, list(PruningLog.of_steps("reduced_error", "errors", tree, steps))


def test_random_tables_are_pruned_as_in_plain_python(c45, budget):
    cut = 0
    for seed in range(max(20, round(200 * budget))):
        rng = np.random.default_rng(seed)
        table = c45.random_table(rng)
        minimum, binary, folds = float(rng.choice([1, 2])), bool(rng.random() < 0.4), int(rng.integers(2, 5))
        growing, kept = keep_back(table, folds)
        full = c45.kernel_tree(table, grow(table, growing, Habits(minimum, binary)))
        rules = Options(minimum=minimum, binary=binary, reduced_error=folds)
        expected = c45.kernel_tree(table, J48(table, rules).root)
        _, ranked, target = c45.kernel_table(table)
        holdout = np.zeros(len(table.y))
        for row, weight in kept:
            holdout[row] = weight
        options = {"rule": "not_worse", "epsilon": 1e-6}
        found, log = prune_reduced_error(full, ranked, target, options, holdout)
        c45.assert_same(found, expected)
        cut += len(log)
    assert cut > 0


def regression_tree(routing=SPREAD):
    #   x <= 0: 1.0     x > 0: level 0 -> 5.0, level 1 -> 9.0
    builder = _core.TreeBuilder([], routing)
    builder.add_node(-1, 0, value=4.0, weight=6.0, rows=6, risk=60.0, majority=1)
    builder.add_threshold(0, 0.0)
    builder.add_node(0, 0, value=1.0, weight=3.0, rows=3, risk=1.0)
    builder.add_node(0, 1, value=7.0, weight=3.0, rows=3, risk=12.0, majority=0)
    builder.add_levels(1, [0, 1], [0, 1])
    builder.add_node(2, 0, value=5.0, weight=2.0, rows=2, risk=1.0)
    builder.add_node(2, 1, value=9.0, weight=1.0, rows=1, risk=1.0)
    return builder.freeze()


def pruned(x, codes, y, *, weight=None, routing=SPREAD, **options):
    columns = [(np.array(x, "f8"), None, 0), (np.array(codes, "i4"), None, 2)]
    ranked = _core.rank_table(columns, [0, 2], None, 1)
    target = {"classes": 0, "value": np.array(y, "f8")}
    weight = np.ones(len(y)) if weight is None else np.array(weight, "f8")
    return prune_reduced_error(regression_tree(routing), ranked, target, options, weight)


def test_squared_and_absolute_errors_by_hand():
    # At node 2: two cases of 5 and one of 10 in the wrong branches.
    x, codes, y = [1, 1, 1], [1, 0, 0], [5, 10, 5]
    tree, log = pruned(x, codes, y)
    assert (len(tree), log) == (3, [(2, "leaf", 41.0, 17.0)])  # 16 + 25 + 0 against 4 + 9 + 4; the root 1 + 36 + 1
    tree, log = pruned(x, codes, y, value_error="absolute")
    assert log == [(2, "leaf", 9.0, 7.0)]
    assert tree.complexity.tolist() == [47.0, 0.0, 0.0]
    tree, log = pruned(x, codes, y, weight=[0, 0, 2])  # the leaf of that case is right
    assert (len(tree), log) == (5, [])


def test_ties_prune_or_not_as_the_rule_says():
    tree, log = pruned([-1], [0], [1.0], rule="not_worse")  # no case comes to node 2
    assert (len(tree), log) == (3, [(2, "leaf", 0.0, 0.0)])
    tree, log = pruned([-1], [0], [1.0], rule="strict")
    assert (len(tree), log) == (5, [])


def test_rows_go_down_as_the_tree_sends_them():
    nan = float("nan")
    # In halves: 1.0 and, by 2 : 1, 5.0 and 9.0.
    _, log = pruned([nan], [-1], [9.0])
    assert [entry[:2] for entry in log] == [(2, "leaf"), (0, "leaf")]
    assert log[0][2:] == pytest.approx((0.5 * 2 / 3 * 16, 0.5 * 4))
    assert log[1][2:] == pytest.approx((0.5 * 64 + 0.5 * 4, 25.0))
    # To the larger branch: 7.0, then 5.0.
    _, log = pruned([nan], [-1], [9.0], routing=(False, 1, 0, 0))
    assert log == [(2, "leaf", 16.0, 4.0)]
    # Stopping at the root: it is as good as its subtree, and no case comes to node 2.
    _, log = pruned([nan], [-1], [9.0], routing=(False, 2, 0, 0))
    assert log == [(2, "leaf", 0.0, 0.0), (0, "leaf", 25.0, 25.0)]


def test_costs_and_scales_count():
    builder = _core.TreeBuilder([1.0, 3.0], SPREAD)
    builder.add_node(-1, 0, label=0, counts=[(0, 3.0), (1, 1.0)], weight=4.0)
    builder.add_threshold(0, 0.0)
    builder.add_node(0, 0, label=0, counts=[(0, 3.0)], weight=3.0)
    builder.add_node(0, 1, label=1, counts=[(1, 1.0)], weight=1.0)
    tree = builder.freeze()
    x, y = np.array([1.0, 1.0, -1.0]), np.array([0, 0, 1], "u4")
    ranked = _core.rank_table([(x, None, 0)], [0], None, 1)
    target = {"classes": 2, "label": y, "growth_scale": np.ones(2), "class_scale": np.array([1.0, 3.0])}
    _, log = prune_reduced_error(tree, ranked, target, {}, np.ones(3))
    assert log == [(0, "leaf", 5.0, 3.0)]
    costs = np.array([0.0, 0.25, 7.0, 0.0])
    _, log = prune_reduced_error(tree, ranked, target | {"cost": costs}, {}, np.ones(3))
    assert log == [(0, "leaf", 21.5, 21.0)]


def test_what_does_not_fit_is_refused():
    with pytest.raises(_core.InvalidInput, match=r"^holdout_weight: one for each row is needed"):
        pruned([0], [0], [1.0], weight=[1.0, 1.0])
    with pytest.raises(_core.InvalidInput, match=r"^holdout_weight: expected finite numbers of at least 0"):
        pruned([0], [0], [1.0], weight=[-1.0])
    with pytest.raises(_core.InvalidInput, match=r"^rule: unknown choice"):
        pruned([0], [0], [1.0], rule="never")
    with pytest.raises(_core.InvalidInput, match=r"^epsilon: "):
        pruned([0], [0], [1.0], epsilon=-1.0)
