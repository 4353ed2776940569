"""The lines of a source one by one, for what polars does not tell: which are empty, short or broken."""

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from bough.cli.fields import fields_of
from bough.cli.source import Source, TextLayout
from bough.errors import DataError

__all__ = [
    "blank_rows",
    "byte_lines",
    "first_broken_json",
    "first_not_utf8",
    "open_quote",
    "refuse_short",
    "without_rows",
]


def byte_lines(source: Source, data: bytes | None) -> Iterator[bytes]:
    """The lines of a source; those of a pipe are the data read from it, as far as they are at hand."""
    if data is not None:
        yield from io.BytesIO(data)
    elif source.path is not None and source.compression == "zstd":
        import polars as pl

        for batch in pl.scan_lines(source.path, glob=False).collect_batches(maintain_order=True):
            for line in batch.to_series():
                yield line.encode() + b"\n"
    elif source.path is not None:
        with gzip.open(source.path) if source.compression else source.path.open("rb") as file:
            yield from file


def blank_rows(lines: Iterable[bytes], layout: TextLayout, skip: int) -> list[int]:
    """The numbers, from 0, of the rows that are empty lines; polars reads them as rows of empty cells."""
    blanks = b"\r\n" if layout.separator == " " else b" \r\n"
    found = []
    row, inside = -1 - skip, False
    for line in lines:
        if not inside:
            row += 1
            if row >= 0 and not line.strip(blanks):
                found.append(row)
        if b'"' in line and line.count(b'"') % 2:
            inside = not inside
    return found


def without_rows(frame: Any, rows: list[int], before: int) -> Any:
    """A part of a table, which begins after so many rows, without some rows of the table."""
    import polars as pl

    here = [row - before for row in rows if before <= row < before + frame.height]
    return frame.filter(~pl.int_range(pl.len()).is_in(here)) if here else frame


def refuse_short(source: Source, layout: TextLayout, data: bytes | None) -> None:
    """Refuse a table with lines that end before their last field, which polars reads as empty."""
    texts = (line.decode("utf-8", "replace").removeprefix("\ufeff") for line in byte_lines(source, data))
    for number, row in fields_of(texts, layout.separator):
        if len(row) < len(layout.names) and "".join(row).strip(" "):
            raise DataError(
                f"{source.name} is ragged: line {number:,} has {len(row)} fields where others have "
                f"{len(layout.names)}. Complete the line, or quote fields that hold the separator."
            )


def open_quote(lines: Iterable[bytes]) -> int | None:
    """The number of the line with a quote that no other closes; None if there is none."""
    opened = None
    for number, line in enumerate(lines, start=1):
        if line.count(b'"') % 2:
            opened = number if opened is None else None
    return opened


def first_not_utf8(lines: Iterable[bytes]) -> int | None:
    """The number of the first line in another encoding; None if there is none."""
    return _first_failing(lines, bytes.decode)


def first_broken_json(lines: Iterable[bytes]) -> int | None:
    """The number of the first line that is no JSON object; None if there is none."""

    def check(line: bytes) -> None:
        if line.strip() and not isinstance(json.loads(line), dict):
            raise ValueError

    return _first_failing(lines, check)


def _first_failing(lines: Iterable[bytes], check: Any) -> int | None:
    for number, line in enumerate(lines, start=1):
        try:
            check(line)
        except ValueError:
            return number
    return None
