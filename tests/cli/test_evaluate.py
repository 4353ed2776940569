"""`bough evaluate`, and `bough fit` with rows to judge by: the model that exists, on rows that are named."""

import contextlib
import json

import numpy as np
import polars as pl
import pytest

from bough.cli import main
from bough.cli.holdout import held_rows
from bough.datasets import load as data
from bough.learn import load


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Rows to fit to and to judge by, and models: two for species, one for years as classes, one for numbers."""
    place = tmp_path_factory.mktemp("models")
    with contextlib.chdir(place):
        for name, frame in (("p", penguins()), ("f", numbers())):
            rows = np.random.default_rng(0).permutation(frame.height) < frame.height // 2
            frame.filter(rows).write_csv(f"{name}_train.csv")
            frame.filter(~rows).write_csv(f"{name}_test.csv")
            frame.filter(~rows).write_parquet(f"{name}_test.parquet")
        quiet = ["--folds", "0", "-q", "-o"]
        main(["fit", "p_train.csv", "-t", "species", "--drop", "w", *quiet, "m.json"])
        main(["fit", "p_train.csv", "-t", "species", "--drop", "w", "--max-depth", "1", *quiet, "stump.json"])
        main(["fit", "p_train.csv", "-t", "year", "--drop", "w", "--task", "classification", *quiet, "year.json"])
        main(["fit", "f_train.csv", "-t", "y", *quiet, "n.json"])
    return place


def penguins():
    frame, target = data("penguins").xy("polars")
    rng = np.random.default_rng(0)
    return frame.with_columns(pl.Series("species", target), pl.Series("w", rng.integers(1, 4, frame.height)))


def numbers():
    frame, target = data("friedman1", random_state=0).xy("polars")
    return frame.with_columns(pl.Series("y", target))


@pytest.fixture
def there(bough, folder, monkeypatch):
    """Run a command in that folder."""

    def run(line, *more):
        monkeypatch.chdir(folder)
        return bough(*line.split(), *more)

    return run


def test_the_accuracy_is_the_score_of_the_model(there, folder):
    model = load(folder / "m.json")
    rows = pl.read_parquet(folder / "p_test.parquet")
    score = model.score(rows.drop("species", "w"), rows["species"])
    for table in ("p_test.csv", "p_test.parquet"):
        status, out, err = there(f"evaluate m.json {table} --json -q")
        assert status == 0, err
        found = json.loads(out)
        assert found["measures"][0]["value"] == score
        assert found["rows"] == rows.height
        assert {"confusion", "roc", "pr", "lift", "calibration", "leaves", "routing"} <= set(found)
    score = model.score(rows.drop("species", "w"), rows["species"], rows["w"])
    found = json.loads(there("evaluate m.json p_test.csv --json -q --weights w")[1])
    assert found["measures"][0]["value"] == pytest.approx(score)
    assert found["effective_rows"] < found["rows"]


def test_it_prints_and_writes_a_page(there, folder):
    status, out, err = there("evaluate m.json p_test.csv --html e.html --cost Adelie,Gentoo=3")
    assert (status, err) == (0, "")
    assert "for species on 172 rows: the model as it is, nothing was fitted" in out
    assert "cost " in out
    assert out.endswith("Written to e.html.\n")
    assert "<svg" in (folder / "e.html").read_text(encoding="utf-8")
    assert "R squared" in there("evaluate n.json f_test.csv")[1]
    assert "confusion" not in json.loads(there("evaluate n.json f_test.csv --json")[1])


def test_the_target_may_have_another_name(there, folder):
    pl.read_csv(folder / "p_test.csv").rename({"species": "kind"}).write_csv(folder / "kind.csv")
    same = [
        json.loads(there(f"evaluate m.json {how} --json")[1])["measures"] for how in ("kind.csv -t kind", "p_test.csv")
    ]
    assert same[0] == same[1]


def test_classes_that_are_numbers_are_read_as_such(there):
    status, out, err = there("evaluate year.json p_test.csv --json")
    assert status == 0, err
    assert {row["true"] for row in json.loads(out)["confusion"]} == {"2007", "2008", "2009"}


def test_a_class_that_the_model_does_not_know_is_said(there, folder):
    rows = pl.read_csv(folder / "p_test.csv")
    rows.with_columns(pl.when(pl.int_range(pl.len()) < 3).then(2010).otherwise(pl.col("year")).alias("year")).write_csv(
        folder / "later.csv"
    )
    status, out, err = there("evaluate year.json later.csv")
    assert status == 0, err
    assert "does not know the class 2010: its 3 rows count as errors" in out


def test_models_are_compared_on_the_same_rows(there):
    status, out, err = there("evaluate m.json p_test.csv --against stump.json")
    assert (status, err) == (0, "")
    assert "[2] stump.json" in out
    assert "McNemar" in out
    found = json.loads(there("evaluate m.json p_test.csv --against stump.json --json")[1])
    assert [pair["measure"] for pair in found["pairs"]] == ["accuracy", "roc_auc", "brier"]
    assert [model["model"] for model in found["models"]] == ["m.json", "stump.json"]


def test_rows_without_a_target_are_left_out_if_that_is_said(there, folder):
    rows = pl.read_csv(folder / "p_test.csv")
    rows.with_columns(pl.when(pl.int_range(pl.len()) > 0).then("species").alias("species")).write_csv(
        folder / "gap.csv"
    )
    status, _, err = there("evaluate m.json gap.csv")
    assert (status, "--drop-unlabelled" in err) == (2, True)
    status, out, err = there("evaluate m.json gap.csv --drop-unlabelled --json")
    assert status == 0
    assert json.loads(out)["rows"] == 171
    assert "1 row without species left out" in err


WRONG = {
    "evaluate p_test.csv -t species": "evaluate takes a saved model and a table",
    "evaluate penguins p_test.csv": "no model file 'penguins'",
    "evaluate p_test.csv p_test.csv": "this is not a model file of bough",
    "evaluate m.json p_test.csv -t specis": "did you mean --target species?",
    "evaluate m.json f_test.csv": "f_test.csv has no column 'species', the target of the model: name the column",
    "evaluate m.json p_test.csv -t year": "the model asks 'year', which is an input",
    "evaluate m.json p_test.csv -t w": "none of the classes in y is one that the model knows",
    "evaluate m.json p_test.csv --positive Gentoo": "pos_label is for two classes",
    "evaluate m.json p_test.csv --cost Adelie=3": "--cost takes TRUE,DECIDED=COST",
    "evaluate m.json p_test.csv --cost Adelie,Emperor=3": "no class 'Emperor'",
    "evaluate m.json p_test.csv --weights weight": "has no column 'weight'",
    "evaluate m.json p_test.csv --weights species": "--weights and --target both name 'species'",
    "evaluate n.json f_test.csv --positive 3": "--positive is for classes",
    "evaluate m.json p_test.csv --against m.json": "a model is named twice",
    "evaluate m.json p_test.csv --against year.json": "say which column holds what came with --target",
    "evaluate m.json p_test.csv --html -": "name a file",
    "evaluate m.json nothing.csv": "no file 'nothing.csv'",
    "evaluate m.json p_test.csv --folds 3": "No such option",
    "fit p_train.csv -t species --test p_test.csv --holdout 0.3": "--test and --holdout both name rows",
    "fit p_train.csv -t species --test p_train.csv": "--test names the rows that the model is fitted to",
    "fit p_train.csv -t species --test f_test.csv": "f_test.csv has no column 'species'",
    "fit p_train.csv -t species --holdout 1.5": "--holdout",
    "fit p_train.csv -t species --holdout 0.001": "leaves none to judge by",
    "validate p_train.csv": "--target",
    "validate p_train.csv -t species --model m.json": "No such option",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_said_in_one_line(there, line):
    status, out, err = there(line, "-q")
    assert (status, out) == (2, "")
    assert WRONG[line] in err
    assert len(err.strip().splitlines()) == 1
    assert "a fault in bough" not in err


def test_fit_judges_by_a_table(there, folder):
    status, out, err = there("fit p_train.csv -t species --test p_test.csv -o t.json --json -q")
    assert status == 0, err
    found = json.loads(out)
    assert found["cross_validation"] is None
    assert found["judgement"]["measures"] == json.loads(there("evaluate t.json p_test.csv --json")[1])["measures"]
    out = there("fit p_train.csv -t species --test p_test.csv --folds 3 -o t.json -q")[1]
    assert "Cross-validated accuracy (3 folds)" in out
    assert "Fitted to 172 rows and judged by the 172 rows of p_test.csv; the model that is saved is this one." in out


def test_a_hold_out_is_not_fitted_to(there, folder):
    status, out, err = there("fit p_train.csv -t species --holdout 0.25 -o h.json -q")
    assert status == 0, err
    assert "Fitted to 129 rows and judged by 43 rows that were held out" in out
    assert load(folder / "h.json").tree_.root.rows == 129
    again = there("fit p_train.csv -t species --holdout 0.25 -o h.json -q")[1]
    assert again == out
    assert there("fit p_train.csv -t species --holdout 0.25 -o h.json -q --seed 1")[1] != out
    assert "Fitted to 50 rows and judged by 50 rows" in there("fit f_train.csv -t y --holdout 0.5 -q -o h.json")[1]


def test_a_hold_out_takes_of_each_class_its_share():
    codes = np.repeat([0, 1, 2, 3], [60, 31, 8, 1])
    held = held_rows(codes, 0.3, seed=0)
    taken = np.bincount(codes[held], minlength=4)
    assert taken.sum() == 30
    assert (np.abs(taken - 0.3 * np.array([60, 31, 8, 1])) < 1).all()
    assert taken[3] == 0  # the only row of a class is to be learned from
    assert (held != held_rows(codes, 0.3, seed=1)).any()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("evaluate", ["Nothing is fitted", "bough validate", "--against", "--target", "--weights", "by default"]),
        ("validate", ["new trees are grown", "bough evaluate", "--like"]),
        ("fit", ["--test", "--holdout"]),
    ],
)
def test_the_help_says_what_is_grown(bough, command, says):
    status, out, _ = bough(command, "--help")
    assert status == 0
    for words in says:
        assert words in " ".join(out.split())


def test_adult_is_judged_as_it_is_scored(bough, shared):
    train, test = (shared / "data" / f"adult_{name}.csv" for name in ("train", "test"))
    assert bough("fit", train, "-t", "income", "--max-depth", "4", "--folds", "0", "-q")[0] == 0
    found = json.loads(bough("evaluate", "model.json", test, "--json")[1])
    rows = pl.read_csv(test, null_values=["", "NA", "?"])
    assert found["measures"][0]["value"] == load("model.json").score(rows.drop("income"), rows["income"])
