"""Tests of the largest of several sums, in every target: regions between planes, values missing, infinite or unseen."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough import _core
from bough.model import Tree
from bough.model.features.largest import machine_terms
from bough.model.program.cases import edge_cases
from bough.model.program.cells import table_of
from bough.model.program.interpret import parts_of
from bough.model.program.plane_cases import Planes

PLANES = runpy.run_path(str(Path(__file__).with_name("planes.py")))
SCHEMA = PLANES["SCHEMA"]
PLAIN = (0, 1, 2, 4, 6, 7)  # columns that every target knows
SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "onnx", "excel"]


def random_machine(rng, columns):
    """Terms and a row of weights and a constant for each of two to four sums."""
    terms = PLANES["random_terms"](rng, columns)
    scales = [abs(term.weight) for term in terms]
    rows = [[*(rng.normal(size=len(terms)) * scales).tolist(), float(rng.normal())] for _ in range(rng.integers(2, 5))]
    return machine_terms(terms, rows), rows


def random_tree(rng, routing=(False, 1, 0, 0), *, columns=PLAIN, whole=False):
    """Two levels of machines; a test may have a branch for missing values, alone or with others."""
    builder, made = _core.TreeBuilder([], routing), []

    def grow(parent, branch, level):
        number = len(made)
        made.append(None)
        builder.add_node(parent, branch, value=float(rng.normal()), rows=4, weight=4.0, majority=0 if level else -1)
        if not level:
            return
        terms, rows = random_machine(rng, columns)
        branches = [*range(len(rows) - 1), int(rng.integers(len(rows)))] if len(rows) > 2 else [0, 1]
        count = max(branches) + 1
        more = {"missing": int(rng.integers(count + 1))} if rng.random() < 0.3 else {}
        builder.add_levels(0, list(range(len(rows))), branches, **more)
        builder.ask_sum(terms, whole=whole, machine=[x for row in rows for x in row])
        for child in range(max(count, more.get("missing", 0) + 1)):
            grow(number, child, level - 1)

    grow(-1, 0, 2)
    return Tree.by_hand(builder.freeze(), SCHEMA)


def trees(count, columns=PLAIN, fallbacks=(1, 2)):
    for seed in range(count):
        rng = np.random.default_rng(seed)
        routing = (False, int(rng.choice(fallbacks)), 0, int(rng.choice([0, 0, 1, 2])))
        yield random_tree(rng, routing, columns=columns, whole=bool(rng.integers(2)))


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_random_machines_answer_as_the_model_does(target, budget):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more = {} if dialect is None else {"dialect": dialect}
    for tree in trees(max(1, int(2 * budget))):
        report = bough.export(tree, name, max_cases=200, **more).report
        assert report.cases > 60
        assert report.largest <= 1e-9


@pytest.mark.parametrize("target", ["python", "c", ("sql", "duckdb"), "pmml"], ids=str)
def test_every_type_of_column_and_cases_that_are_spread(target):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more = {} if dialect is None else {"dialect": dialect}
    for tree in trees(2, None, (4,)):
        assert bough.export(tree, name, max_cases=150, **more).report.cases > 50


def test_the_program_runs_as_the_kernel_does(budget):
    compared = infinite = 0
    for tree in trees(max(4, int(20 * budget)), None, (1, 2, 4)):
        program = tree.program()
        made = edge_cases(program, 150)
        told, planes = tree.predict(table_of(program, made.cells)), Planes(program)
        for case in range(made.cells.n_cases):
            row = made.cells.row(case)
            if planes.near(row):
                continue
            parts = parts_of(program, row)
            assert sum(share * program.values[node] for node, share in parts) == pytest.approx(told[case], rel=1e-9)
            compared += 1
            infinite += any(isinstance(cell, float) and np.isinf(cell) for cell in row)
    assert compared > 300
    assert infinite > 20
