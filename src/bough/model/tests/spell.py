"""Names, labels, numbers and conditions as exact text: all digits, nothing cut, quotes around what is ambiguous."""

import re
from collections.abc import Sequence
from typing import Any

from bough.model.features import ColumnValue, Number, Side
from bough.model.tests.conditions import Among, Between, Condition, Every
from bough.model.tests.test import Test
from bough.table import Column, Label, format_label, format_text
from bough.table.temporal import parse_temporal

__all__ = ["RESERVED", "condition_words", "label_words", "name_words", "number_words"]

RESERVED = frozenset(
    ("if", "then", "node", "elseif", "else", "and", "or", "in", "is", "class", "fit", "refused", "all")
)
"""Words of the listing: a name or label that has one of them is put in quotes."""

_PLAIN = re.compile(r"[^\W\d][\w.+*/%&()@#$^~:;?|-]*(?: [\w.+*/%&()@#$^~:;?|-]+)*")
_SIGNS: dict[Side, tuple[str, str, str]] = {"le": ("<=", ">", "<"), "lt": ("<", ">=", "<=")}


def name_words(text: str) -> str:
    """A name or a label that is text.

    Examples
    --------
    >>> from bough.model.tests.spell import name_words
    >>> print(name_words("no disease"), name_words("then"), name_words("a < b"), name_words("1"))
    no disease "then" "a < b" "1"
    """
    plain = _PLAIN.fullmatch(text) and RESERVED.isdisjoint(text.split(" ")) and len(text) <= 60
    if plain and format_text(text) == text:
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    signs = (f"\\{mark}" if mark in '"\\' else mark if mark.isprintable() else repr(mark)[1:-1] for mark in text)
    return f'"{"".join(signs)}"'


def label_words(label: Label) -> str:
    """A level or a class."""
    if isinstance(label, str):
        return name_words(label)
    if isinstance(label, bytes):
        return f"b{_quoted(label.decode('latin-1'))}"
    if isinstance(label, int):  # also bools; large ones in full
        return str(label)
    text = format_label(label)
    return text if text.isprintable() and len(text) <= 60 else _quoted(text)


def number_words(column: Column, number: Number, side: Side) -> str:
    """A threshold with all its digits: 38.0 is one of real numbers, 38 of whole ones; a time as what says the same."""
    if parse_temporal(column.dtype) is not None:
        return ColumnValue(0, column).text(number, side, exact=True)
    return repr(float(number)) if isinstance(number, float) else str(number)


def condition_words(test: Test, branch: int, columns: Sequence[Column]) -> str:
    """The condition that leads to a branch, as `tree_from` reads it."""
    if test.missing_alone and branch == test.missing_branch:
        return " or ".join(f"{name_words(columns[column].name)} is missing" for column in test.columns)
    texts = [_words(when, columns) for when in test.conditions(branch)]
    return " or ".join(texts) or f"{name_words(columns[test.column].name)} in {{}}"


def _words(when: Condition, columns: Sequence[Column]) -> str:
    if isinstance(when, Every):
        return " and ".join(_words(term, columns) for term in when.terms)
    if isinstance(when, Among):
        column = columns[when.column]
        labels: list[Any] = [label_words((column.levels or ())[code]) for code in when.codes]
        if len(labels) == 1:
            return f"{name_words(column.name)} {'!=' if when.negated else '='} {labels[0]}"
        return f"{name_words(column.name)} in {{{', '.join(labels)}}}"
    return _between(when)


def _between(when: Between) -> str:
    below, above, first = _SIGNS[when.side]
    feature = when.feature
    if isinstance(feature, ColumnValue):
        name = name_words(feature.column.name)
        low, high = (
            None if edge is None else number_words(feature.column, edge, when.side) for edge in (when.above, when.below)
        )
    else:
        name = feature.words(exact=True)
        low, high = (
            None if edge is None else feature.text(edge, when.side, exact=True) for edge in (when.above, when.below)
        )
    if low is not None and high is not None:
        return f"{low} {first} {name} {below} {high}"
    if high is not None:
        return f"{name} {below} {high}"
    return f"{name} is known" if low is None else f"{name} {above} {low}"
