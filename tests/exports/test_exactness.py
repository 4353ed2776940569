"""No value changes sides: thresholds and their neighbours, whole numbers beyond 2**53, floats of 32 bits, times."""

import math
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pytest

import bough

TEXTS = ["python", "json", "javascript", "c", ("sql", "sqlite"), ("sql", "duckdb"), ("sql", "postgresql")]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None, "missing": "stop"}


def exported(model, target, **more):
    if isinstance(target, tuple):
        return bough.export(model, target[0], dialect=target[1], **more)
    return bough.export(model, target, **more)


def fit(values, y=None):
    y = np.arange(len(values)) % 2 if y is None else y
    return bough.CARTClassifier(**SMALL).fit({"x": values}, y)


@pytest.fixture(autouse=True, params=["engines", "interpreters"])
def machine(request):
    """All of this with the engines that are here, and as on a machine without any."""
    if request.param == "interpreters":
        of = getattr(request.node, "callspec", None)
        large = request.node.originalname == "test_whole_numbers_without_sign" or (
            of and of.params.get("large") == 2**63
        )
        if large and isinstance(of.params["target"], tuple):
            pytest.skip("SQLite, which stands in for the others, has no whole numbers of 64 bits without a sign")
        request.getfixturevalue("without_engines")


each_text = pytest.mark.parametrize("target", TEXTS, ids=str)


@each_text
def test_awkward_doubles(target):
    values = [
        0.1,
        0.2,
        0.30000000000000004,
        1 / 3,
        1e-310,
        5e-324,
        1e300,
        1.7976931348623157e308,
        -2.5,
        123456789.123456789,
    ]
    report = exported(fit(np.sort(values)), target).report
    assert report.largest <= 1e-12


@each_text
def test_neighbouring_doubles_are_told_apart(target):
    x = 0.1
    values = [x]
    for _ in range(9):
        x = np.nextafter(x, 1)
        values.append(float(x))
    assert exported(fit(values), target).report.cases > 10


@each_text
def test_whole_numbers_beyond_doubles(target):
    values = np.array([2**53 + k for k in range(6)] + [2**62 + k for k in range(4)], dtype=np.int64)
    assert exported(fit(values), target).report.cases > 10
    assert exported(fit(-values[::-1].copy()), target).report.cases > 10


@pytest.mark.parametrize("target", [t for t in TEXTS if t != ("sql", "sqlite")], ids=str)
def test_whole_numbers_without_sign(target):
    values = np.array([2**64 - 1 - k for k in range(6)][::-1], dtype=np.uint64)
    assert exported(fit(values), target).report.cases > 5


def test_sqlite_refuses_what_it_cannot_hold():
    values = np.array([2**64 - 1 - k for k in range(6)][::-1], dtype=np.uint64)
    with pytest.raises(bough.errors.ExportError, match=r"SQLite has no whole numbers.*duckdb"):
        bough.export(fit(values), "sql", dialect="sqlite")


@each_text
def test_floats_of_32_bits(target):
    values = np.array([0.1, 0.2, 0.3, 0.1 + 1e-7, 16777216, 16777218], dtype=np.float32)
    assert exported(fit(np.sort(values)), target).report.cases > 10


DAYS = [date(2020, 2, 28) + timedelta(days=k) for k in range(8)]
TIMES = {
    "dates": DAYS,
    "old dates": [date(1850, 1, 1) + timedelta(days=k * 3) for k in range(8)],
    "datetimes": [datetime(2020, 2, 28, 23, 59, 59) + timedelta(microseconds=k) for k in range(8)],
    "instants": [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC) + timedelta(milliseconds=k) for k in range(8)],
    "durations": [timedelta(microseconds=k - 4) for k in range(8)],
    "times of day": [time(12, 0, 0, k) for k in range(8)],
    "seconds": np.array(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"], dtype="M8[s]"),
}


@each_text
@pytest.mark.parametrize("name", TIMES)
def test_times(target, name):
    assert exported(fit(TIMES[name]), target).report.cases > 5


