"""New tables are read as the one that a model was trained on, and the command line says where a model came from."""

import csv
import json
import random

import pytest

import bough as library
from bough.cli.options import ReadOptions
from bough.cli.read import read_table
from bough.cli.say import Notes
from bough.errors import DataWarning
from bough.model.provenance import Origin

OPTIONS = ("--missing", "none", "--decimal", ",", "--encoding", "latin1", "--numeric", "dose", "--nominal", "ward")


@pytest.fixture
def table(tmp_path):
    """A table in the hand of its owner: decimal commas, another word for missing, labels that are numbers, latin1."""
    draw = random.Random(0)
    lines = [["größe", "dose", "ward", "born", "out"]]
    for i in range(120):
        height = draw.uniform(1.5, 2.0)
        dose = "trace" if i % 11 == 0 else f"{draw.uniform(0, 9):.2f}".replace(".", ",")
        ward = draw.choice([1, 2, 30])
        lines.append(
            [
                "none" if i % 13 == 0 else f"{height:.3f}".replace(".", ","),
                dose,
                ward,
                f"19{draw.randint(40, 99)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}",
                "gut" if height > 1.7 and ward != 2 else "mäßig",
            ]
        )
    with (tmp_path / "t.csv").open("w", encoding="latin1", newline="") as file:
        csv.writer(file, delimiter=";").writerows(lines)
    return tmp_path / "t.csv"


def fitted(bough, *more):
    status, _, said = bough("fit", "t.csv", "-t", "out", "--min-split", "4", "--pruning", "none", *OPTIONS, *more)
    assert status == 0, said


def test_a_table_is_predicted_with_no_option_given_again(bough, table):
    fitted(bough)
    status, plain, said = bough("predict", "model.json", "t.csv", "--proba")
    assert status == 0
    assert "read as in training: --decimal , --encoding latin1 --missing none --numeric dose" in said
    assert bough("predict", "model.json", "t.csv", "--proba", *OPTIONS[:-2], "--quiet") == (0, plain, "")
    assert len(set(plain.splitlines())) > 3


def test_every_command_reads_so(bough, table):
    fitted(bough)
    fitted(bough, "-o", "other.json", "--max-depth", "1")
    assert bough("explain", "model.json", "t.csv", "--row", 14)[0] == 0
    assert bough("explain", "model.json", "t.csv", "-o", "all.csv")[0] == 0
    status, out, _ = bough("diff", "model.json", "other.json", "t.csv")
    assert status == 0
    assert "120 rows" in out
    status, out, _ = bough("prune", "model.json", "-o", "small.json", "--how", "reduced_error", "--table", "t.csv")
    assert status == 0
    status, out, _ = bough("candidates", "t.csv", "--model", "model.json", "--json")
    assert status == 0
    assert {"größe", "dose", "ward", "born"} <= {row["column"] for row in json.loads(out)}
    assert bough("export", "model.json", "json", "-o", "x.json", "--verify", "t.csv")[0] == 0


def test_what_is_told_wins(bough, table, tmp_path):
    fitted(bough)
    other = table.read_text(encoding="latin1").replace(",", ".").replace("none", "-")
    (tmp_path / "u.csv").write_text(other, encoding="utf-8")
    plain = bough("predict", "model.json", "t.csv")[1]
    told = ("--decimal", ".", "--missing", "-", "--encoding", "utf-8")
    status, again, said = bough("predict", "model.json", "u.csv", *told)
    assert (status, again) == (0, plain)
    assert "read as in training: --numeric dose" in said


def test_a_table_of_another_format_is_read_by_its_own_types(bough, table):
    fitted(bough)
    read = ReadOptions(missing=("none",), decimal=",", encoding="latin1", numeric=("dose",))
    with pytest.warns(DataWarning, match="11 cells are no numbers"):
        read_table("t.csv", read, Notes(quiet=True)).write_parquet("t.parquet")
    assert bough("predict", "model.json", "t.parquet")[:2] == bough("predict", "model.json", "t.csv")[:2]


def test_a_layout_that_was_said_is_kept(bough, tmp_path):
    (tmp_path / "t.csv").write_text("".join(f"{i},{i % 5},{'a' if i > 10 else 'b'}\n" for i in range(30)))
    assert bough("fit", "t.csv", "-t", "column_3", "--no-header", "--separator", ",")[0] == 0
    (tmp_path / "new.csv").write_text("1,2,a\nx,3,b\n")  # would be taken for a header and a row
    status, _, said = bough("predict", "model.json", "new.csv")
    assert status == 2
    assert "column 'column_1' holds 'x' in row 2; it was numeric in training" in said


def test_pruned_models_keep_where_they_came_from(bough, table):
    fitted(bough)
    bough("prune", "model.json", "-o", "small.json", "--leaves", "2")
    assert bough("show", "small.json", "--provenance") == bough("show", "model.json", "--provenance")
    assert bough("predict", "small.json", "t.csv")[0] == 0


