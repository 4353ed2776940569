"""Validation as a page: tables and curves in one piece of HTML and SVG, light and dark, without a script."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.model.text import amount, class_text
from bough.validate.result import WORDS, Calibration, Curve, Report, interval_text, number_text
from bough.view.palette import CLASSES, LINE

if TYPE_CHECKING:
    from bough.validate.comparison import Comparison

__all__ = ["comparison_page", "report_page"]

Floats = npt.NDArray[np.float64]
_FEW_CLASSES = 6  # whose names fit above a column
_FEW_BANDS = 3  # more of them hide each other
_MOST_TEXT = 200  # of a label or a name; 1 MB of it would help nobody
_SIZE, _LEFT, _BOTTOM, _TOP = 320, 46, 40, 10
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
.name { text-align: left; }
td { white-space: nowrap; }
td small { color: var(--muted); }
.matrix td { background: color-mix(in srgb, var(--fill) calc(var(--share) * 45%), transparent); }
.matrix.many th, .matrix.many td { padding: .15rem .4rem; }
.none { color: var(--muted); }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top; }
figcaption { font-weight: 600; }
svg text { fill: var(--muted); font-size: 11px; } svg .axis { stroke: var(--line); fill: none; }
ul.key { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
ul.key span { display: inline-block; width: 1.2em; height: .7em; margin-right: .4em; border: 1px solid var(--muted); }
"""


