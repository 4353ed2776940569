"""The formulas of an exported workbook computed as Excel does, for the functions that we use."""

import io
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from bough.errors import ExportError
from bough.exports.cells import Cells, outside
from bough.exports.excel import write_excel
from bough.exports.interpret import Answers
from bough.exports.program import Program
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value

__all__ = ["TARGET", "Workbook"]

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"]|"")*")|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)'
    r"|(?P<ref>(?:[A-Za-z]+!)?\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?)|(?P<name>[A-Z]+)|(?P<sign><=|>=|<>|[=<>+*(),-]))"
)
_LEVELS: tuple[tuple[str, ...], ...] = (("=", "<>", "<", ">", "<=", ">="), ("+", "-"), ("*",))

Value = Any
Thunk = Callable[["Workbook"], Value]


class _Absent(Exception):  # noqa: N818 (the name of what it is in a sheet)
    """What Excel shows as #N/A."""


class Workbook:
    """Cells by sheet and place; formulas are compiled once and computed again for each case."""

    def __init__(self, content: bytes) -> None:
        import openpyxl

        book = openpyxl.load_workbook(io.BytesIO(content))
        self.fixed: dict[tuple[str, int, int], Value] = {}
        self.formulas: dict[tuple[str, int, int], Thunk] = {}
        for sheet in book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.value is None:
                        continue
                    place = (sheet.title, cell.row, cell.column)
                    if cell.data_type == "f":
                        self.formulas[place] = _Parser(str(cell.value)[1:], sheet.title).parse()
                    else:
                        self.fixed[place] = cell.value
        # Sheets depend on each other in this order, and rows on those above.
        order = {name: k for k, name in enumerate(("Case", "Tests", "Tree", "Rules", "Choice"))}
        inputs = [place for place in self.formulas if place[0] == "Case" and place[2] in (3, 5)]
        answers = [place for place in self.formulas if place[0] == "Case" and place[2] == 2]
        middle = [place for place in self.formulas if place[0] != "Case"]
        self.order = sorted(inputs, key=lambda p: (p[2], p[1]))
        self.order += sorted(middle, key=lambda p: (order[p[0]], p[1], p[2])) + answers
        self.known: dict[tuple[str, int, int], Value] = {}

    def compute(self, values: dict[int, Value]) -> None:
        """Enter values in column B of `Case`, by row, and compute everything."""
        self.known = dict(self.fixed)
        for row, value in values.items():
            if value is not None:
                self.known["Case", row, 2] = value
        for place in self.order:
            self.known[place] = self.formulas[place](self)

    def at(self, sheet: str, row: int, column: int) -> Value:
        """The value of a cell; None if it is empty."""
        return self.known.get((sheet, row, column))


class _Parser:
    """Comparison, then sums, then products, then functions and cells."""

    def __init__(self, text: str, sheet: str) -> None:
        self.sheet = sheet
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise ExportError(f"the workbook holds a formula that cannot be read: {text!r:.120}.")
            self.tokens.append((str(found.lastgroup), str(found[found.lastgroup or ""])))
            place = found.end()
        self.place = 0

    def parse(self) -> Thunk:
        return self._level(0)

    def _peek(self) -> str:
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def _take(self) -> tuple[str, str]:
        self.place += 1
        return self.tokens[self.place - 1]

    def _level(self, level: int) -> Thunk:
        if level == len(_LEVELS):
            return self._atom()
        left = self._level(level + 1)
        while self._peek() in _LEVELS[level] and self.tokens[self.place][0] == "sign":
            sign = self._take()[1]
            left = _operation(sign, left, self._level(level + 1))
        return left

    def _atom(self) -> Thunk:
        kind, word = self._take()
        if kind == "number":
            number = float(word)
            return lambda book: number
        if kind == "text":
            text = word[1:-1].replace('""', '"')
            return lambda book: text
        if kind == "ref":
            return _reference(word, self.sheet)
        if word == "-":
            inner = self._atom()
            return lambda book: -inner(book)
        if word == "TRUE":
            return lambda book: True
        if word == "(":
            inner = self._level(0)
            self._take()
            return inner
        self._take()  # the parenthesis of a function
        arguments: list[Thunk] = []
        while self._peek() != ")":
            arguments.append(self._level(0))
            if self._peek() == ",":
                self._take()
        self._take()
        return _function(word, arguments)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _reference(token: str, sheet: str) -> Thunk:
    name, _, area = token.rpartition("!")
    where = name or sheet
    ends = [(_column(c), int(r)) for c, r in re.findall(r"\$([A-Z]+)\$(\d+)", area)]
    if len(ends) == 1:
        column, row = ends[0]
        return lambda book: book.at(where, row, column)
    (left, top), (right, bottom) = ends
    places = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return lambda book: [book.at(where, row, column) for row, column in places]


