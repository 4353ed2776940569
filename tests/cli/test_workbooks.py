"""Excel workbooks as tables: cells as what they are, one sheet of several, and one line on what no table can hold."""

import datetime as dt
import sys
import zipfile

import openpyxl
import polars as pl
import pytest

from bough.cli.options import ReadOptions
from bough.cli.read import read_table
from bough.cli.say import Notes
from bough.errors import DataWarning

HEAD = ["age", "size", "ok", "when", "zip", "y"]


def rows(n=40):
    start = dt.datetime(2026, 1, 1)
    for i in range(n):
        size = [None, "S", "M", "L"][i % 4]
        yield [i + 0.5, size, i % 3 == 0, start + dt.timedelta(days=i), f"0{i % 4}123", "yes" if i > 19 else "no"]


@pytest.fixture
def book(tmp_path):
    """A workbook of two sheets, its second the table."""
    made = openpyxl.Workbook()
    made.active.title = "Notes"
    made.active.append(["remark"])
    made.active.append(["none"])
    sheet = made.create_sheet("Data")
    sheet.append(HEAD)
    for row in rows():
        sheet.append(row)

    def save(name="t.xlsx"):
        made.save(tmp_path / name)
        return tmp_path / name

    save.sheet, save.book = sheet, made
    return save


def read(path, **how):
    return read_table(str(path), ReadOptions(sheet="Data", **how), Notes(quiet=True))


def test_cells_are_what_they_are(book):
    frame = read(book())
    assert frame.schema == {
        "age": pl.Float64, "size": pl.String, "ok": pl.Boolean, "when": pl.Date, "zip": pl.String, "y": pl.String
    }  # fmt: skip
    expected = list(rows())
    assert frame["age"].to_list() == [row[0] for row in expected]
    assert frame["size"].to_list() == [row[1] for row in expected]
    assert frame["when"].to_list() == [row[3].date() for row in expected]
    assert frame["zip"][1] == "01123"


def test_moments_keep_their_time_of_day(book):
    book.sheet["D2"] = dt.datetime(2026, 5, 1, 8, 30)
    frame = read(book())
    assert frame["when"].dtype == pl.Datetime
    assert frame["when"][0] == dt.datetime(2026, 5, 1, 8, 30)
    assert frame["when"][1] == dt.datetime(2026, 1, 2)


def test_a_sheet_and_the_csv_of_it_give_the_same_tree(bough, book):
    book()
    read(book()).write_csv("t.csv")
    assert bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y", "-o", "a.json")[0] == 0
    assert bough("fit", "t.csv", "-t", "y", "-o", "b.json")[0] == 0
    digests = [bough("show", name, "--provenance")[1].split("digest ")[1].split()[0] for name in ("a.json", "b.json")]
    assert digests[0] == digests[1]
    same = bough("predict", "a.json", "t.csv")[1]
    assert bough("predict", "a.json", "t.xlsx")[1] == same
    assert bough("predict", "b.json", "t.xlsx", "--sheet", "2")[1] == same


@pytest.mark.parametrize("sheet", ["Data", "2"])
def test_a_sheet_is_chosen_by_name_or_number(bough, book, sheet):
    book()
    status, _, said = bough("fit", "t.xlsx", "--sheet", sheet, "-t", "y")
    assert status == 0
    assert "t.xlsx: 40 rows, 6 columns, sheet 'Data' of 2, with a header; 10 cells missing" in said


def test_a_name_wins_over_a_number(bough, book):
    book.sheet.title = "1"
    book()
    assert bough("fit", "t.xlsx", "--sheet", "1", "-t", "y")[0] == 0


def test_empty_rows_and_columns_around_a_table_are_no_part_of_it(book):
    sheet = book.sheet
    sheet.insert_rows(1, 2)
    sheet.insert_cols(1)
    sheet.cell(80, 3).number_format = "0.00"
    sheet.cell(4, 20).number_format = "0.00"
    sheet.cell(90, 2).value = "  "
    frame = read(book())
    assert frame.columns == HEAD
    assert frame.height == 40


def test_empty_rows_inside_a_table_are_no_rows(book):
    book.sheet.insert_rows(10, 3)
    assert read(book()).height == 40


def test_errors_of_formulas_are_missing_and_said(bough, book):
    for place, error in (("A3", "#N/A"), ("A4", "#DIV/0!"), ("B5", "#REF!")):
        book.sheet[place] = error
        book.sheet[place].data_type = "e"
    book()
    status, _, said = bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y")
    assert status == 0
    assert "t.xlsx, sheet 'Data': 2 cells hold errors, the first #DIV/0! in A4; errors count as missing." in said
    with pytest.warns(DataWarning, match="2 cells hold errors"):
        frame = read(book())
    assert frame["age"].is_null().arg_true().to_list() == [1, 2]
    assert set(frame["size"].drop_nulls()) == {"S", "M", "L"}