def report_page(report: Report) -> str:
    """The page of a report."""
    parts = [_intro(report.headlines()), _overall(report)]
    if report.classes is not None:
        parts += [_by_class(report), _confusion(report)]
    parts.append(_figures(report))
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
        rows.append([_text(WORDS.get(name, name)), *map(_interval, own)])
    pairs = [
        [
            _text(pair.first),
            _text(pair.second),
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
    measure = _text(WORDS.get(found.measure, found.measure))
    parts = [
        _intro(found.headlines()),
        f"<h2>Measures</h2>{_table(heads, rows)}",
        f"<h2>Differences in {measure}</h2>{_table(heads_of_pairs, pairs, names=2)}",
    ]
    return _page(f"Comparison for {found.reports[0].target}", parts)


def _page(title: str, parts: Iterable[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{_text(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body><main>'
        f"<h1>{_text(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def _text(value: Any) -> str:
    """Text for HTML: escaped, without control characters, not endless."""
    text = "".join(mark if mark.isprintable() else " " for mark in str(value)[: _MOST_TEXT + 1])
    text = text.encode("utf-8", "replace").decode()  # halves of characters that no file can hold
    return escape(text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "…")


def _intro(lines: Sequence[str]) -> str:
    return "".join(f'<p class="note">{_text(line)}</p>' for line in lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1) -> str:
    """Rows of cells that are HTML already; the first of them are the names of a row."""
    top = "".join(_head(_text(head), "col", place < names) for place, head in enumerate(heads))
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
        return number_text(found.value)
    return f"{number_text(found.value)} <small>{number_text(found.low)} to {number_text(found.high)}</small>"


def _overall(report: Report) -> str:
    whole = [found for found in report.measures if found.label is None]
    rows = [[_text(WORDS.get(found.name, found.name)), _interval(found)] for found in whole]
    return f"<h2>Measures</h2>{_table(['measure', f'mean and {100 * report.level:g}% interval'], rows)}"


def _by_class(report: Report) -> str:
    assert report.classes is not None and report.support is not None  # noqa: S101, PT018 (asked only of classes)
    names = list(dict.fromkeys(found.name for found in report.measures if found.label is not None))
    rows = []
    for label, weight in zip(report.classes.tolist(), report.support.tolist(), strict=True):
        own = [found for found in report.measures if found.label is not None and found.label == label]
        rows.append([_text(class_text(label)), amount(weight), *map(_interval, own)])
    return f"<h2>Classes</h2>{_table(['class', 'rows', *(WORDS.get(name, name) for name in names)], rows)}"


def _confusion(report: Report) -> str:
    """Who was taken for whom; of many classes the columns are numbered, and intervals stand in the titles of cells."""
    table = report.confusion
    assert table is not None  # noqa: S101 (there is one wherever there are classes)
    names = report.class_names()
    many = len(names) > _FEW_CLASSES
    heads = [f"{place}" if many else _text(name) for place, name in enumerate(names, start=1)]
    lines = []
    for true, name in enumerate(names):
        whole = float(table.counts[true].sum()) or 1.0
        cells = [_head(f"{true + 1}. {_text(name)}" if many else _text(name), "row", True)]
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


def _figures(report: Report) -> str:
    labels = [curve.label for curve in report.roc]
    colors = [CLASSES[place] if place < len(CLASSES) else LINE for place in range(len(labels))]
    figures = []
    if report.roc:
        figures.append(_figure("ROC", "false positives", "true positives", _curves(report.roc, colors), diagonal=True))
        figures.append(_figure("Precision and recall", "recall", "precision", _curves(report.pr, colors)))
    if report.calibration:
        title, bounds = "Calibration", (0.0, 1.0)
        if report.classes is None:
            only = report.calibration[0]
            numbers = np.concatenate([only.predicted, only.observed, only.low, only.high])
            bounds = _padded(float(np.nanmin(numbers)), float(np.nanmax(numbers)))
            colors = ["var(--fill)"]
        bars = len(report.calibration) <= _FEW_BANDS
        parts = zip(report.calibration, colors, strict=True)
        dots = "".join(_dots(part, color, bounds, bars=bars) for part, color in parts)
        figures.append(_figure(title, "predicted", "observed", dots, diagonal=True, bounds=bounds))
    key = "".join(
        f'<li><span style="background:{color}"></span>{_text(class_text(label))}</li>'
        for label, color in zip(labels, colors, strict=False)
    )
    key = f'<ul class="key">{key}</ul>' if key else ""
    told = f"{'Bands and bars' if labels else 'Bars'}: {100 * report.level:g}% intervals."
    if len(labels) > _FEW_BANDS:
        told = "Intervals are left out, as those of so many classes would hide each other."
    return f'<h2>Curves</h2><p class="note">{told}</p>{key}{"".join(figures)}'


def _padded(low: float, high: float) -> tuple[float, float]:
    """Bounds with some air, so that nothing stands on an axis."""
    room = 0.04 * (high - low) or 0.5 * max(abs(high), 1.0)
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two bounds."""
    rough = (high - low) / 5
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * size for size in (1, 2, 2.5, 5, 10) if unit * size >= rough)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [number * step for number in range(first, last + 1)]


def _figure(
    title: str, x: str, y: str, content: str, *, diagonal: bool = False, bounds: tuple[float, float] = (0.0, 1.0)
) -> str:
    left, right, top, bottom = _LEFT, _LEFT + _SIZE, _TOP, _TOP + _SIZE
    ticks = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0) if bounds == (0.0, 1.0) else _ticks(*bounds):
        share, text = (value - bounds[0]) / (bounds[1] - bounds[0]), f"{value:.6g}"
        at_x, at_y = left + share * _SIZE, bottom - share * _SIZE
        ticks.append(f'<text x="{at_x:.1f}" y="{bottom + 14}" text-anchor="middle">{text}</text>')
        ticks.append(f'<text x="{left - 5}" y="{at_y + 4:.1f}" text-anchor="end">{text}</text>')
    line = f'<path class="axis" stroke-dasharray="4 4" d="M{left} {bottom}L{right} {top}"/>' if diagonal else ""
    middle = (top + bottom) / 2
    return (
        f'<figure><figcaption>{_text(title)}</figcaption><svg role="img" aria-label="{_text(title)}: {_text(y)} '
        f'against {_text(x)}" width="{right + 12}" height="{bottom + _BOTTOM}" '
        f'viewBox="0 0 {right + 12} {bottom + _BOTTOM}">'
        f'<path class="axis" d="M{left} {top}V{bottom}H{right}"/>{line}{"".join(ticks)}{content}'
        f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">{_text(x)}</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">{_text(y)}</text></svg></figure>'
    )


def _place(x: Floats, y: Floats, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[Floats, Floats]:
    span = bounds[1] - bounds[0] or 1.0
    return _LEFT + (x - bounds[0]) / span * _SIZE, _TOP + _SIZE - (y - bounds[0]) / span * _SIZE


def _points(x: Floats, y: Floats) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))


def _curves(curves: Sequence[Curve], colors: Sequence[str]) -> str:
    parts = []
    for curve, color in zip(curves, colors, strict=True):
        known = np.isfinite(curve.y)
        x, y = _place(curve.x[known], curve.y[known])
        _, low = _place(curve.x[known], np.where(np.isfinite(curve.low), curve.low, curve.y)[known])
        _, high = _place(curve.x[known], np.where(np.isfinite(curve.high), curve.high, curve.y)[known])
        band = _points(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
        if len(curves) <= _FEW_BANDS:
            parts.append(f'<polygon points="{band}" fill="{color}" fill-opacity="0.15"/>')
        parts.append(f'<polyline points="{_points(x, y)}" fill="none" stroke="{color}" stroke-width="2"/>')
    return "".join(parts)


def _dots(part: Calibration, color: str, bounds: tuple[float, float], *, bars: bool) -> str:
    x, y = _place(part.predicted, part.observed, bounds)
    low, high = (_place(part.predicted, side, bounds)[1] for side in (part.low, part.high))
    largest = float(part.rows.max(initial=1.0))
    marks = []
    for place, rows in enumerate(part.rows.tolist()):
        if bars and np.isfinite(low[place]):
            marks.append(f'<path stroke="{color}" d="M{x[place]:.1f} {low[place]:.1f}V{high[place]:.1f}"/>')
        radius = 2.5 + 4.5 * float(np.sqrt(rows / largest))
        told = f"{amount(round(rows, 1))} rows: predicted {number_text(part.predicted[place])}, observed "
        told += interval_text(_Point(part.observed[place], part.low[place], part.high[place]))
        marks.append(
            f'<circle cx="{x[place]:.1f}" cy="{y[place]:.1f}" r="{radius:.1f}" fill="{color}" fill-opacity="0.8">'
            f"<title>{_text(told)}</title></circle>"
        )
    return "".join(marks)


class _Point:
    """A value with its interval, as `interval_text` reads one."""

    def __init__(self, value: float, low: float, high: float) -> None:
        self.value, self.low, self.high = value, low, high
