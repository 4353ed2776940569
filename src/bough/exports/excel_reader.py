"""The formulas of an exported workbook computed as Excel does, for the functions that we use.

A formula is computed once for many cases: what is the same for all of them is one value, else an array with a value
for each case. A number that is not there (#N/A) is NaN.
"""

import functools
import io
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.errors import ExportError
from bough.exports.answer_sheet import AnswerSheet
from bough.exports.excel import entered, write_excel
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import Program

__all__ = ["TARGET", "Workbook"]

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"]|"")*")|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)'
    r"|(?P<ref>(?:[A-Za-z]+!)?\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?)|(?P<name>[A-Z]+)|(?P<sign><=|>=|<>|[=<>+*/(),-]))"
)
_LEVELS: tuple[tuple[str, ...], ...] = (("=", "<>", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"))

_BLOCK = 250  # cases that are computed at once

Value = Any
Thunk = Callable[["Workbook"], Value]


class Workbook:
    """Cells by sheet and place; formulas are compiled once and computed for some hundred cases at a time."""

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
        order = {name: k for k, name in enumerate(("Case", "Sums", "Tests", "Tree", "Rules", "Choice"))}
        inputs = [place for place in self.formulas if place[0] == "Case" and place[2] in (3, 5)]
        answers = [place for place in self.formulas if place[0] == "Case" and place[2] == 2]
        middle = [place for place in self.formulas if place[0] != "Case"]
        self.order = sorted(inputs, key=lambda p: (p[2], p[1]))
        self.order += sorted(middle, key=lambda p: (order[p[0]], p[1], p[2])) + answers
        self.known: dict[tuple[str, int, int], Value] = {}

    def compute(self, values: dict[int, list[Value]]) -> None:
        """Enter values in column B of `Case`, a list of those of all cases by row, and compute everything."""
        self.known = dict(self.fixed)
        for place in self.order:
            _, row, column = place
            if place[0] == "Case" and column == 3 and row in values:
                self.known[place] = self._entered(place, values[row])
                texts = np.array([isinstance(value, str) for value in values[row]])
                self.known["Case", row, 2] = _Given(texts)
            else:
                value = self.formulas[place](self)
                is_sum = isinstance(value, np.ndarray) and value.dtype == object and place[0] == "Sums"
                self.known[place] = _Column(value.tolist()) if is_sum else value

    def _entered(self, place: tuple[str, int, int], values: list[Value]) -> Value:
        """A formula that depends on the cell beside it alone, for each value of that cell."""
        told: dict[Any, Value] = {}
        for value in values:
            key = (type(value), value)
            if key not in told:
                self.known["Case", place[1], 2] = value
                told[key] = self.formulas[place](self)
        return _Column([told[type(value), value] for value in values])

    def at(self, sheet: str, row: int, column: int) -> Value:
        """The value of a cell; None if it is empty."""
        return self.known.get((sheet, row, column))


@dataclass(frozen=True)
class _Given:
    """A column of what was entered, of which it is only asked later whether it is text."""

    is_text: Any


class _Column:
    """The value of a cell for each case: numbers, or the empty text, which is above all of them."""

    def __init__(self, values: list[Value]) -> None:
        self.empty = np.array([isinstance(value, str) for value in values])
        self.numbers = np.array([math.inf if isinstance(value, str) else float(value) for value in values])

    def compared(self, sign: str, other: Value) -> Any:
        if isinstance(other, str):
            return self.empty if sign == "=" else ~self.empty
        found = _SIGNS[sign](self.numbers, float(other))
        return np.where(self.empty, sign in ("<>", ">", ">="), found)


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


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
        if sign in _ARITHMETIC:
            return _ARITHMETIC[sign](_number(a), _number(b))
        return _compared(sign, a, b)

    return run


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def _number(value: Value) -> Any:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, _Column):
        return value.numbers
    return 0.0 if value is None or value == "" else float(value)


def _compared(sign: str, a: Value, b: Value) -> Any:
    """Numbers are below texts, texts below bools; texts without regard to case; an empty cell is 0 or no text."""
    if isinstance(a, _Column):
        return a.compared(sign, b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _SIGNS[sign](_number(a), _number(b))
    if a is None:
        a = "" if isinstance(b, str) else 0.0
    if b is None:
        b = "" if isinstance(a, str) else 0.0
    return _SIGNS[sign](_rank(a), _rank(b))


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
            test = arguments[0](book)
            if isinstance(test, np.ndarray):
                return _where(test, arguments[1](book), arguments[2](book))
            return arguments[1](book) if test else arguments[2](book)
        return _FUNCTIONS[name](*[argument(book) for argument in arguments])

    return run


def _where(test: Any, a: Value, b: Value) -> Any:
    texts = any(isinstance(x, str) or (isinstance(x, np.ndarray) and x.dtype == object) for x in (a, b))
    return np.where(test, np.asarray(a, dtype=object), np.asarray(b, dtype=object)) if texts else np.where(test, a, b)


def _if_error(value: Value, otherwise: Value) -> Value:
    if isinstance(value, np.ndarray):
        return np.where(np.isnan(value), otherwise, value)
    return otherwise if isinstance(value, float) and math.isnan(value) else value


def _match(wanted: Value, cells: list[Value], kind: Value) -> Any:
    if any(isinstance(cell, np.ndarray) for cell in cells):
        same = np.stack(np.broadcast_arrays(*[np.asarray(_number(cell) == wanted) for cell in cells]))
        return np.where(same.any(axis=0), same.argmax(axis=0) + 1.0, np.nan)
    for place, value in enumerate(cells, start=1):
        if value is not None and _rank(value) == _rank(wanted):
            return float(place)
    return math.nan


def _index(cells: list[Value], place: Value) -> Value:
    if isinstance(place, np.ndarray):
        known = np.where(np.isnan(place), 1, place).astype(int) - 1
        if any(isinstance(cell, np.ndarray) for cell in cells):
            return np.stack(np.broadcast_arrays(*cells))[known, np.arange(len(known))]
        labels = np.empty(len(cells), dtype=object)
        labels[:] = cells
        return labels[known]
    return cells if place == 0 else cells[int(place) - 1]


def _count_if(cells: list[Value], wanted: Value) -> Any:
    codes = np.sort(np.array([float(cell) for cell in cells if cell is not None]))
    given = wanted.numbers if isinstance(wanted, _Column) else np.asarray(_number(wanted))
    return np.searchsorted(codes, given, "right") - np.searchsorted(codes, given, "left")


def _every(*parts: Value) -> Any:
    return functools.reduce(operator.and_, parts)


def _any(*parts: Value) -> Any:
    return functools.reduce(operator.or_, parts)


def _is_text(value: Value) -> Any:
    return value.is_text if isinstance(value, _Given) else isinstance(value, str)


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "ISBLANK": lambda value: value is None,
    "ISTEXT": _is_text,
    "IFERROR": _if_error,
    "AND": _every,
    "OR": _any,
    "INT": math.floor,
    "ROUND": lambda value, digits: float(round(value, int(digits))),
    "EXACT": lambda value, cells: [c is not None and _text(value) == _text(c) for c in cells],
    "MATCH": _match,
    "INDEX": _index,
    "COUNTIF": _count_if,
    "SUM": lambda cells: sum(_number(cell) for cell in cells),
    "SUMPRODUCT": lambda a, b: sum(_number(x) * _number(y) for x, y in zip(_flat(a), _flat(b), strict=True)),
}


def _flat(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _spread(value: Value, size: int) -> list[Value]:
    return list(value.tolist()) if isinstance(value, np.ndarray) else [value] * size


def _run(content: bytes, program: Program, cells: Cells, options: Options) -> Answers:
    book = Workbook(content)
    first, n = 5, cells.n_cases
    row = first + len(program.fields) + 1
    sheet = AnswerSheet.blank(program, n)
    said = [label_value(label) for label in program.classes]
    for begin in range(0, n, _BLOCK):
        cases = slice(begin, min(begin + _BLOCK, n))
        size = cases.stop - cases.start
        given = zip(program.fields, cells.columns, strict=True)
        book.compute(
            {
                first + place: [entered(field, outside(field, cell)) for cell in column[cases]]
                for place, (field, column) in enumerate(given)
            }
        )
        told = _spread(book.at("Case", row, 2), size)
        sheet.failed[cases] = [value == "no answer" for value in told]
        if not program.is_classifier:
            sheet.values[cases] = [np.nan if value == "no answer" else value for value in told]
            continue
        if options.classes:
            sheet.labels[cases] = [None if v == "no answer" else program.classes[said.index(v)] for v in told]
        for k in range(len(said) if options.probabilities else 0):
            column = _spread(book.at("Case", row + int(options.classes) + k, 2), size)
            sheet.shares[cases, k] = [np.nan if value == "no answer" else value for value in column]
    return sheet.answers(options)


TARGET = Target(
    "excel",
    write_excel,
    (Judge(lambda _: "the formulas of the workbook, read back and computed", _run, 1000, real=False, infinite=False),),
    note="Excel compares 15 digits: a number that agrees so far with a threshold counts as equal to it",
)
