"""How DuckDB, SQLite and PostgreSQL write names, numbers, times and labels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bough.errors import ExportError
from bough.exports.text import check_text, exact_decimal, label_value
from bough.model.program.derived import Derived
from bough.model.program.program import Field
from bough.table.temporal import parse_temporal

__all__ = ["DIALECTS", "Dialect"]

_DOUBLE = "DOUBLE PRECISION"
_DAYS = (-719162, 2932896)  # 0001-01-01 to 9999-12-31
_UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


@dataclass(frozen=True)
class Dialect:
    """One of the three; the method names say what is written."""

    name: str
    title: str

    def named(self, name: str) -> str:
        """An identifier."""
        check_text(name, "the name", self.title)
        if self.name == "postgresql" and len(name.encode()) > 63:
            raise ExportError(f"the name {name!r:.60} has more than the 63 bytes that a name has in PostgreSQL.")
        if not name:
            raise ExportError(f"a column without a name cannot be asked for in {self.title}: rename it.")
        return '"' + name.replace('"', '""') + '"'

    def path(self, names: Sequence[str]) -> str:
        """A table, after its schema if it has one."""
        return ".".join(self.named(name) for name in names)

    def text(self, text: str) -> str:
        """A string."""
        return "'" + check_text(text, "the label", self.title).replace("'", "''") + "'"

    def double(self, number: float) -> str:
        """A double, exactly, whatever the reader of decimals does."""
        if math.isinf(number):
            if self.name == "sqlite":
                return "9e999" if number > 0 else "-9e999"
            return f"CAST('{'inf' if number > 0 else '-inf'}' AS {_DOUBLE})"
        text = repr(number)
        if self.name == "sqlite":
            return text if exact_decimal(number) and len(text) < 16 else _quotient(number)
        plain = len(text.strip("-").replace(".", "")) <= 15 and "e" not in text
        return text if plain else f"CAST('{text}' AS {_DOUBLE})"

    def rough(self, number: float) -> str:
        """A double of an answer, where the last bit does not matter."""
        if self.name == "sqlite" or not math.isfinite(number):
            return self.double(number) if not math.isfinite(number) else repr(number)
        return f"CAST({number!r} AS {_DOUBLE})"

    def number(self, field: Field | Derived, number: float | int) -> str:
        """A threshold in the type of its column."""
        if isinstance(field, Field) and field.kind == "ticks":
            return self._time(field, int(number))
        if isinstance(number, float):
            if field.kind == "whole" and self.name == "duckdb" and math.isfinite(number):
                return f"{number!r}e0" if "e" not in repr(number) else repr(number)
            return self.double(number)
        if self.name == "sqlite" and not -(2**63) <= number < 2**63:
            raise ExportError(
                f"column {field.name!r:.60} is compared with {number}, and SQLite has no whole numbers beyond 64 bits "
                'with a sign. Use dialect="duckdb" or "postgresql".'
            )
        return str(number)

    def counted(self, field: Field, name: str, origin: int) -> str:
        """A column of numbers or times as a double less an origin, for a sum; NULL stays."""
        if field.kind == "real":
            return f"({name} - {self.double(float(origin))})" if origin else name
        if field.kind == "ticks":
            return self._ticks(field, name, origin)
        wide = {"duckdb": "HUGEINT", "postgresql": "NUMERIC(38, 0)", "sqlite": "NUMERIC"}[self.name]
        return f"CAST(CAST({name} AS {wide}) - {origin} AS {_DOUBLE})" if origin else f"CAST({name} AS {_DOUBLE})"

    def _ticks(self, field: Field, name: str, origin: int) -> str:
        """A time as a count of its unit less an origin."""
        meaning = parse_temporal(field.column.dtype)
        assert meaning is not None  # noqa: S101
        if self.name == "sqlite" and meaning.family == "date":
            return f"(julianday({name}) - 2440587.5 - {origin})"
        if self.name == "sqlite":
            return f"CAST({name} - {origin} AS {_DOUBLE})"
        if meaning.unit == "ns":
            self._time(field, 0)  # refuses them
        micro = 86_400_000_000 if meaning.unit == "D" else 1_000_000 // _UNITS[meaning.unit]
        since = f"epoch_us({name})" if self.name == "duckdb" else f"EXTRACT(EPOCH FROM {name}) * 1000000"
        less = f" - {origin * micro}" if origin else ""
        count = f"CAST({since}{less} AS {_DOUBLE})"
        return count if micro == 1 else f"({count} / {micro})"

    def without_nan(self, expression: str) -> str:
        """A sum with NULL for what is no number."""
        return expression if self.name == "sqlite" else f"nullif({expression}, CAST('NaN' AS {_DOUBLE}))"

    def label(self, label: Any) -> str:
        """A level or a class."""
        value = label_value(label)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bool):
            return str(int(value)) if self.name == "sqlite" else str(value).upper()
        if isinstance(value, int):
            if self.name == "sqlite" and not -(2**63) <= value < 2**63:
                raise ExportError(
                    f"the level or class {value} is beyond the whole numbers of 64 bits with a sign that SQLite has. "
                    'Make it text before training, or use dialect="duckdb" or "postgresql".'
                )
            return str(value)
        return self.double(value)

    def cleaned(self, field: Field, expression: str) -> str:
        """A column with NULL for what is missing, whose texts are equal by their bytes, whatever its table says.

        A column of doubles may hold whole numbers or levels, and NaN.
        """
        if field.labels == "text":
            return (
                f"{expression} COLLATE BINARY" if self.name == "sqlite" else f'CAST({expression} AS TEXT) COLLATE "C"'
            )
        if self.name == "sqlite":
            return expression
        if field.kind == "real":
            return f"nullif(CAST({expression} AS {_DOUBLE}), CAST('NaN' AS {_DOUBLE}))"
        if field.kind == "whole" or field.labels == "number":
            return f"CASE WHEN CAST({expression} AS {_DOUBLE}) <> CAST('NaN' AS {_DOUBLE}) THEN {expression} END"
        return expression

    def _time(self, field: Field, tick: int) -> str:
        meaning = parse_temporal(field.column.dtype)
        assert meaning is not None  # noqa: S101
        if self.name == "sqlite":
            if meaning.family == "date":
                return f"'{self._day(field, tick)}'"
            return str(tick)
        if meaning.family == "date":
            return f"DATE '{self._day(field, tick)}'"
        if meaning.unit == "ns":
            raise ExportError(
                f"column {field.name!r:.60} counts nanoseconds, which {self.title} does not keep in its times: "
                'convert it to microseconds before training, or use dialect="sqlite", where times are whole numbers.'
            )
        seconds, rest = divmod(tick, _UNITS[meaning.unit])
        micro = rest * (1_000_000 // _UNITS[meaning.unit])
        if meaning.family == "duration":
            return f"INTERVAL '{seconds * 1_000_000 + micro} microseconds'"
        minutes, second = divmod(seconds, 60)
        hours, minute = divmod(minutes, 60)
        days, hour = divmod(hours, 24)
        clock = f"{hour:02d}:{minute:02d}:{second:02d}.{micro:06d}"
        if meaning.family == "time":
            return f"TIME '{clock}'"
        kind, zone = ("TIMESTAMP", "") if meaning.zone is None else ("TIMESTAMPTZ", "+00")
        return f"{kind} '{self._day(field, days)} {clock}{zone}'"

    def _day(self, field: Field, day: int) -> str:
        from datetime import date

        if not _DAYS[0] <= day <= _DAYS[1]:
            raise ExportError(
                f"column {field.name!r:.60} is compared with a day outside the years 1 to 9999, which {self.title} "
                'cannot be asked for here; export to "python" or "c".'
            )
        return date.fromordinal(day + 719163).isoformat()


def _quotient(number: float) -> str:
    """A double as whole numbers and powers of two, because SQLite rounds decimals as its version does."""
    over, under = number.as_integer_ratio()
    halves = under.bit_length() - 1
    doubles = 0
    while over % 2 == 0 and abs(over) >= 2**53:
        over, doubles = over // 2, doubles + 1
    parts = [f"CAST({over} AS REAL)"]
    while doubles > 0:
        parts.append(f"* {2 ** min(doubles, 62)}")
        doubles -= 62
    while halves > 0:
        parts.append(f"/ {2 ** min(halves, 62)}")
        halves -= 62
    return f"({' '.join(parts)} /* {Decimal(repr(number))} */)"


DIALECTS = {
    "duckdb": Dialect("duckdb", "DuckDB"),
    "sqlite": Dialect("sqlite", "SQLite"),
    "postgresql": Dialect("postgresql", "PostgreSQL"),
}
