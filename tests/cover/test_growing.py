"""One rule grown and pruned by the kernel, and the same by brute force, on random tables."""

import struct
from itertools import pairwise

import numpy as np
import pytest

from bough import _core
from bough.testing import (
    Literal,
    Problem,
    covered,
    grow_rule,
    kernel_columns,
    prune_rule,
    random_table,
    rule_gain,
    without_implied,
)
from bough.testing.covering import counts
from bough.testing.kernel import kernel_levels

NEVER = {"slack": float("inf"), "max_error": 2.0, "rounds": 0, "reduce": False, "max_rules": 1}


def learnt(problem, **options):
    """What the kernel learns of a problem."""
    table = _core.rank_table(kernel_columns(problem), kernel_levels(problem), None, 1)
    label = np.array(problem.y, np.uint32)
    weight = np.array(problem.weights, np.float64)
    return _core.cover(table, label, problem.n_classes, weight, {**NEVER, **options})


def read_rules(found):
    """The rules of the kernel as literals."""
    arrays = found["rules"].to_arrays()
    sets = iter(range(len(arrays["set_begin"]) - 1))
    literals = []
    for i, kind in enumerate(arrays["kind"].tolist()):
        column = int(arrays["column"][i])
        if kind == 0:
            s = next(sets)
            codes = arrays["set_code"][arrays["set_begin"][s] : arrays["set_begin"][s + 1]].tolist()
            form = "!=" if arrays["negated"][i] else "="
            literals.append(Literal(column, form, codes[0]) if len(codes) == 1 else Literal(column, "in", tuple(codes)))
        elif kind == 2:
            literals.append(Literal(column, "missing"))
        else:
            side = "high" if arrays["high_bound"][i] else "low"
            form = {("high", 2): "<=", ("low", 1): ">", ("low", 2): ">="}[side, int(arrays[f"{side}_bound"][i])]
            bits = struct.pack("<Q", int(arrays[f"{side}_bits"][i]))
            (number,) = struct.unpack("<" + "dqQ"[arrays[f"{side}_type"][i]], bits)
            literals.append(Literal(column, form, number))
    begin = arrays["rule_begin"].tolist()
    return [literals[a:b] for a, b in pairwise(begin)]


def part_of(problem, rows):
    """The problem with some of its rows."""
    columns = [type(column)(column.kind, [column.cells[row] for row in rows]) for column in problem.columns]
    weights = [problem.weights[row] for row in rows]
    return Problem(columns, [problem.y[row] for row in rows], weights, n_classes=problem.n_classes)


def same_but_for_ties(problem, positive, rows, ours, theirs, laplace):
    """Whether two rules agree up to a literal that gains as much as the other's."""
    for i, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        left = covered(problem, ours[:i], rows)
        now = counts(problem, positive, left)
        kept = [counts(problem, positive, covered(problem, [literal], left)) for literal in (a, b)]
        gains = [rule_gain(now, then, laplace=laplace) for then in kept]
        if a != b:
            assert gains[0] == pytest.approx(gains[1], abs=1e-9), (a, b)
            return False
    assert len(ours) == len(theirs)
    return True


def cases(seed, budget):
    rng = np.random.default_rng(seed)
    for number in range(int(60 * budget)):
        weights = ["ones", "integers", "quarters", "zeros"][number % 4]
        yield rng, random_table(rng, int(rng.integers(12, 45)), weights=weights, missing=0.1 * (number % 3 > 0))


WAYS = [
    {"allow": ["=", "<=", ">"]},
    {"allow": ["=", "!=", "<=", ">", "missing"], "min_positive": 2.0},
    {"allow": ["=", "<=", ">"], "gain": "laplace", "cut_at": "data_value", "min_positive": 2.0, "jrip": True},
    {"allow": ["<=", "missing", "!="], "max_literals": 2},
]


@pytest.mark.parametrize("way", WAYS)
def test_a_rule_grows_as_by_brute_force(way, budget):
    told = {
        "laplace": way.get("gain") == "laplace",
        "data_values": way.get("cut_at") == "data_value",
        **{name: way[name] for name in ("allow", "min_positive", "max_literals") if name in way},
    }
    compared = 0
    for _, problem in cases(1, budget):
        found = learnt(problem, prune=False, **way)
        positive = int(found["class_order"][0])
        rows = [row for row, weight in enumerate(problem.weights) if weight > 0]
        plain = grow_rule(problem, positive, rows, **told)
        if not covered(problem, plain, rows) or counts(problem, positive, covered(problem, plain, rows))[0] == 0:
            continue
        rules = read_rules(found)
        if not plain:
            assert rules == [] or rules == [[]]
            continue
        if without_implied(plain) != rules[0]:
            # Literals that gain the same, or the same by rounding.
            assert not same_but_for_ties(problem, positive, rows, plain, rules[0], told["laplace"])
            continue
        compared += 1
        expected = counts(problem, positive, covered(problem, plain, rows))
        assert found["growing"][0].tolist() == pytest.approx(expected)
        assert found["class_weight"][0].sum() == pytest.approx(expected[1])
    assert compared > 30 * budget


def test_sets_of_levels_are_as_good_as_the_best_of_all_subsets(budget):
    for _, problem in cases(2, budget):
        if any(cell is None for column in problem.columns for cell in column.cells):
            continue
        found = learnt(problem, prune=False, allow=["in"], max_literals=1)
        positive = int(found["class_order"][0])
        rows = [row for row, weight in enumerate(problem.weights) if weight > 0]
        plain = grow_rule(problem, positive, rows, allow=["in"], max_literals=1)
        now = counts(problem, positive, rows)
        gains = [
            rule_gain(now, counts(problem, positive, covered(problem, rule, rows))) if rule else 0.0
            for rule in (plain, *(read_rules(found) or [[]]))
        ]
        assert gains[1] == pytest.approx(gains[0], abs=1e-9)


@pytest.mark.parametrize("value", ["difference", "laplace", "accuracy"])
@pytest.mark.parametrize("deletions", ["last", "single"])
def test_a_rule_is_pruned_as_by_brute_force(value, deletions, budget):
    compared = 0
    for rng, problem in cases(3, budget / 2):
        held_out = (rng.random(len(problem.y)) < 1 / 3).astype(np.uint8)
        weighs = [row for row, weight in enumerate(problem.weights) if weight > 0]
        growing = [row for row in weighs if not held_out[row]]
        pruning = [row for row in weighs if held_out[row]]
        found = learnt(problem, held_out=held_out, prune_value=value, deletions=deletions)
        positive = int(found["class_order"][0])
        grown = grow_rule(problem, positive, growing)
        plain = prune_rule(problem, positive, grown, pruning, value=value, single=deletions == "single")
        rules = read_rules(found)
        kept = covered(problem, plain, weighs)
        if not plain or counts(problem, positive, kept)[0] == 0:
            assert rules == []
            continue
        if rules and rules[0] != without_implied(plain):
            alone = learnt(part_of(problem, growing), prune=False)
            if read_rules(alone) != [without_implied(grown)]:
                continue  # grown otherwise: two literals that gain the same
        assert rules == [without_implied(plain)]
        compared += 1
        assert found["growing"][0].tolist() == pytest.approx(
            counts(problem, positive, covered(problem, plain, growing))
        )
        if grown and pruning:
            expected = counts(problem, positive, covered(problem, plain, pruning))
            assert found["pruning"][0].tolist() == pytest.approx(expected)
    assert compared > 8 * budget
