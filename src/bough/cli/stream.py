"""New rows batch by batch, so that a table larger than memory can be scored.

Files are scanned by polars, which reads ahead while a batch is scored; a pipe of text is cut into blocks of whole
lines.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bough.cli.kinds import clean_text
from bough.cli.lines import blank_rows, byte_lines, open_quote, without_rows
from bough.cli.options import ReadOptions
from bough.cli.read import check_columns, csv_options, layout_of, quote_error, read_table, scan, unreadable
from bough.cli.say import Notes
from bough.cli.source import Source, TextLayout, open_source
from bough.errors import DataError

__all__ = ["Batches", "open_batches"]

_ROWS = 50_000  # in a batch: enough to keep the work outside Python, small beside the memory of any machine
_BLOCK = 8 * 2**20  # bytes of a pipe read at a time
_LONGEST = 32 * 2**20  # bytes of a quoted field: one that is longer was never meant to be open


class Batches:
    """The rows of a table in order.

    Attributes
    ----------
    name : str
    columns : list of str
    text : bool
        Whether the cells are text whose types are those of the model.
    before : int
        How many rows came before the batch at hand.
    """

    def __init__(self, source: Source, columns: list[str], text: bool, batches: Iterator[Any]) -> None:
        self.name, self.columns, self.text = source.name, columns, text
        self.before = 0
        self._source = source  # what came through a pipe may be held in a file that vanishes with it
        self._batches = batches

    def __iter__(self) -> Iterator[Any]:
        import polars as pl

        try:
            for batch in self._batches:
                yield batch
                self.before += batch.height
        except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
            raise unreadable(self._source, error, len(self.columns)) from error
        if not self.before:
            raise DataError(f"{self.name} has no rows.")

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Say of what is wrong with the batch at hand, whose rows an estimator counts from 0, where it begins."""
        try:
            yield
        except DataError as error:
            where = f"rows counted from 0, the first being row {self.before + 1:,} of {self.name}"
            raise DataError(f"{error} ({where})") from error


def open_batches(table: str, options: ReadOptions, wanted: list[str] | None, needed: Sequence[str] = ()) -> Batches:
    """Open a table; only the columns that are wanted are read, all if that is None; others may have to be there too."""
    import polars as pl

    source = open_source(table, options.encoding, options.sheet)
    if source.format == "bundled":
        frame = read_table(table, options, Notes(quiet=True))
        return Batches(source, frame.columns, False, iter([frame if wanted is None else _pick(source, frame, wanted)]))
    layout = layout_of(source, options)
    if source.path is None:
        columns = list(layout.names) if layout is not None else []
        if layout is not None:
            check_lacking(source.name, columns, [*(wanted or []), *needed])
            check_columns(source.name, columns, options.numeric)
        return Batches(source, columns, layout is not None, _from_pipe(source, layout, options, wanted))
    try:
        rows = scan(source, layout, source.path)
        columns = rows.collect_schema().names()
    except (pl.exceptions.PolarsError, ValueError) as error:
        raise unreadable(source, error, None) from error
    kept = columns if wanted is None else wanted
    check_lacking(source.name, columns, [*kept, *needed])
    check_columns(source.name, columns, options.numeric)
    picked = [_cells(name, layout, options) for name in kept]
    if layout is not None and columns[-1] not in kept:
        # A line that is not parsed to its end may swallow the next one, by quotes inside of fields, and nobody notices.
        picked.append(pl.col(columns[-1]))
    batches = rows.select(picked).collect_batches(chunk_size=_ROWS, maintain_order=True)
    if layout is not None:
        batches = _without_blank(batches, source, layout, kept)
    return Batches(source, columns, layout is not None, (batch.select(kept) for batch in batches))


def _without_blank(batches: Iterator[Any], source: Source, layout: TextLayout, kept: list[str]) -> Iterator[Any]:
    """Rows that are no empty lines; the lines are looked at one by one if some row has no cell."""
    blank: list[int] | None = None
    before = 0
    for batch in batches:
        if blank is None and _may_be_blank(batch, layout, kept):
            blank = blank_rows(byte_lines(source, None), layout, layout.skip)
        left = without_rows(batch, blank, before) if blank else batch
        before += batch.height
        if left.height:
            yield left


