# ruff: noqa: S608 (tables of our own are made and filled; names are quoted)
"""Queries run for real: in DuckDB, in SQLite, or over a connection to PostgreSQL.

Rows are found again by the columns that the query carries; cases that agree in them are asked in different rounds.
"""

import importlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

import numpy as np

from bough.errors import ExportError, ParameterError
from bough.exports.sql import write_sql
from bough.exports.sql_options import answer_columns, options_of
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import Field, Program
from bough.table.temporal import parse_temporal

__all__ = ["TARGET"]

_TICKS = {"s": 1_000_000, "ms": 1_000, "us": 1}


def _dialect(options: Options) -> str:
    return str(options.more.get("dialect", "duckdb"))


# Values and types of columns


def _type(field: Field, dialect: str) -> str:
    meaning = parse_temporal(field.column.dtype)
    if field.kind == "real":
        return "DOUBLE PRECISION"
    if field.kind == "whole":
        wide = "NUMERIC" if dialect == "postgresql" else "UBIGINT"
        return wide if field.column.dtype == "uint64" and dialect != "sqlite" else "BIGINT"
    if meaning is not None:
        zoned = "TIMESTAMPTZ" if meaning.zone else "TIMESTAMP"
        return {"date": "DATE", "time": "TIME", "duration": "INTERVAL", "datetime": zoned}[meaning.family]
    if field.labels == "number":
        whole = [level for level in field.levels if isinstance(level, int)]
        if len(whole) < len(field.levels):
            return "DOUBLE PRECISION"
        small = all(-(2**63) <= level < 2**63 for level in whole)
        return "BIGINT" if small else "NUMERIC" if dialect == "postgresql" else "HUGEINT"
    return "BOOLEAN" if field.labels == "bool" else "TEXT"


def _value(field: Field, cell: Any, dialect: str) -> Any:
    value = outside(field, cell)
    if value is not None and field.kind == "real":
        return float(value)
    if value is None or field.kind != "ticks":
        large = isinstance(value, int) and not -(2**63) <= value < 2**63
        return float(value) if large and dialect == "sqlite" else value
    meaning = parse_temporal(field.column.dtype)
    assert meaning is not None  # noqa: S101
    if dialect == "sqlite":
        return date.fromordinal(value + 719163).isoformat() if meaning.family == "date" else value
    if meaning.family == "date":
        return date.fromordinal(value + 719163)
    micro = timedelta(microseconds=value * _TICKS[meaning.unit])
    if meaning.family == "duration":
        return micro
    moment = datetime(1970, 1, 1) + micro
    if meaning.family == "time":
        return (datetime(1970, 1, 1) + micro).time()
    return moment if meaning.zone is None else moment.replace(tzinfo=UTC)


def _rounds(keys: Sequence[tuple[Any, ...]]) -> Iterator[list[int]]:
    """Cases in groups in which no key occurs twice."""
    seen: dict[tuple[Any, ...], int] = {}
    groups: list[list[int]] = []
    for case, key in enumerate(keys):
        turn = seen.get(key, 0)
        seen[key] = turn + 1
        if turn == len(groups):
            groups.append([])
        groups[turn].append(case)
    yield from groups


class _Told(NamedTuple):
    """The names of the columns of a result, and its rows."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    @classmethod
    def of(cls, cursor: Any) -> "_Told":
        return cls([str(column[0]) for column in cursor.description], list(cursor.fetchall()))


class _Engine:
    """A table to fill and to ask; subclasses know the engine."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def ask(self, text: str, table: tuple[str, ...], columns: dict[str, tuple[str, list[Any]]]) -> _Told:
        raise NotImplementedError


