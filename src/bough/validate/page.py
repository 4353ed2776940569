"""Validation as a page: tables and curves in one piece of HTML, light and dark, without a script."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from bough.model.text import amount, class_text
from bough.validate.figures import FIGURE_STYLE, escaped, figures
from bough.validate.findings import Findings
from bough.validate.side_by_side import Cell, SideBySide
from bough.validate.words import measure_word, number_text

__all__ = ["findings_page", "side_by_side_page"]

_FEW_CLASSES = 6  # whose names fit above a column
_MOST_ROWS = 500  # of a table below the curves
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
td.words { text-align: left; white-space: normal; } td.words:last-child { min-width: 18rem; }
td small { color: var(--muted); display: inline-block; min-width: 7.4em; }
.matrix td { background: color-mix(in srgb, var(--fill) calc(var(--share) * 45%), transparent); }
.matrix small { color: inherit; min-width: 0; }
.matrix.many th, .matrix.many td { padding: .15rem .4rem; }
.matrix.many .name { min-width: 8rem; }
.none { color: var(--muted); }
"""


def findings_page(found: Findings) -> str:
    """The page of a report or a judgement."""
    made = [] if found.provenance is None else [found.provenance.fit_line]
    parts = [_intro([*found.headlines(), *made]), _overall(found)]
    if found.classes is not None:
        parts += [_by_class(found), _confusion(found)]
    parts.append(figures(found))
    for section in found.sections():
        table = _table(section.heads, section.rows[:_MOST_ROWS], words=section.words)
        notes = [_sentence(note) for note in section.notes]
        if len(section.rows) > _MOST_ROWS:
            notes.append(f"The first {_MOST_ROWS:,} of {len(section.rows):,}.")
        parts.append(f"<h2>{escaped(_sentence(section.title))}</h2>{_intro(notes)}{table}")
    return _page(f"{found.name} for {found.target}", parts)


def side_by_side_page(found: SideBySide) -> str:
    """The page of a comparison."""
    heads = ["measure", *(one.name for one in found.results)]
    rows = [[name, *own] for name, own in found.measure_cells()]
    pairs = [[first, second, *cells] for first, second, cells in found.pair_cells()]
    title = found.pair_title()
    parts = [
        _intro(found.headlines()),
        f"<h2>Measures</h2>{_table(heads, rows)}",
        f"<h2>{escaped(_sentence(title))}</h2>"
        + _table(
            ["first", "second", *found.pair_heads()], pairs, words=(0, 1, *(place + 2 for place in found.pair_words))
        ),
        _intro(found.notes()),
    ]
    return _page(f"Comparison for {found.results[0].target}", parts)


def _page(title: str, parts: Iterable[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escaped(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{_STYLE}{FIGURE_STYLE}</style></head>\n<body><main>'
        f"<h1>{escaped(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _intro(lines: Sequence[str]) -> str:
    return "".join(f'<p class="note">{escaped(line)}</p>' for line in lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, words: Collection[int] = (0,)) -> str:
    """Rows of text and of values with intervals; the first cell is the name of a row, columns of words stand left."""
    top = "".join(_head(escaped(head), "col", place in words) for place, head in enumerate(heads))
    lines = []
    for row in rows:
        cells = [
            _head(_cell(cell), "row", True)
            if not place
            else f"<td{' class=words' if place in words else ''}>{_cell(cell)}</td>"
            for place, cell in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return _scrolled(f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>")


def _head(content: str, scope: str, name: bool) -> str:
    return f'<th scope="{scope}"{" class=name" if name else ""}>{content}</th>'


def _scrolled(table: str) -> str:
    return f'<div class="wide">{table}</div>'


def _cell(cell: Cell) -> str:
    """Text, or a value with its interval, as HTML."""
    if cell is None or isinstance(cell, str):
        return escaped("-" if cell is None else cell)
    if not np.isfinite(cell.low):
        return f"{number_text(cell.value)} <small></small>"  # in line with values that have one
    return f"{number_text(cell.value)} <small>{number_text(cell.low)} to {number_text(cell.high)}</small>"


def _overall(found: Findings) -> str:
    rows = [[measure_word(one.name), one] for one in found.whole()]
    return f"<h2>Measures</h2>{_table(['measure', f'{found.value_word} and {100 * found.level:g}% interval'], rows)}"


def _by_class(found: Findings) -> str:
    rows = found.class_rows()
    heads = ["class", "rows", *(measure_word(one.name) for one in rows[0][2])]
    return f"<h2>Classes</h2>{_table(heads, [[class_text(label), amount(n), *own] for label, n, own in rows])}"


def _confusion(found: Findings) -> str:
    """Who was taken for whom; of many classes the columns are numbered, and intervals stand in the titles of cells."""
    table = found.confusion
    assert table is not None  # noqa: S101 (there is one wherever there are classes)
    names = found.class_names()
    many = len(names) > _FEW_CLASSES
    heads = [f"{place}" if many else escaped(name) for place, name in enumerate(names, start=1)]
    lines = []
    for true, name in enumerate(names):
        whole = float(table.counts[true].sum()) or 1.0
        cells = [_head(f"{true + 1}. {escaped(name)}" if many else escaped(name), "row", True)]
        for decided in range(len(names)):
            count = float(table.counts[true, decided])
            between = f"{table.low[true, decided]:,.0f} to {table.high[true, decided]:,.0f}"
            told = found.count_text(count) + ("" if many else f" <small>{between}</small>")
            if many and count == 0:
                told = '<span class="none">·</span>'
            cells.append(f'<td style="--share:{count / whole:.3f}" title="{between}">{told}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    top = _head("true \\ decided", "col", True) + "".join(_head(head, "col", False) for head in heads)
    body = f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f"<h2>Confusion matrix</h2>{_intro([_sentence(found.confusion_note)])}" + _scrolled(
        f'<table class="matrix{" many" if many else ""}">{body}</table>'
    )
