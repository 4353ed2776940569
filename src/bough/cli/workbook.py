"""Sheets of Excel workbooks (.xlsx), as the text that a spreadsheet would save as CSV.

So all that is known of tables of text holds of them too. Numbers, dates and truth values come back as what they are,
because every column of such text is typed by its cells.

What a workbook can hold and a table cannot is refused by the name of the cell: merged cells, and formulas that no
program has computed yet. Of the errors of formulas #N/A is a missing value; others are too, with a warning.
"""

import csv
import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from bough.errors import DataError, DataWarning, ParameterError

__all__ = ["TABLES", "ZIP", "empty", "sheet_text"]

TABLES = "a CSV, Excel, Parquet, Arrow or JSON-lines file"  # what to give instead

ZIP = b"PK\x03\x04"  # how a workbook begins, as every other ZIP archive
_OTHERS = {
    "xl/workbook.bin": "a binary Excel workbook (save it as .xlsx)",
    "mimetype": "an OpenDocument file (save the sheet as .xlsx or CSV)",
    "word/document.xml": "a Word document",
}
_DAY = timedelta(days=1)


def empty(name: str) -> DataError:
    """What to raise where a table has nothing in it."""
    return DataError(f"{name} is empty: expected a table with a header line and rows.")


def sheet_text(path: Path, name: str, sheet: str | None) -> tuple[bytes, str, int]:
    """A sheet as CSV in UTF-8, its name, and how many sheets there are.

    Parameters
    ----------
    path : Path
    name : str
        As the user calls the file.
    sheet : str or None
        The name of a sheet, or its number from 1; None: the first.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_others(archive.namelist(), name)
        with path.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of openpyxl, on drawings and styles that it does not keep
            book = _openpyxl().load_workbook(file, read_only=True, data_only=True)
            chosen = _chosen([one.title for one in book.worksheets], name, sheet)
            where = f"{name}, sheet {chosen!r:.60}"
            cells, odd = _read(book[chosen], where)
            count = len(book.worksheets)
            book.close()
        with zipfile.ZipFile(path) as archive:
            _refuse_odd_cells(archive, chosen, where, cells)
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        if isinstance(error, DataError | ParameterError):
            raise
        raise DataError(f"{name} cannot be read as a workbook: {str(error)[:200] or type(error).__name__}.") from error
    if odd:
        held = "1 cell holds an error" if len(odd) == 1 else f"{len(odd):,} cells hold errors"
        warnings.warn(f"{where}: {held}, the first {odd[0]}; errors count as missing.", DataWarning, stacklevel=2)
    return _as_csv(cells), chosen, count


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise ImportError('a table in Excel needs the package openpyxl: pip install "bough[export]"') from None
    return openpyxl


def _refuse_others(parts: list[str], name: str) -> None:
    if "xl/workbook.xml" in parts:
        return
    what = next((words for part, words in _OTHERS.items() if part in parts), "a ZIP archive (unpack it)")
    raise DataError(f"{name} is {what}, not a table; give {TABLES}.")


def _chosen(titles: list[str], name: str, sheet: str | None) -> str:
    """The title of the sheet that is meant; a title wins over a number."""
    if not titles:
        raise DataError(f"{name} has no sheet of cells.")
    if sheet is None or sheet in titles:
        return titles[0] if sheet is None else sheet
    if sheet.isdigit() and 1 <= int(sheet) <= len(titles):
        return titles[int(sheet) - 1]
    shown = ", ".join(f"{place}: {title:.40}" for place, title in enumerate(titles[:10], start=1))
    more = f" and {len(titles) - 10} more" if len(titles) > 10 else ""
    raise ParameterError(f"{name} has no sheet {sheet!r:.60}; its sheets are {shown}{more}.")


def _read(sheet: Any, where: str) -> tuple[list[list[Any]], list[str]]:
    """The cells from A1 on, without empty rows and columns at the end; and the errors, which are missing cells."""
    sheet.reset_dimensions()  # some programs write none, or wrong ones
    rows: list[list[Any]] = []
    odd: list[str] = []
    for row in sheet.iter_rows():
        values = []
        for cell in row:
            value = cell.value
            if value is not None and cell.data_type == "e":
                odd += [f"{value} in {cell.coordinate}"] if not str(value).startswith("#N/A") else []
                value = None
            values.append(None if isinstance(value, str) and not value.strip() else value)
        while values and values[-1] is None:
            values.pop()
        rows.append(values)
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise empty(where)
    width = max(map(len, rows))
    return [row + [None] * (width - len(row)) for row in rows], odd


def _refuse_odd_cells(archive: zipfile.ZipFile, sheet: str, where: str, cells: list[list[Any]]) -> None:
    """Refuse formulas without a value and merged cells: openpyxl shows neither when it reads a sheet row by row."""
    from openpyxl.utils.cell import range_boundaries

    for kind, place in _marks(archive, sheet):
        if kind == "formula":
            raise DataError(
                f"{where}: {place} holds a formula without a stored value. Open the workbook in Excel or LibreOffice, "
                "which compute it, save it, and try again."
            )
        left, top, _, _ = range_boundaries(place)
        if top <= len(cells) and left <= len(cells[0]):
            raise DataError(
                f"{where}: the cells {place} are merged, and only the first of them holds a value. Unmerge them, or "
                "remove them if they are a title beside the table."
            )


def _marks(archive: zipfile.ZipFile, sheet: str) -> Iterator[tuple[str, str]]:
    """("formula", cell) for each formula that was never computed, ("merged", range) for each merged range."""
    from openpyxl.xml.functions import iterparse

    with archive.open(_part(archive, sheet)) as file:
        for _, element in iterparse(file):
            tag = _local(element.tag)
            if tag == "mergeCell":
                yield "merged", element.get("ref")
            elif tag == "c":
                inside = {_local(child.tag): child for child in element}
                value = inside.get("v")
                if "f" in inside and (value is None or not value.text) and element.get("t") != "str":
                    yield "formula", element.get("r")
            elif tag == "row":
                element.clear()  # so that a large sheet is never held as a whole


def _part(archive: zipfile.ZipFile, sheet: str) -> str:
    """The name of the part that holds a sheet."""
    from openpyxl.xml.functions import fromstring

    book = fromstring(archive.read("xl/workbook.xml"))
    links = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target_of = {link.get("Id"): link.get("Target") for link in links}
    for element in book.iter():
        if _local(element.tag) == "sheet" and element.get("name") == sheet:
            key = next(value for name, value in element.attrib.items() if _local(name) == "id" and "}" in name)
            target = str(target_of[key])
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    raise KeyError(f"no part for the sheet {sheet!r:.60}")


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _as_csv(cells: list[list[Any]]) -> bytes:
    first = next((place for place in range(len(cells[0])) if any(row[place] is not None for row in cells)), 0)
    days = [_holds_days([row[place] for row in cells]) for place in range(len(cells[0]))]
    held = io.StringIO(newline="")
    write = csv.writer(held, lineterminator="\n").writerow
    for row in cells:
        texts = [_text(value, day) for value, day in zip(row[first:], days[first:], strict=True)]
        # An empty line keeps the numbers of the lines below, and is no row of a table of several columns.
        held.write("\n") if not any(texts) else write(texts)
    return held.getvalue().encode()


def _holds_days(values: list[Any]) -> bool:
    """Whether all moments of a column are midnight, so that it holds dates."""
    return all(value.time() == time() for value in values if isinstance(value, datetime))


def _text(value: Any, day: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if day else value.isoformat()
    if isinstance(value, timedelta):
        return repr(value / _DAY)  # a duration is a number of days, as the workbook holds it
    if isinstance(value, date | time):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
