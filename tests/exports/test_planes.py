"""Tests of weighted sums in every target: on both sides of each plane, with values missing and levels never seen."""

import runpy
from dataclasses import replace
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
from bough.model.program.plane_cases import Planes
from bough.model.rules import Bound, Levels, Rule, Sum, SumTerm
from bough.table import Column, Schema

PLANES = runpy.run_path(str(Path(__file__).with_name("planes.py")))
LISTS = runpy.run_path(str(Path(__file__).with_name("lists.py")))
RULES = runpy.run_path(str(Path(__file__).parents[1] / "model" / "rules" / "rule_makers.py"))
random_tree = PLANES["random_tree"]
PLAIN = (0, 1, 2, 4, 6, 7)  # columns that every target knows

SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "onnx", "excel"]


def exported(model, target, **more):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more |= {} if dialect is None else {"dialect": dialect}
    return bough.export(model, name, **more)


def trees(count, columns=None, fallbacks=(1, 2)):
    for seed in range(count):
        rng = np.random.default_rng(seed)
        routing = (False, int(rng.choice(fallbacks)), 0, int(rng.choice([0, 0, 1, 2])))
        classes, whole = int(rng.choice([0, 3])), bool(rng.integers(2))
        yield random_tree(rng, routing, classes=classes, whole=whole, columns=columns)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_random_trees_of_planes_answer_as_the_model_does(target, budget):
    for tree in trees(max(2, int(4 * budget)), PLAIN):
        report = exported(tree, target, max_cases=250).report
        assert report.cases > 100
        assert report.largest <= 1e-9


@pytest.mark.parametrize("target", ["json", "python", "javascript", "c", *SQL, "pmml"], ids=str)
def test_cases_that_are_spread_and_every_type_of_column(target, budget):
    for tree in trees(max(2, int(3 * budget)), None, (4,)):
        assert exported(tree, target, max_cases=200).report.cases > 80


@pytest.mark.parametrize("target", ["javascript", "c", ("sql", "duckdb"), ("sql", "postgresql"), "onnx"], ids=str)
def test_the_text_is_read_where_no_engine_is(target, without_engines):
    for tree in trees(2, PLAIN):
        report = exported(tree, target, max_cases=100).report
        assert not report.real
        assert report.cases > 50


def test_the_program_runs_as_the_kernel_does(budget):
    compared = 0
    for tree in trees(int(30 * budget), None, (1, 2, 4)):
        program = tree.program()
        made = edge_cases(program, 150)
        frame = table_of(program, made.cells)
        told = tree.predict(frame)
        for case in range(made.cells.n_cases):
            parts = parts_of(program, made.cells.row(case))
            compared += 1
            if program.is_classifier:
                if len(parts) == 1:
                    assert program.classes[program.label[parts[0][0]]] == told[case]
            else:
                assert sum(share * program.values[node] for node, share in parts) == pytest.approx(told[case], rel=1e-9)
    assert compared > 100 * int(30 * budget)


def test_cases_come_to_ends_behind_several_planes():
    reached = ends = 0
    for seed in range(6):
        made = edge_cases(random_tree(np.random.default_rng(seed), depth=4, columns=(0, 1, 6)).program())
        reached, ends = reached + made.reached, ends + made.ends
    assert reached > 0.6 * ends  # some of the random regions are empty


@pytest.fixture
def diagonal(tree_of_two_reals):
    """x + y <= 1, made by hand."""
    terms = [LinearTerm(0, -1, 1.0, 0.25), LinearTerm(1, -1, 1.0, 0.5)]
    return tree_of_two_reals(1.0, lambda builder, _: builder.ask_sum(terms))


def test_the_query_and_the_functions_say_the_sum(diagonal):
    query = exported(diagonal, ("sql", "sqlite"), key=["x"]).text
    assert '1.0 * COALESCE("x", 0.25) + 1.0 * COALESCE("y", 0.5)' in query
    text = exported(diagonal, "python").text
    assert "s += 1.0 * (float(x[0]) if x[0] == x[0] else 0.25)\n    s += 1.0 * " in text
    assert "FP_CONTRACT OFF" in exported(diagonal, "c").text
    assert '<DerivedField name="sum_0"' in exported(diagonal, "pmml").text


def test_cases_on_the_plane_are_counted_and_not_compared(diagonal):
    table = {"x": [0.0, 0.25, 0.5, 3.0, 1.0], "y": [0.0, 0.75, 0.5 + 1e-13, 3.0, None]}
    report = exported(diagonal, "python", verify=table).report
    assert (report.cases, report.on_planes) == (3, 2)
    assert "2 cases within rounding of a plane were not compared" in str(report)
    near = Planes(diagonal.program()).near
    assert [near(row) for row in ((0.5, 0.5), (1e-20, 1.0), (1e308, 1e308))] == [True] * 3
    assert not near((0.5, 0.5000001))
    assert not near((np.inf, 1.0))


def test_a_wrong_weight_is_found(diagonal):
    program = diagonal.program()
    first, second = program.derived[0].terms
    wrong = replace(program.derived[0], terms=(first, replace(second, weight=1.01)))

    class Wrong(LISTS["ProgramModel"]):
        def predict(self, X, *, n_threads=1):
            return diagonal.predict(X)

    for target in ("python", "c", ("sql", "sqlite"), "pmml", "excel"):
        with pytest.raises(ExportError, match="does not answer as the model does"):
            exported(Wrong(replace(program, derived=(wrong,))), target)


def test_what_cannot_say_a_node_names_it():
    schema = Schema((Column("n", "numeric", "int64"), Column("x", "numeric", "float64")))
    builder = _core.TreeBuilder([], (False, 1, 0, 0))
    builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0, majority=1)
    builder.add_threshold(0, 1.0)
    builder.ask_sum([LinearTerm(0, -1, 1.0, 0.25, 1.0, 2**60), LinearTerm(1, -1, 1.0, 0.5)])
    for branch in range(2):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    tree = Tree.by_hand(builder.freeze(), schema)
    for target in ("pmml", "onnx", "excel"):
        with pytest.raises(ExportError, match=r"the node that asks 1 \(n - 1152921504606846976\) \+ 1 x .*'n'"):
            exported(tree, target)
    for target in ("json", "python", "javascript", "c", *SQL):
        assert exported(tree, target, max_cases=100).report.cases > 30


def test_means_of_trees_of_planes():
    programs = [random_tree(np.random.default_rng(seed), columns=PLAIN, classes=0).program() for seed in range(3)]
    mean = mean_of(programs)
    assert len(mean.derived) == sum(len(program.derived) for program in programs)
    for target in ("javascript", ("sql", "duckdb"), "pmml", "excel"):
        assert exported(LISTS["ProgramModel"](mean), target, max_cases=100).report.cases > 50


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_rules_on_sums(target, unseen):
    terms = (SumTerm(0.5, RULES["AGE"]), SumTerm(-1.25, RULES["COUNT"]), SumTerm(2.0, RULES["JOB"], 0))
    for or_missing in (False, True):
        asked = Sum(terms, Bound(0.3, closed=False), or_missing=or_missing)
        rules = [Rule((asked, Levels(RULES["FLAG"], (1,))), "yes"), *RULES["made"](3, 3).rules]
        assert exported(RULES["rule_list"](rules, unseen=unseen), target, max_cases=150).report.cases > 50
