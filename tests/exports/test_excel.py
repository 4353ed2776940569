"""Excel: what a sheet cannot hold or tell apart is refused, times are its own, and large trees are judged soon."""

import io
import time

import numpy as np
import openpyxl
import pytest

import bough
from bough.errors import ExportError
from bough.recipe import Surrogates

SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}


def fit(values, y, **more):
    return bough.CARTClassifier(**SMALL, missing="stop", **more).fit({"x": values}, y)


@pytest.mark.parametrize("levels", [16_400, 20_000])
def test_more_levels_than_columns_are_refused(levels):
    values = np.array([f"l{k}" for k in range(levels)] * 3)
    y = np.zeros(3 * levels, dtype=int)
    y[[0, levels, 2 * levels]] = 1
    with pytest.raises(ExportError, match=r"sheet 'Tests' would have .* columns.*Export to \"sql\""):
        bough.export(fit(values, y), "excel")


def test_more_classes_than_columns_are_refused(monkeypatch):
    monkeypatch.setattr("bough.exports.excel._COLUMNS", 10)
    with pytest.raises(ExportError, match="sheet 'Rules' would have"):
        bough.export(fit(np.arange(8.0), np.arange(8)), "excel")


def test_numbers_that_agree_in_fifteen_digits_are_refused():
    near = [0.3, 0.30000000000000004, 0.5, 0.7]
    with pytest.raises(ExportError, match=r"0\.3 and 0\.30000000000000004, and Excel compares 15 digits"):
        bough.export(fit(near * 2, [0, 1, 0, 1] * 2, categorical_features=["x"]), "excel")
    neighbours = [0.1]
    for _ in range(5):
        neighbours.append(float(np.nextafter(neighbours[-1], 1)))
    with pytest.raises(ExportError, match="compares 15 digits"):
        bough.export(fit(neighbours, [0, 1] * 3), "excel")
    assert "15 digits" in str(bough.export(fit([1.0, 2.0], [0, 1]), "excel").report)


DAYS = np.array(["2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"], dtype="M8[D]")


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (DAYS, "yyyy-mm-dd"),
        (DAYS.astype("M8[s]") + np.arange(4), "yyyy-mm-dd hh:mm:ss.000"),
        (np.array([1, 2, 3, 4]).astype("M8[ms]"), "yyyy-mm-dd hh:mm:ss.000"),
        (np.array([-1, 0, 1, 2]).astype("m8[s]"), "[h]:mm:ss.000"),
    ],
)
def test_times_are_entered_as_excel_has_them(values, shown):
    done = bough.export(fit(values, [0, 0, 1, 1]), "excel")
    assert done.report.cases >= 3
    sheet = openpyxl.load_workbook(io.BytesIO(done.content))["Case"]
    assert sheet["B5"].number_format == shown
    assert "of Excel; it counts" in sheet["D5"].value


@pytest.mark.parametrize("values", [DAYS.astype("M8[us]"), DAYS - np.timedelta64(365 * 200, "D")])
def test_times_that_excel_does_not_have_are_refused(values):
    with pytest.raises(ExportError, match=r"milliseconds before training|March 1900 to 9999"):
        bough.export(fit(values, [0, 0, 1, 1]), "excel")


def test_a_text_in_place_of_a_date_has_no_answer():
    from bough.exports.excel_reader import Workbook

    book = Workbook(bough.export(fit(DAYS, [0, 0, 1, 1]), "excel").content)
    book.compute({5: [43890, 43891.75, "1899-12-31", None]})
    assert list(book.at("Case", 7, 2)) == [0, 1, "no answer", 0]


def test_a_large_tree_is_judged_soon():
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=2000), "b": rng.normal(size=2000)}
    model = bough.CARTClassifier(**SMALL, missing=Surrogates(max_surrogates=0)).fit(table, rng.integers(0, 3, 2000))
    begin = time.process_time()
    assert bough.export(model, "excel").report.cases > 500
    assert time.process_time() - begin < 15  # it was a minute when each case was computed alone
