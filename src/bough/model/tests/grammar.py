"""Conditions read from text: the grammar of what `spell` writes, with the place of every word for messages.

    condition    one or another:  conjunction "or" conjunction ...
    conjunction  all of:  property "and" property ...
    property     age <= 38.5 | 2 < age <= 5 | color = red | color != red | color in {red, green} | age is missing

Names and levels stand bare, also with several words, or in quotes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from bough.errors import ParameterError
from bough.model.tests.spell import RESERVED

__all__ = ["Atom", "Reader", "Text"]

_TOKEN = re.compile(r'(?P<quoted>b?"(?:[^"\\]|\\.)*")|(?P<sign><=|>=|!=|[<>={},])|(?P<word>(?:(?!!=)[^\s{},<>="])+)')
_COMPARE = ("<", "<=", ">", ">=", "=", "!=")
_ALIKE = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)")
_MARKS = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


class Text(NamedTuple):
    """A name, a level or a number as it stands in the text, and where: the number of its first character."""

    text: str
    at: int
    quoted: bool = False
    is_bytes: bool = False


class Atom(NamedTuple):
    """One property: a column compared with values. `sign` is a comparison, "in", "missing" or "known"."""

    column: Text
    sign: str
    values: tuple[Text, ...] = ()


@dataclass(frozen=True)
class _Token:
    text: str
    at: int
    kind: str


class Reader:
    """Reads one line from the left; every fault is a ParameterError that names line, column and what was expected.

    Parameters
    ----------
    text : str
    place : str
        What messages call the text: a line, or the key of a dict.
    is_line : bool, default=True
        Whether it is a line of a text, where places are columns as editors count them.
    """

    def __init__(self, text: str, place: str, *, is_line: bool = True) -> None:
        self.text = text
        self.place = place
        self._is_line = is_line
        self._tokens = list(self._split())
        self._next = 0

    def _split(self) -> Iterator[_Token]:
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            found = _TOKEN.match(self.text, at)
            if found is None:
                self._fail(at, "a quoted text that ends" if self.text[at] in 'b"' else "a name, a number or a sign")
            yield _Token(found[0], at, found.lastgroup or "")
            at = found.end()

    # Where we are

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self._next == len(self._tokens)

    @property
    def at(self) -> int:
        """Where the next word begins."""
        return len(self.text) if self.done else self._tokens[self._next].at

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        """Say what was expected, here or elsewhere."""
        self._fail(self.at if at is None else at, expected)

    def _fail(self, at: int, expected: str) -> NoReturn:
        found = self.text[at:].split()
        told = f"; found {' '.join(found[:4])!r:.60}" if found else ", but it ends here"
        self.refuse(at, f"expected {expected}{told}.")

    def refuse(self, at: int, problem: str) -> NoReturn:
        """Say what is wrong with something that was read."""
        where = f", column {at + 1}" if self._is_line else f", from character {at + 1} on" if at else ""
        raise ParameterError(f"{self.place}{where}: {problem}")

    # Words

    def peek(self, *words: str) -> bool:
        """Whether these come next, bare."""
        following = self._tokens[self._next : self._next + len(words)]
        return [token.text for token in following] == list(words)

    def take(self, *words: str) -> bool:
        """Pass these if they come next."""
        if not self.peek(*words):
            return False
        self._next += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Pass these, which must come next."""
        for word in words:
            if not self.take(word):
                self.fail(repr(word))

    def number(self, what: str) -> int:
        """A whole number."""
        if self.done or not self._tokens[self._next].text.isdecimal():
            self.fail(what)
        self._next += 1
        return int(self._tokens[self._next - 1].text)

    def value(self, what: str) -> Text:
        """A name, level or number: one in quotes, or bare words up to the next sign or reserved word."""
        if self.done:
            self.fail(what)
        first = self._tokens[self._next]
        if first.kind == "quoted":
            self._next += 1
            is_bytes = first.text.startswith("b")
            inner = first.text[2 if is_bytes else 1 : -1]
            try:
                text = _ESCAPE.sub(_unescaped, inner)
            except (KeyError, ValueError):
                self.fail("escapes as Python writes them, such as \\n, \\x1b, \\u2028", first.at)
            return Text(text, first.at, quoted=True, is_bytes=is_bytes)
        if first.kind != "word" or first.text in RESERVED:
            self.fail(what)
        end = first.at
        while not self.done:
            token = self._tokens[self._next]
            if token.kind != "word" or token.text in RESERVED:
                break
            end = token.at + len(token.text)
            self._next += 1
        return Text(self.text[first.at : end], first.at)

    # Conditions

    def condition(self) -> list[list[Atom]]:
        """Conjunctions, of which one or another holds."""
        found = [self._conjunction()]
        while self.take("or"):
            found.append(self._conjunction())
        return found

    def _conjunction(self) -> list[Atom]:
        found = self._property()
        while self.take("and"):
            found += self._property()
        return found

    def _property(self) -> list[Atom]:
        first = self.value("a column")
        if self.take("is"):
            for word in ("missing", "known"):
                if self.take(word):
                    return [Atom(first, word)]
            self.fail("'missing' or 'known'")
        if self.take("in"):
            if not first.quoted and first.text.endswith(" not"):
                self.refuse(first.at, "there is no 'not in': name the levels that take this branch, by 'in' or '='.")
            return [Atom(first, "in", tuple(self._set()))]
        sign = self._sign()
        second = self.value("a value")
        if sign in _TURNED and not self.done and self._tokens[self._next].text in _TURNED:
            other = self._sign()
            if other[0] != sign[0]:
                self.refuse(second.at, f"{sign} and {other} do not bound {second.text!r:.60} from both sides.")
            return [Atom(second, _TURNED[sign], (first,)), Atom(second, other, (self.value("a value"),))]
        return [Atom(first, sign, (second,))]

    def _sign(self) -> str:
        if self.done or self._tokens[self._next].text not in _COMPARE:
            self.fail("a comparison (<, <=, >, >=, =, !=), 'in' or 'is'")
        sign, *more = (token.text for token in self._tokens[self._next : self._next + 2])
        if sign + "".join(more) in _ALIKE and self.text.startswith(sign + more[0], self.at):
            self.refuse(self.at, f"{sign + more[0]!r} is no comparison here; write {_ALIKE[sign + more[0]]!r}.")
        self._next += 1
        return sign

    def _set(self) -> Sequence[Text]:
        self.expect("{")
        if self.take("}"):
            return ()
        found = [self.value("a level")]
        while not self.take("}"):
            if not self.take(","):
                self.fail("',' or '}'")
            found.append(self.value("a level"))
        return found


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1][1:], 16)) if len(found[1]) > 1 else _MARKS[found[1]]
