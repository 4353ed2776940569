"""Error-based pruning of the kernel against the plain Python C4.5, on random tables, and by hand."""

import itertools
import math

import numpy as np
import pytest

from bough import _core
from bough.model import PruningLog
from bough.testing.c45 import J48, Options

SPREAD = (False, 4, 0, 0)


def prune_error_based(tree, *more):
    """The kernel's tree, and its log as tuples."""
    pruned, steps = _core.prune_error_based(tree, *more)
    return pruned, list(PruningLog.of_steps("error_based", "errors", tree, steps))


def as_weka(confidence):
    """The options with which J48 prunes: its tolerance, and a confidence held in 32 bits."""
    single = np.float32(confidence)
    return {"confidence": float(single), "complement": float(np.float32(1) - single), "epsilon": 1e-6}


def test_random_tables_are_pruned_as_in_plain_python(c45, budget, record_property):
    decisions = {"leaf": 0, "raised": 0}
    for seed in range(max(20, round(400 * budget))):
        rng = np.random.default_rng(seed)
        table = c45.random_table(rng)
        grown = {"minimum": float(rng.choice([1, 2, 5])), "binary": bool(rng.random() < 0.4)}
        rules = {"raising": bool(rng.random() < 0.8), "collapsing": bool(rng.random() < 0.7)}
        confidence = float(rng.choice([0.1, 0.25, 0.4, 0.5, 0.6]))
        unpruned = bool(rng.random() < 0.1)
        full = c45.kernel_tree(table, J48(table, Options(unpruned=True, collapsing=False, **grown)).root)
        rules_there = Options(confidence=confidence, unpruned=unpruned, **rules, **grown)
        expected = c45.kernel_tree(table, J48(table, rules_there).root)

        options = as_weka(confidence) | {"raising": rules["raising"], "collapse": rules["collapsing"]}
        if unpruned:
            options["confidence"] = None
        _, ranked, target = c45.kernel_table(table)
        found, log = prune_error_based(full, ranked, target, options)
        c45.assert_same(found, expected)
        again = _core.Tree.from_arrays(found.to_arrays(), found.routing)  # the validator has no objection
        assert len(again) == len(found)
        for node, what, _, _ in log:
            decisions[what] += 1
            assert 0 <= node < len(full)
    record_property("summary", f"error-based pruning: {decisions['leaf']} leaves, {decisions['raised']} raised")
    assert decisions["raised"] > 0


def test_raised_nodes_know_the_rows_that_come_down_now(c45):
    for seed in range(300):
        table = c45.random_table(np.random.default_rng(seed))
        full = c45.kernel_tree(table, J48(table, Options(unpruned=True, collapsing=False)).root)
        columns, ranked, target = c45.kernel_table(table)
        found, log = prune_error_based(full, ranked, target, as_weka(0.25) | {"criterion": "gini"})
        if not any(what == "raised" for _, what, _, _ in log):
            continue
        weights = np.array(table.weights)
        for node in np.flatnonzero(found.child_begin[1:] > found.child_begin[:-1]).tolist():
            children = found.children[found.child_begin[node] : found.child_begin[node + 1]]
            assert found.weight[children].sum() == pytest.approx(found.weight[node])
            assert found.majority[node] in (-1, np.argmax(found.weight[children]))  # -1: as it was built
        shares = _core.spread_probabilities(found, columns)
        assert shares.sum(axis=1) == pytest.approx(1.0)
        assert found.weight[0] == pytest.approx(weights.sum())


def stump(counts, *, routing=SPREAD):
    """A root with two leaves; column 0 parts them at 0.5."""
    builder = _core.TreeBuilder([1.0, 1.0], routing)
    total = [sum(pair) for pair in zip(*counts, strict=True)]
    for place, (a, b) in enumerate([total, *counts]):
        held = [(k, w) for k, w in enumerate((a, b)) if w]
        builder.add_node(
            0 if place else -1, max(place - 1, 0), label=int(b > a), counts=held, weight=a + b, risk=min(a, b)
        )
        if place == 0:
            builder.add_threshold(0, 0.5)
    return builder.freeze()


def rows_of(counts):
    """A table that has these counts in the two branches of a stump."""
    x = np.concatenate([np.full(int(sum(pair)), float(side)) for side, pair in enumerate(counts)])
    y = np.concatenate([np.repeat([0, 1], [int(a), int(b)]) for a, b in counts]).astype(np.uint32)
    target = {"classes": 2, "label": y, "growth_scale": np.ones(2), "class_scale": np.ones(2)}
    return _core.rank_table([(x, None, 0)], [0], None, 1), target


@pytest.mark.parametrize(
    ("weight", "wrong", "added"),
    [(6, 0, 1.237796844), (16, 1, 1.475714632), (100, 10, 2.749611451), (3, 1, 1.044310339), (9, 0, 1.284804154)],
)
def test_errors_to_expect(weight, wrong, added):
    """The figures show in the log: a stump of two leaves that are pruned to one."""
    counts = [(weight - wrong, wrong), (1, 0)]
    ranked, target = rows_of(counts)
    pruned, log = prune_error_based(stump(counts), ranked, target, {"collapse": False, "confidence": 0.25})
    assert len(pruned) == 1
    [(node, what, before, _)] = log
    assert (node, what) == (0, "leaf")
    assert before == pytest.approx(wrong + added + 0.75, abs=1e-8)


