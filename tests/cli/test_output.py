"""What is written: in the format that its name says, complete or not at all, to standard output for '-'."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from bough.cli import stream
from bough.datasets import load as load_data
from bough.learn import load


def load_rows():
    return load_data("penguins").xy("polars")[0]


@pytest.fixture
def model(bough):
    assert bough("fit", "penguins", "-t", "species", "--folds", "0", "-q")[0] == 0
    return "model.json"


READERS = {
    "a.csv": pl.read_csv,
    "a.CSV": pl.read_csv,
    "a.tsv": lambda path: pl.read_csv(path, separator="\t"),
    "a.jsonl": pl.read_ndjson,
    "a.ndjson": pl.read_ndjson,
    "a.csv.gz": lambda path: pl.read_csv(gzip.decompress(Path(path).read_bytes())),
    "a.csv.zst": pl.read_csv,
    "a.jsonl.zst": pl.read_ndjson,
    "a.parquet": pl.read_parquet,
    "a.arrow": pl.read_ipc,
    "a.feather": pl.read_ipc,
}
STARTS = {"a.parquet": b"PAR1", "a.arrow": b"ARROW1", "a.csv.gz": b"\x1f\x8b", "a.csv.zst": b"\x28\xb5\x2f\xfd"}


@pytest.mark.parametrize("name", READERS)
def test_the_name_of_a_file_says_its_format(bough, model, monkeypatch, name):
    assert bough("datasets", "penguins", "-o", "p.csv")[0] == 0
    monkeypatch.setattr(stream, "_ROWS", 70)  # several batches
    options = ("--proba", "--keep", "island")
    assert bough("predict", model, "p.csv", *options, "-o", "expected.csv")[0] == 0
    status, _, err = bough("predict", model, "p.csv", *options, "-o", name)
    assert status == 0, err
    assert Path(name).read_bytes().startswith(STARTS.get(name, b""))
    assert READERS[name](name).equals(pl.read_csv("expected.csv"))
    assert bough("explain", model, "p.csv", "-o", name)[0] == 0
    assert READERS[name](name).height == 344
    assert bough("datasets", "penguins", "-o", name)[0] == 0
    assert READERS[name](name)["species"].n_unique() == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-o", "a.xlsx"], "the format of 'a.xlsx' is not known: use .csv"),
        (["-o", "a"], "the format of 'a' is not known"),
        (["-o", "a.parquet.gz"], "Parquet is compressed in itself: leave .gz out"),
        (["--json", "-o", "a.csv"], "--json writes JSON lines, but 'a.csv' is named as CSV"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "explain"])
def test_a_format_that_is_not_known_or_contradicted_is_refused(bough, model, command, arguments, says):
    status, out, err = bough(command, model, "penguins", *arguments)
    assert (status, out) == (2, "")
    assert says in err
    assert not list(Path().glob("a*"))


def test_an_answer_that_fails_leaves_the_file_that_was_there(bough, model, monkeypatch):
    monkeypatch.setattr(stream, "_ROWS", 100)
    frame = load_rows().cast(pl.String)
    flipper = pl.when(pl.int_range(pl.len()) == 250).then(pl.lit("wide")).otherwise("flipper_length_mm")
    frame.with_columns(flipper.alias("flipper_length_mm")).write_csv("bad.csv")
    for command in ("predict", "explain"):
        for name in ("a.csv", "a.parquet"):
            Path(name).write_text("before", encoding="utf-8")
            status, _, err = bough(command, model, "bad.csv", "-o", name)
            assert status == 2
            assert "column 'flipper_length_mm' holds 'wide' in row 251;" in err  # of the table, not of its batch
            assert Path(name).read_text(encoding="utf-8") == "before"
    assert "in row 251;" in bough("explain", model, "bad.csv", "--row", "251")[2]
    assert sorted(path.name for path in Path().iterdir()) == ["a.csv", "a.parquet", "bad.csv", "model.json"]


def test_a_value_that_the_model_refuses_is_found_in_the_table(bough, monkeypatch):
    monkeypatch.setattr(stream, "_ROWS", 10)
    Path("t.csv").write_text("x,y\n" + "a,p\nb,q\n" * 20, encoding="utf-8")
    assert bough("fit", "t.csv", "-t", "y", "-a", "id3", "--folds", "0", "-q")[0] == 0
    Path("new.csv").write_text("x,y\n" + "a,p\n" * 12 + ",p\n" + "a,p\n" * 12, encoding="utf-8")
    for command in (["predict"], ["explain", "-o", "a.csv"]):
        err = bough(command[0], "model.json", "new.csv", *command[1:])[2]
        assert "row 2." in err
        assert "(rows counted from 0, the first being row 11 of new.csv)" in err


def test_a_dash_is_standard_output(bough, model):
    expected = bough("predict", model, "penguins")[1]
    assert bough("predict", model, "penguins", "-o", "-")[1] == expected
    assert bough("explain", model, "penguins", "-o", "-")[1].startswith("answer,")
    lines = bough("explain", model, "penguins", "-o", "-", "--json")[1].splitlines()
    assert json.loads(lines[343])["answer"] == "Chinstrap"
    assert bough("datasets", "penguins", "-o", "-")[1].startswith("island,")
    assert json.loads(bough("datasets", "penguins", "-o", "-", "--json")[1].splitlines()[0])["species"] == "Adelie"
    assert bough("export", model, "python", "-o", "-")[1] == bough("export", model, "python")[1]
    assert bough("show", model, "--svg", "-")[1].startswith("<svg")
    assert bough("show", model, "--html", "-")[1].lower().startswith("<!doctype html>")
    for arguments in (["fit", "penguins", "-t", "species", "-q"], ["prune", model, "--leaves", "2"]):
        status, out, err = bough(*arguments, "-o", "-")
        assert status == 0
        Path("piped.json").write_text(out, encoding="utf-8")
        assert str(load("piped.json").tree_).replace("draw(surrogates=True)", "`bough show --surrogates`") in err
        assert "Written" not in err
        assert "both print to standard output" in bough(*arguments, "-o", "-", "--json")[2]
    assert not Path("-").exists()


def test_a_page_beside_a_printed_report_needs_a_name(bough):
    for arguments in (["validate", "penguins"], ["compare", "penguins", "cart", "c45"]):
        assert "name a file" in bough(*arguments, "-t", "species", "--html", "-")[2]


def test_a_written_data_set_is_described_to_machines(bough):
    found = json.loads(bough("datasets", "penguins", "-o", "p.csv", "--json")[1])
    assert (found["name"], found["output"]) == ("penguins", "p.csv")
    assert pl.read_csv("p.csv").height == 344
    assert "say its NAME" in bough("datasets", "-o", "p.csv")[2]


def test_columns_that_are_kept_do_not_vanish_under_answers(bough, model):
    load_rows().with_columns(prediction=pl.lit("mine")).rename({"year": "probability of Adelie"}).write_csv("p.csv")
    assert "--keep 'prediction': the answers have" in bough("predict", model, "p.csv", "--keep", "prediction")[2]
    bough("fit", "penguins", "-t", "species", "--folds", "0", "--drop", "year", "-q")
    keep = ("--keep", "probability of Adelie")
    assert bough("predict", model, "p.csv", *keep)[1].startswith("probability of Adelie,prediction\n")
    assert "the answers have a column of that name" in bough("predict", model, "p.csv", *keep, "--proba")[2]


@pytest.mark.skipif(os.name != "posix", reason="a matter of Unix pipes")
@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "model.json", "big.csv"],
        ["predict", "model.json", "big.csv", "-o", "/dev/stdout"],
        ["explain", "model.json", "big.csv", "-o", "-"],
        ["show", "model.json"],
        ["show", "model.json", "--importance"],
        ["datasets"],
        ["--help"],
    ],
)
def test_a_reader_that_closes_the_pipe_is_no_error(bough, model, arguments):
    pl.concat([load_rows()] * 60).write_csv("big.csv")
    code = "import sys; from bough.cli import main; sys.stdin.readline(); main()"
    started = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    started.stdout.close()  # before the first byte
    started.stdin.write(b"\n")
    started.stdin.close()
    err = started.stderr.read()
    started.stderr.close()
    assert (started.wait(), err) == (0, b"")
