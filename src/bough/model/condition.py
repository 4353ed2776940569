"""The condition that leads to a branch, in words: what a threshold, a set, intervals or a conjunction ask for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from bough.model.text import level_set, significant
from bough.table import Column, format_label, format_text, format_value

if TYPE_CHECKING:
    from bough.model.split import Split, Term

__all__ = ["describe", "describe_short", "number_text"]


def describe(split: "Split", branch: int, *, exact: bool, most_levels: int | None, ellipsis: str) -> str:
    """See `Split.describe`."""
    name = format_text(split.column)
    if split.missing_alone and branch == split.missing_branch:
        asked = dict.fromkeys(term.column for term in split.terms or ())
        return f"{' or '.join(format_text(column) for column in asked) or name} is missing"
    if split.kind == "levels":
        if split.asks_missing:
            return f"{name} is known"
        return f"{name} in {_set_text(split, branch, most_levels, ellipsis)}"
    if split.kind == "conjunction":
        return _terms_text(split.terms or (), holds=branch == split.low)
    if split.kind == "intervals":
        return _intervals_text(split, branch, name, exact=exact)
    low, high = _signs(split)
    assert split.raw_threshold is not None  # noqa: S101
    text = number_text(split.schema_column, split.raw_threshold, split.side or "le", exact=exact)
    return f"{name} {low if branch == split.low else high} {text}"


def describe_short(split: "Split", branch: int, *, most_levels: int | None, ellipsis: str) -> str:
    """The condition of a branch where the column is named elsewhere: ``<= 38.5``, ``A, C``, ``(2, 5]``."""
    if split.missing_alone and branch == split.missing_branch:
        return "missing"
    if split.kind == "levels":
        return "known" if split.asks_missing else _set_text(split, branch, most_levels, ellipsis)[1:-1]
    if split.kind == "conjunction":
        return "yes" if branch == split.low else "no"
    if split.kind == "intervals":
        return _intervals_text(split, branch, None, exact=False)
    low, high = _signs(split)
    assert split.raw_threshold is not None  # noqa: S101
    text = number_text(split.schema_column, split.raw_threshold, split.side or "le", exact=False)
    return f"{low if branch == split.low else high} {text}"


def number_text(column: Column, raw: float | int, side: Literal["le", "lt"], *, exact: bool) -> str:
    """A threshold or an edge as text: with all its digits, or as a short decimal."""
    digits = significant(raw) if isinstance(raw, float) and not exact else None
    return format_value(column, raw, side=side, digits=digits)


def _signs(split: "Split") -> tuple[str, str]:
    """What stands before a number that bounds from above, and from below."""
    return ("<=", ">") if split.side == "le" else ("<", ">=")


def _set_text(split: "Split", branch: int, most: int | None, ellipsis: str) -> str:
    codes, branches = split.level_codes
    own = codes[branches == branch]
    shown = own if most is None or len(own) <= most else own[: max(most, 1)]
    labels = split.schema_column.levels or ()
    return level_set((labels[code] for code in shown.tolist()), len(own) - len(shown), ellipsis)


def _terms_text(terms: "Sequence[Term]", *, holds: bool) -> str:
    """All terms, or where they do not all hold, the opposite of one or another."""
    signs = [("=" if holds != term.negated else "!=") for term in terms]
    texts = [
        f"{format_text(term.column)} {sign} {format_label(term.level)}" for term, sign in zip(terms, signs, strict=True)
    ]
    return (" and " if holds else " or ").join(texts)


def _intervals_text(split: "Split", branch: int, name: str | None, *, exact: bool) -> str:
    """The intervals of a branch; without a name, those with two ends in brackets."""
    edges, branches = split.raw_edges or (), split.interval_branches or ()
    runs: list[list[int]] = []  # the intervals of the branch, neighbours together
    for number, own in enumerate(branches):
        if own != branch:
            continue
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    below, above = _signs(split)
    first = {">": "<", ">=": "<="}[above]  # the same, read from the left
    column, side = split.schema_column, split.side or "le"
    own_name = "" if name is None else f"{name} "
    brackets = "(]" if split.side != "lt" else "[)"
    texts = []
    for begin, end in runs:
        low = number_text(column, edges[begin - 1], side, exact=exact) if begin > 0 else None
        high = number_text(column, edges[end], side, exact=exact) if end < len(edges) else None
        if low is not None and high is not None:
            between = f"{low} {first} {name} {below} {high}"
            texts.append(f"{brackets[0]}{low}, {high}{brackets[1]}" if name is None else between)
        elif high is not None:
            texts.append(f"{own_name}{below} {high}")
        elif low is not None:
            texts.append(f"{own_name}{above} {low}")
        else:
            texts.append("known" if name is None else f"{name} is known")
    return " or ".join(texts) or f"{own_name}in {{}}"
