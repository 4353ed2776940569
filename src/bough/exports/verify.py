"""An export scored against the model: the same classes, and probabilities or values within the precision."""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.errors import DataWarning, ExportError
from bough.exports.answer_sheet import AnswerSheet
from bough.exports.target import Judge, Options, Target
from bough.model.program.cases import edge_cases
from bough.model.program.cells import Cells, cells_of_frame, table_of
from bough.model.program.interpret import Answers, parts_of
from bough.model.program.plane_cases import Planes
from bough.model.program.program import Program
from bough.table import take_rows

__all__ = ["Report", "verify"]

_STEPS = 1_000_000  # times cases of a mean: what engines do in some seconds
_USUAL = 2000  # cases, if there is no reason for fewer
_FEWEST = 100


@dataclass(frozen=True)
class Report:
    """Who scored an export, and how.

    Attributes
    ----------
    engine : str
        The engine or interpreter that answered the cases by the text of the export; empty if none did.
    real : bool
        Whether it is the engine that the export is meant for, rather than an interpreter of the text.
    cases : int
        How many cases were compared.
    source : str
        Where they came from.
    precision : float
        How far probabilities may be apart, and values in parts of their size.
    largest : float
        How far they were apart at most.
    note : str
        What to know of the exactness of the target.
    on_planes : int
        How many cases more lie so near to the plane of a sum of columns that another engine's rounding may put them on
        its other side: they were not compared.
    """

    engine: str = ""
    real: bool = False
    cases: int = 0
    source: str = ""
    precision: float = math.nan
    largest: float = math.nan
    note: str = ""
    on_planes: int = 0

    def __str__(self) -> str:
        note = f"; {self.note}" if self.note else ""
        if self.on_planes:
            note = f"; {self.on_planes:,} cases within rounding of a plane were not compared{note}"
        if not self.engine:
            return f"not verified: {self.source}{note}"
        how = self.engine if self.real else f"{self.engine} (in place of the real engine)"
        return (
            f"verified: {self.cases:,} cases ({self.source}) answered by {how} as by the model, "
            f"numbers within {self.precision:g} (largest difference {self.largest:.2g}){note}"
        )


def verify(
    model: Any, program: Program, written: str | bytes, target: Target, options: Options, frame: Any, budget: int | None
) -> Report:
    """Score an export; raise an ExportError that names the first case with another answer."""
    judge, name = _judge(target, options)
    if frame is None:
        most = _most(program) if budget is None else None
        limits = [number for number in (judge.limit, most) if number is not None]
        made = edge_cases(program, min(limits, default=None) if budget is None else budget)
        cells = made.cells
        source = (
            f"edge cases: {made.tried:,} of {made.tests:,} tests tried at both sides, "
            f"{made.reached:,} of {made.ends:,} ends reached"
        )
        if most is not None and most == min(limits):
            source += f"; about {most:,} cases for a mean of so many trees, more by max_cases=..."
        table: Any = table_of(program, cells)
    else:
        cells, source, table = cells_of_frame(program, frame), "rows of the given table", frame
    if not judge.infinite:
        cells, table = _kept(cells, table, _has_infinite)
    asked, planes = cells.n_cases, Planes(program)
    cells, table = _kept(cells, table, planes.near)
    expected = _ask(model, program, cells, table)
    try:
        found = judge.run(written, program, cells, options)
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(f"the export to {target.name} does not run in {name}: {error!s:.600}") from error
    largest = _compare(program, cells, expected, found, target, name)
    return Report(
        name, judge.real, cells.n_cases, source, target.precision, largest, target.note, asked - cells.n_cases
    )


