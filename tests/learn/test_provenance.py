"""Provenance: what a model says of where it came from, in memory and in its file, and what it has no say in."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ModelFormatError, ParameterError
from bough.model.provenance import Origin, Provenance, fit_time, provenance_of

X, Y = bough.datasets.load("penguins").xy("pandas")


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    return "2026-09-21T14:13:20Z"


def test_a_fit_says_where_the_model_comes_from(clock):
    found = bough.CARTClassifier(random_state=3).fit(X, Y).provenance_
    assert (found.rows, found.used, found.columns, found.target) == (344, 344, 7, "species")
    assert (found.time, found.library, found.seed, found.origin) == (clock, bough.__version__, 3, None)
    assert re.fullmatch("[0-9a-f]{32}", found.table)
    assert found.lines[0].endswith(f"344 rows, 7 columns, target species, digest {found.table}")
    assert found.lines[1] == f"fitted {clock} by bough {bough.__version__}, seed 3"


def test_the_digest_is_that_of_the_table_and_of_nothing_else():
    estimators = [
        bough.CARTClassifier(),
        bough.C45Classifier(),
        bough.ID3Classifier(missing="fractional"),
        bough.CHAIDClassifier(),
    ]
    digests = {estimator.fit(X, Y).provenance_.table for estimator in estimators}
    digests |= {bough.CARTClassifier(max_depth=1, n_jobs=2, missing="majority_branch").fit(X, Y).provenance_.table}
    assert len(digests) == 1
    assert bough.CARTClassifier().fit(X, Y == "Adelie").provenance_.table not in digests
    assert bough.CARTClassifier().fit(X[["sex"]], Y).provenance_.table not in digests


def test_rows_of_no_weight_are_not_used():
    weights = np.r_[np.zeros(44), np.ones(300)]
    found = bough.CARTClassifier().fit(X, Y, sample_weight=weights).provenance_
    assert (found.rows, found.used) == (344, 300)
    assert "344 rows (300 of positive weight)" in str(found)


def test_a_regression_has_it_too():
    z = np.arange(344.0)
    first, second = (bough.CARTRegressor().fit(X, z + change).provenance_.table for change in (0.0, 1e-9))
    assert first != second


def test_a_file_keeps_it_and_can_leave_it_out(tmp_path):
    model = bough.CARTClassifier(random_state=0).fit(X, Y)
    model.save(tmp_path / "m")
    assert bough.load(tmp_path / "m").provenance_ == model.provenance_
    assert bough.load(tmp_path / "m").pruned(n_leaves=2).provenance_ == model.provenance_
    model.save(tmp_path / "plain", provenance=False)
    plain = bough.load(tmp_path / "plain")
    assert plain.provenance_ is None
    assert plain.tree_ == model.tree_
    assert provenance_of(plain) is None
    assert provenance_of(model.tree_) is None


def test_models_that_differ_in_it_alone_are_equal(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    early = bough.CARTClassifier().fit(X, Y)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "100")
    late = bough.CARTClassifier().fit(X, Y)
    assert early.provenance_ != late.provenance_
    assert early.tree_ == late.tree_


def test_the_same_fit_gives_the_same_bytes(clock, tmp_path):
    for name in "ab":
        bough.CARTClassifier(random_state=0).fit(X, Y).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_saving_a_model_twice_gives_the_same_bytes_at_any_time(tmp_path, monkeypatch):
    model = bough.CARTClassifier().fit(X, Y)
    model.save(tmp_path / "a")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    bough.load(tmp_path / "a").save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("given", ["", "soon", "1e9", "99999999999999999999"])
def test_a_clock_that_is_none_is_refused(given, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    with pytest.raises(ParameterError, match="SOURCE_DATE_EPOCH must hold whole seconds since 1970"):
        fit_time()


def test_an_origin_says_its_options_as_they_are_typed():
    origin = Origin("t.csv", "csv", None, ";", False, ",", "latin1", ("-9", "not known"), ("a",), (), ("it's",), ("b",))
    expected = (
        "--separator ';' --no-header --decimal , --encoding latin1 --missing -9 --missing 'not known' --numeric a "
        "--nominal 'it'\\''s' --drop b"
    )
    assert origin.options == expected
    assert Origin.from_json(origin.to_json(), "$") == origin


WHOLE = Provenance("a" * 32, 5, 4, 2, "y", "2026-11-16T08:30:00Z", "0.1.0", None, Origin("t.csv", "csv")).to_json()


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("table", "A" * 32, "$.provenance.table"),
        ("table", "a" * 31, "$.provenance.table"),
        ("rows", 0, "$.provenance.rows"),
        ("rows", 5.0, "$.provenance.rows"),
        ("used", 6, "$.provenance.used"),
        ("columns", True, "$.provenance.columns"),
        ("target", None, "$.provenance.target"),
        ("time", "yesterday", "$.provenance.time"),
        ("time", "2026-13-16T08:30:00Z", "$.provenance.time"),
        ("library", 1, "$.provenance.library"),
        ("seed", 0.5, "$.provenance.seed"),
        ("origin", [], "$.provenance.origin"),
        ("origin", {**WHOLE["origin"], "missing": "NA"}, "$.provenance.origin.missing"),
        ("origin", {**WHOLE["origin"], "header": 1}, "$.provenance.origin.header"),
        ("origin", {**WHOLE["origin"], "name": None}, "$.provenance.origin.name"),
        ("origin", {**WHOLE["origin"], "drop": [1]}, "$.provenance.origin.drop"),
        ("more", 1, "$.provenance"),
    ],
)
def test_a_file_with_another_content_is_refused_at_its_place(key, value, place, tmp_path):
    bough.CARTClassifier().fit(X, Y).save(tmp_path / "m")
    content = json.loads((tmp_path / "m").read_text())
    content["provenance"] = {**WHOLE, key: value}
    (tmp_path / "m").write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(ModelFormatError) as caught:
        bough.load(tmp_path / "m")
    assert caught.value.place == place


def test_an_older_file_may_not_have_it(tmp_path):
    bough.CARTClassifier().fit(X, Y).save(tmp_path / "m")
    text = (tmp_path / "m").read_text()
    (tmp_path / "m").write_text(re.sub(r'"version":\[1,\d+\]', '"version":[1,1]', text))
    with pytest.raises(ModelFormatError, match="provenance"):
        bough.load(tmp_path / "m")
    (tmp_path / "m").write_text(text.replace('"provenance":{', '"provenence":{'))
    with pytest.raises(ModelFormatError, match="'provenance' is missing"):
        bough.load(tmp_path / "m")


def test_a_frame_that_was_read_anew_has_the_same_digest(tmp_path):
    pd.concat([X, Y], axis=1).to_csv(tmp_path / "t.csv", index=False)
    again = pd.read_csv(tmp_path / "t.csv")
    digests = {bough.CARTClassifier().fit(frame.drop(columns="species", errors="ignore"), Y).provenance_.table
               for frame in (X, again)}  # fmt: skip
    assert len(digests) == 1
