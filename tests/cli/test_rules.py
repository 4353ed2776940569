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


@pytest.fixture
def edited(run, model, tmp_path):
    path = tmp_path / "edited.json"
    text = tmp_path / "edited.rules"
    text.write_text("IF island = Dream AND bill_length_mm > 44 THEN Chinstrap\n" + run("rules", model))
    run("rules", model, "--edit", text, "--output", path)
    return path


def test_rules_in_a_file_of_their_own_are_read_by_every_command(run, edited, tmp_path):
    rules = bough.load(edited)
    assert isinstance(rules, bough.RuleList)
    X = bough.datasets.load("penguins").xy()[0]
    answers = run("predict", edited, "penguins").splitlines()[1:]
    assert answers == rules.predict(X).tolist()
    assert run("predict", edited, "penguins", "--proba").splitlines()[0].count("probability") == 3
    assert run("show", edited) == run("rules", edited) == f"{rules}\n"
    assert "by rule 2: flipper_length_mm > " in run("explain", edited, "penguins", "--row", "200")
    assert "accuracy" in run("evaluate", edited, "penguins").lower()
    assert "To change it:" in run("explain", edited, "penguins", "--row", "200", "--change")
    assert "CASE" in run("export", edited, "sql", "--no-verify")
    assert "3 rules the same" in run("diff", edited, edited, "penguins")
    assert "trained on penguins" in run("show", edited, "--provenance")
    again = tmp_path / "again.json"
    run("rules", edited, "--simplify", "--output", again)
    assert (bough.load(again).predict(X) == rules.predict(X)).all()


@pytest.mark.parametrize("algorithm", ["c45", "cart", "cn2", "c45rules", "part", "irep", "like:JRip"])
def test_rules_of_any_learner_are_written_to_files(run, algorithm, tmp_path):
    model, rules = tmp_path / "model.json", tmp_path / "rules.json"
    run("fit", "penguins", "--target", "species", "--algorithm", algorithm, "--folds", "0", "--output", model)
    for options in ((), ("--simplify",)):
        run("rules", model, *options, "--output", rules)
        loaded = bough.load(rules)
        assert run("rules", rules) == f"{loaded}\n"
        complete = bough.datasets.load("penguins").xy()[0].dropna()
        assert (loaded.predict(complete) == bough.load(model).predict(complete)).all()


def test_a_text_keeps_counts_and_locks_of_what_it_leaves(run, model, tmp_path):
    locked, text, out = tmp_path / "locked.json", tmp_path / "my.rules", tmp_path / "out.json"
    rules = bough.load(model).rules_
    rules.lock(0).save(locked)
    text.write_text(f"{rules[0]}\nIF bill_length_mm > 70 THEN Chinstrap\nOTHERWISE Adelie\n")
    run("rules", locked, "--edit", text, "--output", out)
    found = bough.load(out)
    assert [rule.locked for rule in found] == [True, False]
    assert found.counts.tolist() == [rules.counts[0].tolist(), [0, 0, 0], rules.counts[-1].tolist()]
    text.write_text("OTHERWISE Adelie")
    assert "rule 0 is locked" in run("rules", locked, "--edit", text)
    text.write_text("")
    assert "expected a rule, such as IF age > 38.5 THEN yes" in run("rules", model, "--edit", text)


def test_both_findings_and_simpler_rules_are_printed(run, model, tmp_path):
    text = tmp_path / "my.rules"
    text.write_text("IF bill_depth_mm > 3 AND bill_depth_mm > 5 THEN Gentoo\nOTHERWISE Adelie")
    found = run("rules", model, "--edit", text, "--check", "--simplify", "--budget", "0.5").splitlines()
    assert found == [
        "implied: rule 0: bill_depth_mm > 3 says nothing beside the other literals; such as bill_depth_mm = 6.0",
        "# exact: no shorter list of this form says the same",
        "IF bill_depth_mm > 5 THEN Gentoo",
        "OTHERWISE Adelie",
    ]
    data = json.loads(run("rules", model, "--edit", text, "--check", "--simplify", "--json"))
    assert (data["how"], len(data["findings"]), len(data["rules"])) == ("exact", 1, 2)
    assert "--budget is for --check and --simplify" in run("rules", model, "--budget", "1")
