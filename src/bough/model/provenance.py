"""Provenance: where a model came from. Which table, how it was read, when, by which version of bough, with which seed.

A model file is passed on without its table; its provenance says whether a table at hand is the one that it was trained
on, and how to read another like it. It has no say in any answer, and two models that differ in it alone are the same.
Of a file only the name is kept, never the folder that it lay in.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from bough import _core
from bough.errors import ModelFormatError, ParameterError
from bough.model.strict import expect_keys, show
from bough.model.text import counted
from bough.table.format import format_text

__all__ = ["Origin", "Provenance", "fit_time", "provenance_of"]

_DIGEST = re.compile("[0-9a-f]{32}")
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_CLOCK = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/docs/source-date-epoch


@dataclass(frozen=True)
class Origin:
    """The file that a table was read from by the command line, with the options that said how.

    Parameters
    ----------
    name : str
        Without its folder.
    format : str
        "csv", "xlsx", "parquet", "ipc", "jsonl" or "bundled".
    sheet : str, optional
        Of a workbook.
    separator, header, decimal, encoding : optional
        None: guessed, or the usual one.
    missing : tuple of str
        The text of missing cells, if not the usual.
    numeric, date, nominal, drop : tuple of str
        Columns that were read otherwise than guessed, or left out.
    """

    name: str
    format: str
    sheet: str | None = None
    separator: str | None = None
    header: bool | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    @property
    def options(self) -> str:
        """The options as they are typed."""
        words = []
        for field in fields(self)[2:]:
            value = getattr(self, field.name)
            if isinstance(value, bool):
                words.append(f"--{'' if value else 'no-'}{field.name}")
                continue
            given = value if isinstance(value, tuple) else () if value is None else (value,)
            words += [f"--{field.name} {_typed(one)}" for one in given]
        return " ".join(words)

    def to_json(self) -> dict[str, Any]:
        """As plain data for a model file."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_json(cls, data: Any, place: str) -> "Origin":
        """Read what `to_json` wrote; a ModelFormatError says where anything else was found."""
        expect_keys(data, {field.name for field in fields(cls)}, place)
        read: dict[str, Any] = {}
        for field in fields(cls):
            value = data[field.name]
            if field.name == "header":
                _expect(value is None or isinstance(value, bool), "true, false or null", value, f"{place}.header")
            elif isinstance(field.default, tuple):
                whole = isinstance(value, list) and all(isinstance(one, str) for one in value)
                _expect(whole, "a list of strings", value, f"{place}.{field.name}")
                value = tuple(value)
            else:
                fits = isinstance(value, str) or (value is None and field.name not in ("name", "format"))
                _expect(fits, "a string", value, f"{place}.{field.name}")
            read[field.name] = value
        return cls(**read)


