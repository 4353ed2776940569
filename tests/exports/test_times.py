"""Times: each target says what it takes, and takes every form of them that its users have."""

import importlib
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import bough

SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None, "missing": "stop"}
DAYS = np.array(["2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"], dtype="M8[D]")


def fit(values):
    half = len(values) // 2
    return bough.CARTClassifier(**SMALL).fit(pd.DataFrame({"x": values}), [0] * half + [1] * (len(values) - half))


def module(model):
    names = {}
    exec(bough.export(model, "python").text, names)
    return names


NANO = pd.Series([pd.Timestamp("2020-01-01") + pd.Timedelta(k * 100, "ns") for k in range(8)]).astype("M8[ns]")
FORMS = {
    "nanoseconds": NANO,
    "instants": pd.Series(np.arange(8).astype("M8[us]")).dt.tz_localize("Europe/Berlin"),
    "durations": NANO - NANO[3],
    "days": pd.Series(DAYS.astype("M8[s]")),
    "before 1970": pd.Series(np.array([-5, -4, -3, -2, -1, 0], dtype="M8[us]")),
}


@pytest.mark.parametrize("name", FORMS)
def test_python_takes_times_of_pandas_and_numpy(name):
    values = FORMS[name]
    model = fit(values)
    predict, expected = module(model)["predict"], model.predict(pd.DataFrame({"x": values})).tolist()
    assert len(set(expected)) == 2
    assert [predict({"x": value}) for value in values] == expected
    assert [predict({"x": value}) for value in values.to_numpy()] == expected


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns", "25s"])
def test_python_takes_any_unit(unit):
    model = bough.CARTClassifier(**SMALL).fit({"x": DAYS}, [0, 0, 1, 1])
    predict = module(model)["predict"]
    assert [predict({"x": value}) for value in DAYS.astype(f"M8[{unit}]")] == [0, 0, 1, 1]
    expected = model.predict({"x": np.array(["NaT"], dtype="M8[D]")})[0]
    assert predict({"x": np.datetime64("NaT")}) == predict({"x": pd.NaT}) == predict({"x": None}) == expected


def test_python_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    model = bough.CARTClassifier(**SMALL).fit({"x": DAYS}, [0, 0, 1, 1])
    assert bough.export(model, "python").report.cases >= 3


def test_python_is_asked_every_form_of_a_time(monkeypatch):
    code = importlib.import_module("bough.exports.python_code")
    monkeypatch.setattr(code, "_TIME", code._TIME.replace('getattr(value, "nanosecond", 0)', "0"))
    with pytest.raises(bough.errors.ExportError, match="forms of one case"):
        bough.export(fit(NANO), "python")


def test_classes_that_are_scalars_of_numpy():
    classes = [np.str_("a"), np.str_("b")]
    model = bough.CARTClassifier(**SMALL).fit({"x": [1.0, 2.0] * 4}, np.array(classes * 4, dtype=object))
    names = module(model)
    assert names["predict"]({"x": 1.0}) == "a"
    assert [type(label) for label in names["CLASSES"]] == [str, str]


KINDS = {
    "days since 1970-01-01": DAYS,
    "seconds since 1970-01-01 00:00": DAYS.astype("M8[s]"),
    "microseconds since 1970-01-01 00:00": DAYS.astype("M8[us]"),
    "milliseconds": DAYS.astype("M8[ms]") - DAYS[0],
}


@pytest.mark.parametrize("target", ["c", "javascript", "pmml", "onnx", "json"])
@pytest.mark.parametrize("unit", KINDS)
def test_the_unit_of_a_count_is_told(target, unit):
    done = bough.export(bough.CARTClassifier(**SMALL).fit({"x": KINDS[unit]}, [0, 0, 1, 1]), target)
    assert f"'x' counts {unit}" in str(done.report)
    if target != "json":
        assert unit.encode() in done.content


def test_onnx_names_units_in_its_inputs():
    onnx = pytest.importorskip("onnx")
    done = bough.export(bough.CARTClassifier(**SMALL).fit({"x": DAYS}, [0, 0, 1, 1]), "onnx")
    assert onnx.load_from_string(done.content).graph.input[0].doc_string == "days since 1970-01-01"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_javascript_takes_dates_and_counts_but_no_texts(unit, tmp_path):
    values = DAYS.astype(f"M8[{unit}]")
    done = bough.export(bough.CARTClassifier(**SMALL).fit({"day": values}, [0, 0, 1, 1]), "javascript")
    done.save(tmp_path / "tree.js")
    asks = ", ".join(f'new Date("{day}T00:00:00Z")' for day in DAYS) + ", new Date(NaN), null"
    asks += ", " + ", ".join(f"{count}n" for count in values.astype(np.int64))
    script = f"""
const {{ predict }} = require("./tree.js");
console.log([{asks}].map((day) => predict({{ day }})).join(" "));
try {{ predict({{ day: "2020-03-01" }}); }} catch (error) {{ console.log(error.name, error.message); }}
"""
    told = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[0] == "0 0 1 1 0 0 0 0 1 1"
    assert told.splitlines()[1].startswith("TypeError column day takes a Date, or a number")
