"""Dates, times and durations: 64-bit counts of a unit, kept with unit and time zone so that they print as dates."""

import re
import zoneinfo
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

import numpy as np

from bough.errors import ColumnTypeError
from bough.table.raw import Array, Numbers

__all__ = ["Temporal", "parse_temporal", "read_times"]

_TICKS = {"D": 86_400_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}  # in nanoseconds
_COARSE = {"M": {"Y": "D", "M": "D", "W": "D", "h": "s", "m": "s"}, "m": {"W": "s", "D": "s", "h": "s", "m": "s"}}
_ISO = re.compile(r"(([+-]?\d+)-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?", re.ASCII)
_NAMES = re.compile(r"date|time|datetime64\[(s|ms|us|ns)(?:, ([\w+\-/:]{1,64}))?\]|timedelta64\[(s|ms|us|ns)\]")
_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SPAN = re.compile(r"(-?)(?:(\d+)d)? ?(?:(\d+)h)? ?(?:(\d+)m)? ?(?:(\d+)(?:\.(\d{1,9}))?s)?")


@dataclass(frozen=True)
class Temporal:
    """What a count of ticks means: `family` is date, datetime, duration or time (of day)."""

    family: str
    unit: str
    zone: str | None = None

    @property
    def dtype(self) -> str:
        """The name under which a schema keeps it."""
        if self.family == "datetime":
            return f"datetime64[{self.unit}]" if self.zone is None else f"datetime64[{self.unit}, {self.zone}]"
        return f"timedelta64[{self.unit}]" if self.family == "duration" else self.family

    @property
    def nanoseconds(self) -> int:
        """How long a tick is."""
        return _TICKS[self.unit]

    def accepts(self, other: "Temporal | None") -> bool:
        """Whether ticks of `other` can be compared with ours: a date with a datetime, but not with a duration."""
        if other is None or (self.zone is None) != (other.zone is None):
            return False
        calendar = ("date", "datetime")
        return self.family == other.family or (self.family in calendar and other.family in calendar)

    def convert(self, data: Array, other: "Temporal") -> Array:
        """Ticks of `other` in our unit; finer ones are rounded down, those out of range become the extremes."""
        ours, theirs = _TICKS[self.unit], _TICKS[other.unit]
        if ours >= theirs:
            return data if ours == theirs else data // (ours // theirs)
        factor = theirs // ours
        inside = np.clip(data, _LEAST // factor + 1, _MOST // factor) * factor
        return np.where(data > _MOST // factor, _MOST, np.where(data <= _LEAST // factor, _LEAST, inside))

    def as_values(self, ticks: Array) -> list[Any]:
        """Ticks as dates, datetimes, durations or times, exact."""
        if self.family == "time":
            return [(datetime.min + timedelta(microseconds=tick)).time() for tick in ticks.tolist()]
        kind = "m" if self.family == "duration" else "M"
        values = list(ticks.astype(np.int64).view(f"{kind}8[{self.unit}]"))
        if self.zone is None:
            return values
        return [_in_utc(value) for value in values]

    def parse(self, text: str) -> int | None:
        """The tick that `format` writes so; None for other text, and for times between two ticks.

        Dates and times are read as ISO 8601 has them.
        """
        try:
            if self.family == "duration":
                found = _parse_duration(text)
                return None if found is None or found % self.nanoseconds else found // self.nanoseconds
            if self.family == "time":
                clock = time.fromisoformat(text)
                return None if clock.tzinfo else (datetime.combine(datetime.min, clock) - datetime.min) // _MICROSECOND
            if self.zone is not None and not text.endswith(" UTC"):
                moment = datetime.fromisoformat(text)
                return None if moment.tzinfo is None else _whole((moment - _EPOCH) // _MICROSECOND, 1000, self)
            found = _parse_datetime(text if self.zone is None else text.removesuffix(" UTC"))
            return None if found is None else _whole(found, 1, self)
        except (ValueError, OverflowError):
            return None

    def format(self, tick: int) -> str:
        """A tick as text: 2020-02-29, 2020-02-29 13:30:00+01:00, 1d 2h 3.5s, 13:30:00."""
        if self.family == "duration":
            return _format_duration(tick * _TICKS[self.unit])
        if self.family == "time":
            return (datetime.min + timedelta(microseconds=tick)).time().isoformat()
        if self.zone is not None:
            return _format_instant(tick, self.unit, self.zone)
        return _format_datetime(tick, self.unit)


def _whole(ticks: int, nanoseconds: int, meaning: Temporal) -> int | None:
    """Ticks of so many nanoseconds in the unit of a column; None between two, and where 64 bits do not reach."""
    found, rest = divmod(ticks * nanoseconds, meaning.nanoseconds)
    return found if not rest and _LEAST < found <= _MOST else None


def parse_temporal(dtype: str) -> Temporal | None:
    """The meaning of a schema's dtype, or None if it names plain numbers."""
    match = _NAMES.fullmatch(dtype)
    if match is None:
        return None
    if dtype in ("date", "time"):
        return Temporal(dtype, "D" if dtype == "date" else "us")
    if match[1]:
        return Temporal("datetime", match[1], match[2])
    return Temporal("duration", match[3])


def read_times(array: Array, column: str, zone: str | None = None) -> Numbers:
    """Numbers from a numpy array of datetime64 or timedelta64."""
    kind, unit = array.dtype.kind, np.datetime_data(array.dtype)[0]
    unit = _COARSE[kind].get(unit, unit) if unit != "generic" else "s"
    if unit not in _TICKS:
        raise ColumnTypeError(
            f"Column {column!r} counts time in {unit}, which is finer than bough keeps. "
            f"Convert it to nanoseconds first, for example with .astype('{kind}8[ns]')."
        )
    missing = np.isnat(array)
    if kind == "M":
        meaning = Temporal("date", unit) if unit == "D" else Temporal("datetime", unit, zone)
    else:
        meaning = Temporal("duration", unit)
    data = array.astype(f"{kind}8[{unit}]", copy=False).view(np.int64)
    return Numbers(data, missing if missing.any() else None, meaning.dtype)


def _in_utc(value: np.datetime64) -> Any:
    """An instant as a datetime; numpy's own where Python has no such year or no such fraction of a second."""
    plain = value.astype("M8[us]")
    item = plain.item()
    return item.replace(tzinfo=UTC) if isinstance(item, datetime) and plain == value else value


def _format_datetime(tick: int, unit: str) -> str:
    day, _, clock = str(np.array(tick, dtype=f"M8[{unit}]")).partition("T")
    whole, _, fraction = clock.partition(".")
    fraction = fraction.rstrip("0")
    if fraction:
        return f"{day} {whole}.{fraction}"
    return day if whole in ("", "00:00:00") else f"{day} {whole}"


def _format_instant(tick: int, unit: str, zone: str) -> str:
    """In the column's own time zone where Python knows it and can hold the date, else in UTC."""
    nanoseconds = tick * _TICKS[unit]
    try:
        local = (_EPOCH + timedelta(microseconds=nanoseconds // 1000)).astimezone(zoneinfo.ZoneInfo(zone))
    except (OverflowError, ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return f"{_format_datetime(tick, unit)} UTC"
    return f"{_format_datetime(tick, unit)} UTC" if nanoseconds % 1000 else local.isoformat(sep=" ")


def _format_duration(nanoseconds: int) -> str:
    """Like 1d 2h 3m 4.5s, with a sign in front and without the parts that are zero."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    days, rest = divmod(rest, _TICKS["D"])
    hours, rest = divmod(rest, 3600 * _TICKS["s"])
    minutes, rest = divmod(rest, 60 * _TICKS["s"])
    seconds, fraction = divmod(rest, _TICKS["s"])
    tail = f"{seconds}.{fraction:09d}".rstrip("0").rstrip(".") if fraction else str(seconds)
    parts = [f"{count}{name}" for count, name in ((days, "d"), (hours, "h"), (minutes, "m")) if count]
    if tail != "0" or not parts:
        parts.append(f"{tail}s")
    return sign + " ".join(parts)


def _parse_datetime(text: str) -> int | None:
    """Nanoseconds since 1970 of what `_format_datetime` writes; exact in any year, where numpy would wrap around."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    day = np.datetime64(found[1], "D")
    if day.astype("M8[Y]").astype(int) + 1970 != int(found[2]):
        return None
    clock = np.datetime64(f"1970-01-01T{found[3] or '00:00'}", "ns")
    return int(day.astype(np.int64)) * _TICKS["D"] + int(clock.astype(np.int64))


def _parse_duration(text: str) -> int | None:
    """Nanoseconds of what `_format_duration` writes."""
    found = _SPAN.fullmatch(text)
    if found is None or not any(found.groups()[1:]):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:5])
    whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    nanoseconds = whole * _TICKS["s"] + int((found[6] or "").ljust(9, "0"))
    return -nanoseconds if found[1] else nanoseconds
