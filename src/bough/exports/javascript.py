"""JavaScript: one file without imports for browsers and node; `predict(row)` and `predictProba(row)` take an object."""

import json
import math
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bough.exports.code import Style, Words, sum_functions, switch_cases
from bough.exports.code_reader import read_code, run_code
from bough.exports.target import Judge, Options, Target
from bough.exports.text import check_labels, label_value, refuse_large_labels, unit_of
from bough.model.program.cells import Cells, outside
from bough.model.program.derived import Addend, Derived
from bough.model.program.interpret import Answers
from bough.model.program.program import Field, Program
from bough.table.temporal import parse_temporal

__all__ = ["TARGET", "write_javascript"]

_LEVEL = """\
// The number of a level, -1 where it is missing, -2 where it was never seen.
function level(value, levels) {
  if (value === null || value === undefined || value !== value) return -1;
  const code = levels.get(value);
  return code === undefined ? -2 : code;
}"""
_NUMBER = """\
// A number as it is, NaN where it is missing: every comparison with it fails.
function number(value) {
  return value === null || value === undefined ? NaN : value;
}"""
_TICKS = """\
// A time as a count of its unit; a Date is one too, by UTC.
const MILLISECONDS = { D: 86400000, s: 1000 };
function ticks(value, name, unit, isMoment) {
  if (value === null || value === undefined || value !== value) return NaN;
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (!isMoment || !(value instanceof Date)) {
    const wanted = isMoment ? "a Date, or a number or BigInt" : "a number or BigInt";
    throw new TypeError("column " + name + " takes " + wanted + " that counts " + unit[1] + ", got " + String(value));
  }
  const time = value.getTime();
  if (time !== time) return NaN;
  if (unit[0] in MILLISECONDS) return Math.floor(time / MILLISECONDS[unit[0]]);
  return unit[0] === "ms" ? time : BigInt(time) * (unit[0] === "us" ? 1000n : 1000000n);
}"""
_PICK = """\
// What a term of a sum counts: its number, or what stands for a missing one.
function pick(known, value, otherwise) {
  return known ? value : otherwise;
}"""
_LESS = """\
// A whole number less the origin of its term, exactly before it is rounded.
function less(value, origin) {
  return typeof value === "bigint" ? Number(value - origin) : value - Number(origin);
}"""
_WALK = """\
// The node in which a case ends.
function endOf(row) {
  const x = encode(row);
  let node = 0;
  for (;;) {
    const then = step(node, x);
    if (then === -1) return node;
    if (then === -3) throw new RangeError(NO_ANSWER);
    node = then;
  }
}"""
_PARTS = """\
// The nodes in which the parts of a case end, with their shares.
function endsOf(row) {
  const x = encode(row), todo = [[0, 1]], ends = [];
  while (todo.length > 0) {
    const [node, share] = todo.pop();
    const then = step(node, x);
    if (then === -1) ends.push([node, share]);
    else if (then === -3) throw new RangeError(NO_ANSWER);
    else if (then === -2) {
      const parts = SHARES[node];
      for (let k = parts.length - 1; k >= 0; --k) todo.push([parts[k][0], share * parts[k][1]]);
    } else todo.push([then, share]);
  }
  return ends;
}
function sumsOf(row, table, width) {
  const sums = new Array(width).fill(0);
  for (const [node, share] of endsOf(row)) for (let k = 0; k < width; ++k) sums[k] += share * table[node][k];
  return sums;
}"""
_POOL = """
// What the parts add up to, as shares of its total, or the default where they add nothing.
function pooled(row, table, pool) {
  const sums = sumsOf(row, table, pool[0].length), n = sums.length - 1;
  if (!(sums[n] > 0)) NOTHING;
  return sums.slice(0, n).map((number, k) => (number + pool[0][k]) / (sums[n] + pool[0][n]));
}"""
_DECIDE = """\
// The class of a case: the first that no later one beats by more than rounding.
function predict(row) {
  const worth = SUMS;
  let best = 0;
  for (let k = 1; k < worth.length; ++k) if (worth[k] > worth[best] + TOLERANCE) best = k;
  return CLASSES[ORDER[best]];
}"""


class _JavaScript(Style):
    def __init__(self, program: Program) -> None:
        super().__init__(program, equal=" === ", unequal=" !== ", tanh="Math.tanh")

    def number(self, of: Field | Derived, number: float | int) -> str:
        if isinstance(number, float):
            return _number(number)
        return str(number) if abs(number) < 2**53 else f"{number}n"

    def double(self, number: float) -> str:
        return "NaN" if math.isnan(number) else _number(number)

    def known_number(self, term: Addend) -> str:
        cell = self.cell(term.field)
        return cell if self.program.fields[term.field].kind == "real" else f"less({cell}, {term.origin}n)"


def text_of(value: str) -> str:
    """A string that ends neither itself nor a script element around it."""
    return json.dumps(value).replace("<", "\\u003c").replace("\x7f", "\\u007f")


def _literal(value: Any) -> str:
    return text_of(value) if isinstance(value, str) else json.dumps(value)


