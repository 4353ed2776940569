"""Explanations and changes of single rows and whole tables on the command line."""

import json
from pathlib import Path

import polars as pl
import pytest

from bough.datasets import load as load_data
from bough.learn import load


@pytest.fixture
def model(bough):
    assert bough("fit", "penguins", "-t", "species", "--folds", "0")[0] == 0
    return "model.json"


def test_a_row_is_explained_as_the_estimator_does(bough, model):
    X, _ = load_data("penguins").xy("polars")
    fitted = load(model)
    X.write_csv("penguins.csv")
    for row in (1, 200):
        status, out, _ = bough("explain", model, "penguins.csv", "--row", row)
        assert status == 0
        assert out == f"{fitted.explain(X.row(row - 1, named=True))}\n"
    status, out, _ = bough("explain", model, "penguins", "--row", 200, "--row", 1)
    assert [line[:8] for line in out.splitlines() if line.startswith("Row")] == ["Row 200.", "Row 1. T"]


def test_changes_reach_the_class_and_keep_what_is_fixed(bough, model):
    status, out, _ = bough("explain", model, "penguins", "--to", "Gentoo", "--changes", 3, "--json")
    assert status == 0
    found = json.loads(out)[0]["changes"]
    assert {one["answer"] for one in found} == {"Gentoo"}
    assert "flipper_length_mm" in [change["column"] for change in found[0]["changes"]]
    out = bough("explain", model, "penguins", "--to", "Chinstrap", "--fixed", "flipper_length_mm", "--json")[1]
    assert all(c["column"] != "flipper_length_mm" for one in json.loads(out)[0]["changes"] for c in one["changes"])
    assert "To change it" in bough("explain", model, "penguins", "--change", "--up", "bill_length_mm")[1]


def test_a_case_may_leave_things_unknown(bough, model):
    status, out, _ = bough("explain", model, "--case", "flipper_length_mm=230")
    assert status == 0
    assert "Gentoo" in out
    out = bough("explain", model, "--case", "island=Dream, bill_length_mm=40")[1]
    assert "flipper_length_mm is missing" in out


def test_numbers_go_to_a_range(bough):
    assert bough("fit", "friedman1", "-t", "y", "--folds", "0", "-q")[0] == 0
    status, out, _ = bough("explain", "model.json", "friedman1", "--to", "20..", "--json")
    assert status == 0
    assert all(one["answer"] >= 20 for one in json.loads(out)[0]["changes"])
    assert "--to takes LOW..HIGH" in bough("explain", "model.json", "friedman1", "--to", "much")[2]


def test_a_whole_table(bough, model):
    assert bough("explain", model, "penguins", "-o", "why.csv")[0] == 0
    assert pl.read_csv("why.csv").height == 344
    assert Path("why.csv").read_text(encoding="utf-8").startswith("answer,")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "either a TABLE or --case"),
        (["penguins", "--row", "999"], "penguins has no row 999: it has 344"),
        (["penguins", "--to", "Emperor"], "is no class of the model"),
        (["--case", "wings=2"], "the model has no column 'wings'"),
        (["--case", "island"], "--case takes NAME=VALUE"),
        (["--case", "year=soon"], "holds 'soon'"),
        (["penguins", "--change", "--fixed", "wings"], "wings"),
        (["--case", "year=2007", "-o", "x.csv"], "there is none"),
    ],
)
def test_wrong_uses_are_one_line(bough, model, arguments, says):
    status, _, err = bough("explain", model, *arguments)
    assert status == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
