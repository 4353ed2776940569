"""PMML of many branches: its size follows the branches, and nothing is nested deeply."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import bough

RECIPE = {"branching": "per_level", "criterion": "entropy", "stopping": None, "pruning": None}


def written(levels, missing):
    table = {"d": np.array([f"l{k}" for k in range(levels)] * 4), "e": np.arange(4.0 * levels)}
    y = np.random.default_rng(0).integers(0, 2, 4 * levels)
    model = bough.TreeClassifier(**RECIPE, missing=missing).fit(table, y)
    return bough.export(model, "pmml", max_cases=30).text, model.tree_.n_nodes


def depth_of(text):
    deepest, todo = 0, [(ET.fromstring(text), 1)]
    while todo:
        element, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in element]
    return deepest


@pytest.mark.parametrize("missing", ["fractional", "majority_branch"])
def test_size_and_nesting(missing):
    few, many = written(50, missing), written(200, missing)
    assert len(many[0]) / many[1] < 1.3 * len(few[0]) / few[1]
    assert depth_of(many[0]) < 30
