"""What verification compares: refusals, small values and the user's own rows are asked of the model itself."""

import dataclasses
import importlib
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bough
from bough.errors import DataError, ExportError
from bough.model.program import interpret

REFUSING = ["json", "python", "javascript", "c", ("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql"), "excel"]

TRAINED = (
    {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 3, "l": list("ababab") * 3, "unread": list("aaaaab") * 3},
    [0, 0, 0, 1, 3, 1] * 3,
)


def exported(model, target, **more):
    name, options = (target[0], {"dialect": target[1]}) if isinstance(target, tuple) else (target, {})
    return bough.export(model, name, **options, **more)


def breaking(monkeypatch, name, change):
    """An exporter whose program is changed before it is written."""
    module = importlib.import_module(f"bough.exports.{name}")
    good = module.TARGET
    wrong = dataclasses.replace(good, write=lambda program, options: good.write(change(program), options))
    monkeypatch.setattr(module, "TARGET", wrong)


@pytest.fixture(scope="module")
def refusing():
    """ID3 on numbers in bins and levels; it refuses rows with missing, infinite or unseen values."""
    return bough.ID3Classifier(bins="equal_width", n_bins=3).fit(*TRAINED)


def test_a_program_that_refuses_too_much_is_found(monkeypatch, refusing):
    """Wherever the refusal stands: what is refused is the model's to say, not the program's."""
    true = interpret.parts_of

    def refuses_more(program, row):
        return None if row[0] is not None and row[0] > 5 and math.isfinite(row[0]) else true(program, row)

    monkeypatch.setattr(interpret, "parts_of", refuses_more)
    monkeypatch.setattr("bough.exports.verify.parts_of", refuses_more)
    with pytest.raises(ExportError, match="the export says that it has no answer"):
        bough.export(refusing, "json")


def test_a_program_that_refuses_too_little_is_found(monkeypatch, refusing):
    refusing = clone(refusing).set_params(unseen="error").fit(*TRAINED)
    for what in ("refuses_missing", "refuses_unseen"):
        with monkeypatch.context() as patched:
            breaking(patched, "python_code", lambda program, what=what: dataclasses.replace(program, **{what: False}))
            with pytest.raises(ExportError, match="the model says that it has no answer"):
                bough.export(refusing, "python")


@pytest.mark.parametrize("target", REFUSING, ids=str)
def test_infinity_is_refused_where_the_model_refuses_it(refusing, target):
    with pytest.raises(DataError, match="infinity"):
        refusing.predict({"x": [math.inf], "l": ["a"], "unread": ["a"]})
    done = exported(refusing, target)
    assert done.report.cases > 10
    if target == "python":
        names = {}
        exec(done.text, names)
        assert names["predict"]({"x": 1.0, "l": "a"}) == refusing.predict({"x": [1.0], "l": ["a"], "unread": ["a"]})[0]
        for x in (math.inf, -math.inf, None, math.nan):
            with pytest.raises(ValueError, match="missing or infinite"):
                names["predict"]({"x": x, "l": "a"})


@pytest.mark.parametrize("target", REFUSING, ids=str)
def test_infinity_is_refused_without_engines_too(refusing, target, without_engines):
    assert exported(refusing, target).report.cases > 10


def test_small_values_are_compared_by_their_size(monkeypatch):
    X = {"x": np.arange(40.0)}
    model = bough.CARTRegressor().fit(X, np.where(X["x"] > 20, 3e-12, 1e-12))
    assert bough.export(model, "json").report.largest == 0
    breaking(monkeypatch, "json_program", lambda p: dataclasses.replace(p, values=np.zeros_like(p.values)))
    with pytest.raises(ExportError, match="First difference"):
        bough.export(model, "json")


def test_the_model_is_asked_the_rows_that_were_given(monkeypatch, makers):
    """Not rows made of what the program read: a program that reads a column wrongly is found."""
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0] * 5, "b": list("uvwx") * 5})
    model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(X, [0, 0, 1, 1] * 5)
    asked = []
    true = type(model).predict
    monkeypatch.setattr(type(model), "predict", lambda self, table: asked.append(table) or true(self, table))
    bough.export(model, "json", verify=X)
    assert asked[0] is X


def test_labels_never_seen_are_given_as_they_are(monkeypatch):
    X = {"job": ["clerk", "smith"] * 10, "x": [1.0, 2.0, 3.0, 4.0] * 5}
    model = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, unseen="stop").fit(X, ["no", "yes"] * 10)
    table = {"job": ["clerk", "Clerk", "smith ", None, "poet"], "x": [1.0, 2.0, 3.0, 4.0, 5.0]}
    for target in (*REFUSING, "pmml", "onnx"):
        assert exported(model, target, verify=table).report.cases == 5
    module = importlib.import_module("bough.exports.python_code")
    good = module.TARGET

    def careless(program, options):
        return good.write(program, options).replace("row['job']", "(row['job'] and row['job'].strip().lower())")

    monkeypatch.setattr(module, "TARGET", dataclasses.replace(good, write=careless))
    with pytest.raises(ExportError, match="'job': never seen"):
        bough.export(model, "python", verify=table)


def test_a_table_may_hold_rows_that_the_model_refuses(refusing):
    table = pd.DataFrame({"x": [1.0, None, math.inf, 6.0], "l": ["a", "a", "b", "zzz"], "unread": list("aaab")})
    for target in REFUSING:
        report = exported(refusing, target, verify=table).report
        assert report.cases == (3 if target == "excel" else 4)
