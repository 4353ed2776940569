"""The decision regions of a tree over two columns; levels have lanes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.model import Tree
from bough.model.features import without_cells
from bough.model.given import tree_of
from bough.model.routing import tests_read
from bough.model.text import class_text
from bough.plot.axes import MARKERS, begin, diagram, finish, key, plain, ticks
from bough.plot.library import printable, pyplot
from bough.plot.scene import size_in_inches
from bough.plot.values import check_rows, column_values, predict_at
from bough.table import Column, format_label
from bough.view.metrics import text_width
from bough.view.palette import INK, LINE, MUTED, REST, class_colors, tint, value_color

__all__ = ["regions"]

_MOST_CELLS = 600  # along one axis; of more thresholds a grid is drawn
_LANE_TEXT = 8.0  # points
_LONGEST = 14.0  # inches of a figure of many lanes


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
    """Draw what a tree answers over the plane of two columns.

    Regions are exact: their edges are the thresholds of the tree. Nominal and ordered columns have a lane for each
    level, in which rows are scattered.

    Parameters
    ----------
    model : fitted estimator or Tree
    X : table
        Rows to draw; they also give the range of the axes.
    y : array, optional
        The target of the rows, which are drawn in its colours.
    columns : (str, str), optional
        The columns of the axes; by default the two most weighty ones that the tree asks.
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
    pair = _chosen(tree, columns)
    across, up = axes = _Axis.of(tree, X, pair[0]), _Axis.of(tree, X, pair[1])
    fixed = _fixed(tree, X, pair, at or {})
    grid_x, grid_y = np.meshgrid(np.arange(len(across.values)), np.arange(len(up.values)))
    table: dict[str, Any] = {name: np.full(grid_x.size, value, dtype=_dtype(value)) for name, value in fixed.items()}
    table[pair[0]] = across.values[grid_x.ravel()]
    table[pair[1]] = up.values[grid_y.ravel()]
    nodes = predict_at(tree, {name: table[name] for name in tree.schema.names}).reshape(grid_x.shape)
    ax = begin(ax, across.inches(5.2), up.inches(4.2))
    _fill(ax, tree, nodes, across, up, y)
    _outline(ax, tree, nodes, across, up)
    if rows:
        _scatter(ax, tree, X, y, axes, np.random.default_rng(random_state))
    room = [72 * inches for inches in size_in_inches(ax)]
    told = [_name_lanes(axis, own, points) for axis, own, points in zip((ax.xaxis, ax.yaxis), axes, room, strict=True)]
    ax.set(xlim=(across.edges[0], across.edges[-1]), ylim=(up.edges[0], up.edges[-1]))
    if tree.is_classifier:
        _key(ax, tree, with_rows=rows and y is not None)
    held = [f"{plain(name, 24)} = {_text(fixed[name])}" for name in tree.columns_used if name in fixed]
    if held:
        note = ", ".join(held[:3]) + (f", … {len(held) - 3} more" if len(held) > 3 else "")
        ax.set_title(printable(note), fontsize=8, color=MUTED, loc="left", parse_math=False)
    return finish(ax, *(name + note for name, note in zip(pair, told, strict=True)))


def _name_lanes(axis: Any, own: "_Axis", room: float) -> str:
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


def _text(value: Any) -> str:
    if value is None or value != value:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else plain(str(value), 24)


