"""Excel: a workbook that answers one case; a row for each node and each leaf rule, because nested IF ends at 64.

`Case` takes the values. `Tests` has a row for each condition, with its numbers in cells, because Excel reads only 15
digits in a formula. `Tree` has a row for each node: which part of the case reaches it, by the row of its parent.
`Rules` has a row for each leaf: its rule in words, its answer, and the part of the case that ends there.
"""

import io
import math
from itertools import pairwise
from typing import Any

from bough.errors import ExportError
from bough.exports.excel_sums import COUNTS, letters, write_sum_sheet
from bough.exports.target import Options
from bough.exports.text import (
    check_labels,
    label_value,
    refuse_large,
    refuse_large_labels,
    refuse_large_origins,
    refuse_networks,
    refuse_pool,
    refuse_uncovered,
    unit_of,
)
from bough.model.program.program import (
    END,
    FAIL,
    SPREAD,
    Among,
    Between,
    Condition,
    Every,
    Field,
    Missing,
    Program,
    Simple,
    Term,
    Unseen,
    choices_of,
    terms_of,
)
from bough.table.temporal import parse_temporal

__all__ = ["entered", "write_excel"]

_ROWS, _COLUMNS = 1_048_576, 16_384
_CELL, _FORMULA = 32_767, 8_192  # characters
_DAY = {"D": 1, "s": 86_400, "ms": 86_400_000}  # units in a day
_EPOCH = 25_569  # 1970-01-01 as Excel counts days
_FIRST = 5  # the first row of the fields on the sheet `Case`


def write_excel(program: Program, options: Options) -> bytes:
    """The workbook."""
    try:
        import openpyxl
    except ImportError:
        raise ImportError('an export to Excel needs the package openpyxl: pip install "bough[export]"') from None
    _refuse(program)
    book = openpyxl.Workbook()
    return _Writer(program, options, book).content()


def entered(field: Field, value: Any) -> Any:
    """A value as it is entered: times as Excel counts days."""
    meaning = parse_temporal(field.column.dtype) if field.kind == "ticks" and value is not None else None
    if meaning is None:
        return value
    return value / _DAY[meaning.unit] + (0 if meaning.family == "duration" else _EPOCH)


def _refuse(program: Program) -> None:
    refuse_pool(program, "Excel")
    refuse_uncovered(program, "Excel")
    check_labels(program, "Excel")
    refuse_large(program, "Excel")
    refuse_large_origins(program, "Excel")
    refuse_networks(program, "Excel")
    refuse_large_labels(program, "Excel")
    _refuse_refusals(program)
    _refuse_size(program)
    _refuse_digits(program)
    for field in program.fields:
        if field.kind == "ticks":
            _refuse_times(program, field)
    texts = [field.name for field in program.fields]
    texts += [str(label_value(v)) for f in program.fields for v in f.levels]
    texts += [str(label_value(label)) for label in program.classes]
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    for text in texts:
        if ILLEGAL_CHARACTERS_RE.search(text) or "\r" in text or any(0xD800 <= ord(c) < 0xE000 for c in text):
            raise ExportError(
                f"{text!r:.60} holds a character that a cell of Excel cannot hold. Rename it, or export to "
                '"json" or "python", which can.'
            )
        if text == "":
            raise ExportError(
                "a column, level or class is the empty text, and an empty cell of Excel means that a value is missing. "
                'Rename it, or export to "json" or "python", which can tell them apart.'
            )
        if len(text) > _CELL:
            raise ExportError(f"{text!r:.60} has more than the {_CELL:,} characters of a cell.")


def _refuse_refusals(program: Program) -> None:
    """Refuse a model that refuses a case at a step: a sheet says at once whether a case has an answer."""
    if any(step.rules and step.otherwise == FAIL for step in program.steps):
        raise ExportError(
            "a sheet refuses a missing value wherever it is, and this model only where a test asks for it. Export to "
            '"python" or "sql", or fit with missing=Refuse().'
        )


