"""How often each split of a tree comes back on bootstrap samples, as bars beside its tests."""

from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.plot.axes import begin, diagram, finish, key, ticks
from bough.plot.library import printable
from bough.validate import Stability
from bough.view.labels import shorten
from bough.view.metrics import text_width
from bough.view.palette import CLASSES, INK, MUTED

__all__ = ["stability"]


@diagram
def stability(found: Any, *, max_splits: int | None = 25, ax: Any = None) -> Any:
    """Draw how stable the splits of a tree are.

    Parameters
    ----------
    found : Stability
        What `bough.validate.stability` returns.
    max_splits : int or None, default=25
        Show no more splits than that, from the root on.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.validate.stability(bough.CARTClassifier(), X, y, n_resamples=20, random_state=0)
    >>> ax = bough.plot.stability(found)
    >>> ax.get_xlabel()
    'share of 20 bootstrap samples'
    """
    if not isinstance(found, Stability):
        raise ParameterError(
            f"plot.stability takes what bough.validate.stability(...) returns of a tree; got {type(found).__name__}."
        )
    if not found.splits:
        raise ParameterError("the tree has no split, so there is nothing to draw.")
    order = sorted(found.splits, key=lambda split: split.depth)  # the upper splits first, if not all are shown
    kept = {split.node for split in order[:max_splits]}
    splits = [split for split in found.splits if split.node in kept]
    ax = begin(ax, 6.0, 1.0 + 0.26 * max(len(splits), 2))
    places = np.arange(len(splits))
    anywhere = ax.barh(places, [split.anywhere for split in splits], height=0.72, color="#d5dbe2")
    same = ax.barh(places, [split.same_place for split in splits], height=0.4, color=CLASSES[0])
    ax.invert_yaxis()
    ticks(ax.yaxis, places, [""] * len(splits))
    names = [shorten(" ".join(split.test.split()), 40) for split in splits]
    indents = [10.0 * min(split.depth, 8) for split in splits]
    room = max(text_width(name, 8) + indent for name, indent in zip(names, indents, strict=True)) + 6
    beside = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points", "va": "center", "parse_math": False}
    for place, name, indent, split in zip(places, names, indents, splits, strict=True):
        ax.annotate(printable(name), (0, place), (indent - room, 0), fontsize=8, color=INK, **beside)
        if len(split.thresholds):
            low, _, _, _, high = split.spread
            ax.annotate(f"{low:.4g} to {high:.4g}", (1, place), (6, 0), fontsize=7.5, color=MUTED, **beside)
    if any(len(split.thresholds) for split in splits):
        ax.annotate("thresholds, 5 % to 95 %", (1, -0.75), (6, 0), fontsize=7.5, color=MUTED, **beside)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    key(ax, [same, anywhere], ["same column at the same place", "column asked anywhere"],
        loc="lower left", bbox_to_anchor=(-0.02, 1.0))  # fmt: skip
    return finish(ax, f"share of {found.n_resamples:,} bootstrap samples", "")
