"""Products of columns in every target: on both sides of each curve, with values missing."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough import _core
from bough.errors import ExportError
from bough.model import Tree
from bough.model.features import LinearTerm
from bough.model.program.cases import edge_cases
from bough.model.program.cells import table_of
from bough.model.program.interpret import parts_of
from bough.model.program.join import mean_of
from bough.table import Column, Schema

LISTS = runpy.run_path(str(Path(__file__).with_name("lists.py")))
SCHEMA = Schema(
    (
        Column("x", "numeric", "float64"),
        Column("y", "numeric", "float64"),
        Column("n", "numeric", "int64"),
        Column("size", "ordered", "levels", ("S", "M", "L")),
    )
)
SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "onnx", "excel"]
ORIGIN = 7  # of column n


def product(rng, first, second):
    """A product of two columns, less a centre each."""
    origins = [ORIGIN if column == 2 else 0 for column in (first, second)]
    centres = rng.normal(size=2).tolist()
    if first == second:
        centres[1] = centres[0]
    weight, fill = rng.normal(size=2).tolist()
    return LinearTerm(first, -1, weight, fill, 1.0, origins[0], second, -1, origins[1], *centres)


def random_tree(
    rng, routing=(False, 1, 0, 0), *, products=((0, 0), (0, 1), (1, 1), (1, 2)), singles=(0, 1), whole=False
):
    """A tree of two curves, one below the other."""
    builder = _core.TreeBuilder([], routing)
    for node in range(2):
        more = {"missing": int(rng.integers(2))} if rng.random() < 0.3 else {}
        parent = -1 if node == 0 else 0
        builder.add_node(parent, 0, value=0.0, rows=4, weight=4.0, majority=int(rng.integers(2)))
        builder.add_threshold(0, float(rng.normal()), low=int(rng.integers(2)), side=int(rng.integers(2)), **more)
        chosen = [pair for pair in products if rng.random() < 0.7] or [products[0]]
        terms = [product(rng, *pair) for pair in chosen]
        terms += [LinearTerm(c, -1, *rng.normal(size=2).tolist()) for c in singles]
        builder.ask_sum(sorted(terms, key=lambda t: (t.column, t.code, t.other)), whole=whole)
    for number in range(2):
        builder.add_node(1, number, value=1.0 + number, rows=2, weight=2.0)
    builder.add_node(0, 1, value=3.0, rows=2, weight=2.0)
    return Tree.by_hand(builder.freeze(), SCHEMA)


def exported(model, target, **more):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more |= {} if dialect is None else {"dialect": dialect}
    return bough.export(model, name, **more)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_curves_answer_as_the_model_does(target):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        tree = random_tree(rng, (False, int(rng.choice([1, 2])), 0, 0), whole=seed == 2)
        report = exported(tree, target, max_cases=250).report
        assert report.cases > 100
        assert report.largest <= 1e-9


@pytest.mark.parametrize("target", ["javascript", "c", ("sql", "duckdb"), ("sql", "postgresql"), "onnx"], ids=str)
def test_the_text_is_read_where_no_engine_is(target, without_engines):
    report = exported(random_tree(np.random.default_rng(0)), target, max_cases=100).report
    assert not report.real
    assert report.cases > 50


def test_the_program_runs_as_the_kernel_does():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        tree = random_tree(rng, (False, int(rng.choice([1, 2, 4])), 0, 0), whole=bool(rng.integers(2)))
        program = tree.program()
        made = edge_cases(program, 150)
        told = tree.predict(table_of(program, made.cells))
        assert made.cells.n_cases > 100
        for case in range(made.cells.n_cases):
            parts = parts_of(program, made.cells.row(case))
            assert sum(share * program.values[node] for node, share in parts) == pytest.approx(told[case], rel=1e-9)


def test_cases_come_to_ends_behind_curves():
    made = [edge_cases(random_tree(np.random.default_rng(seed)).program()) for seed in range(6)]
    assert sum(one.reached for one in made) > 0.8 * sum(one.ends for one in made)


@pytest.mark.parametrize("target", ["python", ("sql", "duckdb"), "c", "onnx"], ids=str)
def test_a_sphere_that_was_grown(target):
    X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    clf = bough.SphereTreeClassifier(pruning=None).fit(X, (X**2).sum(axis=1) < 0.6)
    report = exported(clf, target).report
    assert report.cases > 100
    if target == "python":
        assert " * (float(x[1]) " in exported(clf, target).text


def test_products_of_levels_are_refused_and_named():
    tree = random_tree(np.random.default_rng(0), products=((0, 3),))
    for target in TARGETS:
        with pytest.raises(
            ExportError, match=r"the tree asks .*\* \(size.*: exports know no sums of products of levels"
        ):
            exported(tree, target)


def test_means_of_trees_of_curves():
    mean = mean_of([random_tree(np.random.default_rng(seed)).program() for seed in range(2)])
    for target in ("javascript", ("sql", "duckdb"), "pmml"):
        assert exported(LISTS["ProgramModel"](mean), target, max_cases=100).report.cases > 50
