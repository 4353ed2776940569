"""What to say where a column or a level is not known: the nearest name, or those that there are."""

import difflib
from collections.abc import Iterable, Sequence
from itertools import islice

__all__ = ["nearest", "no_column", "no_level"]

_MOST, _LONGEST = 5000, 80  # names that are compared, and their characters: a message may not take seconds
_LISTED = 10


def nearest(text: str, known: Iterable[str]) -> str | None:
    """The known text that was likely meant; None if none is near.

    Examples
    --------
    >>> from bough.model.hints import nearest
    >>> nearest("colr", ["size", "color"]), nearest("1", ['"1"', '"2"'])
    ('color', '"1"')
    """
    short = [name for name in islice(known, _MOST) if len(name) <= _LONGEST]
    for name in short:
        if name.strip('"').lower() == text.strip('"').lower():
            return name
    near = difflib.get_close_matches(text[:_LONGEST], short, n=1)
    return near[0] if near else None


def no_column(name: str, names: Sequence[str]) -> str:
    """That there is no such column, and which was likely meant."""
    near = nearest(name, names)
    known = ", ".join(map(repr, names[:_LISTED])) + (", ..." if len(names) > _LISTED else "")
    told = f"there are {known}." if near is None else f"did you mean {near!r:.60}?"
    return f"there is no column {name!r:.60}; {told}"


def no_level(column: str, level: str, levels: Sequence[str]) -> str:
    """That a column has no such level, and which was likely meant; levels as they are written."""
    near = nearest(level, levels)
    known = ", ".join(levels[:_LISTED]) + (", ..." if len(levels) > _LISTED else "")
    told = f"its levels: {known}." if near is None else f"did you mean {near:.60}?"
    return f"{column!r:.60} has no level {level!r:.60}; {told}"
