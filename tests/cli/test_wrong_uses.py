"""Ten wrong uses of the command line and some more: each is answered by one line that helps."""

import json
import os
from pathlib import Path

import pytest

TABLE = "size,colour,fruit\n" + "1,red,cherry\n2,green,melon\n" * 30


@pytest.fixture
def table(tmp_path):
    """A good table with one fault."""

    def write(text, name="table.csv"):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


@pytest.fixture
def one_line(bough):
    """Run a command that must fail; return its line."""

    def run(*arguments):
        status, out, err = bough(*arguments)
        assert status == 2
        assert out == ""
        assert err.startswith("bough: ")
        assert len(err.strip().splitlines()) == 1, err
        assert "Traceback" not in err
        return err

    return run


def test_no_such_file(one_line):
    assert "no file 'pengins.csv'" in one_line("fit", "pengins.csv", "--target", "species")
    assert "did you mean 'penguins'" in one_line("fit", "penguin", "--target", "species")
    assert "nowhere.json" in one_line("predict", "nowhere.json", "penguins")


def test_a_wrong_target(one_line):
    assert "penguins has no column 'specie': did you mean 'species'?" in one_line("fit", "penguins", "-t", "specie")
    assert "its columns are" in one_line("fit", "penguins", "-t", "zzz")


def test_an_empty_file(one_line, table):
    assert "is empty" in one_line("fit", table(""), "-t", "fruit")
    assert "has no rows" in one_line("fit", table("size,fruit\n"), "-t", "fruit")


def test_a_ragged_table(one_line, table):
    rows = TABLE.splitlines()
    rows[31] = "3,blue"
    assert "line 32 has 2 fields where the first has 3" in one_line("fit", table("\n".join(rows)), "-t", "fruit")
    rows[31] = "3,blue,plum,x"
    assert "line 32 has 4 fields where the first has 3" in one_line("fit", table("\n".join(rows)), "-t", "fruit")


def test_a_ragged_line_far_down(one_line, table):
    rows = ["x,y"] + ["0.123456789,a", "0.987654321,b"] * 20_000
    rows[30_000] = "1"
    assert "line 30,001 has 1 fields where others have 2" in one_line("fit", table("\n".join(rows)), "-t", "y")
    rows[30_000] = "1,a,2"
    assert "a line has more than 2 fields" in one_line("fit", table("\n".join(rows)), "-t", "y")
    rows[30_000], rows[-1] = "1,a", "1"
    assert "its last line has 1 fields" in one_line("fit", table("\n".join(rows)), "-t", "y")


def test_a_picture(one_line, table):
    for name in ("picture.png", "picture.csv"):
        png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe"
        assert "is a PNG picture, not a table" in one_line("fit", table(png, name), "-t", "y")
    assert "cannot be read as a workbook" in one_line("fit", table(b"PK\x03\x04\x00\x00", "sheet.xlsx"), "-t", "y")
    assert "is not text" in one_line("fit", table(b"a,b\x00\n1,2\n"), "-t", "a")
    assert "UTF-16" in one_line("fit", table("size,fruit\n1,a\n".encode("utf-16")), "-t", "fruit")


def test_an_unknown_column(one_line, table):
    assert "has no column 'colr': did you mean 'colour'?" in one_line(
        "fit", table(TABLE), "-t", "fruit", "--drop", "colr"
    )
    assert "has no column 'w'" in one_line("fit", table(TABLE), "-t", "fruit", "--weights", "w")


def test_an_unknown_column_in_new_rows(bough, one_line, table):
    assert bough("fit", table(TABLE), "-t", "fruit", "--folds", "0")[0] == 0
    assert "new.csv has no column 'size'" in one_line("predict", "model.json", table("colour\nred\n", "new.csv"))
    assert "lacks columns that the model asks for: 'size', 'colour'" in one_line(
        "predict", "model.json", table("hue,weight\nred,1\n", "new.csv")
    )
    assert "column 'size' holds 'big' in row 1; it was numeric" in one_line(
        "predict", "model.json", table("colour,size\nred,big\n", "new.csv")
    )


def test_an_output_that_cannot_be_written(one_line, table, tmp_path):
    assert "there is no folder" in one_line("fit", table(TABLE), "-t", "fruit", "-o", "nowhere/model.json")
    assert "it is a folder" in one_line("fit", table(TABLE), "-t", "fruit", "-o", tmp_path)
    if os.geteuid():  # the administrator may write anywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        assert "no permission" in one_line("fit", table(TABLE), "-t", "fruit", "-o", "locked/model.json")


