"""An interpreter of the JavaScript and C that we emit, for machines without node or a compiler.

It reads the tables, the level lists and the tests from the text, and nothing else: what they say is what is run.
"""

import json
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from bough.errors import ExportError
from bough.exports.answer_sheet import AnswerSheet
from bough.exports.target import Options
from bough.exports.text import label_value
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers, decide
from bough.model.program.program import Program

__all__ = ["CodeText", "read_code", "run_code"]

_CASE = re.compile(r"^    case (\d+): (.*) (?://|/\*) ", re.MULTILINE)
_TEST = re.compile(r"if \((.*?)\) return (-?\d+); ")
_TOKEN = re.compile(
    r"\s+|&&|\|\||===|!==|==|!=|!|<=|>=|<|>|[()+]|-?Infinity|-?INFINITY|-?\d+n|INT64_MIN|U?INT64_C\(-?\d+\)"
    r"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[SV]\d+|\[|\]|c->[xk]\d+|x\[\d+\]|s\d+\([xc]\)|pick|less_u|less|[,*]|-(?= )"
    r"|NaN|NAN"
)
_WORDS = {
    "&&": " and ", "||": " or ", "===": "==", "!==": "!=", "!": " not ", "Infinity": "inf", "INFINITY": "inf",
    "INT64_MIN": str(-(2**63)), "NaN": "nan", "NAN": "nan",
}  # fmt: skip

_SUM = re.compile(
    r"^(?:function|static double) s(\d+)\([^)]*\) \{\n  (?:let|double) s = (-?[\d.]+(?:e[+-]?\d+)?);\n(.*?)"
    r"  return (s|(?:Math\.)?tanh\(s\));\n\}$",
    re.MULTILINE | re.DOTALL,
)
_GONE, _TERM = re.compile(r"  if \((.*)\) return (?:NaN|NAN);"), re.compile(r"  s \+= (.*);")
_HELPERS: dict[str, Any] = {
    "pick": lambda known, value, otherwise: float(value) if known else otherwise,
    "less": operator.sub,
    "less_u": operator.sub,
}

_GUARDS: dict[str, Callable[[Any, bool], bool]] = {
    "missing": lambda value, known: not known,
    "finite": lambda value, known: not -math.inf < value < math.inf,
    "unseen": lambda value, known: value == -2,
}


@dataclass
class CodeText:
    """What the text holds."""

    steps: dict[int, tuple[list[tuple[Callable[[list[Any], list[bool]], Any], int]], int]] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)
    levels: dict[int, dict[Any, int]] = field(default_factory=dict)
    guards: list[tuple[str, int]] = field(default_factory=list)
    classes: list[Any] = field(default_factory=list)


def _python(test: str) -> str:
    """A test as a Python expression; anything that we do not emit is refused."""
    out, place = [], 0
    while place < len(test):
        found = _TOKEN.match(test, place)
        if found is None:
            raise ExportError(f"the text holds a test that cannot be read: {test!r:.120}.")
        token = found.group()
        place = found.end()
        if token in _WORDS:
            token = _WORDS[token]
        elif token in ("-Infinity", "-INFINITY"):
            token = "-" + "inf"
        elif token.startswith(("INT64_C", "UINT64_C")):
            token = token[token.index("(") :]
        elif token[-1] == "n" and token[:-1].lstrip("-").isdigit():
            token = token[:-1]
        elif token[0] == "s":
            token = f"{token[:-3]}(x, k)"
        elif token.startswith("c->"):
            token = f"{token[3]}[{token[4:]}]"
        out.append(token)
    return "".join(out)


def read_code(text: str, language: str) -> CodeText:
    """Read an emitted file."""
    code = CodeText()
    if language == "c":
        _read_c_tables(text, code)
    else:
        _read_javascript_tables(text, code)
    names: dict[str, Any] = {"inf": math.inf, "nan": math.nan, "__builtins__": {}, **_HELPERS}
    names |= {name: table for name, table in code.tables.items() if re.fullmatch(r"[SV]\d+", name)}
    for number, start, body, told in _SUM.findall(text):
        names[f"s{number}"] = _summing(float(start), body, names, squashed=told != "s")
    for node, body in _CASE.findall(text):
        tests = [(_compiled(_python(test), names), int(then)) for test, then in _TEST.findall(body)]
        rest = re.fullmatch(r"return (-?\d+);", _TEST.sub("", body))
        if rest is None:
            raise ExportError(f"the text holds a node that cannot be read: {body!r:.120}.")
        code.steps[int(node)] = (tests, int(rest[1]))
    return code


