"""What a model remembers of its training table: the name, kind and type of each column, and the levels of labels."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, TypeAlias

from bough.errors import ModelFormatError
from bough.table.levels import Label, label_from_json, label_key, label_to_json
from bough.table.temporal import parse_temporal

__all__ = ["KINDS", "UNSEEN", "Column", "Kind", "Schema"]

Kind: TypeAlias = Literal["numeric", "ordered", "nominal"]

KINDS: tuple[Kind, ...] = ("numeric", "ordered", "nominal")  # the kernel knows a kind by its position here
UNSEEN = -2  # the code of a level that no training row held

_NUMBER_TYPES = ("float64", "float32", "int64", "uint64", "null")


@dataclass(frozen=True)
class Column:
    """One column of the training table.

    Parameters
    ----------
    name : str
        Its name; columns of a nameless table are called x0, x1, ...
    kind : {"numeric", "ordered", "nominal"}
        Numbers and times split at thresholds, ordered levels between neighbours, nominal levels into sets.
    dtype : str
        "float64", "float32", "int64", "uint64", "date", "time", "datetime64[us]" or "datetime64[us, Europe/Paris]",
        "timedelta64[s]", "null" (no value was known); "levels" for the other two kinds.
    levels : tuple of labels, optional
        All declared levels; the code of a level is its position.
    unused : tuple of int
        Codes of declared levels that no training row of positive weight held: they count as never seen.

    Examples
    --------
    >>> from bough.table import Column
    >>> Column("size", "ordered", "levels", ("S", "M", "L"), unused=(1,)).n_levels
    3
    """

    name: str
    kind: Kind
    dtype: str
    levels: tuple[Label, ...] | None = None
    unused: tuple[int, ...] = ()

    @property
    def kind_code(self) -> int:
        """The kind as the kernel writes it: 0 numeric, 1 ordered, 2 nominal."""
        return KINDS.index(self.kind)

    @property
    def n_levels(self) -> int:
        """How many levels are declared; 0 for a numeric column."""
        return 0 if self.levels is None else len(self.levels)

    @cached_property
    def code_of(self) -> dict[Hashable, int]:
        """The code of each label by its key; those unused in training have the code of the unseen."""
        codes = {label_key(label): code for code, label in enumerate(self.levels or ())}
        for code in self.unused:
            codes[label_key((self.levels or ())[code])] = UNSEEN
        return codes

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # without the cached codes

    def to_json(self) -> dict[str, Any]:
        """As plain data for a model file."""
        if self.levels is None:
            return {"name": self.name, "kind": self.kind, "dtype": self.dtype}
        levels = [label_to_json(label) for label in self.levels]
        return {"name": self.name, "kind": self.kind, "levels": levels, "unused": list(self.unused)}

    @classmethod
    def from_json(cls, data: Any, place: str) -> "Column":
        """Read what `to_json` wrote; raise a ModelFormatError that says where anything else was found."""
        kind = data.get("kind") if isinstance(data, dict) else None
        if kind not in KINDS:
            raise ModelFormatError(f"a column needs a kind out of {', '.join(KINDS)}", place)
        _check_keys(
            data, {"name", "kind", "dtype"} if kind == "numeric" else {"name", "kind", "levels", "unused"}, place
        )
        if not isinstance(data["name"], str):
            raise ModelFormatError("the name of a column is a string", f"{place}.name")
        if kind == "numeric":
            dtype = data["dtype"]
            if not isinstance(dtype, str) or (dtype not in _NUMBER_TYPES and parse_temporal(dtype) is None):
                raise ModelFormatError("this is no type of numbers or times", f"{place}.dtype")
            return cls(data["name"], kind, dtype)
        levels = _list(data["levels"], f"{place}.levels")
        labels = tuple(label_from_json(level, f"{place}.levels[{i}]") for i, level in enumerate(levels))
        if len({label_key(label) for label in labels}) < len(labels):
            raise ModelFormatError("a level occurs twice", f"{place}.levels")
        unused = _list(data["unused"], f"{place}.unused")
        for i, code in enumerate(unused):
            if type(code) is not int or not (unused[i - 1] if i else -1) < code < len(labels):
                expected = f"rising codes below {len(labels)}"
                raise ModelFormatError(f"{code!r:.40} is out of order: expected {expected}", f"{place}.unused[{i}]")
        return cls(data["name"], kind, "levels", labels, tuple(unused))


@dataclass(frozen=True)
class Schema:
    """The columns of the training table in order.

    Parameters
    ----------
    columns : tuple of Column
    named : bool, default=True
        Whether the names came with the table. If so, columns are matched by name at prediction, else by position.

    Examples
    --------
    >>> from bough.table import build_table
    >>> schema = build_table({"age": [41, 52], "sex": ["f", "m"]}).schema
    >>> schema.names
    ('age', 'sex')
    >>> schema.columns[1].levels
    ('f', 'm')
    """

    columns: tuple[Column, ...]
    named: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def kind_codes(self) -> list[int]:
        """The kind of each column as the kernel writes it."""
        return [column.kind_code for column in self.columns]

    @property
    def level_counts(self) -> list[int]:
        """The number of declared levels of each column, 0 for numeric ones."""
        return [column.n_levels for column in self.columns]

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def to_json(self) -> dict[str, Any]:
        """As plain data for a model file."""
        return {"named": self.named, "columns": [column.to_json() for column in self.columns]}

    @classmethod
    def from_json(cls, data: Any, place: str = "$.schema") -> "Schema":
        """Read what `to_json` wrote.

        Parameters
        ----------
        data : dict
            The decoded JSON.
        place : str
            Where in the file it stands, for messages.

        Raises
        ------
        ModelFormatError
            If anything is missing, of the wrong type, out of range or unknown; its `place` says where.
        """
        _check_keys(data, {"named", "columns"}, place)
        if not isinstance(data["named"], bool):
            raise ModelFormatError("expected true or false", f"{place}.named")
        entries = _list(data["columns"], f"{place}.columns")
        if not entries:
            raise ModelFormatError("a table has at least one column", f"{place}.columns")
        columns = tuple(Column.from_json(entry, f"{place}.columns[{i}]") for i, entry in enumerate(entries))
        if data["named"]:
            seen: set[str] = set()
            for i, column in enumerate(columns):
                if column.name in seen:
                    raise ModelFormatError(f"the name {column.name!r:.60} occurs twice", f"{place}.columns[{i}].name")
                seen.add(column.name)
        return cls(columns, data["named"])


def _check_keys(data: Any, keys: set[str], place: str) -> None:
    if not isinstance(data, dict):
        raise ModelFormatError("expected an object", place)
    if data.keys() != keys:
        wrong = sorted(map(str, data.keys() ^ keys))
        raise ModelFormatError(f"expected the fields {', '.join(sorted(keys))}; missing or unknown: {wrong}", place)


def _list(data: Any, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise ModelFormatError("expected a list", place)
    return data
