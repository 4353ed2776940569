"""C: what it takes of the stack follows how often a case is spread in a row, and no text can end our own process."""

import dataclasses
import importlib
import re
import shutil

import numpy as np
import pytest

import bough
from bough.errors import ExportError

SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def spread_tree(levels, numbers):
    """A fractional tree with many branches at one node and a deep part below another."""
    rng = np.random.default_rng(0)
    names = np.array(["c"] * numbers + [f"l{k}" for k in range(levels) for _ in range(2)])
    values = np.concatenate([rng.permutation(numbers).astype(float), np.zeros(2 * levels)])
    y = np.concatenate([rng.integers(0, 2, numbers), np.repeat(rng.integers(0, 2, levels), 2)])
    recipe = {"branching": "per_level", "criterion": "entropy", "missing": "fractional"}
    model = bough.TreeClassifier(**recipe, stopping=None, pruning=None)
    return model.fit({"d": names, "a": values}, y)


def room_of(text):
    return int(re.search(r"ROOM = (\d+)", text)[1])


def test_wide_nodes_take_no_stack():
    model = spread_tree(400, 60)
    done = bough.export(model, "c", max_cases=100)
    assert room_of(done.text) <= model.tree_.depth
    assert done.report.cases > 50


def test_what_would_overflow_the_stack_is_refused(monkeypatch):
    monkeypatch.setattr(importlib.import_module("bough.exports.c"), "_STACK", 100)
    with pytest.raises(ExportError, match=r"spread over branches .* times in a row.*Export to \"python\""):
        bough.export(spread_tree(10, 60), "c")


def broken(monkeypatch, change):
    module = importlib.import_module("bough.exports.c_compiler")
    good = module.TARGET
    monkeypatch.setattr(module, "TARGET", dataclasses.replace(good, write=lambda *a: change(good.write(*a))))


def classifier():
    return bough.CARTClassifier(**SMALL).fit({"x": [1.0, 2.0, 3.0, 4.0]}, ["no", "no", "yes", "yes"])


@needs_compiler
def test_a_text_that_crashes_is_an_error(monkeypatch):
    broken(monkeypatch, lambda text: text.replace("  int node = 0;\n", "  int node = *(volatile int *)NULL;\n", 1))
    with pytest.raises(ExportError, match=r"ends with the code -?\d+"):
        bough.export(classifier(), "c")


@needs_compiler
def test_the_names_of_classes_are_read_from_the_text(monkeypatch):
    broken(monkeypatch, lambda text: text.replace('{"no", "yes"}', '{"yes", "no"}'))
    with pytest.raises(ExportError, match="the model says 'no'"):
        bough.export(classifier(), "c")


@pytest.mark.parametrize("name", ["while", "int"])
def test_a_name_only_begins_other_names(name):
    assert f"{name}_class(const" in bough.export(classifier(), "c", name=name).text


def test_the_least_whole_number_is_read_without_a_compiler(without_engines):
    values = np.array([-(2**63), -(2**63) + 1, 5, 7], dtype=np.int64)
    model = bough.CARTClassifier(**SMALL, missing="stop").fit({"x": values}, [0, 1, 0, 1])
    assert bough.export(model, "c").report.cases > 5
