"""Exporters broken on purpose: verification finds every one of them and says where."""

import dataclasses
import importlib

import numpy as np
import pytest

import bough
from bough.errors import ExportError
from bough.exports.targets import TARGETS
from bough.model.program.program import END, Among, Between, Edge, Rule

TEXTS = [name for name in TARGETS if name not in ("dot", "mermaid")]


def first_between(program, change):
    """Change the first rule on a number."""
    steps = list(program.steps)
    for node, step in enumerate(steps):
        for k, rule in enumerate(step.rules):
            if isinstance(rule.when, Between):
                rules = (*step.rules[:k], change(rule), *step.rules[k + 1 :])
                steps[node] = dataclasses.replace(step, rules=rules)
                return dataclasses.replace(program, steps=tuple(steps))
    raise AssertionError("no such rule")


def moved(edge, way):
    return None if edge is None else Edge(float(np.nextafter(edge.number, way)), edge.side)


def threshold_off_by_one_bit(program):
    return first_between(
        program,
        lambda r: Rule(
            dataclasses.replace(r.when, above=moved(r.when.above, 1e9), below=moved(r.when.below, 1e9)), r.then
        ),
    )


def equal_goes_to_the_other_side(program):
    def other(edge):
        return None if edge is None else Edge(edge.number, "lt" if edge.side == "le" else "le")

    return first_between(
        program,
        lambda r: Rule(dataclasses.replace(r.when, above=other(r.when.above), below=other(r.when.below)), r.then),
    )


def one_level_forgotten(program):
    steps = list(program.steps)
    for node, step in enumerate(steps):
        for k, rule in enumerate(step.rules):
            if isinstance(rule.when, Among) and rule.when.codes:
                less = Rule(Among(rule.when.field, rule.when.codes[1:]), rule.then)
                steps[node] = dataclasses.replace(step, rules=(*step.rules[:k], less, *step.rules[k + 1 :]))
                return dataclasses.replace(program, steps=tuple(steps))
    raise AssertionError("no such rule")


def missing_stops(program):
    steps = [dataclasses.replace(s, otherwise=END) if s.rules else s for s in program.steps]
    return dataclasses.replace(program, steps=tuple(steps))


def surrogates_in_another_order(program):
    def turned(step):
        known = sum(step.sizes[:2]) if step.sizes else len(step.rules)
        return dataclasses.replace(step, rules=step.rules[:known] + step.rules[known:][::-1])

    return dataclasses.replace(program, steps=tuple(turned(s) for s in program.steps))


def probability_off(program):
    shares = program.probabilities.copy()
    shares[program.ends[0]] = np.roll(shares[program.ends[0]] + [1e-6, -1e-6, 0], 0)
    return dataclasses.replace(program, probabilities=shares)


def wrong_label(program):
    label = program.label.copy()
    label[program.ends[-1]] = (label[program.ends[-1]] + 1) % len(program.classes)
    return dataclasses.replace(program, label=label)


FAULTS = [
    threshold_off_by_one_bit, equal_goes_to_the_other_side, one_level_forgotten, missing_stops,
    surrogates_in_another_order, probability_off, wrong_label,
]  # fmt: skip


# Names of answers that change places in the text, which no broken program would show.
SWAPPED = {
    "c": ('"Adelie", "Chinstrap"', '"Chinstrap", "Adelie"'),
    "javascript": ('"Adelie", "Chinstrap"', '"Chinstrap", "Adelie"'),
    "json": ('"Adelie","Chinstrap"', '"Chinstrap","Adelie"'),
    "python": ("'Adelie', 'Chinstrap'", "'Chinstrap', 'Adelie'"),
}


