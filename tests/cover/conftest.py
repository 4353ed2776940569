"""Rules made by hand, in the flat arrays of the kernel."""

import struct

import numpy as np
import pytest

from bough import _core

TYPES = {
    "rule_begin": np.int64,
    "kind": np.uint8,
    "column": np.int32,
    "negated": np.uint8,
    "or_missing": np.uint8,
    "low_bound": np.uint8,
    "high_bound": np.uint8,
    "low_type": np.uint8,
    "high_type": np.uint8,
    "low_bits": np.uint64,
    "high_bits": np.uint64,
    "set_begin": np.int64,
    "set_code": np.int32,
    "lin_begin": np.int64,
    "lin_column": np.int32,
    "lin_code": np.int32,
    "lin_weight": np.float64,
    "lin_fill": np.float64,
    "lin_scale": np.float64,
    "lin_origin": np.int64,
    "lin_whole": np.uint8,
}
KINDS = {"levels": 0, "interval": 1, "missing": 2, "known": 3, "sum": 4}
BOUNDS = {"(": 1, ")": 1, "[": 2, "]": 2}


def end_of(end):
    """Bound, type and bits of `None` or (bracket, number)."""
    if end is None:
        return 0, 0, 0
    bracket, number = end
    if isinstance(number, float):
        return BOUNDS[bracket], 0, struct.unpack("<Q", struct.pack("<d", number))[0]
    if number < 2**63:
        return BOUNDS[bracket], 1, number % 2**64
    return BOUNDS[bracket], 2, number


def arrays_of(rules):
    """The arrays of rules, each a list of literals: dicts with kind, column, negated, or_missing, codes, low, high,
    terms.
    """
    lists = {name: [] for name in TYPES} | {"rule_begin": [0], "set_begin": [0], "lin_begin": [0]}
    for rule in rules:
        for literal in rule:
            lists["kind"].append(KINDS[literal["kind"]])
            lists["column"].append(literal.get("column", -1))
            for flag in ("negated", "or_missing"):
                lists[flag].append(int(literal.get(flag, False)))
            for side in ("low", "high"):
                for what, value in zip(("bound", "type", "bits"), end_of(literal.get(side)), strict=True):
                    lists[f"{side}_{what}"].append(value)
            if literal["kind"] == "levels":
                lists["set_code"] += sorted(literal["codes"])
                lists["set_begin"].append(len(lists["set_code"]))
            if literal["kind"] == "sum":
                for column, code, weight in sorted(literal["terms"]):
                    values = {"column": column, "code": code, "weight": weight, "fill": 0, "scale": 1, "origin": 0}
                    for name, value in values.items():
                        lists[f"lin_{name}"].append(value)
                lists["lin_begin"].append(len(lists["lin_column"]))
                lists["lin_whole"].append(1)
        lists["rule_begin"].append(len(lists["kind"]))
    return {name: np.array(values, TYPES[name]) for name, values in lists.items()}


@pytest.fixture(scope="session")
def rule_arrays():
    return arrays_of


@pytest.fixture(scope="session")
def make_rules():
    """A function of lists of literals: the kernel's rules."""
    return lambda rules: _core.Rules(arrays_of(rules))