def _refuse_size(program: Program) -> None:
    """Refuse what would not fit a sheet: Excel does not open such a workbook."""
    rules = [rule for step in program.steps for rule in step.rules]
    widest = max((sum(map(_width, terms_of(rule.when))) for rule in rules), default=0)
    terms = [term for derived in program.derived for term in derived.terms]
    most = max((len(term.values) if term.other is None else 3 for term in terms), default=0)
    sheets = {
        "Case": (_FIRST + len(program.fields) + len(program.classes) + 5, 5),
        "Levels": (1 + max((len(field.levels) for field in program.fields), default=0), len(program.fields)),
        "Sums": (1 + len(terms) + len(program.derived), COUNTS + 2 + most) if terms else (0, 0),
        "Tests": (1 + len(rules), 4 + widest),
        "Tree": (1 + len(program.steps), 6),
        "Rules": (1 + len(program.ends), 5 + len(program.classes) * (2 if program.spreads else 1)),
    }
    for name, (rows, columns) in sheets.items():
        if rows > _ROWS or columns > _COLUMNS:
            raise ExportError(
                f"the sheet {name!r} would have {rows:,} rows and {columns:,} columns, and Excel has {_ROWS:,} and "
                f'{_COLUMNS:,}. Export to "sql" or "python", or fit with fewer levels, classes or leaves.'
            )


def _width(term: Term) -> int:
    """The cells of a row that hold the numbers of a term: its levels or its edges."""
    return sum(map(_cells, choices_of(term)))


def _cells(condition: Simple) -> int:
    if isinstance(condition, Among):
        return max(1, len(condition.codes))
    return 2 if isinstance(condition, Between) else 0


def _refuse_digits(program: Program) -> None:
    """Refuse levels and thresholds of a column that Excel does not tell apart: it compares 15 digits."""
    held: list[set[float]] = [set() for _ in program.asked]
    for place, field in enumerate(program.fields):
        held[place].update(float(level) for level in field.levels if isinstance(level, int | float))
    for term in program.terms:
        if isinstance(term, Between):
            held[term.field].update(float(edge.number) for edge in (term.above, term.below) if edge is not None)
    for asked, numbers in zip(program.asked, held, strict=True):
        for one, other in pairwise(sorted(numbers)):
            if f"{one:.14e}" == f"{other:.14e}":
                raise ExportError(
                    f"column {asked.name!r:.60} is compared with {one!r} and {other!r}, and Excel compares 15 digits, "
                    'by which they are equal. Export to "sql" or "python", or round the column before training.'
                )


def _refuse_times(program: Program, field: Field) -> None:
    """Refuse times that cells of Excel do not hold: days from March 1900 to 9999, and milliseconds."""
    meaning = parse_temporal(field.column.dtype)
    assert meaning is not None  # noqa: S101
    if meaning.unit not in _DAY:
        raise ExportError(
            f"column {field.name!r:.60} counts {unit_of(field)}, and Excel keeps times to the millisecond. Convert it "
            'to seconds or milliseconds before training, or export to "python" or "sql".'
        )
    if meaning.family == "duration":
        return
    for term in program.terms:
        if not isinstance(term, Between) or program.asked[term.field] is not field:
            continue
        for edge in (term.above, term.below):
            if edge is not None and not 62 <= edge.number / _DAY[meaning.unit] + _EPOCH <= 2_958_464:
                raise ExportError(
                    f"column {field.name!r:.60} is compared with a day outside March 1900 to 9999, which Excel "
                    'does not have. Export to "python" or "c".'
                )


