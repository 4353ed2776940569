"""`bough rules`, and what other commands do with a model of rules."""

import json

import pytest

import bough
from bough.cli.main import main


@pytest.fixture
def run(capsys):
    def call(*arguments):
        try:
            main([str(one) for one in arguments])
        except SystemExit as done:
            if done.code not in (0, None):
                return str(capsys.readouterr().err) or str(done.code)
        return capsys.readouterr().out

    return call


@pytest.fixture
def model(run, tmp_path):
    path = tmp_path / "rules.json"
    out = run("fit", "penguins", "--target", "species", "--algorithm", "ripper", "--folds", "0", "--output", path)
    assert "OTHERWISE Adelie" in out
    return path


def test_rules_are_printed_and_read_back(run, model):
    text = run("rules", model)
    rules = bough.load(model).rules_
    assert bough.parse_rules(text, schema=rules).rules == rules.rules
    assert run("show", model) == text


def test_rules_are_checked_and_simplified(run, model, tmp_path):
    assert run("rules", model, "--check") == "Nothing was found.\n"
    shorter = tmp_path / "shorter.json"
    run("rules", model, "--simplify", "--output", shorter)
    assert json.loads(shorter.read_text())["kind"] == "rule_list"


def test_rules_are_edited(run, model, tmp_path):
    text = tmp_path / "my.rules"
    text.write_text(
        "IF island = Dream THEN Chinstrap\nIF island = Dream AND sex = male THEN Adelie\nOTHERWISE Gentoo\n"
    )
    assert "unreached: rule 1 is never reached" in run("rules", model, "--edit", text, "--check")
    text.write_text("IF iland = Dream THEN Chinstrap\n")
    assert "island" in run("rules", model, "--edit", text)


def test_trees_have_rules_too(run, tmp_path):
    path = tmp_path / "tree.json"
    run("fit", "penguins", "--target", "species", "--folds", "0", "--output", path)
    text = run("rules", path)
    assert text.startswith("# These rules predict as the tree does on rows without missing values.")
    shorter = run("rules", path, "--simplify")
    assert shorter.count(" AND ") < text.count(" AND ")
    X = bough.datasets.load("penguins").xy()[0].dropna()
    tree = bough.load(path).tree_
    assert (bough.parse_rules(shorter, schema=tree).predict(X) == tree.predict(X)).all()


def test_other_commands_take_rules(run, model):
    assert run("predict", model, "penguins").splitlines()[1] == "Adelie"
    assert "by rule 1: flipper_length_mm > " in run("explain", model, "penguins", "--row", "200")
    assert "because no rule covers the row." in run("explain", model, "penguins", "--row", "1")
    assert "form of trees" in run("show", model, "--dot")


def test_two_models_of_rules_are_compared(run, model, tmp_path):
    other = tmp_path / "cn2.json"
    run("fit", "penguins", "--target", "species", "--algorithm", "cn2", "--folds", "0", "--output", other)
    assert "rules the same; changed:" in run("diff", model, other, "penguins")
    found = json.loads(run("diff", model, other, "--json"))
    assert found["n_rules"][0] == bough.load(model).rules_.n_rules
    assert {"rule", "change", "a", "b"} == set(found["changes"][0])
