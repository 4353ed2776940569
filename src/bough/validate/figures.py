"""The figures of a validation as SVG: curves and calibration, each class with its own colour, dash and mark."""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model.text import amount, class_text
from bough.validate.findings import Findings
from bough.validate.pieces import Calibration, Curve
from bough.validate.words import interval_text, number_text
from bough.view.palette import CLASSES, grey_of, shade, tint

__all__ = ["FIGURE_STYLE", "escaped", "figures"]

Floats = npt.NDArray[np.float64]
_FEW_BANDS = 3  # more of them hide each other
_MOST_TEXT = 200  # of a label or a name; 1 MB of it would help nobody
_SIZE, _LEFT, _BOTTOM, _TOP = 270, 46, 40, 10  # three figures side by side
_DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 2", "12 4", "7 3 2 3 2 3", "2 1.5")
_CORNERS = ((), (45, 135, 225, 315), (0, 90, 180, 270), (-90, 30, 150))  # degrees; without any it is a circle


def _color_names(change: Callable[[str, float], str], good: Callable[[float], bool]) -> str:
    """The colours of classes by name, each changed as little as makes a thin line of it stand out from the paper."""
    steps = np.linspace(0, 1, 21).tolist()
    changed = [next(c for step in steps if good(grey_of(c := change(color, step)))) for color in CLASSES]
    return " ".join(f"--class-{place}: {color};" for place, color in enumerate(changed))


FIGURE_STYLE = f"""
:root {{ {_color_names(shade, lambda grey: grey < 0.67)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_color_names(tint, lambda grey: grey > 0.57)} }} }}
figure {{ display: inline-block; margin: .5rem 1rem .5rem 0; max-width: 100%; vertical-align: top; }}
figcaption {{ font-weight: 600; }}
svg {{ max-width: 100%; height: auto; }}
svg text {{ fill: var(--muted); font-size: 11px; }} svg .axis {{ stroke: var(--line); fill: none; }}
ul.key {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }}
ul.key svg {{ margin-right: .4em; vertical-align: middle; }}
"""


class _Look(NamedTuple):
    """How a class is drawn: not by colour alone."""

    color: str
    dash: str = ""
    corners: tuple[int, ...] = ()
    hollow: bool = False


def escaped(value: Any) -> str:
    """Text for HTML: escaped, without control characters, not endless."""
    text = "".join(mark if mark.isprintable() else " " for mark in str(value)[: _MOST_TEXT + 1])
    text = text.encode("utf-8", "replace").decode()  # halves of characters that no file can hold
    return escape(text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "…")


def figures(found: Findings) -> str:
    """The curves of a validation with their key; nothing where there are none."""
    looks = _looks(found)
    roc, pr = ([curve for curve in curves if curve.label in looks] for curves in (found.roc, found.pr))
    calibration = [part for part in found.calibration if part.label in looks]
    drawn = []
    if roc:
        drawn.append(_figure("ROC", "false positives", "true positives", _curves(roc, looks), diagonal=True))
        drawn.append(_figure("Precision and recall", "recall", "precision", _curves(pr, looks)))
        gains = [curve for curve in found.gains() if curve.label in looks]
        if gains:
            drawn.append(_figure("Gains", "rows taken", "found of the class", _curves(gains, looks), diagonal=True))
    if calibration:
        bounds = (0.0, 1.0)
        if found.classes is None:
            only = calibration[0]
            numbers = np.concatenate([only.predicted, only.observed, only.low, only.high])
            bounds = _padded(float(np.nanmin(numbers)), float(np.nanmax(numbers)))
        bars = len(calibration) <= _FEW_BANDS
        dots = "".join(_dots(part, looks[part.label], bounds, bars=bars) for part in calibration)
        drawn.append(_figure("Calibration", "predicted", "observed", dots, diagonal=True, bounds=bounds))
    if not drawn:
        return ""
    told = f"{'Bands and bars' if roc else 'Bars'}: {100 * found.level:g}% intervals."
    if len(roc) > _FEW_BANDS:
        told = "Intervals are left out, as those of so many classes would hide each other."
    key = _key(looks, len(found.roc) - len(roc)) if roc else ""
    return f'<h2>Curves</h2><p class="note">{told}</p>{key}{"".join(drawn)}'


def _looks(found: Findings) -> dict[Any, _Look]:
    """The classes that are drawn, in the colours that they have in the picture of a tree; of many the most frequent."""
    if found.classes is None or found.support is None:
        return {None: _Look("var(--fill)")}
    codes = list(range(len(found.classes)))
    if len(codes) > len(CLASSES):
        codes = np.argsort(-found.support, kind="stable")[: len(CLASSES)].tolist()
    labels, scored = found.classes.tolist(), {curve.label for curve in found.roc}
    colors = {labels[code]: f"var(--class-{place})" for place, code in enumerate(codes) if labels[code] in scored}
    few = len(_CORNERS)
    return {
        label: _Look(color, _DASHES[place], _CORNERS[place % few], place >= few)
        for place, (label, color) in enumerate(colors.items())
    }


