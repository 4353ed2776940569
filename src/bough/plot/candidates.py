"""The worth of every threshold of a column: how sharp the best one is, and what else was almost as good."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.learn.candidate_scores import NUMBER_CRITERIA
from bough.learn.candidates import CRITERIA
from bough.learn.candidates import candidates as table_of
from bough.plot.axes import STYLES, begin, diagram, finish, key
from bough.view.palette import CLASSES, INK

__all__ = ["candidates"]

_AXIS = {name: f"drop of the {name.replace('_', ' ')}" for name in NUMBER_CRITERIA}


@diagram
def candidates(
    X: Any,
    y: Any,
    column: Any = None,
    *,
    criterion: str | Sequence[str] | None = None,
    task: str = "auto",
    model: Any = None,
    node: Any = None,
    discount: bool = True,
    sample_weight: Any = None,
    ax: Any = None,
) -> Any:
    """Draw a criterion against the thresholds of a column, at the root or at a node of a fitted tree.

    Parameters
    ----------
    X, y, sample_weight, task, model, node, discount
        As for `bough.candidates`.
    column : str or sequence of str, optional
        Whose thresholds; several share the axis, and so should have the same unit. By default the column with the best
        threshold.
    criterion : str or sequence of str, optional
        For classes "gain" (the default), "gain_ratio", "gini", "misclassification", "twoing" or "chi_squared"; for
        numbers the drop of "squared_error" (the default), "absolute_error" or "worst_error". Each of several is drawn
        as a share of its greatest value.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> ax = bough.plot.candidates(X, y, "bill_length_mm", criterion=["gain", "gini"])
    >>> ax.get_xlabel()
    'bill_length_mm'
    """
    wanted = [] if criterion is None else [criterion] if isinstance(criterion, str) else list(criterion)
    for name in wanted:
        if name not in CRITERIA:
            raise ParameterError(f"criterion must be one or more of {', '.join(CRITERIA)}; got {name!r:.80}.")
    if criterion is not None and not wanted:
        raise ParameterError("criterion must name at least one criterion.")
    first = wanted[0] if wanted else "all"
    frame = table_of(
        X, y, sample_weight, criterion=first, task=task, model=model, node=node, cuts="all", discount=discount
    )
    if not len(frame):
        raise ParameterError("no column has a threshold: each holds one value only.")
    if not wanted:
        wanted = ["gain" if "gain" in frame.columns else "squared_error"]
    other = next((name for name in wanted if name not in frame.columns), None)
    if other is not None:
        raise ParameterError(f"criterion {other!r} does not go with {first!r}: one is for classes, one for numbers.")
    names, places = np.asarray(frame["column"], dtype=object), np.asarray(frame["threshold"], dtype=np.float64)
    worth = {name: np.asarray(frame[name], dtype=np.float64) for name in wanted}
    cut = ~np.isnan(places)
    if column is None:
        if not cut.any():
            raise ParameterError("no column has a threshold: all are nominal.")
        chosen = [names[cut][int(np.nanargmax(worth[wanted[0]][cut]))]]
    else:
        chosen = [column] if isinstance(column, str) or not isinstance(column, Sequence) else list(column)
    ax = begin(ax)
    handles: list[Any] = []
    shown: list[str] = []
    relative = len(wanted) > 1
    for name in chosen:
        own = cut & (names == name)
        if not own.any():
            reason = "it has no threshold: it is nominal, or holds one value" if (names == name).any() else "not found"
            raise ParameterError(f"column {name!r:.80}: {reason}.")
        order = np.argsort(places[own])
        x = places[own][order]
        for each in wanted:
            values = worth[each][own][order]
            top = float(np.nanmax(values))
            values = values / top if relative and top > 0 else values
            number = len(handles)
            look = {"color": CLASSES[number % len(CLASSES)], "linestyle": STYLES[number % len(STYLES)]}
            (line,) = ax.plot(x, values, linewidth=1.4, **look)
            best = int(np.nanargmax(values))
            ax.plot(x[best], values[best], marker="o", markersize=6, color=look["color"], markeredgecolor=INK)
            handles.append(line)
            label = each.replace("_", " ")
            shown.append(label if len(chosen) == 1 else f"{name}, {label}" if relative else str(name))
    if len(handles) > 1:
        key(ax, handles, shown)
    if min(float(np.nanmin(line.get_ydata())) for line in handles) >= 0:
        ax.set_ylim(bottom=0)
    value = "share of the greatest value" if relative else _AXIS.get(wanted[0], wanted[0].replace("_", " "))
    return finish(ax, str(chosen[0]) if len(chosen) == 1 else "threshold", value)