def write_javascript(program: Program, options: Options) -> str:
    """The file."""
    check_labels(program, "JavaScript")
    refuse_large_labels(program, "JavaScript")
    style, words = _JavaScript(program), Words(program)
    lines = switch_cases(style, words, "// {}")
    sums = sum_functions(style, "function s{}(x)", "  let s = {};", "NaN")
    parts = ["\n".join(words.head("//", options.head)), '"use strict";']
    if program.is_classifier:
        parts.append(f"const CLASSES = [{', '.join(_literal(label_value(c)) for c in program.classes)}];")
    for key, name in style.tables.items():
        parts.append(f"const {name} = [{', '.join(style.table_text(key))}];")
    for place, field in enumerate(program.fields):
        if field.kind == "levels":
            entries = ", ".join(f"[{_literal(label_value(level))}, {k}]" for k, level in enumerate(field.levels))
            parts.append(f"const LEVELS_{place} = new Map([{entries}]);")
    kinds = {field.kind for field in program.fields}
    parts += [_LEVEL] if "levels" in kinds else []
    parts += [_NUMBER] if kinds & {"real", "whole"} else []
    parts += [_TICKS] if "ticks" in kinds else []
    parts.append(_encode(program))
    parts += [f"const {name} = [{', '.join(key)}];" for key, name in style.counts.items()]
    parts += [_PICK, *([_LESS] if kinds & {"whole", "ticks"} else []), *sums] if sums else []
    body = "\n".join(lines)
    parts.append(
        "// From a node to the next; -1: it ends here.\n"
        f"function step(node, x) {{\n  switch (node) {{\n{body}\n  }}\n  return -1;\n}}"
    )
    walk = _PARTS if program.spreads else _WALK
    if program.pool is not None:
        fails = program.pool.fails
        walk += _POOL.replace("NOTHING", "throw new RangeError(NO_ANSWER)" if fails else "return pool[1].slice(0, n)")
    parts.append(walk.replace("NO_ANSWER", f'"{program.no_answer}"'))
    parts += _answers(program, options)
    return "\n".join(parts) + "\n"


def _encode(program: Program) -> str:
    cells = []
    for place, field in enumerate(program.fields):
        value = f"row[{text_of(field.name)}]"
        if field.kind == "ticks":
            cells.append(f"ticks({value}, {text_of(field.name)}, {_unit(field)})")
        else:
            cells.append(f"level({value}, LEVELS_{place})" if field.kind == "levels" else f"number({value})")
    refusals = []
    for place, field in enumerate(program.fields):
        if program.refuses_missing:
            finite = f"x[{place}] > -Infinity && x[{place}] < Infinity"
            gone = f"x[{place}] === -1" if field.kind == "levels" else f"!({finite})"
            reason = f'"a value is missing or infinite: " + {text_of(field.name)}'
            refusals.append(f"  if ({gone}) throw new RangeError({reason});")
        if program.refuses_unseen and field.kind == "levels":
            refusals.append(
                f'  if (x[{place}] === -2) throw new RangeError("a level was never seen: " + {text_of(field.name)});'
            )
    listed = ",\n    ".join(cells)
    return "\n".join([f"function encode(row) {{\n  const x = [\n    {listed}\n  ];", *refusals, "  return x;\n}"])


def _unit(field: Field) -> str:
    meaning = parse_temporal(field.column.dtype)
    assert meaning is not None  # noqa: S101
    moment = json.dumps(meaning.family in ("date", "datetime"))
    return f'["{meaning.unit}", "{unit_of(field)}"], {moment}'


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _rows(numbers: Any) -> str:
    return "[\n" + ",\n".join("  [" + ", ".join(_number(float(x)) for x in row) + "]" for row in numbers) + "\n]"


def _table(program: Program, name: str) -> list[str]:
    """What the nodes say and, where that is pooled, what is besides and the default."""
    pool, table, ours = program.pool, getattr(program, name), name.upper()
    if pool is None:
        return [f"const {ours} = {_rows(table)};"]
    rows = _rows(pool.rows(getattr(pool, name)))
    return [f"const {ours} = {_rows(pool.widened(table))};", f"const {ours}_POOL = {rows};"]


def _summed(program: Program, name: str) -> str:
    """What the ends of a case say together."""
    ours = name.upper()
    return f"sumsOf(row, {ours}, CLASSES.length)" if program.pool is None else f"pooled(row, {ours}, {ours}_POOL)"


