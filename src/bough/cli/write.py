"""What the commands write: '-' is standard output, and the end of a name says the format of a table.

Rows are written as they come, so that a table larger than memory can be written; a file is there when it is complete.
"""

import io
import itertools
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bough.cli.options import CONFIG
from bough.cli.read import first_line
from bough.errors import DataError, ParameterError
from bough.model.writing import check_output, is_stream, write_file, writing

__all__ = ["Form", "check_page", "check_place", "put", "save_model", "table_form", "write_frames"]

_FORMATS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".arrow": "Arrow",
    ".feather": "Arrow",
    ".ipc": "Arrow",
}
_BINARY = ("Parquet", "Arrow")
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
# Parameters of commands that name what is read.
_INPUTS = ("model", "table", "first", "second", "verify", "against", "like", "test")


@dataclass(frozen=True)
class Form:
    """How a table is written: its format, and how text is compressed."""

    format: str
    compression: str = "uncompressed"


def table_form(output: str, as_json: bool = False) -> Form:
    """The form that a file asks for by its name; `as_json` is what --json says, which must agree."""
    suffixes = [suffix.lower() for suffix in Path(output).suffixes]
    if output == "-" or (not suffixes and is_stream(output)):
        return Form("JSON lines" if as_json else "CSV")
    packed = suffixes.pop() if suffixes and suffixes[-1] in _COMPRESSIONS else ""
    kind = _FORMATS.get(suffixes[-1] if suffixes else "")
    if kind is None:
        raise ParameterError(
            f"the format of {output!r:.80} is not known: use .csv, .tsv, .jsonl (also with .gz or .zst), .parquet or "
            ".arrow."
        )
    if packed and kind in _BINARY:
        raise ParameterError(f"{kind} is compressed in itself: leave {packed} out of {output!r:.80}.")
    if as_json and kind != "JSON lines":
        raise ParameterError(
            f"--json writes JSON lines, but {output!r:.80} is named as {kind}: leave --json out, or name it .jsonl."
        )
    return Form(kind, _COMPRESSIONS.get(packed, "uncompressed"))


def check_place(output: str | None, what: str) -> None:
    """Refuse a place that cannot be written to, or that the command reads from, before long work."""
    if output is None or output == "-":
        return
    check_output(output, what)
    ctx = click.get_current_context()
    # A pruned model may take the place of the model: it does so in one step, and is of the same kind.
    named = [ctx.params.get(name) or ctx.meta.get(name) for name in (*_INPUTS, CONFIG)
             if (ctx.info_name, name) != ("prune", "model")]  # fmt: skip
    for given in itertools.chain(*(one if isinstance(one, tuple) else [one] for one in named)):
        if given is None or not _is_same_file(given, output):
            continue
        read = "what is read" if given in (output, "-") else f"the same file as {given}, which is read"
        raise ParameterError(f"the {what} cannot be written to {output}: it is {read}; name another file.")


def check_page(html: str | None) -> None:
    """Refuse a page that cannot be written; standard output holds the numbers."""
    if html == "-":
        raise ParameterError("--html writes a page beside what is printed: name a file.")
    check_place(html, "page")


def _is_same_file(given: str, output: str) -> bool:
    """Whether what is read, '-' for standard input, is the file that is to be written, under whatever name."""
    try:
        before = os.fstat(0) if given == "-" else Path(given).stat()
        after = Path(output).stat()
    except (OSError, ValueError):  # one of them is not there
        return False
    return stat.S_ISREG(after.st_mode) and os.path.samestat(before, after)


def put(output: str, data: str | bytes, what: str) -> None:
    """Write a whole file, or to standard output."""
    if output != "-":
        write_file(output, data, what)
        return
    with _standard_output() as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


def save_model(estimator: Any, output: str) -> None:
    """Write a fitted estimator to a file, or to standard output."""
    if output != "-":
        estimator.save(output)
        return
    with tempfile.TemporaryDirectory(prefix="bough-") as folder:
        path = Path(folder, "model.json")
        estimator.save(path)
        put("-", path.read_bytes(), "model")


def write_frames(frames: Iterable[Any], output: str, form: Form, what: str) -> None:
    """Write the rows of frames, which have the same columns, one frame after the other."""
    with _standard_output() if output == "-" else writing(output, what) as file:
        if form.format in _BINARY:
            _sink(iter(frames), file, form.format, what)
            return
        for number, frame in enumerate(frames):
            # Members of gzip and frames of zstd may follow each other. What polars writes goes through our own hands,
            # because of what goes wrong with a stream it says less than Python does.
            held = io.BytesIO()
            if form.format == "JSON lines":
                frame.write_ndjson(held, compression=form.compression)
            else:
                mark = "\t" if form.format == "TSV" else ","
                frame.write_csv(held, compression=form.compression, include_header=not number, separator=mark)
            file.write(held.getbuffer())


def _sink(frames: Iterator[Any], file: Any, kind: str, what: str) -> None:
    """Formats that are no mere sequence of rows: polars asks for one frame after the other while it writes."""
    import polars as pl
    from polars.io.plugins import register_io_source

    first = next(frames)
    known = {name: pl.String if dtype == pl.Null else dtype for name, dtype in first.schema.items()}

    def more(*_: Any) -> Iterator[Any]:
        for frame in itertools.chain([first], frames):
            yield frame.cast(known)  # lines of JSON may look like another type further down

    rows = register_io_source(more, schema=known)
    try:
        rows.sink_parquet(file) if kind == "Parquet" else rows.sink_ipc(file)
    except pl.exceptions.PolarsError as error:
        raise DataError(f"the {what} cannot be written as {kind}: {first_line(error)}") from error


@contextmanager
def _standard_output() -> Iterator[Any]:
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is not None:
        yield stream
        stream.flush()
        return
    held = io.BytesIO()  # a stand-in for standard output that takes text only
    yield held
    sys.stdout.write(held.getvalue().decode())
