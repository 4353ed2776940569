"""The command line as a user meets it: fit, predict, and one helpful line where something is wrong."""

import numpy as np
import pytest

from bough.cli import main
from bough.learn import load


def run(capsys, *arguments):
    """Exit status, standard output and standard error of one command."""
    try:
        main(list(arguments))
        status = 0
    except SystemExit as error:
        status = error.code
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_bundled_table_is_fitted_printed_judged_and_saved(capsys, tmp_path):
    model = tmp_path / "model.json"
    status, out, err = run(capsys, "fit", "penguins", "--target", "species", "--output", str(model), "--jobs", "1")
    assert (status, err) == (0, "")
    assert "Classification tree for species" in out
    assert "flipper_length_mm <= 206.5" in out
    assert "Cross-validated accuracy (10 folds): 9" in out
    assert load(model).get_n_leaves() == 8


def test_predictions_of_a_saved_tree(capsys, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("size,colour,fruit\n" + "1,red,cherry\n2,green,melon\n" * 20 + ",green,melon\n", encoding="utf-8")
    model = tmp_path / "model.json"
    assert run(capsys, "fit", str(table), "--target", "fruit", "-o", str(model), "--folds", "3")[0] == 0
    new = tmp_path / "new.csv"
    new.write_text("colour,size\nred,1\ngreen,\n", encoding="utf-8")
    status, out, _ = run(capsys, "predict", str(model), str(new), "--proba")
    assert status == 0
    assert out.splitlines()[0] == "prediction,probability of cherry,probability of melon"
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["cherry", "melon"]


def test_numbers_are_a_regression(capsys, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = tmp_path / "table.csv"
    rows = "\n".join(f"{a},{a * 2 + 0.1}" for a in x.tolist())
    table.write_text(f"x,y\n{rows}\n", encoding="utf-8")
    status, out, _ = run(capsys, "fit", str(table), "--target", "y", "-o", str(tmp_path / "m.json"))
    assert status == 0
    assert "root mean squared error" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fit", "nowhere.csv", "--target", "y"], "no file 'nowhere.csv'"),
        (["fit", "penguins", "--target", "kind"], "has no column 'kind'"),
        (["fit", "penguins", "--target", "species", "--pruning", "much"], "pruning must be"),
        (["fit", "penguins"], "--target"),
        (["predict", "nowhere.json", "penguins"], "nowhere.json"),
        (["grow"], "grow"),
        (["fit", "penguins", "--target", "species", "--weights", "island"], "must hold numbers"),
        (["fit", "penguins", "--target", "species", "--nominal", "species"], "not an input"),
        (["fit", "penguins", "--target", "species", "--output", "/nowhere/model.json"], "cannot be written"),
    ],
)
def test_one_line_says_what_is_wrong(capsys, arguments, says):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_an_empty_and_a_binary_file(capsys, tmp_path):
    for name, content in [("empty.csv", b""), ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe")]:
        (tmp_path / name).write_bytes(content)
        status, _, err = run(capsys, "fit", str(tmp_path / name), "--target", "y")
        assert status == 2
        assert len(err.strip().splitlines()) == 1


FRUIT = "1,red,cherry\n2,green,melon\n" * 20


@pytest.fixture
def fit(capsys, tmp_path):
    """Fit the text of a file and return the exit status, standard output and standard error."""

    def fit_text(text, *arguments, name="table.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        model = str(tmp_path / "model.json")
        return run(capsys, "fit", str(tmp_path / name), "--target", "fruit", "-o", model, "--folds", "0", *arguments)

    return fit_text


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_guessed_from_the_first_line(fit, mark):
    text = ("size,colour,fruit\n" + FRUIT).replace(",", mark)
    assert fit(text)[0] == 0
    assert fit(text, "--separator", "\\t" if mark == "\t" else mark)[0] == 0
    assert fit(text.replace(f"size{mark}", f'"size, in {mark} cm"{mark}'))[0] == 0


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("size;colour;fruit\n1;red;cherry\n", ["--separator", ","], "try --separator ';'"),
        ("size,fruit\n1,cherry\n", ["--separator", "::"], "must be one plain character"),
        ("size,fruit,size\n1,cherry,2\n2,melon,3\n", [], "several columns of the same name: 'size'. Rename"),
        ("size,fruit\n1,cherry\n2,cherry\n", [], "the target 'fruit' is 'cherry' in every row"),
        ("size,fruit\n1,\n2,\n", [], "the target 'fruit' is missing in every row"),
        ("fruit\ncherry\nmelon\n", [], "no column left"),
        ("size,fruit\n" + "1,cherry\n2,melon\n" * 20, ["--folds", "1"], "--folds must be 0"),
        ("size,fruit\n" + "1,cherry\n2,melon\n" * 20, ["--max-depth", "0"], "max_depth must be"),
        ("size,fruit\n" + "1,2020-01-01\n2,2021-01-01\n" * 20, [], "y holds dates"),
    ],
)
def test_one_line_says_what_is_wrong_with_a_file(fit, text, arguments, says):
    status, out, err = fit(text, *arguments)
    assert status == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in out + err


