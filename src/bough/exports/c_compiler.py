"""Who judges an export to C: a compiler where there is one, else an interpreter of the text."""

import math
import shutil
import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from bough.errors import ExportError
from bough.exports.c import member_names, name_of, write_c
from bough.exports.code_reader import read_code, run_code
from bough.exports.target import Judge, Options, Target
from bough.exports.text import label_value
from bough.model.program.cells import Cells, outside
from bough.model.program.interpret import Answers
from bough.model.program.program import Program

__all__ = ["TARGET"]


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
    name, take = name_of(options), []
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
