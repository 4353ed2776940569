"""What pictures of regions share, flat or in space: rows as dots, the legend of classes, the scale of values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bough.model import Tree
from bough.model.text import class_text
from bough.plot.axes import MARKERS, key, plain
from bough.plot.grid import Axis, places
from bough.plot.library import pyplot
from bough.plot.values import check_rows
from bough.view.palette import INK, LINE, REST, class_colors, value_color

__all__ = ["class_key", "held_note", "scatter_rows", "value_bar", "value_scale"]


def scatter_rows(ax: Any, tree: Tree, X: Any, y: Any, axes: Sequence[Axis], rng: np.random.Generator) -> None:
    """Draw the rows whose values are known, in the colour of their target if it is given."""
    points = [places(tree, X, axis, rng) for axis in axes]
    shown = np.logical_and.reduce([np.isfinite(own) for own in points])
    finer = min(1.0, 600 / max(int(shown.sum()), 1)) ** 0.5
    look: dict[str, Any] = {"s": max(13 * finer, 2.5), "linewidths": 0.5 * finer, "edgecolors": INK, "zorder": 2}
    if len(points) == 3:
        look["depthshade"] = False
    if y is None or not tree.is_classifier:
        color: Any = "#ffffff"
        if y is not None:
            values = np.asarray(y, dtype=np.float64).ravel()
            check_rows(len(shown), values)
            low, high = float(tree.arrays.value.min()), float(tree.arrays.value.max())
            color = [value_color((value - low) / ((high - low) or 1.0)) for value in values[shown]]
            look["edgecolors"] = LINE  # is seen on the darkest ground and on the lightest
        ax.scatter(*(own[shown] for own in points), c=color, **look)
        return
    colors = class_colors(tree)
    target = np.asarray(y).ravel()
    check_rows(len(shown), target)
    labels = np.empty(len(target), dtype=object)
    labels[:] = target.tolist()
    for number, name in enumerate(tree.class_labels or []):
        mine = shown & np.array([label == name for label in labels], dtype=bool)
        marker = MARKERS[_rank(colors.named, number) % len(MARKERS)]
        ax.scatter(*(own[mine] for own in points), c=colors.colors[number], marker=marker, **look)


def _rank(named: tuple[int, ...], number: int) -> int:
    return named.index(number) if number in named else 0


def class_key(ax: Any, tree: Tree, *, with_rows: bool) -> None:
    """The legend of the classes, beside the picture."""
    from matplotlib.lines import Line2D

    colors = class_colors(tree)
    handles, names = [], []
    for rank, number in enumerate(colors.named):
        marker = MARKERS[rank % len(MARKERS)] if with_rows else "s"
        handle = Line2D([], [], linestyle="", marker=marker, markersize=6, markerfacecolor=colors.colors[number])
        handle.set(markeredgecolor=INK, markeredgewidth=0.5)
        handles.append(handle)
        names.append(class_text((tree.class_labels or [])[number], quoted=False))
    if colors.rest:
        handles.append(Line2D([], [], linestyle="", marker="s", markersize=6, color=REST, markeredgecolor=INK))
        names.append(f"{len(colors.rest):,} other classes")
    key(ax, handles, names, title=tree.target, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)


def value_scale(tree: Tree) -> tuple[Any, Any]:
    """The colours of values, and how they lie between the least and the largest answer of the tree."""
    from matplotlib.colors import ListedColormap, Normalize

    colors = ListedColormap([value_color(share) for share in np.linspace(0, 1, 256)])
    return colors, Normalize(float(tree.arrays.value.min()), float(tree.arrays.value.max()))


def value_bar(ax: Any, tree: Tree, painted: Any, pad: float = 0.02) -> None:
    """The scale of values, beside the picture."""
    bar = pyplot().colorbar(painted, ax=ax, pad=pad)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, colors=INK)
    bar.set_label(tree.target, fontsize=9, color=INK, parse_math=False)


def held_note(tree: Tree, held: Mapping[str, Any]) -> str:
    """Where the columns are held that are asked and are no axis."""
    told = [f"{plain(name, 24)} = {_text(held[name])}" for name in tree.columns_used if name in held]
    return ", ".join(told[:3]) + (f", … {len(told) - 3} more" if len(told) > 3 else "")


def _text(value: Any) -> str:
    if value is None or value != value:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else plain(str(value), 24)
