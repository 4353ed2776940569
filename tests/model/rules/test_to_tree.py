"""A list of rules as a tree: it answers every row as the list does."""

import dataclasses
import runpy
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import ParameterError
from bough.model.answer import ClassAnswer
from bough.model.bins import Bins
from bough.model.inputs import Inputs
from bough.model.program.cases import edge_cases
from bough.model.program.cells import table_of
from bough.model.rules import Bound, Interval, Known, Levels, Missing, Rule, RuleList, Sum, SumTerm
from bough.table import Column, Schema

MADE = runpy.run_path(str(Path(__file__).with_name("rule_makers.py")))
AGE, COUNT, JOB, SIZE, FLAG = (MADE[name] for name in ("AGE", "COUNT", "JOB", "SIZE", "FLAG"))
rule_list, made, rows = MADE["rule_list"], MADE["made"], MADE["rows"]

pytestmark = pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")


def assert_same(rules, X):
    tree = rules.to_tree()
    assert tree.predict(X).tolist() == rules.predict(X).tolist()
    if rules.is_classifier:
        assert np.allclose(tree.predict_proba(X), rules.predict_proba(X), rtol=0, atol=1e-15)
    return tree


def at_all_edges(rules):
    """Rows with both sides of every bound, each level, missing ones and levels never seen."""
    program = rules.program()
    return table_of(program, edge_cases(program, 400).cells)


@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("classes", [MADE["CLASSES"], ()], ids=["classes", "numbers"])
def test_the_tree_answers_as_the_list(unseen, classes, budget):
    for seed in range(max(3, round(12 * budget))):
        rules = made(seed, 7, classes=classes, unseen=unseen, most=3)
        if unseen == "other":  # what tells levels never seen from all others is refused, see below
            rules = rules.with_rules([r for r in rules if "XL OR MISSING" not in str(r)], rules.default)
        assert_same(rules, rows(seed))
        assert_same(rules, at_all_edges(rules))


LITERALS = [
    Interval(AGE, low=Bound(3.0, closed=False)),
    Interval(AGE, Bound(3.0, closed=True), Bound(5.0, closed=True)),
    Interval(COUNT, Bound(-2, closed=True), Bound(5, closed=True), negated=True),
    Interval(AGE, Bound(3.0, closed=False), Bound(5.0, closed=True), negated=True, or_missing=True),
    Interval(COUNT, Bound(2.5, closed=True), Bound(7.0, closed=True)),
    Interval(SIZE, Bound(1, closed=True), Bound(2, closed=True)),
    Interval(SIZE, Bound(1, closed=True), Bound(2, closed=True), negated=True),
    Levels(SIZE, (0, 2)),
    Levels(JOB, (1, 2), negated=True),
    Levels(JOB, (0, 3), or_missing=True),
    Levels(FLAG, (1,)),
    Missing(AGE),
    Missing(JOB),
    Known(COUNT),
    Known(JOB),
    Known(SIZE),
]


@pytest.mark.parametrize("unseen", ["missing", "other"])
@pytest.mark.parametrize("literal", LITERALS, ids=str)
def test_each_literal_is_one_test(literal, unseen):
    rules = rule_list([Rule((literal,), "yes")], unseen=unseen)
    assert assert_same(rules, rows(1)).n_leaves == 2
    assert_same(rules, at_all_edges(rules))


def test_a_rule_of_several_literals_is_one_conjunction():
    body = (Interval(AGE, Bound(1.0, closed=True), Bound(7.0, closed=False)), Levels(JOB, (0, 1)), Levels(FLAG, (1,)))
    rules = rule_list(
        [Rule(body, "yes"), Rule((Levels(FLAG, (0,)), Interval(SIZE, high=Bound(1, closed=True))), "maybe")]
    )
    tree = assert_same(rules, rows(2))
    assert (tree.n_leaves, tree.n_nodes) == (3, 5)
    assert_same(rules, at_all_edges(rules))


def test_rows_of_no_rule_and_rules_of_no_row():
    never = Levels(JOB, (3,), negated=False)  # no row holds that level
    always = Rule((), "maybe")
    rules = rule_list([Rule((never, Known(AGE)), "yes"), always, Rule((Known(AGE),), "yes")])
    assert assert_same(rules, rows(3)).n_leaves <= 3
    assert assert_same(rule_list([]), rows(3)).n_nodes == 1