def _answers(program: Program, options: Options) -> list[str]:
    parts, names = [], []
    if program.spreads:
        shares = ", ".join(
            f"{node}: [{', '.join(f'[{child}, {share!r}]' for child, share in step.shares)}]"
            for node, step in enumerate(program.steps)
            if step.shares
        )
        parts.append(f"const SHARES = {{{shares}}};")
    if not program.is_classifier:
        parts.append(f"const VALUES = [{', '.join(map(_number, program.values.tolist()))}];")
        if program.spreads:
            body = (
                "  let sum = 0;\n  for (const [node, share] of endsOf(row)) sum += share * VALUES[node];\n  return sum;"
            )
        else:
            body = "  return VALUES[endOf(row)];"
        parts.append(f"// The value of a case.\nfunction predict(row) {{\n{body}\n}}")
        names.append("predict")
    if program.is_classifier and options.classes:
        if program.spreads:
            parts += [
                *_table(program, "worth"),
                f"const ORDER = {list(program.order)};",
                f"const TOLERANCE = {program.tolerance!r};",
                _DECIDE.replace("SUMS", _summed(program, "worth")),
            ]
        else:
            parts.append(f"const LABEL = {program.label.tolist()};")
            parts.append("// The class of a case.\nfunction predict(row) {\n  return CLASSES[LABEL[endOf(row)]];\n}")
        names.append("predict")
    if program.is_classifier and options.probabilities:
        parts += _table(program, "probabilities")
        body = _summed(program, "probabilities") if program.spreads else "PROBABILITIES[endOf(row)].slice()"
        parts.append(
            "// The probabilities of a case, in the order of CLASSES.\n"
            f"function predictProba(row) {{\n  return {body};\n}}"
        )
        names.append("predictProba")
    names += ["CLASSES"] if program.is_classifier else []
    parts.append(f'if (typeof module !== "undefined") module.exports = {{ {", ".join(names)} }};')
    return parts


# Who judges

_DRIVER = """
const fs = require("fs"), tree = require("./tree.js"), given = JSON.parse(fs.readFileSync("cases.json", "utf8"));
const count = (v) => "n" in v ? BigInt(v.n) : Number(v.d);
const read = (v, dates) => v === null || typeof v !== "object" ? v : dates && "t" in v ? new Date(v.t) : count(v);
const answer = (cells, dates) => {
  const row = {};
  cells.forEach(([name, value]) => Object.defineProperty(row, name, { value: read(value, dates), enumerable: true }));
  try {
    return [tree.predict ? tree.predict(row) : null, tree.predictProba ? tree.predictProba(row) : null];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
const same = (a, b) => a === b || (a !== null && b !== null && Object.is(a[0], b[0]) && String(a[1]) === String(b[1]));
const told = given.map((cells) => {
  const counted = answer(cells, false);
  if (cells.some(([, v]) => v !== null && typeof v === "object" && "t" in v) && !same(counted, answer(cells, true)))
    throw new Error("a Date is answered otherwise than its count: " + JSON.stringify(cells));
  return counted;
});
const plain = (v) => (typeof v === "number" && !Number.isFinite(v)) ? String(v) : v;
fs.writeFileSync("answers.json", JSON.stringify(told.map((t) => t === null ? null : [plain(t[0]), t[1]])));
"""


_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def _json_cell(field: Field, value: Any) -> Any:
    if field.kind == "ticks" and value is not None:
        meaning = parse_temporal(field.column.dtype)
        assert meaning is not None  # noqa: S101
        over, under = (86_400_000, 1) if meaning.unit == "D" else (1000, _PER_SECOND[meaning.unit])
        time, rest = divmod(value * over, under)
        has_date = rest == 0 and abs(time) <= 8_640_000_000_000_000 and meaning.family in ("date", "datetime")
        return {"n" if abs(value) >= 2**53 else "d": str(value)} | ({"t": time} if has_date else {})
    if isinstance(value, float):
        return {"d": _number(value)}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return {"n": str(value)}
    return value


def _run_node(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    given = [
        [
            [field.name, _json_cell(field, outside(field, cell))]
            for field, cell in zip(program.fields, cells.row(case), strict=True)
        ]
        for case in range(cells.n_cases)
    ]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tree.js").write_text(text, encoding="utf-8")
        Path(folder, "driver.js").write_text(_DRIVER, encoding="utf-8")
        Path(folder, "cases.json").write_text(json.dumps(given), encoding="utf-8")
        node = shutil.which("node") or "node"
        subprocess.run([node, "driver.js"], cwd=folder, check=True, capture_output=True, timeout=300)  # noqa: S603
        told = json.loads(Path(folder, "answers.json").read_text(encoding="utf-8"))
    return _collect(program, told, options)


def _collect(program: Program, told: list[Any], options: Options) -> Answers:
    failed = np.array([row is None for row in told], dtype=bool)
    if not program.is_classifier:
        return Answers(failed, values=np.array([np.nan if row is None else float(row[0]) for row in told]))
    labels = shares = None
    if options.classes:
        said = [label_value(label) for label in program.classes]
        labels = [None if row is None else program.classes[said.index(row[0])] for row in told]
    if options.probabilities:
        blank = [np.nan] * len(program.classes)
        shares = np.array([blank if row is None else row[1] for row in told])
    return Answers(failed, labels, shares)


def _node_name(options: Options) -> str | None:
    node = shutil.which("node")
    return None if node is None else _version(node)


@cache
def _version(node: str) -> str | None:
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    return f"node {found.stdout.strip()}" if found.returncode == 0 else None


def _run_text(text: str, program: Program, cells: Cells, options: Options) -> Answers:
    return run_code(read_code(text, "javascript"), program, cells, options)


_JUDGES = (
    Judge(_node_name, _run_node),
    Judge(lambda _: "an interpreter of the emitted JavaScript", _run_text, real=False),
)
TARGET = Target("javascript", write_javascript, _JUDGES)
