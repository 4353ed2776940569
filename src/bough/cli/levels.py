"""New rows in the words of a model: cells of text as its levels, numbers and dates."""

from collections.abc import Iterable, Sequence
from typing import Any

from bough.cli.kinds import first_no_date, guess_column, marked_numbers
from bough.cli.options import ReadOptions
from bough.cli.stream import open_batches
from bough.errors import ColumnTypeError

__all__ = ["as_levels", "as_numbers", "fit_to_schema", "read_rows"]


def read_rows(table: str, read: ReadOptions, schema: Iterable[Any]) -> Any:
    """All rows of a table as the columns of a model, or of several, know them."""
    import polars as pl

    known = list(schema)
    batches = open_batches(table, read, [column.name for column in known])
    return pl.concat(
        pl.DataFrame(fit_to_schema(batch, known, text=batches.text, before=batches.before)) for batch in batches
    )


def fit_to_schema(frame: Any, schema: Any, *, text: bool, before: int) -> Any:
    """Columns of a frame as the model knows them; there are so many rows of the table before it.

    Rows may look like another type than those of the training: what a cell says goes by the levels of the model.
    """
    import polars as pl

    columns: dict[str, Any] = {}
    for column in schema:
        if column.name not in frame.columns:  # what no test asks need not be known
            columns[column.name] = pl.Series([None], dtype=pl.Float64).new_from_index(0, frame.height)
            continue
        cells = frame[column.name]
        if column.levels is not None:
            if text and cells.dtype != pl.String:
                raise ColumnTypeError(f"--numeric {column.name!r:.60}: it held labels in training; leave it out.")
            columns[column.name] = as_levels(cells, column.levels) if text or cells.dtype.is_numeric() else cells
        elif text:
            columns[column.name] = _numbers(cells, column, before)
        else:
            columns[column.name] = cells
    return columns


def _numbers(cells: Any, column: Any, before: int) -> Any:
    if any(word in column.dtype for word in ("date", "time")):
        return _times(cells, column.name, before)
    exact = column.dtype in ("int64", "uint64")  # beyond 2**53 a float would say another number
    return as_numbers(cells, column.name, before, exact=exact)


def _times(cells: Any, name: str, before: int) -> Any:
    """Cells of text as dates; what is none is refused."""
    import polars as pl

    found = guess_column(cells)
    if found.dtype.is_temporal() or cells.null_count() == len(cells):
        return found if found.dtype.is_temporal() else cells.cast(pl.Datetime)
    odd = first_no_date(cells)
    raise ColumnTypeError(
        f"column {name!r} holds {cells[odd]!r:.60} in row {before + odd + 1:,}; it was read as dates in training. "
        "Write it as 2026-11-16 or 2026-11-16 08:30:00, or leave it empty if it is not known."
    )


def as_numbers(cells: Any, name: str, before: int = 0, *, exact: bool = False) -> Any:
    """Cells of text as numbers; what is none is refused."""
    import polars as pl

    if cells.dtype != pl.String:
        return cells
    numbers = cells.cast(pl.Int64, strict=False) if exact else None
    if numbers is None or numbers.null_count() != cells.null_count():
        numbers = cells.cast(pl.Float64, strict=False)
    odd = (numbers.is_null() & cells.is_not_null()).arg_true()
    if len(odd):
        cell = cells[int(odd[0])]
        way = (
            "If that is a number, add --decimal ,"
            if marked_numbers(pl.Series([cell])) == "decimal commas"
            else "Correct the cell, or leave it empty if the value is not known."
        )
        raise ColumnTypeError(
            f"column {name!r} holds {cell!r:.60} in row {before + int(odd[0]) + 1:,}; it was numeric in training. {way}"
        )
    return numbers


def as_levels(cells: Any, levels: Sequence[Any]) -> Any:
    """Cells as the levels that they name; what names none stays text. Each distinct text is looked at once."""
    import polars as pl

    if cells.dtype != pl.String:
        cells = cells.cast(pl.String)
    if all(type(level) is str for level in levels):
        return cells
    by_text: dict[str, Any] = {}
    for level in reversed(levels):  # of two levels that are written alike the first counts
        for text in _spellings(level):
            by_text[text] = level
    by_number = {float(level): level for level in levels if type(level) in (int, float)}
    found = cells.unique().drop_nulls().to_list()
    named = [_level_of(text, by_text, by_number) for text in found]
    kinds = set(map(type, named))
    simple = {bool: pl.Boolean, int: pl.Int64, float: pl.Float64, str: pl.String}
    if len(kinds) == 1 and kinds <= set(simple):
        kind = next(iter(kinds))
        if kind is not int or all(abs(value) < 2**63 for value in named):
            return cells.replace_strict(found, named, default=None, return_dtype=simple[kind])
    place = dict(zip(found, named, strict=True))
    return [None if cell is None else place[cell] for cell in cells.to_list()]


def _level_of(cell: str, by_text: dict[str, Any], by_number: dict[float, Any]) -> Any:
    for text in (cell, cell.strip().lower()):
        if text in by_text:
            return by_text[text]
    try:
        return by_number.get(float(cell), cell)
    except ValueError:
        return cell


def _spellings(level: Any) -> list[str]:
    if isinstance(level, bool):
        return ["true", "1"] if level else ["false", "0"]
    if isinstance(level, float) and level.is_integer():
        return [repr(level), str(int(level))]
    return [str(level)]
