"""Risk against the size of the tree, with the standard errors of cross-validation and the tree that was chosen."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.plot.axes import STYLES, begin, diagram, finish, key
from bough.view.palette import CLASSES, INK, MUTED

__all__ = ["pruning"]


@diagram
def pruning(model: Any, *, ax: Any = None) -> Any:
    """Draw how the risk of a tree changes while it is pruned.

    Parameters
    ----------
    model : fitted estimator or data frame
        An estimator shows its `pruning_path_`: the risk on the training rows and, if it was pruned by
        cross-validation, that of the folds with its standard error, the least of them plus one standard error as a
        line, and the chosen tree. A frame is what `pruning_curve` returns.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> ax = bough.plot.pruning(bough.CARTClassifier(pruning="cross_validated", random_state=0).fit(X, y))
    >>> ax.get_xlabel()
    'leaves'
    """
    path = getattr(model, "pruning_path_", model)
    size = _column(path, "n_leaves")
    if size is None:
        raise ParameterError(
            "plot.pruning takes a fitted estimator with a pruning path, or a frame from its pruning_curve(...); "
            f"got {type(model).__name__}."
        )
    names = (("training rows", "risk", "training_error"), ("cross-validation", "cv_risk", "validation_error"))
    error = _column(path, "cv_se")
    ax = begin(ax)
    handles: list[Any] = []
    shown: list[str] = []
    curve = size  # the last one that is drawn, on which the tree stands
    for number, (name, *columns) in enumerate(names):
        values = next((found for column in columns if (found := _column(path, column)) is not None), None)
        if values is None or np.isnan(values).all():
            continue
        bars = error if number == 1 and error is not None else None
        look = {"color": CLASSES[(0, 2)[number]], "marker": "os"[number], "markersize": 4, "linestyle": STYLES[number]}
        drawn = ax.errorbar(size, values, yerr=bars, capsize=2, linewidth=1.4, elinewidth=0.8, **look)
        handles.append(drawn)
        shown.append(name if _column(path, "cv_risk") is not None or number == 0 else "other rows")
        if bars is not None:
            best = int(np.nanargmin(values))
            level = ax.axhline(values[best] + bars[best], color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
            handles.append(level)
            shown.append("least + 1 standard error")
        curve = values
    if hasattr(model, "get_n_leaves"):
        kept = np.flatnonzero(size == model.get_n_leaves())
        if len(kept):
            at = (size[kept[0]], curve[kept[0]])
            (mark,) = ax.plot(*at, marker="o", markersize=11, markerfacecolor="none", markeredgecolor=INK, linestyle="")
            handles.append(mark)
            shown.append("this tree")
    if size.max() > 32 * max(size.min(), 1):
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    else:
        ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_ylim(bottom=0)
    key(ax, handles, shown)
    return finish(ax, "leaves", "risk" if _column(path, "risk") is not None else "error")


def _column(frame: Any, name: str) -> Any:
    """A column of a data frame, or of a dict of columns; None if there is none of that name."""
    names = frame.keys() if isinstance(frame, Mapping) else getattr(frame, "columns", ())
    return np.asarray(frame[name], dtype=np.float64) if name in list(names) else None
