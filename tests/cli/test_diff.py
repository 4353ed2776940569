"""How two saved trees differ, on the command line."""

import json

import pytest


@pytest.fixture
def models(bough):
    assert bough("fit", "penguins", "-t", "species", "--folds", "0", "-o", "a.json")[0] == 0
    assert bough("fit", "penguins", "-t", "species", "--folds", "0", "--min-leaf", "40", "-o", "b.json")[0] == 0
    return "a.json", "b.json"


def test_trees_and_rows_that_they_answer_otherwise(bough, models):
    status, out, _ = bough("diff", *models)
    assert status == 0
    assert "leaves 8 -> " in out
    assert bough("datasets", "penguins", "-o", "penguins.csv")[0] == 0
    found = [json.loads(bough("diff", *models, table, "--json")[1]) for table in ("penguins", "penguins.csv")]
    assert found[0] == found[1]
    assert found[0]["n_rows"] == 344
    assert 0 < found[0]["changed"] < 0.1
    assert json.loads(bough("diff", "a.json", "a.json", "--json")[1])["changes"] == []


def test_wrong_uses_are_one_line(bough, models):
    assert bough("fit", "friedman1", "-t", "y", "--folds", "0", "-o", "n.json", "-q")[0] == 0
    for arguments, says in [
        (("a.json", "n.json"), "give two of a kind"),
        (("a.json", "none.json"), "none.json"),
        (("a.json", "b.json", "titanic"), "lacks columns"),
    ]:
        status, _, err = bough("diff", *arguments)
        assert status == 2
        assert says in err
        assert len(err.strip().splitlines()) == 1
