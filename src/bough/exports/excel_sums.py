"""The sheet `Sums` of an exported workbook: a row for each term of a sum of columns, and one for the sum."""

import math
from collections.abc import Callable
from typing import Any

from bough.model.program.derived import Addend, Derived
from bough.model.program.program import Program

__all__ = ["COUNTS", "letters", "write_sum_sheet"]

COUNTS = 9  # the first column of the numbers that levels count
_TITLES = ("sum", "column", "weight", "if missing", "origin", "number", "adds", "known", "levels count")
_UNKNOWN = -16_384  # outweighs all terms that are known
_MOST = 32_767  # characters of a cell


def letters(column: int) -> str:
    """A column as Excel names it."""
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def write_sum_sheet(program: Program, book: Any, put: Callable[[Any, int, int, Any], None], first: int) -> list[int]:
    """Write the sheet, if there are sums; return the row of each, whose column F has it, empty where it is missing.

    Parameters
    ----------
    program : Program
    book : Workbook
    put : callable(sheet, row, column, value)
    first : int
        The row of the first field on the sheet `Case`.
    """
    rows: list[int] = []
    if not program.derived:
        return rows
    sheet = book.create_sheet("Sums")
    for column, title in enumerate(_TITLES, start=1):
        put(sheet, 1, column, title)
    row = 2
    for number, derived in enumerate(program.derived):
        begin = row
        for term in derived.terms:
            put(sheet, row, 1, number)
            put(sheet, row, 2, program.fields[term.field].name)
            for column, value in enumerate((term.weight, term.fill, term.origin), start=3):
                put(sheet, row, column, value)
            cells = [f"Case!$C${first + factor.field}" for factor in term.factors]
            if term.other is None:
                _write_term(sheet, row, derived, term, cells[0], put)
            else:
                _write_product(sheet, row, term, cells, put)
            row += 1
        put(sheet, row, 1, number)
        put(sheet, row, 2, derived.name[:_MOST])
        enough = len(derived.terms) if derived.whole else 1
        known, adds = f"SUM($H${begin}:$H${row - 1})", f"SUM($G${begin}:$G${row - 1})"
        sheet.cell(row, 6).value = f'=IF({known}<{enough},"",{adds})'
        rows.append(row)
        row += 1
    return rows


def _write_term(
    sheet: Any, row: int, derived: Derived, term: Addend, cell: str, put: Callable[[Any, int, int, Any], None]
) -> None:
    """What a term counts and adds, and whether it is known."""
    if term.values:
        table = [0.0 if math.isnan(number) else number for number in derived.table(term)]
        for k, number in enumerate(table):
            put(sheet, row, COUNTS + k, number)
        held = f"${letters(COUNTS)}${row}:${letters(COUNTS + len(table) - 1)}${row}"
        unseen = {"missing": 0, "unknown": _UNKNOWN, "other": 1}[derived.unseen]
        sheet.cell(row, 6).value = f"=INDEX({held},{cell}+3)"
        sheet.cell(row, 8).value = f"=IF({cell}=-1,0,IF({cell}=-2,{unseen},1))"
    else:
        sheet.cell(row, 6).value = f'=IF({cell}="",$D${row},{cell}-$E${row})'
        sheet.cell(row, 8).value = f'=IF({cell}="",0,1)'
    sheet.cell(row, 7).value = f"=$C${row}*$F${row}"


def _write_product(
    sheet: Any, row: int, term: Addend, cells: list[str], put: Callable[[Any, int, int, Any], None]
) -> None:
    """The same of a product; its centres and the origin of the other factor stand where levels have their counts."""
    assert term.other is not None  # noqa: S101
    for k, number in enumerate((term.centre, term.other.origin, term.other.centre)):
        put(sheet, row, COUNTS + k, number)
    centre, origin, other = (f"${letters(COUNTS + k)}${row}" for k in range(3))
    gone = f'OR({cells[0]}="",{cells[1]}="")'
    product = f"({cells[0]}-$E${row}-{centre})*({cells[1]}-{origin}-{other})"
    sheet.cell(row, 6).value = f"=IF({gone},$D${row},{product})"
    sheet.cell(row, 7).value = f"=$C${row}*$F${row}"
    sheet.cell(row, 8).value = f"=IF({gone},0,1)"
