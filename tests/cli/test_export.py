"""Exports on the command line: verified, written or printed, refused in one line."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def model(bough):
    assert bough("fit", "penguins", "-t", "species", "--folds", "0")[0] == 0
    return "model.json"


def test_text_is_printed_and_its_verification_said(bough, model):
    status, out, err = bough("export", model, "sql", "--set", "dialect=sqlite", "--answer", "class")
    assert status == 0
    assert "CASE WHEN" in out
    assert err.startswith("verified: ")
    names = {}
    exec(bough("export", model, "python")[1], names)


def test_a_file_is_written_and_verified_by_rows(bough, model):
    status, out, _ = bough("export", model, "json", "-o", "tree.json", "--verify", "penguins")
    assert status == 0
    assert out.startswith("Written to tree.json: verified: 344 cases")
    json.loads(Path("tree.json").read_text(encoding="utf-8"))
    facts = json.loads(bough("export", model, "c", "--no-verify", "--json")[1])
    assert "verify=False" in facts["report"]
    assert "#include" in facts["text"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cobol"], "cobol"),
        (["onnx"], "say where to write it with --output"),
        (["sql", "--set", "dialekt=x"], "no option 'dialekt'"),
        (["sql", "-o", "nowhere/x.sql"], "there is no folder"),
        (["sql", "--verify", "penguins", "--no-verify"], "exclude each other"),
    ],
)
def test_wrong_uses_are_one_line(bough, model, arguments, says):
    status, _, err = bough("export", model, *arguments)
    assert status == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