class _Sqlite(_Engine):
    def ask(self, text: str, table: tuple[str, ...], columns: dict[str, tuple[str, list[Any]]]) -> _Told:
        names = ", ".join(f"{_quoted(name)} {'' if kind in _UNTYPED else kind}" for name, (kind, _) in columns.items())
        marks = ", ".join("?" * len(columns))
        connection = sqlite3.connect(":memory:")
        try:
            if len(table) == 2 and table[0].lower() not in ("main", "temp"):
                connection.execute(f"ATTACH ':memory:' AS {_quoted(table[0])}")
            connection.create_function("epoch_us", 1, _micro, deterministic=True)  # of DuckDB, which it may stand for
            connection.execute(f"CREATE TABLE {_path(table)} ({names})")
            rows = zip(*(values for _, values in columns.values()), strict=True)
            connection.executemany(f"INSERT INTO {_path(table)} VALUES ({marks})", rows)
            return _Told.of(connection.execute(text))
        finally:
            connection.close()


_UNTYPED = {"DATE", "TIME", "INTERVAL", "TIMESTAMP", "TIMESTAMPTZ", "UBIGINT"}


class _DuckDB(_Engine):
    def ask(self, text: str, table: tuple[str, ...], columns: dict[str, tuple[str, list[Any]]]) -> _Told:
        duckdb = importlib.import_module("duckdb")
        connection = duckdb.connect(":memory:", config={"threads": 1})
        try:
            names = ", ".join(f"{_quoted(name)} {kind}" for name, (kind, _) in columns.items())
            if len(table) == 2:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(table[0])}")
            connection.execute(f"CREATE TABLE {_path(table)} ({names})")
            lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind, _ in columns.values())
            values = [values for _, values in columns.values()]
            connection.execute(f"INSERT INTO {_path(table)} SELECT {lists}", values)
            zoned = [name for name, (kind, _) in columns.items() if kind == "TIMESTAMPTZ"]
            told = [column[0] for column in connection.execute(f"DESCRIBE {text}").fetchall()] if zoned else []
            put = ", ".join(f"epoch_us({_quoted(name)}) AS {_quoted(name)}" for name in zoned if name in told)
            if not put:
                return _Told.of(connection.execute(text))
            # Instants come as numbers, because DuckDB needs one more package to make them Python's.
            places = [told.index(name) for name in zoned if name in told]
            found = _Told.of(connection.execute(f"SELECT * REPLACE ({put}) FROM ({text})"))
            return _Told(
                found.names, [tuple(_instant(v) if k in places else v for k, v in enumerate(row)) for row in found.rows]
            )
        finally:
            connection.close()


def _instant(micro: int | None) -> datetime | None:
    return None if micro is None else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micro)


class _Postgres(_Engine):
    """In a temporary table, which the query is given in place of its own: that one may exist."""

    def __init__(self, connection: Any) -> None:
        super().__init__("postgresql")
        self.connection = connection

    def ask(self, text: str, table: tuple[str, ...], columns: dict[str, tuple[str, list[Any]]]) -> _Told:
        names = ", ".join(f"{_quoted(name)} {kind}" for name, (kind, _) in columns.items())
        begin, mark, rest = text.partition(f"\n  FROM {_path(table)} AS t\n)")
        if not mark:
            raise ExportError("the query does not read the table that it was asked for.")
        with _undone(self.connection) as cursor:
            cursor.execute(f"CREATE TEMPORARY TABLE pg_temp.{_CASES} ({names})")
            lists = ", ".join(f"CAST(%s AS {kind}[])" for kind, _ in columns.values())
            values = [values for _, values in columns.values()]
            cursor.execute(f"INSERT INTO pg_temp.{_CASES} SELECT * FROM unnest({lists})", values)
            cursor.execute(f"{begin}\n  FROM pg_temp.{_CASES} AS t\n){rest}")
            return _Told.of(cursor)


_CASES = '"bough: cases"'  # no name that a user has
_IDLE, _OPEN = 0, 2  # what psycopg says of a connection: in no transaction, in one without an error


