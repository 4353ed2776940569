"""Whole tables, for the commands that learn from them: read, typed, and said aloud how."""

import io
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from bough.cli.kinds import (
    clean_text,
    counts_rows,
    guess_column,
    marked_numbers,
    to_dates,
    to_numbers,
    warn_of_strays,
)
from bough.cli.lines import (
    blank_rows,
    byte_lines,
    first_broken_json,
    first_not_utf8,
    open_quote,
    refuse_short,
    without_rows,
)
from bough.cli.options import TEXT_NAMES, ReadOptions
from bough.cli.say import Notes
from bough.cli.source import Source, TextLayout, not_utf8, open_source
from bough.datasets import load
from bough.errors import DataError, ParameterError
from bough.model.provenance import Origin

__all__ = [
    "check_columns",
    "csv_options",
    "first_line",
    "layout_of",
    "quote_error",
    "read_table",
    "read_with_origin",
    "scan",
    "unreadable",
]

_SHOWN = 12  # names of columns in a note
_FORMATS = {
    "csv": "a table of text",
    "parquet": "Parquet",
    "ipc": "Arrow",
    "jsonl": "JSON lines",
    "bundled": "a bundled data set",
}


def read_table(table: str, options: ReadOptions, notes: Notes) -> Any:
    """A polars frame from a file, standard input or a bundled data set."""
    return read_with_origin(table, options, notes)[0]


def read_with_origin(table: str, options: ReadOptions, notes: Notes) -> tuple[Any, Origin]:
    """The same, with what a model keeps of how it was read."""
    source = open_source(table, options.encoding, options.sheet)
    bundled = source.format == "bundled"
    layout = layout_of(source, options)
    frame = _bundled(table) if bundled else _from_source(source, layout)
    check_columns(source.name, frame.columns, [*options.numeric, *options.date, *options.nominal, *options.drop])
    frame = frame.drop(options.drop)
    if layout is not None:
        _refuse_rules(frame, source.name, options.missing)
        frame = frame.select(clean_text(name, options.missing_words, options.decimal) for name in frame.columns)
        asked = {*options.numeric, *options.date}
        frame = frame.with_columns([guess_column(frame[name]) for name in frame.columns if name not in asked])
    frame = frame.with_columns(
        [to_numbers(frame[name], name) for name in options.numeric]
        + [to_dates(frame[name], name) for name in options.date]
    )
    if layout is not None:
        warn_of_strays(frame, [name for name in frame.columns if name not in options.nominal])
    if not bundled:
        _say_aloud(source, layout, frame, options, notes)
    said = {field.name: getattr(options, field.name) for field in fields(Origin) if hasattr(options, field.name)}
    return frame, Origin(Path(source.name).name, source.format, **said)


def _refuse_rules(frame: Any, name: str, missing: Sequence[str]) -> None:
    """Refuse a missing rule where the text of missing cells is meant, unless some cell says just that."""
    import polars as pl

    from bough.recipe.registry import PARTS

    for word in missing:
        if word in PARTS["missing"] and not frame.select(pl.any_horizontal((pl.all() == word).any())).item():
            raise ParameterError(
                f"--missing is the text of a missing cell, as in --missing -9, and no cell of {name} says {word!r}. "
                f"The rule for missing values is --set missing={word}."
            )


def layout_of(source: Source, options: ReadOptions) -> TextLayout | None:
    """How a source of text is laid out; options that say nothing of it are refused, unless a model remembers them."""
    workbook = source.format == "xlsx"
    useless = ("separator", "encoding") if workbook else ("sheet",) if source.is_text else TEXT_NAMES
    for name in useless:
        if name != "numeric" and name not in options.remembered and getattr(options, name) not in (None, ()):
            kind = "Excel workbooks" if name == "sheet" else "tables of text"
            what = "an Excel workbook" if workbook else _FORMATS[source.format]
            raise ParameterError(f"--{name} is for {kind}, and {source.name} is {what}: leave it out.")
    if not source.is_text:
        return None
    if workbook:
        return source.layout(",", options.header)
    return source.layout(options.separator, options.header, options.decimal)


def _from_source(source: Source, layout: TextLayout | None) -> Any:
    import polars as pl

    data = source.head + source.pipe.read() if source.path is None else None
    try:
        frame = _whole(source, layout, data)
    except (pl.exceptions.PolarsError, ValueError, TypeError) as error:
        raise unreadable(source, error, None if layout is None else len(layout.names), data) from error
    if layout is not None and len(layout.names) > 1 and (frame[layout.names[-1]] == "").any():
        refuse_short(source, layout, data)
        if frame.select(pl.all_horizontal(pl.all() == "").any()).item():
            frame = without_rows(frame, blank_rows(byte_lines(source, data), layout, layout.skip), 0)
    if frame.height == 0:
        raise DataError(f"{source.name} has no rows.")
    return frame


def _bundled(name: str) -> Any:
    import polars as pl

    data = load(name)
    frame, target = data.xy("polars")
    return frame.with_columns(pl.Series(data.target_name, target))


