"""Nothing that a command reads is overwritten by what it writes, and what a user got wrong is called by its name."""

import json
import os
from pathlib import Path

import pytest


@pytest.fixture
def files(bough):
    """A table and a model, with other names for both."""
    bough("datasets", "penguins", "-o", "mine.csv")
    bough("fit", "mine.csv", "-t", "species", "--folds", "0", "-q", "-o", "m.json")
    Path("fit.toml").write_text("folds = 0\n", encoding="utf-8")
    for name in ("mine.csv", "m.json"):
        Path(f"link-{name}").symlink_to(name)
        os.link(name, f"hard-{name}")


@pytest.fixture
def refused(bough):
    """Run a command that must fail and change no file; return its line."""

    def run(*arguments):
        before = {path.name: path.read_bytes() for path in Path().iterdir()}
        status, out, err = bough(*arguments)
        assert (status, out) == (2, ""), err
        assert len(err.strip().splitlines()) == 1, err
        assert "a fault in bough" not in err
        assert {path.name: path.read_bytes() for path in Path().iterdir()} == before
        return err

    return run


LEARN = ("mine.csv", "-t", "species", "-q")
OVERWRITING = [
    (["predict", "m.json", "mine.csv", "-o"], ["mine.csv", "./mine.csv", "link-mine.csv", "hard-mine.csv"]),
    (["explain", "m.json", "mine.csv", "-o"], ["mine.csv", "link-mine.csv"]),
    (["fit", *LEARN, "-o"], ["mine.csv", "link-mine.csv"]),
    (["export", "m.json", "json", "-o"], ["m.json", "hard-m.json"]),
    (["export", "m.json", "json", "--verify", "mine.csv", "-o"], ["mine.csv"]),
    (["show", "m.json", "--svg"], ["m.json", "./m.json"]),
    (["show", "m.json", "--png"], ["m.json"]),
    (["show", "m.json", "--html"], ["m.json"]),
    (["validate", *LEARN, "--html"], ["mine.csv"]),
    (["validate", *LEARN, "--like", "m.json", "--html"], ["m.json"]),
    (["evaluate", "m.json", "mine.csv", "-q", "--html"], ["m.json", "mine.csv"]),
    (["fit", *LEARN, "--test", "hard-mine.csv", "-o"], ["hard-mine.csv"]),
    (["compare", *LEARN, "cart", "c45", "--html"], ["mine.csv"]),
    (["fit", *LEARN, "--config", "fit.toml", "-o"], ["fit.toml"]),
    (["prune", "m.json", "--how", "reduced_error", "--table", "mine.csv", "-t", "species", "-o"], ["mine.csv"]),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("arguments", "outputs"), OVERWRITING)
def test_what_is_read_is_not_overwritten(refused, arguments, outputs):
    for output in outputs:
        line = refused(*arguments, output)
        assert f"cannot be written to {output}: it is " in line
        assert "which is read; name another file" in line or "what is read; name another file" in line


@pytest.mark.usefixtures("files")
def test_standard_input_is_not_overwritten(refused):
    kept = os.dup(0)
    try:
        with Path("mine.csv").open("rb") as table:
            os.dup2(table.fileno(), 0)
        assert "cannot be written to mine.csv: it is what is read" in refused(
            "predict", "m.json", "-", "-o", "mine.csv"
        )
    finally:
        os.dup2(kept, 0)
        os.close(kept)


@pytest.mark.usefixtures("files")
def test_two_pictures_are_not_written_to_one_file(refused):
    assert "cannot be written to one file" in refused("show", "m.json", "--svg", "a", "--html", "a")


@pytest.mark.usefixtures("files")
def test_a_pruned_model_may_take_the_place_of_the_model(bough):
    before = Path("m.json").read_bytes()
    status, out, err = bough("prune", "m.json", "--leaves", "2", "-o", "m.json")
    assert status == 0, err
    assert "2 now. Written to m.json." in out
    assert len(Path("m.json").read_bytes()) < len(before)