@pytest.mark.parametrize("alone", [False, True], ids=["engines", "interpreters"])
@pytest.mark.parametrize("target", SWAPPED)
def test_names_of_classes_that_changed_places_are_caught(monkeypatch, make_classifier, request, target, alone):
    if alone:
        request.getfixturevalue("without_engines")
    model = make_classifier("cart", "penguins")
    text = bough.export(model, target).text
    spaced = SWAPPED[target] if SWAPPED[target][0] in text else tuple(s.replace(",", ", ") for s in SWAPPED[target])
    assert text.count(spaced[0]) >= 1
    rewriting(monkeypatch, target, lambda written: written.replace(*spaced, 1))
    with pytest.raises(ExportError):
        bough.export(model, target)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgresql"])
def test_names_of_columns_that_changed_places_are_caught(monkeypatch, make_classifier, dialect):
    def swap(text):
        wrong = (
            'a."probability_Chinstrap" AS "probability_Adelie",\n  a."probability_Adelie" AS "probability_Chinstrap"'
        )
        right = 'a."probability_Adelie",\n  a."probability_Chinstrap"'
        assert right in text
        return text.replace(right, wrong)

    rewriting(monkeypatch, "sql", swap)
    with pytest.raises(ExportError, match="First difference"):
        bough.export(make_classifier("cart", "penguins"), "sql", dialect=dialect)


@pytest.mark.parametrize("wrong", [1, 0.5, "yes", None])
def test_verify_is_yes_no_or_a_table(make_classifier, wrong):
    model = make_classifier("cart", "penguins")
    with pytest.raises(bough.errors.ParameterError, match="verify must be True, False or a table"):
        bough.export(model, "json", verify=wrong)
    assert bough.export(model, "json", verify=np.True_).report.cases > 0


def rewriting(monkeypatch, name, change):
    module = importlib.import_module(f"bough.exports.{TARGETS[name]}")
    good = module.TARGET
    monkeypatch.setattr(
        module, "TARGET", dataclasses.replace(good, write=lambda program, options: change(good.write(program, options)))
    )


def breaking(monkeypatch, name, fault):
    module = importlib.import_module(f"bough.exports.{TARGETS[name]}")
    good = module.TARGET
    monkeypatch.setattr(
        module, "TARGET", dataclasses.replace(good, write=lambda program, options: good.write(fault(program), options))
    )


@pytest.mark.parametrize("target", TEXTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.__name__)
def test_a_broken_exporter_is_caught(monkeypatch, make_classifier, target, fault):
    model = make_classifier("cart", "penguins")
    breaking(monkeypatch, target, fault)
    if target == "excel" and fault is threshold_off_by_one_bit:
        with pytest.raises(ExportError, match="Excel compares 15 digits"):
            bough.export(model, target)
        return
    with pytest.raises(
        ExportError, match=r"First difference in case \d+ .*the model says .* the export says"
    ) as caught:
        bough.export(model, target)
    assert caught.value.row is not None


@pytest.mark.parametrize("target", ["python", "javascript", "c", "pmml", "excel"])
def test_a_broken_share_is_caught(monkeypatch, make_classifier, target):
    def fault(program):
        steps = [
            dataclasses.replace(s, shares=tuple((c, p * (1 + 1e-6)) for c, p in s.shares)) if s.shares else s
            for s in program.steps
        ]
        return dataclasses.replace(program, steps=tuple(steps))

    breaking(monkeypatch, target, fault)
    with pytest.raises(ExportError, match="First difference"):
        bough.export(make_classifier("c45", "penguins"), target)


def test_nothing_is_written_where_an_export_fails(monkeypatch, make_classifier, tmp_path):
    breaking(monkeypatch, "python", wrong_label)
    with pytest.raises(ExportError):
        bough.export(make_classifier("cart", "penguins"), "python", tmp_path / "tree.py")
    assert not list(tmp_path.iterdir())


def test_text_that_does_not_run_is_an_error(monkeypatch, make_classifier):
    rewriting(monkeypatch, "c", lambda text: text + "int f( {")
    with pytest.raises(ExportError):
        bough.export(make_classifier("cart", "penguins"), "c")