def _operation(sign: str, left: Thunk, right: Thunk) -> Thunk:
    def run(book: Workbook) -> Value:
        a, b = left(book), right(book)
        if sign in ("+", "-", "*"):
            a, b = _number(a), _number(b)
            return a + b if sign == "+" else a - b if sign == "-" else a * b
        return _compared(sign, a, b)

    return run


def _number(value: Value) -> float:
    return 0.0 if value is None or value == "" else float(value)


def _compared(sign: str, a: Value, b: Value) -> bool:
    """Numbers are below texts, texts below bools; texts without regard to case; an empty cell is 0 or no text."""
    if a is None:
        a = "" if isinstance(b, str) else 0.0
    if b is None:
        b = "" if isinstance(a, str) else 0.0
    one, two = _rank(a), _rank(b)
    return {
        "=": one == two, "<>": one != two, "<": one < two, ">": one > two, "<=": one <= two, ">=": one >= two,
    }[sign]  # fmt: skip


def _rank(value: Value) -> tuple[int, Any]:
    if isinstance(value, bool):
        return 2, value
    return (1, value.lower()) if isinstance(value, str) else (0, float(value))


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return value if isinstance(value, str) else repr(float(value))


def _function(name: str, arguments: list[Thunk]) -> Thunk:
    def run(book: Workbook) -> Value:
        if name == "IF":
            return arguments[1](book) if arguments[0](book) else arguments[2](book)
        if name == "IFERROR":
            try:
                return arguments[0](book)
            except _Absent:
                return arguments[1](book)
        told = [argument(book) for argument in arguments]
        return _FUNCTIONS[name](*told)

    return run


def _match(wanted: Value, cells: list[Value], kind: Value) -> float:
    for place, value in enumerate(cells, start=1):
        if value is not None and _rank(value) == _rank(wanted):
            return float(place)
    raise _Absent


def _index(cells: list[Value], place: Value) -> Value:
    return cells if place == 0 else cells[int(place) - 1]


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "ISBLANK": lambda value: value is None,
    "AND": lambda *parts: all(parts),
    "OR": lambda *parts: any(parts),
    "EXACT": lambda value, cells: [c is not None and _text(value) == _text(c) for c in cells],
    "MATCH": _match,
    "INDEX": _index,
    "COUNTIF": lambda cells, wanted: sum(c is not None and _rank(c) == _rank(wanted) for c in cells),
    "SUM": lambda cells: math.fsum(_number(cell) for cell in cells),
    "SUMPRODUCT": lambda a, b: sum(_number(x) * _number(y) for x, y in zip(_flat(a), _flat(b), strict=True)),
}


def _flat(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _run(content: bytes, program: Program, cells: Cells, options: Options) -> Answers:
    book = Workbook(content)
    first, n = 5, cells.n_cases
    row = first + len(program.fields) + 1
    failed = np.zeros(n, dtype=bool)
    labels: list[Any] = [None] * n
    shares = np.full((n, len(program.classes)), np.nan)
    values = np.full(n, np.nan)
    said = [label_value(label) for label in program.classes]
    for case in range(n):
        given = zip(program.fields, cells.row(case), strict=True)
        book.compute({first + place: outside(field, cell) for place, (field, cell) in enumerate(given)})
        if book.at("Case", row, 2) == "no answer":
            failed[case] = True
            continue
        if not program.is_classifier:
            values[case] = book.at("Case", row, 2)
            continue
        if options.classes:
            labels[case] = program.classes[said.index(book.at("Case", row, 2))]
        if options.probabilities:
            begin = row + int(options.classes)
            shares[case] = [book.at("Case", begin + k, 2) for k in range(len(said))]
    if not program.is_classifier:
        return Answers(failed, values=values)
    return Answers(failed, labels if options.classes else None, shares if options.probabilities else None)


TARGET = Target(
    "excel",
    write_excel,
    (Judge(lambda _: "the formulas of the workbook, read back and computed", _run, limit=1000, real=False),),
    note="Excel itself compares about 15 digits",
)
