"""The words and signs of a text of rules, one by one, each with its place: what messages point at.

A token is made when the parser comes to it, so that a long text needs little memory and the first fault ends the work.
"""

import math
import re
from typing import Any, NamedTuple, NoReturn

from bough.errors import ParameterError
from bough.model.rules.spell import is_keyword, read_string, read_whole

__all__ = ["FaultError", "Token", "Tokens", "Value", "is_double", "placed"]

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\r\n]*)
    |(?P<string>"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")
    |(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[^\W\d]\w*)
    |(?P<sign><=|>=|!=|[-<>={}\[\](),:+*])""",
    re.VERBOSE,
)
_BREAK = re.compile(r"\r\n|\r|\n")
_SHOWN = 60

# What other languages write, and what this one does.
_MEANT = {
    "==": "=", "=>": ">=", "=<": "<=", "<>": "!=", "≥": ">=", "≤": "<=", "&&": "AND", "&": "AND",
    "||": "OR", "|": "OR", "else": "OTHERWISE", "'": '"', ";": "a new line",
}  # fmt: skip


class FaultError(Exception):
    """A fault in the text and where it is, the number of a character; `placed` tells it to users."""

    def __init__(self, at: int, problem: str) -> None:
        super().__init__(problem)
        self.at = at


class Token(NamedTuple):
    """A word or sign: `kind` is name, string, number, end, the sign itself, or a keyword in capitals."""

    kind: str
    text: str
    at: int


class Value(NamedTuple):
    """A name, label, number or date as it was read. A date stays text until the column says what it counts."""

    value: Any
    at: int
    text: str
    is_date: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it can bound a column of numbers."""
        return type(self.value) in (int, float) and not self.is_date


def placed(text: str, fault: FaultError) -> ParameterError:
    """The error that tells a fault in a text with its line and column."""
    lines, start = 1, 0
    for found in _BREAK.finditer(text, 0, fault.at):
        lines, start = lines + 1, found.end()
    return ParameterError(f"line {lines}, column {fault.at - start + 1}: {fault}")


def is_double(number: int | float) -> bool:
    """Whether a double can hold a number, rounded or not."""
    try:
        float(number)
    except OverflowError:
        return False
    return True


class Tokens:
    """A text of rules, read from the left.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> from bough.model.rules.tokens import Tokens
    >>> tokens = Tokens("if age # in years")
    >>> tokens.take("IF"), tokens.next.text, tokens.take("THEN")
    (Token(kind='IF', text='if', at=0), 'age', None)
    >>> tokens.expect("THEN")
    Traceback (most recent call last):
    bough.model.rules.tokens.FaultError: expected THEN; found 'age'.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 1 if text.startswith("\ufeff") else 0  # the mark that some editors put before a text
        self.next = self._read()

    def _read(self) -> Token:
        while self._at < len(self.text):
            at = self._at
            found = _TOKEN.match(self.text, at)
            if found is None:
                ends = 'a closing quote (")' if self.text[at] == '"' else "a name, a number or a sign"
                self._fail(at, ends, self.text[at : at + 20].split("\n", 1)[0])
            self._at = found.end()
            kind, word = found.lastgroup, found[0]
            if kind == "space":
                continue
            if kind == "sign":
                return Token(word, word, at)
            return Token(word.lower().upper() if kind == "name" and is_keyword(word) else str(kind), word, at)
        return Token("end", "", len(self.text))

    # Going on

    def advance(self) -> Token:
        """Pass the next token."""
        passed = self.next
        if passed.kind != "end":
            self.next = self._read()
        return passed

    def take(self, *kinds: str) -> Token | None:
        """Pass the next token if it is of one of these kinds."""
        return self.advance() if self.next.kind in kinds else None

    def expect(self, kind: str, expected: str = "") -> Token:
        """Pass the next token, which must be of this kind."""
        if self.next.kind != kind:
            self.fail(expected or (repr(kind) if len(kind) == 1 else kind))
        return self.advance()

    # Faults

    def fail(self, expected: str) -> NoReturn:
        """Say what was expected instead of the next token."""
        self._fail(self.next.at, expected, self.next.text)

    def _fail(self, at: int, expected: str, found: str) -> NoReturn:
        cut = found if len(found) <= _SHOWN else f"{found[:_SHOWN]}…"
        told = f"found {cut!r}" if found else "but the text ends here"
        self.refuse(at, f"expected {expected}; {told}.{self._hint(at)}")

    def _hint(self, at: int) -> str:
        """What may have been meant by a sign or word of another language, at a place or around it."""
        for wrong, right in _MEANT.items():
            starts = (at, at - 1) if len(wrong) == 2 else (at,)
            if any(start >= 0 and self._stands(wrong, start) for start in starts):
                return f" Write {right} instead of {wrong.upper()}."
        return ""

    def _stands(self, wrong: str, start: int) -> bool:
        """Whether a sign, or a whole word, is at a place."""
        end = start + len(wrong)
        goes_on = wrong.isalpha() and self.text[end : end + 1].isalnum()
        return self.text[start:end].lower() == wrong and not goes_on

    def refuse(self, at: int, problem: str) -> NoReturn:
        """Say what is wrong with something that was read."""
        raise FaultError(at, problem) from None

    # Values

    def name(self, what: str) -> Value:
        """A name, bare or in quotes."""
        token = self.take("name", "string")
        if token is None:
            hint = "; a word of the language is a name only in quotes" if is_keyword(self.next.text) else ""
            self.fail(what + hint)
        return Value(self._string(token) if token.kind == "string" else token.text, token.at, token.text)

    def _string(self, token: Token) -> str:
        try:
            return read_string(token.text)
        except ValueError:
            told = f'{token.text[:_SHOWN]} is no JSON string: its escapes are such as \\n, \\" and \\u00e9.'
            return self.refuse(token.at, told)

    def string(self, what: str) -> str:
        """A text in quotes."""
        return self._string(self.expect("string", what))

    def number(self, what: str) -> Value:
        """A number, perhaps with a sign."""
        sign = self.take("-", "+")
        token = self.take("number", "INF")
        if token is None:
            self.fail("a number" if sign else what)
        at = token.at if sign is None else sign.at
        value = self._magnitude(token)
        return Value(-value if sign is not None and sign.kind == "-" else value, at, self.text[at : self._end(token)])

    def _magnitude(self, token: Token) -> int | float:
        if token.kind == "INF":
            return math.inf
        if not token.text.isdigit() and token.text[:2] not in ("0x", "0X"):
            value = float(token.text)
            if math.isinf(value):
                self.refuse(token.at, f"{token.text:.20} is beyond all doubles: write inf if that is meant.")
            return value
        try:
            return read_whole(token.text)
        except ValueError:
            return self.refuse(token.at, f"{token.text:.20}... has too many digits: write it in hexadecimal, 0x...")

    @staticmethod
    def _end(token: Token) -> int:
        return token.at + len(token.text)
