"""Options together: each does something, or is refused by its name in one line."""

import contextlib
import json
from pathlib import Path

import pytest

from bough.cli import main
from bough.learn import load


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a tree for classes, one for numbers, and a table."""
    place = tmp_path_factory.mktemp("models")
    with contextlib.chdir(place):
        main(["fit", "penguins", "-t", "species", "--folds", "0", "-q", "-o", "m.json"])
        main(["fit", "friedman1", "-t", "y", "--folds", "0", "-q", "-o", "n.json"])
        main(["datasets", "penguins", "-o", "p.csv"])
        main(["datasets", "penguins", "-o", "p.parquet"])
    return place


FIT = "fit p.csv -t species --folds 0 -o x.json"
VALIDATE = "validate p.csv -t species"
REFUSED = {
    "explain m.json p.csv -o x.csv --row 3": "--row is for single rows",
    "explain m.json p.csv -o x.csv --change": "--change is for single rows",
    "explain m.json p.csv -o x.csv --to Gentoo": "--to is for single rows",
    "explain m.json p.csv -o x.csv --changes 2": "--changes is for single rows",
    "explain m.json p.csv -o x.csv --fixed sex": "--fixed is for single rows",
    "explain m.json --case year=2007 --row 3": "--row is of a TABLE",
    "explain m.json --case year=2007 --separator ;": "--separator is of a TABLE",
    "explain m.json --case year=2007 --no-header": "--no-header is of a TABLE",
    "explain m.json --case year=2007,year=2008": "--case names 'year' twice",
    "explain m.json p.csv --up year --down year": "--up and --down both name 'year'",
    "explain m.json p.csv --up year --fixed year": "--fixed and --up or --down both name 'year'",
    "show m.json --dot --mermaid": "--dot and --mermaid are two forms",
    "show m.json --html x.html --json --importance": "--importance and --html are two forms",
    "show m.json --svg x.svg --list": "--list and --svg are two forms",
    "show m.json --svg - --html x.html": "--svg and --html are two forms",
    "show m.json --json --dot": "--dot and --json are two forms",
    "show m.json --max-depth 1 --list": "--max-depth does nothing with --list",
    "show m.json --max-depth 1 --json": "--max-depth does nothing with --json",
    "show m.json --max-depth 1 --html x.html": "--max-depth does nothing with --html",
    "show m.json --max-depth 1 --pruning": "--max-depth does nothing with --pruning",
    "show m.json --no-surrogates --dot": "--no-surrogates is for the tree as text",
    "show m.json --ascii --svg x.svg": "--ascii is for the tree as text",
    "prune m.json -o x.json --leaves 3 --table nowhere.csv": "--table is for another way",
    "prune m.json -o x.json --leaves 3 --set foo=1": "--set is for another way",
    "prune m.json -o x.json --leaves 3 --target zzz": "--target is of the rows",
    "prune m.json -o x.json --how merge_leaves --missing x": "--missing is of the rows",
    "prune m.json -o x.json --how merge_leaves --table p.csv -t species": "which looks at the tree alone",
    "prune m.json -o x.json --how error_based": "name them with --table",
    f"{VALIDATE} -a c45 --like m.json": "--algorithm is not for --like",
    f"{VALIDATE} --max-depth 2 --like m.json": "--max-depth is not for --like",
    f"{VALIDATE} --set max_depth=2 --like m.json": "--set is not for --like",
    "validate p.csv -t body_mass_g --drop-unlabelled --like m.json": "m.json is a tree for classification",
    "validate p.csv -t species --like n.json": "n.json is a tree for regression",
    "validate friedman1 -t y --positive 3": "--positive is for classes",
    "compare friedman1 cart tree -t y --cost 1,2=3": "--cost is for classes",
    f"{VALIDATE} --cost Adelie,Gentoo=2 --cost Adelie,Gentoo=3": "--cost says twice",
    "diff m.json m.json --separator ;": "--separator says how a TABLE is read",
    "export m.json dot --answer class": "--answer is not for dot",
    "export m.json mermaid --no-verify": "--no-verify is not for mermaid",
    "export n.json python --answer class": "--answer is for trees of classes",
    "export m.json onnx -o - --json": "is no text",
    f"{FIT} --json --no-surrogates": "--no-surrogates is for the drawing",
    f"{FIT} --drop year --numeric year": "--drop and --numeric both name 'year'",
    f"{FIT} --date year --numeric year": "--numeric and --date both name 'year'",
    f"{FIT} --nominal year --ordered year=2007,2008,2009": "--nominal and --ordered both name 'year'",
    f"{FIT} --ordered year=2007,2008 --ordered year=2008,2007": "--ordered names 'year' twice",
    "fit p.parquet -t species --separator ;": "--separator is for tables of text, and p.parquet is Parquet",
    "fit penguins -t species --missing x": "--missing is for tables of text, and penguins is a bundled data set",
    "predict m.json p.parquet --no-header": "--header is for tables of text",
    "candidates p.csv -t species --model m.json --node 99": "--node 99: the tree has the nodes 0 to",
    "candidates p.csv -t species --model m.json --nominal year": "--nominal is not for --model",
    "candidates p.csv -t species --model m.json --drop year": "has no column 'year'",
    "candidates p.csv -t island --model m.json": "the model asks 'island'",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_would_do_nothing_is_refused(bough, folder, monkeypatch, line):
    monkeypatch.chdir(folder)
    status, out, err = bough(
        *line.split(), *(["-q"] if line.startswith(("fit", "eval", "vali", "comp", "cand")) else [])
    )
    assert (status, out) == (2, "")
    assert REFUSED[line] in err
    assert len(err.strip().splitlines()) == 1
    assert not list(folder.glob("x.*"))


def test_what_shows_a_tree_shows_as_deep_as_asked(bough, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for form in ("--dot", "--mermaid"):
        whole, top = (bough("show", "m.json", form, *depth)[1] for depth in ((), ("--max-depth", "1")))
        assert "bill_length_mm" in whole
        assert len(top) < len(whole)
    found = json.loads(bough("show", "m.json", "--importance", "--json")[1])
    frame = load("m.json").importance(as_frame=True)
    assert found == pytest.approx(dict(zip(frame["column"], frame["importance"], strict=True)))
    steps = json.loads(bough("show", "m.json", "--pruning", "--json")[1])
    assert len(steps) == len(load("m.json").pruning_path_)


def test_the_number_of_changes_asks_for_changes(bough, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert bough("explain", "m.json", "p.csv", "--changes", "2")[1].count("To change it") == 1
    found = json.loads(bough("explain", "m.json", "p.csv", "--changes", "2", "--json")[1])
    assert len(found[0]["changes"]) == 2


def test_least_rows_of_a_leaf_are_what_the_estimator_takes_them_for(bough):
    assert bough("fit", "penguins", "-t", "species", "--min-leaf", "3", "--folds", "0", "-q")[0] == 0
    fitted = load("model.json")
    assert fitted.min_samples_leaf == 3
    assert fitted.min_samples_split == type(fitted)().min_samples_split


def test_a_model_is_judged_with_its_own_labels(bough):
    rows = "".join(f"{k % 5},{'ab'[k % 5 in (0, 2, 4)]}\n" for k in range(200))
    Path("t.csv").write_text("code,y\n" + rows, encoding="utf-8")
    options = ("-t", "y", "--max-depth", "1", "--nominal", "code", "-q")
    assert bough("fit", "t.csv", *options, "--folds", "0", "-o", "m.json")[0] == 0
    found = [
        json.loads(bough("validate", "t.csv", "-q", "--json", "--folds", "3", "--repeats", "1", *how)[1])["measures"][0]
        for how in (options, ("-t", "y", "--like", "m.json"))
    ]
    assert found[0] == found[1]


def test_rows_to_prune_by_are_read_in_the_words_of_the_model(bough):
    """A column that held letters in training may hold digits alone in the rows to prune by."""
    rows = [(code, "p" if code in "1X" else "q") for code in "123X" * 25]
    Path("t.csv").write_text("code,y\n" + "".join(f"{code},{y}\n" for code, y in rows), encoding="utf-8")
    Path("new.csv").write_text("code,y\n" + "".join(f"{code},{y}\n" for code, y in rows if code != "X"))
    assert bough("fit", "t.csv", "-t", "y", "--folds", "0", "--pruning", "none", "-q")[0] == 0
    by_rows = ("--how", "reduced_error", "--table", "new.csv", "-t", "y", "--json")
    assert json.loads(bough("prune", "model.json", "-o", "small.json", *by_rows)[1])["leaves"] == 2


CONFIGS = {
    "show model.json": ("[set]\nmax_depth = 1\n", "bough show has no option 'set'"),
    "predict model.json penguins": ("[set]\nmax_depth = 1\n", "bough predict has no option 'set'"),
    "explain model.json penguins": ("[set]\nmax_depth = 1\n", "bough explain has no option 'set'"),
    "diff model.json model.json": ("[set]\nmax_depth = 1\n", "bough diff has no option 'set'"),
    "compare penguins cart c45 -t species": ("[set]\nmax_depth = 1\n", "bough compare has no option 'set'"),
    "candidates penguins -t species": ("[set]\nmax_depth = 1\n", "bough candidates has no option 'set'"),
    "prune model.json -o x.json --leaves 2": ("[set]\nconfidence = 1\n", "[set] of --config is for another way"),
    "validate penguins -t species --like model.json": ("[set]\nmax_depth = 1\n", "[set] of --config is not for"),
    "export model.json sql": ('dialekt = "sqlite"\n', "bough export has no option 'dialekt'"),
    "fit penguins": ('target = ["species", "sex"]\n', "'target' takes one value, not a list"),
    "fit penguins -t species": ('set = "max_depth=1"\n', "'set' must be a table of parameters"),
    "fit penguins -t species -q": ("as_json = true\n", "no option 'as_json'"),
}


@pytest.mark.parametrize("line", CONFIGS)
def test_a_file_of_settings_is_refused_where_it_would_do_nothing(bough, line):
    bough("fit", "penguins", "-t", "species", "--folds", "0", "-q")
    text, says = CONFIGS[line]
    Path("c.toml").write_text(text, encoding="utf-8")
    status, _, err = bough(*line.split(), "--config", "c.toml")
    assert status == 2
    assert says in err


def test_a_file_of_settings_has_the_names_of_options(bough):
    Path("c.toml").write_text(
        'target = "species"\ndrop = "year"\nfolds = 0\njson = true\nmax-depth = 2\nmin_leaf = 30\n', encoding="utf-8"
    )
    status, out, err = bough("fit", "penguins", "--config", "c.toml")
    assert status == 0, err
    assert json.loads(out)["depth"] == 2
    fitted = load("model.json")
    assert "year" not in fitted.schema_.names
    assert (fitted.max_depth, fitted.min_samples_leaf) == (2, 30)
    Path("e.toml").write_text('[set]\ndialect = "sqlite"\ntable = "birds"\n', encoding="utf-8")
    out = bough("export", "model.json", "sql", "--config", "e.toml", "--set", "table=penguins")[1]
    assert 'FROM "penguins"' in out
    Path("r.toml").write_text("row = 3\n", encoding="utf-8")
    assert bough("explain", "model.json", "penguins", "--config", "r.toml")[0] == 0
