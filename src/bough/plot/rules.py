"""Rules as a picture: what each covers and takes, how sure it is, and how far rules overlap."""

from typing import Any

import numpy as np

from bough.plot.axes import begin, diagram, key, plain, ticks
from bough.plot.library import printable
from bough.view.labels import shorten
from bough.view.metrics import text_width
from bough.view.palette import CLASSES, INK, LINE, MUTED
from bough.view.rule_figures import RuleFigures, rule_figures

__all__ = ["rules"]

_LIGHT = "#d5dbe2"
_MOST_TEXT = 70
_NUMBERED = 13  # rules whose overlaps are written, too
_GAP = 0.4  # inches between the parts


@diagram
def rules(
    model: Any, X: Any = None, y: Any = None, *, max_rules: int | None = 25, level: float = 0.95, ax: Any = None
) -> Any:
    """Draw rules one below the other: their support, their confidence with its interval, and which of them overlap.

    Parameters
    ----------
    model : fitted estimator, RuleList or RuleSet
    X, y : table and array, optional
        Rows to count; without, what the training rows counted, which says nothing of overlaps. Rows that rules were
        learnt on flatter them.
    max_rules : int or None, default=25
        Show no more rules than that, from the first on; those left out are counted.
    level : float, default=0.95
        Of the intervals.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> ax = bough.plot.rules(bough.RIPPERClassifier().fit(X, y), X, y)
    >>> [part.get_xlabel() for part in ax.child_axes]
    ['share of 344 rows', 'confidence', 'overlap with rule, in %']
    """
    found = rule_figures(model, X, y, level=level)
    shown = _shown(found, max_rules)
    names = [shorten(" ".join(f"{k}  {_told(found, k)}".split()), _MOST_TEXT) for k in shown]
    matrix = found.overlap is not None and found.model.n_rules > 1
    height = 0.26 * max(len(shown), 2)
    cells = sum(k < found.model.n_rules for k in shown)
    wide = [2.4, 2.1, *([max(1.1, min(0.36, 5.0 / cells) * cells)] if matrix else [])]  # inches
    whole = sum(wide) + _GAP * (len(wide) - 1)
    room = max(text_width(name, 8) for name in names) + 6
    ax = begin(ax, whole + room / 72 + 0.3, 1.1 + height)
    ax.set_axis_off()
    begins = [sum(wide[:k]) + _GAP * k for k in range(len(wide))]
    parts = [begin(ax.inset_axes((b / whole, 0.0, w / whole, 1.0))) for b, w in zip(begins, wide, strict=True)]
    for part in parts:
        part.set_ylim(len(shown) - 0.5, -0.5)
        part.tick_params(axis="y", length=0)
        ticks(part.yaxis, [], [])
    places = np.arange(len(shown))
    _support(parts[0], found, shown, places)
    beside = {"xycoords": parts[0].get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    for place, name in zip(places, names, strict=True):
        parts[0].annotate(printable(name), (0, place), (-room, 0), fontsize=8, color=INK, parse_math=False, **beside)
    _sure(parts[1], found, shown, places)
    if matrix:
        _overlaps(parts[2], found, [k for k in shown if k < found.model.n_rules])
    left = len(found) - len(shown)
    if left:
        parts[0].annotate(f"… {left:,} more rules", (0, 1), (-room, 4), xycoords="axes fraction", fontsize=8,
                          color=MUTED, textcoords="offset points")  # fmt: skip
    return ax


def _shown(found: RuleFigures, most: int | None) -> list[int]:
    """The numbers of the rules that are drawn; the default is, too."""
    n = found.model.n_rules
    kept = list(range(n if most is None else min(n, most)))
    return kept + list(range(n, len(found)))


def _told(found: RuleFigures, number: int) -> str:
    return f"{found.texts[number]} → {found.answers[number]}"


def _support(ax: Any, found: RuleFigures, shown: list[int], places: Any) -> None:
    """How much rules cover, and take in their turn."""
    bars, told = [], []
    for values, height, color, name in (
        (found.support, 0.72, _LIGHT, "covered"),
        (found.taken, 0.4, CLASSES[0], "taken in its turn"),
    ):
        if not np.isnan(values[shown]).all():
            bars.append(ax.barh(places, np.nan_to_num(values[shown]), height=height, color=color))
            told.append(name)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    key(ax, bars, told, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=2)
    ax.set_xlabel(f"share of {found.n_rows:,} rows", fontsize=9, color=INK)


def _sure(ax: Any, found: RuleFigures, shown: list[int], places: Any) -> None:
    """How sure rules are."""
    value, low, high = (part[shown] for part in (found.value, found.low, found.high))
    known = ~np.isnan(value)
    spread = [np.maximum(value - low, 0)[known], np.maximum(high - value, 0)[known]]
    ax.errorbar(value[known], places[known], xerr=spread, fmt="o", color=CLASSES[0], ecolor=MUTED, markersize=4.5,
                elinewidth=1.2)  # fmt: skip
    if found.of_classes:
        ax.set_xlim(0, 1.02)
        ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    ax.grid(visible=True, axis="x", color=LINE, alpha=0.25, linewidth=0.6)
    name = "confidence" if found.of_classes else f"mean of {found.model.target}"
    ax.set_xlabel(plain(name), fontsize=9, color=INK, parse_math=False)


def _overlaps(ax: Any, found: RuleFigures, shown: list[int]) -> None:
    """Of the rows of each rule the share that others cover as well."""
    assert found.overlap is not None  # noqa: S101 (as the caller has asked)
    shares = found.overlap[np.ix_(shown, shown)]
    off = np.ma.masked_array(shares, np.eye(len(shown), dtype=bool))
    ax.imshow(off, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    ticks(ax.xaxis, range(len(shown)), [str(k) if len(shown) <= _NUMBERED or k % 5 == 0 else "" for k in shown])
    if len(shown) <= _NUMBERED:
        for i, k in np.argwhere(~np.eye(len(shown), dtype=bool) & (shares >= 0.005)).tolist():
            ink = "white" if shares[i, k] > 0.55 else INK
            ax.annotate(f"{100 * shares[i, k]:.0f}", (k, i), ha="center", va="center", fontsize=6.5, color=ink)
    ax.set_xlabel("overlap with rule, in %", fontsize=9, color=INK)
