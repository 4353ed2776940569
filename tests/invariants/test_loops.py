"""Two loops grow trees, a fast one for the classic requests and an open one for any: where both can, they agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough import _core

EXACT = (
    *("parent", "split_begin", "rows", "majority", "label", "count_class", "split_role", "split_kind", "split_column"),
    *("set_code", "set_branch", "split_low"),
)
CLOSE = ("weight", "impurity", "risk", "value", "split_score")
CLASSES = ("gini", "entropy", "misclassification", "twoing", "weighted_gini")
NUMBERS = ("squared_error", "absolute_error", "worst_error")


def random_request(seed, criterion):
    random = np.random.default_rng(seed)
    n, k = int(random.integers(20, 120)), int(random.integers(2, 5))
    gone = random.choice([0.0, 0.15])
    columns, levels = [], []
    for digits in (3, 1, 1):
        x = random.normal(size=n).round(digits)
        x[random.random(n) < gone] = np.nan
        columns.append((x, None, 0))
        levels.append(0)
    for many in (2, 4, 14):
        codes = random.integers(0, many, n).astype(np.int32)
        codes[random.random(n) < gone] = -1
        columns.append((codes, None, 2))
        levels.append(many)
    weight = random.integers(1, 4, n).astype(float)
    known = np.nan_to_num(columns[0][0])
    if criterion in NUMBERS:
        target = {"classes": 0, "value": (2 * known + random.normal(size=n)).round(2), "weight": weight}
    else:
        label = np.where(known > 0.3, 0, random.integers(0, k, n)).astype(np.uint32)
        target = {"classes": k, "label": label, "growth_scale": np.ones(k), "class_scale": np.ones(k), "weight": weight}
        if criterion == "weighted_gini":
            target["cost"] = (random.uniform(0.5, 3, (k, k)) * (1 - np.eye(k))).ravel()
    return _core.rank_table(columns, levels, None, 1), target


def assert_loops_agree(table, target, options):
    # Gains that are rounding count for neither.
    options = {"min_leaf_weight": 3 - 1e-9, "min_split_weight": 8 - 1e-9, "min_gain": 1e-9, **options}
    fast = _core.grow(table, target, options, None)
    if options["missing"] == "surrogate":
        fast = _core.add_surrogates(fast, table, target, options)
    slow = _core.grow(table, target, {**options, "loop": "open"}, None)
    for name in EXACT:
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name), err_msg=name)
    for name in CLOSE:
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), rtol=1e-9, atol=1e-10, err_msg=name)


FEW = max(1, settings.default.max_examples // 2)  # of each of many combinations


@pytest.mark.parametrize("missing", ["surrogate", "majority", "stop"])
@pytest.mark.parametrize("criterion", CLASSES + NUMBERS)
@settings(max_examples=FEW)
@given(seed=st.integers(0, 2**32 - 1))
def test_binary_trees_are_the_same(criterion, missing, seed):
    table, target = random_request(seed, criterion)
    most = 2 if missing == "surrogate" else 0
    assert_loops_agree(
        table, target, {"criterion": criterion, "missing": missing, "max_competitors": 0, "max_surrogates": most}
    )


@pytest.mark.parametrize("missing", ["majority", "stop"])
@pytest.mark.parametrize("criterion", CLASSES)
@settings(max_examples=FEW)
@given(seed=st.integers(0, 2**32 - 1))
def test_trees_that_ask_for_one_level_are_the_same(criterion, missing, seed):
    table, target = random_request(seed, criterion)
    options = {"criterion": criterion, "missing": missing, "max_competitors": 0, "max_surrogates": 0}
    assert_loops_agree(table, target, {**options, "branching": "one_level"})


@pytest.mark.parametrize("missing", ["majority", "stop", "fractional"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
@settings(max_examples=FEW)
@given(seed=st.integers(0, 2**32 - 1), rules=st.booleans())
def test_trees_with_a_branch_a_level_are_the_same(criterion, missing, seed, rules):
    table, target = random_request(seed, criterion)
    options = {
        "criterion": criterion,
        "missing": missing,
        "branching": "per_level",
        "max_competitors": 0,
        "max_surrogates": 0,
    }
    if rules and criterion != "gini":
        options |= {
            "choice": "above_average",
            "two_branches": True,
            "threshold_penalty": True,
            "relative_minimum": True,
        }
    assert_loops_agree(table, target, options)
