"""The importance of the columns as bars."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.explain.importance import Importance
from bough.plot.axes import begin, diagram, finish, key, ticks
from bough.recipe import parameters as check
from bough.view.palette import CLASSES, INK

__all__ = ["importance"]


@diagram
def importance(model: Any, kind: str = "splits", *, max_columns: int | None = 20, ax: Any = None) -> Any:
    """Draw the importance of each column, the largest at the top.

    Parameters
    ----------
    model : fitted estimator, Importance, frame of a tree's `importance(as_frame=True)`, or mapping
        What the method `importance` of a forest returns is drawn with standard errors. A mapping gives the importance
        of each column by its name; a pair of numbers is a mean and its deviation.
    kind : {"splits", "surrogates"}, default="splits"
        As for the method `importance` of an estimator, for which alone it is; forests have no surrogates.
    max_columns : int or None, default=20
        Show no more columns than that, and the sum of the others. Columns of no importance are only counted.
    {axes}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> ax = bough.plot.importance(bough.CARTClassifier().fit(X, y))
    >>> [text.get_text() for text in ax.get_yticklabels()][:2]
    ['flipper_length_mm', 'bill_length_mm']
    """
    if _is_estimator(model):
        check.choice("kind", kind, ["splits", "surrogates"])
        found = model.importance(kind)
        model = found if isinstance(found, Importance) else model.importance(kind, as_frame=True)
        told = f"importance ({kind})"
    else:
        told = f"importance ({model.kind})" if isinstance(model, Importance) else "importance"
    given = _importances(model)
    if max_columns is not None and max_columns < 1:
        raise ParameterError(f"max_columns is a whole number, at least 1, or None; got {max_columns!r:.80}.")
    pairs = {str(name): np.atleast_1d(np.asarray(value, dtype=np.float64)) for name, value in given.items()}
    idle = [name for name, pair in pairs.items() if not pair.any()]
    if len(idle) > 1:  # their number says as much as so many empty bars
        pairs = {name: pair for name, pair in pairs.items() if pair.any()}
    names = sorted(pairs, key=lambda name: -pairs[name][0])
    values = [float(pairs[name][0]) for name in names]
    errors = [float(pairs[name][1]) if len(pairs[name]) > 1 else 0.0 for name in names]
    if max_columns is not None and len(names) > max_columns:
        rest = sum(values[max_columns:])
        names = [*names[:max_columns], f"… {len(values) - max_columns:,} more together"]
        values, errors = [*values[:max_columns], rest], [*errors[:max_columns], 0.0]
    if len(idle) > 1:
        names, values, errors = [*names, f"{len(idle):,} others: 0"], [*values, 0.0], [*errors, 0.0]
    ax = begin(ax, 5.0, 0.8 + 0.22 * max(len(names), 2))
    places = np.arange(len(names))
    bars = ax.barh(places, values, height=0.7, color=CLASSES[0], xerr=errors if any(errors) else None, ecolor=INK)
    ax.invert_yaxis()
    ticks(ax.yaxis, places, names)
    ax.tick_params(axis="y", length=0)
    if any(errors):
        spread = "standard error" if isinstance(model, Importance) else "deviation"
        key(ax, [bars], [f"mean and {spread}"], loc="lower right")
    if min(values, default=0.0) >= 0:
        ax.set_xlim(left=0)
    return finish(ax, told, "")


def _is_estimator(model: Any) -> bool:
    return callable(getattr(type(model), "importance", None))  # a frame may have a column of this name


def _importances(model: Any) -> Mapping[Any, Any]:
    """The importance of each column, with its deviation where there is one."""
    if isinstance(model, Importance):
        pairs = zip(model.columns, model.mean.tolist(), np.nan_to_num(model.standard_error).tolist(), strict=True)
        return {name: (mean, error) for name, mean, error in pairs}
    if isinstance(model, Mapping) and not {"column", "importance", "spread"} <= set(model):
        return model
    try:
        parts = [list(model[name]) for name in ("column", "importance", "spread")]
    except (TypeError, LookupError):
        raise ParameterError(
            "plot.importance takes a fitted estimator, what its importance() returns, or a mapping; got "
            f"{type(model).__name__}."
        ) from None
    return {name: (mean, spread) if spread == spread else mean for name, mean, spread in zip(*parts, strict=True)}
