"""Lists of rules in every target: fifty rules with literals of every kind, verified as trees are."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import ExportError, ParameterError
from bough.model.answer import ClassAnswer
from bough.model.rules import Rule, RuleSet
from bough.model.rules.literal import Known, Missing

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


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_drawings_need_a_tree(target):
    with pytest.raises(ParameterError, match="needs a tree"):
        bough.export(made(1, 3), target)


def test_a_picture_of_a_list_is_refused_and_its_text_is_named():
    for form in ("text", "svg", "dot", "mermaid"):
        with pytest.raises(ParameterError, match=r"the kind 'rule_list' is none: str\(model\) shows it as text"):
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


# Sets, whose rules answer together

TOGETHER = ["python", "javascript", "c", *SQL, "pmml"]


def rule_set(seed, n_rules=12, *, combine="counts", default=True, smoothing=None, costs=None, weights=None):
    listed = made(seed, n_rules, default=default, most=2)
    labels = np.array(MADE["CLASSES"])
    answer = ClassAnswer(labels, costs, smoothing)
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (n_rules + 1, len(labels))).astype(float) if combine == "counts" else None
    told = {"counts": counts, "combine": combine, "weights": weights}
    return RuleSet(listed.inputs, answer, listed.rules, listed.default, **told)


@pytest.mark.parametrize("target", TOGETHER, ids=str)
def test_rules_vote_as_the_set_does(target):
    votes = rule_set(3, combine="vote", weights=np.linspace(0.25, 2.0, 12))
    report = exported(votes, target, max_cases=300).report
    assert report.cases >= 250
    assert report.largest <= 1e-12


@pytest.mark.parametrize("target", TOGETHER, ids=str)
def test_counts_are_added_up_smoothed_and_weighed_by_costs(target):
    size = len(MADE["CLASSES"])
    costs = np.ones((size, size)) - np.eye(size)
    costs[0, 1] = 5.0
    counted = rule_set(4, costs=costs, smoothing=(2.0, np.full(size, 1 / size)))
    assert exported(counted, target, max_cases=300).report.largest <= 1e-12


@pytest.mark.parametrize("target", ["javascript", "c"])
def test_a_set_is_read_as_engines_read_it_where_none_is(target, without_engines):
    assert exported(rule_set(5), target, max_cases=200).report.cases > 150
    assert exported(rule_set(5, default=False), target, max_cases=200).report.cases > 150


@pytest.mark.parametrize("target", ["python", "javascript", "c", *SQL], ids=str)
def test_a_set_without_a_default_refuses_what_no_rule_covers(target):
    done = exported(rule_set(6, 3, default=False), target, max_cases=200)
    assert done.report.cases > 50


@pytest.mark.parametrize("target", [*TOGETHER, "json"], ids=str)
def test_a_set_of_numbers_is_a_sum(target):
    listed = made(7, 10, classes=(), most=2)
    numbers = RuleSet(listed.inputs, listed.answer, listed.rules, listed.default, combine="sum")
    assert exported(numbers, target, max_cases=300).report.cases > 200


@pytest.mark.parametrize(("target", "name"), [("json", "JSON"), ("onnx", "ONNX"), ("excel", "Excel")])
def test_other_targets_refuse_votes_by_name(target, name):
    with pytest.raises(ExportError, match=f"an export to {name} has no word for rules that answer together"):
        exported(rule_set(8, combine="vote"), target)


def test_a_set_learnt_by_cn2_is_exported_and_the_head_says_what_it_is():
    X, y = bough.datasets.load("penguins").xy()
    done = bough.export(bough.CN2Classifier(ordered=False).fit(X, y), "python", verify=X)
    assert done.text.startswith("# A set of rules that answers classes of species.")


def test_a_set_without_rules_says_its_default():
    assert exported(rule_set(9, 0), "python").report.largest == 0
    with pytest.raises(ExportError, match="there is nothing to export"):
        exported(rule_set(9, 0, default=False), "python")
