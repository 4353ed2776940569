"""Programs that no tree has: ordered lists of rules of several conditions, in every target and by every engine."""

import dataclasses
import json
import re
import runpy
from pathlib import Path

import pytest
from hypothesis import given, settings

import bough
from bough.errors import ExportError
from bough.exports.target import Options
from bough.exports.targets import target_named
from bough.model.program.cases import edge_cases
from bough.model.program.interpret import holds, parts_of
from bough.model.program.json_form import program_from_json
from bough.model.program.program import Among, Between, Either, Every, Missing, Rule, Step, Unseen, any_of, terms_of

LISTS = runpy.run_path(str(Path(__file__).with_name("lists.py")))
AGE, JOB, BORN, COUNT, FLAG = (LISTS[name] for name in ("AGE", "JOB", "BORN", "COUNT", "FLAG"))
between, listed, ProgramModel = LISTS["between"], LISTS["listed"], LISTS["ProgramModel"]

SQL = [("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
TARGETS = ["json", "python", "javascript", "c", *SQL, "pmml", "onnx", "excel"]
RULES, WITH_ALTERNATIVES = LISTS["RULES"], LISTS["WITH_ALTERNATIVES"]


def exported(program, target, **more):
    name, dialect = target if isinstance(target, tuple) else (target, None)
    more |= {} if dialect is None else {"dialect": dialect}
    return bough.export(ProgramModel(program), name, **more)


@pytest.mark.parametrize("classes", [("no", "yes", "maybe"), ()], ids=["classes", "numbers"])
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_a_list_of_conjunctions_answers_as_its_program(target, classes):
    for rules in (RULES, WITH_ALTERNATIVES):
        report = exported(listed(rules, classes=classes), target).report
        assert report.cases > 100
        assert report.largest <= 1e-12


@pytest.mark.parametrize("target", ["javascript", "c", ("sql", "duckdb")], ids=str)
def test_a_list_is_read_as_engines_read_it_where_none_is(target, without_engines):
    for rules in (RULES, WITH_ALTERNATIVES):
        assert exported(listed(rules), target).report.cases > 100


@pytest.mark.parametrize("target", [t for t in TARGETS if t not in ("pmml", "onnx")], ids=str)
def test_a_list_can_refuse_what_is_missing_or_unseen(target):
    program = listed(RULES, refuses_missing=True, refuses_unseen=True)
    assert exported(program, target).report.cases > 50


FEW = max(1, settings.default.max_examples // 3)  # each writes and runs six exports


@pytest.mark.parametrize("target", [t for t in TARGETS if t not in ("pmml", "onnx", "excel")], ids=str)
def test_a_rule_can_refuse_an_answer(target):
    assert exported(listed(RULES, fails=(2, 4)), target).report.cases > 100


@settings(max_examples=FEW)
@given(program=LISTS["random_lists"]())
def test_random_lists_answer_as_their_programs(program):
    for target in ("json", "python", ("sql", "sqlite"), "pmml", "excel", "onnx"):
        exported(program, target, max_cases=150)


@settings(max_examples=FEW)
@given(program=LISTS["random_steps"]())
def test_of_rules_that_overlap_the_first_decides(program):
    for target in ("json", "python", ("sql", "sqlite"), "pmml", "excel", "onnx"):
        exported(program, target, max_cases=150)


def test_pmml_takes_a_missing_number_on_where_known_ones_go():
    """A reader knows of every number whether it is missing, so that no other predicate would be asked."""
    step = Step((Rule(Unseen(JOB), 1), Rule(between(AGE), 2)), 2, (), (1, 2), "never seen | else")
    program = dataclasses.replace(listed(RULES[:1]), steps=(step, Step(), Step()))
    assert exported(program, "pmml").report.cases > 5


@given(program=LISTS["random_lists"]())
def test_json_gives_back_every_condition(program):
    steps = program_from_json(json.loads(target_named("json").write(program, Options())), program).steps
    assert [step.rules for step in steps] == [step.rules for step in program.steps]


def test_a_condition_on_a_missing_value_fails():
    row, fields = (None, -1, None, 2, 1), LISTS["FIELDS"]
    assert not any(holds(rule, fields, row) for rule in RULES)
    assert holds(Every((between(COUNT), Among(FLAG, (1,)))), fields, row)


def test_what_is_missing_can_be_asked_for():
    row, fields = (None, -1, None, -1, 1), LISTS["FIELDS"]
    assert [place for place in range(5) if holds(Missing(place), fields, row)] == [AGE, JOB, BORN]
    assert holds(Either((between(AGE, 3), Missing(AGE))), fields, row)
    assert not holds(Either((between(AGE, 3), between(AGE, below=0))), fields, row)


@pytest.mark.parametrize("choices", [(Missing(AGE),), (Missing(AGE), Missing(JOB))])
def test_alternatives_are_several_of_one_field(choices):
    with pytest.raises(ValueError, match="two or more, of one field"):
        Either(choices)


def test_a_conjunction_has_a_term():
    with pytest.raises(ValueError, match="needs a term"):
        Every(())


@pytest.mark.parametrize("rules", [RULES, WITH_ALTERNATIVES], ids=["terms", "alternatives"])
def test_both_sides_of_every_term_are_tried(rules):
    made = edge_cases(listed(rules))
    assert made.tried == made.tests
    assert made.reached == made.ends


def faults(program):
    """Programs with one fault in a term each."""
    for node, step in enumerate(program.steps):
        for k, rule in enumerate(step.rules):
            terms = terms_of(rule.when)
            for place, term in enumerate(terms):
                for other in altered(program, term):
                    wrong = terms[:place] + other + terms[place + 1 :]
                    if wrong:
                        rules = (*step.rules[:k], Rule(Every(wrong), rule.then), *step.rules[k + 1 :])
                        steps = list(program.steps)
                        steps[node] = dataclasses.replace(step, rules=rules)
                        yield node, term, dataclasses.replace(program, steps=tuple(steps))


def altered(program, term):
    yield ()
    if isinstance(term, Either):
        for place, choice in enumerate(term.choices):
            rest = term.choices[:place] + term.choices[place + 1 :]
            yield (any_of(rest),)
            for other in altered(program, choice):
                if other:
                    yield (Either((*rest, *other)),)
    elif isinstance(term, Among):
        others = set(range(len(program.fields[term.field].levels))) - set(term.codes)
        yield from ((Among(term.field, (*term.codes, code)),) for code in others)
        yield from ((Among(term.field, tuple(c for c in term.codes if c != code)),) for code in term.codes)
    elif isinstance(term, Between):
        for name in ("above", "below"):
            edge = getattr(term, name)
            if edge is not None:
                side = dataclasses.replace(edge, side="lt" if edge.side == "le" else "le")
                yield (dataclasses.replace(term, **{name: side}),)
                yield (dataclasses.replace(term, **{name: None}),)


@pytest.mark.parametrize(
    ("rules", "untold"),
    # Of two conditions on one column, nothing tells a level that the other refuses or that an earlier rule takes.
    [(RULES, [(8, JOB)] * 4), (WITH_ALTERNATIVES, [])],
    ids=["terms", "alternatives"],
)
def test_cases_find_a_fault_in_any_term(rules, untold):
    program = listed(rules)
    cells = edge_cases(program).cells
    rows = [cells.row(case) for case in range(cells.n_cases)]
    told = [parts_of(program, row) for row in rows]
    missed = []
    for node, term, wrong in faults(program):
        if all(parts_of(wrong, row) == one for row, one in zip(rows, told, strict=True)):
            missed.append((node, term))
    assert [(node, term.field) for node, term in missed] == untold


# Long lists

LONG = 500


def long_list(classes=("no", "yes")):
    rules = [Every((between(AGE, k, k + 1.5), Among(JOB, (k % 4,)), between(COUNT, below=k + 3))) for k in range(LONG)]
    return listed(rules, classes=classes)


@pytest.mark.parametrize("target", ["json", "python", "javascript", "c", *SQL, "pmml"], ids=str)
def test_five_hundred_rules_are_exported(target):
    report = exported(long_list(), target, max_cases=300).report
    assert report.cases >= 200


@pytest.mark.parametrize("target", ["json", "python", "javascript", "c", *SQL, "pmml"], ids=str)
def test_a_longer_list_is_not_nested_more_deeply(target):
    name = target if isinstance(target, str) else "sql"
    marks = {"sql": (r"\bCASE\b", r"\bEND\b"), "pmml": (r"<Node\b", "</Node>")}
    opening, closing = marks.get(name, (r"[{([]", r"[])}]"))

    def depth(n):
        deepest = now = 0
        text = exported(listed(RULES * n), target, verify=False).text
        for found in re.finditer(f"(?P<open>{opening})|{closing}", text):
            now += 1 if found["open"] else -1
            deepest = max(deepest, now)
        return deepest

    assert depth(40) == depth(4)


def test_a_list_too_long_for_a_formula_is_refused_by_excel():
    many = Every(tuple(between(AGE, k, 1000 - k) for k in range(300)))
    with pytest.raises(ExportError, match="300 conditions is longer than a formula of Excel"):
        exported(listed([many]), "excel", verify=False)