def test_what_a_tree_cannot_say_is_refused():
    both = Sum((SumTerm(1.0, AGE), SumTerm(2.0, COUNT)), high=Bound(3.0, closed=True))
    with pytest.raises(ParameterError, match=r"asks columns one by one, and 1\.0 \* age \+ 2\.0 \* count <= 3\.0 asks"):
        rule_list([Rule((both,), "yes")]).to_tree()
    with pytest.raises(ParameterError, match="this list has no default"):
        rule_list([Rule((Known(AGE),), "yes")], None).to_tree()
    with pytest.raises(ParameterError, match="tells levels never seen from all others"):
        rule_list([Rule((Levels(FLAG, (0, 1), negated=True),), "yes")], unseen="other").to_tree()
    with pytest.raises(ParameterError, match="more than 20,000 nodes"):
        made(0, 50).to_tree()


def test_fifty_rules_of_plain_literals_are_a_spine_of_fifty_tests():
    rng = np.random.default_rng(1)
    plain = []
    while len(plain) < 50:
        made_rule = MADE["rule"](rng)
        fine = [literal for literal in made_rule.literals if "MISSING" not in str(literal) and not _outside(literal)]
        if fine:
            plain.append(dataclasses.replace(made_rule, literals=tuple(fine)))
    tree = assert_same(rule_list(plain), rows(9, 500))
    assert 40 < tree.n_leaves <= 51  # some cover no row


def _outside(literal):
    odd = (literal.columns[0].kind == "ordered" and isinstance(literal, Levels)) or literal in (Known(JOB), Known(FLAG))
    return odd or (isinstance(literal, Interval) and literal.negated)


def test_counts_and_costs_stay_what_they_are():
    counts = np.array([[1.0, 3.0, 0.0], [5.0, 0.0, 5.0]])
    rules = rule_list([Rule((Levels(FLAG, (1,)),), "yes")], "no", counts=counts)
    assert_same(rules, rows(5))
    costs = ClassAnswer(np.array(MADE["CLASSES"]), np.array([[0, 1, 5.0], [1, 0, 1], [1, 1, 0]]))
    assert_same(dataclasses.replace(rules, answer=costs), rows(5))


def test_levels_never_seen_are_refused_by_both():
    rules = rule_list([Rule((Levels(JOB, (0,)),), "yes")], unseen="error")
    for model in (rules, rules.to_tree()):
        with pytest.raises(ValueError, match="never"):
            model.predict({name: ["never" if name == "job" else None] for name in rules.schema.names})


def test_bins_stay_bins():
    inputs = Inputs(Schema((AGE,)), Bins((np.array([1.0, 2.0, 5.0]),)))
    column = inputs.asked.columns[0]
    rules = RuleList(inputs, ClassAnswer(np.array(["a", "c"])), (Rule((Levels(column, (0, 2)),), "a"),), "c")
    assert_same(rules, {"age": [0.0, 1.0, 1.5, 2.0, 4.0, 5.0, 5.5, None]})


def test_large_whole_numbers_keep_their_digits():
    column = Column("n", "numeric", "uint64")
    literal = Interval(column, Bound(2**63 + 1, closed=True), Bound(2**63 + 3, closed=True))
    rules = RuleList(Inputs(Schema((column,))), ClassAnswer(np.array(["a", "b"])), (Rule((literal,), "a"),), "b")
    assert_same(rules, {"n": np.array([2**63 + k for k in range(6)], dtype=np.uint64)})


def test_from_a_tree_to_rules_and_back():
    X, y = bough.datasets.load("play_tennis").xy()
    tree = (
        bough.CARTClassifier(missing="majority_branch", min_samples_split=2, min_samples_leaf=1, pruning=None)
        .fit(X, y)
        .tree_
    )
    rules = tree.rules()
    assert rules.default is None  # they cover every row
    assert not rules.program().can_fail
    again = rules.to_tree()
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    assert np.allclose(again.predict_proba(X), tree.predict_proba(X))
