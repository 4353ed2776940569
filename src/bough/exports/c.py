"""C: one file of C99 without allocation; a struct for a case, a function for its class and one for probabilities."""

import ctypes
import importlib
import math
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bough.errors import ExportError, ParameterError
from bough.exports.cells import Cells, outside
from bough.exports.code import Style, Words
from bough.exports.code_reader import read_code, run_code
from bough.exports.interpret import Answers
from bough.exports.program import SPREAD, Field, Program
from bough.exports.target import Judge, Options, Target
from bough.exports.text import check_labels, check_text, comment, label_value, refuse_large_labels

__all__ = ["TARGET", "write_c"]

_LEVEL = """\
/* The number of a level, -1 where it is missing, -2 where it was never seen; levels are in the order of strcmp. */
typedef struct { const char *text; int code; } level;
static int level_of(const char *text, const level *levels, size_t count) {
  size_t low = 0, high = count;
  if (text == NULL) return -1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(text, levels[middle].text);
    if (order == 0) return levels[middle].code;
    if (order < 0) high = middle; else low = middle + 1;
  }
  return -2;
}"""
_NUMBER = """\
static int number_of(double value, const double *levels, size_t count) {
  size_t k;
  if (value != value) return -1;
  for (k = 0; k < count; ++k) if (levels[k] == value) return (int)k;
  return -2;
}"""
_WALK = """\
/* The node in which a case ends, -1 if it has no answer. */
static int end_of(const cells *c) {
  int node = 0;
  for (;;) {
    const int then = step(node, c);
    if (then == -1) return node;
    if (then == -3) return -1;
    node = then;
  }
}"""
_PARTS = """\
/* Adds the numbers of the nodes in which the parts of a case end, times their shares; -1 if it has no answer. */
static int sum_ends(const cells *c, const double *table, int width, double *sums) {
  int nodes[ROOM], top = 0, k;
  double shares[ROOM];
  nodes[top] = 0;
  shares[top++] = 1.0;
  for (k = 0; k < width; ++k) sums[k] = 0.0;
  while (top > 0) {
    const int node = nodes[--top];
    const double share = shares[top];
    const int then = step(node, c);
    if (then == -3) return -1;
    if (then == -1) {
      for (k = 0; k < width; ++k) sums[k] += share * table[(size_t)node * (size_t)width + (size_t)k];
    } else if (then == -2) {
      for (k = SHARE_BEGIN[node + 1] - 1; k >= SHARE_BEGIN[node]; --k) {
        nodes[top] = SHARE_CHILD[k];
        shares[top++] = share * SHARE_PART[k];
      }
    } else {
      nodes[top] = then;
      shares[top++] = share;
    }
  }
  return 0;
}"""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,:+")
_WORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while"
)


class _C(Style):
    def cell(self, place: int) -> str:
        return f"c->x{place}"

    def number(self, of: Field, number: float | int) -> str:
        if of.column.dtype == "uint64" and number < 0:
            number = float(number)
        if isinstance(number, float):
            return repr(number) if math.isfinite(number) else "INFINITY" if number > 0 else "-INFINITY"
        if of.kind == "real":
            return repr(float(number))
        if number == -(2**63):
            return "INT64_MIN"
        return f"{'U' if of.column.dtype == 'uint64' else ''}INT64_C({number})"

    def guard(self, place: int) -> str:
        return f"c->k{place}" if self.program.fields[place].kind in ("whole", "ticks") else ""

    def known(self, place: int) -> str:
        return self.guard(place) or super().known(place)


def text_of(value: str) -> str:
    """A string as its bytes in UTF-8."""
    check_text(value, "the label", "C")
    return '"' + "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03o}" for b in value.encode()) + '"'


def member_names(program: Program) -> list[str]:
    """The names of the members of a case: the number of the field and what is plain of its name."""
    return [
        f"x{place}_{re.sub('[^0-9A-Za-z]+', '_', field.name)[:40]}".rstrip("_")
        for place, field in enumerate(program.fields)
    ]