def _summing(
    start: float, body: str, names: dict[str, Any], *, squashed: bool
) -> Callable[[list[Any], list[bool]], float]:
    """A function that adds terms in their order, unless nothing is known of them."""
    lines = body.strip("\n").split("\n")
    gone = [_compiled(_python(found[1]), names) for line in lines if (found := _GONE.fullmatch(line))]
    terms = [_compiled(_python(found[1]), names) for line in lines if (found := _TERM.fullmatch(line))]
    if len(gone) + len(terms) != len(lines):
        raise ExportError(f"the text holds a sum that cannot be read: {body!r:.120}.")

    def run(x: list[Any], k: list[bool]) -> float:
        if any(test(x, k) for test in gone):
            return math.nan
        total = start
        for term in terms:
            total += term(x, k)
        return math.tanh(total) if squashed else total

    return run


def _compiled(expression: str, names: dict[str, Any]) -> Callable[[list[Any], list[bool]], Any]:
    found: Callable[[list[Any], list[bool]], Any] = eval(f"lambda x, k: {expression}", names)  # noqa: S307 (tokens only)
    return found


def _read_javascript_tables(text: str, code: CodeText) -> None:
    for name, value in re.findall(r"^const (\w+) = ([\[\d][^;]*);$", text, re.MULTILINE):
        if name != "CLASSES":
            code.tables[name] = json.loads(value)
        else:
            code.classes = json.loads(value)
    for place, value in re.findall(r"^const LEVELS_(\d+) = new Map\((.*)\);$", text, re.MULTILINE):
        code.levels[int(place)] = {_typed(label): number for label, number in json.loads(value)}
    shares = re.search(r"^const SHARES = \{(.*)\};$", text, re.MULTILINE)
    if shares:
        quoted = re.sub(r"(\d+): \[", r'"\1": [', "{" + shares[1] + "}")
        code.tables["SHARES"] = {int(node): parts for node, parts in json.loads(quoted).items()}
    code.guards += [("missing", int(p)) for p in re.findall(r"if \(x\[(\d+)\] === -1\) throw", text)]
    finite = r"if \(!\(x\[(\d+)\] > -Infinity && x\[\1\] < Infinity\)\) throw"
    code.guards += [("finite", int(p)) for p in re.findall(finite, text)]
    code.guards += [("unseen", int(p)) for p in re.findall(r"if \(x\[(\d+)\] === -2\) throw", text)]


def _read_c_tables(text: str, code: CodeText) -> None:
    kinds = r"(?:double|int|signed char|size_t)"
    for name, value in re.findall(
        rf"^static const {kinds} (\w+)(?:\[\w*\])* = (\{{.*?\}}|[-\d.e]+);$", text, re.MULTILINE | re.DOTALL
    ):
        plain = value.replace("{", "[").replace("}", "]").replace("INFINITY", "Infinity").replace("NAN", "NaN")
        code.tables[name] = json.loads(re.sub(r",\s*\]", "]", plain))
    named = re.search(r"^const char \*const \w+_classes\[\] = \{(.*)\};$", text, re.MULTILINE)
    if named:
        code.classes = [_unescaped(label) for label in re.findall(r'"((?:[^"\\]|\\.)*)"', named[1])]
    for place, body in re.findall(
        r"^static const level LEVELS_(\d+)\[\] = \{(.*?)^\};$", text, re.MULTILINE | re.DOTALL
    ):
        found = re.findall(r'^  \{"((?:[^"\\]|\\.)*)", (-?\d+)\},$', body, re.MULTILINE)
        code.levels[int(place)] = {_typed(_unescaped(label)): int(number) for label, number in found}
    for place, body in re.findall(r"^static const double NUMBERS_(\d+)\[\] = \{(.*?)\};$", text, re.MULTILINE):
        code.levels[int(place)] = {_typed(float(label)): k for k, label in enumerate(body.split(",")) if label.strip()}
    if "SHARE_BEGIN" in code.tables:
        begin, child, part = (code.tables[f"SHARE_{word}"] for word in ("BEGIN", "CHILD", "PART"))
        code.tables["SHARES"] = {
            node: list(zip(child[b:e], part[b:e], strict=True)) for node, (b, e) in enumerate(pairwise(begin))
        }
    code.guards += [
        ("missing", int(p)) for p in re.findall(r"^  if \(c->x(\d+) == -1\) return -1;", text, re.MULTILINE)
    ]
    code.guards += [
        ("finite", int(p)) for p in re.findall(r"^  if \(!isfinite\(c->x(\d+)\)\) return -1;", text, re.MULTILINE)
    ]
    code.guards += [("missing", int(p)) for p in re.findall(r"^  if \(!c->k(\d+)\) return -1;", text, re.MULTILINE)]
    code.guards += [("unseen", int(p)) for p in re.findall(r"^  if \(c->x(\d+) == -2\) return -1;", text, re.MULTILINE)]