def test_a_misspelt_algorithm(one_line):
    assert "no algorithm 'crat': did you mean 'cart'?" in one_line("fit", "penguins", "-t", "species", "-a", "crat")
    assert "no algorithm 'C4.5': did you mean 'c45'?" in one_line("fit", "penguins", "-t", "species", "-a", "C4.5")
    assert "like:J48" in one_line("fit", "penguins", "-t", "species", "-a", "like:J84")
    assert "did you mean 'max_depth'" in one_line("fit", "penguins", "-t", "species", "--set", "max_dpth=3")


def test_a_model_of_another_version(bough, one_line, tmp_path):
    assert bough("fit", "penguins", "-t", "species", "--folds", "0")[0] == 0
    content = json.loads(Path("model.json").read_text(encoding="ascii"))
    content["bough"]["version"] = [9, 0]
    Path("later.json").write_text(json.dumps(content, separators=(",", ":")), encoding="ascii")
    line = one_line("show", "later.json")
    assert "9" in line
    assert "version" in line
    Path("other.json").write_text('{"weka": 3}', encoding="ascii")
    assert "other.json: this is not a model file of bough" in one_line("predict", "other.json", "penguins")
    assert "later.json: the file has format 9.0; " in one_line("diff", "model.json", "later.json")


def test_a_target_with_missing_values(bough, one_line, table):
    name = table(TABLE + "3,red,\n4,green,NA\n")
    line = one_line("fit", name, "-t", "fruit")
    assert "missing in 2 rows of table.csv, first in row 61" in line
    assert "--drop-unlabelled" in line
    assert bough("fit", table(TABLE, "good.csv"), "-t", "fruit", "--folds", "0", "-o", "m.json", "-q")[0] == 0
    by_rows = ("--how", "reduced_error", "--table", name, "-t", "fruit")
    assert "is missing in 2 rows of table.csv, first in row 61" in one_line("prune", "m.json", "-o", "s.json", *by_rows)
    status, _, err = bough("fit", name, "-t", "fruit", "--drop-unlabelled", "--folds", "0")
    assert status == 0
    assert "2 rows without fruit left out" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ft"], "no command 'ft': did you mean 'fit'?"),
        (["fit", "penguins"], "--target"),
        (["fit", "penguins", "-t", "species", "--colour"], "--colour"),
        (["fit", "friedman1", "-t", "y", "-a", "c45"], "c45 learns classes"),
        (["fit", "penguins", "-t", "species", "-a", "c45", "--min-split", "4"], "c45 has no parameter"),
        (["fit", "penguins", "-t", "species", "--set", "max_depth"], "--set takes name=value"),
        (["fit", "penguins", "-t", "species", "--config", "no.toml"], "no.toml"),
        (["fit", "penguins", "-t", "species", "--ordered", "sex"], "--ordered takes NAME=LOW,...,HIGH"),
        (["fit", "penguins", "-t", "species", "--drop", "species"], "not an input"),
        (["compare", "penguins", "cart", "-t", "species"], "at least two"),
        (["validate", "titanic", "-t", "survived", "--cost", "yes"], "--cost takes TRUE,DECIDED=COST"),
        (["validate", "titanic", "-t", "survived", "--positive", "maybe"], "no class 'maybe'"),
        (["candidates", "penguins", "-t", "species", "--node", "1"], "--node needs --model"),
        (["datasets", "pengins"], "did you mean 'penguins'"),
        (["datasets", "penguins", "-o", "p.xyz"], "not known: use .csv"),
    ],
)
def test_other_wrong_uses(one_line, arguments, says):
    assert says in one_line(*arguments)


def test_hostile_names_do_no_harm(bough, table):
    evil = "\x1b[31m</script>" + "x" * 5000
    text = f'"{evil}",fruit\n' + "1,cherry\n2,melon\n" * 30
    status, _, err = bough("fit", table(text), "-t", "frut")
    assert status == 2
    assert "\x1b" not in err
    assert len(err) < 3000


def test_what_a_way_to_prune_takes_is_set(bough, one_line, table):
    assert bough("fit", table(TABLE), "-t", "fruit", "--folds", "0", "-o", "m.json", "-q")[0] == 0
    line = one_line("prune", "m.json", "-o", "s.json", "--how", "size_penalty", "--alpha", "3")
    assert "with --how size_penalty say --set alpha=3" in line
