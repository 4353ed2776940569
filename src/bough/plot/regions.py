"""The decision regions of a tree over two columns, in which levels have lanes, or over three (`space.py`)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model import Tree
from bough.model.given import tree_of
from bough.plot.axes import begin, diagram, finish, ticks
from bough.plot.grid import Axis, chosen_columns, held_values, nodes_over
from bough.plot.library import printable
from bough.plot.marks import class_key, held_note, scatter_rows, value_bar, value_scale
from bough.plot.scene import size_in_inches
from bough.plot.space import space
from bough.view.metrics import text_width
from bough.view.palette import INK, LINE, MUTED, class_colors, tint

__all__ = ["regions"]

_MOST_CELLS = 600  # along one axis; of more thresholds a grid is drawn
_STEPS = 300  # along one axis, of slanted edges
_LANE_TEXT = 8.0  # points


@diagram
def regions(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    columns: Sequence[str] | None = None,
    at: Mapping[str, Any] | None = None,
    rows: bool = True,
    random_state: int = 0,
    ax: Any = None,
) -> Any:
    """Draw what a tree answers over the plane of two columns, or in the space of three.

    Where the tree asks one column at a time, regions are exact: their edges are its thresholds (of more than 600, in
    space 60, a grid). Where it asks sums of columns, the regions are those where all other columns have the values of
    `at`, which the title tells, and slanted edges are drawn as stairs on a grid: 300 steps along each axis, in space
    100. Nominal and ordered columns have a lane for each level, in which rows are scattered. In space, the class that
    has the most room is left open, which the title says, and the others are bodies of glass; of numbers, walls part
    different answers, in the colour of the larger one.

    Parameters
    ----------
    model : fitted estimator or Tree
    X : table
        Rows to draw; they also give the range of the axes.
    y : array, optional
        The target of the rows, which are drawn in its colours.
    columns : (str, str) or (str, str, str), optional
        The columns of the axes; by default the two of most importance, as the method `importance` of an estimator has
        it. For three, axes that are given must be made with ``projection="3d"``.
    at : mapping, optional
        Values of the other columns; by default the median, or the most frequent level, of `X`.
    rows : bool, default=True
        Draw the rows.
    random_state : int, default=0
        Of the scatter within lanes.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier().fit(X, y)
    >>> ax = bough.plot.regions(clf, X, y, columns=["bill_length_mm", "island"])
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('bill_length_mm', 'island')
    """
    tree = tree_of(model)
    names = chosen_columns(tree, columns)
    if len(names) == 3:
        return space(tree, X, y, names, at or {}, rows=rows, random_state=random_state, ax=ax)
    across, up = axes = [Axis.of(tree, X, name, _MOST_CELLS, _STEPS) for name in names]
    held = held_values(tree, X, names, at or {})
    nodes = nodes_over(tree, axes, held).T
    ax = begin(ax, across.inches(5.2), up.inches(4.2))
    _fill(ax, tree, nodes, across, up)
    _outline(ax, tree, nodes, across, up)
    if rows:
        scatter_rows(ax, tree, X, y, axes, np.random.default_rng(random_state))
    room = [72 * inches for inches in size_in_inches(ax)]
    told = [_name_lanes(axis, own, points) for axis, own, points in zip((ax.xaxis, ax.yaxis), axes, room, strict=True)]
    ax.set(xlim=(across.edges[0], across.edges[-1]), ylim=(up.edges[0], up.edges[-1]))
    if tree.is_classifier:
        class_key(ax, tree, with_rows=rows and y is not None)
    note = held_note(tree, held)
    if note:
        ax.set_title(printable(note), fontsize=8, color=MUTED, loc="left", parse_math=False)
    return finish(ax, *(name + more for name, more in zip(names, told, strict=True)))


def _name_lanes(axis: Any, own: Axis, room: float) -> str:
    """Name the lanes of an axis, upright where they are narrow; return what is to be said of names left out."""
    if own.names is None:
        return ""
    lane = room / len(own.names)
    every = max(int(np.ceil(1.1 * _LANE_TEXT / lane)), 1)
    ticks(axis, np.arange(len(own.names))[::every], own.names[::every], most=18)
    axis.set_tick_params(length=0)
    if axis.axis_name == "x" and max(text_width(name[:18], _LANE_TEXT) for name in own.names) > every * lane - 4:
        axis.set_tick_params(labelrotation=90)
    return f" (named: 1 of {every})" if every > 1 else ""


def _fill(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], across: Axis, up: Axis) -> None:
    if tree.is_classifier:
        shades = class_colors(tree).colors
        label = tree.arrays.label[nodes.ravel()]
        sure = tree.probabilities(nodes.ravel())[np.arange(nodes.size), label]
        even = 1 / max(len(shades), 2)
        strength = np.clip((sure - even) / (1 - even), 0, 1)
        cells = [tint(shades[int(k)], 0.85 - 0.4 * float(s)) for k, s in zip(label, strength, strict=True)]
        from matplotlib.colors import to_rgba_array

        image = to_rgba_array(cells).reshape(*nodes.shape, 4)
        ax.pcolormesh(across.edges, up.edges, image, shading="flat", zorder=0, rasterized=nodes.size > 20_000)
        return
    colors, scale = value_scale(tree)
    values = tree.values(nodes.ravel()).reshape(nodes.shape)
    mesh = ax.pcolormesh(across.edges, up.edges, values, cmap=colors, norm=scale, shading="flat", zorder=0)
    value_bar(ax, tree, mesh)


def _outline(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], across: Axis, up: Axis) -> None:
    """Lines between cells of different answers, and thin ones between cells of different leaves."""
    from matplotlib.collections import LineCollection

    answer = tree.arrays.label[nodes] if tree.is_classifier else tree.arrays.value[nodes]
    finer = min(1.0, 60 / max(nodes.shape))  # the lines of many narrow regions would hide them
    for held, line, color in ((nodes, 0.5, LINE), (answer, 1.1, INK)):
        rows, places = np.nonzero(held[:, 1:] != held[:, :-1])
        lines = [
            [(across.edges[k + 1], up.edges[r]), (across.edges[k + 1], up.edges[r + 1])]
            for r, k in zip(rows, places, strict=True)
        ]
        places, columns = np.nonzero(held[1:] != held[:-1])
        lines += [
            [(across.edges[c], up.edges[k + 1]), (across.edges[c + 1], up.edges[k + 1])]
            for k, c in zip(places, columns, strict=True)
        ]
        if lines and (tree.is_classifier or held is nodes):
            look = {"colors": color, "linewidths": line * finer, "capstyle": "projecting"}
            ax.add_collection(LineCollection(lines, zorder=1, **look))