def _most(program: Program) -> int | None:
    """How many cases to make up of a mean, each of which goes through all of its models; None: no fewer for that."""
    root = program.steps[0]
    is_mean = bool(root.shares) and not root.rules and program.pool is None
    if not is_mean or len(program.steps) * _USUAL <= _STEPS:
        return None
    return max(_FEWEST, _STEPS // len(program.steps))


def _kept(cells: Cells, table: Any, left_out: Callable[[tuple[Any, ...]], bool]) -> tuple[Cells, Any]:
    """Cases, and the same as a table, without some."""
    kept = [case for case in range(cells.n_cases) if not left_out(cells.row(case))]
    if len(kept) == cells.n_cases:
        return cells, table
    return cells.taken(kept), take_rows(table, np.array(kept, dtype=np.intp))


def _has_infinite(row: tuple[Any, ...]) -> bool:
    return any(isinstance(cell, float) and math.isinf(cell) for cell in row)


def _judge(target: Target, options: Options) -> tuple[Judge, str]:
    for judge in target.judges:
        name = judge.name(options)
        if name is not None:
            return judge, name
    raise ExportError(f"nothing here can run an export to {target.name}: pass verify=False to get it unproven.")


def _ask(model: Any, program: Program, cells: Cells, table: Any) -> Answers:
    """What the model itself says. It refuses whole tables, and says itself which rows it would not answer.

    What the program says is only a guess, by which rows are asked together: those that it answers in halves of
    halves until each part is answered or is one row, the others one by one.
    """
    n = cells.n_cases
    refused = [case for case in range(n) if program.can_fail and parts_of(program, cells.row(case)) is None]
    doubted = set(refused)
    todo = [np.array([case], dtype=np.intp) for case in refused]
    todo.append(np.array([case for case in range(n) if case not in doubted], dtype=np.intp))
    answered: list[tuple[Any, Answers]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        while todo:
            rows = todo.pop()
            try:
                part = table if len(rows) == n else take_rows(table, rows)
                answered.append((rows, _answer(model, part, len(rows), program)))
            except ValueError:  # among them every DataError
                if len(rows) > 1:
                    todo += [rows[len(rows) // 2 :], rows[: len(rows) // 2]]
    if len(answered) == 1 and len(answered[0][0]) == n:
        return answered[0][1]
    return _together(program, answered, n)


def _together(program: Program, answered: list[tuple[Any, Answers]], n: int) -> Answers:
    sheet = AnswerSheet.blank(program, n)
    sheet.failed[:] = True
    for rows, answers in answered:
        sheet.failed[rows] = False
        for place, label in zip(rows.tolist(), answers.labels or (), strict=bool(answers.labels)):
            sheet.labels[place] = label
        if answers.probabilities is not None:
            sheet.shares[rows] = answers.probabilities
        if answers.values is not None:
            sheet.values[rows] = answers.values
    return sheet.answers(Options())


def _answer(model: Any, table: Any, n: int, program: Program) -> Answers:
    fine = np.zeros(n, dtype=bool)
    if n == 0:
        return Answers(fine, [], np.zeros((0, len(program.classes))), np.zeros(0))
    if not program.is_classifier:
        return Answers(fine, values=np.asarray(model.predict(table), dtype=np.float64))
    return Answers(fine, np.asarray(model.predict(table)).tolist(), model.predict_proba(table))


def _compare(program: Program, cells: Cells, expected: Answers, found: Answers, target: Target, name: str) -> float:
    def differ(case: int, says: str, instead: str) -> ExportError:
        row = ", ".join(
            f"{field.name!r:.40}: {_shown(field, cell)}"
            for field, cell in zip(program.fields, cells.row(case), strict=True)
        )
        return ExportError(
            f"the export to {target.name} does not answer as the model does. First difference in case {case} "
            f"({{{row:.600}}}): the model says {says}, the export says {instead} (asked: {name}). "
            "Nothing was handed over; pass verify=False to look at the text.",
            case,
        )

    def answer(answers: Answers, case: int) -> str:
        if answers.failed[case]:
            return "that it has no answer"
        parts = [] if answers.labels is None else [repr(answers.labels[case])[:80]]
        if answers.values is not None:
            parts.append(repr(float(answers.values[case])))
        if answers.probabilities is not None:
            parts.append(str(np.round(answers.probabilities[case], 12).tolist())[:200])
        return " with ".join(parts)

    wrong = expected.failed != found.failed
    known = ~expected.failed & ~found.failed
    largest = 0.0
    if expected.labels is not None and found.labels is not None:
        pairs = zip(expected.labels, found.labels, strict=True)
        wrong |= known & np.fromiter((not _same_label(a, b) for a, b in pairs), dtype=bool, count=cells.n_cases)
    for mine, theirs, unit in (
        (expected.probabilities, found.probabilities, 1.0),
        (expected.values, found.values, _unit(program, expected.values)),
    ):
        if mine is None or theirs is None:
            continue
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            apart = np.where(mine == theirs, 0.0, np.abs(mine - theirs) / unit)
        apart = apart if apart.ndim == 1 else apart.max(axis=1, initial=0.0)
        wrong |= known & ~(apart <= target.precision)
        largest = max(largest, float(apart[known].max(initial=0.0)))
    if wrong.any():
        case = int(np.flatnonzero(wrong)[0])
        raise differ(case, answer(expected, case), answer(found, case))
    return largest


def _unit(program: Program, values: Any) -> Any:
    """What differences of values are measured by: the value itself; of sums, which round, the largest of the model."""
    if values is None or not program.spreads:
        return 1.0 if values is None else np.abs(values)
    known = np.abs(program.values[np.isfinite(program.values)])
    return known.max(initial=0.0)


def _same_label(a: Any, b: Any) -> bool:
    return bool(a == b) and isinstance(a, str) == isinstance(b, str)


def _shown(field: Any, cell: Any) -> str:
    if field.kind != "levels":
        return "missing" if cell is None else repr(cell)
    if cell < 0:
        return "missing" if cell == -1 else "never seen"
    return f"{field.levels[cell]!r:.40}"
