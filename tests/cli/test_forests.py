"""`bough show` and other commands on many trees: what they say together, one of them by its number, and refusals."""

import json

import pytest

import bough as library


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = library.datasets.load("penguins").xy()
    X.assign(species=y).to_csv("penguins.csv", index=False)
    forest = library.RandomForestClassifier(n_estimators=3, max_depth=3).fit(X, y)
    forest.save("forest.bough")
    library.BaggedTreesClassifier(n_estimators=2).fit(X, y).save("bagged.json")
    library.CARTClassifier().fit(X, y).save("tree.json")
    return forest


def test_a_forest_is_shown_in_words_and_tree_by_tree(bough, files):
    status, out, _ = bough("show", "forest.bough")
    assert status == 0
    assert out.startswith("Forest of 3 trees for species: mean of their probabilities\nleaves: ")
    assert "`bough show --tree N` shows one of the trees." in out
    assert bough("show", "bagged.json")[1].startswith("Mean of 2 trees for species")
    assert bough("show", "forest.bough", "--tree", 2)[1] == str(files[2]) + "\n"
    assert json.loads(bough("show", "forest.bough", "--json")[1]) == {
        "kind": "forest",
        "target": "species",
        "n_trees": 3,
    }
    assert "trained on" in bough("show", "forest.bough", "--provenance")[1]
    shares = json.loads(bough("show", "forest.bough", "--importance", "--json")[1])
    assert shares == pytest.approx(dict(zip(files.schema_.names, files.feature_importances_, strict=True)))
    assert bough("show", "forest.bough", "--tree", 0, "--svg", "tree.svg", "--html", "tree.html")[0] == 0
    assert bough("show", "forest.bough", "--tree", 0, "--dot")[1].startswith("digraph")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["forest.bough", "--dot"], "--dot is a form of a tree, and here are 3 that answer together"),
        (["forest.bough", "--svg", "x.svg"], "choose one, --tree 0 to --tree 2"),
        (["forest.bough", "--tree", 3], "there are 3 trees, counted from 0"),
        (["forest.bough", "--tree", 0, "--importance"], "leave --tree out"),
        (["tree.json", "--tree", 0], "tree.json is none"),
    ],
)
def test_forms_that_do_not_go_together_are_refused(bough, files, arguments, said):
    status, _, err = bough("show", *arguments)
    assert status == 2
    assert said in err


@pytest.mark.parametrize(
    "command",
    [
        ["explain", "forest.bough", "penguins.csv"],
        ["ask", "forest.bough"],
        ["rules", "bagged.json"],
        ["prune", "forest.bough", "--leaves", 2, "-o", "small.json"],
        ["diff", "tree.json", "forest.bough"],
    ],
)
def test_commands_for_a_single_tree_say_so(bough, files, command):
    status, _, err = bough(*command)
    assert status == 2
    assert "trees that answer together, and this is for a single tree" in err


def test_a_forest_is_fitted_and_predicts(bough, files):
    fit = ["fit", "penguins.csv", "--target", "species", "--algorithm", "forest:n_estimators=5", "--folds", 0]
    status, out, err = bough(*fit, "-o", "fitted.json")
    assert status == 0, err
    assert "Forest of 5 trees for species" in out
    facts = json.loads(bough(*fit, "-o", "fitted.json", "--json")[1])
    assert facts["n_trees"] == 5
    assert set(facts["importance"]) == set(files.schema_.names)
    answers = bough("predict", "fitted.json", "penguins.csv")[1].split()
    assert answers[0] == "prediction"
    assert len(answers) == 345