@dataclass(frozen=True)
class _Axis:
    """Cells along one axis: their edges, a value inside each, and names if they are lanes."""

    column: Column
    edges: npt.NDArray[np.float64]
    values: npt.NDArray[Any]
    names: list[str] | None

    def inches(self, least: float) -> float:
        """The length of the axis in a figure of its own: room for the names of the lanes."""
        return least if self.names is None else float(np.clip(0.17 * len(self.names) + 1.2, least, _LONGEST))

    @classmethod
    def of(cls, tree: Tree, X: Any, name: str) -> "_Axis":
        index = tree.schema.names.index(name)
        column = tree.schema.columns[index]
        if column.levels is not None:
            codes = [code for code in range(column.n_levels) if code not in set(column.unused)]
            labels = [column.levels[code] for code in codes]
            values = np.empty(len(labels), dtype=object)
            values[:] = labels
            return cls(
                column,
                np.arange(len(labels) + 1, dtype=np.float64) - 0.5,
                values,
                [format_label(label, quoted=False) for label in labels],
            )
        if column.dtype not in ("float64", "float32", "int64", "uint64"):
            raise ParameterError(f"column {name!r:.80} holds {column.dtype}; plot.regions draws numbers and levels.")
        given = column_values(X, name, index).astype(np.float64)
        known = given[np.isfinite(given)]
        if not len(known):
            raise DataError(f"column {name!r:.80} of X has no finite value, so its axis has no range.")
        low, high = float(known.min()), float(known.max())
        room = 0.04 * (high - low) or 0.5
        low, high = low - room, high + room
        cuts = _cuts(tree, index)
        if len(without_cells(tree.arrays, tests_read(tree))):  # a plane is no cut of one column
            cuts = np.union1d(cuts, np.linspace(low, high, _MOST_CELLS // 2))
        edges = np.unique(np.concatenate([[low], cuts[(cuts > low) & (cuts < high)], [high]]))
        if len(edges) > _MOST_CELLS:
            edges = np.linspace(low, high, _MOST_CELLS)
        return cls(column, edges, (edges[:-1] + edges[1:]) / 2, None)


def _cuts(tree: Tree, index: int) -> npt.NDArray[np.float64]:
    """All thresholds of a column."""
    tests = [node.split.test for node in tree if node.split is not None]
    cuts = [float(cut.value) for test in tests for cut in test.cuts.get(index, ())]
    return np.array(cuts, dtype=np.float64)


def _chosen(tree: Tree, columns: Sequence[str] | None) -> tuple[str, str]:
    names = tree.schema.names
    if columns is None:
        weight = np.zeros(len(names))
        for node in tree:
            if node.split is not None:
                weight[node.split.test.column] += node.weight * (node.split.gain or 0.0)
        if len(names) < 2:
            raise ParameterError("plot.regions needs two columns; this tree knows one.")
        first, second = np.argsort(-weight, kind="stable")[:2].tolist()
        return names[first], names[second]
    pair = list(columns) if not isinstance(columns, str) else [columns]
    if len(pair) != 2 or pair[0] == pair[1]:
        raise ParameterError(f"columns names two different columns; got {columns!r:.80}.")
    for name in pair:
        if name not in names:
            raise ParameterError(f"the tree knows no column {name!r:.80}; it knows {', '.join(names)[:200]}.")
    return pair[0], pair[1]


def _fixed(tree: Tree, X: Any, pair: tuple[str, str], at: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the columns that are no axis."""
    for name in at:
        if name not in tree.schema.names or name in pair:
            raise ParameterError(f"at: {name!r:.80} is an axis of the picture or no column of the tree.")
    fixed: dict[str, Any] = {}
    used = set(tree.columns_used)
    for index, column in enumerate(tree.schema.columns):
        if column.name in pair:
            continue
        if column.name in at:
            fixed[column.name] = at[column.name]
        elif column.name not in used:
            fixed[column.name] = (
                None if column.levels is not None or column.dtype not in ("float64", "float32") else np.nan
            )
            if column.levels is None and column.dtype in ("int64", "uint64"):
                fixed[column.name] = 0
        else:
            fixed[column.name] = _typical(column, column_values(X, column.name, index))
    return fixed


def _typical(column: Column, given: npt.NDArray[Any]) -> Any:
    """The lower median of numbers, the most frequent of levels."""
    known = [value for value in given.tolist() if value is not None and value == value]
    if not known:
        raise DataError(f"column {column.name!r:.80} of X has no known value; give one in at={{...}}.")
    if column.levels is None:
        return sorted(known)[(len(known) - 1) // 2]
    counts: dict[Any, int] = {}
    for value in known:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: counts[value])


def _dtype(value: Any) -> Any:
    return None if isinstance(value, int | float | np.number) and not isinstance(value, bool) else object


def _fill(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], across: _Axis, up: _Axis, y: Any) -> None:
    plt = pyplot()
    if tree.is_classifier:
        colors = class_colors(tree).colors
        label = tree.arrays.label[nodes.ravel()]
        sure = tree.probabilities(nodes.ravel())[np.arange(nodes.size), label]
        even = 1 / max(len(colors), 2)
        strength = np.clip((sure - even) / (1 - even), 0, 1)
        cells = [tint(colors[int(k)], 0.85 - 0.4 * float(s)) for k, s in zip(label, strength, strict=True)]
        from matplotlib.colors import to_rgba_array

        image = to_rgba_array(cells).reshape(*nodes.shape, 4)
        ax.pcolormesh(across.edges, up.edges, image, shading="flat", zorder=0, rasterized=nodes.size > 20_000)
        return
    from matplotlib.colors import ListedColormap

    values = tree.values(nodes.ravel()).reshape(nodes.shape)
    scale = ListedColormap([value_color(share) for share in np.linspace(0, 1, 256)])
    ends = {"vmin": float(tree.arrays.value.min()), "vmax": float(tree.arrays.value.max())}
    mesh = ax.pcolormesh(across.edges, up.edges, values, cmap=scale, shading="flat", zorder=0, **ends)
    bar = plt.colorbar(mesh, ax=ax, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, colors=INK)
    bar.set_label(tree.target, fontsize=9, color=INK, parse_math=False)


def _outline(ax: Any, tree: Tree, nodes: npt.NDArray[np.int32], across: _Axis, up: _Axis) -> None:
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


def _scatter(ax: Any, tree: Tree, X: Any, y: Any, axes: tuple[_Axis, _Axis], rng: np.random.Generator) -> None:
    points = [_places(tree, X, axis, rng) for axis in axes]
    shown = np.isfinite(points[0]) & np.isfinite(points[1])
    finer = min(1.0, 600 / max(int(shown.sum()), 1)) ** 0.5
    look: dict[str, Any] = {"s": max(13 * finer, 2.5), "linewidths": 0.5 * finer, "edgecolors": INK, "zorder": 2}
    if y is None or not tree.is_classifier:
        color: Any = "#ffffff"
        if y is not None:
            values = np.asarray(y, dtype=np.float64).ravel()
            check_rows(len(shown), values)
            low, high = float(tree.arrays.value.min()), float(tree.arrays.value.max())
            color = [value_color((value - low) / ((high - low) or 1.0)) for value in values[shown]]
            look["edgecolors"] = LINE  # is seen on the darkest ground and on the lightest
        ax.scatter(points[0][shown], points[1][shown], c=color, **look)
        return
    colors = class_colors(tree)
    target = np.asarray(y).ravel()
    check_rows(len(shown), target)
    labels = np.empty(len(target), dtype=object)
    labels[:] = target.tolist()
    for number, name in enumerate(tree.class_labels or []):
        own = shown & np.array([label == name for label in labels], dtype=bool)
        marker = MARKERS[_rank(colors.named, number) % len(MARKERS)]
        ax.scatter(points[0][own], points[1][own], c=colors.colors[number], marker=marker, **look)


def _rank(named: tuple[int, ...], number: int) -> int:
    return named.index(number) if number in named else 0


def _places(tree: Tree, X: Any, axis: _Axis, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Where rows stand along an axis; within a lane they are scattered."""
    given = column_values(X, axis.column.name, tree.schema.names.index(axis.column.name))
    if axis.names is None:
        return given.astype(np.float64)
    lane = {format_label(label): place for place, label in enumerate(axis.values)}
    places = [lane.get(format_label(value), np.nan) if _is_label(value) else np.nan for value in given.tolist()]
    return np.array(places, dtype=np.float64) + rng.uniform(-0.32, 0.32, len(places))


def _is_label(value: Any) -> bool:
    return value is not None and value == value  # NaN is the value that is not itself


def _key(ax: Any, tree: Tree, *, with_rows: bool) -> None:
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