def test_cells_that_turn_numbers_into_labels_are_named(fit):
    rows = [f"{i},{'cherry' if i < 20 else 'melon'}" for i in range(40)]
    rows[7], rows[9] = "seven,cherry", "9 cm,cherry"
    status, out, err = fit("size,fruit\n" + "\n".join(rows) + "\n", "--folds", "3")
    assert status == 0
    assert err.count("warning") == 1
    assert err.startswith("bough: warning: column 'size' holds numbers but for 'seven' in line 9 and 1 more")
    assert "size in {" in out
    assert fit("size,fruit\n" + "\n".join(rows) + "\n", "--drop", "size")[2].count("warning") == 0


def test_a_table_without_the_columns_of_the_model(capsys, fit, tmp_path):
    assert fit("size,colour,fruit\n" + FRUIT)[0] == 0
    (tmp_path / "new.csv").write_text("height,colour\n3,red\n", encoding="utf-8")
    status, _, err = run(capsys, "predict", str(tmp_path / "model.json"), str(tmp_path / "new.csv"))
    assert status == 2
    assert "has no column 'size'" in err


def test_surrogates_are_drawn_on_request(fit):
    text = "size,colour,fruit\n" + FRUIT
    assert "if missing: asks" not in fit(text)[1]  # no cell is empty
    assert "if missing: asks" in fit(text, "--surrogates")[1]
    assert "if missing: asks" not in fit(text, "--no-surrogates")[1]


def test_a_fault_of_our_own_shows_no_traceback(capsys, monkeypatch):
    def broken(**_):
        raise RuntimeError("no such luck")

    monkeypatch.setattr("bough.cli.fit.run", broken)
    status, _, err = run(capsys, "fit", "penguins", "--target", "species")
    assert status == 2
    assert err.startswith("bough: RuntimeError: no such luck (a fault in bough")
    monkeypatch.setenv("BOUGH_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        main(["fit", "penguins", "--target", "species"])


def test_new_rows_are_read_by_the_levels_of_the_model(tmp_path, capsys):
    """Their columns may look like numbers where the training held letters too, or the other way round."""
    train = tmp_path / "train.csv"
    rows = "".join(f"{code},{code in '1X'},{'p' if code in '1X' else 'q'}\n" for code in "123X" * 25)
    train.write_text("code,flag,y\n" + rows)
    model = tmp_path / "model.json"
    assert run(capsys, "fit", str(train), "--target", "y", "-o", str(model), "--folds", "0")[0] == 0
    new = tmp_path / "new.csv"
    new.write_text("code,flag\n1,1\n2,0\n3,0\n1,1\n")
    assert run(capsys, "predict", str(model), str(new))[1].split() == ["prediction", "p", "q", "q", "p"]


def test_numbers_that_are_levels_keep_their_meaning_beside_text(tmp_path, capsys):
    train = tmp_path / "train.csv"
    train.write_text("z,y\n" + "".join(f"{z},{'p' if z == 1 else 'q'}\n" for z in [0, 1, 2] * 30))
    model = tmp_path / "model.json"
    assert run(capsys, "fit", str(train), "--target", "y", "--nominal", "z", "-o", str(model), "--folds", "0")[0] == 0
    new = tmp_path / "new.csv"
    new.write_text("z\n1\n0\nunknown\n01\n")
    assert run(capsys, "predict", str(model), str(new))[1].split() == ["prediction", "p", "q", "q", "p"]
