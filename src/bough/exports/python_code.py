"""Python: a module that needs the standard library alone; `predict(row)` and `predict_proba(row)` take a mapping."""

import contextlib
import importlib
import math
import platform
from typing import Any

import numpy as np

from bough.errors import ExportError
from bough.exports.answer_sheet import AnswerSheet
from bough.exports.code import Style, Words
from bough.exports.target import Judge, Options, Target
from bough.exports.text import comment, label_value
from bough.model.program.cells import Cells, label_of
from bough.model.program.derived import Addend, Derived
from bough.model.program.interpret import Answers
from bough.model.program.program import SPREAD, Field, Program
from bough.table.temporal import parse_temporal

__all__ = ["TARGET", "write_python"]

_KEY = '''
def _missing(value):
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def _level(value, levels):
    """The number of a level, -1 where it is missing, -2 where it was never seen."""
    if type(value).__name__ in ("NAType", "NaTType") or _missing(value):
        return -1
    if isinstance(value, str):
        kind = "str"
    elif isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        kind, value = "bool", bool(value)
    elif isinstance(value, (int, float)) or hasattr(value, "__float__"):
        kind = "number"
    elif isinstance(value, bytes):
        kind = "bytes"
    else:
        kind, value = "other", str(value)
    return levels.get((kind, value), -2)
'''
_NUMBER = '''
def _number(value):
    """A number as it is, NaN where it is missing: every comparison with it fails."""
    return _NAN if value is None or type(value).__name__ in ("NAType", "NaTType") else value
'''
_TIME = '''
def _ticks(value, unit):
    """A time as a count of units since 1970 (a duration: of units), NaN where it is missing; counts stay.

    It takes what datetime, pandas and numpy have, to the nanosecond.
    """
    import datetime

    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return _NAN
    if type(value).__name__ in ("datetime64", "timedelta64"):
        kind, step = value.dtype.str[1:3], value.dtype.str[4:-1].lstrip("0123456789")
        step = {"Y": "D", "M": "D", "W": "D", "h": "s", "m": "s"}.get(step, step)
        return int(value.astype(f"{kind}[{step}]").astype("int64")) * _NANOSECONDS[step] // unit
    count = 0
    if isinstance(value, (datetime.datetime, datetime.time)):
        count = value.hour * 3600 + value.minute * 60 + value.second
        count = (count * 1_000_000 + value.microsecond) * 1000 + getattr(value, "nanosecond", 0)
        if isinstance(value, datetime.datetime) and value.utcoffset() is not None:
            count -= value.utcoffset() // datetime.timedelta(microseconds=1) * 1000
    if isinstance(value, datetime.date):
        count += (value.toordinal() - 719163) * _NANOSECONDS["D"]
    elif isinstance(value, datetime.timedelta):
        count = (value.days * 86400 + value.seconds) * 1_000_000 + value.microseconds
        count = count * 1000 + getattr(value, "nanoseconds", 0)
    elif not isinstance(value, datetime.time):
        return value
    return count // unit
'''
_WALK = '''
def _end(row):
    """The node in which a case ends."""
    x = _encode(row)
    node = 0
    while True:
        step = _STEPS[node]
        then = -1 if step is None else step(x)
        if then == -1:
            return node
        if then == -3:
            raise ValueError(NO_ANSWER)
        node = then
'''
_PARTS = '''
def _ends(row):
    """The nodes in which the parts of a case end, with their shares."""
    x = _encode(row)
    todo, ends = [(0, 1.0)], []
    while todo:
        node, share = todo.pop()
        step = _STEPS[node]
        then = -1 if step is None else step(x)
        if then == -1:
            ends.append((node, share))
        elif then == -2:
            todo.extend((child, share * part) for child, part in reversed(_SHARES[node]))
        elif then == -3:
            raise ValueError(NO_ANSWER)
        else:
            todo.append((then, share))
    return ends


def _sums(row, table, width):
    sums = [0.0] * width
    for node, share in _ends(row):
        for k, number in enumerate(table[node]):
            sums[k] += share * number
    return sums
'''
_POOL = '''
def _pooled(row, table, pool):
    """What the parts add up to, as shares of its total, or the default where they add nothing."""
    sums = _sums(row, table, len(pool[0]))
    if not sums[-1] > 0:
        NOTHING
    both = [number + more for number, more in zip(sums, pool[0])]
    return [number / both[-1] for number in both[:-1]]
'''
_UNITS = {"D": 86_400_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}