def _unescaped(text: str) -> str:
    raw = re.sub(rb"\\([0-7]{3})", lambda found: bytes([int(found[1], 8)]), text.encode("ascii"))
    return raw.decode("utf-8")


def _typed(label: Any) -> Any:
    if isinstance(label, bool):
        return ("number", float(label))
    return ("text", label) if isinstance(label, str) else ("number", float(label))


def run_code(code: CodeText, program: Program, cells: Cells, options: Options) -> Answers:
    """The answers of the text to cases."""
    n = cells.n_cases
    sheet = AnswerSheet.blank(program, n)
    tables = code.tables
    classes = _classes(code, program)
    for case in range(n):
        x: list[Any] = []
        known: list[bool] = []
        for place, (of, cell) in enumerate(zip(program.fields, cells.row(case), strict=True)):
            value = outside(of, cell)
            known.append(value is not None)
            if of.kind == "levels":
                x.append(-1 if value is None else code.levels.get(place, {}).get(_typed(value), -2))
            else:
                x.append(math.nan if value is None else value)
        refused = any(_GUARDS[what](x[place], known[place]) for what, place in code.guards)
        ends = None if refused else _walk(code, x, known)
        if ends is None:
            sheet.failed[case] = True
        elif not program.is_classifier:
            sheet.values[case] = sum(share * tables["VALUES"][node] for node, share in ends)
        else:
            told = {name: _summed(tables, name, ends) for name in ("PROBABILITIES", "WORTH") if name in tables}
            if any(shares is None for shares in told.values()):
                sheet.failed[case] = True
                continue
            if options.probabilities:
                sheet.shares[case] = told["PROBABILITIES"]
            if options.classes and "WORTH" in tables:
                worth = np.asarray(told["WORTH"]).tolist()
                sheet.labels[case] = classes[decide(worth, tables["ORDER"], tables["TOLERANCE"])]
            elif options.classes:
                sheet.labels[case] = classes[tables["LABEL"][ends[0][0]]]
    return sheet.answers(options)


def _summed(tables: dict[str, Any], name: str, ends: list[tuple[int, float]]) -> Any:
    """What the ends of a case say together: sums, or their shares of a total; None where there is no answer."""
    sums = np.asarray(sum(share * np.array(tables[name][node]) for node, share in ends))
    if f"{name}_POOL" not in tables:
        return sums
    besides, *default = tables[f"{name}_POOL"]
    if not sums[-1] > 0:
        return default[0][:-1] if default else None
    return (sums + besides)[:-1] / (sums[-1] + besides[-1])


def _classes(code: CodeText, program: Program) -> list[Any]:
    """The classes of the program by the names that the text gives them; a name that it should not have stays."""
    told = {_typed(label_value(label)): label for label in program.classes}
    told |= {("text", str(label_value(label))): label for label in program.classes}  # C has names only
    return [told.get(_typed(name), name) for name in code.classes]


def _walk(code: CodeText, x: list[Any], known: list[bool]) -> list[tuple[int, float]] | None:
    todo, ends = [(0, 1.0)], []
    while todo:
        node, share = todo.pop()
        tests, rest = code.steps.get(node, ([], -1))
        then = next((target for test, target in tests if test(x, known)), rest)
        if then == -3:
            return None
        if then == -1:
            ends.append((node, share))
        elif then == -2:
            todo += [(child, share * part) for child, part in reversed(code.tables["SHARES"][node])]
        else:
            todo.append((then, share))
    return ends
