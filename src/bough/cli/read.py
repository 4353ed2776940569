"""Tables from files, and the bundled data sets by name."""

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bough import datasets
from bough.errors import DataError, ParameterError

__all__ = ["is_text", "read_table"]

_SEPARATORS = (",", ";", "\t", "|")  # the first wins where several do as well


def is_text(table: str) -> bool:
    """Whether a table is read from lines of text."""
    return Path(table).exists() and Path(table).suffix.lower() != ".parquet"


def read_table(table: str, separator: str | None = None, texts: Iterable[str] = ()) -> Any:
    """A polars frame from a CSV, TSV or Parquet file, or from a bundled data set.

    Empty fields, NA and ? are missing values.

    Parameters
    ----------
    table : str
        A path, or the name of a bundled data set.
    separator : str, optional
        What stands between the fields of a text file; by default what parts its first line into most fields.
    texts : iterable of str
        Columns of a text file that are read as they stand, whatever they look like.
    """
    import polars as pl

    path = Path(table)
    if not path.exists():
        if table in datasets.names():
            data = datasets.load(table)
            frame, target = data.xy("polars")
            return frame.with_columns(pl.Series(data.target_name, target))
        near = ", ".join(datasets.names()[:5])
        raise DataError(f"no file {table!r}, and no bundled data set of that name (such as {near}).")
    if path.is_dir():
        raise DataError(f"{table} is a folder; give a CSV, TSV or Parquet file.")
    try:
        if not is_text(table):
            return pl.read_parquet(path)
        frame = pl.read_csv(
            path,
            separator=_check_header(path, table, separator),
            infer_schema_length=None,
            null_values=["", "NA", "?"],
            try_parse_dates=True,
            schema_overrides=dict.fromkeys(texts, pl.String),
        )
    except (pl.exceptions.PolarsError, ValueError, TypeError) as error:
        if isinstance(error, DataError | ParameterError):
            raise
        reason = str(error).strip().splitlines()[0]
        raise DataError(f"{table} cannot be read as a table: {reason}") from error
    if frame.height == 0:
        raise DataError(f"{table} has no rows.")
    return frame


def _check_header(path: Path, table: str, separator: str | None) -> str:
    """The separator, given or guessed; a header that does not name columns one by one is refused."""
    headers = {mark: _header(path, mark) for mark in _SEPARATORS}
    guess = max(_SEPARATORS, key=lambda mark: len(headers[mark]))
    if separator is None:
        separator = "\t" if path.suffix.lower() == ".tsv" else guess
    separator = "\t" if separator == "\\t" else separator
    if len(separator.encode()) != 1:
        raise ParameterError(rf"--separator must be one plain character, or \t for a tab; got {separator!r}.")
    names = _header(path, separator)
    if len(names) == 1 and len(headers[guess]) > 1:
        raise DataError(
            f"{table} has a single column, {names[0]!r:.80}, if {separator!r} separates the fields; its first line "
            f"looks separated by {guess!r}: try --separator {guess!r}."
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        shown = ", ".join(f"{name!r:.60}" for name in twice[:5]) + (", ..." if len(twice) > 5 else "")
        raise DataError(f"{table} has several columns of the same name: {shown}. Rename them in its first line.")
    return separator


def _header(path: Path, separator: str) -> list[str]:
    """The fields of the first line; none if it is no line of text."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        try:
            return next(csv.reader(file, delimiter=separator), [])
        except csv.Error:
            return []
