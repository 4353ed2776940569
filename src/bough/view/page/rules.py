"""The page of rules: support, confidence and overlaps in one file that loads nothing, and what covers a row."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bough.model.features import Cell
from bough.model.inputs import Rows
from bough.model.rules import RuleList, RuleModel
from bough.model.ways import cells_of
from bough.table import UNSEEN, format_value
from bough.view.escape import xml
from bough.view.page.bundle import assemble
from bough.view.page.write import as_script_data
from bough.view.rule_figures import RuleFigures, rule_figures

__all__ = ["rules_page"]

_MOST_ROWS = 2000  # of which the page knows what covers them
_MOST_RULES = 60  # in the matrix of overlaps
_WIDE, _HIGH, _CELL = 130, 16, 22


def rules_page(rules: RuleModel, X: Any = None, y: Any = None, *, name: str = "") -> str:
    """Return the page of rules as text.

    Parameters
    ----------
    rules : RuleList or RuleSet
    X, y : table and array, optional
        Rows to count and to look up; without, the figures are those of the training rows, and there are no overlaps.
    name : str, default=""
        The class of the estimator.
    """
    found = rule_figures(rules, X, y)
    known = _looked_up(found, None if X is None else rules.read(X))
    title = f"Rules for {rules.target}"
    kind = "the first rule that covers a row decides" if isinstance(rules, RuleList) else "rules answer together"
    learnt = f"{name}; " if name else ""
    counted = "given" if X is not None else "training"
    note = f"{learnt}{rules.n_rules:,} rules, {rules.n_literals:,} literals: {kind}. {found.n_rows:,} {counted} rows."
    parts = [f"<h1>{xml(title)}</h1>", f'<p class="note">{xml(note)}</p>']
    parts += [_filter(len(known["covers"]))] if X is not None else []
    parts += [_table(found)]
    parts += [_matrix(found)] if found.overlap is not None and rules.n_rules > 1 else []
    return assemble(as_script_data(known), entry="rules", style="rules.css", title=title, body="\n".join(parts))


def _looked_up(found: RuleFigures, rows: Rows | None) -> dict[str, Any]:
    """What the script knows of rows: their values, and the rules that cover them."""
    model = found.model
    if rows is None or found.covered is None:
        return {"n": model.n_rules, "columns": [], "rows": [], "covers": [], "decides": []}
    count = min(len(rows), _MOST_ROWS)
    places = [model.place(column) for column in model.schema if column.name in model.columns_used]
    decides: list[int | None] = [None] * count
    if isinstance(model, RuleList):
        decides = model.apply(rows)[:count].tolist()
    return {
        "n": model.n_rules,
        "columns": [model.schema.names[place] for place in places],
        "rows": [_values(model, cells_of(rows.encoded, row), places) for row in range(count)],
        "covers": [np.flatnonzero(row).tolist() for row in found.covered[:count]],
        "decides": decides,
    }


def _values(model: RuleModel, cells: Sequence[Cell], places: Sequence[int]) -> list[str]:
    """Some values of a row as text."""
    told = []
    for place in places:
        cell, column = cells[place], model.schema.columns[place]
        if cell is None:
            told.append("missing")
        else:
            unseen = column.kind != "numeric" and cell == UNSEEN
            told.append("a level never seen" if unseen else format_value(column, cell))
    return told


def _filter(count: int) -> str:
    return (
        "<fieldset><legend>Which rules cover a row?</legend>"
        f'<label>row <input type="number" id="row" min="0" max="{count - 1}" step="1"></label>'
        '<label><input type="checkbox" id="only"> only rules that cover it</label>'
        '<p id="told" role="status"></p><dl id="values"></dl></fieldset>'
    )


def _table(found: RuleFigures) -> str:
    heads = ["rule", "if", "then", "support", "", "confidence" if found.of_classes else "mean", ""]
    lines = [
        f'<tr data-rule="{number}"><td class="number">{number}</td><td>{xml(found.texts[number])}</td>'
        f"<td>{xml(found.answers[number])}</td>{_support(found, number)}{_sure(found, number)}</tr>"
        for number in range(len(found))
    ]
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    body = "\n".join(lines)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{share:.1%}"


def _support(found: RuleFigures, number: int) -> str:
    """The share that a rule covers, and within that bar the one that it takes."""
    alone, taken = float(found.support[number]), float(found.taken[number])
    shares = ((alone, "light", 2, _HIGH - 4), (taken, "fill", 5, _HIGH - 10))
    bars = "".join(
        f'<rect class="{kind}" x="0" y="{top}" width="{share * _WIDE:.1f}" height="{high}"/>'
        for share, kind, top, high in shares
        if not math.isnan(share)
    )
    told = " covered, ".join(filter(None, (_percent(alone), _percent(taken) and f"{_percent(taken)} taken")))
    return _drawn(bars, told)


def _drawn(shapes: str, told: str) -> str:
    """A picture and its figures, in two cells."""
    picture = f'<svg width="{_WIDE}" height="{_HIGH}" aria-hidden="true">{shapes}</svg>'
    return f'<td>{picture}</td><td class="number">{told}</td>'


def _sure(found: RuleFigures, number: int) -> str:
    """The confidence or the mean, with its interval."""
    value, low, high = (float(part[number]) for part in (found.value, found.low, found.high))
    if math.isnan(value):
        return "<td></td><td></td>"
    first, last = (0.0, 1.0) if found.of_classes else (float(np.nanmin(found.low)), float(np.nanmax(found.high)))

    def place(of: float) -> str:
        return f"{4 + (of - first) / ((last - first) or 1.0) * (_WIDE - 8):.1f}"

    middle = _HIGH // 2
    shapes = (
        f'<line class="axis" x1="4" x2="{_WIDE - 4}" y1="{middle}" y2="{middle}"/>'
        f'<line class="range" x1="{place(low)}" x2="{place(high)}" y1="{middle}" y2="{middle}"/>'
        f'<circle class="fill" cx="{place(value)}" cy="{middle}" r="4"/>'
    )
    texts = [_percent(one) if found.of_classes else f"{one:.4g}" for one in (value, low, high)]
    told = f"{texts[0]} ({texts[1]} to {texts[2]})"
    return _drawn(shapes, told)


def _matrix(found: RuleFigures) -> str:
    """Of the rows of each rule the share that each other covers as well."""
    assert found.overlap is not None  # noqa: S101 (as the caller has asked)
    shares = found.overlap[:_MOST_RULES, :_MOST_RULES]
    n = len(shares)
    names: Sequence[str] = [
        f'<text x="{_CELL - 4}" y="{(k + 1.7) * _CELL:.0f}" text-anchor="end">{k}</text>'
        f'<text x="{(k + 1.5) * _CELL:.0f}" y="{_CELL - 6}" text-anchor="middle">{k}</text>'
        for k in range(n)
    ]
    cells = [
        f'<rect class="fill" x="{(k + 1) * _CELL}" y="{(i + 1) * _CELL}" width="{_CELL - 1}" height="{_CELL - 1}" '
        f'opacity="{shares[i, k]:.3f}"><title>{shares[i, k]:.0%} of rule {i} are covered by rule {k}</title></rect>'
        for i in range(n)
        for k in range(n)
        if i != k and shares[i, k] > 0
    ]
    left = f" The first {n} rules." if n < len(found.overlap) else ""
    size = (n + 1) * _CELL
    head = "<h2>Overlaps</h2>"
    note = f'<p class="note">Of the rows of a line, the share that the rule of the column covers too.{left}</p>'
    body = "".join([*names, *cells])
    label = f"matrix of the overlaps of {n} rules"
    return (
        f'{head}{note}<div class="wide"><svg class="matrix" role="img" aria-label="{label}" width="{size}" '
        f'height="{size}">{body}</svg></div>'
    )