@pytest.mark.usefixtures("files")
def test_a_node_or_a_table_that_is_not_of_the_model(refused):
    line = refused("candidates", *LEARN, "--model", "m.json", "--node", "99")
    assert "--node 99: the tree has the nodes 0 to " in line
    line = refused("candidates", "titanic", "-t", "survived", "--model", "m.json", "--node", "1", "-q")
    assert "what is left of titanic has no column 'island'" in line


@pytest.mark.usefixtures("files")
def test_nodes_have_one_number(bough):
    listed = [int(line.split()[0]) for line in bough("show", "m.json", "--list")[1].splitlines()]
    nodes = [node["node"] for node in json.loads(bough("show", "m.json", "--json")[1])]
    assert listed == nodes == list(range(len(nodes)))


@pytest.mark.usefixtures("files")
def test_a_file_that_is_no_model_is_named(refused):
    for arguments in (["show", "mine.csv"], ["diff", "m.json", "mine.csv"], ["predict", "mine.csv", "mine.csv"]):
        line = refused(*arguments)
        assert line.startswith("bough: mine.csv: this is not a model file of bough: it begins with 'island,bi', ")
    text = Path("m.json").read_text(encoding="ascii").replace('"target":"', '"target":3,"', 1)
    Path("bad.json").write_text(text, encoding="ascii")
    assert refused("diff", "m.json", "bad.json").startswith("bough: bad.json: ")


def test_what_is_left_out_of_a_drawing_is_said_in_words_of_the_command_line(bough, refused):
    large = ("--set", "pruning=none", "--set", "min_samples_split=2", "--set", "min_samples_leaf=1")
    status, out, err = bough("fit", "friedman1", "-t", "y", *large, "--folds", "0", "-q")
    assert status == 0, err
    assert "leaves are folded: `bough show --all` draws all, `bough prune --leaves` gives a smaller tree\n" in out
    assert (
        "leaves are folded: `bough show --all` draws all, `bough prune --leaves` gives a smaller tree\n"
        in bough("show", "model.json", "--max-depth", "1")[1]
    )
    everything = bough("show", "model.json", "--all", "--no-surrogates")[1]
    assert "folded" not in everything
    assert len(everything.splitlines()) > 200
    assert "--all draws the nodes that --max-depth leaves out" in refused(
        "show", "model.json", "--all", "--max-depth", 1
    )
    assert "--all is for the tree as text" in refused("show", "model.json", "--all", "--svg", "a.svg")


@pytest.mark.usefixtures("files")
def test_a_name_that_is_like_none_is_met_with_all(refused):
    assert "mine.csv has no column 'nope': its columns are island, " in refused(
        "predict", "m.json", "mine.csv", "--keep", "nope"
    )
    Path("t.csv").write_text("income,x\n1,2\n", encoding="utf-8")
    assert "t.csv has no column 'nope': its columns are income, x." in refused("fit", "t.csv", "-t", "nope")


def test_a_change_of_numbers_needs_a_goal(bough, refused):
    assert bough("fit", "friedman1", "-t", "y", "--folds", "0", "-q")[0] == 0
    assert "say it with --to LOW..HIGH" in refused("explain", "model.json", "friedman1", "--change")
    assert bough("explain", "model.json", "friedman1", "--change", "--to", "20..")[0] == 0


@pytest.mark.usefixtures("files")
def test_a_warning_is_said_once(bough):
    text = Path("mine.csv").read_text(encoding="utf-8").replace("Biscoe", "Bisco")
    Path("other.csv").write_text(text, encoding="utf-8")
    status, _, err = bough("explain", "m.json", "other.csv", "--row", "200", "--change")
    assert status == 0, err
    assert err.count("that no training row held") == 1
    assert "or fit with unseen set to majority, stop or error" in err


def test_more_folds_than_rows_hold_back_one_row_each(bough):
    status, out, err = bough("fit", "play_tennis", "-t", "Play", "--folds", "1000", "-q")
    assert status == 0, err
    assert "Cross-validated accuracy (14 folds): " in out


def test_a_folder_of_the_system_that_is_not_there(refused):
    for output in ("/proc/x/model.json", "/dev/x/model.json"):
        line = refused("fit", "play_tennis", "-t", "Play", "-o", output)
        assert f"the model cannot be written to {output}: there is no folder {Path(output).parent}" in line
