"""Where a table comes from: which format, how it is compressed, what separates its fields, whether it has a header."""

import codecs
import gzip
import io
import re
import sys
import tempfile
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from bough import datasets
from bough.cli.fields import fields_of
from bough.cli.recoded import Recoded, Rest
from bough.cli.workbook import TABLES, ZIP, empty, sheet_text
from bough.errors import DataError, ParameterError

__all__ = ["Source", "TextLayout", "not_utf8", "open_source"]

_SEPARATORS = (",", ";", "\t", "|")  # the first wins where several do as well
_HEAD = 2**18  # bytes looked at to guess
_TAIL = 2**16  # and at the end
_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "ipc"}
_FOREIGN = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file, or one with a password (save the sheet as .xlsx or CSV)",
    b"SQLite format": "an SQLite database (export the table as CSV)",
    b"\x7fELF": "a program",
}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_JSON_ARRAY = re.compile(rb"\s*\[\s*[\[{]")


@dataclass(frozen=True)
class TextLayout:
    """How a table of text is laid out: guessed from its first lines unless it was said."""

    separator: str
    header: bool
    names: tuple[str, ...]
    skip: int = 0  # rows, as polars counts them, before the first of the table: the header and empty lines above it
    unnamed: tuple[str, ...] = ()  # names that were made up, because the header has none there

    @property
    def words(self) -> str:
        """The layout in words."""
        mark = {"\t": "tabs", ",": "commas", ";": "semicolons"}.get(self.separator, repr(self.separator))
        return f"separated by {mark}, {self.header_words}"

    @property
    def header_words(self) -> str:
        """Whether there is a header, in words."""
        return f"{'with' if self.header else 'without'} a header"


@dataclass(frozen=True)
class Source:
    """A file, the bytes of a pipe, or a bundled data set.

    Attributes
    ----------
    name : str
        As the user calls it.
    format : {"csv", "xlsx", "parquet", "ipc", "jsonl", "bundled"}
    path : Path or None
        None for pipes of text and sheets, which are read from `pipe`, and for bundled tables.
    head : bytes
        The beginning, decompressed.
    pipe : binary stream or None
        What follows `head`.
    compression : {"", "gzip", "zstd"}
    sheet : str
        Of a workbook: which of how many, in words.
    """

    name: str
    format: str
    path: Path | None = None
    head: bytes = b""
    pipe: Any = None
    compression: str = ""
    sheet: str = ""

    @property
    def is_text(self) -> bool:
        """Whether cells are text whose types are to be guessed."""
        return self.format in ("csv", "xlsx")

    def how(self, layout: TextLayout) -> str:
        """How a table of text is laid out, in words."""
        return f"{self.sheet}, {layout.header_words}" if self.sheet else layout.words

    @cached_property
    def _lines(self) -> str:
        text = self.head
        if text.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise DataError(f"{self.name} is written in UTF-16: add --encoding utf-16.")
        if b"\r" in text and b"\n" not in text:
            raise DataError(
                f"the lines of {self.name} end in CR alone: convert it, as with  tr '\\r' '\\n' < old > new"
            )
        try:  # not final: the last character may be cut
            return codecs.getincrementaldecoder("utf-8-sig")().decode(text)
        except UnicodeDecodeError as error:
            raise not_utf8(self.name, text.count(b"\n", 0, error.start) + 1) from error

    def layout(self, separator: str | None, header: bool | None, decimal: str | None = None) -> TextLayout:
        """How the text is laid out; what is given is not guessed, and a decimal mark separates no fields."""
        tables = {mark: self._rows(mark) for mark in _SEPARATORS if mark != decimal}
        widths = {mark: len(next(filter(None, rows), [])) for mark, rows in tables.items()}
        guess = max(tables, key=lambda mark: widths[mark])
        if separator is None:
            separator = "\t" if ".tsv" in Path(self.name).suffixes else guess
        separator = "\t" if separator == "\\t" else separator
        if len(separator.encode()) != 1:
            raise ParameterError(rf"--separator must be one plain character, or \t for a tab; got {separator!r}.")
        rows = tables.get(separator) or self._rows(separator)
        if not rows and len(self.head) >= _HEAD:
            raise DataError(
                f"line 1 of {self.name} does not end within {_HEAD:,} bytes. A quote in it may be without its second; "
                "if the line is that long, give the table as Parquet or Arrow."
            )
        if not any(rows):
            raise empty(self.name)
        above = next(place for place, row in enumerate(rows) if row)
        first = rows[above]
        if len(first) == 1 and widths[guess] > 1:
            raise DataError(
                f"{self.name} has a single column, {first[0]!r:.80}, if {separator!r} separates the fields; its first "
                f"line looks separated by {guess!r}: try --separator {guess!r}."
            )
        self._refuse_ragged(rows, len(first), separator)
        self._refuse_cut(separator, len(first))
        header = _has_header([row for row in rows if row]) if header is None else header
        if not header:
            return TextLayout(separator, False, tuple(f"column_{number + 1}" for number in range(len(first))), above)
        names = [name.strip() for name in first]
        twice = [name for name, count in Counter(names).items() if name and count > 1]
        if twice:
            shown = ", ".join(f"{name!r:.60}" for name in twice[:5]) + (", ..." if len(twice) > 5 else "")
            raise DataError(
                f"{self.name} has several columns of the same name: {shown}. Rename them in its first line."
            )
        unnamed = []
        for place, name in enumerate(names):
            if not name:
                names[place] = f"column_{place + 1}"
                while names.count(names[place]) > 1:
                    names[place] += "_"
                unnamed.append(names[place])
        return TextLayout(separator, True, tuple(names), above + 1, tuple(unnamed))

    def _rows(self, separator: str) -> list[list[str]]:
        """The fields of the first lines, none of empty ones; the last is left out of a long file, as it may be cut."""
        rows = [row for _, row in fields_of(io.StringIO(self._lines, newline=""), separator)]
        whole = rows[:-1] if len(self.head) >= _HEAD else rows
        return [[] if len(row) == 1 and row[0].isspace() else row for row in whole]

    def _refuse_ragged(self, rows: list[list[str]], width: int, separator: str) -> None:
        for number, row in enumerate(rows, start=1):
            if row and len(row) != width:
                raise DataError(
                    f"{self.name} is ragged: line {number} has {len(row)} fields where the first has {width} "
                    f"(separator {separator!r}). Quote fields that hold the separator, or complete the line."
                )

    def _refuse_cut(self, separator: str, width: int) -> None:
        """Refuse a file whose last line ends before its last field: it was cut, by a full disk or a broken transfer."""
        if self.path is None or self.compression or len(self.head) < _HEAD:
            return
        with self.path.open("rb") as file:
            file.seek(-_TAIL, io.SEEK_END)
            tail = file.read().decode("utf-8", "replace")
        _, begun, last = tail.rstrip(" \r\n").rpartition("\n")  # of a line longer than the tail only the end is known
        fields = last.count(separator) + 1
        if begun and '"' not in last and fields < width:
            raise DataError(
                f"{self.name} is ragged: its last line has {fields} fields where the first has {width}; the file may "
                "have been cut. Complete or remove that line."
            )


