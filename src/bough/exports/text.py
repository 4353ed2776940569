"""What all text writers need: names and labels that survive the target, comments that cannot break out, numbers."""

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from bough.errors import ExportError
from bough.model.program.program import Between, Field, Program
from bough.table.temporal import parse_temporal

__all__ = [
    "check_labels",
    "check_text",
    "comment",
    "exact_decimal",
    "label_value",
    "refuse_large",
    "refuse_large_labels",
    "refuse_large_origins",
    "refuse_networks",
    "refuse_pool",
    "refuse_uncovered",
    "times_note",
    "unique_names",
    "unit_of",
]

_ODD = re.compile(r"[^ !#-)+-.0-\[\]-~]")  # all but plain characters that mean nothing in any comment


def check_text(text: str, what: str, target: str, *, nul: bool = False) -> str:
    """Refuse what no text of the target can hold: halves of surrogate pairs and, mostly, NUL."""
    if not nul and "\0" in text:
        raise ExportError(
            f"{what} {text!r:.60} holds a NUL character, which {target} cannot hold. "
            'Rename it, or export to "python" or "json", which can.'
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ExportError(f"{what} {text!r:.60} is not valid Unicode text, which {target} needs. Rename it.") from None
    return text


def comment(text: str) -> str:
    """Words for a comment in any language: on one line, and nothing that ends or continues a comment."""
    short = text if len(text) <= 160 else text[:157] + "..."
    return _ODD.sub("_", short)


def label_value(label: Any) -> str | bool | int | float:
    """A level or class as another program has it: text, bool or number; labels of other types are text."""
    if isinstance(label, np.str_ | np.bool_ | np.number):
        label = label.item()
    return label if isinstance(label, str | bool | int | float) else str(label)


_UNITS = {"D": "days", "s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_COUNTED = ("c", "javascript", "json", "onnx", "pmml")


def unit_of(field: Field) -> str:
    """What the numbers of a column of times count; empty for others."""
    meaning = parse_temporal(field.column.dtype) if field.kind == "ticks" else None
    if meaning is None:
        return ""
    since = {"date": " since 1970-01-01", "time": " since midnight", "duration": ""}
    moment = f" since 1970-01-01 00:00{' UTC' if meaning.zone else ''}"
    return _UNITS[meaning.unit] + since.get(meaning.family, moment)


def times_note(program: Program, target: str) -> str:
    """What a user should know of the times that a target takes."""
    if target not in _COUNTED:
        return ""
    told = [f"{field.name!r:.40} counts {unit_of(field)}" for field in program.fields if field.kind == "ticks"]
    return ", ".join([*told[:4], f"{len(told) - 4} more columns are counts"] if len(told) > 5 else told)


def check_labels(program: Program, target: str) -> None:
    """Refuse columns whose levels are of several types: one column of another program holds one type."""
    for field in program.fields:
        if field.labels == "mixed":
            raise ExportError(
                f"column {field.name!r:.60} has levels of several types, or of one that {target} does not have: "
                'convert it to text before training, or export to "python" or "json", which can tell them apart.'
            )


def exact_decimal(number: float) -> bool:
    """Whether the short decimal of a number is the number itself, so that any reader finds it."""
    return Decimal(repr(number)) == Decimal(number)


def unique_names(wanted: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Names that differ even if case does not count; later ones get a number."""
    used = {name.lower() for name in taken}
    names = []
    for name in wanted:
        new, count = name, 2
        while new.lower() in used:
            new, count = f"{name}_{count}", count + 1
        used.add(new.lower())
        names.append(new)
    return names


def refuse_large(program: Program, target: str) -> None:
    """Refuse whole numbers that doubles do not tell apart, for targets that compare doubles."""
    for term in program.terms:
        if not isinstance(term, Between) or program.asked[term.field].kind == "real":
            continue
        for edge in (term.above, term.below):
            if edge is not None and math.isfinite(edge.number) and abs(edge.number) >= 2**53:
                raise ExportError(
                    f"column {program.fields[term.field].name!r:.60} is compared with {edge.number}, and {target} "
                    "compares doubles, which do not tell whole numbers beyond 2**53 apart. Export to "
                    '"c", "javascript", "python" or "sql", or train on smaller numbers, such as coarser units of time.'
                )


def refuse_large_origins(program: Program, target: str) -> None:
    """Refuse sums of whole numbers or times about an origin beyond what doubles tell apart, likewise."""
    for derived in program.derived:
        for term in (factor for addend in derived.terms for factor in addend.factors):
            if abs(term.origin) >= 2**53:
                raise ExportError(
                    f"the node that asks {derived.name:.200} counts {program.fields[term.field].name!r:.60} from "
                    f"{term.origin} on, and {target} knows doubles only, which do not tell whole numbers beyond 2**53 "
                    'apart. Export to "c", "javascript", "python" or "sql", or train on coarser units of time.'
                )


def refuse_networks(program: Program, target: str) -> None:
    """Refuse networks, for targets that have no tanh that is exact enough."""
    if program.network:
        raise ExportError(
            f"the node that asks {program.network:.200} needs a hyperbolic tangent that is exact, which {target} does "
            'not promise. Export to "c", "javascript", "python" or "onnx".'
        )


def refuse_large_labels(program: Program, target: str, *, classes: int | None = 2**53) -> None:
    """Refuse levels that doubles do not tell apart, and classes that the target does not: those from `classes` on."""

    def refuse(what: str, number: int) -> ExportError:
        return ExportError(
            f"{what} {number}, a whole number that {target} does not tell from its neighbours. Make it text before "
            'training, or export to "python", "json" or "sql".'
        )

    for field in program.fields:
        for level in field.levels if field.labels == "number" else ():
            if isinstance(level, int) and abs(level) >= 2**53:
                raise refuse(f"column {field.name!r:.60} has the level", level)
    for label in program.classes:
        if classes is not None and isinstance(label, int) and abs(label) >= classes:
            raise refuse("there is the class", label)


def refuse_uncovered(program: Program, target: str) -> None:
    """Refuse a list of rules without a default, for targets that answer every case."""
    if program.uncovered:
        raise ExportError(
            f"{target} must answer every case, and here it may be that {program.uncovered}. Give the list a default, "
            'or export to "python", "json", "javascript", "c" or "sql", which can refuse a case.'
        )


def refuse_pool(program: Program, target: str) -> None:
    """Refuse rules that vote or add up their counts, for targets without a word for it."""
    if program.pool is not None:
        raise ExportError(
            f"an export to {target} has no word for rules that answer together, by votes or by counts added up, as "
            'these do. Export to "sql", "python", "c", "javascript" or "pmml".'
        )
