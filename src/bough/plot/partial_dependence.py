"""Partial dependence: the mean answer of a model against the values of a column, or those of two as a map."""

import datetime as dt
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.explain.partial_dependence import PartialDependence
from bough.explain.partial_dependence import partial_dependence as dependence_of
from bough.model.text import class_text
from bough.plot.axes import MARKERS, STYLES, begin, diagram, finish, key, ticks
from bough.view.palette import CLASSES, LINE, MUTED

__all__ = ["partial_dependence"]

_MOST = len(CLASSES)  # classes that are drawn unless some are named


@diagram
def partial_dependence(
    model: Any, X: Any = None, columns: Any = None, *, labels: Any = None, ax: Any = None, **options: Any
) -> Any:
    """Draw what a model answers on average by the value of a column, or by those of two.

    Parameters
    ----------
    model : fitted estimator, model or PartialDependence
        What `bough.explain.partial_dependence` returns is drawn as it is, without X and columns. Answers row by row, if
        it has them, are drawn as thin lines.
    X : table
    columns : str or int, or two of them
    labels : label or list of labels, optional
        The classes to draw. By default the last of two, all of more; of two columns one class is drawn, by default the
        last.
    **options
        As `bough.explain.partial_dependence` takes them: `grid_resolution`, `percentiles`, `sample_weight`,
        `individual`.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=20).fit(X, y)
    >>> ax = bough.plot.partial_dependence(clf, X, "flipper_length_mm")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('flipper_length_mm', 'mean probability')
    """
    found = _found(model, X, columns, options)
    curves = _curves(found, labels)
    if len(found.columns) == 2:
        name = next(reversed(curves))
        return _draw_map(found, curves[name][0], name, begin(ax, 5.0, 4.0))
    ax = begin(ax, 5.0, 3.5)
    places, missing = found.places[0].copy(), np.isnan(found.places[0])
    levels = found.kinds[0] != "numeric"
    step = 1.0 if levels else (np.ptp(places[~missing]) or 1.0) * 0.08 if (~missing).any() else 1.0
    places[missing] = np.max(places[~missing], initial=-step) + step  # beside the others, and apart from the line
    handles = []
    for number, (mean, single) in enumerate(curves.values()):
        colour = CLASSES[number % len(CLASSES)]
        look = {"color": colour, "marker": MARKERS[number % len(MARKERS)]}
        for one in single:
            ax.plot(places[~missing], one[~missing], color=colour, alpha=0.15, linewidth=0.6)
        style = "" if levels else STYLES[number % len(STYLES)]
        few = levels or (~missing).sum() < 3
        handles += ax.plot(places[~missing], mean[~missing], linestyle=style, linewidth=1.6, color=colour,
                           marker=look["marker"] if few else "", markersize=6)  # fmt: skip
        ax.plot(places[missing], mean[missing], linestyle="", markersize=6, **look)
    _name_places(ax.xaxis, found, 0, places)
    if missing.any() and not levels:
        ax.axvline(float(places[missing][0]) - 0.5 * step, color=LINE, linewidth=0.8)
    if len(curves) > 1:
        key(ax, handles, list(curves), title=found.target, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=3)
    return finish(ax, found.columns[0], _answer(found, next(iter(curves)) if len(curves) == 1 else None))


def _found(model: Any, X: Any, columns: Any, options: dict[str, Any]) -> PartialDependence:
    if isinstance(model, PartialDependence):
        more = [name for name, given in (("X", X), ("columns", columns)) if given is not None]
        if more or options:
            raise ParameterError(f"a PartialDependence is drawn as it is: leave out {', '.join([*more, *options])}.")
        return model
    if X is None or columns is None:
        raise ParameterError(
            "plot.partial_dependence takes a model with X and columns, or what bough.explain.partial_dependence "
            "returns."
        )
    return dependence_of(model, X, columns, **options)


def _curves(found: PartialDependence, labels: Any) -> dict[str, tuple[Any, Any]]:
    """By name: the mean, and the answers of single rows."""
    rows = found.individual
    if found.classes is None:
        if labels is not None:
            raise ParameterError("labels: numbers are predicted, and there are no classes to draw.")
        return {"mean": (found.mean, [] if rows is None else rows)}
    known = found.classes.tolist()
    if labels is None:
        chosen = known[-1:] if len(known) == 2 or len(found.columns) == 2 else known[:_MOST]
    else:
        chosen = list(labels) if isinstance(labels, list | tuple | np.ndarray) else [labels]
    strange = [label for label in chosen if label not in known]
    if strange or not chosen:
        raise ParameterError(f"labels: {strange!r:.60} is no class of the model; it has {known!r:.200}.")
    numbers = [known.index(label) for label in chosen]
    return {class_text(known[k]): (found.mean[..., k], [] if rows is None else rows[..., k]) for k in numbers}


def _name_places(axis: Any, found: PartialDependence, number: int, places: Any) -> None:
    """Name levels, dates and what is missing; plain numbers name themselves."""
    texts, missing = found.texts[number], np.isnan(found.places[number])
    if found.kinds[number] != "numeric":
        ticks(axis, places, texts, most=18)
    elif any(isinstance(value, np.generic | dt.date | dt.time) for value in found.values[number]):
        shown = np.unique(np.linspace(0, len(places) - 1, min(3, len(places))).astype(int)).tolist()
        ticks(axis, places[shown], [texts[i] for i in shown])
    elif missing.any():
        known = places[~missing]
        shown = [
            at for at in axis.get_ticklocs() if len(known) and known.min() <= at <= known[0] + 0.95 * np.ptp(known)
        ]
        ticks(axis, [*shown, places[-1]], [*(f"{at:g}" for at in shown), "missing"])


def _answer(found: PartialDependence, label: str | None) -> str:
    if found.classes is None:
        return f"mean {found.target}"
    return "mean probability" if label is None else f"mean probability of {label}"


def _draw_map(found: PartialDependence, mean: Any, label: str, ax: Any) -> Any:
    places = []
    for axis in range(2):
        own = found.places[axis].copy()
        missing = np.isnan(own)
        gap = 1.0 if found.kinds[axis] != "numeric" or (~missing).sum() < 2 else float(np.mean(np.diff(own[~missing])))
        own[missing] = np.max(own[~missing], initial=-gap) + gap
        places.append(own)
    image = ax.pcolormesh(places[0], places[1], mean.T, shading="nearest", cmap="viridis")
    bar = ax.figure.colorbar(image, ax=ax)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=MUTED, labelsize=8)
    for axis, drawn in enumerate((ax.xaxis, ax.yaxis)):
        _name_places(drawn, found, axis, places[axis])
    return finish(ax, found.columns[0], found.columns[1], _answer(found, label))