def _has_header(rows: list[list[str]]) -> bool:
    """Whether the first line names the columns.

    It does if it holds no number, or a word above a column of numbers, or words none of which comes back below.
    """
    first, rest = rows[0], rows[1:101]
    words = [place for place, cell in enumerate(first) if cell.strip() and not _is_number(cell)]
    if not any(map(_is_number, first)):
        return True
    comes_back = False
    for place in words:
        below = [row[place].strip() for row in rest if row[place].strip()]
        if below and all(map(_is_number, below)):
            return True
        comes_back = comes_back or first[place].strip() in below
    return bool(words) and not comes_back and len(rest) > 0


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().lower() not in ("nan", "inf", "infinity")


def not_utf8(name: str, line: int | None) -> DataError:
    """What to say of text in another encoding."""
    where = "" if line is None else f" in line {line:,}"
    return DataError(f"{name} is not UTF-8{where}: say its encoding, such as --encoding latin1.")


def _recoded(name: str, stream: Any, encoding: str) -> Source:
    pipe = Recoded(name, stream, encoding)
    head = pipe.read(_HEAD)
    kind = _text_format(head, name)
    _refuse_foreign(head, name, kind)
    return Source(name, kind, None, head, pipe)


def open_source(table: str, encoding: str | None = None, sheet: str | None = None) -> Source:
    """Find a table by its path, '-' for standard input, or the name of a bundled data set; of a workbook a sheet."""
    if table == "-":
        return _from_pipe(encoding, sheet)
    path = Path(table)
    if not path.exists():
        if table in datasets.names():
            return Source(table, "bundled")
        import difflib

        near = difflib.get_close_matches(table, datasets.names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`bough datasets` lists those."
        raise DataError(f"no file {table!r}, and no bundled data set of that name: {hint}")
    if path.is_dir():
        raise DataError(f"{table} is a folder; give {TABLES}.")
    with path.open("rb") as file:
        start = file.read(_HEAD)
    if start.startswith(ZIP):
        rows, title, count = sheet_text(path, table, sheet)
        words = f"sheet {title!r:.60}" + (f" of {count}" if count > 1 else "")
        return Source(table, "xlsx", None, rows[:_HEAD], io.BytesIO(rows[_HEAD:]), sheet=words)
    head = _decompressed(start, table)
    kind = next((found for mark, found in _MAGIC.items() if head.startswith(mark)), None)
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in (".gz", ".zst")]
    packed = "gzip" if start.startswith(_GZIP) else "zstd" if start.startswith(_ZSTD) else ""
    if encoding is not None and kind is None:
        if packed == "zstd":
            raise ParameterError(f"--encoding is not for text under zstd: unpack {table} first.")
        return _recoded(table, gzip.open(path) if packed else path.open("rb"), encoding)
    if kind is None:
        text = _text_format(head, table)
        kind = _SUFFIXES.get(suffixes[-1] if suffixes else "", text)
    _refuse_foreign(head, table, kind)
    return Source(table, kind, path, head, None, packed)