def test_texts_of_missing_cells_are_said_as_for_csv(book):
    book.sheet["A3"] = "not known"
    book.sheet["A4"] = "NA"
    frame = read(book(), missing=("not known", "NA"))
    assert frame["age"].dtype == pl.Float64
    assert frame["age"].null_count() == 2


def test_a_workbook_comes_through_a_pipe(bough, book, monkeypatch):
    path = book()
    bough("fit", path, "--sheet", "Data", "-t", "y")
    with path.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", type("Pipe", (), {"buffer": file})())
        status, out, _ = bough("predict", "model.json", "-")
    assert status == 0
    assert len(out.splitlines()) == 41


def test_rows_are_explained_from_a_workbook(bough, book):
    book()
    bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y")
    assert "The answer is yes" in bough("explain", "model.json", "t.xlsx", "--row", 30)[1]


def test_a_sheet_without_a_header_has_numbered_columns(bough, book):
    book.sheet.delete_rows(1)
    book()
    status, out, _ = bough("fit", "t.xlsx", "--sheet", "Data", "--no-header", "-t", "column_6")
    assert status == 0
    assert "column_1 <= 20" in out


# Wrong uses


def failed(found):
    status, out, said = found
    assert status == 2
    assert out == ""
    assert len(said.splitlines()) == 1
    return said


def test_a_sheet_that_is_not_there(bough, book):
    book()
    said = failed(bough("fit", "t.xlsx", "--sheet", "Dta", "-t", "y"))
    assert said == "bough: t.xlsx has no sheet 'Dta'; its sheets are 1: Notes, 2: Data.\n"
    assert "no sheet '3'" in failed(bough("fit", "t.xlsx", "--sheet", "3", "-t", "y"))


def test_merged_cells(bough, book):
    book.sheet.merge_cells("B3:B5")
    book()
    said = failed(bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y"))
    assert "t.xlsx, sheet 'Data': the cells B3:B5 are merged" in said


def test_merged_cells_far_from_the_table_do_not_matter(bough, book):
    book.sheet.merge_cells("X100:Z100")
    book()
    assert bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y")[0] == 0


def test_a_formula_that_was_never_computed(bough, book):
    book.sheet["A7"] = "=A6+1"
    book()
    said = failed(bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y"))
    assert "t.xlsx, sheet 'Data': A7 holds a formula without a stored value. Open the workbook" in said


def test_a_formula_with_a_stored_value_is_that_value(book):
    book.sheet["A7"] = 77
    path = book()
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    part = "xl/worksheets/sheet2.xml"
    parts[part] = parts[part].replace(b"<v>77</v>", b"<f>70+7</f><v>77</v>")
    assert b"<f>" in parts[part]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    assert read(path)["age"][5] == 77


def test_an_empty_sheet(bough, book):
    book.book.create_sheet("Blank")
    book()
    assert "t.xlsx, sheet 'Blank' is empty" in failed(bough("fit", "t.xlsx", "--sheet", "Blank", "-t", "y"))


@pytest.mark.parametrize("option", [("--separator", ";"), ("--encoding", "latin1")])
def test_options_of_text_files_are_refused(bough, book, option):
    book()
    said = failed(bough("fit", "t.xlsx", "--sheet", "Data", "-t", "y", *option))
    assert f"{option[0]} is for tables of text, and t.xlsx is an Excel workbook: leave it out." in said


def test_a_sheet_of_what_is_no_workbook(bough, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n")
    said = failed(bough("fit", "t.csv", "-t", "y", "--sheet", "1"))
    assert "--sheet is for Excel workbooks, and t.csv is a table of text: leave it out." in said


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("readme.txt", "is a ZIP archive (unpack it), not a table"),
        ("xl/workbook.bin", "is a binary Excel workbook (save it as .xlsx)"),
        ("mimetype", "is an OpenDocument file"),
    ],
)
def test_other_archives(bough, tmp_path, part, words):
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as archive:
        archive.writestr(part, "x")
    assert words in failed(bough("fit", "t.xlsx", "-t", "y"))


def test_a_workbook_that_was_cut(bough, book, tmp_path):
    data = book().read_bytes()
    (tmp_path / "t.xlsx").write_bytes(data[: len(data) // 2])
    assert "t.xlsx cannot be read as a workbook" in failed(bough("fit", "t.xlsx", "-t", "y"))


def test_without_openpyxl_one_line_says_what_to_install(bough, book, monkeypatch):
    book()
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    said = failed(bough("fit", "t.xlsx", "-t", "y"))
    assert said == 'bough: a table in Excel needs the package openpyxl: pip install "bough[export]"\n'