def _whole(source: Source, layout: TextLayout | None, data: bytes | None) -> Any:
    import polars as pl

    if data is None:
        return scan(source, layout, source.path).collect()
    return pl.read_ndjson(io.BytesIO(data)) if layout is None else scan(source, layout, io.BytesIO(data)).collect()


def scan(source: Source, layout: TextLayout | None, place: Any) -> Any:
    """A lazy frame; the cells of text formats stay text."""
    import polars as pl

    if layout is not None:
        return pl.scan_csv(place, **csv_options(layout, layout.skip), glob=False)
    if source.format == "parquet":
        return pl.scan_parquet(place, glob=False)
    if source.format == "jsonl":
        return pl.scan_ndjson(place, infer_schema_length=None)
    return pl.scan_ipc(place, glob=False)


def csv_options(layout: TextLayout, skip: int) -> dict[str, Any]:
    """How polars is to read text after so many rows: it need not make the same names of the header as we do."""
    import polars as pl

    return {
        "has_header": False,
        "skip_rows": skip,
        "separator": layout.separator,
        "schema": dict.fromkeys(layout.names, pl.String),
        "empty_string_is_null": False,
        "missing_columns": "insert",  # of a block that is a single short line
    }


def unreadable(
    source: Source, error: Exception, width: int | None, data: bytes | None = None, before: int = 0
) -> DataError:
    """What to say where a library cannot read a file, or data of it that come after so many lines."""
    name, words = source.name, first_line(error)
    if not source.is_text:
        broken = first_broken_json(byte_lines(source, data)) if source.format == "jsonl" else None
        if broken is not None:
            return DataError(f"{name} cannot be read: line {before + broken:,} is no complete JSON object.")
        way = "" if source.format == "jsonl" else " If other programs can, write it as Parquet with one of them."
        return DataError(f"{name} cannot be read by polars: {words.rstrip('.')}.{way}")
    opened = open_quote(byte_lines(source, data))
    if opened is not None or "CSV malformed" in words:
        return quote_error(name, None if opened is None else before + opened)
    if "utf-8" in words.lower():
        foreign = first_not_utf8(byte_lines(source, data))
        return not_utf8(name, None if foreign is None else before + foreign)
    if "more fields than" in words or "n_extra" in words:
        return DataError(
            f"{name} is ragged: a line has more than {width} fields. Quote fields that hold the separator, or say "
            "--separator."
        )
    return DataError(f"{name} cannot be read as a table: {words}")


def quote_error(name: str, line: int | None) -> DataError:
    """What to say of a quote that is none of those around a field."""
    where = "some line holds a quote that is" if line is None else f"the quote that opens in line {line:,} is"
    return DataError(
        f"{name} cannot be read: {where} not closed. A quote that belongs to a field is doubled, and the field quoted: "
        '5" is written "5""".'
    )


def first_line(error: Exception) -> str:
    """What a library says, without its advice."""
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


def check_columns(name: str, columns: Sequence[str], wanted: Sequence[str]) -> None:
    """Refuse columns that the table does not have, with the nearest that it has."""
    import difflib

    for one in wanted:
        if one not in columns:
            near = difflib.get_close_matches(one, columns, n=1, cutoff=0.7)
            hint = f"did you mean {near[0]!r}?" if near else f"its columns are {_names(columns)}."
            raise DataError(f"{name} has no column {one!r:.80}: {hint}")


def _names(columns: Sequence[str], most: int = 30) -> str:
    shown = ", ".join(column[:60] for column in columns[:most])
    return shown + (f" and {len(columns) - most} more" if len(columns) > most else "")


def _say_aloud(source: Source, layout: TextLayout | None, frame: Any, options: ReadOptions, notes: Notes) -> None:
    how = source.how(layout) if layout is not None else _FORMATS[source.format]
    gone = sum(frame.null_count().row(0))
    lacking = f"; {gone:,} cells missing" if gone else "; no cell missing"
    notes.add(f"{source.name}: {frame.height:,} rows, {frame.width} columns, {how}{lacking}")
    groups: dict[str, list[str]] = {"numbers": [], "dates": [], "labels": []}
    for name, kind in frame.schema.items():
        number = kind.is_numeric() and name not in options.nominal
        groups["numbers" if number else "dates" if kind.is_temporal() else "labels"].append(name)
    words = [f"{len(found)} of {kind} ({_names(found, _SHOWN)})" for kind, found in groups.items() if found]
    ways = "; change it with --nominal, --numeric, --date, --ordered, --drop" if layout is not None else ""
    notes.add(f"columns read as: {', '.join(words)}{ways}")
    if layout is None:
        return
    for name in layout.unnamed:
        if name in frame.columns:
            counts = " holds the numbers of the rows and" if counts_rows(frame[name]) else ""
            notes.add(f"{name}{counts} has no name in the header: leave it out with --drop {name}, or name it")
    for name in groups["labels"]:
        marks = marked_numbers(frame[name]) if name not in options.nominal else None
        if marks is not None:
            way = "add --decimal ," if marks == "decimal commas" else "write plain numbers if that is what they are"
            notes.add(f"{name} looks like numbers with {marks}, read as labels: {way}")