@contextmanager
def _undone(connection: Any) -> Iterator[Any]:
    """A cursor whose work is undone, and nothing else: a transaction that is open already stays as it was."""
    state = connection.info.transaction_status
    if state not in (_IDLE, _OPEN):
        raise ParameterError("the connection is in a transaction that has failed or is busy: roll it back first.")
    cursor = connection.cursor()
    if state == _OPEN:
        cursor.execute("SAVEPOINT bough")
    elif connection.autocommit:
        cursor.execute("BEGIN")
    try:
        yield cursor
    finally:
        if state == _OPEN:
            cursor.execute("ROLLBACK TO SAVEPOINT bough")
            cursor.execute("RELEASE SAVEPOINT bough")
        elif connection.autocommit:
            cursor.execute("ROLLBACK")
        else:
            connection.rollback()
        cursor.close()


class _StandIn(_Sqlite):
    """The text of another dialect in SQLite: what it does not have is put as SQLite says it."""

    def ask(self, text: str, table: tuple[str, ...], columns: dict[str, tuple[str, list[Any]]]) -> _Told:
        text = re.sub(
            r"nullif\(CAST\((t\.\"(?:[^\"]|\"\")*\") AS DOUBLE PRECISION\), CAST\('NaN' AS DOUBLE PRECISION\)\)",
            r"\1",
            text,
        )
        text = re.sub(
            r"CASE WHEN CAST\((t\.\"(?:[^\"]|\"\")*\") AS DOUBLE PRECISION\) <> CAST\('NaN' AS DOUBLE PRECISION\) "
            r"THEN \1 END",
            r"\1",
            text,
        )
        text = text.replace(", CAST('NaN' AS DOUBLE PRECISION))", ", NULL)")  # of sums, which are never NaN there
        text = re.sub(r"EXTRACT\(EPOCH FROM (\"(?:[^\"]|\"\")*\")\) \* 1000000", r"epoch_us(\1)", text)
        text = text.replace(' COLLATE "C"', " COLLATE BINARY")
        text = text.replace("CAST('inf' AS DOUBLE PRECISION)", "9e999")
        text = text.replace("CAST('-inf' AS DOUBLE PRECISION)", "-9e999")
        text = re.sub(r"\b(?:DATE|TIMESTAMP|TIMESTAMPTZ|TIME) '([^']*)'", r"'\1'", text)
        text = re.sub(r"INTERVAL '(-?\d+) microseconds'", r"\1", text)
        plain = {name: (kind, [_plain(v) for v in values]) for name, (kind, values) in columns.items()}
        return super().ask(text, table, plain)