@pytest.mark.parametrize("dialect", ["duckdb", "postgresql"])
def test_nanoseconds_are_refused_where_there_are_none(dialect):
    values = np.array(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"], dtype="M8[ns]")
    with pytest.raises(bough.errors.ExportError, match=r"nanoseconds.*microseconds before training"):
        bough.export(fit(values), "sql", dialect=dialect)
    assert bough.export(fit(values), "python").report.cases > 5


@each_text
def test_ordered_levels(target):
    model = bough.CARTClassifier(**SMALL)
    model.set_params(ordered_features={"size": ["S", "M", "L", "XL", "XXL"]})
    model.fit({"size": ["S", "M", "L", "XXL"] * 3, "n": list(range(12))}, [0, 1, 0, 1] * 3)
    assert exported(model, target).report.cases > 5


@each_text
@pytest.mark.parametrize("levels", [[True, False], [1, 2, 5], [0.5, 2.0, 1e16]], ids=str)
def test_levels_that_are_no_text(target, levels):
    values = levels * 6
    y = [values.index(v) % 2 for v in values]
    model = bough.CARTClassifier(**SMALL, categorical_features=["x"]).fit({"x": values}, y)
    assert exported(model, target).report.cases >= 3


def test_levels_of_several_types_go_to_python_and_json_only():
    values = np.array([1, "1", True, 2, "2", False] * 4, dtype=object)
    model = bough.CARTClassifier(**SMALL).fit({"x": values}, [0, 1, 0, 1, 0, 1] * 4)
    assert bough.export(model, "python").report.cases > 5
    assert bough.export(model, "json").report.cases > 5
    for target in TEXTS[2:]:
        with pytest.raises(bough.errors.ExportError, match="several types"):
            exported(model, target)


@each_text
def test_labels_of_intervals_are_text(target):
    import pandas as pd

    cut = pd.cut(pd.Series(range(24)), 4)
    model = bough.CARTClassifier(**SMALL).fit(pd.DataFrame({"x": cut}), [0, 1] * 12)
    model = bough.CARTClassifier(**SMALL).fit(pd.DataFrame({"x": cut}), cut.cat.codes % 2)
    assert exported(model, target).report.cases >= 4


@each_text
@pytest.mark.parametrize("y", [[True, False], [3, 7], [2.0, 5.0], ["a'b", 'c"d\\']], ids=str)
def test_classes_of_any_type(target, y):
    model = fit(list(range(12)), np.array(y * 6))
    assert exported(model, target).report.cases > 5


FORMATS = ["pmml", "onnx", "excel"]


def fit_levels(levels):
    values = levels * 4
    return bough.CARTClassifier(**SMALL, categorical_features=["x"]).fit({"x": values}, [0, 1, 1] * 4)


@pytest.mark.parametrize("target", [*TEXTS, *FORMATS], ids=str)
def test_infinite_levels(target):
    model = fit_levels([math.inf, -math.inf, 2.5])
    if target in ("pmml", "excel"):
        with pytest.raises(bough.errors.ExportError, match=r'no infinite numbers.*Export to "python"'):
            exported(model, target)
    else:
        assert exported(model, target).report.cases >= 4


@pytest.mark.parametrize("target", [*TEXTS, *FORMATS], ids=str)
@pytest.mark.parametrize("large", [2**53, 2**63])
def test_levels_beyond_doubles(target, large):
    model = fit_levels([large + 1, large + 2, 3])
    whole = target in ("python", "json") or (isinstance(target, tuple) and (target[1] != "sqlite" or large == 2**53))
    if whole:
        assert exported(model, target).report.cases >= 4
    else:
        with pytest.raises(bough.errors.ExportError, match=rf"level.* {large // 10**6}.*Make it text"):
            exported(model, target)


@pytest.mark.parametrize("target", [*TEXTS, *FORMATS], ids=str)
@pytest.mark.parametrize("large", [2**53, 2**63])
def test_classes_beyond_doubles(target, large):
    model = fit([1.0, 2.0, 3.0, 4.0], np.array([large + 1, large + 1, large + 2, large + 2]))
    refused = {"javascript", "excel"} | ({"onnx", ("sql", "sqlite")} if large == 2**63 else set())
    if target in refused:
        with pytest.raises(bough.errors.ExportError, match=rf"class {large + 1}.*Make it text"):
            exported(model, target)
    else:
        assert exported(model, target).report.cases > 3
