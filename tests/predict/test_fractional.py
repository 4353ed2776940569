"""Rules that take a part of a row: shares of missing values, levels never seen, types of columns, refusals."""

import numpy as np
import pytest

from bough import _core


def rules_of(*rules):
    """Arrays of rules: (literals, counts), a literal being (column, kind, code or threshold, share)."""
    literals = [literal for of_rule, _ in rules for literal in of_rule]
    value = [0 if kind in (0, 3) else what for _, kind, what, _ in literals]
    is_whole = [isinstance(x, int) for x in value]
    bits = [
        np.array(x, dtype=np.int64 if whole else np.float64).view(np.uint64)
        for x, whole in zip(value, is_whole, strict=True)
    ]
    return {
        "rule_begin": np.cumsum([0, *(len(of_rule) for of_rule, _ in rules)]).astype(np.int64),
        "column": np.array([column for column, *_ in literals], dtype=np.int32),
        "kind": np.array([kind for _, kind, *_ in literals], dtype=np.uint8),
        "code": np.array([what if kind in (0, 3) else -1 for _, kind, what, _ in literals], dtype=np.int32),
        "value_type": np.array(is_whole, dtype=np.uint8),
        "value_bits": np.array(bits, dtype=np.uint64),
        "share": np.array([share for *_, share in literals], dtype=np.float64),
        "counts": np.array([counts for _, counts in rules], dtype=np.float64),
    }


# x <= 2.5 and job = 1: mostly p; job != 0: q; otherwise p and q alike
RULES = rules_of(
    ([(0, 1, 2.5, 0.5), (1, 0, 1, 0.25)], [3.0, 1.0]),
    ([(1, 3, 0, 0.8)], [0.0, 2.0]),
    ([], [1.0, 1.0]),
)


def columns(x, job):
    return [(np.array(x, dtype=np.float64), None, 0), (np.array(job, dtype=np.int32), None, 2)]


def test_a_row_is_answered_by_the_parts_that_rules_take():
    nan = np.nan
    table = columns([1.0, 2.5, 3.0, 3.0, nan, 1.0, nan], [1, 1, 1, 0, 1, -1, -1])
    first, second, rest = np.array([0.75, 0.25]), np.array([0.0, 1.0]), np.array([0.5, 0.5])
    expected = [
        first,
        first,
        second,
        rest,
        0.5 * first + 0.5 * second,
        0.25 * first + 0.75 * 0.8 * second + 0.75 * 0.2 * rest,
        0.125 * first + 0.875 * 0.8 * second + 0.875 * 0.2 * rest,
    ]
    np.testing.assert_allclose(_core.fractional_probabilities(RULES, table), expected, rtol=1e-15)
    assert _core.fractional_apply(RULES, table).tolist() == [0, 0, 1, 2, 0, 1, 1]


def test_levels_never_seen_are_missing_or_other_levels():
    table = columns([1.0, 1.0], [-2, -1])
    as_missing = _core.fractional_probabilities(RULES, table)
    np.testing.assert_array_equal(as_missing[0], as_missing[1])
    others = _core.fractional_probabilities(RULES, table, unseen_is_missing=False)
    np.testing.assert_array_equal(others[0], [0.0, 1.0])
    np.testing.assert_array_equal(others[1], as_missing[1])


def test_with_shares_of_nothing_the_first_rule_that_holds_decides():
    rules = {**RULES, "share": np.zeros(3)}
    table = columns([1.0, np.nan, 1.0], [1, 1, -1])
    assert _core.fractional_apply(rules, table).tolist() == [0, 1, 2]


def test_a_row_that_no_rule_takes_has_no_probabilities():
    rules = rules_of(([(0, 2, 5.0, 0.0)], [1.0, 3.0]))
    table = [(np.array([6.0, 5.0, np.nan]), None, 0)]
    np.testing.assert_array_equal(_core.fractional_probabilities(rules, table), [[0.25, 0.75], [0, 0], [0, 0]])
    assert _core.fractional_apply(rules, table).tolist() == [0, -1, -1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint64"])
def test_numbers_of_every_type_and_masks(dtype):
    rules = rules_of(([(0, 1, 2.5, 0.5)], [1.0, 0.0]), ([], [0.0, 1.0]))
    mask = np.array([False, False, True])
    table = [(np.array([2, 3, 0]).astype(dtype), mask, 0)]
    np.testing.assert_array_equal(_core.fractional_probabilities(rules, table)[:, 0], [1.0, 0.0, 0.5])


def test_the_least_integer_and_thresholds_of_large_integers_are_exact():
    big = 2**62
    rules = rules_of(([(0, 1, big, 0.5)], [1.0, 0.0]), ([], [0.0, 1.0]))
    table = [(np.array([-(2**63), big, big + 1]), None, 0)]
    assert _core.fractional_apply(rules, table).tolist() == [0, 0, 1]


def test_ordered_levels_are_compared_by_their_codes():
    rules = rules_of(([(0, 1, 1, 0.5)], [1.0, 0.0]), ([], [0.0, 1.0]))
    table = [(np.array([0, 1, 2, -1], dtype=np.int32), None, 1)]
    assert _core.fractional_apply(rules, table).tolist() == [0, 0, 1, 0]


def test_any_number_of_threads_and_rows_gives_the_same_bits():
    random = np.random.default_rng(0)
    x = np.where(random.random(10_000) < 0.1, np.nan, random.normal(2.5, 2, 10_000))
    table = columns(x, random.integers(-2, 3, 10_000))
    whole = _core.fractional_probabilities(RULES, table)
    np.testing.assert_array_equal(whole, _core.fractional_probabilities(RULES, table, n_threads=3))
    parts = [[(data[i : i + 1], None, kind) for data, _, kind in table] for i in range(0, 10_000, 997)]
    for i, part in zip(range(0, 10_000, 997), parts, strict=True):
        np.testing.assert_array_equal(_core.fractional_probabilities(RULES, part)[0], whole[i])
    assert _core.fractional_probabilities(RULES, columns([], [])).shape == (0, 2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rule_begin": np.array([0, 3, 2, 3])}, "rule_begin: expected numbers that rise"),
        ({"rule_begin": np.array([0, 2, 3, 4])}, "rule_begin: expected numbers that rise"),
        ({"rule_begin": np.array([], dtype=np.int64)}, "rule_begin: expected numbers that rise"),
        ({"kind": np.array([1, 0, 7], dtype=np.uint8)}, r"kind\[2\]: must be 0 to 3"),
        ({"kind": np.array([1, 0], dtype=np.uint8)}, "kind: one for each literal is needed"),
        ({"value_type": np.array([0, 0, 9], dtype=np.uint8)}, r"value_type\[2\]: must be 0 to 2"),
        ({"share": np.array([0.5, np.nan, 1.0])}, r"share\[1\]: must be from 0 to 1"),
        ({"code": np.array([-1, -1, 0], dtype=np.int32)}, r"code\[1\]: must not be negative"),
        ({"column": np.array([0, -1, 1], dtype=np.int32)}, r"column\[1\]: must not be negative"),
        ({"column": np.array([0, 9, 1], dtype=np.int32)}, "a table with 2 columns"),
        ({"column": np.array([1, 1, 1], dtype=np.int32)}, "column 1 is of another kind than in training"),
        ({"counts": np.ones((2, 2))}, "counts: one for each rule and class is needed"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.fractional_probabilities({**RULES, **change}, columns([1.0], [1]))