# Wrong uses


def failed(found):
    status, _, said = found
    assert status == 2
    assert len(said.splitlines()) == 1
    return said


def test_two_models_that_read_differently(bough, table):
    fitted(bough)
    library.load("model.json")
    assert bough("fit", "t.csv", "-t", "out", "--encoding", "latin1", "-o", "b.json")[0] == 0
    said = failed(bough("diff", "model.json", "b.json", "t.csv"))
    assert "read differently (--missing none; no --missing): say --missing for this one." in said


def test_a_column_of_another_type_is_named_with_what_it_was(bough, table, tmp_path):
    fitted(bough)
    lines = table.read_text(encoding="latin1").splitlines()
    lines[3] = lines[3].replace(lines[3].split(";")[3], "soon")
    (tmp_path / "u.csv").write_text("\n".join(lines), encoding="latin1")
    said = failed(bough("predict", "model.json", "u.csv", "--quiet"))
    assert "column 'born' holds 'soon' in row 3; it was read as dates in training. Write it as 2026-11-16" in said
    lines[3] = "x" + lines[3].replace("soon", "1950-01-11")
    (tmp_path / "u.csv").write_text("\n".join(lines), encoding="latin1")
    said = failed(bough("predict", "model.json", "u.csv", "--quiet"))
    assert "column 'größe' holds 'x" in said
    assert "in row 3; it was numeric in training" in said


def test_the_target_of_the_model_is_that_of_the_table(bough, table, tmp_path):
    fitted(bough)
    text = table.read_text(encoding="latin1").replace(";out", ";result")
    (tmp_path / "u.csv").write_text(text, encoding="latin1")
    how = ("prune", "model.json", "-o", "s.json", "--how", "reduced_error", "--table", "u.csv")
    assert "u.csv has no column 'out'" in failed(bough(*how))
    assert bough(*how, "--target", "result")[0] == 0
    assert "say which column to predict: --target NAME." in failed(bough("candidates", "t.csv"))


@pytest.mark.parametrize("rule", ["surrogates", "refuse", "fractional"])
def test_a_missing_rule_is_no_text_of_a_cell(bough, table, tmp_path, rule):
    said = failed(bough("fit", "t.csv", "-t", "out", "--encoding", "latin1", "--missing", rule))
    assert "--missing is the text of a missing cell, as in --missing -9" in said
    assert said.endswith(f"The rule for missing values is --set missing={rule}.\n")
    (tmp_path / "u.csv").write_text(f"x,y\n1,a\n{rule},b\n3,b\n", encoding="utf-8")
    assert bough("fit", "u.csv", "-t", "y", "--missing", rule)[0] == 0


def test_the_help_of_missing_says_what_it_is_not(bough):
    shown = " ".join(bough("fit", "--help")[1].split())
    assert "The text of a cell whose value is missing, such as --missing -9" in shown
    assert "--set missing=" in shown


# Provenance


def test_show_says_where_a_model_came_from(bough, table, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    fitted(bough, "--seed", "4")
    status, out, _ = bough("show", "model.json", "--provenance")
    assert status == 0
    first, second = out.splitlines()
    assert first.startswith("trained on t.csv: 120 rows, 4 columns, target out, digest ")
    assert second == (
        f"fitted 2026-09-21T14:13:20Z by bough {library.__version__}, seed 4; read with --decimal , --encoding latin1 "
        "--missing none --numeric dose --nominal ward"
    )
    facts = json.loads(bough("show", "model.json", "--provenance", "--json")[1])
    assert facts["rows"] == 120
    assert facts["origin"]["missing"] == ["none"]
    assert library.load("model.json").provenance_.origin == Origin(
        "t.csv", "csv", decimal=",", encoding="latin1", missing=("none",), numeric=("dose",), nominal=("ward",)
    )


def test_no_folder_is_kept(bough, table, tmp_path):
    assert bough("fit", tmp_path / "t.csv", "-t", "out", "--encoding", "latin1")[0] == 0
    assert str(tmp_path) not in (tmp_path / "model.json").read_text()
    assert library.load("model.json").provenance_.origin.name == "t.csv"


def test_a_file_that_does_not_say_is_no_error(bough, tmp_path):
    X, y = library.datasets.load("penguins").xy()
    library.CARTClassifier().fit(X, y).save(tmp_path / "m.json", provenance=False)
    status, out, _ = bough("show", "m.json", "--provenance")
    assert status == 0
    assert out == "m.json does not say where the model came from.\n"
    assert bough("show", "m.json", "--provenance", "--json")[1] == "null\n"
    assert "two forms" in failed(bough("show", "m.json", "--provenance", "--list"))