class _Python(Style):
    def __init__(self, program: Program) -> None:
        super().__init__(program, " and ", " or ")

    def number(self, of: Field | Derived, number: float | int) -> str:
        if isinstance(number, float) and math.isinf(number):
            return "_INF" if number > 0 else "-_INF"
        return repr(number)

    def double(self, number: float) -> str:
        return _safe(repr(number))

    def sum_call(self, number: int) -> str:
        return f"_s{number}(x)"

    def known_number(self, term: Addend) -> str:
        return f"float(x[{term.field}] - {term.origin})" if term.origin else f"float(x[{term.field}])"

    def pick(self, test: str, value: str, otherwise: str) -> str:
        return f"({value} if {test} else {otherwise})"

    def sums(self) -> list[str]:
        """The functions that add up the sums."""
        parts = []
        for number, derived in enumerate(self.program.derived):
            gone = self.all_gone(derived)
            lines = [f"    if {gone}:\n        return _NAN"] if gone else []
            lines.append(f"    s = {self.double(derived.constant)}")
            lines += [f"    s += {self.addend(derived, term)}" for term in derived.terms]
            lines.append("    return math.tanh(s)" if derived.squashed else "    return s")
            head = f"def _s{number}(x):  # {comment(derived.name)}"
            parts.append("\n".join([head, *lines]))
        tables = (f"{name} = ({', '.join(key)},)" for key, name in self.counts.items())
        return [*tables, *parts]

    def inside(self, place: int, codes: tuple[int, ...]) -> str:
        name = self.tables.setdefault((place, *codes), f"_S{len(self.tables)}")
        return f"x[{place}] in {name}"


def write_python(program: Program, options: Options) -> str:
    """The module."""
    style, words = _Python(program), Words(program)
    steps = []
    for node, step in enumerate(program.steps):
        if not step.rules and step.otherwise != SPREAD:
            continue
        tests = [f"    if {style.test(rule.when)}:\n        return {rule.then}" for rule in step.rules]
        head = f"def _n{node}(x):  # {words.asks(node)}" if step.asks else f"def _n{node}(x):"
        steps.append("\n".join([head, *tests, f"    return {step.otherwise}"]))
    known = {k for k, step in enumerate(program.steps) if step.rules or step.otherwise == SPREAD}
    table = ", ".join(f"_n{k}" if k in known else "None" for k in range(len(program.steps)))
    parts = ["\n".join(words.head("#", options.head)), "import math\n\n_NAN, _INF = math.nan, math.inf"]
    if program.is_classifier:
        parts.append(f"CLASSES = [{', '.join(_said(_literal(label)) for label in program.classes)}]")
    parts += [f"{name} = frozenset({sorted(key[1:])!r})" for key, name in style.tables.items()]
    for place, field in enumerate(program.fields):
        if field.kind == "levels":
            entries = ",\n    ".join(f"{_key(level)}: {code}" for code, level in enumerate(field.levels))
            parts.append(f"_LEVELS_{place} = {{\n    {entries},\n}}" if entries else f"_LEVELS_{place} = {{}}")
    parts += [block.strip() for block in _helpers(program)]
    parts.append(_encode(program))
    parts += style.sums()
    parts += steps
    parts.append(f"_STEPS = ({table},)")
    parts += _answers(program, options)
    return "\n\n".join(parts) + "\n"


def _literal(label: Any) -> Any:
    return bytes(label) if isinstance(label, bytes) else label_value(label)


