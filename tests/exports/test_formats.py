"""PMML, ONNX and Excel, which cannot say everything: what they can say is equal, the rest is refused with a reason."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import openpyxl
import pytest

import bough
from bough.errors import ExportError

FORMATS = ["pmml", "onnx", "excel"]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
NASTY = [
    "</Value><script>", "'; DROP TABLE input; --", '"quoted"', "back\\slash\\", "two\nlines", "a b", " lead", "tail ",
    "=1+1", "+1", "@x", "emoji \U0001f333", "&amp;", "]]>", "", "NULL", "a", "A", "é", "1", "TRUE",
]  # fmt: skip


def refusal_or_cases(model, target, **more):
    """How many cases were compared; a refusal must say why and what to do instead."""
    try:
        report = bough.export(model, target, **more).report
    except ExportError as refusal:
        text = str(refusal)
        if "First difference" in text or "does not run" in text or not any(w in text for w in ("xport", "ename")):
            raise
        return text
    assert report.largest <= 1e-9
    return report.cases


@pytest.mark.parametrize("target", FORMATS)
def test_every_classifier(classifier_on, target, without_engines):
    told = refusal_or_cases(classifier_on, target, max_cases=60)
    assert isinstance(told, str) or told >= 1
    if target == "excel":
        assert not isinstance(told, str)


@pytest.mark.parametrize("target", FORMATS)
def test_every_regressor(regressor_on, target, without_engines):
    told = refusal_or_cases(regressor_on, target, max_cases=40)
    assert isinstance(told, int) or "spread" in told or "in parts" in told


@pytest.mark.parametrize("target", FORMATS)
def test_levels_classes_and_columns_that_are_code(target):
    nasty = [text for text in NASTY if text or target != "excel"]
    values = np.array(nasty * 8, dtype=object)
    model = bough.C45Classifier(pruning=None).fit({"=x<&\"'>": values}, [v[:1] for v in values])
    if target != "onnx":
        assert refusal_or_cases(model, target) > len(nasty)
    model = bough.CARTClassifier(**SMALL).fit({"=x<&\"'>": values}, [v[:1] for v in values])
    assert refusal_or_cases(model, target) > len(nasty)


def test_an_empty_level_is_no_empty_cell():
    model = bough.CARTClassifier(**SMALL).fit({"x": ["", "b"] * 4}, [0, 1] * 4)
    with pytest.raises(ExportError, match="empty cell"):
        bough.export(model, "excel")


def test_characters_that_xml_cannot_hold_are_refused():
    for label in ("nul\0", "\x01", "\ud800"):
        model = bough.CARTClassifier(**SMALL).fit({"x": [label, "b"] * 4}, [0, 1] * 4)
        for target in ("pmml", "excel"):
            with pytest.raises(ExportError, match="cannot hold"):
                bough.export(model, target)


@pytest.mark.parametrize("target", FORMATS)
def test_whole_numbers_beyond_doubles_are_refused(target):
    values = np.array([2**53 + k for k in range(6)], dtype=np.int64)
    model = bough.CARTClassifier(**SMALL).fit({"x": values}, [0, 1] * 3)
    with pytest.raises(ExportError, match=r"beyond 2\*\*53"):
        bough.export(model, target)


@pytest.mark.parametrize("target", FORMATS)
def test_times_and_levels_of_other_types(target):
    days = np.array(["2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"] * 3, dtype="M8[D]")
    table = {"day": days, "flag": [True, False, None] * 4, "kind": np.array([1, 2, 5] * 4)}
    model = bough.CARTClassifier(**SMALL, categorical_features=["kind"]).fit(table, [0, 1, 2, 1] * 3)
    assert refusal_or_cases(model, target) > 5


@pytest.mark.parametrize("target", FORMATS)
def test_hand_made_trees_of_every_kind_of_test(make_kinds, target):
    for routing in [(True, 1, 0, 0), (True, 2, 1, 2), (False, 2, 0, 1), (True, 1, 1, 1)]:
        assert refusal_or_cases(make_kinds(routing), target) > 20


@pytest.mark.parametrize("target", FORMATS)
def test_deep_trees(make_chain, target):
    assert refusal_or_cases(make_chain(1100 if target == "pmml" else 400), target, max_cases=40) > 10


def test_onnx_names_what_cannot_be_said(make_classifier):
    with pytest.raises(ExportError, match=r'several branches in parts.*Export to "pmml"'):
        bough.export(make_classifier("c45", "penguins"), "onnx")
    with pytest.raises(ExportError, match="cannot refuse a case"):
        bough.export(make_classifier("cart-unseen-error", "penguins"), "onnx")
    with pytest.raises(ExportError, match="asks nothing"):
        bough.export(bough.CARTClassifier().fit({"x": [1, 2]}, ["a", "a"]), "onnx")


def test_pmml_has_surrogates_and_sums_of_parts(make_classifier):
    text = bough.export(make_classifier("cart", "penguins"), "pmml").text
    assert 'booleanOperator="surrogate"' in text
    root = ET.fromstring(text)
    assert root.get("version") == "4.4"
    spread = bough.export(make_classifier("c45", "penguins"), "pmml").text
    assert '<Apply function="sum">' in spread
    assert "weightedConfidence" not in spread  # which no reader answers rightly
    for kind, names in (("c45-unpruned-laplace", "penguins"), ("fractional-costs", "titanic")):
        assert bough.export(make_classifier(kind, names), "pmml").report.cases > 20


def test_pmml_spreads_numbers_too(makers):
    text = bough.export(makers["fitted_numbers"]("fractional", "friedman1"), "pmml").text
    assert "<RegressionTable" in text


def test_a_workbook_has_a_row_for_each_leaf_rule(make_classifier):
    model = make_classifier("cart", "penguins")
    done = bough.export(model, "excel")
    book = openpyxl.load_workbook(io.BytesIO(done.content))
    assert book["Rules"].max_row == model.get_n_leaves() + 1
    longest = max(len(str(cell.value)) for row in book["Tree"].iter_rows() for cell in row if cell.value)
    assert longest < 8000  # characters of a formula
    with pytest.raises(bough.errors.ParameterError, match=r"\.content"):
        _ = done.text


@pytest.mark.parametrize("target", ["dot", "mermaid"])
def test_drawings_have_nothing_to_score(make_classifier, target):
    done = bough.export(make_classifier("cart", "penguins"), target)
    assert done.report.engine == ""
    assert "island" in done.text or "bill" in done.text
    assert "drawing" in repr(done)
