"""What a user says of an export to SQL: the dialect, the table, the columns to carry; and how the result is named."""

from collections.abc import Sequence
from typing import Any

from bough.errors import ParameterError
from bough.exports.sql_dialect import DIALECTS, Dialect
from bough.exports.target import Options
from bough.exports.text import label_value, unique_names
from bough.model.program.program import Program

__all__ = ["answer_columns", "options_of"]


def options_of(program: Program, options: Options) -> tuple[Dialect, tuple[str, ...], list[str]]:
    """The dialect, the table (after its schema, if it has one) and the columns to carry."""
    name = options.more.get("dialect", "duckdb")
    if name not in DIALECTS:
        raise ParameterError(f"dialect must be one of {', '.join(DIALECTS)}; got {name!r}.")
    if options.more.get("connection") is not None and name != "postgresql":
        raise ParameterError(f'a connection is one to PostgreSQL: give dialect="postgresql" with it, not {name!r}.')
    return DIALECTS[name], _table(options.more.get("table", "input")), _key(program, options.more.get("key"))


def _table(given: Any) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, tuple | list) else ()
    if len(names) not in (1, 2) or not all(isinstance(name, str) and name for name in names):
        raise ParameterError(
            "table must be the name of a table, or the names of a schema and a table, as in ('public', 'people'); "
            f"got {given!r:.60}."
        )
    return names


def _key(program: Program, given: Any) -> list[str]:
    if given is None:
        return [field.name for field in program.fields]
    key = [given] if isinstance(given, str) else list(given) if isinstance(given, tuple | list) else []
    if not key or not all(isinstance(column, str) and column for column in key):
        raise ParameterError(f"key must be the name of a column or a list of names; got {given!r:.60}.")
    names = {field.name.lower(): field.name for field in program.fields}
    seen: set[str] = set()
    for column in key:
        if column.lower() in seen:
            raise ParameterError(f"key names the column {column!r:.60} twice; SQL does not tell upper and lower case.")
        if names.get(column.lower(), column) != column:
            raise ParameterError(
                f"key names {column!r:.60}, and the model reads {names[column.lower()]!r:.60}, which is the same "
                "column in SQL: write it as the model does."
            )
        seen.add(column.lower())
    return key


def answer_columns(program: Program, options: Options, key: Sequence[str]) -> tuple[str | None, list[str]]:
    """The names of the columns of the result beyond the key: the class or value, and the probabilities."""
    wanted = ["prediction"] if options.classes else []
    if program.is_classifier and options.probabilities:
        wanted += [f"probability_{label_value(label)}" for label in program.classes]
    names = unique_names(wanted, key)
    return (names[0], names[1:]) if options.classes else (None, names)
