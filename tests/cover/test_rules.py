"""Rules at the border of the kernel: what it takes, shows again, and refuses by field and position."""

import pickle

import numpy as np
import pytest

from bough import _core

LEVELS = {"kind": "levels", "column": 0, "codes": [1, 3]}
SPAN = {"kind": "interval", "column": 1, "low": ("(", 2.5), "high": ("]", 7)}
SUM = {"kind": "sum", "terms": [(0, 2, 1.5), (1, -1, -2.0)], "high": ("]", 0.25)}
RULES = [[LEVELS, SPAN], [], [{"kind": "missing", "column": 2}, {"kind": "known", "column": 0}, SUM]]
SCHEMA = ([2, 0, 1], [4, 0, 3])


def test_arrays_come_back_as_they_were_given(rule_arrays):
    arrays = rule_arrays(RULES)
    rules = _core.Rules(arrays)
    assert len(rules) == 3
    rules.check(*SCHEMA)
    for again in (rules.to_arrays(), pickle.loads(pickle.dumps(rules)).to_arrays()):
        assert again.keys() == arrays.keys()
        for name, array in arrays.items():
            np.testing.assert_array_equal(again[name], array)
            assert again[name].dtype == array.dtype


@pytest.mark.parametrize(
    ("field", "index", "value", "place"),
    [
        ("rule_begin", 0, 1, r"rule_begin\[0\]: offsets start at 0"),
        ("rule_begin", 1, 9, r"rule_begin\[2\]: offsets never fall"),
        ("kind", 0, 7, r"kind\[0\]: unknown code 7"),
        ("kind", 0, 1, r"set_begin: expected 1 entries"),
        ("column", 0, -1, r"column\[0\]: expected a column, found -1"),
        ("column", 4, 0, r"column\[4\]: expected -1 for a sum"),
        ("negated", 0, 2, r"negated\[0\]: expected 0 or 1, found 2"),
        ("negated", 4, 1, r"negated\[4\]: this kind of literal has none"),
        ("or_missing", 2, 1, r"or_missing\[2\]: this kind of literal has none"),
        ("low_bound", 1, 3, r"low_bound\[1\]: unknown code 3"),
        ("low_bound", 2, 1, r"low_bound\[2\]: this kind of literal has none"),
        ("low_bound", 1, 0, r"low_bits\[1\]: no bound, no number"),
        ("low_type", 0, 1, r"low_type\[0\]: no bound, no type"),
        ("high_type", 4, 1, r"high_type\[4\]: the bound of a sum is a double"),
        ("low_bits", 1, 0x7FF8000000000000, r"low_bits\[1\]: a bound is no NaN"),
        ("high_bits", 1, 1, r"high_bits\[1\]: an interval ends above where it begins"),
        ("set_code", 1, 1, r"set_code\[1\]: the codes of a set rise from 0"),
        ("set_code", 0, -1, r"set_code\[0\]: the codes of a set rise from 0"),
        ("lin_whole", 0, 0, r"lin_whole\[0\]: a sum in a rule is missing if one of its terms is"),
        ("lin_weight", 0, np.nan, r"lin_weight\[0\]: expected a finite number"),
        ("lin_column", 1, 0, r"lin_code\[1\]|lin_column\[1\]"),
    ],
)
def test_a_wrong_value_is_named_by_field_and_index(rule_arrays, field, index, value, place):
    arrays = rule_arrays(RULES)
    arrays[field][index] = value
    with pytest.raises(_core.InvalidInput, match=place):
        _core.Rules(arrays)


def test_intervals_without_values_are_refused(rule_arrays):
    both = {"kind": "interval", "column": 0}
    for low, high in ((("(", 1.0), (")", 1.0)), (("[", 1.0), (")", 1.0)), (("[", 2.0), ("]", 1.0)), (None, None)):
        with pytest.raises(_core.InvalidInput, match="interval"):
            _core.Rules(rule_arrays([[{**both, "low": low, "high": high}]]))
    _core.Rules(rule_arrays([[{**both, "low": ("[", 2**63), "high": ("]", 2.0**63)}]]))


def test_missing_names_and_types_are_refused(rule_arrays):
    arrays = rule_arrays(RULES)
    with pytest.raises(_core.InvalidInput, match="kind: is missing"):
        _core.Rules({name: array for name, array in arrays.items() if name != "kind"})
    with pytest.raises(_core.InvalidInput, match="a name that rules do not have"):
        _core.Rules({**arrays, "kinds": arrays["kind"]})
    with pytest.raises(TypeError, match="kind: expected a one-dimensional numpy array of uint8"):
        _core.Rules({**arrays, "kind": arrays["kind"].astype(int)})


@pytest.mark.parametrize(
    ("kinds", "levels", "place"),
    [
        ([2, 0], [4, 0], r"column\[2\]: expected a column below 2, found 2"),
        ([0, 0, 1], [0, 0, 3], r"kind\[0\]: a numeric column has no levels"),
        ([2, 2, 1], [4, 4, 3], r"kind\[1\]: a nominal column has no intervals"),
        ([2, 1, 1], [4, 9, 3], r"low_type\[1\]: an ordered column has integer codes"),
        ([2, 0, 1], [3, 0, 3], r"set_code\[1\]: the column has 3 levels, found code 3"),
        ([2, 0, 3], [4, 0, 3], r"kinds\[2\]: unknown code 3"),
        ([1, 0, 1], [4, 0, 3], r"lin_code\[0\]: only a nominal column counts by its levels"),
    ],
)
def test_what_does_not_fit_the_schema_is_named(make_rules, kinds, levels, place):
    with pytest.raises(_core.InvalidInput, match=place):
        make_rules(RULES).check(kinds, levels)


def test_changed_arrays_are_refused_or_answer(rule_arrays, budget):
    """A file that somebody has changed: an error that names a place, or rules that can be asked."""
    rng = np.random.default_rng(3)
    columns = [
        (np.array([0, 3, -1, -2], np.int32), None, 2),
        (np.array([1.0, 5.0, np.nan, 7.0]), None, 0),
        (np.array([0, 2, -1, 1], np.int32), None, 1),
    ]
    odd = [-2, -1, 0, 1, 2, 3, 4, 5, 70, 255, 2**31 - 1]
    taken = 0
    for _ in range(int(3000 * budget)):
        arrays = rule_arrays(RULES)
        for _ in range(rng.integers(1, 4)):
            name = rng.choice(list(arrays))
            array = arrays[name]
            if rng.random() < 0.2:
                arrays[name] = array[:-1]
            elif len(array):
                with np.errstate(all="ignore"):
                    array[rng.integers(len(array))] = np.array(rng.choice(odd)).astype(array.dtype)
        try:
            rules = _core.Rules(arrays)
            rules.check(*SCHEMA)
        except _core.InvalidInput:
            continue
        taken += 1
        first = _core.rules_apply(rules, columns)
        assert ((first >= 0) & (first <= len(rules))).all()
    assert taken > 0