def test_a_confidence_above_a_half_expects_no_more_errors():
    counts = [(5, 1), (4, 1)]
    ranked, target = rows_of(counts)
    _, log = prune_error_based(stump(counts), ranked, target, {"collapse": False, "confidence": 0.7})
    assert log == [(0, "leaf", 2.0, 2.0)]


def test_collapse_alone():
    ranked, target = rows_of([(5, 1), (4, 1)])
    pruned, log = prune_error_based(stump([(5, 1), (4, 1)]), ranked, target, {"confidence": None})
    assert len(pruned) == 1
    assert log == [(0, "leaf", 2.0, 2.0)]
    ranked, target = rows_of([(5, 0), (0, 2)])
    pruned, log = prune_error_based(stump([(5, 0), (0, 2)]), ranked, target, {"confidence": None})
    assert len(pruned) == 3
    assert log == []


def test_what_does_not_fit_is_refused():
    counts = [(5, 0), (0, 5)]
    ranked, target = rows_of(counts)
    tree = stump(counts)
    with pytest.raises(_core.InvalidInput, match=r"^confidence: expected a number between 0 and 1"):
        prune_error_based(tree, ranked, target, {"confidence": 1.0})
    with pytest.raises(_core.InvalidInput, match=r"^complement: "):
        prune_error_based(tree, ranked, target, {"confidence": 0.25, "complement": 0.7})
    with pytest.raises(_core.InvalidInput, match=r"^options: an option is not known"):
        prune_error_based(tree, ranked, target, {"confidense": 0.25})
    with pytest.raises(_core.InvalidInput, match=r"^cost: "):
        prune_error_based(tree, ranked, target | {"cost": np.array([0.0, 1, 1, 0])}, {})
    stops = stump(counts, routing=(False, 2, 0, 0))
    with pytest.raises(_core.InvalidInput, match=r"^raising: needs a tree in which no case stops at a test"):
        prune_error_based(stops, ranked, target, {})
    assert len(prune_error_based(stops, ranked, target, {"raising": False})[0]) == 3
    assert len(prune_error_based(stump(counts, routing=(False, 1, 0, 0)), ranked, target, {})[0]) == 3
    other = _core.rank_table([(np.zeros(10, "i4"), None, 2)], [2], None, 1)
    with pytest.raises(_core.InvalidInput, match="a nominal column has no thresholds"):
        prune_error_based(tree, other, target, {})


@pytest.mark.parametrize("raising", [False, True])
def test_a_chain_of_tests_is_pruned_without_recursion(raising):
    depth = 500 if raising else 100_000
    n = 2 * depth + 2
    x = np.arange(n, dtype=np.float64)
    y = np.random.default_rng(0).integers(0, 2, n).astype(np.uint32)
    builder = _core.TreeBuilder([1.0, 1.0], SPREAD)
    left = np.bincount(y, minlength=2).astype(float)
    builder.add_node(-1, 0, label=0, counts=list(enumerate(left.tolist())), weight=float(n))
    for d in range(depth):
        builder.add_threshold(0, 2 * d + 1.5)
        here = np.bincount(y[2 * d : 2 * d + 2], minlength=2).astype(float)
        held = [(k, w) for k, w in enumerate(here.tolist()) if w]
        builder.add_node(2 * d, 0, label=held[0][0], counts=held, weight=2.0)
        left -= here
        held = [(k, w) for k, w in enumerate(left.tolist()) if w]
        builder.add_node(2 * d, 1, label=held[0][0], counts=held, weight=float(left.sum()))
    ranked = _core.rank_table([(x, None, 0)], [0], None, 1)
    target = {"classes": 2, "label": y, "growth_scale": np.ones(2), "class_scale": np.ones(2)}
    steps = []
    tree = builder.freeze()
    pruned, _ = prune_error_based(tree, ranked, target, {"raising": raising, "collapse": False}, steps.append)
    assert len(pruned) < len(tree)
    assert all(0.0 <= a <= b <= 1.0 for a, b in itertools.pairwise(steps))


def test_weights_and_scales_count_as_more_rows(c45):
    """Rows of weight 2 prune as rows that stand twice; a class scale of 2 as rows of that class that stand twice."""
    rng = np.random.default_rng(5)
    differ = 0
    for _ in range(40):
        table = c45.random_table(rng)
        full = c45.kernel_tree(table, J48(table, Options(unpruned=True, collapsing=False)).root)
        _, ranked, target = c45.kernel_table(table)
        arrays = full.to_arrays()
        doubled = {"weight": full.weight * 2, "count_weight": full.count_weight * 2, "risk": full.risk * 2}
        heavy = _core.Tree.from_arrays(arrays | doubled, full.routing)
        scales = {"class_scale": np.full(len(table.classes), 2.0)}
        scaled = _core.Tree.from_arrays(arrays | scales | {"risk": full.risk * 2}, full.routing)
        by_weight, _ = prune_error_based(heavy, ranked, target | {"weight": target["weight"] * 2}, {})
        by_scale, _ = prune_error_based(scaled, ranked, target | scales, {})
        once, _ = prune_error_based(full, ranked, target, {})
        assert by_weight.parent.tolist() == by_scale.parent.tolist()
        assert np.allclose(by_weight.risk, by_scale.risk)
        assert math.isclose(by_weight.weight[0], 2 * once.weight[0])
        differ += len(by_weight) != len(once)
    assert differ > 0