def _plain(value: Any) -> Any:
    """A time as the text or number that the translated query compares it with."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S.%f}" + ("" if value.tzinfo is None else "+00")
    if isinstance(value, time):
        return f"{value:%H:%M:%S.%f}"
    if isinstance(value, date):
        return value.isoformat()
    return value // timedelta(microseconds=1) if isinstance(value, timedelta) else value


def _micro(value: Any) -> int | None:
    """A time as `_plain` writes it in microseconds since 1970, or since midnight."""
    if value is None or isinstance(value, int):
        return value
    day, _, clock = str(value).rpartition(" ") if ":" in str(value) else (str(value), "", "")
    hours, minutes, seconds = (clock.removesuffix("+00") or "0:0:0").split(":")
    days = (date.fromisoformat(day) - date(1970, 1, 1)).days if day else 0
    return (days * 86_400 + int(hours) * 3600 + int(minutes) * 60) * 1_000_000 + round(float(seconds) * 1_000_000)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _path(table: Sequence[str]) -> str:
    return ".".join(map(_quoted, table))


def _run(engine: _Engine, text: str, program: Program, cells: Cells, options: Options) -> Answers:
    _, table, key = options_of(program, options)
    prediction, shares = answer_columns(program, options, key)
    columns: dict[str, tuple[str, list[Any]]] = {}
    for field, cell in zip(program.fields, cells.columns, strict=True):
        values = [_value(field, value, engine.dialect) for value in cell]
        columns[field.name] = (_type(field, engine.dialect), values)
    for name in key:
        columns.setdefault(name, ("BIGINT", list(range(cells.n_cases))))
    if not columns:
        columns["bough_any"] = ("BIGINT", [0] * cells.n_cases)
    keys = [tuple(_comparable(columns[name][1][case]) for name in key) for case in range(cells.n_cases)]
    found: dict[int, tuple[Any, ...]] = {}
    wanted = [*key, *([] if prediction is None else [prediction]), *shares]
    for cases in _rounds(keys):
        asked = {name: (kind, [values[case] for case in cases]) for name, (kind, values) in columns.items()}
        place = {keys[case]: case for case in cases}
        names, rows = engine.ask(text, table, asked)
        if sorted(names) != sorted(wanted):
            raise ExportError(f"the query answers the columns {names!r:.200} where {wanted!r:.200} were wanted.")
        rows = [tuple(row[names.index(name)] for name in wanted) for row in rows]
        if len(rows) != len(cases):
            raise ExportError(f"the query answers {len(rows)} rows where the table has {len(cases)}.")
        for row in rows:
            case = place.get(tuple(_comparable(value) for value in row[: len(key)]))
            if case is None:
                raise ExportError(f"the query answers a row that the table does not have: {row[: len(key)]!r:.200}.")
            found[case] = row[len(key) :]
    return _read(program, [found[case] for case in range(cells.n_cases)], prediction is not None, bool(shares))


def _comparable(value: Any) -> Any:
    if isinstance(value, timedelta | datetime | date | time | str | None):
        return _plain(value)
    return float(value) if isinstance(value, float) else int(value)


def _read(program: Program, rows: Sequence[tuple[Any, ...]], predicts: bool, shares: bool) -> Answers:
    failed = np.array([any(value is None for value in row) for row in rows], dtype=bool)
    if not program.is_classifier:
        values = np.array([np.nan if row[0] is None else float(row[0]) for row in rows])
        return Answers(failed, values=values)
    labels = None
    if predicts:
        labels = [None if row[0] is None else _label(program, row[0]) for row in rows]
    told = None
    if shares:
        first = 1 if predicts else 0
        told = np.array([[np.nan if x is None else float(x) for x in row[first:]] for row in rows])
    return Answers(failed, labels, told)


def _label(program: Program, value: Any) -> Any:
    for label in program.classes:
        said = label_value(label)
        if isinstance(said, str) == isinstance(value, str) and said == value:
            return label
    return value


# Who judges


def _duckdb_version() -> str | None:
    try:
        return f"DuckDB {importlib.import_module('duckdb').__version__}"
    except ImportError:
        return None


def _postgres_name(options: Options) -> str | None:
    connection = options.more.get("connection")
    if connection is None:
        return None
    if not hasattr(getattr(connection, "info", None), "transaction_status"):
        raise ParameterError(
            f"connection must be one of psycopg, as psycopg.connect(...) gives it; got {connection!r:.60}."
        )
    with _undone(connection) as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}"


_JUDGES = (
    Judge(_postgres_name, lambda *a: _run(_Postgres(a[3].more["connection"]), *a)),
    Judge(
        lambda options: f"SQLite {sqlite3.sqlite_version}" if _dialect(options) == "sqlite" else None,
        lambda *a: _run(_Sqlite("sqlite"), *a),
    ),
    Judge(
        lambda options: _duckdb_version() if _dialect(options) == "duckdb" else None,
        lambda *a: _run(_DuckDB("duckdb"), *a),
    ),
    Judge(
        lambda options: _duckdb_version() if _dialect(options) == "postgresql" else None,
        lambda *a: _run(_DuckDB("duckdb"), *a),
        real=False,
    ),
    Judge(
        lambda options: f"SQLite {sqlite3.sqlite_version}, its words translated",
        lambda *a: _run(_StandIn(_dialect(a[3])), *a),
        real=False,
    ),
)
TARGET = Target("sql", write_sql, _JUDGES, frozenset({"dialect", "table", "key", "connection"}))