def _said(label: Any) -> str:
    return _safe(repr(label)) if isinstance(label, float) else repr(label)


def _key(label: Any) -> str:
    """A level as the module finds it: its type and its value."""
    if isinstance(label, str):
        return repr(("str", label))
    if isinstance(label, bool):
        return repr(("bool", label))
    if isinstance(label, int | float):
        return f"('number', {_safe(repr(label))})"
    return repr(("bytes", label) if isinstance(label, bytes) else ("other", str(label)))


def _helpers(program: Program) -> list[str]:
    kinds = {field.kind for field in program.fields}
    blocks = [_KEY] if "levels" in kinds else []
    blocks += [_NUMBER] if kinds & {"real", "whole"} else []
    blocks += [f"_NANOSECONDS = {_UNITS!r}", _TIME] if "ticks" in kinds else []
    walk = _PARTS if program.spreads else _WALK
    if program.pool is not None:
        fails = program.pool.fails
        nothing = "raise ValueError(NO_ANSWER)" if fails else "return list(pool[1][:-1])"
        walk += "\n\n" + _POOL.replace("NOTHING", nothing)
    return [*blocks, walk.replace("NO_ANSWER", f'"{program.no_answer}"')]


def _encode(program: Program) -> str:
    cells = []
    for place, field in enumerate(program.fields):
        value = f"row[{field.name!r}]"
        if field.kind == "levels":
            cells.append(f"_level({value}, _LEVELS_{place})")
        elif field.kind == "ticks":
            meaning = parse_temporal(field.column.dtype)
            assert meaning is not None  # noqa: S101
            cells.append(f"_ticks({value}, {_UNITS[meaning.unit]})")
        else:
            cells.append(f"_number({value})")
    lines = ["def _encode(row):", "    x = (", *(f"        {cell}," for cell in cells), "    )"]
    for place, field in enumerate(program.fields):
        if program.refuses_missing:
            gone = f"x[{place}] == -1" if field.kind == "levels" else f"not -_INF < x[{place}] < _INF"
            reason = f"column {field.name!r} is missing or infinite"
            lines += [f"    if {gone}:", f"        raise ValueError({reason!r})"]
        if program.refuses_unseen and field.kind == "levels":
            reason = f"column {field.name!r} has a level that was never seen in training"
            lines += [f"    if x[{place}] == -2:", f"        raise ValueError({reason!r})"]
    return "\n".join([*lines, "    return x"])


def _rows(numbers: Any) -> str:
    return "(\n" + "".join(f"    {tuple(map(float, row))!r},\n" for row in numbers) + ")"


def _safe(text: str) -> str:
    return text.replace("inf", "_INF").replace("nan", "_NAN")


def _answers(program: Program, options: Options) -> list[str]:
    parts = []
    if program.spreads:
        shares = {node: step.shares for node, step in enumerate(program.steps) if step.shares}
        parts.append(f"_SHARES = {shares!r}")
    if not program.is_classifier:
        values = _safe(repr(tuple(program.values.tolist())))
        parts.append(f"_VALUES = {values}")
        body = "sum(share * _VALUES[node] for node, share in _ends(row))" if program.spreads else "_VALUES[_end(row)]"
        return [*parts, f'def predict(row):\n    """The value of a case, a mapping by column."""\n    return {body}']
    n = len(program.classes)
    if options.classes and not program.spreads:
        parts.append(f"_LABEL = {tuple(program.label.tolist())!r}")
        parts.append(_PREDICT)
    if options.classes and program.spreads:
        parts += _table(program, "worth")
        parts.append(f"_ORDER = {program.order!r}")
        parts.append(_DECIDE.format(sums=_summed(program, "worth"), n=n, tolerance=program.tolerance))
    if options.probabilities:
        parts += _table(program, "probabilities")
        body = _summed(program, "probabilities") if program.spreads else "list(_PROBABILITIES[_end(row)])"
        parts.append(
            'def predict_proba(row):\n    """The probabilities of a case, in the order of CLASSES."""\n'
            f"    return {body}"
        )
    return parts


