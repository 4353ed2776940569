"""Tests of small networks in every target that has a tanh; the others refuse and name the node."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import ExportError
from bough.model.features import LinearTerm, Network
from bough.model.program.cases import edge_cases
from bough.model.program.cells import table_of
from bough.model.program.interpret import parts_of
from bough.model.program.join import mean_of
from bough.model.program.json_form import program_from_json, program_to_json
from bough.model.program.plane_cases import Planes

PLANES = runpy.run_path(str(Path(__file__).with_name("planes.py")))
LISTS = runpy.run_path(str(Path(__file__).with_name("lists.py")))
random_tree = PLANES["random_tree"]
PLAIN = (0, 1, 2, 4, 6, 7)  # columns that every target knows
TARGETS = ["json", "python", "javascript", "c", "onnx"]


def trees(count, columns=None, fallbacks=(1, 2)):
    for seed in range(count):
        rng = np.random.default_rng(seed)
        routing = (False, int(rng.choice(fallbacks)), 0, int(rng.choice([0, 0, 1, 2])))
        classes, whole = int(rng.choice([0, 3])), bool(rng.integers(2))
        yield random_tree(rng, routing, classes=classes, whole=whole, columns=columns, networks=0.7)


@pytest.fixture
def bump(tree_of_two_reals):
    """tanh(4 x) - tanh(4 x - 4) <= 0.5: x is not about -0.14 to 1.14, whatever y is."""
    terms = [LinearTerm(0, -1, 1.0, 0.25), LinearTerm(1, -1, 1.0, 0.5)]
    weights = [4.0, 4.0, 0.0, 1e-9, 0.0, -4.0, 1.0, -1.0, 0.0]
    return tree_of_two_reals(0.5, lambda builder, columns: Network(terms, weights, 2, columns).ask(builder))


@pytest.mark.parametrize("target", TARGETS)
def test_random_trees_of_networks_answer_as_the_model_does(target, budget):
    for tree in trees(max(2, int(4 * budget)), PLAIN):
        report = bough.export(tree, target, max_cases=250).report
        assert report.cases > 80
        assert report.largest <= 1e-9


@pytest.mark.parametrize("target", ["json", "python", "javascript", "c"])
def test_cases_that_are_spread_and_every_type_of_column(target, budget):
    for tree in trees(max(2, int(3 * budget)), None, (4,)):
        assert bough.export(tree, target, max_cases=200).report.cases > 60


@pytest.mark.parametrize("target", ["javascript", "c", "onnx"])
def test_the_text_is_read_where_no_engine_is(target, without_engines):
    for tree in trees(2, PLAIN):
        report = bough.export(tree, target, max_cases=100).report
        assert not report.real
        assert report.cases > 50


def test_the_program_runs_as_the_kernel_does(budget):
    compared = 0
    for tree in trees(int(20 * budget), None, (1, 2, 4)):
        program = program_from_json(program_to_json(tree.program()), tree.program())
        made = edge_cases(program, 150)
        told = tree.predict(table_of(program, made.cells))
        for case in range(made.cells.n_cases):
            parts = parts_of(program, made.cells.row(case))
            compared += 1
            if not program.is_classifier:
                assert sum(share * program.values[node] for node, share in parts) == pytest.approx(told[case], rel=1e-9)
            elif len(parts) == 1:
                assert program.classes[program.label[parts[0][0]]] == told[case]
    assert compared > 80 * int(20 * budget)


def test_units_are_sums_of_their_own(bump):
    text = bough.export(bump, "python").text
    assert "return math.tanh(s)" in text
    assert "s += 1.0 * _s0(x)\n    s += -1.0 * _s1(x)" in text
    program = bump.program()
    assert [one.squashed for one in program.derived] == [True, True, False]
    assert program_to_json(program)["version"] == 3
    assert np.array_equal(bump.predict({"x": [-1.0, 0.5, 2.0, None], "y": [0.0, 9.0, 0.0, None]}), [0.0, 1.0, 0.0, 1.0])


def test_cases_at_the_edge_are_not_compared(bump):
    near = Planes(bump.program()).near
    low, high = -1.0, 0.5
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if bump.predict({"x": [middle], "y": [0.0]})[0] == 0.0 else (low, middle)
    assert near((low, 0.0))
    assert near((high, 0.0))
    assert not near((low - 1e-6, 0.0))


@pytest.mark.parametrize("target", ["sql", "pmml", "excel"])
def test_what_has_no_exact_tanh_names_the_node(bump, target):
    with pytest.raises(ExportError, match=r"the node that asks network of 2 units on x, y needs a hyperbolic tangent"):
        bough.export(bump, target)


def test_means_of_trees_of_networks():
    made = [random_tree(np.random.default_rng(seed), columns=PLAIN, classes=0, networks=0.7) for seed in range(3)]
    mean = mean_of([tree.program() for tree in made])
    for target in ("javascript", "python", "c"):
        assert bough.export(LISTS["ProgramModel"](mean), target, max_cases=100).report.cases > 50
