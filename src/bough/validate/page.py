"""Validation as a page: tables and curves in one piece of HTML, light and dark, without a script."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bough.model.text import amount, class_text
from bough.validate.figures import FIGURE_STYLE, escaped, figures
from bough.validate.result import WORDS, Report, number_text

if TYPE_CHECKING:
    from bough.validate.comparison import Comparison

__all__ = ["comparison_page", "report_page"]

_FEW_CLASSES = 6  # whose names fit above a column
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --muted: #5a636d; --line: #c3c9d0; --paper: #fff; --fill: #2d78d2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --muted: #a2abb5; --line: #454d57; --paper: #15191e; --fill: #6aa8ee; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 68rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p.note { color: var(--muted); }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding-bottom: .3rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: baseline; }
th { max-width: 16rem; }
tbody th { font-weight: 400; }
.name { text-align: left; min-width: 6rem; }
td { white-space: nowrap; }
td small { color: var(--muted); display: inline-block; min-width: 7.4em; }
.matrix td { background: color-mix(in srgb, var(--fill) calc(var(--share) * 45%), transparent); }
.matrix small { color: inherit; min-width: 0; }
.matrix.many th, .matrix.many td { padding: .15rem .4rem; }
.matrix.many .name { min-width: 8rem; }
.none { color: var(--muted); }
"""


def report_page(report: Report) -> str:
    """The page of a report."""
    parts = [_intro(report.headlines()), _overall(report)]
    if report.classes is not None:
        parts += [_by_class(report), _confusion(report)]
    parts.append(figures(report))
    return _page(f"{report.name} for {report.target}", parts)


def comparison_page(found: "Comparison") -> str:
    """The page of a comparison."""
    heads = ["measure", *(report.name for report in found.reports)]
    rows = []
    for name in found.measure_names():
        own = [
            next((one for one in report.measures if one.name == name and one.label is None), None)
            for report in found.reports
        ]
        rows.append([escaped(WORDS.get(name, name)), *map(_interval, own)])
    pairs = [
        [
            escaped(pair.first),
            escaped(pair.second),
            _interval(pair),
            number_text(pair.t_test.statistic),
            number_text(pair.t_test.p_value),
            number_text(pair.p_holm),
            number_text(pair.f_test.statistic),
            number_text(pair.f_test.p_value),
        ]
        for pair in found.pairs
    ]
    heads_of_pairs = ["first", "second", "difference", "t", "p", "p (Holm)", "F (5x2)", "p (5x2)"]
    measure = escaped(WORDS.get(found.measure, found.measure))
    parts = [
        _intro(found.headlines()),
        f"<h2>Measures</h2>{_table(heads, rows)}",
        f"<h2>Differences in {measure}</h2>{_table(heads_of_pairs, pairs, names=2)}",
        _intro(found.notes()),
    ]
    return _page(f"Comparison for {found.reports[0].target}", parts)


def _page(title: str, parts: Iterable[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escaped(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{_STYLE}{FIGURE_STYLE}</style></head>\n<body><main>'
        f"<h1>{escaped(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def _intro(lines: Sequence[str]) -> str:
    return "".join(f'<p class="note">{escaped(line)}</p>' for line in lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1) -> str:
    """Rows of cells that are HTML already; the first of them are the names of a row."""
    top = "".join(_head(escaped(head), "col", place < names) for place, head in enumerate(heads))
    lines = []
    for row in rows:
        cells = [_head(cell, "row", True) for cell in row[:names]] + [f"<td>{cell}</td>" for cell in row[names:]]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return _scrolled(f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>")


def _head(content: str, scope: str, name: bool) -> str:
    return f'<th scope="{scope}"{" class=name" if name else ""}>{content}</th>'


def _scrolled(table: str) -> str:
    return f'<div class="wide">{table}</div>'


def _interval(found: Any) -> str:
    if found is None:
        return "-"
    if not np.isfinite(found.low):
        return f"{number_text(found.value)} <small></small>"  # in line with values that have one
    return f"{number_text(found.value)} <small>{number_text(found.low)} to {number_text(found.high)}</small>"


def _overall(report: Report) -> str:
    whole = [found for found in report.measures if found.label is None]
    rows = [[escaped(WORDS.get(found.name, found.name)), _interval(found)] for found in whole]
    return f"<h2>Measures</h2>{_table(['measure', f'mean and {100 * report.level:g}% interval'], rows)}"


def _by_class(report: Report) -> str:
    assert report.classes is not None and report.support is not None  # noqa: S101, PT018 (asked only of classes)
    names = list(dict.fromkeys(found.name for found in report.measures if found.label is not None))
    rows = []
    for label, weight in zip(report.classes.tolist(), report.support.tolist(), strict=True):
        own = [found for found in report.measures if found.label is not None and found.label == label]
        rows.append([escaped(class_text(label)), amount(weight), *map(_interval, own)])
    return f"<h2>Classes</h2>{_table(['class', 'rows', *(WORDS.get(name, name) for name in names)], rows)}"


def _confusion(report: Report) -> str:
    """Who was taken for whom; of many classes the columns are numbered, and intervals stand in the titles of cells."""
    table = report.confusion
    assert table is not None  # noqa: S101 (there is one wherever there are classes)
    names = report.class_names()
    many = len(names) > _FEW_CLASSES
    heads = [f"{place}" if many else escaped(name) for place, name in enumerate(names, start=1)]
    lines = []
    for true, name in enumerate(names):
        whole = float(table.counts[true].sum()) or 1.0
        cells = [_head(f"{true + 1}. {escaped(name)}" if many else escaped(name), "row", True)]
        for decided in range(len(names)):
            count = float(table.counts[true, decided])
            between = f"{table.low[true, decided]:,.0f} to {table.high[true, decided]:,.0f}"
            told = f"{count:,.1f}" if many else f"{count:,.1f} <small>{between}</small>"
            if many and count == 0:
                told = '<span class="none">·</span>'
            cells.append(f'<td style="--share:{count / whole:.3f}" title="{between}">{told}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    top = _head("true class", "col", True) + "".join(_head(head, "col", False) for head in heads)
    body = f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return (
        '<h2>Confusion</h2><p class="note">Rows: the true class. Columns: the decided one. Mean of the repetitions.</p>'
        + _scrolled(f'<table class="matrix{" many" if many else ""}">{body}</table>')
    )