def _name(options: Options) -> str:
    name = options.more.get("name", "tree")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,60}", name) or _WORDS.fullmatch(name):
        raise ParameterError(f"name must be a name in C, such as 'tree'; got {name!r:.60}.")
    return name


def write_c(program: Program, options: Options) -> str:
    """The file."""
    check_labels(program, "C")
    name, style, words = _name(options), _C(program), Words(program)
    refuse_large_labels(program, "C", classes=None)
    lines = []
    for node, step in enumerate(program.steps):
        if not step.rules and step.otherwise != SPREAD:
            continue
        tests = "".join(f"if ({style.test(rule.when)}) return {rule.then}; " for rule in step.rules)
        lines.append(f"    case {node}: {tests}return {step.otherwise}; /* {words.asks(node)} */")
    parts = ["/*\n" + "\n".join(words.head(" *")) + "\n */"]
    parts.append("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>")
    parts.append(_case(program, name))
    if program.is_classifier:
        listed = ", ".join(text_of(str(label_value(label))) for label in program.classes)
        parts.append(f"const char *const {name}_classes[] = {{{listed}}};")
    for key, table in style.tables.items():
        parts.append(f"static const signed char {table}[] = {{{', '.join(style.table_text(key))}}};")
    parts += _levels(program)
    parts.append(_cells(program, name))
    body = "\n".join(lines)
    parts.append(
        "/* From a node to the next; -1: it ends here. */\nstatic int step(int node, const cells *c) {\n"
        f"  (void)c;\n  switch (node) {{\n{body}\n    default: break;\n  }}\n  return -1;\n}}"
    )
    parts += _shares(program)
    parts += _answers(program, options, name)
    return "\n".join(parts) + "\n"


def _case(program: Program, name: str) -> str:
    lines = []
    for place, (field, member) in enumerate(zip(program.fields, member_names(program), strict=True)):
        said = comment(field.name)
        if field.kind == "real":
            lines.append(f"  double {member}; /* {said}; NAN if missing */")
        elif field.kind in ("whole", "ticks"):
            kind = "uint64_t" if field.column.dtype == "uint64" else "int64_t"
            unit = f", {field.column.dtype} since 1970" if field.kind == "ticks" else ""
            lines.append(f"  {kind} {member}; /* {said}{comment(unit)} */\n  int x{place}_known; /* 0 if missing */")
        elif field.labels == "text":
            lines.append(f"  const char *{member}; /* {said}; NULL if missing */")
        else:
            lines.append(
                f"  double {member}; /* {said}{', 0 or 1' if field.labels == 'bool' else ''}; NAN if missing */"
            )
    body = "\n".join(lines) or "  int unused;"
    return f"typedef struct {{\n{body}\n}} {name}_case;"


def _levels(program: Program) -> list[str]:
    parts = []
    texts = [field for field in program.fields if field.labels == "text"]
    parts += [_LEVEL] if texts else []
    parts += [_NUMBER] if any(field.labels in ("number", "bool") for field in program.fields) else []
    for place, field in enumerate(program.fields):
        if field.labels == "text":
            pairs = sorted(
                (str(label_value(level)).encode("utf-8", "replace"), k) for k, level in enumerate(field.levels)
            )
            known = [str(label_value(level)) for level in field.levels]
            rows = "".join(f"  {{{text_of(known[k])}, {k}}},\n" for _, k in pairs)
            parts.append(f"static const level LEVELS_{place}[] = {{\n{rows or '  {NULL, -2},' + chr(10)}}};")
        elif field.kind == "levels":
            listed = ", ".join(_number(float(level)) for level in field.levels if isinstance(level, int | float))
            parts.append(f"static const double NUMBERS_{place}[] = {{{listed}}};")
    return parts


