"""A schema from rules alone: which columns they ask, which of them hold numbers or times, and which levels occur.

A text says less than a table. Numbers and dates make a numeric column, also where they are compared by = alone; labels
and sets of several values make a nominal one. An ordered column cannot be told from its text.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bough.model.answer.labels import sorted_labels
from bough.model.features import Number
from bough.model.rules.tokens import Tokens, Value
from bough.model.rules.written import Written, read_label
from bough.table import Column, Schema
from bough.table.temporal import parse_temporal

__all__ = ["infer_columns"]

_TIMES = ("date", "time", "datetime64[us]", "datetime64[us, UTC]", "timedelta64[us]", "datetime64[ns]",
          "datetime64[ns, UTC]", "timedelta64[ns]")  # fmt: skip
_EXACT = 2**53  # whole numbers up to this are doubles


@dataclass
class _Asked:
    """What the rules compare a column with: by size, and as labels; `parted`: one of several labels is asked for."""

    sized: list[Value] = field(default_factory=list)
    named: list[Value] = field(default_factory=list)
    summed: bool = False
    parted: bool = False


def infer_columns(rules: Iterable[Written], tokens: Tokens) -> Schema:
    """The columns of rules in the order in which they come."""
    found: dict[str, _Asked] = {}
    for rule in rules:
        for atom in rule.atoms:
            for term in atom.terms:
                asked = found.setdefault(term.column.value, _Asked())
                if term.level is None:
                    asked.summed = True
                else:
                    asked.named.append(term.level)
                    asked.parted = True
            if atom.column is None:
                continue
            asked = found.setdefault(atom.column.value, _Asked())
            if atom.sign == "in":
                asked.named += atom.values
                asked.parted |= len(atom.values) > 1
            else:
                asked.sized += atom.values
    if not found:
        tokens.refuse(0, "the rules ask for no column: give the table, a schema or a model that they are for.")
    return Schema(tuple(_column(name, asked, tokens) for name, asked in found.items()))


def _column(name: str, asked: _Asked, tokens: Tokens) -> Column:
    values = asked.sized + asked.named
    plain = all(value.is_number or value.is_date for value in values)
    if asked.sized or asked.summed:
        for value in asked.named:
            if asked.parted or not (value.is_number or value.is_date):
                told = f"{name!r:.60} is compared by size and by its levels: give a schema or a table."
                tokens.refuse(value.at, told)
        for value in asked.sized:
            if not (value.is_number or value.is_date):
                tokens.refuse(
                    value.at,
                    f"expected a number or a DATE to compare {name!r:.60} with; found {value.text!r:.60}. If it is a "
                    "level of an ordered column, give a schema or a table that says so.",
                )
    elif asked.parted or not plain or not values:
        labels = (read_label(tokens, value).value for value in asked.named)
        return Column(name, "nominal", "levels", tuple(sorted_labels(labels)))
    return Column(name, "numeric", _dtype(name, values, tokens))


def _dtype(name: str, values: list[Value], tokens: Tokens) -> str:
    """The type of a column that is compared with these numbers and dates; numbers among dates count ticks."""
    dates = [value for value in values if value.is_date]
    if not dates:
        whole: list[Number] = [value.value for value in values if type(value.value) is int]
        if max(map(abs, whole), default=0) <= _EXACT:
            return "float64"
        return "uint64" if max(whole) >= 2**63 and min(whole) >= 0 else "int64"
    for dtype in _TIMES:
        meaning = parse_temporal(dtype)
        if meaning is not None and all(meaning.parse(value.value) is not None for value in dates):
            return dtype
    told = f'the dates that {name!r:.60} is compared with are not times of one kind, such as DATE "2020-02-29".'
    return tokens.refuse(dates[0].at, told)
