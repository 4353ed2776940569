"""The effect of a parameter: loss on training rows and on others, and leaves, against the values that it was given."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.plot.axes import STYLES, begin, diagram, finish, key, ticks
from bough.validate.effect import Effect
from bough.validate.effect import effect as effect_of
from bough.view.palette import CLASSES, INK, MUTED

__all__ = ["effect"]

_WIDE = 30.0  # times the least value, from which on an axis is logarithmic


@diagram
def effect(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    parameter: str | None = None,
    values: Sequence[Any] | None = None,
    *,
    leaves: bool = True,
    ax: Any = None,
    **options: Any,
) -> Any:
    """Draw what a parameter does: loss on training rows and on rows held back, and the leaves of the tree.

    The band about the loss on rows held back is its standard deviation over the folds; the ring is at the least one.

    Parameters
    ----------
    estimator : classifier or regressor, or Effect
        What `bough.validate.effect` returns is drawn as it is, without further arguments.
    X, y : table and array
    parameter : str
        By the name of `get_params`; that of a part with its slot before it.
    values : sequence
        What it is set to: numbers are places on the axis, logarithmic if they span much; others stand side by side.
    leaves : bool, default=True
        Draw the mean number of leaves, by the axis on the right.
    **options
        As `bough.validate.effect` takes them: `loss`, `cv`, `n_resamples` (bias and variance are then drawn, too),
        `random_state`, `n_jobs`, `progress` and others.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.make_waveform(300, random_state=0).xy()
    >>> tree = bough.CARTClassifier(pruning=None)
    >>> ax = bough.plot.effect(tree, X, y, "min_samples_leaf", [1, 5, 25, 100], random_state=0)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('min_samples_leaf', 'error')
    """
    found = _found(estimator, X, y, parameter, values, options)
    places, names = _places(found.values)
    order = np.argsort(places, kind="stable")
    x = places[order]
    ax = begin(ax, 5.6, 3.6)
    curves = {"training rows": found.training.mean(axis=1), "rows held back": found.validation.mean(axis=1)}
    if found.bias is not None and found.variance is not None:
        curves |= {"bias": found.bias, "variance": found.variance}
    handles: list[Any] = []
    for number, curve in enumerate(curves.values()):
        style = STYLES[number] if names is None else ""  # there is nothing between names
        look = {"color": CLASSES[(0, 2, 6, 7)[number]], "linestyle": style, "marker": "os^v"[number]}
        handles += ax.plot(x, curve[order], linewidth=1.5, markersize=4, **look)
    held, spread = curves["rows held back"], found.validation.std(axis=1)
    low, high = np.maximum(held - spread, 0.0)[order], (held + spread)[order]
    if names is None:
        ax.fill_between(x, low, high, color=CLASSES[2], alpha=0.15, linewidth=0)
    else:
        ax.vlines(x, low, high, color=CLASSES[2], alpha=0.3, linewidth=4)
    best = int(np.argmin(held))
    (ring,) = ax.plot(places[best], held[best], "o", markersize=11, markerfacecolor="none", markeredgecolor=INK)
    ax.set_ylim(bottom=0)
    _scale(ax, x, names)
    shown = [*curves, "least"]
    handles.append(ring)
    if leaves and not np.isnan(found.leaves).all():
        handles.append(_draw_leaves(ax, x, found.leaves.mean(axis=1)[order], "" if names else STYLES[2]))
        shown.append("leaves")
    key(ax, handles, shown, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=3)
    return finish(ax, found.parameter, found.loss.replace("_", " "))


def _found(
    estimator: Any, X: Any, y: Any, parameter: str | None, values: Sequence[Any] | None, options: dict[str, Any]
) -> Effect:
    if isinstance(estimator, Effect):
        more = [name for name, given in zip(("X", "y", "parameter", "values"), (X, y, parameter, values), strict=True)
                if given is not None]  # fmt: skip
        if more or options:
            raise ParameterError(f"an Effect is drawn as it is: leave out {', '.join([*more, *options])}.")
        return estimator
    if X is None or y is None or parameter is None or values is None:
        raise ParameterError(
            "plot.effect takes an estimator with X, y, parameter and values, or what bough.validate.effect returns."
        )
    return effect_of(estimator, X, y, parameter, values, **options)


def _places(values: tuple[Any, ...]) -> tuple[npt.NDArray[np.float64], list[str] | None]:
    """Where values stand on the axis, and their names where they are not numbers."""
    plain = all(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in values)
    if plain and np.isfinite(np.array(values, dtype=np.float64)).all():
        return np.array(values, dtype=np.float64), None
    return np.arange(len(values), dtype=np.float64), [str(value) for value in values]


def _scale(ax: Any, x: npt.NDArray[np.float64], names: list[str] | None) -> None:
    if names is not None:
        ticks(ax.xaxis, x, names, most=18)
        ax.set_xlim(-0.5, len(names) - 0.5)
        return
    above = x[x > 0]
    if len(above) < 2 or x.min() < 0 or above.max() < _WIDE * above.min():
        return
    if x.min() > 0:
        ax.set_xscale("log")
    else:
        ax.set_xscale("symlog", linthresh=float(above.min()))  # 0 has its place beside the least value above it
        ax.set_xlim(-0.1 * float(above.min()), 1.2 * float(above.max()))
    ax.xaxis.set_major_formatter("{x:g}")


def _draw_leaves(ax: Any, x: npt.NDArray[np.float64], leaves: npt.NDArray[np.float64], style: Any) -> Any:
    side = ax.twinx()
    for name in ("top", "left", "bottom"):
        side.spines[name].set_visible(False)
    side.spines["right"].set_color(MUTED)
    side.tick_params(colors=MUTED, labelsize=8)
    (line,) = side.plot(x, leaves, color=MUTED, linewidth=1.2, linestyle=style, marker="x", markersize=4)
    side.set_ylim(0, 1.06 * float(np.nanmax(leaves)))
    side.set_ylabel("leaves", fontsize=9, color=MUTED)
    return line