def _cells(program: Program, name: str) -> str:
    members, lines = [], []
    for place, (field, member) in enumerate(zip(program.fields, member_names(program), strict=True)):
        if field.kind == "real":
            members.append(f"double x{place};")
            lines.append(f"  c->x{place} = row->{member};")
        elif field.kind in ("whole", "ticks"):
            members.append(f"{'uint64_t' if field.column.dtype == 'uint64' else 'int64_t'} x{place}; int k{place};")
            lines.append(f"  c->x{place} = row->{member};\n  c->k{place} = row->x{place}_known;")
        else:
            members.append(f"int x{place};")
            reader, table = ("level_of", "LEVELS") if field.labels == "text" else ("number_of", "NUMBERS")
            count = len(field.levels)
            lines.append(f"  c->x{place} = {reader}(row->{member}, {table}_{place}, {count});")
    for place, field in enumerate(program.fields):
        if program.refuses_missing:
            gone = {"real": f"c->x{place} != c->x{place}", "levels": f"c->x{place} == -1"}.get(
                field.kind, f"!c->k{place}"
            )
            lines.append(f"  if ({gone}) return -1;")
        if program.refuses_unseen and field.kind == "levels":
            lines.append(f"  if (c->x{place} == -2) return -1;")
    held = " ".join(members) or "int unused;"
    body = "\n".join(lines) or "  (void)row; (void)c;"
    head = f"typedef struct {{ {held} }} cells;\nstatic int encode(const {name}_case *row, cells *c)"
    return f"{head} {{\n{body}\n  return 0;\n}}"


def _shares(program: Program) -> list[str]:
    if not program.spreads:
        return [_WALK]
    begin, child, part = [0], [], []
    for step in program.steps:
        child += [str(node) for node, _ in step.shares]
        part += [repr(share) for _, share in step.shares]
        begin.append(len(child))
    room = 1 + (program.depth + 1) * max(len(step.children) for step in program.steps)
    return [
        f"static const int SHARE_BEGIN[] = {{{', '.join(map(str, begin))}}};",
        f"static const int SHARE_CHILD[] = {{{', '.join(child)}}};",
        f"static const double SHARE_PART[] = {{{', '.join(part)}}};",
        f"enum {{ ROOM = {room} }};",
        _PARTS,
    ]


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def _table(name: str, numbers: Any) -> str:
    rows = ",\n".join("  {" + ", ".join(_number(float(x)) for x in row) + "}" for row in numbers)
    return f"static const double {name}[][{len(numbers[0])}] = {{\n{rows}\n}};"


def _answers(program: Program, options: Options, name: str) -> list[str]:
    parts = []
    start = "  cells c;\n  int node;\n  if (encode(row, &c) != 0) return -1;\n  node = end_of(&c);"
    start += "\n  if (node < 0) return -1;"
    spread = "  cells c;\n  if (encode(row, &c) != 0) return -1;"
    if not program.is_classifier:
        parts.append(f"static const double VALUES[] = {{{', '.join(map(_number, program.values.tolist()))}}};")
        body = (
            f"{spread}\n  return sum_ends(&c, VALUES, 1, value);"
            if program.spreads
            else f"{start}\n  *value = VALUES[node];\n  return 0;"
        )
        parts.append(
            "/* Writes the value of a case; returns -1 if it has none. */\n"
            f"int {name}_value(const {name}_case *row, double *value) {{\n{body}\n}}"
        )
        return parts
    n = len(program.classes)
    if options.classes:
        if program.spreads:
            parts += [
                _table("WORTH", program.worth),
                f"static const int ORDER[] = {{{', '.join(map(str, program.order))}}};",
                f"static const double TOLERANCE = {program.tolerance!r};",
            ]
            body = (
                f"  double worth[{n}];\n  int best = 0, k;\n{spread}\n"
                f"  if (sum_ends(&c, &WORTH[0][0], {n}, worth) != 0) return -1;\n"
                f"  for (k = 1; k < {n}; ++k) if (worth[k] > worth[best] + TOLERANCE) best = k;\n  return ORDER[best];"
            )
        else:
            parts.append(f"static const int LABEL[] = {{{', '.join(map(str, program.label.tolist()))}}};")
            body = f"{start}\n  return LABEL[node];"
        parts.append(
            f"/* The number of the class of a case in {name}_classes; -1 if it has no answer. */\n"
            f"int {name}_class(const {name}_case *row) {{\n{body}\n}}"
        )
    if options.probabilities:
        parts.append(_table("PROBABILITIES", program.probabilities))
        body = (
            f"{spread}\n  return sum_ends(&c, &PROBABILITIES[0][0], {n}, out);"
            if program.spreads
            else f"{start}\n  memcpy(out, PROBABILITIES[node], sizeof PROBABILITIES[node]);\n  return 0;"
        )
        parts.append(
            f"/* Writes the probabilities of a case, in the order of {name}_classes; returns -1 if it has none. */\n"
            f"int {name}_probabilities(const {name}_case *row, double *out) {{\n{body}\n}}"
        )
    return parts


