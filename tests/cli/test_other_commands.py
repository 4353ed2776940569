"""What the other commands print and write."""

import json
from pathlib import Path

import pytest

from bough.learn import load


@pytest.fixture
def model(bough):
    assert bough("fit", "penguins", "-t", "species", "--pruning", "none", "--folds", "0")[0] == 0
    return "model.json"


def test_algorithms_and_their_parameters(bough):
    for arguments, kind, params in [
        (["-a", "cart", "--max-depth", "2"], "CARTClassifier", {"max_depth": 2}),
        (
            ["-a", "c45", "--confidence", "0.1", "--set", "pruning__raising=false"],
            "C45Classifier",
            {"confidence": 0.1, "pruning__raising": False},
        ),
        (["-a", "chaid", "--set", "merge_level=0.01"], "CHAIDClassifier", {"merge_level": 0.01}),
        (["-a", "id3", "--set", "missing=fractional"], "ID3Classifier", {"missing": "fractional"}),
        (["-a", "tree", "--criterion", "entropy", "--pruning", "none"], "TreeClassifier", {"criterion": "entropy"}),
        (["-a", "like:J48", "--set", "C=0.1"], "C45Classifier", {"confidence": 0.1}),
        (["-a", "like:rpart:cp=0.1"], "CARTClassifier", {"pruning__cp": 0.1}),
    ]:
        status, _, err = bough("fit", "penguins", "-t", "species", "--folds", "0", "-q", *arguments)
        assert status == 0, err
        fitted = load("model.json")
        assert type(fitted).__name__ == kind
        assert {name: fitted.get_params()[name] for name in params} == pytest.approx(params)


def test_a_file_of_settings(bough):
    Path("fit.toml").write_text(
        'target = "species"\nalgorithm = "c45"\nfolds = 0\ndrop = ["year"]\n[set]\nconfidence = 0.01\n'
        'branching = "one_level"\n',
        encoding="utf-8",
    )
    status, _, err = bough("fit", "penguins", "--config", "fit.toml", "--set", "branching=per_level")
    assert status == 0, err
    fitted = load("model.json")
    assert (fitted.confidence, fitted.branching, "year" in fitted.schema_.names) == (0.01, "per_level", False)
    Path("bad.toml").write_text('tagret = "species"\n', encoding="utf-8")
    status, _, err = bough("fit", "penguins", "--config", "bad.toml")
    assert status == 2
    assert "no option 'tagret': did you mean 'target'?" in err