def _key(looks: dict[Any, _Look], others: int) -> str:
    lines = []
    for label, look in looks.items():
        line = f'<path d="M0 6H34" fill="none" {_stroke(look)}/>{_mark(look, 17, 6, 4.5)}'
        sample = f'<svg aria-hidden="true" width="34" height="12" viewBox="0 0 34 12">{line}</svg>'
        lines.append(f"<li>{sample}{escaped(class_text(label))}</li>")
    if others:
        many = f"{others:,} rarer classes are" if others > 1 else "1 rarer class is"
        lines.append(f'<li class="none">{many} not drawn; the tables have them</li>')
    return f'<ul class="key">{"".join(lines)}</ul>'


def _stroke(look: _Look) -> str:
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    return f'stroke="{look.color}" stroke-width="2"{dash}'


def _mark(look: _Look, x: float, y: float, radius: float, title: str = "") -> str:
    """A circle, or corners about a point."""
    turns = [math.radians(corner) for corner in look.corners]
    points = [f"{x + radius * math.cos(turn):.1f} {y + radius * math.sin(turn):.1f}" for turn in turns]
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"'
    shape = f'<path d="M{"L".join(points)}Z"' if points else circle
    fill = 'fill="var(--paper)"' if look.hollow else f'fill="{look.color}" fill-opacity="0.8"'
    told = f"<title>{escaped(title)}</title>" if title else ""
    return f'{shape} {fill} stroke="{look.color}">{told}</{"path" if points else "circle"}>'


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
        f'<figure><figcaption>{escaped(title)}</figcaption><svg role="img" aria-label="{escaped(title)}: {escaped(y)} '
        f'against {escaped(x)}" width="{right + 12}" height="{bottom + _BOTTOM}" '
        f'viewBox="0 0 {right + 12} {bottom + _BOTTOM}">'
        f'<path class="axis" d="M{left} {top}V{bottom}H{right}"/>{line}{"".join(ticks)}{content}'
        f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">{escaped(x)}</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">{escaped(y)}</text></svg></figure>'
    )


def _place(x: Floats, y: Floats, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[Floats, Floats]:
    span = bounds[1] - bounds[0] or 1.0
    return _LEFT + (x - bounds[0]) / span * _SIZE, _TOP + _SIZE - (y - bounds[0]) / span * _SIZE


def _points(x: Floats, y: Floats) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x.tolist(), y.tolist(), strict=True))


def _curves(curves: Sequence[Curve], looks: dict[Any, _Look]) -> str:
    parts = []
    for curve in curves:
        look = looks[curve.label]
        known = np.isfinite(curve.y)
        x, y = _place(curve.x[known], curve.y[known])
        _, low = _place(curve.x[known], np.where(np.isfinite(curve.low), curve.low, curve.y)[known])
        _, high = _place(curve.x[known], np.where(np.isfinite(curve.high), curve.high, curve.y)[known])
        band = _points(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
        if len(curves) <= _FEW_BANDS:
            parts.append(f'<polygon points="{band}" fill="{look.color}" fill-opacity="0.15"/>')
        parts.append(f'<polyline points="{_points(x, y)}" fill="none" {_stroke(look)}/>')
    return "".join(parts)


def _dots(part: Calibration, look: _Look, bounds: tuple[float, float], *, bars: bool) -> str:
    x, y = _place(part.predicted, part.observed, bounds)
    low, high = (_place(part.predicted, side, bounds)[1] for side in (part.low, part.high))
    largest = float(part.rows.max(initial=1.0))
    whose = "" if part.label is None else f"{class_text(part.label)}, "
    marks = []
    for place, rows in enumerate(part.rows.tolist()):
        if bars and np.isfinite(low[place]):
            marks.append(f'<path stroke="{look.color}" d="M{x[place]:.1f} {low[place]:.1f}V{high[place]:.1f}"/>')
        radius = 2.5 + 4.5 * math.sqrt(rows / largest)
        told = f"{whose}{amount(round(rows, 1))} rows: predicted {number_text(part.predicted[place])}, observed "
        told += interval_text(_Point(part.observed[place], part.low[place], part.high[place]))
        marks.append(_mark(look, float(x[place]), float(y[place]), radius, told))
    return "".join(marks)


class _Point(NamedTuple):
    """A value with its interval, as `interval_text` reads one."""

    value: float
    low: float
    high: float