# Who judges


def _compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def _compiler_name(options: Options) -> str | None:
    compiler = _compiler()
    return None if compiler is None else _version(compiler)


@cache
def _version(compiler: str) -> str | None:
    found = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    return found.stdout.splitlines()[0].strip() if found.returncode == 0 and found.stdout else None


def _structure(program: Program) -> type[ctypes.Structure]:
    members: list[tuple[str, Any]] = []
    for place, (field, member) in enumerate(zip(program.fields, member_names(program), strict=True)):
        if field.kind in ("whole", "ticks"):
            kind = ctypes.c_uint64 if field.column.dtype == "uint64" else ctypes.c_int64
            members += [(member, kind), (f"x{place}_known", ctypes.c_int)]
        else:
            members.append((member, ctypes.c_char_p if field.labels == "text" else ctypes.c_double))
    return type("Case", (ctypes.Structure,), {"_fields_": members or [("unused", ctypes.c_int)]})


def _fill(row: Any, program: Program, cells: tuple[Any, ...]) -> None:
    for place, (field, member, cell) in enumerate(zip(program.fields, member_names(program), cells, strict=True)):
        value = outside(field, cell)
        if field.kind in ("whole", "ticks"):
            setattr(row, member, 0 if value is None else value)
            setattr(row, f"x{place}_known", int(value is not None))
        elif field.labels == "text":
            setattr(row, member, None if value is None else str(value).encode())
        else:
            setattr(row, member, math.nan if value is None else float(value))


def _run_compiled(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    name, case_type = _name(options), _structure(program)
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "tree.c"), Path(folder, "tree.so")
        source.write_text(text, encoding="utf-8")
        command = [_compiler() or "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
        done = subprocess.run(  # noqa: S603
            [*command, "-o", str(library), str(source), "-lm"], capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode != 0:
            raise ExportError(f"the compiler refuses the text: {done.stderr[:600]}")
        loaded = ctypes.CDLL(str(library))
    try:
        return _call(loaded, case_type, name, program, cells, options)
    finally:
        importlib.import_module("_ctypes").dlclose(loaded._handle)  # noqa: SLF001 (ctypes has no other way)


def _call(
    loaded: Any, case_type: type[ctypes.Structure], name: str, program: Program, cells: Cells, options: Options
) -> Answers:
    n, row = cells.n_cases, case_type()
    failed = np.zeros(n, dtype=bool)
    labels: list[Any] = [None] * n
    shares = np.full((n, len(program.classes)), np.nan)
    values = np.full(n, np.nan)
    buffer = (ctypes.c_double * max(1, len(program.classes)))()
    for case in range(n):
        _fill(row, program, cells.row(case))
        if not program.is_classifier:
            failed[case] = getattr(loaded, f"{name}_value")(ctypes.byref(row), buffer) != 0
            values[case] = buffer[0]
            continue
        if options.classes:
            number = getattr(loaded, f"{name}_class")(ctypes.byref(row))
            failed[case] = number < 0
            labels[case] = None if number < 0 else program.classes[number]
        if options.probabilities:
            failed[case] |= getattr(loaded, f"{name}_probabilities")(ctypes.byref(row), buffer) != 0
            shares[case] = list(buffer)
    if not program.is_classifier:
        return Answers(failed, values=values)
    return Answers(failed, labels if options.classes else None, shares if options.probabilities else None)


def _run_text(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    return run_code(read_code(text, "c"), program, cells, options)


_JUDGES = (
    Judge(_compiler_name, _run_compiled),
    Judge(lambda _: "an interpreter of the emitted C", _run_text, real=False),
)
TARGET = Target("c", write_c, _JUDGES, frozenset({"name"}))
