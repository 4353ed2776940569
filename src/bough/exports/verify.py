"""An export scored against the model: the same classes, and probabilities or values within the precision."""

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.errors import BoughError, DataWarning, ExportError
from bough.exports.cases import edge_cases
from bough.exports.cells import Cells, cells_of_frame, table_of
from bough.exports.interpret import Answers
from bough.exports.program import Program
from bough.exports.target import Judge, Options, Target
from bough.learn.answering import tree_answers
from bough.model import Tree

__all__ = ["Report", "verify"]

_REFUSED_ROWS = 40  # rows that the model refuses are asked one by one


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
        How far probabilities and values may be apart.
    largest : float
        How far they were apart at most.
    note : str
        What to know of the exactness of the target.
    """

    engine: str = ""
    real: bool = False
    cases: int = 0
    source: str = ""
    precision: float = math.nan
    largest: float = math.nan
    note: str = ""

    def __str__(self) -> str:
        note = f"; {self.note}" if self.note else ""
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
        made = edge_cases(program, judge.limit if budget is None else budget)
        cells, source = made.cells, f"edge cases aimed at {made.aimed:,} of {made.ends:,} ends"
        expected = _ask(model, program, cells)
    else:
        cells, source = cells_of_frame(program, frame), "rows of the given table"
        expected = _ask(model, program, cells)
    try:
        found = judge.run(written, program, cells, options)
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(f"the export to {target.name} does not run in {name}: {error!s:.600}") from error
    largest = _compare(program, cells, expected, found, target, name)
    return Report(name, judge.real, cells.n_cases, source, target.precision, largest, target.note)


def _judge(target: Target, options: Options) -> tuple[Judge, str]:
    for judge in target.judges:
        name = judge.name(options)
        if name is not None:
            return judge, name
    raise ExportError(f"nothing here can run an export to {target.name}: pass verify=False to get it unproven.")


def _ask(model: Any, program: Program, cells: Cells) -> Answers:
    """What the model itself says."""
    table = table_of(program, cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        failed = np.zeros(cells.n_cases, dtype=bool)
        if program.can_fail:
            table, failed = _without_refused(model, program, cells, table)
        answers = _answer(model, table, int((~failed).sum()), program)
    if not failed.any():
        return answers
    known = np.flatnonzero(~failed)
    labels, shares, values = answers.labels, answers.probabilities, answers.values
    if labels is not None:
        spread: list[Any] = [None] * cells.n_cases
        for place, label in zip(known.tolist(), labels, strict=True):
            spread[place] = label
        labels = spread
    return Answers(failed, labels, _placed(shares, known, failed), _placed(values, known, failed))


def _placed(numbers: Any, known: Any, failed: Any) -> Any:
    if numbers is None:
        return None
    placed = np.full((len(failed), *numbers.shape[1:]), np.nan)
    placed[known] = numbers
    return placed


def _without_refused(model: Any, program: Program, cells: Cells, table: dict[str, list[Any]]) -> tuple[Any, Any]:
    """Rows that the model refuses fail; it is asked of them one by one, because it refuses whole tables."""
    from bough.exports.interpret import parts_of

    suspects = [case for case in range(cells.n_cases) if parts_of(program, cells.row(case)) is None]
    failed = np.zeros(cells.n_cases, dtype=bool)
    failed[suspects] = True
    for case in suspects[:_REFUSED_ROWS]:
        try:
            _answer(model, {name: [column[case]] for name, column in table.items()}, 1, program)
        except (BoughError, ValueError):
            continue
        failed[case] = False
    kept = [case for case in range(cells.n_cases) if not failed[case]]
    return {name: [column[case] for case in kept] for name, column in table.items()}, failed


def _answer(model: Any, table: dict[str, list[Any]], n: int, program: Program) -> Answers:
    fine = np.zeros(n, dtype=bool)
    if n == 0:
        return Answers(fine, [], np.zeros((0, len(program.classes))), np.zeros(0))
    if isinstance(model, Tree):
        labels, shares, values = tree_answers(model, table)
        return Answers(fine, labels, shares, values)
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
    for mine, theirs in ((expected.probabilities, found.probabilities), (expected.values, found.values)):
        if mine is None or theirs is None:
            continue
        apart = np.abs(mine - theirs) / np.maximum(1.0, np.abs(mine))
        apart = np.where(mine == theirs, 0.0, apart)
        apart = apart if apart.ndim == 1 else apart.max(axis=1, initial=0.0)
        wrong |= known & ~(apart <= target.precision)
        largest = max(largest, float(apart[known].max(initial=0.0)))
    if wrong.any():
        case = int(np.flatnonzero(wrong)[0])
        raise differ(case, answer(expected, case), answer(found, case))
    return largest


def _same_label(a: Any, b: Any) -> bool:
    return bool(a == b) and isinstance(a, str) == isinstance(b, str)


def _shown(field: Any, cell: Any) -> str:
    if field.kind != "levels":
        return "missing" if cell is None else repr(cell)
    if cell < 0:
        return "missing" if cell == -1 else "never seen"
    return f"{field.levels[cell]!r:.40}"
