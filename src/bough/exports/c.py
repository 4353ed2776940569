"""C: one file of C99 without allocation; a struct for a case, a function for its class and one for probabilities."""

import math
import re
import shutil
import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bough.errors import ExportError, ParameterError
from bough.exports.code import Style, Words, switch_cases
from bough.exports.code_reader import read_code, run_code
from bough.exports.target import Judge, Options, Target
from bough.exports.text import check_labels, check_text, comment, label_value, refuse_large_labels, unit_of
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import Field, Program

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
/* Adds the numbers of the nodes in which the parts of a case end, times their shares; -1 if it has no answer.
   Of each node that spreads the case it keeps which parts are left: ROOM of them are nested at most. */
static int sum_ends(const cells *c, const double *table, int width, double *sums) {
  int next[ROOM], end[ROOM], top = 0, node = 0, k;
  double whole[ROOM], share = 1.0;
  for (k = 0; k < width; ++k) sums[k] = 0.0;
  for (;;) {
    const int then = step(node, c);
    if (then == -3) return -1;
    if (then >= 0) {
      node = then;
      continue;
    }
    if (then == -1) {
      for (k = 0; k < width; ++k) sums[k] += share * table[(size_t)node * (size_t)width + (size_t)k];
    } else {
      next[top] = SHARE_BEGIN[node];
      end[top] = SHARE_BEGIN[node + 1];
      whole[top++] = share;
    }
    while (top > 0 && next[top - 1] == end[top - 1]) --top;
    if (top == 0) return 0;
    k = next[top - 1]++;
    node = SHARE_CHILD[k];
    share = whole[top - 1] * SHARE_PART[k];
  }
}"""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,:+")
_STACK = 100_000  # bytes that a call may take: a thread of another program may have little more


class _C(Style):
    def cell(self, place: int) -> str:
        return f"c->x{place}"

    def number(self, of: Field, number: float | int) -> str:
        if of.column.dtype == "uint64" and number < 0:
            number = float(number)
        if isinstance(number, float):
            return _number(number)
        if of.kind == "real":
            return repr(float(number))
        if number == -(2**63):
            return "INT64_MIN"
        return f"{'U' if of.column.dtype == 'uint64' else ''}INT64_C({number})"

    def guard(self, place: int) -> str:
        return f"c->k{place}" if self.program.fields[place].kind in ("whole", "ticks") else ""

    def known(self, place: int) -> str:
        return self.guard(place) or super().known(place)

    def missing(self, place: int) -> str:
        return f"!{self.guard(place)}" if self.guard(place) else super().missing(place)


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
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,60}", name):
        raise ParameterError(f"name must be a name in C, such as 'tree'; got {name!r:.60}.")
    return name


def write_c(program: Program, options: Options) -> str:
    """The file."""
    check_labels(program, "C")
    name, style, words = _name(options), _C(program), Words(program)
    refuse_large_labels(program, "C", classes=None)
    lines = switch_cases(style, words, "/* {} */")
    parts = ["/*\n" + "\n".join(words.head(" *", options.head)) + "\n */"]
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
            unit = f", {unit_of(field)}" if field.kind == "ticks" else ""
            lines.append(f"  {kind} {member}; /* {said}{unit} */\n  int x{place}_known; /* 0 if missing */")
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
            gone = {"real": f"!isfinite(c->x{place})", "levels": f"c->x{place} == -1"}.get(field.kind, f"!c->k{place}")
            lines.append(f"  if ({gone}) return -1;")
        if program.refuses_unseen and field.kind == "levels":
            lines.append(f"  if (c->x{place} == -2) return -1;")
    held = " ".join(members) or "int unused;"
    body = "\n".join(lines) or "  (void)row; (void)c;"
    head = f"typedef struct {{ {held} }} cells;\nstatic int encode(const {name}_case *row, cells *c)"
    return f"{head} {{\n{body}\n  return 0;\n}}"


def _room(program: Program) -> int:
    """How many nodes on one path spread a case."""
    nested = [0] * len(program.steps)
    for node, (step, parent) in enumerate(zip(program.steps, program.parents, strict=True)):
        nested[node] = int(bool(step.shares)) + (nested[parent] if parent >= 0 else 0)
    room = max(nested)
    if 16 * room + 8 * len(program.classes) > _STACK:
        raise ExportError(
            f"a case of this model is spread over branches {room:,} times in a row, for {len(program.classes):,} "
            f"classes, and a call in C would take more than {_STACK:,} bytes of the stack, which may end the program. "
            'Export to "python", "javascript" or "sql", or make the model smaller.'
        )
    return room


def _shares(program: Program) -> list[str]:
    if not program.spreads:
        return [_WALK]
    begin, child, part = [0], [], []
    for step in program.steps:
        child += [str(node) for node, _ in step.shares]
        part += [repr(share) for _, share in step.shares]
        begin.append(len(child))
    return [
        f"static const int SHARE_BEGIN[] = {{{', '.join(map(str, begin))}}};",
        f"static const int SHARE_CHILD[] = {{{', '.join(child)}}};",
        f"static const double SHARE_PART[] = {{{', '.join(part)}}};",
        f"enum {{ ROOM = {_room(program)} }};",
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


# Cases are answered by a program of their own: whatever the text does, it does not do it to ours.
_DRIVER = """\
#include "tree.c"
#include <stdio.h>
#include <stdlib.h>
static FILE *given, *told;
static void take(void *place, size_t size) { if (size > 0 && fread(place, size, 1, given) != 1) exit(3); }
static void tell(const void *place, size_t size) { if (size > 0 && fwrite(place, size, 1, told) != 1) exit(3); }
static char *take_text(void) {
  int32_t size;
  char *text;
  take(&size, sizeof size);
  if (size < 0) return NULL;
  text = malloc((size_t)size + 1);
  if (text == NULL) exit(3);
  take(text, (size_t)size);
  text[size] = 0;
  return text;
}
int main(void) {
  int n;
  given = fopen("cases", "rb");
  told = fopen("answers", "wb");
  if (given == NULL || told == NULL) return 3;
  (void)take_text;
%(classes)s
  for (n = 0; n < %(cases)d; ++n) {
    %(name)s_case row;
    int32_t failed = 0, number = -1;
    double numbers[%(width)d] = {0.0};
    memset(&row, 0, sizeof row);
%(take)s
%(ask)s
    tell(&failed, sizeof failed);
    tell(&number, sizeof number);
    tell(numbers, sizeof numbers);
  }
  return fclose(told);
}
"""


def _driver(program: Program, options: Options, n_cases: int) -> str:
    name, take = _name(options), []
    for place, (field, member) in enumerate(zip(program.fields, member_names(program), strict=True)):
        if field.labels == "text":
            take.append(f"    row.{member} = take_text();")
        else:
            take.append(f"    take(&row.{member}, sizeof row.{member});")
        if field.kind in ("whole", "ticks"):
            take.append(f"    take(&row.x{place}_known, sizeof row.x{place}_known);")
    if not program.is_classifier:
        ask = [f"    failed = {name}_value(&row, numbers) != 0;"]
    else:
        ask = [f"    number = {name}_class(&row);", "    failed = number < 0;"] if options.classes else []
        ask += [f"    failed |= {name}_probabilities(&row, numbers) != 0;"] if options.probabilities else []
    names = f"  for (n = 0; n < {len(program.classes)}; ++n) tell({name}_classes[n], strlen({name}_classes[n]) + 1);"
    return _DRIVER % {
        "name": name, "cases": n_cases, "width": max(1, len(program.classes)), "take": "\n".join(take),
        "ask": "\n".join(ask), "classes": names if program.is_classifier else "",
    }  # fmt: skip


def _packed(program: Program, cells: Cells) -> bytes:
    """The cases as the driver takes them."""
    parts = []
    for case in range(cells.n_cases):
        for field, cell in zip(program.fields, cells.row(case), strict=True):
            value = outside(field, cell)
            if field.kind in ("whole", "ticks"):
                wide = "Q" if field.column.dtype == "uint64" else "q"
                parts.append(struct.pack(f"={wide}i", 0 if value is None else value, value is not None))
            elif field.labels == "text":
                text = b"" if value is None else str(value).encode()
                parts.append(struct.pack("=i", -1 if value is None else len(text)) + text)
            else:
                parts.append(struct.pack("=d", math.nan if value is None else float(value)))
    return b"".join(parts)


def _run_compiled(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tree.c").write_text(text, encoding="utf-8")
        Path(folder, "driver.c").write_text(_driver(program, options, cells.n_cases), encoding="utf-8")
        Path(folder, "cases").write_bytes(_packed(program, cells))
        command = [_compiler() or "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-o", "tree", "driver.c"]
        made = subprocess.run(  # noqa: S603
            [*command, "-lm"], cwd=folder, capture_output=True, text=True, check=False, timeout=600
        )
        if made.returncode != 0:
            raise ExportError(f"the compiler refuses the text: {made.stderr[:600]}")
        ran = subprocess.run([str(Path(folder, "tree"))], cwd=folder, check=False, timeout=600)  # noqa: S603
        if ran.returncode != 0:
            raise ExportError(f"the compiled text ends with the code {ran.returncode} instead of answering.")
        content = Path(folder, "answers").read_bytes()
    *texts, content = content.split(b"\0", len(program.classes))
    width = max(1, len(program.classes))
    told = np.frombuffer(content, dtype=[("failed", "=i4"), ("number", "=i4"), ("numbers", "=f8", (width,))])
    failed = told["failed"] != 0
    if not program.is_classifier:
        return Answers(failed, values=np.where(failed, np.nan, told["numbers"][:, 0]))
    said = [
        label if text == str(label_value(label)).encode() else text.decode()
        for label, text in zip(program.classes, texts, strict=True)
    ]
    labels = [None if k < 0 else said[k] for k in told["number"].tolist()] if options.classes else None
    return Answers(failed, labels, told["numbers"] if options.probabilities else None)


def _run_text(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    return run_code(read_code(text, "c"), program, cells, options)


_JUDGES = (
    Judge(_compiler_name, _run_compiled),
    Judge(lambda _: "an interpreter of the emitted C", _run_text, real=False),
)
TARGET = Target("c", write_c, _JUDGES, frozenset({"name"}))