def _may_be_blank(frame: Any, layout: TextLayout, kept: list[str]) -> bool:
    import polars as pl

    if len(layout.names) == 1 or not all(frame[name].null_count() for name in kept):
        return False
    return bool(frame.select(pl.all_horizontal(pl.col(kept).is_null()).any()).item())


def _cells(name: str, layout: TextLayout | None, options: ReadOptions) -> Any:
    """An expression: the cells of a column, as numbers if the user says so."""
    import polars as pl

    cells = pl.col(name) if layout is None else clean_text(name, options.missing_words, options.decimal)
    return cells.cast(pl.Float64, strict=False) if name in options.numeric else cells


def check_lacking(name: str, columns: list[str], wanted: list[str]) -> None:
    """Refuse a table without columns that a model asks for."""
    lacking = [one for one in dict.fromkeys(wanted) if one not in columns]
    if len(lacking) == 1:
        check_columns(name, columns, lacking)
    if lacking:
        shown = ", ".join(f"{one!r:.60}" for one in lacking[:5]) + (", ..." if len(lacking) > 5 else "")
        has = ", ".join(column[:60] for column in columns[:30])
        raise DataError(f"{name} lacks columns that the model asks for: {shown}; it has {has}.")


def _pick(source: Source, frame: Any, wanted: list[str]) -> Any:
    check_lacking(source.name, frame.columns, wanted)
    return frame.select(wanted)


def _from_pipe(
    source: Source, layout: TextLayout | None, options: ReadOptions, wanted: list[str] | None
) -> Iterator[Any]:
    import polars as pl

    skip = 0 if layout is None else layout.skip
    lines = 0
    for block in _blocks(source):
        try:
            if layout is None:
                frame = pl.read_ndjson(io.BytesIO(block), infer_schema_length=None)
            else:
                frame = pl.read_csv(io.BytesIO(block), **csv_options(layout, skip))
        except pl.exceptions.PolarsError as error:
            width = None if layout is None else len(layout.names)
            raise unreadable(source, error, width, block, lines) from error
        if layout is None:
            check_columns(source.name, frame.columns, options.numeric)
            frame = frame if wanted is None else _pick(source, frame, wanted)
            frame = frame.select([_cells(name, layout, options) for name in frame.columns])
        else:
            kept = list(layout.names) if wanted is None else wanted
            frame = frame.select([_cells(name, layout, options) for name in kept])
            if _may_be_blank(frame, layout, kept):
                frame = without_rows(frame, blank_rows(io.BytesIO(block), layout, skip), 0)
        skip = 0
        lines += block.count(b"\n")
        if frame.height:  # a header alone has none
            yield frame


def _blocks(source: Source) -> Iterator[bytes]:
    """Whole lines: a cut is made after a line end with an even number of quotes before it."""
    held = source.head
    lines = 0
    while True:
        piece = source.pipe.read(_BLOCK)
        held += piece
        if not piece:
            opened = open_quote(held.splitlines()) if source.is_text else None
            if opened is not None:
                raise quote_error(source.name, lines + opened)
            if held.strip():
                yield held
            return
        cut = _last_line_end(held) if source.is_text else held.rfind(b"\n") + 1
        if cut:
            lines += held.count(b"\n", 0, cut)
            yield held[:cut]
            held = held[cut:]
        elif source.is_text and len(held) > _LONGEST and b'"' in held:  # no line end is outside of quotes
            raise quote_error(source.name, lines + 1)


def _last_line_end(data: bytes) -> int:
    cut = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, cut)
    while cut and quotes % 2:  # inside a quoted field, that holds lines of its own
        before = data.rfind(b"\n", 0, cut - 1) + 1
        quotes -= data.count(b'"', before, cut)
        cut = before
    return cut