class _Writer:
    def __init__(self, program: Program, options: Options, book: Any) -> None:
        self.program, self.options, self.book = program, options, book

    def content(self) -> bytes:
        self.book.active.title = "Case"
        self.book.properties.creator = "bough"
        self.book.properties.description = "\n".join(self.options.head) or None
        self._levels()
        self.sum_row = write_sum_sheet(program=self.program, book=self.book, put=self._put, first=_FIRST)
        self._tests()
        self._tree()
        self._rules()
        self._case()
        file = io.BytesIO()
        self.book.save(file)
        return file.getvalue()

    def _put(self, sheet: Any, row: int, column: int, value: Any) -> None:
        """A value as it is: text that begins like a formula stays text, and numbers keep all their digits."""
        cell = sheet.cell(row, column)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise ExportError('Excel has no infinite numbers, and this model has one. Export to "python" or "sql".')
            cell.value, cell.data_type = repr(value), "n"  # openpyxl itself would write 16 digits
            return
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"

    def _formula(self, sheet: Any, row: int, column: int, formula: str) -> None:
        sheet.cell(row, column).value = formula

    def _levels(self) -> None:
        sheet = self.book.create_sheet("Levels")
        for place, field in enumerate(self.program.fields):
            self._put(sheet, 1, place + 1, field.name)
            for number, level in enumerate(field.levels):
                self._put(sheet, number + 2, place + 1, label_value(level))

    # `Case`

    def _case(self) -> None:
        sheet = self.book["Case"]
        self._put(sheet, 1, 1, "Enter a case in column B; leave a cell empty where the value is missing.")
        for number, title in enumerate(("column", "value", "number"), start=1):
            self._put(sheet, _FIRST - 1, number, title)
        for place, field in enumerate(self.program.fields):
            row = _FIRST + place
            self._put(sheet, row, 1, field.name)
            value = f"$B${row}"
            if field.kind == "ticks":
                self._time(sheet, row, field)
                continue
            if field.kind != "levels":
                self._formula(sheet, row, 3, f'=IF(ISBLANK({value}),"",{value})')
                continue
            column = letters(place + 1)
            count = max(1, len(field.levels))
            held = f"Levels!${column}$2:${column}${count + 1}"
            exact = f"MATCH(TRUE,INDEX(EXACT({value},{held}),0),0)"
            self._formula(sheet, row, 3, f"=IF(ISBLANK({value}),-1,IFERROR({exact}-1,-2))")
        row = _FIRST + len(self.program.fields) + 1
        self._answers(sheet, row)

    def _time(self, sheet: Any, row: int, field: Field) -> None:
        """A date, moment or duration of Excel as the count that is compared; finer ones are rounded down."""
        meaning = parse_temporal(field.column.dtype)
        assert meaning is not None  # noqa: S101
        value, day = f"$B${row}", _DAY[meaning.unit]
        since = value if meaning.family == "duration" else f"({value}-{_EPOCH})"
        # Fractions of a day are rounded to milliseconds first, because they are not exact.
        count = f"INT({since})" if day == 1 else f"INT(ROUND({since}*{_DAY['ms']},0)/{_DAY['ms'] // day})"
        self._formula(sheet, row, 3, f'=IF(ISBLANK({value}),"",IF(ISTEXT({value}),"",{count}))')
        shown = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss.000", "duration": "[h]:mm:ss.000"}
        sheet.cell(row, 2).number_format = shown[meaning.family]
        zone = ", by UTC" if meaning.zone else ""
        self._put(sheet, row, 4, f"enter a {meaning.family} of Excel{zone}; it counts {unit_of(field)}")

    def _answers(self, sheet: Any, row: int) -> None:
        program = self.program
        last = len(program.ends) + 1
        part = f"Rules!$C$2:$C${last}"
        if not program.is_classifier:
            self._put(sheet, row, 1, "value")
            total = f"SUMPRODUCT({part},Rules!$E$2:$E${last})"
            self._formula(sheet, row, 2, self._checked(total))
            return
        if self.options.classes:
            self._put(sheet, row, 1, "class")
            if program.spreads:
                self._formula(sheet, row, 2, self._checked(self._decided(last)))
            else:
                self._formula(sheet, row, 2, self._checked(f"INDEX(Rules!$D$2:$D${last},MATCH(1,{part},0))"))
            row += 1
        if self.options.probabilities:
            for k, label in enumerate(program.classes):
                column = letters(5 + k)
                self._put(sheet, row + k, 1, f"probability of {label_value(label)}"[:_CELL])
                self._formula(
                    sheet, row + k, 2, self._checked(f"SUMPRODUCT({part},Rules!${column}$2:${column}${last})")
                )

    def _checked(self, formula: str) -> str:
        """No answer for a case that the model refuses."""
        refused = []
        for place, field in enumerate(self.program.fields):
            cell = f"$C${_FIRST + place}"
            if field.kind == "ticks":  # a date before 1900 is a text in Excel
                refused.append(f"ISTEXT($B${_FIRST + place})")
            if self.program.refuses_missing:
                refused.append(f"{cell}=-1" if field.kind == "levels" else f'{cell}=""')
            if self.program.refuses_unseen and field.kind == "levels":
                refused.append(f"{cell}=-2")
        if not refused:
            return f"={formula}"
        sheet = self.book["Case"]
        # Long lists are split over cells, so that no formula has too many arguments.
        for line, test in enumerate(refused, start=1):
            self._formula(sheet, line, 5, f"=IF({test},1,0)")
        return f'=IF(SUM($E$1:$E${len(refused)})>0,"no answer",{formula})'

    def _decided(self, last: int) -> str:
        """The class of a spread case: one worth after another, as the model decides."""
        sheet = self.book.create_sheet("Choice")
        program = self.program
        part = f"Rules!$C$2:$C${last}"
        first = 5 + len(program.classes)
        for k, place in enumerate(program.order):
            row, column = k + 2, letters(first + k)
            self._put(sheet, row, 1, (label_value(program.classes[place])))
            self._formula(sheet, row, 2, f"=SUMPRODUCT({part},Rules!${column}$2:${column}${last})")
            if k == 0:
                self._put(sheet, row, 3, 1)
            else:
                best = f"INDEX($B$2:$B${row - 1},$C${row - 1})"
                self._formula(sheet, row, 3, f"=IF($B${row}>{best}+$D$1,{k + 1},$C${row - 1})")
        self._put(sheet, 1, 4, program.tolerance)
        end = len(program.order) + 1
        return f"INDEX(Choice!$A$2:$A${end},Choice!$C${end})"

    # `Tests`: a row for each rule

    def _tests(self) -> None:
        sheet = self.book.create_sheet("Tests")
        for column, title in enumerate(("node", "holds", "from", "up to"), start=1):
            self._put(sheet, 1, column, title)
        self.first_test: list[int] = []
        row = 2
        for node, step in enumerate(self.program.steps):
            self.first_test.append(row)
            for rule in step.rules:
                self._put(sheet, row, 1, node)
                self._formula(sheet, row, 2, f"=IF({self._test(sheet, row, rule.when)},1,0)")
                row += 1

    def _test(self, sheet: Any, row: int, condition: Condition) -> str:
        if not isinstance(condition, Every):
            return self._term(sheet, row, 3 if isinstance(condition, Between) else 5, condition)
        # Each term has its numbers in cells of its own.
        column, terms = 5, []
        for term in condition.terms:
            terms.append(self._term(sheet, row, column, term))
            column += _width(term)
        said = f"AND({','.join(terms)})"
        if len(said) > _FORMULA - 10 or len(terms) > 255:
            raise ExportError(
                f"a rule with {len(terms):,} conditions is longer than a formula of Excel can be. Export to "
                '"python" or "sql".'
            )
        return said

    def _term(self, sheet: Any, row: int, column: int, term: Term) -> str:
        """A condition on one field, the numbers of its alternatives side by side."""
        told = []
        for choice in choices_of(term):
            told.append(self._simple(sheet, row, column, choice))
            column += _cells(choice)
        return told[0] if len(told) == 1 else f"OR({','.join(told)})"

    def _simple(self, sheet: Any, row: int, column: int, condition: Simple) -> str:
        """A condition whose numbers stand in the row from a column on."""
        own = condition.field - len(self.program.fields)
        cell = f"Case!$C${_FIRST + condition.field}" if own < 0 else f"Sums!$F${self.sum_row[own]}"
        if isinstance(condition, Unseen):
            return f"{cell}=-2"
        if isinstance(condition, Missing):
            return f"{cell}=-1" if self.program.asked[condition.field].kind == "levels" else f'{cell}=""'
        if isinstance(condition, Among):
            return self._member(sheet, row, column, condition)
        parts = [f'{cell}<>""']
        if condition.above is not None:
            self._put(sheet, row, column, condition.above.number)
            sign = ">" if condition.above.side == "le" else ">="
            parts.append(f"{cell}{sign}${letters(column)}${row}")
        if condition.below is not None:
            self._put(sheet, row, column + 1, condition.below.number)
            sign = "<=" if condition.below.side == "le" else "<"
            parts.append(f"{cell}{sign}${letters(column + 1)}${row}")
        return f"AND({','.join(parts)})"

    def _member(self, sheet: Any, row: int, column: int, condition: Among) -> str:
        for k, code in enumerate(condition.codes):
            self._put(sheet, row, column + k, code)
        if not condition.codes:
            return "1=0"
        begin, end = letters(column), letters(column + len(condition.codes) - 1)
        return f"COUNTIF(${begin}${row}:${end}${row},Case!$C${_FIRST + condition.field})>0"

    # `Tree`: a row for each node

    def _tree(self) -> None:
        sheet = self.book.create_sheet("Tree")
        titles = ("node", "asks", "first test that holds", "part that comes", "part that ends", "share")
        for column, title in enumerate(titles, start=1):
            self._put(sheet, 1, column, title)
        shares = {child: share for step in self.program.steps for child, share in step.shares}
        for node, step in enumerate(self.program.steps):
            row, first = node + 2, self.first_test[node]
            last = first + len(step.rules) - 1
            self._put(sheet, row, 1, node)
            self._put(sheet, row, 2, step.asks[:_CELL])
            if step.rules:
                self._formula(sheet, row, 3, f"=IFERROR(MATCH(1,Tests!$B${first}:$B${last},0),0)")
            if node in shares:
                self._put(sheet, row, 6, shares[node])
            self._comes(sheet, node, row)
            self._ends(sheet, node, row)

    def _comes(self, sheet: Any, node: int, row: int) -> None:
        parent = self.program.parents[node]
        if parent < 0:
            self._put(sheet, row, 4, 1)
            return
        step, above = self.program.steps[parent], parent + 2
        ways = [k + 1 for k, rule in enumerate(step.rules) if rule.then == node]
        ways += [0] if step.otherwise == node else []
        taken = self._one_of(f"$C${above}", ways) if step.rules else "1=1" if step.otherwise == node else "1=0"
        if node in dict(step.shares) and step.otherwise == SPREAD:
            spread = f"IF($C${above}=0,$F${row},0)" if step.rules else f"$F${row}"
            self._formula(sheet, row, 4, f"=$D${above}*IF({taken},1,{spread})")
        else:
            self._formula(sheet, row, 4, f"=$D${above}*IF({taken},1,0)")

    def _one_of(self, cell: str, ways: list[int]) -> str:
        tests = [f"{cell}={way}" for way in ways] or ["1=0"]
        return tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"

    def _ends(self, sheet: Any, node: int, row: int) -> None:
        step = self.program.steps[node]
        ways = [k + 1 for k, rule in enumerate(step.rules) if rule.then == END]
        ways += [0] if step.otherwise == END else []
        ends = self._one_of(f"$C${row}", ways)
        if not step.rules:
            ends = "1=1" if step.otherwise == END else "1=0"
        self._formula(sheet, row, 5, f"=$D${row}*IF({ends},1,0)")

    # `Rules`: a row for each node in which a case can end

    def _rules(self) -> None:
        sheet = self.book.create_sheet("Rules")
        program = self.program
        titles = ["node", "rule", "part that ends here", "class" if program.is_classifier else "", "value"]
        if program.is_classifier:
            titles[4:] = [f"probability of {label_value(label)}"[:_CELL] for label in program.classes]
            titles += [f"worth {k + 1}" for k in range(len(program.classes))] if program.spreads else []
        for column, title in enumerate(titles, start=1):
            self._put(sheet, 1, column, title)
        for k, node in enumerate(program.ends):
            row = k + 2
            self._put(sheet, row, 1, node)
            self._put(sheet, row, 2, self._words(node))
            self._formula(sheet, row, 3, f"=Tree!$E${node + 2}")
            if not program.is_classifier:
                self._put(sheet, row, 5, float(program.values[node]))
                continue
            self._put(sheet, row, 4, (label_value(program.classes[program.label[node]])))
            for j, share in enumerate(program.probabilities[node].tolist()):
                self._put(sheet, row, 5 + j, share)
            for j, worth in enumerate(program.worth[node].tolist() if program.spreads else ()):
                self._put(sheet, row, 5 + len(program.classes) + j, worth)

    def _words(self, node: int) -> str:
        """The path in words; of a long one the last steps."""
        path = list(self.program.path(node))[-40:]
        parts = []
        for above, below in pairwise(path):
            step = self.program.steps[above]
            said = step.asks.split(" | ")
            branch = step.children.index(below)
            parts.append(said[branch] if branch < len(said) else step.asks)
        return (" and ".join(parts) or "any case")[:_CELL]
