"""Means of programs: a first step that sends a row to every member in fractions, which every target can say."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import ExportError, ParameterError
from bough.model.program.cases import edge_cases
from bough.model.program.interpret import run
from bough.model.program.join import mean_of
from bough.model.program.program import Step

LISTS = runpy.run_path(str(Path(__file__).with_name("lists.py")))
ProgramModel, listed = LISTS["ProgramModel"], LISTS["listed"]

SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "excel"]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1}


def exported(program, target, **more):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more |= {} if dialect is None else {"dialect": dialect}
    return bough.export(ProgramModel(program), name, **more)


@pytest.fixture(scope="module")
def members(makers):
    """By a name: programs of trees that read the same table, with fractions and without, of other columns each."""
    X, y = makers["table"]("penguins")
    numbers, values = makers["table"]("friedman1")
    return {
        "classes": [
            tree.fit(X, y).model_.program()
            for tree in (
                bough.C45Classifier(pruning=None),
                bough.CARTClassifier(max_depth=1, **SMALL),
                bough.C45Classifier(branching="grouped"),
            )
        ],
        "numbers": [
            tree.fit(numbers, values).model_.program()
            for tree in (
                bough.TreeRegressor(missing="fractional", pruning=None, stopping=[bough.recipe.MinRows(30, 15)]),
                bough.CARTRegressor(max_depth=2),
            )
        ],
        "whole classes": [
            tree.fit(X, y).model_.program()
            for tree in (
                bough.CARTClassifier(pruning=None),
                bough.CARTClassifier(max_depth=1, **SMALL),
                bough.CHAIDClassifier(),
            )
        ],
        "whole numbers": [
            bough.CARTRegressor(max_depth=depth).fit(numbers, values).model_.program() for depth in (2, 4)
        ],
        "refusing": [
            bough.CARTClassifier(unseen="error", pruning=None, max_depth=depth, **SMALL).fit(X, y).model_.program()
            for depth in (1, 3)
        ],
    }


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_it_answers_the_mean_of_what_its_members_answer(members, kind):
    programs = members[kind]
    weights = [5, 2, 1][: len(programs)]
    mean = mean_of(programs, weights)
    cells = edge_cases(mean, 300).cells
    told = run(mean, cells)
    place = {field.index: number for number, field in enumerate(mean.fields)}
    expected = 0.0
    for program, weight in zip(programs, weights, strict=True):
        own = replace(cells, columns=tuple(cells.columns[place[field.index]] for field in program.fields))
        answers = run(program, own)
        expected += weight / sum(weights) * (answers.probabilities if kind == "classes" else answers.values)
    found = told.probabilities if kind == "classes" else told.values
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_every_target_that_knows_fractions_answers_as_the_mean(members, target, kind):
    assert len({len(program.fields) for program in members[kind]}) > 1
    report = exported(mean_of(members[kind], [3, 2, 1][: len(members[kind])]), target, max_cases=300).report
    assert report.cases > 100
    assert report.largest <= 1e-12


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "pmml"], ids=str)
def test_a_mean_refuses_what_its_members_refuse(members, target):
    program = mean_of(members["refusing"])
    assert program.refuses_unseen
    assert exported(program, target, max_cases=200).report.cases > 100


@pytest.mark.parametrize("target", ["javascript", "c"])
def test_a_mean_is_read_as_engines_read_it_where_none_is(members, target, without_engines):
    assert exported(mean_of(members["classes"]), target, max_cases=200).report.cases > 100


@pytest.mark.parametrize("target", [*TARGETS, "onnx"], ids=str)
def test_a_mean_of_lists_and_means_is_one(target):
    one = listed(LISTS["RULES"][:4])
    other = listed(LISTS["RULES"][3:])
    program = mean_of([mean_of([one, other], [1, 3]), one, listed([])])
    assert exported(program, target, max_cases=200).report.cases > 100


@pytest.mark.parametrize("target", [*TARGETS, "onnx"], ids=str)
def test_a_mean_of_members_that_ask_nothing_is_one(target):
    leaf = listed([])
    program = mean_of([leaf, replace(leaf, probabilities=leaf.probabilities[:, ::-1], worth=leaf.worth[:, ::-1])])
    assert program.steps[1:] == (Step(), Step())
    assert exported(program, target, max_cases=20).report.cases >= 1


@pytest.mark.parametrize("kind", ["whole classes", "whole numbers"])
@pytest.mark.parametrize("output", ["both", "class", "probability"])
def test_onnx_averages_members_without_fractions(members, kind, output):
    mean = mean_of(members[kind], [3, 2, 1][: len(members[kind])])
    if not mean.is_classifier and output == "probability":
        return
    report = exported(mean, "onnx", max_cases=300, output=output).report
    assert report.cases > 100
    assert report.largest <= 1e-12


def test_the_reference_evaluator_of_onnx_averages_as_well(members, without_engines):
    assert exported(mean_of(members["whole classes"]), "onnx", max_cases=100).report.cases > 50


def test_onnx_says_that_it_knows_no_fractions(members):
    with pytest.raises(ExportError, match="cannot send a case down several branches in parts"):
        exported(mean_of(members["classes"]), "onnx")


def test_texts_say_that_it_is_a_mean(members):
    assert "# A mean of 3 models that answers classes of y." in exported(mean_of(members["classes"]), "python").text


@pytest.mark.parametrize(
    "change",
    [
        {"target": "another"},
        {"classes": ("no", "yes", "perhaps")},
        {"order": (2, 1, 0)},
        {"refuses_missing": True},
        {"refuses_unseen": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_members_must_predict_and_refuse_the_same(change):
    program = listed(LISTS["RULES"])
    with pytest.raises(ParameterError, match=f"of one {next(iter(change))}; that of model 1 is"):
        mean_of([program, replace(program, **change)])


def test_members_must_know_the_same_levels():
    program = listed(LISTS["RULES"])
    fields = tuple(replace(field, levels=field.levels[:1]) for field in program.fields)
    with pytest.raises(ParameterError, match="know other levels of the column 'job'"):
        mean_of([program, replace(program, fields=fields)])


@pytest.mark.parametrize("weights", [[1], [1, 0], [1, -1], [1, float("nan")], [1, float("inf")]], ids=str)
def test_weights_are_numbers_above_0(weights):
    program = listed(LISTS["RULES"])
    with pytest.raises(ParameterError, match="weights must be 2 numbers above 0"):
        mean_of([program, program], weights)


def test_a_mean_of_nothing_is_refused():
    with pytest.raises(ParameterError, match="one program at least"):
        mean_of([])
