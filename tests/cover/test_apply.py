"""Rules asked of rows: by definition, one cell after the other, on columns of every type."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bough import _core

MISSING, OTHER = "missing", "other"


def cell_of(column, row, unseen):
    """The value of a cell as an exact number or a code, MISSING or OTHER."""
    data, mask, kind = column
    value = data[row].item()
    if kind == 0:
        return MISSING if (mask is not None and mask[row]) or value != value else value
    if value == -1:
        return MISSING
    return value if value >= 0 else (OTHER if unseen else MISSING)


def below(a, b):
    """a < b for numbers of any type, infinities included."""
    if math.isinf(a) or math.isinf(b):
        return float(a) < float(b)
    return Fraction(a) < Fraction(b)


def between(value, low, high):
    after = low is None or below(low[1], value) or (low[0] == "[" and not below(value, low[1]))
    before = high is None or below(value, high[1]) or (high[0] == "]" and not below(high[1], value))
    return after and before


def holds(literal, columns, row, unseen):
    missing = literal.get("or_missing", False)
    if literal["kind"] == "sum":
        total = 0.0
        for column, code, weight in sorted(literal["terms"]):
            value = cell_of(columns[column], row, unseen)
            if value == MISSING or (value == OTHER and code < 0):
                return missing
            total += weight * (float(value) if code < 0 else float(value == code))
        return between(total, literal.get("low"), literal.get("high")) if total == total else missing
    value = cell_of(columns[literal["column"]], row, unseen)
    if literal["kind"] in ("missing", "known"):
        return (value == MISSING) == (literal["kind"] == "missing")
    if value == MISSING:
        return missing
    if literal["kind"] == "levels":
        inside = value in literal["codes"]
    else:
        inside = value != OTHER and between(value, literal.get("low"), literal.get("high"))
    return inside != literal.get("negated", False)


def random_columns(rng, rows):
    edges = [-(2**63), -(2**53) - 1, -3, 0, 1, 2, 2**53 + 1, 2**63 - 1]
    nominal = rng.integers(-2, 5, rows).astype(np.int32)
    wide = rng.choice(np.array([-2, -1, 3, 70, 200, 5000], np.int32), rows)
    ordered = rng.integers(-2, 4, rows).astype(np.int32)
    mask = rng.random(rows) < 0.1
    whole = rng.choice(np.array(edges), rows)
    natural = rng.choice(np.array([0, 1, 2**53 + 1, 2**63, 2**64 - 1], np.uint64), rows)
    real = rng.choice(np.array([-math.inf, -1.5, -0.0, 0.0, 0.1, 1, 2.0**53, math.inf, math.nan]), rows)
    single = rng.choice(np.array([0.1, 0.5, 2, math.nan], np.float32), rows)
    small = rng.integers(-3, 3, (rows, 2)).astype(np.int32)[:, 1]
    return [
        (nominal, None, 2),
        (wide, None, 2),
        (ordered, None, 1),
        (whole, mask, 0),
        (natural, None, 0),
        (real, None, 0),
        (single, mask, 0),
        (small, None, 0),
    ]


def random_literal(rng, columns):
    column = int(rng.integers(len(columns)))
    kind = rng.choice(["levels", "interval", "interval", "missing", "known", "sum"])
    if kind in ("levels", "interval"):
        kind = {0: "interval", 1: kind, 2: "levels"}[columns[column][2]]
    literal = {"kind": str(kind), "column": column}
    if kind in ("missing", "known"):
        return literal
    literal["or_missing"] = bool(rng.random() < 0.3)
    if kind == "sum":
        weights = rng.choice([-1.5, -1.0, 0.5, 2.0], 3).tolist()
        places = [(0, 1), (2, -1), (7, -1)] if rng.random() < 0.7 else [(0, 0), (0, 3), (5, -1)]
        literal["terms"] = [(*place, weight) for place, weight in zip(places, weights, strict=True)]
        del literal["column"]
    else:
        literal["negated"] = bool(rng.random() < 0.4)
    if kind == "levels":
        values = [0, 1, 2, 3, 4, 70, 200, 5000]
        literal["codes"] = rng.choice(values, rng.integers(1, 4), replace=False).tolist()
        return literal
    numbers = [-1.5, 0.0, 0.1, 0.5, 1.0, 2.0, 2.0**53, 2.0**63, 2**53 + 1, -(2**63), 2**63 - 1, 2**64 - 1, -2, 1, 2]
    while True:
        ends = [numbers[i] for i in rng.integers(len(numbers), size=2)]
        if kind == "sum":
            ends = [float(end) for end in ends]
        low = (str(rng.choice(["(", "["])), ends[0]) if rng.random() < 0.7 else None
        high = (str(rng.choice([")", "]"])), ends[1]) if rng.random() < 0.7 else None
        if low is None and high is None:
            continue
        if low and high and not below(ends[0], ends[1]):
            continue
        return literal | {"low": low, "high": high}


@pytest.mark.parametrize("unseen", [0, 1])
def test_every_literal_means_what_it_says(make_rules, budget, unseen):
    rng = np.random.default_rng(unseen)
    for _ in range(int(25 * budget)):
        columns = random_columns(rng, int(rng.choice([1, 63, 64, 65, 200])))
        rules = [[random_literal(rng, columns) for _ in range(rng.integers(0, 4))] for _ in range(6)]
        rows = len(columns[0][0])
        expected = np.array(
            [[all(holds(lit, columns, row, unseen) for lit in rule) for rule in rules] for row in range(rows)]
        )
        made = make_rules(rules)
        np.testing.assert_array_equal(_core.rules_cover(made, columns, unseen), expected)
        first = np.where(expected.any(axis=1), expected.argmax(axis=1), len(rules))
        np.testing.assert_array_equal(_core.rules_apply(made, columns, unseen), first)


def test_threads_give_the_same_numbers(make_rules):
    columns = random_columns(np.random.default_rng(5), 20_000)
    rules = make_rules([[random_literal(np.random.default_rng(i), columns)] for i in range(20)])
    np.testing.assert_array_equal(_core.rules_apply(rules, columns), _core.rules_apply(rules, columns, threads=3))
    np.testing.assert_array_equal(_core.rules_cover(rules, columns), _core.rules_cover(rules, columns, threads=3))


def test_no_rules_and_no_rows(make_rules):
    columns = [(np.array([1.0, 2.0]), None, 0)]
    assert _core.rules_apply(make_rules([]), columns).tolist() == [0, 0]
    assert _core.rules_cover(make_rules([]), columns).shape == (2, 0)
    assert _core.rules_apply(make_rules([[]]), [(np.array([]), None, 0)]).tolist() == []


def test_columns_that_do_not_fit_are_refused(make_rules):
    level = make_rules([[{"kind": "levels", "column": 0, "codes": [0]}]])
    with pytest.raises(_core.InvalidInput, match="column 0 is numeric: no levels"):
        _core.rules_apply(level, [(np.array([1.0]), None, 0)])
    with pytest.raises(_core.InvalidInput, match="asks column 0 of a table with 0"):
        _core.rules_apply(level, [])
    with pytest.raises(_core.InvalidInput, match="unseen: expected 0"):
        _core.rules_apply(level, [(np.array([0], np.int32), None, 2)], 2)