def _table(program: Program, name: str) -> list[str]:
    """What the nodes say and, where that is pooled, what is besides and the default."""
    pool, table, ours = program.pool, getattr(program, name), f"_{name.upper()}"
    if pool is None:
        return [f"{ours} = {_rows(table)}"]
    return [f"{ours} = {_rows(pool.widened(table))}", f"{ours}_POOL = {_rows(pool.rows(getattr(pool, name)))}"]


def _summed(program: Program, name: str) -> str:
    """What the ends of a case say together."""
    ours = f"_{name.upper()}"
    if program.pool is None:
        return f"_sums(row, {ours}, {len(program.classes)})"
    return f"_pooled(row, {ours}, {ours}_POOL)"


_PREDICT = '''def predict(row):
    """The class of a case, a mapping by column."""
    return CLASSES[_LABEL[_end(row)]]'''
_DECIDE = '''def predict(row):
    """The class of a case, a mapping by column: the first that no later one beats by more than rounding."""
    worth = {sums}
    best = 0
    for k in range(1, {n}):
        if worth[k] > worth[best] + {tolerance!r}:
            best = k
    return CLASSES[_ORDER[best]]'''


# The text run in this interpreter


def _given(field: Field, cell: Any) -> list[Any]:
    """A cell as users of the module may give it: a time as Python, numpy and pandas have it."""
    if field.kind == "levels":
        return [label_of(field, cell)]
    meaning = parse_temporal(field.column.dtype)
    if meaning is None:
        return [cell]
    pandas = _pandas()
    if cell is None:
        gone = [None, np.timedelta64("NaT") if meaning.family == "duration" else np.datetime64("NaT")]
        return gone if pandas is None else [*gone, pandas.NaT]
    value = meaning.as_values(np.array([cell], dtype=np.int64))[0]
    if not isinstance(value, np.generic):
        return [value]
    forms = [value, value.item()]
    if pandas is not None:
        with contextlib.suppress(ValueError, OverflowError):  # no such year
            forms.append(pandas.Timedelta(value) if meaning.family == "duration" else pandas.Timestamp(value))
    return forms


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ImportError:
        return None


def _mappings(program: Program, cells: tuple[Any, ...]) -> list[dict[str, Any]]:
    """A case as a mapping: once, or once for each form that its times can have."""
    forms = [_given(field, cell) for field, cell in zip(program.fields, cells, strict=True)]
    return [
        {field.name: given[k % len(given)] for field, given in zip(program.fields, forms, strict=True)}
        for k in range(max(map(len, forms), default=1))
    ]


def _answer(names: dict[str, Any], row: dict[str, Any]) -> tuple[Any, Any] | None:
    try:
        label = names["predict"](row) if "predict" in names else None
        return label, names["predict_proba"](row) if "predict_proba" in names else None
    except ValueError:
        return None


def _run(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "<exported by bough>", "exec"), names)  # noqa: S102 (our own text: this is what is judged)
    n = cells.n_cases
    sheet = AnswerSheet.blank(program, n)
    place = {label_value(_literal(label)): label for label in program.classes}
    for case in range(n):
        rows = _mappings(program, cells.row(case))
        told = [_answer(names, row) for row in rows]
        if any(answer != told[0] for answer in told):
            raise ExportError(f"the module answers {told!r:.200} to forms of one case: {rows!r:.400}.")
        if told[0] is None:
            sheet.failed[case] = True
            continue
        label, share = told[0]
        if not program.is_classifier:
            sheet.values[case] = label
        elif options.classes:
            sheet.labels[case] = place.get(label, label)
        if share is not None:
            sheet.shares[case] = share
    return sheet.answers(options)


TARGET = Target(
    "python",
    write_python,
    (Judge(lambda _: f"{platform.python_implementation()} {platform.python_version()}", _run),),
)
