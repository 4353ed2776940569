"""Every export says in its head where the model came from, unless told not to; and nothing there can break out."""

import json
import re

import openpyxl
import pytest

import bough
from bough.model.provenance import Origin, Provenance

X, Y = bough.datasets.load("penguins").xy("pandas")
TARGETS = ("sql", "python", "c", "javascript", "pmml", "onnx", "excel", "json")


@pytest.fixture(scope="module")
def model():
    return bough.CARTClassifier(max_depth=2, random_state=5, missing="majority_branch").fit(X, Y)


def said(done, folder):
    """What stands in the head of an export."""
    if done.target == "excel":
        done.save(folder / "x.xlsx")
        return openpyxl.load_workbook(folder / "x.xlsx").properties.description or ""
    if done.target == "onnx":
        return done.content.decode("latin1")
    return done.text


@pytest.mark.parametrize("target", TARGETS)
def test_the_head_says_where_the_model_came_from(model, target, tmp_path):
    if target == "onnx":
        pytest.importorskip("onnx")
    found = model.provenance_
    text = said(bough.export(model, target, max_cases=60), tmp_path)
    assert found.table in text
    assert found.time in text
    assert "species" in text
    plain = said(bough.export(model, target, verify=False, provenance=False), tmp_path)
    assert found.table not in plain
    assert found.time not in plain
    without = said(bough.export(model.tree_, target, verify=False), tmp_path)
    assert found.table not in without


@pytest.mark.parametrize(("target", "mark"), [("sql", "-- "), ("python", "# "), ("c", " * "), ("javascript", "// ")])
def test_programs_have_it_in_a_comment_of_two_lines(model, target, mark):
    lines = bough.export(model, target, verify=False).text.splitlines()[:6]
    assert {mark + line for line in model.provenance_.lines} <= set(lines)


def test_json_has_all_of_it(model):
    found = json.loads(bough.export(model, "json", verify=False).text)["provenance"]
    assert Provenance.from_json(found) == model.provenance_


def test_pmml_has_it_in_its_header(model):
    text = bough.export(model, "pmml", verify=False).text
    head = re.search("<Header>(.*)</Header>", text).group(1)
    assert head.startswith('<Application name="bough"/><Annotation>trained on')
    assert head.endswith(f"<Timestamp>{model.provenance_.time}</Timestamp>")


@pytest.mark.parametrize("target", TARGETS)
def test_names_cannot_break_out_of_the_head(target):
    if target == "onnx":
        pytest.importorskip("onnx")
    estimator = bough.CARTClassifier(max_depth=1, missing="majority_branch").fit(X, Y)
    evil = "*/ \n-- ' \" <b> & ]]> \x00 \u2028 é;\r\nDROP TABLE input;"
    origin = Origin(evil, "csv", separator='"', missing=("*/", "\n"))
    found = estimator.provenance_
    changed = Provenance(found.table, 5, 5, 1, evil, found.time, found.library, 1, origin)
    estimator.fitted_ = type(estimator.fitted_)(
        **{**vars(estimator.fitted_), "provenance": changed}
    )  # as a file may say
    done = bough.export(estimator, target, max_cases=60)
    assert done.report.largest == 0


def test_a_report_says_which_table(tmp_path):
    found = bough.validate.report(bough.CARTClassifier(), X, Y, cv=3, n_repeats=1, random_state=0)
    assert found.provenance.table == bough.CARTClassifier().fit(X, Y).provenance_.table
    assert str(found).splitlines()[1] == f"table of 7 columns, digest {found.provenance.table}"
    page = found.to_html()
    assert found.provenance.table in page
    assert found.provenance.time in page


def test_a_report_on_an_estimator_of_another_library_says_nothing_of_it():
    from sklearn.tree import DecisionTreeClassifier

    numbers = X.select_dtypes("number").fillna(0)
    found = bough.validate.report(DecisionTreeClassifier(), numbers, Y, cv=3, n_repeats=1, random_state=0)
    assert found.provenance is None
    assert "digest" not in str(found)
