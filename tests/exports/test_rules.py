"""Lists of rules in every target: fifty rules with literals of every kind, verified as trees are."""

import runpy
from pathlib import Path

import pytest

import bough
from bough.errors import ExportError, ParameterError
from bough.model.rules import Bound, Rule, Sum, SumTerm
from bough.model.rules.literal import Known, Levels, Missing

MADE = runpy.run_path(str(Path(__file__).parents[1] / "model" / "rules" / "rule_makers.py"))
made, rule_list = MADE["made"], MADE["rule_list"]
SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "onnx", "excel"]
REFUSING = [target for target in TARGETS if target not in ("pmml", "onnx", "excel")]

pytestmark = pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")


def exported(rules, target, **more):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more |= {} if dialect is None else {"dialect": dialect}
    return bough.export(rules, name, **more)


@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_fifty_rules_answer_as_the_list_does(target, unseen):
    classes = MADE["CLASSES"] if unseen == "missing" else ()
    report = exported(made(7, classes=classes, unseen=unseen), target, max_cases=400).report
    assert report.cases >= 300
    assert report.largest <= 1e-12
    assert report.source.startswith("edge cases")


@pytest.mark.parametrize("target", ["javascript", "c", ("sql", "duckdb")], ids=str)
def test_they_are_read_as_engines_read_them_where_none_is(target, without_engines):
    assert exported(made(8), target, max_cases=300).report.cases >= 200


@pytest.mark.parametrize("target", REFUSING, ids=str)
def test_a_list_without_a_default_refuses_what_no_rule_covers(target):
    done = exported(made(9, 4, default=False), target, max_cases=300)
    assert done.report.cases > 100
    if target in ("python", "javascript"):
        assert "no rule covers this case, and there is no default" in done.text


@pytest.mark.parametrize("target", ["pmml", "onnx", "excel"])
def test_what_answers_every_case_says_that_there_is_no_default(target):
    with pytest.raises(ExportError, match="no rule covers this case, and there is no default"):
        exported(made(9, 4, default=False), target)


@pytest.mark.parametrize("target", REFUSING, ids=str)
def test_a_list_may_refuse_levels_never_seen(target):
    assert exported(made(10, 6, unseen="error"), target, max_cases=200).report.cases > 20


@pytest.mark.parametrize("target", ["json", "python", "javascript", "c", *SQL, "pmml"], ids=str)
def test_a_rule_for_all_rows_is_a_model_too(target):
    assert exported(rule_list([Rule((), "maybe")]), target).report.cases > 0
    half = rule_list([Rule((Missing(MADE["JOB"]),), "yes"), Rule((), "maybe"), Rule((Known(MADE["AGE"]),), "no")])
    assert exported(half, target).report.cases > 3


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_sums_are_refused_by_name(target):
    asked = Sum((SumTerm(0.5, MADE["AGE"]), SumTerm(1.0, MADE["JOB"], 0)), low=Bound(3.0, closed=True))
    with pytest.raises(ExportError, match=r"a rule asks 0\.5 \* age \+ 1\.0 \* \[job = A\] >= 3\.0: exports know"):
        exported(rule_list([Rule((asked, Levels(MADE["FLAG"], (1,))), "yes")]), target)


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_drawings_need_a_tree(target):
    with pytest.raises(ParameterError, match="needs a tree"):
        bough.export(made(1, 3), target)


def test_a_picture_of_a_list_is_refused_and_its_text_is_named():
    for form in ("text", "svg", "html", "dot", "mermaid", "axes"):
        with pytest.raises(ParameterError, match=r"the kind 'rule_list' is none: print it, str\(model\) shows it"):
            bough.draw(made(1, 3), form)


def test_a_table_of_the_user_is_compared_with_its_own_levels():
    done = bough.export(made(11), "json", verify=MADE["rows"](5))
    assert done.report.cases == 200


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_rules_of_a_tree_need_no_default(target):
    X, y = bough.datasets.load("play_tennis").xy()
    tree = (
        bough.CARTClassifier(missing="majority_branch", min_samples_split=2, min_samples_leaf=1, pruning=None)
        .fit(X, y)
        .tree_
    )
    assert exported(tree.rules(), target, max_cases=200).report.cases > 20
