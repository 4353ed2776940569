"""The decision regions of a tree over three columns: bodies with walls perpendicular to the axes.

Slanted walls, of sums of columns, are made of such walls too, in small steps.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model import Tree
from bough.model.text import class_text
from bough.plot.axes import plain, ticks
from bough.plot.grid import Axis, held_values, nodes_over
from bough.plot.library import printable, pyplot
from bough.plot.marks import class_key, held_note, scatter_rows, value_bar, value_scale
from bough.view.palette import INK, LINE, MUTED, class_colors

__all__ = ["space"]

_MOST_CELLS = 60  # along one axis; of more thresholds a grid is drawn
_GLASS = 0.22  # how much of what lies behind a wall it hides

Mask = npt.NDArray[np.bool_]


def space(
    tree: Tree,
    X: Any,
    y: Any,
    names: Sequence[str],
    at: Mapping[str, Any],
    *,
    rows: bool,
    random_state: int,
    ax: Any,
) -> Any:
    """See `bough.plot.regions`.

    Of classes, the one with the most room is left open, so that the others are seen as bodies; the title names it. Of
    numbers, the walls between different answers are seen, in the colour of the larger one.
    """
    axes = [Axis.of(tree, X, name, _MOST_CELLS) for name in names]
    held = held_values(tree, X, names, at)
    nodes = nodes_over(tree, axes, held)
    ax = _begin(ax)
    notes = [held_note(tree, held)]
    if tree.is_classifier:
        notes.append(f"empty room: {class_text(_draw_bodies(ax, tree, nodes, axes))}")
    else:
        _draw_walls(ax, tree, nodes, axes)
    if rows:
        scatter_rows(ax, tree, X, y, axes, np.random.default_rng(random_state))
    for side, own in zip("xyz", axes, strict=True):
        getattr(ax, f"set_{side}lim")(own.edges[0], own.edges[-1])
        getattr(ax, f"set_{side}label")(plain(own.column.name), fontsize=9, color=INK, parse_math=False)
        if own.names is not None:
            axis = getattr(ax, f"{side}axis")
            ticks(axis, np.arange(len(own.names)), own.names, most=14)
            axis.set_tick_params(pad=8)  # names begin at the axis, numbers end there
            axis.labelpad = 18
    if tree.is_classifier:
        class_key(ax, tree, with_rows=rows and y is not None)
    note = "; ".join(filter(None, notes))
    if note:
        ax.set_title(printable(note), fontsize=8, color=MUTED, loc="left", parse_math=False)
    return ax


def _begin(ax: Any) -> Any:
    if ax is None:
        ax = pyplot().figure(figsize=(6.4, 5.0), layout="constrained").add_subplot(projection="3d")
        ax.set_box_aspect(None, zoom=0.85)  # room for the names of the axes
    if not hasattr(ax, "set_zlim"):
        raise ParameterError(
            "three columns need axes in space: leave ax out, or make it with add_subplot(projection='3d')."
        )
    ax.tick_params(labelsize=7, labelcolor=INK, colors=MUTED)
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.pane.set(facecolor="#ffffff", edgecolor=LINE)
        axis.line.set_color(LINE)
    ax.grid(visible=False)
    return ax


def _draw_bodies(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], axes: Sequence[Axis]) -> Any:
    """Draw all classes but one, whose label is returned."""
    label = tree.arrays.label[nodes]
    size = np.ones(nodes.shape)
    for place, axis in enumerate(axes):
        size *= np.diff(axis.edges).reshape([-1 if k == place else 1 for k in range(3)])
    room = np.bincount(label.ravel(), weights=size.ravel())
    open_one = int(np.argmax(room))
    colors = class_colors(tree).colors
    for number in np.unique(label).tolist():
        if number != open_one:
            _paint(ax, _hull(label == number), axes, colors[number])
    return (tree.class_labels or ())[open_one]


def _draw_walls(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], axes: Sequence[Axis]) -> None:
    from matplotlib.cm import ScalarMappable

    value = tree.arrays.value[nodes]
    colors, scale = value_scale(tree)
    for answer in np.unique(value).tolist():
        inner = [wall for wall in _hull(value >= answer) if 0 < wall[1] < len(axes[wall[0]].values)]
        own = [(along, place, mask & _beside(value == answer, along, place)) for along, place, mask in inner]
        _paint(ax, own, axes, colors(scale(answer)))
    value_bar(ax, tree, ScalarMappable(scale, colors), pad=0.08)


def _hull(inside: Mask) -> list[tuple[int, int, Mask]]:
    """The walls of a body of cells: along which axis, at which edge, and which cells of that plane they cover."""
    found = []
    for along in range(3):
        cells = np.moveaxis(inside, along, 0)
        outside = np.zeros((1, *cells.shape[1:]), dtype=bool)
        change = np.concatenate([outside, cells]) != np.concatenate([cells, outside])
        found += [(along, place, mask) for place, mask in enumerate(change) if mask.any()]
    return found


def _beside(cells: Mask, along: int, place: int) -> Mask:
    """Which cells of a plane have one of these on either side."""
    flat = np.moveaxis(cells, along, 0)
    return np.asarray(flat[place - 1] | flat[place])


def _paint(ax: Any, walls: Sequence[tuple[int, int, Mask]], axes: Sequence[Axis], color: Any) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    shapes = _corners(walls, axes)
    if shapes:
        # The lines of small steps, which only slanted walls have, would hide what lies behind.
        stairs = any(axis.names is None and len(axis.values) > _MOST_CELLS for axis in axes)
        look: dict[str, Any] = {"facecolors": color, "edgecolors": "none" if stairs else color, "linewidths": 0.6}
        look["antialiaseds"] = not stairs
        ax.add_collection3d(Poly3DCollection(shapes, alpha=_GLASS, **look))


def _corners(walls: Sequence[tuple[int, int, Mask]], axes: Sequence[Axis]) -> list[npt.NDArray[np.float64]]:
    """The walls as rectangles of four points each."""
    shapes = []
    for along, place, mask in walls:
        first, second = (axes[k].edges for k in range(3) if k != along)
        for a, b, c, d in _rectangles(mask):
            around = ((a, c), (b, c), (b, d), (a, d))
            corners = np.array([(first[one], second[other]) for one, other in around])
            shapes.append(np.insert(corners, along, axes[along].edges[place], axis=1))
    return shapes


def _rectangles(mask: Mask) -> list[tuple[int, int, int, int]]:
    """The cells of a plane as few rectangles, so that walls are not cut up: begin and end of both axes."""
    left, found = mask.copy(), []
    while left.any():
        a, c = (int(place[0]) for place in np.nonzero(left))
        stop = np.flatnonzero(~left[a, c:])
        d = c + int(stop[0]) if len(stop) else left.shape[1]
        b = a + 1
        while b < left.shape[0] and left[b, c:d].all():
            b += 1
        left[a:b, c:d] = False
        found.append((a, b, c, d))
    return found