def _from_pipe(encoding: str | None, sheet: str | None) -> Source:
    stream: Any = sys.stdin.buffer
    head = b""
    while len(head) < _HEAD:
        piece = stream.read1(_HEAD - len(head)) if hasattr(stream, "read1") else stream.read(_HEAD - len(head))
        if not piece:
            break
        head += piece
    if not head:
        raise DataError("standard input is empty: pipe a table into it, such as  cat table.csv | bough fit - ...")
    packed = head.startswith((_GZIP, _ZSTD, ZIP))
    kind = next((found for mark, found in _MAGIC.items() if head.startswith(mark)), None)
    if not packed and kind is None and encoding is not None:
        return _recoded("standard input", io.BufferedReader(Rest(head, stream)), encoding)
    if not packed and kind is None:
        kind = _text_format(head, "standard input")
        _refuse_foreign(head, "standard input", kind)
        return Source("standard input", kind, None, head, stream)
    # What cannot be read from front to back, or not by us, goes through a file that vanishes with the process.
    held = tempfile.NamedTemporaryFile(prefix="bough-", suffix=".gz" if head.startswith(_GZIP) else "")  # noqa: SIM115
    held.write(head)
    while piece := stream.read(2**20):
        held.write(piece)
    held.flush()
    found = open_source(held.name, encoding, sheet)
    return replace(found, name="standard input", pipe=found.pipe or held)


def _decompressed(start: bytes, name: str) -> bytes:
    """The beginning of a file, without its compression."""
    if start.startswith(_GZIP):
        try:
            return zlib.decompressobj(31).decompress(start, _HEAD)
        except zlib.error as error:
            raise DataError(f"{name} looks like gzip but cannot be decompressed: {error}.") from error
    if start.startswith(_ZSTD):
        return _first_of_zstd(name)
    return start


def _first_of_zstd(name: str) -> bytes:
    """The beginning of a file under zstd, which polars reads: line by line, without a look at the fields."""
    import polars as pl

    try:
        lines = pl.scan_csv(
            name,
            has_header=False,
            separator="\x01",
            quote_char=None,
            infer_schema=False,
            n_rows=500,
            new_columns=["line"],
        ).collect()["line"]
    except pl.exceptions.PolarsError as error:
        raise DataError(f"{name} looks like zstd but cannot be read as text: {str(error).splitlines()[0]}") from error
    return "\n".join(line or "" for line in lines.to_list()).encode()[:_HEAD]


def _text_format(head: bytes, name: str) -> str:
    if _JSON_ARRAY.match(head) or (name.endswith(".json") and head.lstrip().startswith(b"[")):
        raise DataError(f"{name} is a JSON array: give JSON lines, one object a line, as  jq -c '.[]'  writes them.")
    return "jsonl" if head.lstrip()[:1] == b"{" else "csv"


def _refuse_foreign(head: bytes, name: str, kind: str) -> None:
    for mark, what in _FOREIGN.items():
        if head.startswith(mark):
            raise DataError(f"{name} is {what}, not a table; give {TABLES}.")
    if kind == "csv" and b"\x00" in head[:4096] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{name} is not text: give {TABLES}.")
    if not head:
        raise empty(name)