@dataclass(frozen=True)
class Provenance:
    """Where a model came from: print it; `bough show MODEL --provenance` does.

    Attributes
    ----------
    table : str
        The digest of the training table as it was read: names, values and levels of the columns, target and weights.
        The same for the same table in pandas, polars, Arrow or numpy.
    rows : int
        Of the table.
    used : int
        Rows of positive weight.
    columns : int
        Inputs.
    target : str
        Its name.
    time : str
        When it was fitted, in UTC, as in 2026-11-16T08:30:00Z; the environment variable SOURCE_DATE_EPOCH sets it.
    library : str
        The version of bough.
    seed : int or None
        `random_state`, if that is a number.
    origin : Origin or None
        The file and how it was read, if the command line read it.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.CARTClassifier(random_state=0).fit(X, y).provenance_
    >>> found.rows, found.columns, found.target, found.seed
    (344, 7, 'species', 0)
    >>> found.table == bough.C45Classifier().fit(X, y).provenance_.table
    True
    """

    table: str
    rows: int
    used: int
    columns: int
    target: str
    time: str
    library: str = _core.__version__
    seed: int | None = None
    origin: Origin | None = None

    @property
    def data_line(self) -> str:
        """The table in one line."""
        where = "a table in memory" if self.origin is None else format_text(self.origin.name)
        if self.origin is not None and self.origin.sheet is not None:
            where += f", sheet {format_text(self.origin.sheet)}"
        rows = counted(self.rows, "row") + (f" ({self.used:,} of positive weight)" if self.used < self.rows else "")
        named = format_text(self.target)
        return f"trained on {where}: {rows}, {counted(self.columns, 'column')}, target {named}, digest {self.table}"

    @property
    def table_line(self) -> str:
        """Which table it was, in one line that says the same wherever the table lies."""
        return f"table of {counted(self.columns, 'column')}, digest {self.table}"

    @property
    def fit_line(self) -> str:
        """When and by what it was fitted, in one line."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        options = "" if self.origin is None or not self.origin.options else f"; read with {self.origin.options}"
        return f"fitted {self.time} by bough {self.library}{seed}{options}"

    @property
    def lines(self) -> tuple[str, str]:
        """The two lines that stand in the head of reports and exports."""
        return self.data_line, self.fit_line

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def to_json(self) -> dict[str, Any]:
        """As plain data for a model file."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**data, "origin": None if self.origin is None else self.origin.to_json()}

    @classmethod
    def from_json(cls, data: Any, place: str = "$.provenance") -> "Provenance":
        """Read what `to_json` wrote; a ModelFormatError says where anything else was found."""
        expect_keys(data, {field.name for field in fields(cls)}, place)
        known: dict[str, tuple[str, Callable[[Any], bool]]] = {
            "table": ("32 hexadecimal digits", lambda text: isinstance(text, str) and bool(_DIGEST.fullmatch(text))),
            "rows": ("a number of at least 1", lambda number: type(number) is int and number >= 1),
            "used": ("a number of rows", lambda number: type(number) is int and 0 <= number <= data["rows"]),
            "columns": ("a number of at least 1", lambda number: type(number) is int and number >= 1),
            "target": ("a string", lambda text: isinstance(text, str)),
            "time": ("a time such as 2026-11-16T08:30:00Z", _is_time),
            "library": ("a string", lambda text: isinstance(text, str)),
            "seed": ("a whole number or null", lambda number: number is None or type(number) is int),
        }
        for name, (wanted, fits) in known.items():
            _expect(fits(data[name]), wanted, data[name], f"{place}.{name}")
        origin = None if data["origin"] is None else Origin.from_json(data["origin"], f"{place}.origin")
        return cls(**{**data, "origin": origin})


def fit_time() -> str:
    """The time of a fit: now, or what SOURCE_DATE_EPOCH says, so that the same fit can give the same file."""
    given = os.environ.get(_CLOCK)
    if given is None:
        return datetime.now(UTC).strftime(_TIME)
    try:
        return datetime.fromtimestamp(int(given), UTC).strftime(_TIME)
    except (ValueError, OverflowError, OSError):
        raise ParameterError(
            f"the environment variable {_CLOCK} must hold whole seconds since 1970; it holds {given!r:.40}."
        ) from None


def provenance_of(given: Any) -> Provenance | None:
    """The provenance of a fitted estimator; None for models that have none, such as trees made by hand."""
    found = getattr(given, "provenance_", None)
    return found if isinstance(found, Provenance) else None


def _typed(text: str) -> str:
    """A value as it is typed in a shell."""
    return text if re.fullmatch(r"[\w.,+:@%/-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _is_time(text: Any) -> bool:
    if not isinstance(text, str):
        return False
    try:
        return datetime.strptime(text, _TIME).strftime(_TIME) == text
    except ValueError:
        return False


def _expect(fits: bool, wanted: str, value: Any, place: str) -> None:
    if not fits:
        raise ModelFormatError(f"expected {wanted}, found {show(value)}", place)
