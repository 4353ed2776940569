"""C: one file of C99 without allocation; a struct for a case, a function for its class and one for probabilities."""

import math
import re
from typing import Any

from bough.errors import ExportError, ParameterError
from bough.exports.code import Style, Words, sum_functions, switch_cases
from bough.exports.target import Options
from bough.exports.text import check_labels, check_text, comment, label_value, refuse_large_labels, unit_of
from bough.model.program.derived import Addend, Derived
from bough.model.program.program import Field, Program

__all__ = ["member_names", "name_of", "text_of", "write_c"]

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
_CONTRACT = """\
/* A sum is rounded after each step, as the model does it. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif"""
_PICK = """\
/* What a term of a sum counts: its number, or what stands for a missing one. */
static double pick(int known, double value, double otherwise) { return known ? value : otherwise; }"""
_LESS = """\
/* A whole number less the origin of its term, exactly before it is rounded. */
static double less(int64_t value, int64_t origin) {
  if (value >= origin) return (double)((uint64_t)value - (uint64_t)origin);
  return -(double)((uint64_t)origin - (uint64_t)value);
}"""
_LESS_U = """\
static double less_u(uint64_t value, int64_t origin) {
  if (origin < 0) return (double)value - (double)origin;
  if (value >= (uint64_t)origin) return (double)(value - (uint64_t)origin);
  return -(double)((uint64_t)origin - value);
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
_POOL = """\
/* What the parts of a case add up to, as shares of its total, or the default where they add nothing; -1 if there is
   none. The last column is the total, the first row of the pool what is added besides. */
static int pool_ends(const cells *c, const double *table, const double *pool, double *shares) {
  double sums[WIDTH];
  int k;
  if (sum_ends(c, table, WIDTH, sums) != 0) return -1;
  if (!(sums[WIDTH - 1] > 0.0)) {
    NOTHING
  }
  for (k = 0; k + 1 < WIDTH; ++k) shares[k] = (sums[k] + pool[k]) / (sums[WIDTH - 1] + pool[WIDTH - 1]);
  return 0;
}"""
_DEFAULT = "memcpy(shares, pool + WIDTH, sizeof(double) * (WIDTH - 1));\n    return 0;"
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,:+")
_STACK = 100_000  # bytes that a call may take: a thread of another program may have little more


class _C(Style):
    def column(self, place: int) -> str:
        return f"c->x{place}"

    def sum_call(self, number: int) -> str:
        return f"s{number}(c)"

    def double(self, number: float) -> str:
        return "NAN" if math.isnan(number) else _number(number)

    def known_number(self, term: Addend) -> str:
        field, cell = self.program.fields[term.field], self.cell(term.field)
        if field.kind == "real":
            return cell
        origin = "INT64_MIN" if term.origin == -(2**63) else f"INT64_C({term.origin})"
        return f"{'less_u' if field.column.dtype == 'uint64' else 'less'}({cell}, {origin})"

    def number(self, of: Field | Derived, number: float | int) -> str:
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
        return f"c->k{place}" if self.program.asked[place].kind in ("whole", "ticks") else ""

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


def name_of(options: Options) -> str:
    """With what the names of its functions begin."""
    name = options.more.get("name", "tree")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,60}", name):
        raise ParameterError(f"name must be a name in C, such as 'tree'; got {name!r:.60}.")
    return name


def write_c(program: Program, options: Options) -> str:
    """The file."""
    check_labels(program, "C")
    name, style, words = name_of(options), _C(program), Words(program)
    refuse_large_labels(program, "C", classes=None)
    lines = switch_cases(style, words, "/* {} */")
    sums = sum_functions(style, "static double s{}(const cells *c)", "  double s = {};", "NAN")
    parts = ["/*\n" + "\n".join(words.head(" *", options.head)) + "\n */"]
    parts += [_CONTRACT] if sums else []
    parts.append("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>")
    parts.append(_case(program, name))
    if program.is_classifier:
        listed = ", ".join(text_of(str(label_value(label))) for label in program.classes)
        parts.append(f"const char *const {name}_classes[] = {{{listed}}};")
    for key, table in style.tables.items():
        parts.append(f"static const signed char {table}[] = {{{', '.join(style.table_text(key))}}};")
    parts += _levels(program)
    parts.append(_cells(program, name))
    parts += [f"static const double {table}[] = {{{', '.join(key)}}};" for key, table in style.counts.items()]
    parts += [*_sum_helpers(program), *sums]
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


def _sum_helpers(program: Program) -> list[str]:
    """What sums call, and nothing that they do not: compilers warn of it."""
    terms = [term for derived in program.derived for term in derived.terms if not term.values]
    numbers = {factor.field for term in terms for factor in term.factors}
    fields = [program.fields[place] for place in numbers if place < len(program.fields)]
    whole = {field.column.dtype == "uint64" for field in fields if field.kind != "real"}
    return [*([_PICK] if fields else []), *([_LESS] if False in whole else []), *([_LESS_U] if True in whole else [])]


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
        *_pool(program),
    ]


def _pool(program: Program) -> list[str]:
    if program.pool is None:
        return []
    width = f"enum {{ WIDTH = {len(program.classes) + 1} }};"
    return [width, _POOL.replace("NOTHING", "return -1;" if program.pool.fails else _DEFAULT)]


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def _table(name: str, numbers: Any) -> str:
    rows = ",\n".join("  {" + ", ".join(_number(float(x)) for x in row) + "}" for row in numbers)
    return f"static const double {name}[][{len(numbers[0])}] = {{\n{rows}\n}};"


def _tables(program: Program, name: str) -> list[str]:
    """What the nodes say and, where that is pooled, what is besides and the default."""
    pool, table, ours = program.pool, getattr(program, name), name.upper()
    if pool is None:
        return [_table(ours, table)]
    return [_table(ours, pool.widened(table)), _table(f"{ours}_POOL", pool.rows(getattr(pool, name)))]


def _summed(program: Program, name: str, into: str) -> str:
    """The call that writes what the ends of a case say together."""
    ours = name.upper()
    if program.pool is None:
        return f"sum_ends(&c, &{ours}[0][0], {len(program.classes)}, {into})"
    return f"pool_ends(&c, &{ours}[0][0], &{ours}_POOL[0][0], {into})"


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
                *_tables(program, "worth"),
                f"static const int ORDER[] = {{{', '.join(map(str, program.order))}}};",
                f"static const double TOLERANCE = {program.tolerance!r};",
            ]
            body = (
                f"  double worth[{n}];\n  int best = 0, k;\n{spread}\n"
                f"  if ({_summed(program, 'worth', 'worth')} != 0) return -1;\n"
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
        parts += _tables(program, "probabilities")
        body = (
            f"{spread}\n  return {_summed(program, 'probabilities', 'out')};"
            if program.spreads
            else f"{start}\n  memcpy(out, PROBABILITIES[node], sizeof PROBABILITIES[node]);\n  return 0;"
        )
        parts.append(
            f"/* Writes the probabilities of a case, in the order of {name}_classes; returns -1 if it has none. */\n"
            f"int {name}_probabilities(const {name}_case *row, double *out) {{\n{body}\n}}"
        )
    return parts
