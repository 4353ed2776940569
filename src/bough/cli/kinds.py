"""Types of columns that come as text: guessed from all their cells, said aloud, changed on request."""

import warnings
from collections.abc import Sequence
from typing import Any

from bough.errors import DataError, DataWarning

__all__ = [
    "clean_text",
    "counts_rows",
    "first_no_date",
    "guess_column",
    "marked_numbers",
    "to_dates",
    "to_numbers",
    "warn_of_strays",
]

_FEW = 0.1  # of the known cells
_TIMES = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S%.f", "%Y/%m/%d")
_DATE = r"^\d{4}[-/]\d{1,2}[-/]\d{1,2}"
_COMMA = r"^([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)$"
_MARKED = {
    "thousands separators": r"^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$",
    "decimal commas": r"^[+-]?\d*(,\d+)?([eE][+-]?\d+)?$",
    "percent signs": r"^[+-]?\d*[.,]?\d+\s*%$",
    "currency signs": r"^[+-]?([$€£¥]\s*[+-]?\d[\d.,]*|\d[\d.,]*\s*[$€£¥])$",
}


def clean_text(name: str, missing: Sequence[str], decimal: str | None = None) -> Any:
    """An expression: the cells of a column of text without blanks around them, null where they say nothing.

    If the decimal mark is a comma, numbers that have one get a point instead.
    """
    import polars as pl

    text = pl.col(name).str.strip_chars()
    if decimal == ",":
        text = text.str.replace(_COMMA, "${1}.${2}")
    return pl.when(text.is_in(list(missing))).then(None).otherwise(text).alias(name)


def guess_column(cells: Any) -> Any:
    """A cleaned column of text as whole numbers, numbers, truth values, dates or, if nothing fits, text.

    Digits with a leading zero, such as postal codes, are labels.
    """
    import polars as pl

    known = len(cells) - cells.null_count()
    if known == 0:
        return cells
    if not cells.str.contains(r"^[+-]?0\d").any():
        for kind in (pl.Int64, pl.Float64):
            numbers = cells.cast(kind, strict=False)
            if len(numbers) - numbers.null_count() == known:
                return numbers
    low = cells.str.to_lowercase()
    if low.is_in(["true", "false"]).sum() == known:
        return low == "true"
    first = cells.drop_nulls()[0]
    if pl.Series([first]).str.contains(_DATE)[0]:
        return _dates(cells, known)
    return cells


def _dates(cells: Any, known: int) -> Any:
    import polars as pl

    for form in _TIMES:
        kind = pl.Date if "%H" not in form else pl.Datetime
        found = cells.str.strptime(kind, form, strict=False)
        if len(found) - found.null_count() == known:
            return found
    return cells


def first_no_date(cells: Any) -> int:
    """The first cell of a column of text that no form of dates reads; if each is read by some, the first in another."""
    import polars as pl

    read = [cells.str.strptime(pl.Datetime if "%H" in form else pl.Date, form, strict=False) for form in _TIMES]
    by_none = pl.Series([True]).new_from_index(0, len(cells)) & cells.is_not_null()
    for found in read:
        by_none = by_none & found.is_null()
    first = int(cells.is_not_null().arg_true()[0])
    form = next((found for found in read if found[first] is not None), None)
    others = by_none if by_none.any() or form is None else form.is_null() & cells.is_not_null()
    return int(others.arg_true()[0])


def to_numbers(cells: Any, name: str) -> Any:
    """A column as numbers because the user says so; what is none becomes missing, with a warning."""
    import polars as pl

    if cells.dtype.is_numeric():
        return cells
    numbers = cells.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
    odd = (numbers.is_null() & cells.is_not_null()).arg_true()
    if len(odd):
        warnings.warn(
            f"--numeric {name}: {len(odd):,} cells are no numbers, the first {str(cells[int(odd[0])])!r:.60}; they "
            "count as missing.",
            DataWarning,
            stacklevel=2,
        )
    return numbers


def marked_numbers(cells: Any) -> str | None:
    """What is written with the numbers in a column of text, such as percent signs; None if it holds other text."""
    import polars as pl

    if cells.dtype != pl.String or cells.null_count() == len(cells):
        return None
    for part in (cells.drop_nulls().head(100), cells):  # most text is told from numbers by few cells
        found = [marks for marks, form in _MARKED.items() if part.str.contains(form).all()]
        # a zero before other digits makes labels of plain numbers
        if not found or not part.str.contains(r"[^\d+-]").any():
            return None
    return found[0]


def counts_rows(cells: Any) -> bool:
    """Whether a column counts the rows from 0 or 1, as programs write that keep no other key."""
    import polars as pl

    return cells.dtype == pl.Int64 and cells.first() in (0, 1) and bool((cells.diff().drop_nulls() == 1).all())


def to_dates(cells: Any, name: str) -> Any:
    """A column as dates because the user says so."""
    import polars as pl

    if cells.dtype.is_temporal():
        return cells
    text = cells.cast(pl.String)
    found = _dates(text, len(text) - text.null_count())
    if found.dtype == pl.String:
        raise DataError(f"--date {name}: its cells are not all dates such as 2026-11-16 or 2026-11-16 08:30:00.")
    return found


def warn_of_strays(frame: Any, names: Sequence[str]) -> None:
    """Warn of columns of numbers that a few other cells have turned into labels, with the first one and its line."""
    import polars as pl

    for name in names:
        column = frame[name]
        if column.dtype != pl.String:
            continue
        known = column.is_not_null()
        odd = (known & column.cast(pl.Float64, strict=False).is_null()).arg_true()
        if not 0 < len(odd) <= _FEW * int(known.sum()):
            continue
        first = int(odd[0])
        also = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        warnings.warn(
            f"column {name!r} holds numbers but for {column[first]!r:.60} in line {first + 2}{also}, so all its values "
            f"are read as labels. Correct these cells, or add --numeric {name!r:.60} to take them as missing.",
            DataWarning,
            stacklevel=2,
        )