def test_fit_for_machines(bough):
    status, out, _ = bough("fit", "penguins", "-t", "species", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["n_leaves"] == 8
    assert found["cross_validation"]["low"] < found["cross_validation"]["value"]


def test_show(bough, model):
    assert "flipper_length_mm <= 206.5" in bough("show", model)[1]
    assert "│" not in bough("show", model, "--ascii", "--max-depth", "1")[1]
    assert json.loads(bough("show", model, "--json")[1])[0]["column"] == "flipper_length_mm"
    assert "flowchart" in bough("show", model, "--mermaid")[1]
    assert "digraph" in bough("show", model, "--dot")[1]
    assert "flipper_length_mm" in bough("show", model, "--importance")[1]
    assert "n_leaves" in bough("show", model, "--pruning")[1]
    assert bough("show", model, "--list")[1]
    status, out, err = bough("show", model, "--svg", "t.svg", "--png", "t.png", "--html", "t.html")
    assert (status, out) == (0, "Written to t.svg, t.png, t.html.\n"), err
    assert Path("t.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("t.svg").read_text(encoding="utf-8")
    assert "<html" in Path("t.html").read_text(encoding="utf-8").lower()


def test_validate(bough, model):
    options = ("--folds", "3", "--repeats", "1", "-q")
    status, out, _ = bough("validate", "titanic", "-t", "survived", "--cost", "yes,no=5", "--html", "e.html", *options)
    assert status == 0
    assert "cost " in out
    assert "<svg" in Path("e.html").read_text(encoding="utf-8")
    found = json.loads(bough("validate", "penguins", "-t", "species", "--json", *options)[1])
    assert {"measures", "confusion", "roc", "pr", "calibration"} <= set(found)
    status, out, _ = bough("validate", "penguins", "-t", "species", "--like", model, *options)
    assert out.startswith("CARTClassifier(pruning=None) for species")
    assert bough("validate", "friedman1", "-t", "y", *options)[1].count("mean squared error") == 2
    assert "groups kept together" in bough("validate", "penguins", "-t", "species", "--groups", "year", *options)[1]


def test_compare(bough):
    options = ("-t", "species", "--folds", "3", "--repeats", "1", "-q")
    status, out, _ = bough(
        "compare", "penguins", "cart", "cart:max_depth=1,criterion=entropy", *options, "--html", "c.html"
    )
    assert status == 0
    assert "[2] cart:max_depth=1,criterion=entropy" in out
    assert "F of 5x2" in out
    assert Path("c.html").exists()
    found = json.loads(bough("compare", "penguins", "cart", "c45", "--json", "--measure", "leaves", *options)[1])
    assert found["measure"] == "leaves"
    assert {"p", "p_5x2"} <= set(found["pairs"][0])


def test_prune(bough, model):
    status, out, _ = bough("prune", model, "-o", "small.json", "--leaves", "3")
    assert status == 0
    assert "Written to small.json." in out
    assert load("small.json").get_n_leaves() <= 3
    assert bough("prune", model, "-o", "small.json", "--cp", "0.1", "--json")[0] == 0
    status, _, err = bough(
        "prune", model, "-o", "small.json", "--how", "error_based", "--table", "penguins", "-t", "species", "--set",
        "confidence=0.01",
    )  # fmt: skip
    assert status == 0, err
    for how in (
        ["size_penalty", "--set", "alpha=0.05", "--set", "weighted=true"],
        ["significant_splits", "--set", "level=1e-6", "--table", "penguins", "-t", "species"],
    ):
        status, out, err = bough("prune", model, "-o", "small.json", "--json", "--how", *how)
        assert status == 0, err
        assert json.loads(out)["leaves"] < json.loads(out)["leaves_before"]
    assert "one of --leaves" in bough("prune", model, "-o", "small.json")[2]
    assert "confidense" in bough("prune", model, "-o", "s.json", "--how", "merge_leaves", "--set", "confidense=1")[2]


def test_candidates(bough, model):
    found = json.loads(bough("candidates", "play_tennis", "-t", "Play", "--json")[1])
    assert [round(row["gain"], 3) for row in found] == [0.247, 0.029, 0.152, 0.048]
    assert "Outlook" in bough("candidates", "play_tennis", "-t", "Play")[1]
    assert (
        bough("candidates", "penguins", "-t", "species", "--model", model, "--node", "1", "--criterion", "gain")[0] == 0
    )


def test_candidates_of_numbers(bough):
    asked = ("candidates", "penguins", "-t", "body_mass_g", "--drop-unlabelled", "-q")
    found = json.loads(bough(*asked, "--criterion", "squared_error", "--json")[1])
    assert [row["column"] for row in found][:2] == ["species", "flipper_length_mm"]
    assert (found[1]["threshold"], found[1]["best_by"]) == (206.5, "squared_error, absolute_error, worst_error")
    assert "worst_error" in bough(*asked)[1]
    known = {row["column"]: (row["known"], row["squared_error"]) for row in found}
    whole = json.loads(bough(*asked, "--criterion", "squared_error", "--no-discount", "--json")[1])
    full = {row["column"]: row["squared_error"] for row in whole}
    assert all(abs(gain - share * full[name]) <= 1e-9 * full[name] for name, (share, gain) in known.items())
    assert known["sex"][0] < 1
    status, _, error = bough(*asked, "--criterion", "gini")
    assert status != 0
    assert "criterion 'gini' is not for numbers" in error


def test_datasets(bough):
    assert "penguins" in bough("datasets")[1]
    assert "penguins" in bough("datasets", "penguins")[1]
    assert len(json.loads(bough("datasets", "--json")[1])) > 10
    for name in ("p.csv", "p.parquet", "p.jsonl", "p.arrow"):
        assert bough("datasets", "penguins", "-o", name)[0] == 0
        assert bough("fit", name, "-t", "species", "--folds", "0", "-q")[0] == 0


def test_completion_and_version(bough, monkeypatch):
    for shell in ("bash", "zsh", "fish"):
        status, out, _ = bough("--completion", shell)
        assert status == 0
        assert "_BOUGH_COMPLETE" in out
    assert "version" in bough("--version")[1]
    monkeypatch.setenv("_BOUGH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "bough fit penguins --target sp")
    monkeypatch.setenv("COMP_CWORD", "4")
    assert "species" in bough()[1]
    monkeypatch.setenv("COMP_WORDS", "bough fit penguins --algorithm like:J")
    assert "like:J48" in bough()[1]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("compare penguins ca", ["cart", "cart-lc"]),
        ("compare penguins cart ch", ["chaid"]),
        ("fit penguins --drop isl", ["island"]),
        ("fit penguins -t species --nominal ye", ["year"]),
        ("predict model.json penguins --keep isl", ["island"]),
        ("explain model.json --fixed fl", ["flipper_length_mm"]),
        ("explain model.json penguins --up bi", ["bill_length_mm", "bill_depth_mm"]),
        ("predict model.json nowhere.csv --keep isl", []),
    ],
)
def test_completion_of_names(bough, monkeypatch, words, found):
    bough("fit", "penguins", "-t", "species", "--folds", "0", "-q")
    monkeypatch.setenv("_BOUGH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"bough {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert [line.removeprefix("plain,") for line in bough()[1].split()] == found
