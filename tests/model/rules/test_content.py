"""Rules in model files: what is written is what is read, and what breaks a promise is refused at its place."""

import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import bough
from bough.errors import ModelFormatError
from bough.model.files import load_model, save_model

FORMAT = Path(__file__).parents[3] / "docs" / "format"


def again(rules, path):
    save_model(path, {"made": "by hand"}, rules)
    return load_model(path)[1]


def test_a_round_trip_gives_an_equal_list(rule_lists, tmp_path):
    for rules in rule_lists:
        read = again(rules, tmp_path / "a")
        assert read == rules
        assert read.note == rules.note
        for one, other in zip(rules, read, strict=True):
            assert (one.note, one.locked, one.origin) == (other.note, other.locked, other.origin)
            assert type(one.says) is type(other.says)
        assert np.array_equal(read.said, rules.said, equal_nan=True)
        assert read.stats.keys() == rules.stats.keys()
        for name, figures in rules.stats.items():
            assert read.stats[name].to_frame().equals(figures.to_frame())
        save_model(tmp_path / "b", {"made": "by hand"}, read)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_statistics_of_numbers_are_kept(rule_lists, tmp_path):
    X = {"number": np.array([1, 2, 3], dtype="int64"), "level": ["a", "1", "a"]}
    scored = rule_lists[1].score(X, [1.0, 2.0, 4.0])
    assert again(scored, tmp_path / "a").stats["scored"].to_frame().equals(scored.stats["scored"].to_frame())


def test_the_file_follows_the_published_schema_and_the_page_names_its_keys(rule_lists, tmp_path):
    schema = json.loads((FORMAT / "model-1.schema.json").read_text())
    page = (FORMAT / "model-1.md").read_text()
    for rules in rule_lists:
        save_model(tmp_path / "m", {}, rules)
        content = json.loads((tmp_path / "m").read_text())
        jsonschema.validate(content, schema)
        assert content["bough"]["version"] == [1, 6]
        assert all(re.search(rf"`[^`]*\b{name}\b", page) for name in content["rules"])


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda r: r.update(combine="vote"), "$.rules.combine"),
        (lambda r: r["rule_begin"].__setitem__(1, 9), "$.rules.rule_begin[2]"),
        (lambda r: r["rule_begin"].pop(), "$.rules.rule_begin"),
        (lambda r: r["literal_kind"].__setitem__(1, 5), "$.rules.literal_kind[1]"),
        (lambda r: r["literal_kind"].__setitem__(0, 1), "$.rules.set_begin"),
        (lambda r: r["literal_column"].__setitem__(0, 7), "$.rules.literal_kind[0]"),
        (lambda r: r["literal_column"].__setitem__(0, 0), "$.rules.literal_kind[0]"),
        (lambda r: r["literal_column"].__setitem__(-1, 0), "$.rules.literal_column[10]"),
        (lambda r: r["literal_negated"].__setitem__(3, 1), "$.rules.literal_negated[3]"),
        (lambda r: r["literal_missing"].__setitem__(3, 2), "$.rules.literal_missing[3]"),
        (lambda r: r["low_value"].__setitem__(0, 1.0), "$.rules.low_value[0]"),
        (lambda r: r["low_value"].__setitem__(2, 2**64 - 1), "$.rules.literal_kind[2]"),
        (lambda r: r["low_value"].__setitem__(2, 0.5), "$.rules.low_value[2]"),
        (lambda r: r["low_value"].__setitem__(6, 3), "$.rules.literal_kind[6]"),
        (lambda r: r["set_code"].__setitem__(0, 3), "$.rules.literal_kind[0]"),
        (lambda r: r["lin_code"].__setitem__(1, 3), "$.rules.literal_kind[10]"),
        (lambda r: r["lin_weight"].__setitem__(1, "1"), "$.rules.lin_weight[1]"),
        (lambda r: r["lin_weight"].__setitem__(1, 0.0), "$.rules.literal_kind[10]"),
        (lambda r: r["says"]["class"].__setitem__(0, 3), "$.rules.says.class[0]"),
        (lambda r: r["says"]["class"].__setitem__(0, -2), "$.rules.says.class[0]"),
        (lambda r: r["says"]["share"].__setitem__(0, -1), "$.rules.says.share_begin[0]"),
        (lambda r: r["counts"]["weight"].__setitem__(0, 0.0), "$.rules.counts.weight[0]"),
        (lambda r: r["counts"]["class"].__setitem__(1, 2), "$.rules.counts.class[2]"),
        (lambda r: r.update(locked=[0]), "$.rules.locked"),
        (lambda r: r["name"].__setitem__(2, 1), "$.rules.name[2]"),
        (lambda r: r["stats"]["growing"].update(totals=None), "$.rules.stats.growing.totals"),
        (lambda r: r.pop("note"), "$.rules"),
    ],
)
def test_what_breaks_a_promise_is_refused_at_its_place(change, place, rule_lists, tmp_path):
    save_model(tmp_path / "m", {}, rule_lists[0])
    content = json.loads((tmp_path / "m").read_text())
    change(content["rules"])
    (tmp_path / "m").write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError) as error:
        load_model(tmp_path / "m")
    assert error.value.place == place


def test_a_tree_does_not_know_other_levels(small, rule_lists, tmp_path):
    save_model(tmp_path / "m", {}, small)
    content = json.loads((tmp_path / "m").read_text())
    content["inputs"]["unseen"] = "other"
    (tmp_path / "m").write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError, match="as in the routing of the tree"):
        load_model(tmp_path / "m")
    save_model(tmp_path / "m", {}, rule_lists[0])
    content = json.loads((tmp_path / "m").read_text())
    content["inputs"]["unseen"] = "majority"
    (tmp_path / "m").write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError, match="missing, other, error"):
        load_model(tmp_path / "m")


@pytest.mark.parametrize("learner", ["PART", "CN2", "RIPPER"])
def test_rules_are_saved_without_an_estimator(learner, tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    more = {"ordered": False} if learner == "CN2" else {}
    rules = getattr(bough, f"{learner}Classifier")(**more).fit(X, y).rules_
    rules.save(tmp_path / "rules.json")
    loaded = bough.load(tmp_path / "rules.json")
    assert type(loaded) is type(rules)
    assert loaded == rules
    assert (loaded.predict_proba(X) == rules.predict_proba(X)).all()
