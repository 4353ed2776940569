"""The grammar of rules: from tokens to what is written, before anyone asks which columns and levels there are.

    rules    { [RULE name:] IF condition THEN answer } [OTHERWISE answer]
    condition  TRUE | literal AND literal ... [OR literal AND literal ...]
    literal    (name comparison | terms bound) [OR MISSING]
    answer     a class | a number | {class: share, ...}

Nothing is nested, so nothing recurses; `parse_rules` explains the language to users.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from bough.model.rules.spell import label_text, read_date
from bough.model.rules.tokens import Tokens, Value
from bough.table import OtherLabel

__all__ = ["Answer", "Atom", "Written", "read_answer", "read_rules"]

Answer: TypeAlias = Value | tuple[tuple[Value, Value], ...]
"""A class or a number, or classes with their shares."""

_BOUNDS = ("<=", "<", ">", ">=")
_VALUES = ("name", "string", "number", "-", "+", "INF", "TRUE", "FALSE", "DATE", "BYTES", "OTHER")


class Term(NamedTuple):
    """A weight, and a column or one of its levels."""

    weight: float
    column: Value
    level: Value | None


class Atom(NamedTuple):
    """A literal as it is written. `sign` is a comparison, "in", "between", "missing" or "known"."""

    column: Value | None
    sign: str
    values: tuple[Value, ...] = ()
    negated: bool = False
    closed: tuple[bool, bool] = (True, True)
    terms: tuple[Term, ...] = ()
    at: int = 0
    or_missing: bool = False


class Written(NamedTuple):
    """A rule as it is written, or what is said otherwise; `at` is the place of the answer."""

    name: str
    atoms: tuple[Atom, ...]
    says: Answer
    at: int
    is_default: bool = False


def read_rules(tokens: Tokens) -> Iterator[Written]:
    """Rules in order; a condition with OR becomes several with one answer."""
    while not tokens.take("end"):
        if tokens.take("OTHERWISE"):
            at = tokens.next.at
            yield Written("", (), read_answer(tokens), at, is_default=True)
            tokens.expect("end", "the end of the text, since OTHERWISE comes last")
            return
        name = ""
        if tokens.take("RULE"):
            name = _rule_name(tokens)
            tokens.expect(":")
            tokens.expect("IF")
        else:
            tokens.expect("IF", "IF, RULE or OTHERWISE")
        condition = _condition(tokens)
        tokens.expect("THEN", "AND, OR or THEN" if condition[0] else "THEN")
        at = tokens.next.at
        says = read_answer(tokens)
        for atoms in condition:
            yield Written(name, atoms, says, at)


def _rule_name(tokens: Tokens) -> str:
    number = tokens.take("number")
    return number.text if number is not None else str(tokens.name("the name of the rule").value)


# Conditions


def _condition(tokens: Tokens) -> list[tuple[Atom, ...]]:
    if tokens.take("TRUE"):
        return [()]
    found: list[tuple[Atom, ...]] = []
    atoms: list[Atom] = []
    while True:
        atom = _literal(tokens)
        other = tokens.take("OR")
        if other is not None and tokens.take("MISSING"):
            atom, other = atom._replace(or_missing=True), tokens.take("OR")
        atoms.append(atom)
        if other is None and tokens.take("AND"):
            continue
        found.append(tuple(atoms))
        atoms = []
        if other is None:
            return found


def _literal(tokens: Tokens) -> Atom:
    at = tokens.next.at
    if tokens.next.kind in ("number", "-", "+", "["):
        return _sum(tokens, at, [])
    column = tokens.name("a column")
    if tokens.next.kind in ("+", "-"):
        return _sum(tokens, at, [Term(1.0, column, None)])
    if tokens.take("IS"):
        asked = tokens.take("MISSING", "KNOWN")
        return Atom(column, asked.kind.lower(), at=at) if asked else tokens.fail("MISSING or KNOWN")
    negated = tokens.take("NOT") is not None
    if negated:
        tokens.expect("IN")
    if negated or tokens.take("IN"):
        return _among(tokens, column, negated)._replace(at=at)
    sign = tokens.take("=", "!=", *_BOUNDS)
    if sign is None:
        tokens.fail("a comparison (=, !=, <, <=, >, >=), IN, NOT IN or IS")
    if sign.kind in ("=", "!="):
        return Atom(column, "in", (_value(tokens, "a level or a number"),), sign.kind == "!=", at=at)
    return Atom(column, sign.kind, (_value(tokens, "a number, a DATE or an ordered level"),), at=at)


def _among(tokens: Tokens, column: Value, negated: bool) -> Atom:
    """What follows IN: levels in braces, or an interval."""
    if tokens.take("{"):
        labels = [_value(tokens, "a level")]
        while tokens.take(","):
            labels.append(_value(tokens, "a level"))
        tokens.expect("}", "',' or '}'")
        return Atom(column, "in", tuple(labels), negated)
    opens = tokens.take("[", "(")
    if opens is None:
        tokens.fail("levels in braces, {A, B}, or an interval, (2.5, 7.0]")
    low = _value(tokens, "the lower end of the interval")
    tokens.expect(",")
    high = _value(tokens, "the upper end of the interval")
    closes = tokens.take("]", ")")
    if closes is None:
        tokens.fail("']' or ')'")
    return Atom(column, "between", (low, high), negated, (opens.kind == "[", closes.kind == "]"))


def _sum(tokens: Tokens, at: int, terms: list[Term]) -> Atom:
    """Terms up to the comparison, and the bound."""
    while True:
        sign = tokens.take("-", "+") if terms else tokens.take("-")
        if terms and sign is None:
            break
        terms.append(_term(tokens, -1.0 if sign is not None and sign.kind == "-" else 1.0))
    bound = tokens.take(*_BOUNDS)
    if bound is None:
        tokens.fail("'+', '-', or the bound of the sum (<, <=, >, >=)")
    return Atom(None, bound.kind, (tokens.number("a number, the bound of the sum"),), terms=tuple(terms), at=at)


def _term(tokens: Tokens, factor: float) -> Term:
    """One term; `factor` is the sign before it."""
    weight = factor
    if tokens.next.kind in ("number", "-", "+", "INF"):
        number = tokens.number("a number")
        try:
            weight *= number.value
        except OverflowError:
            tokens.refuse(number.at, "this is too large a weight.")
        tokens.expect("*")
    if tokens.take("["):
        column = tokens.name("a column")
        tokens.expect("=")
        level = _value(tokens, "a level")
        tokens.expect("]")
        return Term(weight, column, level)
    return Term(weight, tokens.name("a column, or a level of one such as [job = A]"), None)


# Values and answers


def _value(tokens: Tokens, what: str) -> Value:
    """A label, number or date."""
    kind, at = tokens.next.kind, tokens.next.at
    if kind in ("name", "string") or kind not in _VALUES:
        return tokens.name(what)
    if kind in ("number", "-", "+", "INF"):
        return tokens.number(what)
    word = tokens.advance().text
    if kind in ("TRUE", "FALSE"):
        return Value(kind == "TRUE", at, word)
    if kind == "DATE":
        text = tokens.string('a date or time in quotes, such as DATE "2020-02-29"')
        return Value(text, at, f'DATE "{text}"', is_date=True)
    if kind == "OTHER":
        label = OtherLabel(tokens.string("the name of a type in quotes"), tokens.string("a text in quotes"))
        return Value(label, at, label_text(label))
    text = tokens.string("bytes in quotes")
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        tokens.refuse(at, "bytes are written as characters from \\u0000 to \\u00ff.")
    return Value(data, at, label_text(data))


def read_label(tokens: Tokens, value: Value) -> Value:
    """A value that is a level or a class: dates as Python has them."""
    if not value.is_date:
        return value
    label = read_date(value.value)
    if label is None:
        told = "is no date, time or duration, such as 2020-02-29, 13:30:00 or 1d 2h."
        tokens.refuse(value.at, f"{value.text:.60} {told}")
    return Value(label, value.at, value.text)


def read_answer(tokens: Tokens) -> Answer:
    """A class, a number, or classes with their shares."""
    if not tokens.take("{"):
        return read_label(tokens, _value(tokens, "an answer: a class, a number or {class: share, ...}"))
    pairs = []
    while True:
        label = read_label(tokens, _value(tokens, "a class"))
        tokens.expect(":")
        pairs.append((label, tokens.number("a share, which is a number")))
        if not tokens.take(","):
            tokens.expect("}", "',' or '}'")
            return tuple(pairs)
