"""Proof of the seam: a linear model in a leaf, made by hand: predicted, drawn, saved, refused in exports."""

import json

import numpy as np
import pytest

import bough
from bough import _core
from bough.errors import ExportError
from bough.model import Tree
from bough.model.answer.linear import LinearAnswer
from bough.model.features import LinearTerm
from bough.model.files import load_model, save_model
from bough.model.inputs import Inputs
from bough.table import Column, Schema

SCHEMA = Schema(
    (
        Column("weight", "numeric", "float64"),
        Column("hp", "numeric", "int64"),
        Column("origin", "nominal", "levels", ("eu", "jp", "us")),
    )
)


@pytest.fixture
def tree():
    builder = _core.TreeBuilder([], (False, 1, 0, 0))
    builder.add_node(-1, 0, value=20.0, rows=10, weight=10.0, majority=0)
    builder.add_threshold(0, 3000.0)
    builder.add_node(0, 0, value=30.0, rows=6, weight=6.0)
    builder.set_model(46.1, [LinearTerm(0, -1, -0.0062, 2500.0, scale=800.0), LinearTerm(2, 1, 2.5, 0.3, scale=0.5)])
    builder.add_node(0, 1, value=15.0, rows=4, weight=4.0)
    return Tree(builder.freeze(), Inputs(SCHEMA), LinearAnswer(), "mpg")


ROWS = {"weight": [2000.0, 2000.0, None, 4000.0], "hp": [90, 90, 90, 90], "origin": ["jp", None, "us", "eu"]}
SAID = [46.1 - 0.0062 * 2000 + 2.5, 46.1 - 0.0062 * 2000 + 2.5 * 0.3, 46.1 - 0.0062 * 2500, 15.0]


def test_rows_are_answered_by_the_model_of_their_leaf(tree):
    np.testing.assert_allclose(tree.predict(ROWS), SAID, rtol=1e-15)


def test_columns_that_only_a_leaf_reads_are_read(tree):
    assert tree.predict(ROWS)[0] != tree.predict({**ROWS, "origin": ["us"] * 4})[0]


def test_the_model_is_drawn(tree):
    assert "46.1 - 0.0062 weight + 2.5 [origin = jp]" in str(tree)
    assert tree.node(2).answer_words == ""


def test_the_model_is_in_the_file(tree, tmp_path):
    save_model(tmp_path / "model.json", {}, tree)
    loaded = load_model(tmp_path / "model.json")[1]
    assert json.loads((tmp_path / "model.json").read_text())["answer"] == {"kind": "linear"}
    assert loaded == tree
    np.testing.assert_array_equal(loaded.predict(ROWS), tree.predict(ROWS))


def test_exports_refuse_it_by_name(tree):
    with pytest.raises(ExportError, match="node 1 answers a sum of columns"):
        bough.export(tree, "sql")
