"""`_core.plan`: which engine grows a request and what it refuses, before anything is grown."""

import numpy as np
import pytest

from bough import _core

CLASSES = {
    "classes": 2,
    "label": np.array([0, 1, 0, 1], dtype=np.uint32),
    "class_scale": np.ones(2),
    "growth_scale": np.ones(2),
}


@pytest.mark.parametrize(
    ("options", "classes", "because"),
    [
        ({}, 2, []),
        ({"criterion": "squared_error"}, 0, []),
        ({"criterion": "gain_ratio", "branching": "per_level", "missing": "fractional"}, 2, []),
        ({"criterion": "gain_ratio"}, 2, ["criterion"]),
        (
            {"criterion": "chi_squared", "branching": "merged", "missing": "own_branch"},
            2,
            ["branching", "criterion", "missing"],
        ),
        ({"branching": "per_level", "missing": "majority"}, 2, []),
        ({"branching": "per_level", "missing": "majority", "criterion": "squared_error"}, 0, ["branching"]),
        ({"missing": "fractional", "max_leaf_nodes": 4}, 2, ["missing"]),
        ({"criterion": "squared_error", "leaf": "median"}, 0, ["leaf"]),
        ({"search": "unbiased", "significance": 0.05}, 2, ["search", "significance"]),
        ({"forced": [{"path": [], "column": 0}]}, 2, ["forced"]),
        ({"loop": "open"}, 2, ["loop"]),
    ],
)
def test_the_engine_and_the_options_that_make_it_the_open_one(options, classes, because):
    planned = _core.plan(options, classes)
    assert planned["engine"] == ("open" if because else "sorted")
    assert [option for option, _ in planned["because"]] == because
    assert all(reason for _, reason in planned["because"])


@pytest.mark.parametrize(
    ("options", "classes", "refused"),
    [
        ({}, 2, []),
        ({}, 0, ["criterion"]),
        ({"ties": "rounding", "criterion": "twoing"}, 2, ["ties"]),
        ({"ties": "rounding"}, 2, []),
        ({"ties": "rounding", "loop": "open"}, 2, ["ties"]),
        ({"monotone": [1], "branching": "merged", "missing": "majority"}, 2, ["monotone"]),
        ({"missing": "fractional", "max_leaf_nodes": 4}, 2, ["max_leaf_nodes"]),
        ({"criterion": "twoing", "missing": "own_branch"}, 2, ["criterion"]),
        ({"branch_order": "response", "value_gap": 0.5, "loop": "open"}, 2, ["value_gap", "branch_order"]),
    ],
)
def test_what_is_refused_is_what_growing_refuses(options, classes, refused):
    planned = _core.plan(options, classes)
    assert [option for option, _ in planned["refused"]] == refused
    if classes and refused:
        table = _core.rank_table([(np.array([0.0, 1.0, 2.0, 3.0]), None, 0)], [0], None, 1)
        with pytest.raises(_core.InvalidInput, match=refused[0]):
            _core.grow(table, CLASSES, options, None)


def test_an_unknown_option_is_an_error():
    with pytest.raises(_core.InvalidInput):
        _core.plan({"nonsense": 1}, 2)
