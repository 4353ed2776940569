"""Interventional Shapley values: their definition, trees of weighted sums included, and sampling with errors."""

import itertools
import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.explain.interventional import interventional_values
from bough.explain.shapley import shapley_values
from bough.model.inputs import Rows
from bough.model.routing import columns_read
from bough.table import Encoded, kernel_columns

PLANES = runpy.run_path(str(Path(__file__).parents[1] / "exports" / "planes.py"))
SCHEMA, random_tree = PLANES["SCHEMA"], PLANES["random_tree"]


def encoded(rng, n):
    """Rows of all columns of the random trees, some values missing."""
    gone = rng.random((4, n)) < 0.2
    return [
        Encoded(np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n))),
        Encoded(rng.normal(size=n)),
        Encoded(rng.integers(30, 50, n), gone[0]),
        Encoded(rng.integers(0, 20, n).astype(np.uint64), gone[1]),
        Encoded(rng.integers(17_990, 18_010, n), gone[2]),
        Encoded(18_000 * 86_400_000_000 + rng.integers(-(10**9), 10**9, n), gone[3]),
        Encoded(rng.choice([-1, 0, 1, 3], n).astype(np.int32)),
        Encoded(rng.choice([-1, 0, 2, 3], n).astype(np.int32)),
    ]


def by_definition(answer, rows, background, asked):
    """Over all orders of the columns, one row at a time."""
    n, size = len(rows[0].data), len(background[0].data)

    def mixed(column, row, mine):
        one, other = rows[column], background[column]
        data = np.full(size, one.data[row]) if mine else other.data
        if one.missing is None:
            return Encoded(data.astype(one.data.dtype))
        return Encoded(data.astype(one.data.dtype), np.full(size, one.missing[row]) if mine else other.missing)

    values = np.zeros((n, len(rows)))
    for row in range(n):
        for order in itertools.permutations(asked):
            known = set()
            before = answer([mixed(c, row, c in known) for c in range(len(rows))]).mean()
            for column in order:
                known.add(column)
                after = answer([mixed(c, row, c in known) for c in range(len(rows))]).mean()
                values[row, column] += (after - before) / math.factorial(len(asked))
                before = after
    return values


def test_values_equal_their_definition(budget):
    rng = np.random.default_rng(0)
    for _ in range(max(2, int(4 * budget))):
        tree = random_tree(rng, (False, 1, 0, 0), classes=0, depth=2, columns=(0, 2, 6, 7))
        asked = sorted(columns_read(tree))
        rows, background = encoded(rng, 3), encoded(rng, 5)

        def answer(columns, tree=tree):
            return tree.predict(Rows(tree.schema, columns))

        found = interventional_values(answer, rows, background, asked)
        assert np.allclose(found.values, by_definition(answer, rows, background, asked), rtol=0, atol=1e-9)
        assert np.allclose(found.values.sum(axis=1) + found.base, answer(rows), rtol=0, atol=1e-9)
        assert not found.errors.any()


def test_many_columns_are_sampled_with_errors():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=15)
    rows = [Encoded(column) for column in rng.normal(size=(15, 2))]
    background = [Encoded(column) for column in rng.normal(size=(15, 40))]

    def answer(columns):
        x = np.array([column.data for column in columns])
        return weights @ x + 3.0 * x[0] * x[1] * x[2]

    found = interventional_values(answer, rows, background, range(15), random=np.random.default_rng(0))
    assert np.allclose(found.values.sum(axis=1) + found.base, answer(rows), rtol=0, atol=1e-9)
    means = np.array([column.data.mean() for column in background])
    for k in range(3, 15):  # columns that only add have their own part
        expected = weights[k] * (rows[k].data - means[k])
        assert (np.abs(found.values[:, k] - expected) < 6 * found.errors[:, k] + 1e-9).all()
    exact = interventional_values(
        lambda columns: 3.0 * columns[0].data * columns[1].data * columns[2].data, rows[:3], background[:3], range(3)
    )
    own = exact.values + weights[:3] * (np.array([column.data for column in rows[:3]]).T - means[:3])
    assert (np.abs(found.values[:, :3] - own) < 6 * found.errors[:, :3]).all()
    assert (found.errors[:, :3] > 0).all()


def test_paths_are_refused_for_sums_and_the_other_kind_is_named():
    tree = random_tree(np.random.default_rng(3), classes=0)
    with pytest.raises(ParameterError, match=r"not defined\. Ask for kind='interventional' with a background"):
        shapley_values(tree, kernel_columns(SCHEMA, encoded(np.random.default_rng(0), 2)))


def test_estimators_have_both_kinds():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier().fit(X, y)
    values, errors = clf.shap_values(X[:3], kind="interventional", background=X[::30], with_errors=True)
    assert values.shape == (3, 7, 3)
    assert not errors.any()
    told = clf.predict_proba(X[:3]) - clf.predict_proba(X[::30]).mean(axis=0)
    assert np.allclose(values.sum(axis=1), told, rtol=0, atol=1e-9)
    with pytest.raises(ParameterError, match="needs a background"):
        clf.shap_values(X[:3], kind="interventional")
    with pytest.raises(ParameterError, match="kind='path' is exact and takes no background"):
        clf.shap_values(X[:3], background=X)
